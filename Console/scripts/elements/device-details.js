import { element, icon, setText } from "../dom.js";
import { Failure } from "../platform/failures.js";
import { openDialog } from "./dialogs.js";

/** Shows what is known of a device, renames and removes it. Gives a sentence when something was changed. */
export function showDetails(platform, list, serial) {
  const device = list.find(serial);
  if (!device) return Promise.resolve(null);
  return openDialog(device.name || serial, (close) => [
    renameForm(platform, device, close),
    facts([
      ["Status", device.status === 1 ? "Online" : "Offline"],
      ["Serial", device.serial],
      ["Model", device.model || "Unknown"],
      ["Version", device.version || "Unknown"],
      ["Added", new Date(device.addTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })],
    ]),
    ...device.cameras.map(cameraFacts),
    element("div", { class: "actions spread" },
      element("button", { type: "button", class: "danger", click: async () => {
        if (await confirmRemoval(platform, device)) close(`${device.name || serial} was removed.`);
      } }, icon("trash"), "Remove device"),
      element("button", { type: "button", click: () => close() }, "Done")),
  ]);
}

function renameForm(platform, device, close) {
  const input = element("input", {
    id: "device-name", value: device.name, maxlength: 50, autocomplete: "off", required: true,
  });
  const failure = element("p", { class: "failure", role: "alert" });
  const form = element("form", { class: "rename", novalidate: true },
    element("label", { for: "device-name" }, "Name"),
    element("div", { class: "beside" }, input, element("button", {}, "Rename")), failure);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (!name) return setText(failure, "Enter a name.");
    if (name === device.name) return close();
    try {
      await platform.renameDevice(device.serial, name);
      close(`The device is now called ${name}.`);
    } catch (thrown) {
      setText(failure, Failure.of(thrown).sentence);
    }
  });
  return form;
}

const deliveries = { passedOn: "Passed on as the camera sends them", encoded: "Encoded once for all viewers" };

function cameraFacts(camera) {
  const number = `Camera ${camera.cameraNo}`;
  return element("section", { class: "camera-facts" },
    element("h3", {}, camera.name && camera.name !== number ? `${camera.name} (${number})` : number),
    facts([
      ["HD stream", camera.mainStream || "Not known yet"],
      ["Smooth stream", camera.subStream || "Made while somebody watches it"],
      ["Pictures", deliveries[camera.delivery] ?? "Not known yet"],
      ...(camera.note ? [["Note", camera.note]] : []),
    ]));
}

function facts(rows) {
  const cells = rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element("dl", { class: "facts" }, ...cells);
}

function confirmRemoval(platform, device) {
  return openDialog(`Remove ${device.name || device.serial}?`, (close) => {
    const failure = element("p", { class: "failure", role: "alert" });
    const remove = async () => {
      try {
        await platform.removeDevice(device.serial);
        close(true);
      } catch (thrown) {
        setText(failure, Failure.of(thrown).sentence);
      }
    };
    return [
      element("p", {},
        "Nobody in this account can watch it any more. To add it again you need the code on its label."),
      failure,
      element("div", { class: "actions" },
        element("button", { type: "button", autofocus: true, click: () => close() }, "Keep it"),
        element("button", { type: "button", class: "danger solid", click: remove }, "Remove")),
    ];
  }, { isAlert: true });
}
