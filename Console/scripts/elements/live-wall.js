import { element, icon, setText } from "../dom.js";
import { settings } from "../settings.js";
import "./live-tile.js";

/** The live views, side by side: as many as were opened. Events: "change", "notice", "emptied". */
class LiveWall extends HTMLElement {
  #tiles = new Map();

  connectedCallback() {
    this.id = "wall";
    this.grid = element("div", { class: "grid" });
    this.count_ = element("span", { class: "muted" });
    this.stop_ = element("button", { type: "button", class: "small", click: () => this.closeAll() }, "Close all");
    this.format_ = element("select", { "aria-label": "Form of snapshots" },
      element("option", { value: "jpeg" }, "JPEG snapshots"),
      element("option", { value: "png" }, "PNG snapshots"));
    this.format_.value = settings.snapshotFormat;
    this.format_.addEventListener("change", () => { settings.snapshotFormat = this.format_.value; });
    this.tools = element("div", { class: "tools" }, this.format_, this.stop_);
    this.empty = element("div", { class: "empty stage" }, icon("grid"),
      element("h3", {}, "Nothing open"),
      element("p", {},
        "Choose a camera from the devices to watch it live. Choose more to see them side by side."));
    this.replaceChildren(element("section", { "aria-labelledby": "live-title" },
      element("div", { class: "pane-head" }, element("h2", { id: "live-title" }, "Live"), this.count_, this.tools),
      this.empty, this.grid));
    this.list.addEventListener("change", () => this.#listChanged());
    this.#changed();
  }

  get count() { return this.#tiles.size; }

  isOpen(serial, cameraNo) { return this.#tiles.has(`${serial}:${cameraNo}`); }

  /** Opens and starts a view, or goes to the one that is open. */
  open(serial, cameraNo) {
    const key = `${serial}:${cameraNo}`;
    let tile = this.#tiles.get(key);
    if (!tile) {
      tile = element("live-tile");
      Object.assign(tile, { link: this.link, list: this.list, serial, cameraNo });
      tile.addEventListener("close", () => this.#close(key));
      tile.addEventListener("enlarge", () => this.#enlarge(tile));
      tile.addEventListener("notice", ({ detail }) => this.#say(detail));
      this.#tiles.set(key, tile);
      this.grid.append(tile);
      this.#changed();
    }
    tile.start();
    tile.scrollIntoView({ block: "nearest" });
    tile.focusFirst();
  }

  closeAll() {
    for (const tile of this.#tiles.values()) tile.dispose();
    this.#tiles.clear();
    this.grid.replaceChildren();
    this.#changed();
  }

  focusFirst() { this.querySelector("button:not([hidden])")?.focus(); }

  #close(key) {
    const tile = this.#tiles.get(key);
    const { serial, cameraNo } = tile;
    const next = tile.nextElementSibling ?? tile.previousElementSibling;
    tile.dispose();
    tile.remove();
    this.#tiles.delete(key);
    this.#changed();
    if (next) next.focusFirst();
    else this.dispatchEvent(new CustomEvent("emptied", { detail: { serial, cameraNo } }));
  }

  #enlarge(chosen) {
    const wasLarge = chosen.classList.contains("large");
    for (const tile of this.#tiles.values()) tile.isLarge = tile === chosen && !wasLarge;
    if (!wasLarge) chosen.scrollIntoView({ block: "nearest" });
  }

  /** A device that was removed takes its views along. */
  #listChanged() {
    for (const [key, tile] of [...this.#tiles])
      if (this.list.failure === null && !this.list.find(tile.serial)) this.#close(key);
      else tile.showName();
  }

  #changed() {
    const count = this.count;
    this.empty.hidden = count > 0;
    this.tools.hidden = count === 0;
    this.grid.dataset.count = String(Math.min(count, 10));
    setText(this.count_, count === 0 ? "" : count === 1 ? "1 camera" : `${count} cameras`);
    this.dispatchEvent(new Event("change"));
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }
}

customElements.define("live-wall", LiveWall);
