import { Peer } from "../live/peer.js";
import { payloadOf, signal } from "../live/signalling.js";
import { Failure } from "../platform/failures.js";
import { PlaybackClock } from "./playback-clock.js";
import { Player } from "./player.js";

const connectLimit = 15_000;
/** After this much without an answer a request counts as lost with the connection. */
const answerLimit = 12_000;
const hd = 2;
/** How often a playback that was lost is begun anew by itself, and how long after it was lost. */
const retries = 3;
const retryDelay = 1_500;
/** Numbers that tell of a loss, not of a refusal. */
const losses = new Set([0, 380209, 740001, 740002, 740006]);

/** Plays a camera's own recordings over WebRTC, steered by messages on the data channel. */
export class DevicePlayer extends Player {
  canStepBack = false;
  #link;
  #window;
  #peer = null;
  #id = null;
  #clock = new PlaybackClock();
  #requests = 0;
  #isReady = false;
  #lastTimestamp = null;
  #timer = null;
  #lost = 0;
  #onSignal = ({ message }) => this.#receive(message);

  /** `from` and `until` limit what is played; a seek stays within them. */
  constructor(video, link, serial, cameraNo, { from, until }) {
    super(video);
    this.#link = link;
    this.serial = serial;
    this.cameraNo = cameraNo;
    this.#window = { from, until };
    link.addEventListener("signal", this.#onSignal);
    this.watchPictures(({ rtpTimestamp }) => this.#sawPicture(rtpTimestamp));
  }

  dispose() {
    super.dispose();
    this.#link.removeEventListener("signal", this.#onSignal);
    this.#close();
    this.phase = "idle";
  }

  seek(time, play = this.wantsPlay) {
    this.wantsPlay = play;
    this.startTime = time;
    this.time = time;
    this.#clock.await(++this.#requests);
    this.enter("seeking");
    this.emit("time");
    if (!this.#peer) this.#open();
    else if (this.#isReady) this.#sendSeek();
  }

  play() {
    if (this.phase === "ended") return this.playAgain();
    if (this.phase === "failed" && this.time !== null) return this.seek(this.time, true);
    this.wantsPlay = true;
    if (this.phase === "paused") this.#send({ action: "play" });
  }

  pause() {
    this.wantsPlay = false;
    if (this.phase === "playing") this.#send({ action: "pause" });
  }

  setRate(rate) {
    this.rate = rate;
    if (this.#isReady && this.phase !== "ended") this.#send({ action: "rate", rate });
    this.emit("state");
  }

  step() {
    if (this.phase !== "playing" && this.phase !== "paused") return;
    this.wantsPlay = false;
    this.#send({ action: "step" });
  }

  // MARK: Session

  #open() {
    if (!this.#link.isUp) return this.#fail(730001);
    this.#id = crypto.randomUUID();
    this.#isReady = false;
    const peer = new Peer(this.#link.iceServers, (type, value) => {
      if (this.#peer === peer) this.#heard(type, value);
    });
    this.#peer = peer;
    this.#limit(connectLimit, 740001);
    peer.offer();
  }

  #close() {
    clearTimeout(this.#timer);
    this.#isReady = false;
    if (!this.#peer) return;
    this.#tell("SESSION_END", undefined, { errorCode: 0 });
    this.#peer.close();
    this.#peer = null;
    this.video.srcObject = null;
  }

  #fail(code) {
    this.#close();
    this.enter("failed", Failure.numbered(code || 740002));
  }

  /** The session is gone: where pictures had come, it is tried again. */
  #loses(code) {
    if (this.#lost >= retries || this.startTime === null || !losses.has(code) || this.phase === "ended")
      return this.#fail(code);
    this.#lost += 1;
    this.#close();
    this.#clock.await(++this.#requests);
    this.enter("seeking");
    this.#timer = setTimeout(() => this.#open(), retryDelay);
  }

  #limit(time, code) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#loses(code), time);
  }

  #heard(type, value) {
    switch (type) {
    case "offer":
      return this.#tell("SDP_OFFER", value, {
        cameraNo: this.cameraNo, videoLevel: hd, playbackTime: this.#window.from / 1000,
        playbackEndTime: this.#window.until / 1000,
      });
    case "candidate": return this.#tell("ICE_CANDIDATE", value);
    case "stream":
      this.video.removeAttribute("src");
      this.video.srcObject = this.#peer.stream;
      this.video.playbackRate = 1;
      return void this.video.play().catch(() => {});
    case "channelOpen":
      this.#isReady = true;
      if (this.rate !== 1) this.#send({ action: "rate", rate: this.rate });
      return this.#sendSeek();
    case "message": return this.#told(value);
    case "failed": return this.#loses(value);
    case "forgotten": return this.#loses(740006);
    }
  }

  #receive(message) {
    if (message.sessionId !== this.#id || !this.#peer) return;
    const code = Number(message.errorCode) || 0;
    switch (message.action) {
    case "SDP_ANSWER": {
      const answer = payloadOf(message);
      return answer ? void this.#peer.accept(answer) : this.#fail(740004);
    }
    case "ICE_CANDIDATE": {
      const candidate = payloadOf(message);
      return candidate ? void this.#peer.addCandidate(candidate) : undefined;
    }
    case "SESSION_END": return this.#loses(code);
    case "STATUS_RESPONSE": return code ? this.#fail(code) : undefined;
    }
  }

  #tell(action, payload, fields) { this.#link.send(signal(action, this.#id, this.serial, payload, fields)); }

  // MARK: Playback messages

  #send(message) { this.#peer?.send({ type: "playback", ...message }); }

  #sendSeek() {
    this.#limit(answerLimit, 380209);
    // The camera keeps pausing through a seek.
    this.#send({ action: this.wantsPlay ? "play" : "pause" });
    this.#send({
      action: "seek", time: Math.floor(this.time / 1000), timeMs: this.time, requestId: this.#requests,
    });
  }

  #told(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message?.type !== "playback") return;
    const wasAwaiting = this.#clock.isAwaiting;
    const isAnswer = message.requestId === this.#requests;
    this.#clock.take(message);
    switch (message.action) {
    case "seek":
      // Refused: playback goes on as it was, which is nothing that a person asked for.
      if (isAnswer && message.errorCode) this.#fail(message.errorCode);
      break;
    case "gap": return this.#crossed(message);
    case "playbackEnd":
      if (wasAwaiting && !isAnswer) return;
      return this.#ended(Number(message.errorCode) || 0);
    case "playing":
      if (!this.#clock.isAwaiting && this.phase === "paused") this.enter("playing");
      break;
    case "pausing":
      if (this.#clock.isAwaiting) break;
      // A camera that had paused before it was sought stays so.
      if (this.wantsPlay) this.#send({ action: "play" });
      else if (this.phase === "playing") this.enter("paused");
      break;
    }
    if (this.#lastTimestamp !== null) this.#sawPicture(this.#lastTimestamp);
  }

  #crossed({ startTime, endTime }) {
    if (this.#clock.isAwaiting || !Number.isFinite(startTime) || !Number.isFinite(endTime)) return;
    this.emit("gap", { from: startTime * 1000, to: endTime * 1000 });
  }

  #ended(code) {
    if (code) return this.#fail(code);
    clearTimeout(this.#timer);
    this.enter("ended");
  }

  /** A picture is shown: it counts when it belongs to what was asked for last. */
  #sawPicture(timestamp) {
    if (!Number.isInteger(timestamp)) return;
    this.#lastTimestamp = timestamp;
    const time = this.#clock.timeOf(timestamp);
    if (time === null) return;
    clearTimeout(this.#timer);
    this.#lost = 0;
    const isArrival = this.phase === "seeking";
    if (isArrival) this.enter(this.wantsPlay ? "playing" : "paused");
    if (isArrival || time !== this.time) this.shown(time);
  }
}
