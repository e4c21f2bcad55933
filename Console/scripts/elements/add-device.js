import { element, setText } from "../dom.js";
import { Failure } from "../platform/failures.js";
import { openDialog } from "./dialogs.js";

const asPrinted = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false", required: true };

/** Asks for serial and code and adds the device; gives its record, or null when the person changed their mind. */
export function addDevice(platform) {
  return openDialog("Add a device", (close) => {
    const serial = element("input", {
      ...asPrinted, id: "serial", maxlength: 20, "aria-describedby": "serial-help",
    });
    const code = element("input", {
      ...asPrinted, id: "code", maxlength: 12, "aria-describedby": "code-help",
    });
    const name = element("input", { id: "name", autocomplete: "off", maxlength: 50 });
    const failure = element("p", { class: "failure", role: "alert" });
    const button = element("button", { class: "primary" }, "Add device");
    const form = element("form", { novalidate: true },
      element("p", { class: "muted" },
        "Both are on the device's label, which the camera also prints when it starts."),
      element("label", { for: "serial" }, "Serial"), serial,
      element("p", { class: "help", id: "serial-help" }, "Nine characters, such as O12345678"),
      element("label", { for: "code" }, "Verification code"), code,
      element("p", { class: "help", id: "code-help" }, "Six letters"),
      element("label", { for: "name" }, "Name (may stay empty)"), name,
      failure,
      element("div", { class: "actions" },
        element("button", { type: "button", click: () => close() }, "Cancel"), button));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const [wrong, input] = problem(serial, code);
      setText(failure, wrong?.sentence ?? "");
      if (wrong) return input.focus();
      button.disabled = true;
      setText(button, "Asking the device…");
      try {
        close(await platform.addDevice(cleaned(serial), cleaned(code), name.value.trim()));
      } catch (thrown) {
        const failed = Failure.of(thrown);
        setText(failure, failed.sentence);
        (failed.code === 120010 ? code : serial).focus();
      } finally {
        button.disabled = false;
        setText(button, "Add device");
      }
    });
    return [form];
  });
}

function cleaned(input) { return input.value.replace(/\s/g, "").toUpperCase(); }

/** What the browser can tell without asking: the failure and where it is. */
function problem(serial, code) {
  if (!/^(?=.{9}$)[A-Z]{0,2}[0-9]+$/.test(cleaned(serial))) return [Failure.numbered(120014), serial];
  if (/^[A-Z]{6}$/.test(cleaned(code))) return [null, null];
  const remedy = "It is on the device's label, below the serial.";
  return [new Failure(120010, "A verification code has six letters", remedy), code];
}
