import { element, icon, iconButton, setText } from "../dom.js";
import { Failure } from "../platform/failures.js";
import { CloudMedia } from "../recordings/cloud-media.js";
import { CloudPlayer } from "../recordings/cloud-player.js";
import { list } from "../recordings/day-listing.js";
import {
  addDays, clockText, dayText, durationText, endOfDay, shortDayText, startOfDay, unusualHours,
} from "../recordings/days.js";
import { DevicePlayer } from "../recordings/device-player.js";
import { neighbour, playableAt, totalTime } from "../recordings/stretches.js";
import { cloudThumbnails, deviceThumbnails } from "../recordings/thumbnails.js";
import { isWhole } from "../recordings/timeline-state.js";
import "./month-view.js";
import "./playback-stage.js";
import "./stretch-panel.js";
import "./time-line.js";

const refreshInterval = 8_000;
const shownEvents = 60;
const offlineHint = "What it has stored in the cloud can still be seen.";
/** A selection begins around what is shown. */
const selectionLength = 60_000;

/** The recordings of one camera, a day at a time, out of one of the two stores. Events: "notice". */
class RecordingsView extends HTMLElement {
  #serial = null;
  #cameraNo = 1;
  #store = "device";
  #day = startOfDay(Date.now());
  #content = { stretches: [], events: [] };
  #failure = null;
  #loading = 0;
  #timer = null;
  #media = null;
  #player = null;
  #thumbnails = null;
  #cursor = null;
  /** Also when nothing has the focus, as after a click on the picture. */
  #onKey = (event) => {
    if (this.#isShown && (this.contains(event.target) || event.target === document.body)) this.#key(event);
  };

