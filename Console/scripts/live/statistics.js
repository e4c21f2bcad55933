/** Figures of one view, out of two reports of the browser. Sizes in bytes, times in milliseconds. */
export class Statistics {
  #before = null;

  /** Reads a report; the first one after a new session gives no rates. */
  read(report) {
    const entries = [...report.values()];
    const video = entries.find((entry) => entry.type === "inbound-rtp" && entry.kind === "video");
    const audio = entries.find((entry) => entry.type === "inbound-rtp" && entry.kind === "audio");
    const pair = selectedPair(report, entries);
    const now = {
      id: video?.id, time: video?.timestamp ?? 0, bytes: (video?.bytesReceived ?? 0) + (audio?.bytesReceived ?? 0),
      packets: video?.packetsReceived ?? 0, lost: video?.packetsLost ?? 0, frames: video?.framesDecoded ?? 0,
      delay: video?.jitterBufferDelay ?? 0, emitted: video?.jitterBufferEmittedCount ?? 0,
    };
    const before = this.#before?.id === now.id ? this.#before : null;
    this.#before = now;
    return {
      packets: now.packets,
      soundEnergy: audio?.totalAudioEnergy ?? 0,
      framesDecoded: now.frames,
      width: video?.frameWidth ?? 0,
      height: video?.frameHeight ?? 0,
      codec: video?.codecId ? (report.get(video.codecId)?.mimeType ?? "").replace("video/", "") : "",
      roundTrip: pair?.currentRoundTripTime === undefined ? null : pair.currentRoundTripTime * 1000,
      isRelayed: pair ? report.get(pair.localCandidateId)?.candidateType === "relay"
        || report.get(pair.remoteCandidateId)?.candidateType === "relay" : null,
      ...rates(now, before),
    };
  }

  reset() { this.#before = null; }
}

function rates(now, before) {
  const seconds = before ? (now.time - before.time) / 1000 : 0;
  if (seconds <= 0) return { bitRate: null, frameRate: null, loss: null, buffered: null };
  const lost = Math.max(0, now.lost - before.lost);
  const all = now.packets - before.packets + lost;
  const emitted = now.emitted - before.emitted;
  return {
    bitRate: (8 * (now.bytes - before.bytes)) / seconds,
    frameRate: (now.frames - before.frames) / seconds,
    loss: all > 0 ? lost / all : 0,
    buffered: emitted > 0 ? ((now.delay - before.delay) / emitted) * 1000 : null,
  };
}

function selectedPair(report, entries) {
  const transport = entries.find((entry) => entry.type === "transport");
  return report.get(transport?.selectedCandidatePairId)
    ?? entries.find((entry) => entry.type === "candidate-pair" && entry.nominated && entry.state === "succeeded");
}
