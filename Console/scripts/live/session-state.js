/**
 * The course of one live view, as a pure state machine: state and event in, state and actions out. It holds no
 * timer and no connection; `LiveSession` is its driver.
 *
 * Actions: "open" (a new session and offer), "restart" (an ICE restart in the same session), "close".
 */

/** From asking to the first picture, in milliseconds. */
export const connectLimit = 15_000;
/** From the loss of the connection to giving up. */
export const lossLimit = 30_000;
/** How long before it was noticed a loss may have begun; after a computer's sleep it is longer ago, and new. */
export const noticeLimit = 8_000;
/** How long an ICE restart may take before a new session is tried. */
export const restartLimit = 3_500;
/** How long a new session may take, after a loss, before another one is tried. */
export const attemptLimit = 6_000;
/** How long to wait after an answer that may change, such as "offline". */
export const retryDelay = 1_500;

/** Answers that do not change by waiting. All others are part of an outage while a view was running. */
const final = new Set([
  110002, 110003, 110031, 120001, 120002, 120018, 120032, 380011, 380045, 395406, 395415, 400035, 400036, 740005,
]);

const sessionUnknown = 740006;

export function initialState(linkIsUp = false) {
  return {
    /** idle, connecting, live, reconnecting or ended. */
    phase: "idle",
    /** Why it ended; 0 while it did not fail. */
    code: 0,
    linkIsUp,
    /** What is under way: nothing, waiting (for the link or `attemptUntil`), open or restart. */
    attempt: "none",
    /** When the attempt gives way to the next one. */
    attemptUntil: null,
    /** When the whole gives up. */
    until: null,
    /** Whether the camera knows this session: it names a session by the viewer's link too. */
    isKnown: false,
    /** Whether the media path of this session stood once; a restart has to mend that. */
    wasConnected: false,
    /** The number that the camera gives for its source; 0 when it gives pictures. */
    sourceCode: 0,
  };
}

/**
 * The next state and what to do. `event` is `{type, code, since}`: a number where the event has one, and when
 * media was last seen. `now` and `since` in milliseconds of one clock.
 */
export function step(state, event, now) {
  const run = new Run({ ...state }, now);
  run[event.type](event);
  return { state: run.state, actions: run.actions };
}

/** When the machine wants a "time" event, or null. */
export function nextTime({ attemptUntil, until }) {
  const times = [attemptUntil, until].filter((time) => time !== null);
  return times.length ? Math.min(...times) : null;
}

/** One step; a method an event. */
class Run {
  constructor(state, now) {
    this.state = state;
    this.now = now;
    this.actions = [];
  }

  get isTrying() { return this.state.phase === "connecting" || this.state.phase === "reconnecting"; }
  get isRunning() { return this.isTrying || this.state.phase === "live"; }

  start() {
    if (this.isRunning) return;
    this.state = { ...initialState(this.state.linkIsUp), phase: "connecting", until: this.now + connectLimit };
    this.#open();
  }

  stop() {
    if (this.isRunning) this.#end("idle", 0);
  }

  linkUp() {
    this.state.linkIsUp = true;
    if (!this.isTrying) return;
    // An offer that went out before the link fell may be lost; a path that stands needs none.
    if (this.state.phase === "connecting" && this.state.wasConnected) return;
    this.#tryAgain();
  }

  linkDown() {
    this.state.linkIsUp = false;
    this.state.isKnown = false;
  }

  /** The device has a link again: what it knew of the old session is probably gone. */
  online() {
    if (this.state.phase === "reconnecting" && this.state.attempt !== "open") this.#open();
  }

  connected() {
    this.state.wasConnected = true;
    if (this.state.phase === "connecting") this.state.attemptUntil = null;
  }

  /** The path broke, or stands and brings nothing. */
  interrupted({ since }) {
    if (this.state.phase !== "live") return;
    this.#lost(since);
    this.#tryAgain();
  }

  /** The peer connection is over for good. */
  failed({ code, since }) {
    this.state.isKnown = false;
    if (this.state.phase === "connecting") return this.#end("ended", code || 740001);
    if (this.state.phase === "live") this.#lost(since);
    if (this.state.phase === "reconnecting" && this.state.attempt !== "waiting") this.#open();
  }

  /** A picture was shown, or media flows again. */
  picture() {
    if (!this.isTrying) return;
    Object.assign(this.state, {
      phase: "live", attempt: "none", attemptUntil: null, until: null, sourceCode: 0, wasConnected: true,
    });
  }

  source({ code }) { this.state.sourceCode = code; }

  /** The platform or the camera refused a message of this session. */
  refused({ code }) {
    if (!code || !this.isRunning) return;
    if (code === sessionUnknown) {
      this.state.isKnown = false;
      if (this.isTrying) this.#open();
      return;
    }
    if (this.state.phase === "live") return;
    if (this.state.phase === "connecting" || final.has(code)) return this.#end("ended", code);
    this.#wait();
  }

  /** The other side ended the session. A normal end that nobody here asked for is an outage: agents restart. */
  ended({ code, since }) {
    if (!this.isRunning) return;
    this.state.isKnown = false;
    if (final.has(code) || (this.state.phase === "connecting" && code)) return this.#end("ended", code);
    if (this.state.phase === "live") this.#lost(since);
    if (this.state.phase === "reconnecting") this.#wait();
    else this.#open();
  }

  time() {
    if (this.state.until !== null && this.now >= this.state.until) return this.#giveUp();
    if (this.state.attemptUntil === null || this.now < this.state.attemptUntil) return;
    if (this.state.attempt === "restart") this.state.isKnown = false;
    this.#tryAgain();
  }

  #giveUp() {
    if (this.state.phase === "reconnecting") return this.#end("ended", 740002);
    if (this.state.sourceCode) return this.#end("ended", this.state.sourceCode);
    if (this.state.wasConnected) return this.#end("ended", 380209);
    this.#end("ended", this.state.linkIsUp ? 740001 : 730001);
  }

  /** The time limit counts from when the picture stopped, not from when that was noticed. */
  #lost(since = this.now) {
    this.state.phase = "reconnecting";
    this.state.until = Math.max(since, this.now - noticeLimit) + lossLimit;
  }

  #tryAgain() {
    const { isKnown, wasConnected, phase } = this.state;
    if (isKnown && wasConnected && phase === "reconnecting") this.#begin("restart", restartLimit);
    else this.#open();
  }

  #open() {
    this.#begin("open", this.state.phase === "reconnecting" ? attemptLimit : null);
    Object.assign(this.state, { isKnown: this.state.linkIsUp, wasConnected: false });
  }

  #begin(kind, limit) {
    if (!this.state.linkIsUp) return this.#wait(null);
    this.state.attempt = kind;
    this.state.attemptUntil = limit === null ? null : this.now + limit;
    this.actions.push(kind);
  }

  #wait(delay = retryDelay) {
    this.state.attempt = "waiting";
    this.state.attemptUntil = delay === null ? null : this.now + delay;
  }

  #end(phase, code) {
    Object.assign(this.state, { phase, code, attempt: "none", attemptUntil: null, until: null, isKnown: false });
    this.actions.push("close");
  }
}
