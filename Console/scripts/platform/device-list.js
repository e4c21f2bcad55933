import { Failure } from "./failures.js";

const coverInterval = 60_000;

/** The account's devices, kept fresh by the link's news. Events: "change". */
export class DeviceList extends EventTarget {
  #platform;
  #timer = null;
  #running = null;
  #again = false;
  #closed = false;
  /** Cameras that were asked for a cover. */
  #asked = new Set();

  /** null until the first answer. */
  devices = null;
  /** Why the last refresh failed, or null. */
  failure = null;

  constructor(platform, link) {
    super();
    this.#platform = platform;
    link.addEventListener("welcome", () => this.refresh());
    link.addEventListener("news", ({ message }) => this.#heard(message));
  }

  find(serial) { return this.devices?.find((device) => device.serial === serial) ?? null; }

  /** Asks the platform; calls that come meanwhile share one more round. */
  refresh() {
    if (this.#running) this.#again = true;
    this.#running ??= this.#round().finally(() => {
      this.#running = null;
      if (!this.#again) return;
      this.#again = false;
      this.refresh();
    });
    return this.#running;
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #round() {
    if (this.#closed) return;
    try {
      const devices = await this.#platform.devices();
      this.devices = devices.sort(
        (one, other) => one.addTime - other.addTime || (one.serial < other.serial ? -1 : 1));
      this.failure = null;
    } catch (thrown) {
      this.failure = Failure.of(thrown);
    }
    if (this.#closed) return;
    this.dispatchEvent(new Event("change"));
    this.#takeMissingCovers();
    // Cover addresses are signed and short-lived, so they are asked for anew.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (document.hidden ? this.#refreshWhenSeen() : this.refresh()), coverInterval);
  }

  /** A device that was added a moment ago has no cover yet: it is asked for one, until it gave one. */
  async #takeMissingCovers() {
    for (const { serial, cameras, status } of this.devices ?? [])
      for (const { cameraNo, coverURL } of cameras) {
        const key = `${serial}:${cameraNo}`;
        if (coverURL || status !== 1 || this.#asked.has(key)) continue;
        this.#asked.add(key);
        await this.#platform.takeCover(serial, cameraNo).then(() => this.refresh(), () => this.#asked.delete(key));
      }
  }

  #refreshWhenSeen() {
    document.addEventListener("visibilitychange", () => this.refresh(), { once: true });
  }

  #heard({ kind, serial }) {
    const device = this.find(serial);
    if (device && (kind === "online" || kind === "offline")) {
      device.status = kind === "online" ? 1 : 0;
      this.dispatchEvent(new Event("change"));
    }
    this.refresh();
  }
}
