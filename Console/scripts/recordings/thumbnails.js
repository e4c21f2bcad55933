import { firstTime, mediaType } from "./boxes.js";

const kept = 200;
const width = 240;
/** A key frame is hardly larger. */
const beginning = 192 * 1024;
const refusalPause = 2_000;

/**
 * Small pictures of moments, one asked for at a time; of those that wait only the last one counts.
 * `draw(time)` gives a Blob or throws.
 */
export class Thumbnails {
  #draw;
  #known = new Map();
  #wanted = null;
  #isBusy = false;
  #isOver = false;

  constructor(draw) { this.#draw = draw; }

  /** Gives the picture's address when it is there, in the grid that `step` makes of time; `heard` hears it later. */
  get(time, step, heard) {
    const key = Math.floor(time / step) * step;
    const address = this.#known.get(key);
    this.#wanted = address === undefined ? { key, time, heard } : null;
    if (address === undefined) this.#work();
    return address ?? null;
  }

  forget() { this.#wanted = null; }

  dispose() {
    this.#isOver = true;
    this.#wanted = null;
    for (const address of this.#known.values()) if (address) URL.revokeObjectURL(address);
    this.#known.clear();
  }

  async #work() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#wanted && !this.#isOver) {
      const { key, time, heard } = this.#wanted;
      this.#wanted = null;
      let address = null;
      try {
        address = URL.createObjectURL(await this.#draw(time));
      } catch {
        // Without a picture the time is shown alone; a camera that is asked too often gets a rest.
        await new Promise((done) => setTimeout(done, refusalPause));
        continue;
      }
      if (this.#isOver) return URL.revokeObjectURL(address);
      this.#known.set(key, address);
      this.#forgetOldest();
      heard(key, address);
    }
    this.#isBusy = false;
  }

  #forgetOldest() {
    if (this.#known.size <= kept) return;
    const [key, address] = this.#known.entries().next().value;
    this.#known.delete(key);
    URL.revokeObjectURL(address);
  }
}

/** The camera's own small pictures. */
export function deviceThumbnails(platform, serial, cameraNo) {
  return new Thumbnails((time) => platform.recordedPicture(serial, cameraNo, time, "device"));
}

/** The platform runs no codec: the browser decodes the key frame before the moment. */
export function cloudThumbnails(media, until) {
  return new Thumbnails(async (time) => {
    const segment = await media.segmentAt(time, until);
    if (!segment) throw new RangeError("nothing is there");
    return picture(await media.head(segment), await media.beginning(segment, beginning));
  });
}

async function picture(head, bytes) {
  const video = document.createElement("video");
  const source = new MediaSource();
  video.muted = true;
  video.preload = "auto";
  const shown = new Promise((done, failed) => {
    video.requestVideoFrameCallback(done);
    video.onerror = () => failed(new TypeError("not decoded"));
    setTimeout(() => failed(new RangeError("no picture")), 3_000);
  });
  video.src = URL.createObjectURL(source);
  try {
    await new Promise((done) => source.addEventListener("sourceopen", done, { once: true }));
    const buffer = source.addSourceBuffer(mediaType(head));
    for (const part of [head.bytes, bytes]) {
      if (part === bytes) buffer.timestampOffset = -(firstTime(bytes, head) ?? 0);
      const done = new Promise((end) => buffer.addEventListener("updateend", end, { once: true }));
      buffer.appendBuffer(part);
      await done;
    }
    if (buffer.buffered.length) video.currentTime = buffer.buffered.start(0);
    await shown;
    const canvas = new OffscreenCanvas(width, Math.round((width * video.videoHeight) / video.videoWidth));
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    return await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute("src");
    video.load();
  }
}