  connectedCallback() {
    this.id = "recordings";
    this.#build();
    this.list.addEventListener("change", () => this.#listChanged());
    this.link.addEventListener("news", ({ message }) => {
      if (message.serial === this.#serial && message.kind === "online" && this.#failure) this.#load();
    });
    document.addEventListener("keydown", this.#onKey);
    this.#listChanged();
  }

  /** Shows a camera's recordings. */
  open(serial, cameraNo) {
    const isOther = serial !== this.#serial || cameraNo !== this.#cameraNo;
    [this.#serial, this.#cameraNo] = [serial, cameraNo];
    this.#listChanged();
    if (isOther) this.#start();
    else this.#load();
  }

  /** The page is looked at: it is kept fresh. */
  enter() {
    if (this.#serial) return this.#load();
    const first = this.list.devices?.find(({ cameras }) => cameras.length);
    if (first) this.open(first.serial, first.cameras[0].cameraNo);
  }

  leave() {
    clearTimeout(this.#timer);
    this.#player?.pause();
  }

  close() {
    document.removeEventListener("keydown", this.#onKey);
    clearTimeout(this.#timer);
    this.#loading += 1;
    this.#dropPlayer();
    this.#thumbnails?.dispose();
  }

  focusFirst() { this.camera_.focus(); }

  get #isShown() { return this.checkVisibility(); }

  get #name() {
    const device = this.list.find(this.#serial);
    const camera = device?.cameras.find(({ cameraNo }) => cameraNo === this.#cameraNo);
    const name = device?.name || this.#serial || "";
    return device?.cameras.length > 1 ? `${name} · ${camera?.name || `Camera ${this.#cameraNo}`}` : name;
  }

  #build() {
    this.camera_ = element("select", { "aria-label": "Camera", class: "camera-choice" });
    this.camera_.addEventListener("change", () => {
      const [serial, number] = this.camera_.value.split(":");
      this.open(serial, Number(number));
    });
    this.stores = element("fieldset", { class: "segments store-choice", "aria-label": "Where the recordings are" },
      this.#storeChoice("device", "Camera", "camera"), this.#storeChoice("cloud", "Cloud", "cloud"));
    this.day_ = element("button", {
      type: "button", class: "small day-button", "aria-haspopup": "dialog", "aria-expanded": "false",
      click: () => this.#toggleMonth(),
    }, icon("calendar"), element("span", {}));
    this.after_ = iconButton("forward", "Day after", () => this.#goToDay(addDays(this.#day, 1)));
    this.month = element("month-view", { hidden: true, role: "dialog", "aria-label": "Choose a day" });
    this.month.addEventListener("choose", ({ detail }) => {
      this.#toggleMonth(false);
      this.#goToDay(detail);
      this.day_.focus();
    });
    this.month.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.#toggleMonth(false);
      this.day_.focus();
    });
    this.stage = element("playback-stage");
    this.stage.addEventListener("start", () => this.#seek(this.#cursor ?? this.#day, true));
    this.stage.addEventListener("select", () => this.#toggleSelection());
    this.stage.addEventListener("elsewhere", () => this.#choose(this.#store === "cloud" ? "device" : "cloud"));
    this.stage.addEventListener("notice", ({ detail }) => this.#say(detail));
    this.timeline = element("time-line");
    this.timeline.addEventListener("seek", ({ detail }) => this.#seek(detail));
    this.timeline.addEventListener("selection", ({ detail }) => this.#select(detail));
    this.timeline.addEventListener("viewchange", () => { this.whole_.disabled = isWhole(this.timeline.view); });
    this.whole_ = iconButton("fit", "Whole day", () => this.timeline.showWholeDay());
    this.summary = element("p", { class: "muted small summary", role: "status" });
    this.panel = element("stretch-panel", { hidden: true });
    this.panel.addEventListener("change", ({ detail }) => this.#select(detail));
    this.panel.addEventListener("close", () => this.#toggleSelection());
    this.panel.addEventListener("changed", () => this.#load());
    this.panel.addEventListener("notice", ({ detail }) => this.#say(detail));
    this.events_ = element("ul", { class: "event-list", "aria-label": "Events of the day" });
    this.replaceChildren(element("section", { "aria-labelledby": "recordings-title" },
      element("div", { class: "pane-head recordings-head" },
        element("h2", { id: "recordings-title" }, "Recordings"), this.camera_, this.stores,
        element("div", { class: "day-choice" },
          iconButton("back", "Day before", () => this.#goToDay(addDays(this.#day, -1))), this.day_, this.after_,
          this.month)),
      this.stage,
      element("div", { class: "timeline-card" }, this.timeline,
        element("div", { class: "timeline-foot" }, this.summary, element("span", { class: "gap" }),
          this.mark_ = iconButton("flag", "Mark an event now", () => this.#mark()),
          iconButton("event-before", "Event before", () => this.#jump(-1)),
          iconButton("event-after", "Next event", () => this.#jump(1)),
          iconButton("zoom-out", "Show more of the day", () => this.timeline.zoom(false)),
          iconButton("zoom-in", "Show less of the day", () => this.timeline.zoom(true)), this.whole_)),
      this.panel, this.events_));
  }

  #storeChoice(store, label, picture) {
    const input = element("input", { type: "radio", name: "store", value: store });
    input.checked = store === this.#store;
    input.addEventListener("change", () => this.#choose(store));
    return element("label", {}, input, element("span", {}, icon(picture), label));
  }

  // MARK: What is shown

  #choose(store) {
    this.#store = store;
    for (const input of this.stores.querySelectorAll("input")) input.checked = input.value === store;
    this.#start();
  }

  #goToDay(day) {
    this.#day = day;
    this.#start();
  }

  /** Another camera, day or store: nothing of before is right. */
  #start() {
    const wanted = this.#cursor !== null && startOfDay(this.#cursor) === this.#day ? this.#cursor : null;
    this.#dropPlayer();
    this.#thumbnails?.dispose();
    this.#cursor = wanted;
    this.#content = { stretches: [], events: [] };
    this.#failure = null;
    const isCloud = this.#store === "cloud";
    this.#media = isCloud ? new CloudMedia(this.platform, this.#serial, this.#cameraNo) : null;
    this.#thumbnails = isCloud ? cloudThumbnails(this.#media, endOfDay(this.#day))
      : deviceThumbnails(this.platform, this.#serial, this.#cameraNo);
    this.timeline.thumbnails = this.#thumbnails;
    if (this.timeline.view.dayStart !== this.#day) this.timeline.showDay(this.#day, endOfDay(this.#day));
    this.timeline.selection = null;
    this.panel.hidden = true;
    this.stage.select.setAttribute("aria-pressed", "false");
    this.stage.describe(this.#name, isCloud ? "From the cloud" : "From the camera");
    this.stage.otherStore = isCloud ? "Look at the camera" : "Look in the cloud";
    this.stage.offlineHint = isCloud ? "" : offlineHint;
    this.stage.say("Looking for recordings…", { isBusy: true });
    this.stage.showClock(this.#cursor);
    this.#showDay();
    this.#showContent();
    this.#load();
  }

  async #load() {
    clearTimeout(this.#timer);
    if (!this.#serial) return;
    const turn = ++this.#loading;
    const [store, from, to] = [this.#store, this.#day, endOfDay(this.#day)];
    let content = null;
    try {
      content = await list(this.platform, { serial: this.#serial, cameraNo: this.#cameraNo, store, from, to });
      if (turn !== this.#loading) return;
      this.#failure = null;
      this.#content = content;
    } catch (thrown) {
      if (turn !== this.#loading) return;
      this.#failure = Failure.of(thrown);
    }
    this.#showContent();
    this.#showFirst();
    if (this.#player) Object.assign(this.#player, { stretches: this.#content.stretches });
    const isToday = to > Date.now();
    if (isToday || this.#failure) this.#timer = setTimeout(() => { if (this.#isShown) this.#load(); }, refreshInterval);
  }

  /** What stands over the picture while nothing is played. */
  #showFirst() {
    if (this.#player && this.#player.phase !== "idle") return;
    const { stretches } = this.#content;
    const other = this.#store === "cloud" ? "Look at the camera" : "Look in the cloud";
    if (this.#failure) {
      const isAway = this.#store === "device" && [120007, 120008].includes(this.#failure.code);
      const hint = isAway ? ` ${offlineHint}` : "";
      return this.stage.say(this.#failure.sentence + hint, { elsewhere: other });
    }
    if (!stretches.length) {
      const place = this.#store === "cloud" ? "In the cloud" : "On the camera";
      return this.stage.say(`${place} is nothing of this day.`, { elsewhere: other });
    }
    // The last quarter of an hour of today, or the start of another day.
    const last = stretches.at(-1);
    const isToday = this.#day === startOfDay(Date.now());
    this.#cursor ??= isToday ? Math.max(last.startTime, last.endTime - 60_000) : stretches[0].startTime;
    this.timeline.time = this.#cursor;
    this.stage.showClock(this.#cursor);
    this.stage.say("Choose a moment on the timeline, or play from here.", { canPlay: true });
  }

  #showDay() {
    const hours = unusualHours(this.#day);
    const isToday = this.#day === startOfDay(Date.now());
    const text = isToday ? `Today, ${shortDayText(this.#day)}` : dayText(this.#day);
    setText(this.day_.lastChild, hours ? `${text} (${hours} h)` : text);
    this.after_.disabled = isToday;
    this.mark_.hidden = !isToday || this.#store === "cloud";
  }

  #showContent() {
    const { stretches, events } = this.#content;
    this.timeline.content = this.#content;
    const place = this.#store === "cloud" ? "in the cloud" : "on the camera";
    const count = events.length === 1 ? "1 event" : `${events.length} events`;
    const sum = stretches.length ? `${durationText(totalTime(stretches))} ${place}, ${count}` : `Nothing ${place}`;
    setText(this.summary, this.#failure ? "" : sum);
    const chips = events.slice(-shownEvents).map((event) => [String(event.startTime), event]);
    const known = new Map([...this.events_.children].map((item) => [item.dataset.key, item]));
    this.events_.replaceChildren(...chips.map(([key, event]) => known.get(key) ?? this.#eventItem(key, event)));
    if (!this.panel.hidden) this.#select(this.timeline.selection);
  }

  #eventItem(key, { startTime, endTime, isLocked }) {
    const item = element("li", {}, element("button", {
      type: "button", class: "event", click: () => this.#seek(startTime, true),
    }, element("span", { class: "event-time" }, clockText(startTime)),
    element("span", { class: "muted" }, durationText(endTime - startTime)), isLocked ? icon("lock") : null));
    item.dataset.key = key;
    return item;
  }

  // MARK: Playing

  #seek(time, play) {
    const { stretches } = this.#content;
    if (!stretches.length) return;
    // What is known of today may be some seconds old.
    if (!playableAt(stretches, time)) {
      if (endOfDay(this.#day) < Date.now()) return this.#say("Nothing was recorded after this time.");
      if (time > Date.now()) return this.#say("This time has not come yet.");
      this.#load();
    }
    this.#cursor = time;
    this.timeline.time = time;
    if (playableAt(stretches, time)?.isEncrypted) {
      this.#dropPlayer();
      return this.stage.say(Failure.numbered(400035).sentence);
    }
    if (!this.#player || this.#player.phase === "failed") this.#makePlayer();
    this.#player.seek(time, play ?? this.#player.wantsPlay);
  }

  #makePlayer() {
    const wantsPlay = this.#player?.wantsPlay ?? true;
    this.#dropPlayer();
    const { stretches } = this.#content;
    const range = { from: this.#day, until: endOfDay(this.#day) };
    const player = this.#store === "cloud"
      ? new CloudPlayer(this.stage.video, this.#media, { ...range, stretches })
      : new DevicePlayer(this.stage.video, this.link, this.#serial, this.#cameraNo, range);
    player.wantsPlay = wantsPlay;
    this.#player = player;
    this.stage.player = player;
    player.addEventListener("time", () => {
      this.#cursor = player.time;
      this.timeline.time = player.time;
    });
  }

  #dropPlayer() {
    if (!this.#player) return;
    this.stage.player = null;
    this.#player.dispose();
    this.#player = null;
  }

  #jump(direction) {
    const { events, stretches } = this.#content;
    const target = neighbour(events.length ? events : stretches, this.#cursor ?? this.#day, direction);
    if (target === null) this.#say(direction > 0 ? "There is no later event on this day." : "There is no earlier event on this day.");
    else this.#seek(target);
  }

  /** Has the camera keep this moment as an event. */
  async #mark() {
    try {
      await this.platform.recordEvent(this.#serial, this.#cameraNo, "Marked by hand");
      this.#say("The camera records an event.");
      this.#load();
    } catch (thrown) {
      this.#say(Failure.of(thrown).sentence);
    }
  }

  // MARK: Selection

  #toggleSelection() {
    const isOpen = this.panel.hidden;
    this.panel.hidden = !isOpen;
    this.stage.select.setAttribute("aria-pressed", String(isOpen));
    if (!isOpen) {
      this.timeline.selection = null;
      return;
    }
    // Around what is shown, in what was recorded.
    const time = this.#cursor ?? this.#day;
    const stretch = playableAt(this.#content.stretches, time) ?? this.#content.stretches.at(-1);
    const view = this.timeline.view;
    const half = Math.max(selectionLength, (view.to - view.from) / 12) / 2;
    const from = Math.max(time - half, stretch?.startTime ?? this.#day, this.#day);
    const to = Math.min(Math.max(time, from) + half, stretch?.endTime ?? Infinity, endOfDay(this.#day) - 1000);
    const start = Math.floor(from / 1000) * 1000;
    this.#select({ from: start, to: Math.max(Math.ceil(to / 1000) * 1000, start + 1000) });
    this.panel.querySelector("input").focus({ preventScroll: true });
  }

  #select(range) {
    if (!range) return;
    this.timeline.selection = range;
    const key = `${this.#serial}:${this.#cameraNo}:${this.#store}:${this.#day}`;
    if (this.source?.key !== key) {
      this.source = {
        key, platform: this.platform, link: this.link, media: this.#media, serial: this.#serial, cameraNo: this.#cameraNo,
        store: this.#store, name: this.#name, dayStart: this.#day,
      };
    }
    this.source.stretches = this.#content.stretches;
    this.panel.show(this.source, range);
  }

  // MARK: The rest

  #toggleMonth(isOpen = this.month.hidden) {
    this.month.hidden = !isOpen;
    this.day_.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    this.month.show(
      { platform: this.platform, serial: this.#serial, cameraNo: this.#cameraNo, store: this.#store }, this.#day);
    this.month.focusDay();
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, month-view")) return;
    const isOnButton = event.target.closest("button") !== null;
    const actions = {
      k: () => this.stage.playOrPause(), ...(isOnButton ? {} : { " ": () => this.stage.playOrPause() }),
      ".": () => this.#player?.step(1), ",": () => { if (this.#player?.canStepBack) this.#player.step(-1); },
      ">": () => this.stage.faster(1), "<": () => this.stage.faster(-1),
      m: () => this.stage.sound.button.click(), f: () => this.stage.fullScreen(), s: () => this.stage.takeSnapshot(),
      n: () => this.#jump(1), p: () => this.#jump(-1),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  #listChanged() {
    const { devices } = this.list;
    if (this.#serial && devices && this.list.failure === null && !this.list.find(this.#serial)) {
      this.#dropPlayer();
      this.#serial = null;
    }
    const options = (devices ?? []).flatMap(({ serial, name, cameras }) => cameras.map((camera) => [
      `${serial}:${camera.cameraNo}`,
      cameras.length > 1 ? `${name || serial} · ${camera.name || `Camera ${camera.cameraNo}`}` : name || serial,
    ]));
    const shown = [...this.camera_.options].map(({ value, text }) => `${value} ${text}`).join();
    if (shown !== options.map((option) => option.join(" ")).join())
      this.camera_.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    if (this.#serial) this.camera_.value = `${this.#serial}:${this.#cameraNo}`;
    else if (this.#isShown) this.enter();
    if (!options.length) this.stage.say("Add a device first: its recordings are shown here.");
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }
}

customElements.define("recordings-view", RecordingsView);
