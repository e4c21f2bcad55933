import { element, icon, iconButton, setIcon, setLabel, setText } from "../dom.js";
import { saveSnapshot } from "../live/snapshot.js";
import { Failure } from "../platform/failures.js";
import { clockText, dayText, durationText, startOfDay } from "../recordings/days.js";
import { rates } from "../recordings/player.js";
import { settings } from "../settings.js";
import "./sound-control.js";

const gapNoteTime = 4_000;

/**
 * The picture of a recording and its controls. Give it a `player`. Events: "notice"; "start" when somebody wants to
 * play and nothing is open; "select" for the selection of a stretch.
 */
class PlaybackStage extends HTMLElement {
  #player = null;
  #name = "";
  #gapTimer = null;

  connectedCallback() {
    this.video = element("video", { playsinline: true, disablepictureinpicture: true });
    this.video.muted = true;
    this.hold = element("canvas", { class: "hold", hidden: true, "aria-hidden": "true" });
    this.clock = element("time", { class: "osd" });
    this.date = element("span", { class: "osd-date" });
    this.store_ = element("span", { class: "store-badge" });
    this.note = element("p", { class: "gap-note", role: "status" });
    this.spinner = element("span", { class: "spinner", "aria-hidden": "true" });
    this.sentence = element("p", { class: "sentence", role: "alert" });
    this.again = element("button", { type: "button", class: "primary", click: () => this.playOrPause() },
      icon("play"), element("span", {}, "Play"));
    this.elsewhere = element("button", { type: "button", hidden: true, click: () => this.dispatchEvent(new Event("elsewhere")) });
    this.curtain = element("div", { class: "curtain" }, this.spinner, this.sentence,
      element("div", { class: "curtain-actions" }, this.again, this.elsewhere));
    this.section = element("section", { class: "tile playback" },
      element("div", { class: "stage" }, this.video, this.hold, this.curtain, this.note,
        element("div", { class: "tile-head" },
          element("div", { class: "plate" }, this.clock, this.date), this.store_)),
      this.#controls());
    this.replaceChildren(this.section);
    this.addEventListener("fullscreenchange", () => {
      const isFull = document.fullscreenElement === this.section;
      setIcon(this.full.firstChild, isFull ? "full-screen-exit" : "full-screen");
      setLabel(this.full, isFull ? "Leave full screen" : "Full screen");
    });
    this.#show();
  }

  #controls() {
    this.toggle = iconButton("play", "Play", () => this.playOrPause());
    this.back = iconButton("step-back", "Picture before", () => this.#player?.step(-1));
    this.next = iconButton("step", "Next picture", () => this.#player?.step(1));
    this.speed = element("select", { "aria-label": "Speed", title: "Speed" },
      ...rates.map((rate) => element("option", { value: String(rate) }, `${rate}×`)));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => this.setRate(Number(this.speed.value)));
    this.sound = element("sound-control");
    this.sound.video = this.video;
    this.snapshot = iconButton("snapshot", "Take a snapshot", () => this.takeSnapshot());
    this.full = iconButton("full-screen", "Full screen", () => this.fullScreen());
    this.select = iconButton("cut", "Select a stretch", () => this.dispatchEvent(new Event("select")), {
      "aria-pressed": "false",
    });
    return element("div", { class: "controls" }, this.back, this.toggle, this.next, this.speed, this.sound,
      element("span", { class: "gap" }), this.select, this.snapshot, this.full);
  }

  /** The player whose pictures are shown; the last one's picture stays until then. */
  set player(player) {
    this.#player?.removeEventListener("state", this.#onState);
    this.#player?.removeEventListener("time", this.#onTime);
    this.#player?.removeEventListener("gap", this.#onGap);
    this.#player = player;
    player?.addEventListener("state", this.#onState);
    player?.addEventListener("time", this.#onTime);
    player?.addEventListener("gap", this.#onGap);
    if (player) player.rate = Number(this.speed.value);
    setText(this.note, "");
    this.#show();
    this.#showTime(player?.time ?? null);
  }

  get player() { return this.#player; }

  /** What the picture is of, and where it comes from. */
  describe(name, storeName) {
    this.#name = name;
    setText(this.store_, storeName);
    this.video.setAttribute("aria-label", `Recording of ${name}, ${storeName}`);
  }

  /** A sentence in place of a picture; `elsewhere` names another store to try. */
  say(sentence, { isBusy = false, elsewhere = "", canPlay = false } = {}) {
    setText(this.sentence, sentence);
    this.spinner.hidden = !isBusy;
    this.again.hidden = !canPlay;
    setText(this.again.lastChild, "Play");
    this.elsewhere.hidden = elsewhere === "";
    setText(this.elsewhere, elsewhere);
    this.curtain.hidden = sentence === "" && !isBusy && !canPlay;
    this.#enable();
  }

  showClock(time) { this.#showTime(time); }

  // MARK: What a person does

  playOrPause() {
    const player = this.#player;
    if (!player || player.phase === "idle") return this.dispatchEvent(new Event("start"));
    if (player.phase === "playing") player.pause();
    else if (player.phase === "seeking") player.wantsPlay = !player.wantsPlay;
    else player.play();
    this.#show();
  }

  setRate(rate) {
    this.speed.value = String(rate);
    this.sound.isPossible = rate === 1;
    this.#player?.setRate(rate);
  }

  faster(by) {
    const place = rates.indexOf(Number(this.speed.value)) + by;
    if (rates[place]) this.setRate(rates[place]);
  }

  async takeSnapshot() {
    try {
      if (!this.video.videoWidth || this.#player?.time == null) throw Failure.numbered(720004);
      await saveSnapshot(this.video, this.#name, settings.snapshotFormat, new Date(this.#player.time));
      this.#say(`A snapshot of ${clockText(this.#player.time)} was saved.`);
    } catch (thrown) {
      this.#say(Failure.of(thrown).sentence);
    }
  }

  async fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else if (this.section.requestFullscreen) await this.section.requestFullscreen();
      else this.video.webkitEnterFullscreen();
    } catch {
      this.#say("This browser does not allow full screen here.");
    }
  }

  // MARK: Showing

  #onState = () => this.#show();
  #onTime = () => this.#showTime(this.#player.time);
  #onGap = ({ from, to }) => {
    setText(this.note, `Nothing was recorded for ${durationText(to - from)}: on at ${clockText(to)}.`);
    clearTimeout(this.#gapTimer);
    this.#gapTimer = setTimeout(() => setText(this.note, ""), gapNoteTime);
  };

  #show() {
    const player = this.#player;
    const phase = player?.phase ?? "idle";
    this.dataset.phase = phase;
    const isRunning = phase === "playing" || (phase === "seeking" && player.wantsPlay);
    setIcon(this.toggle.firstChild, isRunning ? "pause" : "play");
    setLabel(this.toggle, isRunning ? "Pause" : "Play");
    if (phase === "seeking") this.#holdPicture();
    else this.#letGo();
    if (phase === "seeking") this.say("", { isBusy: true });
    else if (phase === "playing" || phase === "paused") this.say("");
    else if (phase === "failed") this.say(player.failure.sentence + this.#hint(player.failure), { canPlay: true, elsewhere: this.otherStore ?? "" });
    else if (phase === "ended") this.say("That was all.", { canPlay: true });
    if (phase === "ended") setText(this.again.lastChild, "Play again");
    if (phase === "failed") setText(this.again.lastChild, "Try again");
    this.#enable();
  }

  #hint({ code }) {
    return this.offlineHint && [120007, 120008, 395404].includes(code) ? ` ${this.offlineHint}` : "";
  }

  #enable() {
    const phase = this.#player?.phase ?? "idle";
    // A button that is switched off loses the focus: while a seek is under way none is.
    const hasPicture = ["seeking", "playing", "paused", "ended"].includes(phase);
    this.next.disabled = !hasPicture || phase === "ended";
    this.back.disabled = !hasPicture || !this.#player.canStepBack;
    this.back.title = this.#player && !this.#player.canStepBack ? "A camera only steps forward" : "Picture before";
    this.snapshot.disabled = !hasPicture;
  }

  /** While a seek is under way the picture of before stands still and pale: no other old one is to be seen. */
  #holdPicture() {
    const { video, hold } = this;
    if (!hold.hidden) return;
    if (video.videoWidth) {
      hold.width = video.videoWidth;
      hold.height = video.videoHeight;
      hold.getContext("2d").drawImage(video, 0, 0);
    } else {
      hold.width = hold.width;
    }
    hold.hidden = false;
  }

  #letGo() { this.hold.hidden = true; }

  #showTime(time) {
    setText(this.clock, time === null ? "--:--:--" : clockText(time));
    if (time === null) this.clock.removeAttribute("datetime");
    else this.clock.dateTime = new Date(time).toISOString();
    setText(this.date, time === null ? "" : dayText(startOfDay(time)));
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }
}

customElements.define("playback-stage", PlaybackStage);
