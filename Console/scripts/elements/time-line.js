import { element, setText } from "../dom.js";
import { clockText, dayText, startOfDay } from "../recordings/days.js";
import { drawOverview, drawTimeline, readColours } from "../recordings/timeline-drawing.js";
import { covering, neighbour } from "../recordings/stretches.js";
import {
  isWhole, keyStep, panned, placeOf, showing, timeAt, wholeDay, zoomed,
} from "../recordings/timeline-state.js";

const zoomStep = 1.6;
/** A pointer that moved less than this has clicked, pixels. */
const clickSlack = 4;

/**
 * The timeline of a day: what was recorded, events and gaps, and where playback is. A slider for the keyboard and
 * for screen readers. Events: "seek" and "selection" with `detail`, "viewchange".
 */
class TimeLine extends HTMLElement {
  #view = wholeDay(0, 86_400_000);
  #content = { stretches: [], events: [] };
  #time = null;
  #selection = null;
  #pointers = new Map();
  #drag = null;
  #hover = null;
  #frame = null;
  #colours = null;
  thumbnails = null;

  connectedCallback() {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.overview = element("canvas", { class: "overview", "aria-hidden": "true" });
    this.picture = element("img", { alt: "", hidden: true });
    this.caption = element("span", {});
    this.preview = element("div", { class: "preview", hidden: true }, this.picture, this.caption);
    this.slider = element("div", {
      class: "time-slider", role: "slider", tabindex: "0", "aria-label": "Time of the recording",
      "aria-orientation": "horizontal",
    }, this.canvas);
    this.replaceChildren(this.preview, this.slider, this.overview);
    this.#listen();
    this.observer = new ResizeObserver(() => this.#redraw());
    this.observer.observe(this);
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.addEventListener("change", this.#recolour);
    this.#redraw();
  }

  disconnectedCallback() {
    this.observer.disconnect();
    this.scheme.removeEventListener("change", this.#recolour);
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  get view() { return this.#view; }

  showDay(dayStart, dayEnd) {
    this.#view = wholeDay(dayStart, dayEnd);
    this.#viewChanged();
  }

  set content(content) {
    this.#content = content;
    this.#redraw();
  }

  /** Where playback is; what is shown follows it, unless somebody is pointing. */
  set time(time) {
    const wasShown = this.#time === null || (this.#time >= this.#view.from && this.#time <= this.#view.to);
    this.#time = time;
    if (time !== null && wasShown && !this.#drag) {
      const view = showing(this.#view, time);
      if (view !== this.#view) {
        this.#view = view;
        this.#viewChanged();
      }
    }
    this.#redraw();
  }

  get selection() { return this.#selection; }

  set selection(selection) {
    this.#selection = selection;
    this.#redraw();
  }

  zoom(isIn) {
    const { from, to } = this.#view;
    const middle = this.#time !== null && this.#time >= from && this.#time <= to ? this.#time : (from + to) / 2;
    this.#zoomAt(isIn ? 1 / zoomStep : zoomStep, middle);
  }

  showWholeDay() { this.showDay(this.#view.dayStart, this.#view.dayEnd); }

  /** Shows a part of the day. */
  showPart(from, to) {
    const day = wholeDay(this.#view.dayStart, this.#view.dayEnd);
    this.#view = zoomed(day, (to - from) / (day.to - day.from), (from + to) / 2);
    this.#view = panned(this.#view, from - this.#view.from);
    this.#viewChanged();
  }

  // MARK: Pointer

  #listen() {
    const { slider } = this;
    slider.addEventListener("pointerdown", (event) => this.#down(event));
    slider.addEventListener("pointermove", (event) => this.#move(event));
    slider.addEventListener("pointerup", (event) => this.#up(event));
    slider.addEventListener("pointercancel", (event) => this.#cancel(event));
    slider.addEventListener("pointerleave", () => { if (!this.#drag) this.#hide(); });
    slider.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    slider.addEventListener("dblclick", (event) => this.#zoomAt(1 / 4, this.#timeOf(event)));
    slider.addEventListener("keydown", (event) => this.#key(event));
    const pan = (event) => {
      if (!(event.buttons & 1)) return;
      const day = wholeDay(this.#view.dayStart, this.#view.dayEnd);
      const box = this.overview.getBoundingClientRect();
      const time = timeAt(day, event.clientX - box.left, box.width);
      this.#view = panned(this.#view, time - (this.#view.from + this.#view.to) / 2);
      this.#viewChanged();
    };
    this.overview.addEventListener("pointerdown", (event) => {
      this.overview.setPointerCapture(event.pointerId);
      pan(event);
    });
    this.overview.addEventListener("pointermove", pan);
  }

  #timeOf({ clientX }) {
    const box = this.slider.getBoundingClientRect();
    return timeAt(this.#view, clientX - box.left, box.width);
  }

  #down(event) {
    if (event.button !== 0) return;
    this.slider.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, event.clientX);
    if (this.#pointers.size === 2) {
      this.#drag = { kind: "pinch" };
      return this.#hide();
    }
    this.#drag = { kind: this.#edgeAt(event) ?? "seek", x: event.clientX, hasMoved: false };
    this.#point(event);
  }

  #move(event) {
    if (!this.#drag) return this.#point(event);
    if (!this.#pointers.has(event.pointerId)) return;
    if (this.#drag.kind === "pinch") return this.#pinch(event);
    if (Math.abs(event.clientX - this.#drag.x) > clickSlack) this.#drag.hasMoved = true;
    if (this.#drag.kind === "seek") return this.#point(event);
    if (this.#drag.hasMoved) this.#moveEdge(this.#drag.kind, this.#timeOf(event));
  }

  #up(event) {
    const drag = this.#drag;
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size > 0) return;
    this.#drag = null;
    if (event.pointerType !== "mouse") this.#hide();
    if (drag?.kind === "seek") this.#seek(this.#timeOf(event));
    this.#redraw();
  }

  #cancel(event) {
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size === 0) this.#drag = null;
    this.#hide();
  }

  #pinch(event) {
    const [one, other] = [...this.#pointers.values()];
    this.#pointers.set(event.pointerId, event.clientX);
    const [newOne, newOther] = [...this.#pointers.values()];
    const box = this.slider.getBoundingClientRect();
    const middle = timeAt(this.#view, (newOne + newOther) / 2 - box.left, box.width);
    const factor = Math.max(Math.abs(one - other), 8) / Math.max(Math.abs(newOne - newOther), 8);
    const moved = (one + other - newOne - newOther) / 2;
    this.#view = panned(zoomed(this.#view, factor, middle), (moved * (this.#view.to - this.#view.from)) / box.width);
    this.#viewChanged();
  }

  #wheel(event) {
    // A page that can scroll keeps its wheel, unless something is to be zoomed.
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    event.preventDefault();
    const box = this.slider.getBoundingClientRect();
    if (isSideways || event.shiftKey) {
      const by = ((event.deltaX || event.deltaY) * (this.#view.to - this.#view.from)) / box.width;
      this.#view = panned(this.#view, by);
      return this.#viewChanged();
    }
    this.#zoomAt(Math.exp(Math.min(Math.max(event.deltaY, -240), 240) / 240), this.#timeOf(event));
  }

  #zoomAt(factor, time) {
    this.#view = zoomed(this.#view, factor, time);
    this.#viewChanged();
  }

  #edgeAt({ clientX }) {
    if (!this.#selection) return null;
    const box = this.slider.getBoundingClientRect();
    for (const edge of ["from", "to"])
      if (Math.abs(placeOf(this.#view, this.#selection[edge], box.width) - (clientX - box.left)) < 9) return edge;
    return null;
  }

  #moveEdge(edge, time) {
    const { from, to } = this.#selection;
    this.#selection = edge === "from" ? { from: Math.min(time, to - 1_000), to } : { from, to: Math.max(time, from + 1_000) };
    this.dispatchEvent(new CustomEvent("selection", { detail: this.#selection }));
    this.#redraw();
  }

  // MARK: Preview

  #point(event) {
    const box = this.slider.getBoundingClientRect();
    const x = Math.min(Math.max(event.clientX - box.left, 0), box.width);
    const time = timeAt(this.#view, x, box.width);
    this.#hover = time;
    this.slider.classList.toggle("on-edge", this.#edgeAt(event) !== null);
    setText(this.caption, covering(this.#content.stretches, time) ? clockText(time) : `${clockText(time)} · not recorded`);
    this.preview.hidden = false;
    this.#showPicture(time, box.width);
    const half = this.preview.offsetWidth / 2;
    this.preview.style.left = `${Math.min(Math.max(x, half), box.width - half)}px`;
    this.#redraw();
  }

  #showPicture(time, width) {
    const step = Math.max(1_000, ((this.#view.to - this.#view.from) / width) * 6);
    const isThere = covering(this.#content.stretches, time) !== null;
    const address = isThere ? this.thumbnails?.get(time, step, (key, made) => {
      if (this.#hover !== null && Math.floor(this.#hover / step) * step === key) this.#setPicture(made);
    }) : null;
    if (!isThere) this.thumbnails?.forget();
    if (address || !isThere) this.#setPicture(address);
  }

  #setPicture(address) {
    this.picture.hidden = !address;
    if (address && this.picture.src !== address) this.picture.src = address;
  }

  #hide() {
    this.#hover = null;
    this.preview.hidden = true;
    this.thumbnails?.forget();
    this.#setPicture(null);
    this.#redraw();
  }

  // MARK: Keyboard

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { stretches, events } = this.#content;
    const time = this.#time ?? this.#view.from;
    const step = keyStep(this.#view) * (event.shiftKey ? 6 : 1);
    const targets = {
      ArrowRight: () => time + step, ArrowUp: () => time + step,
      ArrowLeft: () => time - step, ArrowDown: () => time - step,
      PageDown: () => neighbour(events.length ? events : stretches, time, 1),
      PageUp: () => neighbour(events.length ? events : stretches, time, -1),
      Home: () => stretches[0]?.startTime, End: () => stretches.at(-1) && stretches.at(-1).endTime - 10_000,
    };
    if (targets[event.key]) {
      event.preventDefault();
      const target = targets[event.key]();
      if (Number.isFinite(target)) this.#seek(Math.min(Math.max(target, this.#view.dayStart), this.#view.dayEnd - 1));
    } else if (event.key === "+" || event.key === "=" || event.key === "-") {
      event.preventDefault();
      this.zoom(event.key !== "-");
    } else if (event.key === "0") {
      this.showWholeDay();
    }
  }

  #seek(time) {
    this.dispatchEvent(new CustomEvent("seek", { detail: time }));
  }

  // MARK: Drawing

  #recolour = () => {
    this.#colours = null;
    this.#redraw();
  };

  #viewChanged() {
    this.overview.hidden = isWhole(this.#view);
    this.#redraw();
    this.dispatchEvent(new Event("viewchange"));
  }

  #redraw() {
    if (this.#frame !== null || !this.isConnected || !this.canvas) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = null;
      this.#draw();
    });
  }

  #draw() {
    this.#colours ??= readColours(this);
    const shown = {
      view: this.#view, ...this.#content, time: this.#time, selection: this.#selection, hover: this.#hover,
      now: Date.now(),
    };
    drawTimeline(this.canvas, this.#colours, shown);
    if (!this.overview.hidden) drawOverview(this.overview, this.#colours, shown);
    const { dayStart, dayEnd } = this.#view;
    const time = this.#time ?? dayStart;
    this.slider.setAttribute("aria-valuemin", "0");
    this.slider.setAttribute("aria-valuemax", String(Math.round((dayEnd - dayStart) / 1000)));
    this.slider.setAttribute("aria-valuenow", String(Math.round((time - dayStart) / 1000)));
    const state = covering(this.#content.stretches, time) ? "" : ", not recorded";
    this.slider.setAttribute("aria-valuetext", `${clockText(time)}, ${dayText(startOfDay(time))}${state}`);
  }
}

customElements.define("time-line", TimeLine);
