/** The little of ISO/IEC 14496-12 that playing and joining fragmented recordings needs. Bytes come from the network. */
const boxLimit = 100_000;

const parents = new Set(["moov", "trak", "mdia", "minf", "stbl", "moof", "traf"]);

function view(bytes) { return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }

/** Every box, parents before children: `{ type, start, body, end }` in bytes from the start. */
function* boxes(bytes, start = 0, end = bytes.length, depth = 0) {
  const data = view(bytes);
  let count = 0;
  for (let place = start; place + 8 <= end && count < boxLimit; count += 1) {
    let size = data.getUint32(place);
    let header = 8;
    if (size === 1) {
      if (place + 16 > end) return;
      size = Number(data.getBigUint64(place + 8));
      header = 16;
    } else if (size === 0) {
      size = end - place;
    }
    if (size < header || place + size > end) return;
    const type = String.fromCharCode(...bytes.subarray(place + 4, place + 8));
    const box = { type, start: place, body: place + header, end: place + size };
    yield box;
    if (parents.has(type) && depth < 8) yield* boxes(bytes, box.body, box.end, depth + 1);
    place += size;
  }
}

/** Bytes in front of the first fragment. */
export function headSize(bytes) {
  for (const { type, start } of boxes(bytes)) if (type === "moof") return start;
  return bytes.length;
}

/** What a head (ftyp and moov) says: `{ tracks: [{ id, timescale, kind, codec }] }`. */
export function readHead(bytes) {
  const data = view(bytes);
  const tracks = [];
  for (const box of boxes(bytes)) {
    const track = tracks.at(-1);
    const version = box.end - box.body >= 4 ? bytes[box.body] : 0;
    const room = (size) => box.body + size <= box.end;
    if (box.type === "trak") tracks.push({ id: 0, timescale: 0, kind: "", codec: "", isEncrypted: false });
    else if (!track) continue;
    else if (box.type === "tkhd" && room(24)) track.id = data.getUint32(box.body + (version === 1 ? 20 : 12));
    else if (box.type === "mdhd" && room(24)) track.timescale = data.getUint32(box.body + (version === 1 ? 20 : 12));
    else if (box.type === "hdlr" && room(12)) track.kind = text(bytes, box.body + 8);
    else if (box.type === "stsd" && room(16)) Object.assign(track, entry(bytes, box.body + 8, box.end));
  }
  return { tracks };
}

function text(bytes, place) { return String.fromCharCode(...bytes.subarray(place, place + 4)); }

/** The first sample entry: its format, and the codec as a media type names it (RFC 6381). */
function entry(bytes, start, end) {
  const format = text(bytes, start + 4);
  const isEncrypted = format === "encv" || format === "enca";
  if (format === "Opus" || format === "enca") return { codec: "opus", isEncrypted };
  if (format === "mp4a") return { codec: `mp4a.40.${objectType(bytes, start + 8 + 28, end)}`, isEncrypted };
  if (format !== "avc1") return { codec: format, isEncrypted };
  // VisualSampleEntry: 78 bytes after its header come the boxes.
  for (const box of boxes(bytes, start + 8 + 78, end))
    if (box.type === "avcC" && box.body + 4 <= box.end)
      return { codec: `avc1.${hex(bytes.subarray(box.body + 1, box.body + 4))}`, isEncrypted };
  return { codec: format, isEncrypted };
}

/** The kind of AAC: the first five bits of what its decoder must know first, which an esds box has innermost. */
function objectType(bytes, start, end) {
  for (const box of boxes(bytes, start, end)) {
    if (box.type !== "esds") continue;
    let place = box.body + 4;
    // Descriptors of ISO/IEC 14496-1 section 7.2.6: one lies at the end of what is fixed in the one around it.
    for (const [tag, fixed] of [[3, 3], [4, 13], [5, 0]]) {
      if (bytes[place] !== tag) return 2;
      do place += 1; while (place < box.end && bytes[place] & 0x80);
      place += 1 + fixed;
    }
    return place < box.end ? bytes[place] >> 3 : 2;
  }
  return 2;
}

function hex(bytes) { return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""); }

/** The media type of a head for Media Source Extensions. */
export function mediaType({ tracks }) { return `video/mp4; codecs="${tracks.map(({ codec }) => codec).join(",")}"`; }

/** Where the first fragment begins, in seconds of its track: that of the pictures, or the first one's. */
export function firstTime(bytes, { tracks }) {
  let id = 0;
  let first = null;
  for (const box of boxes(bytes)) {
    if (box.type === "mdat") break;
    if (box.type === "tfhd" && box.body + 8 <= box.end) id = view(bytes).getUint32(box.body + 4);
    if (box.type !== "tfdt") continue;
    const track = tracks.find((known) => known.id === id);
    if (!track?.timescale) continue;
    const time = decodeTime(bytes, box) / track.timescale;
    if (track.kind === "vide") return time;
    first ??= time;
  }
  return first;
}

function decodeTime(bytes, { body, end }) {
  const data = view(bytes);
  if (bytes[body] === 1) return body + 12 <= end ? Number(data.getBigUint64(body + 4)) : 0;
  return body + 8 <= end ? data.getUint32(body + 4) : 0;
}

/** Moves every fragment of a segment by so many seconds, in place. */
export function shift(bytes, { tracks }, seconds) {
  const data = view(bytes);
  let id = 0;
  for (const box of boxes(bytes)) {
    if (box.type === "tfhd" && box.body + 8 <= box.end) id = data.getUint32(box.body + 4);
    if (box.type !== "tfdt") continue;
    const timescale = tracks.find((known) => known.id === id)?.timescale ?? 0;
    const time = Math.max(0, Math.round(decodeTime(bytes, box) + seconds * timescale));
    if (bytes[box.body] === 1) data.setBigUint64(box.body + 4, BigInt(time));
    else data.setUint32(box.body + 4, Math.min(time, 2 ** 32 - 1));
  }
}

/** Whether two heads describe the same streams, so that fragments of both can stand in one file. */
export function sameStreams(one, other) {
  const entries = (bytes) => [...boxes(bytes)].filter(({ type }) => type === "stsd" || type === "mdhd")
    .map(({ type, body, end }) => (type === "stsd" ? hex(bytes.subarray(body, end)) : readHead(bytes).tracks
      .map(({ id, timescale }) => `${id}:${timescale}`).join())).join();
  return entries(one) === entries(other);
}
