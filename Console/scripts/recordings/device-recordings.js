import { Peer } from "../live/peer.js";
import { payloadOf, signal } from "../live/signalling.js";
import { Failure } from "../platform/failures.js";
import { headSize, readHead } from "./boxes.js";

/** Nothing may be silent for longer: the camera reads and sends as fast as the line goes. */
const silenceLimit = 15_000;
const fileLimit = 2 ** 28;

/**
 * Fetches what a camera has recorded in a range, file by file, over the data channel of a playback session:
 * `[{ startTime, head, bytes }]`, each from the key frame at or before the range. `progress(share)` hears 0...1.
 */
export function deviceRecordings(link, serial, cameraNo, { from, to }, progress, abort) {
  return new Promise((resolve, reject) => {
    if (!link.isUp) return void reject(Failure.numbered(730001));
    const id = crypto.randomUUID();
    const files = [];
    let file = null;
    let timer = null;
    const tell = (action, payload, fields) => link.send(signal(action, id, serial, payload, fields));
    const peer = new Peer(link.iceServers, (type, value) => {
      switch (type) {
      case "offer": return tell("SDP_OFFER", value, { cameraNo, playbackTime: from / 1000, playbackEndTime: to / 1000 });
      case "candidate": return tell("ICE_CANDIDATE", value);
      case "channelOpen": return void peer.send({ type: "playback", action: "fetch" });
      case "message": return took(value);
      case "failed": return end(Failure.numbered(Number(value) || 740002));
      case "forgotten": return end(Failure.numbered(740006));
      }
    });
    const end = (failure) => {
      clearTimeout(timer);
      link.removeEventListener("signal", heard);
      abort.removeEventListener("abort", aborted);
      tell("SESSION_END", undefined, { errorCode: 0 });
      peer.close();
      if (failure) reject(failure);
      else resolve(files);
    };
    const aborted = () => end(new DOMException("stopped", "AbortError"));
    const waits = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(Failure.numbered(380209)), silenceLimit);
    };
    const heard = ({ message }) => {
      if (message.sessionId !== id) return;
      const code = Number(message.errorCode) || 0;
      if (message.action === "SDP_ANSWER") void peer.accept(payloadOf(message) ?? {});
      else if (message.action === "ICE_CANDIDATE") void peer.addCandidate(payloadOf(message) ?? {});
      else if (message.action === "SESSION_END" || code) end(Failure.numbered(code || 740002));
    };
    const took = (data) => {
      waits();
      if (typeof data !== "string") return took.piece(new Uint8Array(data));
      const message = parsed(data);
      if (message?.type !== "playback") return;
      if (message.action === "playbackEnd") {
        const code = Number(message.errorCode) || 0;
        return end(code ? Failure.numbered(code) : null);
      }
      if (message.action !== "fetch" || !Number.isInteger(message.size)) return;
      if (message.size <= 0 || message.size > fileLimit) return end(Failure.numbered(720204));
      file = { time: message.timeMs, bytes: new Uint8Array(message.size), length: 0 };
    };
    took.piece = (piece) => {
      if (!file || file.length + piece.length > file.bytes.length) return end(Failure.numbered(720204));
      file.bytes.set(piece, file.length);
      file.length += piece.length;
      const begun = Math.max(file.time, from);
      const share = (begun - from + (file.length / file.bytes.length) * Math.min(60_000, to - begun)) / (to - from);
      progress(Math.min(1, share));
      if (file.length < file.bytes.length) return;
      const size = headSize(file.bytes);
      const head = { bytes: file.bytes.slice(0, size) };
      files.push({ startTime: file.time, head: { ...head, ...readHead(head.bytes) }, bytes: file.bytes.subarray(size) });
      file = null;
    };
    link.addEventListener("signal", heard);
    abort.addEventListener("abort", aborted);
    waits();
    void peer.offer();
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
