import { element, iconButton } from "../dom.js";

let count = 0;

/**
 * Opens a modal dialog; the browser keeps the focus inside, closes it on Escape and gives the focus back.
 * `fill(close)` makes the content. The promise gives what `close` was called with, or null.
 */
export function openDialog(title, fill, { isAlert = false } = {}) {
  return new Promise((resolve) => {
    let outcome = null;
    const close = (value = null) => {
      outcome = value;
      dialog.close();
    };
    const id = `dialog-${count += 1}`;
    const dialog = element("dialog", { "aria-labelledby": id, role: isAlert ? "alertdialog" : "dialog" },
      element("div", { class: "dialog-head" },
        element("h2", { id }, title), iconButton("close", "Close", () => close())));
    dialog.append(...fill(close));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(outcome);
    });
    dialog.addEventListener("click", (event) => { if (event.target === dialog) close(); });
    document.body.append(dialog);
    dialog.showModal();
  });
}
