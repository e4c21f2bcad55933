import { Peer } from "./peer.js";
import { initialState, nextTime, step } from "./session-state.js";
import { payloadOf, signal } from "./signalling.js";
import { Statistics } from "./statistics.js";

/** The two qualities that a person chooses from, as VideoLevel numbers. */
export const quality = { smooth: 0, hd: 2 };

const readInterval = 1_000;
/** A path that stands and brings no packet for so many readings counts as broken. */
const silentReadings = 3;

/**
 * A live view of one camera: drives the state machine with a peer connection, the link and a clock.
 * Events: "state", "stream", "statistics", "quality", "channel", and "talk" with a message of the camera.
 */
export class LiveSession extends EventTarget {
  #link;
  #peer = null;
  #id = null;
  #state;
  #timer = null;
  #reader = null;
  #statistics = new Statistics();
  #silent = 0;
  #packets = 0;
  #lastMedia = 0;
  #askedAt = 0;
  #isRestarting = false;
  #offeredLevel = null;

  /** What the last reading gave, or null. */
  figures = null;
  /** From asking to the first picture, in milliseconds, or null. */
  firstPicture = null;
  /** How many sessions this view took so far. */
  sessions = 0;
  /** The quality asked for, and the one that the camera says it sends. */
  level;
  shownLevel = null;

