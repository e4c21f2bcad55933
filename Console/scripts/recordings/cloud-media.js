import { Failure } from "../platform/failures.js";
import { readHead } from "./boxes.js";
import { keyOf, segments } from "./playlist.js";

/** One question to the platform covers so much. */
const windowLength = 20 * 60_000;
/** Addresses are signed for at least an hour. */
const freshLimit = 40 * 60_000;
/** What ended a short time ago may get more. */
const growingLimit = 10_000;
const heads = 24;

/** What a camera has in the cloud, as segments that begin with a key frame. Nothing is asked for twice. */
export class CloudMedia {
  #platform;
  #windows = new Map();
  #heads = new Map();

  constructor(platform, serial, cameraNo) {
    this.#platform = platform;
    this.serial = serial;
    this.cameraNo = cameraNo;
  }

  /** The segment that covers a time, or the first one after it and before `until`; null when there is none. */
  async segmentAt(time, until, stretches = []) {
    let from = time;
    while (from < until) {
      const found = (await this.#window(from)).find(({ endTime }) => endTime > time);
      if (found) return found.startTime < until ? found : null;
      const end = windowStart(from) + windowLength;
      // What the list of stretches says is empty need not be asked for.
      const next = stretches.find(({ endTime }) => endTime > end);
      if (!next) return null;
      from = Math.max(end, next.startTime);
    }
    return null;
  }

  /** The segment after another one. */
  async segmentAfter(segment, until, stretches) {
    const window = await this.#window(Math.max(segment.startTime, segment.endTime - 1));
    const next = window.find(({ startTime }) => startTime > segment.startTime);
    if (next) return next.startTime < until ? next : null;
    return this.segmentAt(Math.max(segment.endTime, windowStart(segment.endTime - 1) + windowLength), until, stretches);
  }

  /** All segments of a range. */
  async segmentsIn(from, to) {
    const found = new Map();
    for (let time = from; time < to; time = windowStart(time) + windowLength)
      for (const segment of await this.#window(time))
        if (segment.endTime > from && segment.startTime < to) found.set(keyOf(segment), segment);
    return [...found.values()].sort((one, other) => one.startTime - other.startTime);
  }

  /** The head of a segment's file: `{ bytes, tracks }`. */
  head(segment) {
    const key = keyOf(segment.head);
    let head = this.#heads.get(key);
    if (!head) {
      head = this.#read(segment.head.address, segment.head.range).then((bytes) => ({ key, bytes, ...readHead(bytes) }));
      head.catch(() => this.#heads.delete(key));
      this.#heads.set(key, head);
      if (this.#heads.size > heads) this.#heads.delete(this.#heads.keys().next().value);
    }
    return head;
  }

  bytes(segment, signal) { return this.#read(segment.address, segment.range, signal); }

  /** Only the first so many bytes, which hold at least the key frame. */
  beginning({ address, range }, size, signal) {
    return this.#read(address, { offset: range.offset, size: Math.min(size, range.size) }, signal);
  }

  async #read(address, { offset, size }, signal) {
    let response;
    try {
      response = await fetch(address, {
        headers: { Range: `bytes=${offset}-${offset + size - 1}` }, credentials: "omit", redirect: "error", signal,
      });
      if (response.status === 206) return new Uint8Array(await response.arrayBuffer());
    } catch (thrown) {
      if (thrown.name === "AbortError") throw thrown;
      throw Failure.numbered(730001);
    }
    const answer = await response.json().catch(() => null);
    throw response.ok ? Failure.numbered(730003) : Failure.answered(response.status, answer);
  }

  #window(time) {
    const start = windowStart(time);
    const now = Date.now();
    const known = this.#windows.get(start);
    const limit = start + windowLength > now - 600_000 ? growingLimit : freshLimit;
    if (known && now - known.asked < limit) return known.segments;
    const asked = this.#platform.cloudPlaylist(this.serial, this.cameraNo, start, start + windowLength)
      .then(segments, (thrown) => {
        // Nothing was recorded there.
        if (thrown instanceof Failure && thrown.code === 395402) return [];
        this.#windows.delete(start);
        throw thrown;
      });
    this.#windows.set(start, { asked: now, segments: asked });
    return asked;
  }
}

function windowStart(time) { return Math.floor(time / windowLength) * windowLength; }
