/** Reads the platform's HLS playlists: `{ address, head, range, startTime, endTime }`, times in UTC milliseconds. */
const limit = 50_000;

export function segments(text) {
  const found = [];
  let head = null;
  let time = null;
  let duration = null;
  let range = null;
  for (const line of text.split("\n")) {
    if (line.startsWith("#EXT-X-MAP:")) head = mapOf(line);
    else if (line.startsWith("#EXT-X-PROGRAM-DATE-TIME:")) time = Date.parse(line.slice(25));
    else if (line.startsWith("#EXTINF:")) duration = Math.round(Number.parseFloat(line.slice(8)) * 1000);
    else if (line.startsWith("#EXT-X-BYTERANGE:")) range = rangeOf(line.slice(17));
    else if (line !== "" && !line.startsWith("#")) {
      if (head && range && Number.isFinite(time) && duration > 0 && isLocal(line)) {
        found.push({ address: line, head, range, startTime: time, endTime: time + duration });
        if (found.length === limit) break;
      }
      if (Number.isFinite(duration) && Number.isFinite(time)) time += duration;
      duration = range = null;
    }
  }
  return found;
}

function mapOf(line) {
  const address = /URI="([^"]+)"/.exec(line)?.[1];
  const range = rangeOf(/BYTERANGE="([^"]+)"/.exec(line)?.[1] ?? "");
  return address && range && isLocal(address) ? { address, range } : null;
}

function rangeOf(text) {
  const parts = /^(\d{1,15})@(\d{1,15})$/.exec(text.trim());
  return parts ? { offset: Number(parts[2]), size: Number(parts[1]) } : null;
}

/** Only the platform itself is asked. */
function isLocal(address) { return /^\/(?!\/)/.test(address); }

/** Names a segment also when its address was signed anew. */
export function keyOf({ address, range }) { return `${address.split("?")[0]}@${range.offset}`; }