  #onSignal = ({ message }) => this.#receive(message);
  #onNews = ({ message }) => {
    if (message.serial === this.serial && message.kind === "online") this.#feed("online");
  };
  #onLink = () => {
    if (this.#link.isUp !== this.#state.linkIsUp) this.#feed(this.#link.isUp ? "linkUp" : "linkDown");
  };

  constructor(link, serial, cameraNo, level = quality.hd) {
    super();
    this.#link = link;
    this.serial = serial;
    this.cameraNo = cameraNo;
    this.level = level;
    this.#state = initialState(link.isUp);
    link.addEventListener("signal", this.#onSignal);
    link.addEventListener("news", this.#onNews);
    link.addEventListener("state", this.#onLink);
  }

  get phase() { return this.#state.phase; }
  get code() { return this.#state.code; }
  get sourceCode() { return this.#state.sourceCode; }
  get isWaitingForLink() { return this.#state.attempt === "waiting" && !this.#state.linkIsUp; }
  get isRunning() { return this.phase !== "idle" && this.phase !== "ended"; }
  get channelIsOpen() { return this.#peer?.channelIsOpen ?? false; }
  get stream() { return this.#peer?.stream ?? null; }

  start() {
    this.#askedAt = performance.now();
    this.firstPicture = null;
    this.sessions = 0;
    this.#feed("start");
  }

  stop() { this.#feed("stop"); }

  /** Ends everything; the session is of no use after that. */
  dispose() {
    this.stop();
    this.#link.removeEventListener("signal", this.#onSignal);
    this.#link.removeEventListener("news", this.#onNews);
    this.#link.removeEventListener("state", this.#onLink);
    clearTimeout(this.#timer);
  }

  /** Asks for another quality; a running view changes at the camera's next key frame. */
  setLevel(level) {
    this.level = level;
    this.#peer?.send({ type: "setVideoLevel", videoLevel: level });
    this.#emit("quality");
  }

  /** Sends a message to the camera; false when there is no open channel. */
  send(message) { return this.#peer?.send(message) ?? false; }

  /** Sends what a microphone's track says, in the running session; null: nothing. */
  setVoice(track) { this.#peer?.setVoice(track); }

  /** The page shows the first picture of a stream. */
  pictureShown(stream) {
    if (stream === this.stream) this.#sawPicture();
  }

  #sawPicture() {
    if (this.#isRestarting) return;
    this.#lastMedia = performance.now();
    this.firstPicture ??= this.#lastMedia - this.#askedAt;
    this.#feed("picture");
  }

  #feed(type, code = 0) {
    const { state, actions } = step(this.#state, { type, code, since: this.#lastMedia }, performance.now());
    const changed = state.phase !== this.#state.phase || state.sourceCode !== this.#state.sourceCode
      || state.attempt !== this.#state.attempt || state.linkIsUp !== this.#state.linkIsUp;
    this.#state = state;
    for (const action of actions) this.#perform(action);
    this.#setTimer();
    if (changed) this.#emit("state");
  }

  #setTimer() {
    clearTimeout(this.#timer);
    const time = nextTime(this.#state);
    if (time === null) return;
    this.#timer = setTimeout(() => this.#feed("time"), Math.max(0, time - performance.now()) + 1);
  }

  #perform(action) {
    if (action === "open") this.#open();
    else if (action === "restart") this.#restart();
    else this.#close();
  }

  #open() {
    this.#dropPeer();
    this.#id = crypto.randomUUID();
    this.sessions += 1;
    const peer = new Peer(this.#link.iceServers, (type, value) => {
      if (this.#peer === peer) this.#heard(type, value);
    }, { talks: true });
    this.#peer = peer;
    peer.offer();
    this.#read();
  }

  #restart() {
    this.#isRestarting = true;
    this.#peer?.offer({ restart: true });
  }

  #close() {
    this.#dropPeer();
    this.#emit("stream");
  }

  #dropPeer() {
    clearTimeout(this.#reader);
    this.#isRestarting = false;
    this.shownLevel = null;
    this.figures = null;
    this.#silent = 0;
    this.#packets = 0;
    this.#statistics.reset();
    if (!this.#peer) return;
    this.#tell("SESSION_END", undefined, { errorCode: 0 });
    this.#peer.close();
    this.#peer = null;
    this.#emit("channel");
  }

  #heard(type, value) {
    switch (type) {
    case "offer":
      this.#offeredLevel = this.level;
      return this.#tell("SDP_OFFER", value, { cameraNo: this.cameraNo, videoLevel: this.level });
    case "candidate":
      return this.#tell("ICE_CANDIDATE", value);
    case "stream":
      return this.#emit("stream");
    case "connected":
      return this.#feed("connected");
    case "interrupted":
      return this.#feed("interrupted");
    case "failed":
      return this.#feed("failed", value);
    case "forgotten":
      return this.#feed("refused", 740006);
    case "channelOpen":
      if (this.level !== this.#offeredLevel) this.setLevel(this.level);
      return this.#emit("channel");
    case "message":
      return this.#told(value);
    }
  }

  /** A message of the camera on the data channel. */
  #told(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message?.type === "videoLevelChanged") {
      this.shownLevel = message.videoLevel;
      this.#emit("quality");
    } else if (message?.type === "sourceState") {
      this.#feed("source", Number(message.errorCode) || 0);
    } else if (message?.type === "talk") {
      this.dispatchEvent(new CustomEvent("talk", { detail: message }));
    }
  }

  #receive(message) {
    if (message.sessionId !== this.#id || !this.#peer) return;
    switch (message.action) {
    case "SDP_ANSWER": {
      const answer = payloadOf(message);
      return answer ? this.#peer.accept(answer) : this.#feed("ended", 740004);
    }
    case "ICE_CANDIDATE": {
      const candidate = payloadOf(message);
      return candidate ? this.#peer.addCandidate(candidate) : undefined;
    }
    case "SESSION_END":
      return this.#feed("ended", Number(message.errorCode) || 0);
    case "STATUS_RESPONSE":
      return this.#feed("refused", Number(message.errorCode) || 0);
    }
  }

  #tell(action, payload, fields) {
    this.#link.send(signal(action, this.#id, this.serial, payload, fields));
  }

  /** Reads the figures once a second, and notices by them that media flows or stopped. */
  #read() {
    const peer = this.#peer;
    this.#reader = setTimeout(async () => {
      const report = await peer.statistics().catch(() => null);
      if (this.#peer !== peer) return;
      if (report) this.#judge(this.#statistics.read(report));
      if (this.#peer === peer) this.#read();
    }, readInterval);
  }

  #judge(figures) {
    this.figures = figures;
    const flows = figures.packets > this.#packets;
    this.#packets = figures.packets;
    this.#silent = flows ? 0 : this.#silent + 1;
    if (flows && figures.framesDecoded > 0) {
      this.#isRestarting = false;
      this.#sawPicture();
    } else if (this.#silent >= silentReadings && this.phase === "live" && this.sourceCode === 0) {
      this.#feed("interrupted");
    }
    this.#emit("statistics");
  }

  #emit(name) { this.dispatchEvent(new Event(name)); }
}
