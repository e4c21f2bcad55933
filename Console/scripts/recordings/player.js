export const rates = [0.25, 0.5, 1, 2, 4, 8, 16];

/**
 * What both players have in common. Times in UTC milliseconds.
 * Phases: idle, seeking, playing, paused, ended, failed.
 * Events: "state"; "time" when another picture is shown; "gap" with `from` and `to`.
 */
export class Player extends EventTarget {
  phase = "idle";
  failure = null;
  rate = 1;
  /** When the picture that is shown was taken, or where a seek goes; null before the first one. */
  time = null;
  /** Whether a seek ends in playing. */
  wantsPlay = true;
  /** Where this run began, for playing it again. */
  startTime = null;
  #frame = 0;

  constructor(video) {
    super();
    this.video = video;
  }

  get isOpen() { return this.phase !== "idle" && this.phase !== "failed"; }

  playAgain() { if (this.startTime !== null) this.seek(this.startTime, true); }

  dispose() { this.video.cancelVideoFrameCallback?.(this.#frame); }

  /** Calls `heard` for every picture that is shown, until `dispose`. */
  watchPictures(heard) {
    const again = (now, metadata) => {
      this.#frame = this.video.requestVideoFrameCallback(again);
      heard(metadata);
    };
    this.#frame = this.video.requestVideoFrameCallback(again);
  }

  enter(phase, failure = null) {
    if (phase === this.phase && failure === this.failure) return;
    this.phase = phase;
    this.failure = failure;
    this.emit("state");
  }

  shown(time) {
    this.time = time;
    this.emit("time");
  }

  emit(name, fields = {}) { this.dispatchEvent(Object.assign(new Event(name), fields)); }
}
