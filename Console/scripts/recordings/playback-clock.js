/**
 * Which time a picture of a camera's playback was taken, and whether it is to be seen; pure. The camera tells anchors:
 * the picture with an RTP timestamp was taken at a time, and from there on time passes `rate` times as fast as the
 * RTP clock. After a seek nothing counts until the anchor that answers it, and no picture before that anchor's.
 */
const clockRate = 90;
const anchorLimit = 64;

/** How far one RTP timestamp is after another, milliseconds; they wrap. */
function after(one, other) { return ((one - other) | 0) / clockRate; }

export class PlaybackClock {
  #anchors = [];
  #awaited = null;
  #shownFrom = null;

  /** A request was sent: pictures count again when the camera has answered it. */
  await(requestId) { this.#awaited = requestId; }

  get isAwaiting() { return this.#awaited !== null; }

  /** Takes a message of the camera. Its fields come from the network. */
  take({ action, requestId, timeMs, rtpTimestamp, rate, firstRtpTimestamp }) {
    if (!Number.isFinite(timeMs) || !Number.isInteger(rtpTimestamp)) return;
    const begins = action === "seeking" || (action === "playing" && Number.isInteger(firstRtpTimestamp));
    if (this.#awaited !== null) {
      if (requestId !== this.#awaited || !begins) return;
      this.#awaited = null;
    }
    const speed = Number.isFinite(rate) && rate > 0 ? rate : 1;
    if (begins) {
      this.#anchors = [];
      this.#shownFrom = rtpTimestamp;
    }
    this.#anchors.push({ time: timeMs, timestamp: rtpTimestamp, rate: speed });
    if (this.#anchors.length > anchorLimit) this.#anchors.shift();
  }

  /** UTC milliseconds of a picture, or null when it is not to be seen (yet). */
  timeOf(timestamp) {
    if (this.#awaited !== null || this.#shownFrom === null || after(timestamp, this.#shownFrom) < 0) return null;
    // The browser gives timestamps that may be off by a tick or two.
    const anchor = this.#anchors.findLast((known) => after(timestamp, known.timestamp) >= -0.05) ?? this.#anchors[0];
    return anchor ? Math.round(anchor.time + after(timestamp, anchor.timestamp) * anchor.rate) : null;
  }
}
