import { element, icon, iconButton, setText } from "../dom.js";
import { Failure } from "../platform/failures.js";
import { files } from "../recordings/day-listing.js";
import { durationText, secondText, timeOfDay } from "../recordings/days.js";
import { downloadFromDevice, downloadStretch } from "../recordings/download.js";
import { merged } from "../recordings/stretches.js";

/** What can be done with a part of the day: saving it, and keeping it. Events: "change", "close", "notice", "changed". */
class StretchPanel extends HTMLElement {
  #abort = null;
  #range = { from: 0, to: 0 };
  #timer = null;

  connectedCallback() {
    this.from_ = this.#field("Start", "from");
    this.to_ = this.#field("End", "to");
    this.length = element("span", { class: "muted small" });
    this.state_ = element("span", { class: "small lock-state", role: "status" });
    this.save_ = element("button", { type: "button", class: "primary small", click: () => this.#download() },
      icon("download"), element("span", {}, "Download"));
    this.lock_ = element("button", { type: "button", class: "small", click: () => this.#lock(true) }, icon("lock"), "Lock");
    this.unlock_ = element("button", { type: "button", class: "small", click: () => this.#lock(false) },
      icon("unlock"), "Unlock");
    this.note = element("p", { class: "small note", role: "status" });
    this.replaceChildren(
      element("div", { class: "stretch-fields" }, this.from_.label, this.to_.label, this.length, this.state_,
        element("span", { class: "gap" }), this.save_, this.lock_, this.unlock_,
        iconButton("close", "Close the selection", () => this.dispatchEvent(new Event("close")))),
      this.note);
  }

  disconnectedCallback() {
    this.#abort?.abort();
    clearTimeout(this.#timer);
  }

  /** `source`: `{ platform, link, media, serial, cameraNo, store, name, dayStart, stretches }`. */
  show(source, range) {
    const isOther = source !== this.source;
    this.source = source;
    this.#range = range;
    this.from_.input.value = secondText(range.from);
    this.to_.input.value = secondText(range.to);
    const recorded = merged(source.stretches).reduce((sum, { startTime, endTime }) =>
      sum + Math.max(0, Math.min(endTime, range.to) - Math.max(startTime, range.from)), 0);
    const whole = range.to - range.from;
    const isAll = whole - recorded < 2_000;
    setText(this.length, isAll ? durationText(whole) : `${durationText(whole)}, ${durationText(recorded)} of it recorded`);
    const isCloud = source.store === "cloud";
    this.save_.disabled = recorded === 0;
    this.lock_.hidden = this.unlock_.hidden = isCloud;
    this.lock_.disabled = this.unlock_.disabled = recorded === 0;
    if (isOther) setText(this.note, this.#limits(isCloud));
    clearTimeout(this.#timer);
    if (!isCloud) this.#timer = setTimeout(() => this.#showLocks(source, range), 300);
  }

  /** Which of the two makes sense: recordings are locked file by file. */
  async #showLocks(source, { from, to }) {
    const { platform, serial, cameraNo, store } = source;
    const all = await files(platform, { serial, cameraNo, store, from, to }).catch(() => null);
    if (!all || this.#range.from !== from || this.#range.to !== to || !this.isConnected) return;
    const locked = all.filter(({ isLocked }) => isLocked).length;
    this.lock_.disabled = locked === all.length;
    this.unlock_.disabled = locked === 0;
    setText(this.state_, locked === 0 ? "" : locked === all.length ? "locked" : "partly locked");
  }

  #limits(isCloud) {
    return isCloud ? "What is in the cloud is kept for as long as the platform is set to; it cannot be locked." : "";
  }

  #field(name, edge) {
    const input = element("input", {
      type: "text", inputmode: "numeric", maxlength: "8", autocomplete: "off", spellcheck: "false", change: () => {
        const time = timeOfDay(this.source.dayStart, input.value);
        const range = { ...this.#range, [edge]: time };
        if (time === null || range.from >= range.to) return this.show(this.source, this.#range);
        this.dispatchEvent(new CustomEvent("change", { detail: range }));
      },
    });
    return { input, label: element("label", {}, element("span", {}, name), input) };
  }

  async #download() {
    if (this.#abort) return this.#abort.abort();
    const { media, name, link, serial, cameraNo } = this.source;
    const { from, to } = this.#range;
    const label = this.save_.lastChild;
    this.#abort = new AbortController();
    try {
      const show = (share) => setText(label, `Stop · ${Math.round(share * 100)} %`);
      show(0);
      const count = media ? await downloadStretch(media, name, from, to, show, this.#abort.signal)
        : await downloadFromDevice(link, serial, cameraNo, name, from, to, show, this.#abort.signal);
      this.#say(count === 1 ? "The stretch was saved. It begins at the key frame before its start."
        : `The stretch was saved as ${count} files, since the camera's streams changed in between.`);
    } catch (thrown) {
      if (thrown.name !== "AbortError") setText(this.note, Failure.of(thrown).sentence);
    } finally {
      this.#abort = null;
      setText(label, "Download");
    }
  }

  async #lock(locked) {
    const { platform, serial, cameraNo } = this.source;
    try {
      await platform.lockRecordings(serial, cameraNo, this.#range.from, this.#range.to, locked);
      this.#say(locked ? "The camera keeps this stretch until it is unlocked."
        : "The camera may delete this stretch when its storage is short.");
      await this.#showLocks(this.source, this.#range);
      this.dispatchEvent(new Event("changed"));
    } catch (thrown) {
      setText(this.note, Failure.of(thrown).sentence);
    }
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }
}

customElements.define("stretch-panel", StretchPanel);
