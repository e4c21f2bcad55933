import { element, icon, iconButton, setIcon, setLabel, setText } from "../dom.js";
import { LiveSession } from "../live/live-session.js";
import { saveSnapshot } from "../live/snapshot.js";
import { Failure } from "../platform/failures.js";
import { settings } from "../settings.js";
import "./quality-choice.js";
import "./sound-control.js";
import "./statistics-panel.js";
import "./talk-control.js";
import { describe } from "./tile-sentences.js";

/** One live view: picture, state line and controls. Events: "close", "enlarge", "notice". */
class LiveTile extends HTMLElement {
  connectedCallback() {
    this.session = new LiveSession(this.link, this.serial, this.cameraNo);
    this.#build();
    this.session.addEventListener("state", () => this.#showState());
    this.session.addEventListener("stream", () => this.#showStream());
    this.showName();
    this.#showState();
  }

  get name() {
    const device = this.list.find(this.serial);
    const camera = device?.cameras.find(({ cameraNo }) => cameraNo === this.cameraNo);
    const name = device?.name || this.serial;
    return device?.cameras.length > 1 && camera?.name ? `${name} · ${camera.name}` : name;
  }

  start() { this.session.start(); }

  dispose() {
    this.talk.dispose();
    this.session.dispose();
  }

  focusFirst() { this.toggle.focus({ preventScroll: true }); }

  set isLarge(isLarge) {
    this.classList.toggle("large", isLarge);
    this.enlarge.setAttribute("aria-pressed", String(isLarge));
  }

  showName() {
    setText(this.title_, this.name);
    this.section.setAttribute("aria-label", `Live view of ${this.name}`);
    this.video.setAttribute("aria-label", `Picture of ${this.name}`);
    this.talk.capability = this.list.find(this.serial)?.talk ?? 0;
  }

  #build() {
    this.video = element("video", { playsinline: true, autoplay: true, disablepictureinpicture: true });
    this.video.muted = true;
    this.title_ = element("h3", {});
    this.state_ = element("span", { class: "state", role: "status" });
    this.sentence = element("p", { class: "sentence", role: "alert" });
    this.again = element("button", { type: "button", class: "primary", click: () => this.start() },
      icon("play"), "Start");
    this.spinner = element("span", { class: "spinner", "aria-hidden": "true" });
    this.curtain = element("div", { class: "curtain" }, this.spinner, this.sentence, this.again);
    this.toggle = iconButton("stop", "Stop", () => (this.session.isRunning ? this.session.stop() : this.start()));
    this.snapshot = iconButton("snapshot", "Take a snapshot", () => this.#snapshot());
    this.enlarge = iconButton("enlarge", "Enlarge", () => this.dispatchEvent(new Event("enlarge")), {
      "aria-pressed": "false", class: "icon-button enlarge",
    });
    this.full = iconButton("full-screen", "Full screen", () => this.#fullScreen());
    const quality = element("quality-choice");
    quality.session = this.session;
    const sound = element("sound-control");
    sound.video = this.video;
    const alert = element("p", { class: "talk-sentence", role: "alert" });
    this.talk = element("talk-control");
    Object.assign(this.talk, { session: this.session, sound, alert });
    const statistics = element("statistics-panel");
    statistics.session = this.session;
    statistics.id = `statistics-${this.serial}-${this.cameraNo}`;
    statistics.hidden = true;
    this.figures = iconButton("statistics", "Statistics", () => {
      statistics.hidden = !statistics.hidden;
      this.figures.setAttribute("aria-expanded", String(!statistics.hidden));
      statistics.show();
    }, { "aria-expanded": "false", "aria-controls": statistics.id });
    const recordings = iconButton("history", "Recordings", () => this.dispatchEvent(new CustomEvent(
      "recordings", { bubbles: true, detail: { serial: this.serial, cameraNo: this.cameraNo } })));
    this.section = element("section", { class: "tile" },
      element("div", { class: "stage" }, this.video, this.curtain, statistics,
        element("div", { class: "tile-head" }, element("div", { class: "plate" }, this.title_, this.state_),
          recordings, iconButton("close", "Close this view", () => this.dispatchEvent(new Event("close"))))),
      element("div", { class: "controls" }, this.toggle, quality, sound, this.talk,
        element("span", { class: "gap" }), this.snapshot, this.figures, this.enlarge, this.full),
      alert);
    this.replaceChildren(this.section);
    this.addEventListener("fullscreenchange", () => {
      const isFull = document.fullscreenElement === this.section;
      setIcon(this.full.firstChild, isFull ? "full-screen-exit" : "full-screen");
      setLabel(this.full, isFull ? "Leave full screen" : "Full screen");
    });
  }

  #showState() {
    const { session } = this;
    const { label, sentence, isBusy } = describe(session);
    this.dataset.phase = session.phase;
    setText(this.state_, label);
    setText(this.sentence, sentence);
    this.spinner.hidden = !isBusy;
    this.again.hidden = session.isRunning;
    this.curtain.hidden = session.phase === "live" && sentence === "";
    setIcon(this.toggle.firstChild, session.isRunning ? "stop" : "play");
    setLabel(this.toggle, session.isRunning ? "Stop" : "Start");
    this.snapshot.disabled = session.phase !== "live" && session.phase !== "reconnecting";
  }

  /** The old picture stays until the new stream's first one. */
  #showStream() {
    const { stream } = this.session;
    if (stream === null) {
      this.video.srcObject = null;
      this.video.load();
      return;
    }
    if (this.video.srcObject !== stream) {
      this.video.srcObject = stream;
      this.video.requestVideoFrameCallback?.(() => this.session.pictureShown(stream));
    }
    this.video.play().catch(() => {});
  }

  async #snapshot() {
    try {
      if (!this.video.videoWidth) throw Failure.numbered(720004);
      await saveSnapshot(this.video, this.name, settings.snapshotFormat);
      this.#say(`A snapshot of ${this.name} was saved.`);
    } catch (thrown) {
      this.#say(Failure.of(thrown).sentence);
    }
  }

  async #fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else if (this.section.requestFullscreen) await this.section.requestFullscreen();
      else this.video.webkitEnterFullscreen();
    } catch {
      this.#say("This browser does not allow full screen here.");
    }
  }

  #say(text) { this.dispatchEvent(new CustomEvent("notice", { detail: text })); }
}

customElements.define("live-tile", LiveTile);
