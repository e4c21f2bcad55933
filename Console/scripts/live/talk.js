import { Failure } from "../platform/failures.js";
import { lostMicrophone, openMicrophone } from "./microphone.js";
import { initialState, step, voice } from "./talk-state.js";

const heard = new Set(["started", "speaking", "listening", "ended"]);
const told = new Set(["start", "speak", "listen", "alive", "stop"]);

/** Two-way audio beside a live view: drives the state machine with a microphone and the session. Event: "change". */
export class Talk extends EventTarget {
  #session;
  #state = initialState();
  #track = null;
  #timer = null;
  /** Counts openings, so that a microphone that comes after the end is closed. */
  #opening = 0;

  /** Why the last talk ended, or null. */
  failure = null;

  #onChannel = () => this.#feed(this.#session.channelIsOpen ? "channelOpen" : "channelClosed");
  #onState = () => { if (!this.#session.isRunning) this.#feed("viewEnded"); };
  #onTalk = ({ detail }) => {
    if (heard.has(detail.action))
      this.#feed(detail.action, { code: Number(detail.errorCode) || 0, duplex: detail.duplex });
  };

  constructor(session) {
    super();
    this.#session = session;
    session.addEventListener("channel", this.#onChannel);
    session.addEventListener("state", this.#onState);
    session.addEventListener("talk", this.#onTalk);
  }

  /** idle, opening, asking, both, you or camera. */
  get voice() { return voice(this.#state); }
  get isOn() { return this.#state.phase !== "idle"; }
  get isPressed() { return this.#state.isPressed; }
  /** How the camera lets one talk, or null while it has not said. */
  get duplex() { return this.#state.phase === "on" ? this.#state.duplex : null; }

  start() {
    if (this.isOn || !this.#session.isRunning) return;
    this.failure = null;
    this.#feed("start");
  }

  stop() { this.#feed("stop"); }

  /** Half duplex: whether the person wants to speak. */
  speak(isPressed) { this.#feed(isPressed ? "press" : "release"); }

  /** Ends everything; the talk is of no use after that. */
  dispose() {
    this.stop();
    this.#session.removeEventListener("channel", this.#onChannel);
    this.#session.removeEventListener("state", this.#onState);
    this.#session.removeEventListener("talk", this.#onTalk);
  }

  #feed(type, { code = 0, duplex } = {}, failure = null) {
    const before = this.#state;
    const { state, actions } = step(before, { type, code, duplex }, performance.now());
    this.#state = state;
    if (state.code && state.phase === "idle" && before.phase !== "idle")
      this.failure = failure ?? Failure.numbered(state.code);
    for (const action of actions) this.#perform(action);
    clearTimeout(this.#timer);
    if (state.until !== null)
      this.#timer = setTimeout(() => this.#feed("time"), Math.max(0, state.until - performance.now()) + 1);
    if (voice(before) !== voice(state) || before.isPressed !== state.isPressed) this.dispatchEvent(new Event("change"));
  }

  #perform(action) {
    if (told.has(action)) this.#session.send({ type: "talk", action });
    else if (action === "open") this.#open();
    else if (action === "close") this.#close();
    else this.#speak(action === "send");
  }

  async #open() {
    const number = ++this.#opening;
    try {
      const track = await openMicrophone();
      if (number !== this.#opening) return track.stop();
      this.#track = track;
      track.enabled = false;
      track.onended = () => this.#lost(lostMicrophone());
      this.#feed("opened");
    } catch (thrown) {
      if (number === this.#opening) this.#lost(Failure.of(thrown));
    }
  }

  #lost(failure) { this.#feed("microphoneLost", { code: failure.code }, failure); }

  /** The track stays in while one listens: silence is sent, and the first syllable waits for nothing. */
  #speak(isSpeaking) {
    this.#track.enabled = isSpeaking;
    this.#session.setVoice(this.#track);
  }

  #close() {
    this.#opening += 1;
    if (!this.#track) return;
    this.#session.setVoice(null);
    this.#track.onended = null;
    this.#track.stop();
    this.#track = null;
  }
}
