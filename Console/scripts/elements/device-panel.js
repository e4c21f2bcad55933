import { element, icon, setText } from "../dom.js";
import { addDevice } from "./add-device.js";
import { showDetails } from "./device-details.js";
import "./device-row.js";

/** The list of devices, and what to do while there is none. */
class DevicePanel extends HTMLElement {
  #rows = new Map();

  connectedCallback() {
    this.count = element("span", { class: "muted" });
    this.rows = element("ul", { class: "rows" });
    this.message = element("div", { class: "panel-message" });
    this.replaceChildren(element("section", { "aria-labelledby": "devices-title" },
      element("div", { class: "pane-head" },
        element("h2", { id: "devices-title" }, "Devices"), this.count,
        element("button", { type: "button", class: "primary small", click: () => this.#add() },
          icon("add"), "Add device")),
      this.message, this.rows));
    this.list.addEventListener("change", () => this.#show());
    this.wall.addEventListener("change", () => this.#showOpen());
    this.#show();
  }

  focusCamera({ serial, cameraNo }) { this.#rows.get(serial)?.focusCamera(cameraNo); }

  async #add() {
    const device = await addDevice(this.platform);
    if (!device) return;
    await this.list.refresh();
    this.#say(`${device.name || device.serial} was added.`);
    this.#rows.get(device.serial)?.querySelector("button")?.focus();
  }

  async #details(serial) {
    const outcome = await showDetails(this.platform, this.list, serial);
    if (!outcome) return;
    await this.list.refresh();
    this.#say(outcome);
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }

  #show() {
    const { devices, failure } = this.list;
    const online = devices?.filter((device) => device.status === 1).length ?? 0;
    setText(this.count, devices?.length ? `${online} of ${devices.length} online` : "");
    this.message.replaceChildren(...this.#messages(devices, failure));
    for (const [serial, row] of this.#rows)
      if (!devices?.some((device) => device.serial === serial)) {
        row.remove();
        this.#rows.delete(serial);
      }
    devices?.forEach((device, place) => {
      const row = this.#rows.get(device.serial) ?? this.#makeRow(device.serial);
      row.show(device);
      if (this.rows.children[place] !== row) this.rows.insertBefore(row, this.rows.children[place] ?? null);
    });
    this.#showOpen();
  }

  #makeRow(serial) {
    const row = element("device-row", { role: "listitem" });
    row.addEventListener("details", () => this.#details(serial));
    this.#rows.set(serial, row);
    return row;
  }

  #showOpen() {
    for (const row of this.#rows.values()) row.showOpen(this.wall);
  }

  #messages(devices, failure) {
    if (failure) {
      return [element("p", { class: "failure", role: "alert" }, failure.sentence),
        element("button", { type: "button", click: () => this.list.refresh() }, "Try again")];
    }
    if (devices === null) return [element("p", { class: "muted", role: "status" }, "Loading your devices…")];
    if (devices.length) return [];
    return [element("div", { class: "empty" }, icon("camera"),
      element("h3", {}, "No device yet"),
      element("ol", {},
        element("li", {}, "Start a camera: ", element("code", {}, "oriel camera"), " on the machine that has it, or ",
          element("code", {}, "make run"), " for a demo."),
        element("li", {}, "Read the serial and the six-letter code on the label that it prints."),
        element("li", {}, "Choose “Add device” and enter both.")))];
  }
}

customElements.define("device-panel", DevicePanel);
