/**
 * The course of a talk beside a live view, as a pure state machine: state and event in, state and actions out. It
 * holds no timer, no microphone and no connection; `Talk` is its driver. It is that of the SDK (`TalkState`).
 *
 * Actions: "open" and "close" (the microphone), "start", "speak", "listen", "alive", "stop" (told to the camera),
 * "send" (what the microphone hears goes out) and "hold" (it does not).
 */

/** What a device's record and the camera's answer say about talk. */
export const duplexes = { none: 0, full: 1, half: 3 };

/** The camera answers within this, in milliseconds. */
export const answerLimit = 10_000;
/** So often the camera is told that the talker is there. */
export const aliveInterval = 1_000;

/** The camera did not answer. */
const unanswered = 360001;

export function initialState(channelIsOpen = false) {
  return {
    /** idle, opening (the microphone), asking (the camera, or waiting for the channel) or on. */
    phase: "idle",
    /** Why it is over; 0 while it did not fail. */
    code: 0,
    duplex: duplexes.none,
    channelIsOpen,
    /** Half duplex: whether the person wants to speak, and whether the camera says that it listens. */
    isPressed: false,
    isTurned: false,
    /** When the machine wants a "time" event, or null. */
    until: null,
  };
}

/** The next state and what to do. `event` is `{type, code, duplex}`; `now` in milliseconds. */
export function step(state, event, now) {
  const run = new Run({ ...state }, now);
  run[event.type](event);
  return { state: run.state, actions: run.actions };
}

/** What a person is told: idle, opening, asking, both, you or camera. */
export function voice({ phase, duplex, isTurned }) {
  if (phase !== "on") return phase;
  if (duplex !== duplexes.half) return "both";
  return isTurned ? "you" : "camera";
}

/** One step; a method an event. */
class Run {
  constructor(state, now) {
    this.state = state;
    this.now = now;
    this.actions = [];
  }

  get isTurning() { return this.state.phase === "on" && this.state.duplex === duplexes.half; }

  start() {
    if (this.state.phase !== "idle") return;
    Object.assign(this.state, { phase: "opening", code: 0, isPressed: false, isTurned: false });
    this.actions.push("open");
  }

  stop() { this.#end(0); }

  press() { this.#turn(true); }
  release() { this.#turn(false); }

  opened() {
    if (this.state.phase !== "opening") return;
    this.state.phase = "asking";
    this.#ask();
  }

  /** The microphone was refused, or has gone away. */
  microphoneLost({ code }) { this.#end(code); }

  channelOpen() {
    this.state.channelIsOpen = true;
    if (this.state.phase === "asking") this.#ask();
  }

  /** The view is being made anew: the camera is asked again when the next channel is open. */
  channelClosed() {
    this.state.channelIsOpen = false;
    if (this.state.phase === "on") this.actions.push("hold");
    else if (this.state.phase !== "asking") return;
    Object.assign(this.state, { phase: "asking", isTurned: false, until: null });
  }

  /** The view is over; it says itself why. */
  viewEnded() {
    this.state.channelIsOpen = false;
    this.#end(0);
  }

  started({ duplex }) {
    if (this.state.phase !== "asking") return;
    Object.assign(this.state, { phase: "on", duplex: duplex ?? duplexes.full, until: this.now + aliveInterval });
    if (!this.isTurning) return this.actions.push("send");
    this.actions.push(this.state.isPressed ? "send" : "hold");
    if (this.state.isPressed) this.actions.push("speak");
  }

  speaking() { if (this.isTurning) this.state.isTurned = true; }
  listening() { if (this.isTurning) this.state.isTurned = false; }

  ended({ code }) {
    if (this.state.phase !== "asking" && this.state.phase !== "on") return;
    this.#end(code);
  }

  time() {
    if (this.state.until === null || this.now < this.state.until) return;
    if (this.state.phase === "asking") return this.#end(unanswered);
    this.state.until = this.now + aliveInterval;
    this.actions.push("alive");
  }

  #ask() {
    if (!this.state.channelIsOpen) return;
    this.state.until = this.now + answerLimit;
    this.actions.push("start");
  }

  /** Sound is sent at once: it may overtake the word that announces it. */
  #turn(isPressed) {
    if (this.state.phase === "idle" || this.state.isPressed === isPressed) return;
    this.state.isPressed = isPressed;
    if (this.isTurning) this.actions.push(...(isPressed ? ["send", "speak"] : ["hold", "listen"]));
  }

  #end(code) {
    const { phase, channelIsOpen } = this.state;
    if (phase === "idle") return;
    if (phase !== "opening" && channelIsOpen) this.actions.push("stop");
    this.actions.push("close");
    Object.assign(this.state, { phase: "idle", code, isPressed: false, isTurned: false, until: null });
  }
}
