export const channelLabel = "oriel";

/** Formats that cameras send. Others are left out of the offer, so that no camera has to pass them over. */
const wanted = new Set(["video/h264", "video/h265", "audio/opus"]);

/**
 * One peer connection to one camera. The browser offers to receive video and sound, and to send sound when `talks`,
 * and opens the data channel.
 * `report(type, value)` hears: "offer", "candidate", "stream", "connected", "interrupted", "failed",
 * "forgotten", "channelOpen", "message".
 */
export class Peer {
  #connection;
  #channel;
  #voice;
  #report;
  #early = [];
  #held = [];
  #offerIsOut = false;
  #isClosed = false;
  /** Descriptions and candidates are applied one after another. */
  #queue = Promise.resolve();

  stream = new MediaStream();

  constructor(iceServers, report, { talks = false } = {}) {
    this.#report = (type, value) => { if (!this.#isClosed) report(type, value); };
    this.#connection = new RTCPeerConnection({ iceServers, bundlePolicy: "max-bundle", rtcpMuxPolicy: "require" });
    this.#listen();
    this.#receive("video");
    // Both ways from the start: a talk then needs no other offer.
    this.#voice = this.#receive("audio", talks ? "sendrecv" : "recvonly");
    this.#channel = this.#connection.createDataChannel(channelLabel, { ordered: true });
    this.#channel.binaryType = "arraybuffer";
    this.#channel.onopen = () => this.#report("channelOpen");
    this.#channel.onmessage = ({ data }) => this.#report("message", data);
    this.#channel.onclose = () => this.#report("failed", 740002);
  }

  /** Makes an offer; "offer" and then the candidates are reported. */
  offer({ restart = false } = {}) {
    return this.#next(async () => {
      this.#offerIsOut = false;
      if (restart && this.#connection.signalingState === "have-local-offer")
        await this.#connection.setLocalDescription({ type: "rollback" });
      await this.#connection.setLocalDescription(await this.#connection.createOffer({ iceRestart: restart }));
      const { type, sdp } = this.#connection.localDescription;
      this.#report("offer", { type, sdp });
      this.#offerIsOut = true;
      for (const candidate of this.#held.splice(0)) this.#report("candidate", candidate);
    });
  }

  /** Takes the camera's answer and the candidates that came before it. */
  accept(answer) {
    return this.#next(async () => {
      if (this.#connection.signalingState !== "have-local-offer") return;
      const before = this.#connection.currentRemoteDescription;
      // Another key after a restart is another program, which knows nothing of this session.
      if (before && fingerprint(before) !== fingerprint(answer)) return this.#report("forgotten");
      await this.#connection.setRemoteDescription(answer);
      for (const candidate of this.#early.splice(0)) await this.#add(candidate);
    }, () => this.#report("failed", 740004));
  }

  addCandidate(candidate) {
    return this.#next(async () => {
      if (this.#connection.signalingState !== "stable") this.#early.push(candidate);
      else await this.#add(candidate);
    });
  }

  /** Sends a message to the camera; false when the channel is not open. */
  send(message) {
    if (!this.channelIsOpen) return false;
    this.#channel.send(JSON.stringify(message));
    return true;
  }

  get channelIsOpen() { return this.#channel.readyState === "open"; }

  /** Sends what a microphone's track says; null: nothing. */
  setVoice(track) {
    if (this.#isClosed || this.#voice.sender.track === track) return;
    this.#voice.sender.replaceTrack(track).catch(() => {});
  }

  statistics() { return this.#connection.getStats(); }

  close() {
    this.#isClosed = true;
    this.#connection.close();
    for (const track of this.stream.getTracks()) track.stop();
  }

  #receive(kind, direction = "recvonly") {
    const transceiver = this.#connection.addTransceiver(kind, { direction });
    const codecs = RTCRtpReceiver.getCapabilities(kind)?.codecs ?? [];
    const chosen = codecs.filter((codec) => wanted.has(codec.mimeType.toLowerCase()));
    if (chosen.length) transceiver.setCodecPreferences(chosen);
    // As little waiting before the picture as the network allows.
    if ("jitterBufferTarget" in transceiver.receiver) transceiver.receiver.jitterBufferTarget = 0;
    if ("playoutDelayHint" in transceiver.receiver) transceiver.receiver.playoutDelayHint = 0;
    return transceiver;
  }

  #listen() {
    this.#connection.onicecandidate = ({ candidate }) => {
      const told = candidate
        ? { candidate: candidate.candidate, sdpMid: candidate.sdpMid, sdpMLineIndex: candidate.sdpMLineIndex }
        : { candidate: "", sdpMid: "0", sdpMLineIndex: 0 };
      if (candidate?.candidate === "") return;
      if (this.#offerIsOut) this.#report("candidate", told);
      else this.#held.push(told);
    };
    this.#connection.ontrack = ({ track }) => {
      this.stream.addTrack(track);
      this.#report("stream");
    };
    this.#connection.onconnectionstatechange = () => {
      switch (this.#connection.connectionState) {
      case "connected": return this.#report("connected");
      case "disconnected": return this.#report("interrupted");
      case "failed": return this.#failed();
      }
    };
  }

  /** Without a path ICE failed; with one it was the handshake. An ICE failure can still be restarted. */
  #failed() {
    const ice = this.#connection.iceConnectionState;
    if (ice === "failed" && this.#channel.readyState === "open") this.#report("interrupted");
    else this.#report("failed", ice === "connected" || ice === "completed" ? 740003 : 740001);
  }

  async #add(candidate) {
    try {
      await this.#connection.addIceCandidate(candidate.candidate ? candidate : null);
    } catch {
      // A candidate that cannot be used takes away one path, not the session.
    }
  }

  #next(work, failed = () => {}) {
    this.#queue = this.#queue.then(() => (this.#isClosed ? undefined : work())).catch((reason) => {
      if (!this.#isClosed) failed(reason);
    });
    return this.#queue;
  }
}

function fingerprint({ sdp }) { return /a=fingerprint:(.*)/.exec(sdp)?.[1].trim().toLowerCase(); }
