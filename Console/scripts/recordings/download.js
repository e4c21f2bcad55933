import { Failure } from "../platform/failures.js";
import { fileName } from "../live/snapshot.js";
import { firstTime, sameStreams, shift } from "./boxes.js";
import { deviceRecordings } from "./device-recordings.js";

/** The browser holds a download in memory until it is saved. */
const sizeLimit = 2 ** 31;

/**
 * Fetches a stretch of the cloud and saves it as MP4, cut at key frames. Recordings of several files become one,
 * as long as their streams are the same. `progress(share)` hears 0...1. Gives how many files were saved.
 */
export async function downloadStretch(media, name, from, to, progress, signal) {
  const segments = await media.segmentsIn(from, to);
  if (!segments.length) throw Failure.numbered(395402);
  const size = segments.reduce((sum, { range }) => sum + range.size, 0);
  if (size > sizeLimit) throw new Failure(0, "This stretch is larger than 2 GB", "Choose a shorter one.");
  const files = [];
  let done = 0;
  for (const segment of segments) {
    const head = await media.head(segment);
    const bytes = await media.bytes(segment, signal);
    append(files, head, segment.startTime, bytes);
    done += bytes.length;
    progress(done / size);
  }
  return saveAll(files, name);
}

/** The same from a camera's own storage. */
export async function downloadFromDevice(link, serial, cameraNo, name, from, to, progress, signal) {
  const recordings = await deviceRecordings(link, serial, cameraNo, { from, to }, progress, signal);
  const files = [];
  for (const { startTime, head, bytes } of recordings)
    append(files, head, startTime + 1000 * (firstTime(bytes, head) ?? 0), bytes);
  if (!files.length) throw Failure.numbered(395402);
  return saveAll(files, name);
}

/** Puts fragments that begin at `startTime`, milliseconds, behind those there are, or into a file of their own. */
function append(files, head, startTime, bytes) {
  if (head.tracks.some(({ isEncrypted }) => isEncrypted)) throw Failure.numbered(400035);
  const last = files.at(-1);
  const file = last && sameStreams(last.head.bytes, head.bytes) ? last : { head, parts: [], start: startTime };
  if (file !== last) files.push(file);
  shift(bytes, head, (startTime - file.start) / 1000 - (firstTime(bytes, head) ?? 0));
  file.parts.push(bytes);
}

function saveAll(files, name) {
  for (const { head, parts, start } of files)
    save(new Blob([head.bytes, ...parts], { type: "video/mp4" }), fileName(name, "mp4", new Date(start)));
  return files.length;
}

export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
