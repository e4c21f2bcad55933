import { element, icon, iconButton, setIcon, setLabel, setText } from "../dom.js";

/** One device of the list with its cameras. Events: "watch", "recordings" (both bubble), "details". */
class DeviceRow extends HTMLElement {
  #device = null;
  #cameras = new Map();

  connectedCallback() {
    if (this.title_) return;
    this.title_ = element("h3", {});
    this.status_ = element("span", { class: "status" });
    this.serial_ = element("span", { class: "muted serial" });
    this.cameras_ = element("div", { class: "cameras" });
    this.replaceChildren(
      element("div", { class: "device-head" },
        element("div", { class: "device-name" },
          this.title_, element("p", { class: "small" }, this.status_, this.serial_)),
        this.info_ = iconButton("details", "Details", () => this.dispatchEvent(new Event("details")))),
      this.cameras_);
    if (this.#device) this.show(this.#device);
  }

  show(device) {
    this.#device = device;
    if (!this.title_) return;
    const isOnline = device.status === 1;
    this.classList.toggle("offline", !isOnline);
    setText(this.title_, device.name || device.serial);
    setText(this.status_, isOnline ? "Online" : "Offline");
    this.status_.classList.toggle("good", isOnline);
    setText(this.serial_, device.serial);
    this.info_.setAttribute("aria-label", `Details of ${device.name || device.serial}`);
    for (const [number, button] of this.#cameras)
      if (!device.cameras.some((camera) => camera.cameraNo === number)) {
        button.parentNode.remove();
        this.#cameras.delete(number);
      }
    for (const camera of device.cameras) this.#showCamera(device, camera);
    this.#arrange(device.cameras.length === 1);
  }

  showOpen(wall) {
    for (const [number, button] of this.#cameras) {
      const isOpen = wall.isOpen(this.#device.serial, number);
      button.classList.toggle("open", isOpen);
      setIcon(button.querySelector(".watch .icon"), isOpen ? "check" : "play");
      button.title = isOpen ? "Go to the live view" : "Watch live";
    }
  }

  focusCamera(cameraNo) { this.#cameras.get(cameraNo)?.focus(); }

  /** A lone camera's picture stands before the device's name, several below it. */
  #arrange(isLone) {
    this.classList.toggle("lone", isLone);
    if (isLone === (this.firstChild === this.cameras_)) return;
    if (isLone) this.prepend(this.cameras_);
    else this.append(this.cameras_);
  }

  #showCamera(device, camera) {
    let button = this.#cameras.get(camera.cameraNo);
    if (!button) {
      button = this.#makeCamera(camera.cameraNo);
      this.#cameras.set(camera.cameraNo, button);
      this.cameras_.append(button.parentNode);
    }
    const name = camera.name || `Camera ${camera.cameraNo}`;
    const isLone = device.cameras.length === 1;
    const whole = device.name || device.serial;
    button.setAttribute("aria-label", `Watch ${isLone ? whole : `${name} of ${whole}`}`);
    setLabel(button.nextSibling, `Recordings of ${isLone ? whole : `${name} of ${whole}`}`);
    setText(button.querySelector(".camera-name"), isLone ? "" : name);
    const picture = button.querySelector("img");
    if (!camera.coverURL) {
      picture.hidden = true;
      picture.removeAttribute("src");
      delete picture.dataset.wanted;
    } else if (picture.dataset.wanted !== camera.coverURL) {
      // The old picture stays until the new one is there.
      const next = new Image();
      next.onload = () => { picture.src = next.src; picture.hidden = false; };
      next.onerror = () => { delete picture.dataset.wanted; };
      next.src = picture.dataset.wanted = camera.coverURL;
    }
  }

  #makeCamera(cameraNo) {
    const ask = (name) => () => this.dispatchEvent(
      new CustomEvent(name, { bubbles: true, detail: { serial: this.#device.serial, cameraNo } }));
    const cover = element("button", { type: "button", class: "cover", click: ask("watch") },
      icon("camera"), element("img", { alt: "", hidden: true }),
      element("span", { class: "camera-name" }),
      element("span", { class: "watch" }, icon("play")));
    element("div", { class: "camera" }, cover,
      iconButton("history", "Recordings", ask("recordings"), { class: "icon-button to-recordings" }));
    return cover;
  }
}

customElements.define("device-row", DeviceRow);
