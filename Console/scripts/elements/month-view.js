import { element, iconButton, setText } from "../dom.js";
import { daysOf } from "../recordings/day-listing.js";
import { addDays, addMonths, dayText, month, monthText, startOfDay, startOfMonth } from "../recordings/days.js";
import { Failure } from "../platform/failures.js";

/** A month, and which of its days have something. Events: "choose" with the day's start as `detail`. */
class MonthView extends HTMLElement {
  #month = 0;
  #shown = 0;
  #asked = 0;

  connectedCallback() {
    this.title_ = element("h3", { "aria-live": "polite" });
    this.grid = element("div", { class: "month-grid", role: "grid", "aria-label": "Days" });
    this.note = element("p", { class: "muted small", role: "status" });
    this.replaceChildren(
      element("div", { class: "month-head" },
        iconButton("back", "Month before", () => this.#turn(-1)), this.title_,
        this.next_ = iconButton("forward", "Month after", () => this.#turn(1))),
      element("div", { class: "month-names", "aria-hidden": "true" },
        ...["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"].map((name) => element("span", {}, name))),
      this.grid, this.note);
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /** `source` is `{ platform, serial, cameraNo, store }`. */
  show(source, day) {
    this.source = source;
    this.#shown = day;
    this.#month = startOfMonth(day);
    this.#build();
  }

  focusDay() { this.grid.querySelector("[tabindex='0']")?.focus(); }

  #turn(count) {
    this.#month = addMonths(this.#month, count);
    this.#build();
  }

  #build(focused = this.#shown) {
    const { days, offset } = month(this.#month);
    const today = startOfDay(Date.now());
    const inTurn = days.includes(focused) ? focused : days[0];
    setText(this.title_, monthText(this.#month));
    setText(this.note, "");
    this.next_.disabled = addMonths(this.#month, 1) > today;
    this.grid.replaceChildren(...days.map((day, place) => {
      const made = element("button", {
        type: "button", class: "day", "aria-label": dayText(day), tabindex: day === inTurn ? "0" : "-1",
        "aria-current": day === today ? "date" : null, "aria-pressed": String(day === this.#shown),
        click: () => this.dispatchEvent(new CustomEvent("choose", { detail: day })),
      }, String(new Date(day).getDate()));
      made.dataset.day = String(day);
      made.disabled = day > today;
      if (place === 0) made.style.gridColumnStart = String(offset + 1);
      return made;
    }));
    this.#mark();
  }

  async #mark() {
    const turn = ++this.#asked;
    const { platform, serial, cameraNo, store } = this.source;
    let days;
    try {
      days = await daysOf(platform, serial, cameraNo, store, this.#month);
    } catch (thrown) {
      if (turn === this.#asked) setText(this.note, Failure.of(thrown).sentence);
      return;
    }
    if (turn !== this.#asked) return;
    for (const button of this.grid.children) {
      const day = Number(button.dataset.day);
      const has = days.has(day);
      button.classList.toggle("recorded", has);
      button.setAttribute("aria-label", `${dayText(day)}, ${has ? "has recordings" : "nothing recorded"}`);
    }
    const place = store === "cloud" ? "the cloud" : "the camera";
    setText(this.note, days.size ? "" : `Nothing of this month is in ${place}.`);
  }

  #key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }[event.key];
    if (by === undefined || !event.target.dataset.day) return;
    event.preventDefault();
    const day = addDays(Number(event.target.dataset.day), by);
    if (day > startOfDay(Date.now())) return;
    if (startOfMonth(day) !== this.#month) {
      this.#month = startOfMonth(day);
      this.#build(day);
    }
    for (const button of this.grid.children) button.tabIndex = Number(button.dataset.day) === day ? 0 : -1;
    this.focusDay();
  }
}

customElements.define("month-view", MonthView);
