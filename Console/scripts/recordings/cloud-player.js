import { Failure } from "../platform/failures.js";
import { firstTime, mediaType } from "./boxes.js";
import { Player } from "./player.js";
import { gapTolerance } from "./stretches.js";

/** Seconds that are kept behind the picture, and read ahead of it at normal speed. */
const behind = 40;
const ahead = 14;
/** However fast it goes: a browser keeps only so much. */
const mostAhead = 90;
/** How long a full buffer is left to play before it is tried again, milliseconds. */
const fullPause = 400;
const pollInterval = 60;
/** How long a step waits for its picture, milliseconds. */
const stepPatience = 70;
/** Pictures are at least so long, seconds. */
const shortestPicture = 1 / 60;
/** A media source covers two days around where it began, so that its times stay positive. */
const reach = 86_400_000;

/** Plays the cloud's recordings by byte ranges and Media Source Extensions. */
export class CloudPlayer extends Player {
  canStepBack = true;
  #media;
  #source = null;
  #buffer = null;
  #origin = 0;
  #run = 0;
  #abort = null;
  #head = null;
  #type = "";
  #isAtEnd = false;
  /** Whether the seek that is under way has reached the element: pictures of before do not count. */
  #isPlaced = false;
  /** The picture that came since, and when the element said that it had sought. */
  #arrived = null;
  #soughtAt = null;
  #picture = null;
  #pictureLength = shortestPicture;
  #lengths = [];
  #poll = null;
  #isChanging = false;
  #failures = 0;
  #onError = () => {
    if (!this.#source || !this.video.error) return;
    this.#run += 1;
    this.#dropSource();
    this.enter("failed", Failure.numbered(400041));
  };
  #onSought = () => {
    this.#soughtAt = performance.now();
    this.#arrive();
  };

  /** `until` is where playing ends; `stretches` says what there is, so that empty hours are not asked for. */
  constructor(video, media, { until, stretches }) {
    super(video);
    this.#media = media;
    this.until = until;
    this.stretches = stretches;
    this.watchPictures((metadata) => this.#sawPicture(metadata));
    this.#poll = setInterval(() => this.#look(), pollInterval);
    this.video.addEventListener("seeked", this.#onSought);
    this.video.addEventListener("error", this.#onError);
  }

  dispose() {
    super.dispose();
    this.video.removeEventListener("seeked", this.#onSought);
    this.video.removeEventListener("error", this.#onError);
    this.#run += 1;
    this.#abort?.abort();
    clearInterval(this.#poll);
    this.#dropSource();
    this.phase = "idle";
  }

  seek(time, play = this.wantsPlay) {
    this.wantsPlay = play;
    this.startTime = time;
    this.time = time;
    this.#picture = null;
    this.#isPlaced = false;
    this.video.pause();
    this.enter("seeking");
    this.emit("time");
    const run = ++this.#run;
    this.#abort?.abort();
    this.#abort = new AbortController();
    this.#begin(time, run, this.#abort.signal).catch((thrown) => {
      if (run === this.#run && thrown.name !== "AbortError") this.enter("failed", Failure.of(thrown));
    });
  }

  play() {
    if (this.phase === "ended") return this.playAgain();
    if (this.phase === "failed" && this.time !== null) return this.seek(this.time, true);
    this.wantsPlay = true;
    if (this.phase === "paused") this.#start();
  }

  pause() {
    this.wantsPlay = false;
    if (this.phase !== "playing") return;
    this.video.pause();
    this.enter("paused");
  }

  setRate(rate) {
    this.rate = rate;
    this.video.playbackRate = rate;
    this.emit("state");
  }

  /** One picture on (1) or back (-1). */
  step(direction) {
    if (!["playing", "paused", "ended"].includes(this.phase) || this.#picture === null) return;
    this.wantsPlay = false;
    this.video.pause();
    this.enter("paused");
    if (direction > 0) return this.#stepOn(this.#picture, this.#pictureLength, this.#run);
    // Into the picture before this one.
    const target = this.#picture - 0.001;
    if (this.#isBuffered(target)) this.video.currentTime = target;
    else this.seek(this.#origin + Math.round(target * 1000), false);
  }

  /** Nothing says how long a picture lasts: goes on little by little until another one is shown. */
  async #stepOn(picture, length, run) {
    for (let by = length; by < 2 && run === this.#run && this.#picture === picture; by *= 1.4) {
      const target = picture + by + 0.002;
      if (!this.#isBuffered(target)) return void this.#crossGap(target);
      this.video.currentTime = target;
      await pause(stepPatience);
    }
  }

  // MARK: Seeking

  async #begin(time, run, signal) {
    const media = this.#source ? (time - this.#origin) / 1000 : -1;
    this.#isAtEnd = false;
    const segment = await this.#media.segmentAt(time, this.until, this.stretches);
    if (run !== this.#run) return;
    if (!segment) return this.#nothingFollows(run);
    const isCovered = segment.startTime <= time;
    if (!isCovered && segment.startTime - time > gapTolerance)
      this.emit("gap", { from: time, to: segment.startTime });
    const start = Math.max(time, segment.startTime);
    if (this.#isBuffered(media) && this.#isBuffered(media + 0.2) && isCovered) {
      this.#place(media);
      return this.#fill(await this.#afterBuffered(media, segment, run), run, signal);
    }
    const first = { segment, head: await this.#media.head(segment), bytes: await this.#media.bytes(segment, signal) };
    if (run !== this.#run) return;
    await this.#prepare(first.head, start);
    if (run !== this.#run) return;
    await this.#append(first, run);
    if (run !== this.#run) return;
    this.#place((start - this.#origin) / 1000);
    await this.#fill(await this.#media.segmentAfter(segment, this.until, this.stretches), run, signal);
  }

  #place(media) {
    this.#isPlaced = true;
    this.#arrived = null;
    this.#soughtAt = null;
    this.video.currentTime = media;
  }

  /** The first segment that the buffered stretch around a place does not have. */
  async #afterBuffered(media, segment, run) {
    let next = segment;
    while (next && run === this.#run) {
      const middle = ((next.startTime + next.endTime) / 2 - this.#origin) / 1000;
      const end = (next.endTime - this.#origin) / 1000 - 0.3;
      if (!this.#isBuffered(middle) || !this.#isBuffered(end)) break;
      next = await this.#media.segmentAfter(next, this.until, this.stretches);
    }
    return next;
  }

  #nothingFollows(run) {
    if (run === this.#run) this.enter("ended");
  }

  /** Makes a media source for these streams, where there is none or another one. */
  async #prepare(head, time) {
    if (head.tracks.some(({ isEncrypted }) => isEncrypted)) throw Failure.numbered(400035);
    const type = mediaType(head);
    const fits = this.#source && this.#type === type && Math.abs(time - this.#origin - reach / 2) < reach / 2;
    if (fits) {
      await this.#change(() => this.#buffer.abort(), false);
      if (this.#buffer.buffered.length) await this.#change(() => this.#buffer.remove(0, Infinity));
      return;
    }
    if (!MediaSource.isTypeSupported(type)) throw Failure.numbered(740005);
    this.#dropSource();
    this.#origin = time - reach / 2;
    this.#type = type;
    this.#head = null;
    const source = new MediaSource();
    this.#source = source;
    this.video.srcObject = null;
    this.video.src = URL.createObjectURL(source);
    await once(source, "sourceopen");
    URL.revokeObjectURL(this.video.src);
    if (this.#source !== source) return;
    this.#buffer = source.addSourceBuffer(type);
    source.duration = (2 * reach) / 1000;
    this.video.playbackRate = this.rate;
  }

  #dropSource() {
    if (!this.#source) return;
    this.#source = this.#buffer = null;
    this.video.removeAttribute("src");
    this.video.load();
  }

  // MARK: Reading ahead

  async #fill(segment, run, signal) {
    while (segment && run === this.#run) {
      if (this.#bufferedAhead() > Math.min(ahead * Math.max(1, this.rate), mostAhead)) {
        await pause(pollInterval);
        continue;
      }
      const head = await this.#media.head(segment);
      // Other streams need another source: the picture stops there for a moment.
      if (mediaType(head) !== this.#type) return this.#goOnWith(segment, run);
      let bytes;
      try {
        bytes = await this.#media.bytes(segment, signal);
        this.#failures = 0;
      } catch (thrown) {
        // What was read is played; a network that comes back is used.
        if (thrown.name === "AbortError" || thrown.code !== 730001 || ++this.#failures > 10) throw thrown;
        await pause(1_000);
        continue;
      }
      if (run !== this.#run) return;
      await this.#append({ segment, head, bytes }, run);
      await this.#forget();
      segment = await this.#media.segmentAfter(segment, this.until, this.stretches);
    }
    if (run === this.#run) this.#isAtEnd = true;
  }

  async #goOnWith(segment, run) {
    while (run === this.#run && this.#bufferedAhead() > 0.2) await pause(pollInterval);
    if (run !== this.#run) return;
    const startTime = this.startTime;
    this.seek(segment.startTime);
    this.startTime = startTime;
  }

  async #append({ segment, head, bytes }, run) {
    if (this.#head !== head.key) {
      await this.#change(() => this.#buffer.appendBuffer(head.bytes));
      if (run !== this.#run) return;
      this.#head = head.key;
    }
    const offset = (segment.startTime - this.#origin) / 1000 - (firstTime(bytes, head) ?? 0);
    while (run === this.#run) {
      try {
        return await this.#change(() => {
          if (this.#buffer.timestampOffset !== offset) this.#buffer.timestampOffset = offset;
          this.#buffer.appendBuffer(bytes);
        });
      } catch (thrown) {
        if (thrown.name !== "QuotaExceededError") throw thrown;
        const { currentTime } = this.video;
        if (currentTime > 3) await this.#change(() => this.#buffer.remove(0, currentTime - 2));
        await pause(fullPause);
      }
    }
  }

  async #forget() {
    const limit = this.video.currentTime - behind;
    const { buffered } = this.#buffer ?? { buffered: [] };
    if (buffered.length && buffered.start(0) < limit - 20) await this.#change(() => this.#buffer.remove(0, limit));
  }

  /** One change of the buffer at a time. */
  async #change(change, isWaiting = true) {
    const buffer = this.#buffer;
    while (buffer === this.#buffer && (this.#isChanging || buffer?.updating)) await pause(5);
    if (!buffer || buffer !== this.#buffer) return;
    this.#isChanging = true;
    try {
      change();
      if (isWaiting && buffer.updating) await once(buffer, "updateend");
    } finally {
      this.#isChanging = false;
    }
  }

  #isBuffered(time) {
    const ranges = this.#buffer?.buffered;
    for (let place = 0; ranges && place < ranges.length; place += 1)
      if (ranges.start(place) <= time && ranges.end(place) > time) return true;
    return false;
  }

  #bufferedAhead() {
    const ranges = this.#buffer?.buffered;
    let length = 0;
    for (let place = 0; ranges && place < ranges.length; place += 1)
      length += Math.max(0, ranges.end(place) - Math.max(ranges.start(place), this.video.currentTime));
    return length;
  }

  // MARK: Playing

  #start() {
    this.video.playbackRate = this.rate;
    this.enter("playing");
    this.video.play().catch((reason) => {
      if (this.phase === "playing" && reason.name === "NotAllowedError") {
        this.video.muted = true;
        this.video.play().catch(() => {});
      }
    });
  }

  #sawPicture({ mediaTime }) {
    if (!this.#source || !this.#isPlaced) return;
    if (this.phase === "seeking") {
      this.#arrived = mediaTime;
      return this.#arrive();
    }
    this.#showPicture(mediaTime);
  }

  /** The picture of a seek is there: it may come before the element says that it has sought, or after. */
  #arrive() {
    const { currentTime, seeking } = this.video;
    if (this.phase !== "seeking" || !this.#isPlaced || seeking || this.#arrived === null) return;
    if (this.#arrived > currentTime + 0.05 || this.#arrived < currentTime - 1) return;
    if (this.wantsPlay) this.#start();
    else this.enter("paused");
    this.#showPicture(this.#arrived);
  }

  #showPicture(mediaTime) {
    const length = this.#picture === null ? 0 : mediaTime - this.#picture;
    // At normal speed none is left out; what two that follow each other are apart is how long one is.
    if (length > shortestPicture && length < 0.6 && this.rate <= 1) this.#lengths.push(length);
    if (this.#lengths.length > 8) this.#lengths.shift();
    this.#pictureLength = this.#lengths.length > 2 ? Math.min(...this.#lengths) : shortestPicture;
    this.#picture = mediaTime;
    this.shown(Math.round(this.#origin + mediaTime * 1000));
  }

  /** Jumps over what was not recorded, and notices the end. */
  #look() {
    if (!this.#buffer || !this.#isPlaced || (this.phase !== "playing" && this.phase !== "seeking")) return;
    const { currentTime, readyState } = this.video;
    // An element stops a little before the end of what it has.
    const reserve = readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? 0.4 : 0.03;
    if (this.#isBuffered(currentTime + reserve)) return this.#lookForArrival();
    if (this.#crossGap(currentTime)) return;
    if (this.#isAtEnd && this.phase === "playing") {
      this.video.pause();
      this.enter("ended");
    }
  }

  /** A seek within one picture brings no new one. */
  #lookForArrival() {
    if (this.phase !== "seeking" || this.#soughtAt === null || performance.now() - this.#soughtAt < 250) return;
    this.#arrived ??= this.video.currentTime;
    this.#arrive();
  }

  /** Goes to what is buffered next; false when there is nothing. */
  #crossGap(time) {
    const ranges = this.#buffer.buffered;
    for (let place = 0; place < ranges.length; place += 1) {
      const start = ranges.start(place);
      if (start <= time) continue;
      const from = this.#origin + Math.round(time * 1000);
      const to = this.#origin + Math.round(start * 1000);
      if (this.phase !== "seeking" && to - from > gapTolerance) this.emit("gap", { from, to });
      this.video.currentTime = start + 0.001;
      return true;
    }
    return false;
  }
}

function pause(milliseconds) { return new Promise((done) => setTimeout(done, milliseconds)); }

function once(target, name) { return new Promise((done) => target.addEventListener(name, done, { once: true })); }
