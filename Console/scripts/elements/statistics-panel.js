import { element, setText } from "../dom.js";

const none = "–";

/** The figures of a view, over its picture. */
class StatisticsPanel extends HTMLElement {
  connectedCallback() {
    this.values = new Map();
    const list = element("dl", {});
    for (const [key, label] of [
      ["rate", "Bit rate"], ["size", "Picture"], ["codec", "Codec"], ["frames", "Frame rate"], ["loss", "Loss"],
      ["trip", "Round trip"], ["buffer", "Buffered"], ["first", "First picture"], ["path", "Path"],
    ]) {
      const value = element("dd", { "data-figure": key });
      this.values.set(key, value);
      list.append(element("dt", {}, label), value);
    }
    this.replaceChildren(list);
    this.session.addEventListener("statistics", () => this.show());
    this.session.addEventListener("state", () => this.show());
  }

  show() {
    if (this.hidden) return;
    const { figures, firstPicture } = this.session;
    this.#set("rate", figures?.bitRate, bitsPerSecond);
    this.#set("size", figures?.width || null, () => `${figures.width} × ${figures.height}`);
    this.#set("codec", figures?.codec || null, String);
    this.#set("frames", figures?.frameRate, (rate) => `${rate.toFixed(0)} /s`);
    this.#set("loss", figures?.loss, (loss) => `${(loss * 100).toFixed(1)} %`);
    this.#set("trip", figures?.roundTrip, milliseconds);
    this.#set("buffer", figures?.buffered, milliseconds);
    this.#set("first", firstPicture, milliseconds);
    this.#set("path", figures?.isRelayed, (isRelayed) => (isRelayed ? "Relayed" : "Direct"));
  }

  #set(key, value, format) {
    setText(this.values.get(key), value === null || value === undefined ? none : format(value));
  }
}

function bitsPerSecond(rate) {
  return rate >= 1e6 ? `${(rate / 1e6).toFixed(2)} Mbit/s` : `${Math.round(rate / 1e3)} kbit/s`;
}

function milliseconds(time) { return time < 10 ? `${time.toFixed(1)} ms` : `${Math.round(time)} ms`; }

customElements.define("statistics-panel", StatisticsPanel);
