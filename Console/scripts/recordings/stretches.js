/** Recorded stretches, `{ startTime, endTime, … }` in the order of time, and what lies between them. */

/** A hole in time up to this long is none, milliseconds. */
export const gapTolerance = 1_000;

/** Where there is something to play at a time: the stretch that covers it, or the next one, or null. */
export function playableAt(stretches, time) {
  return stretches.find((stretch) => stretch.endTime > time) ?? null;
}

export function covering(stretches, time) {
  return stretches.findLast((stretch) => stretch.startTime <= time && stretch.endTime > time) ?? null;
}

/** What lies between the stretches that follow each other. */
export function gaps(stretches) {
  const found = [];
  let end = null;
  for (const { startTime, endTime } of stretches) {
    if (end !== null && startTime - end > gapTolerance) found.push({ startTime: end, endTime: startTime });
    end = Math.max(end ?? endTime, endTime);
  }
  return found;
}

/** Overlapping and adjacent stretches as one, for drawing and for sums. */
export function merged(stretches) {
  const found = [];
  for (const { startTime, endTime } of [...stretches].sort((one, other) => one.startTime - other.startTime)) {
    const last = found.at(-1);
    if (last && startTime - last.endTime <= gapTolerance) last.endTime = Math.max(last.endTime, endTime);
    else found.push({ startTime, endTime });
  }
  return found;
}

export function totalTime(stretches) {
  return merged(stretches).reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0);
}

/** The next start of a stretch after a time (`direction` 1) or the last one before it (-1), or null. */
export function neighbour(stretches, time, direction) {
  if (direction > 0) return stretches.find(({ startTime }) => startTime > time + 500)?.startTime ?? null;
  return stretches.findLast(({ startTime }) => startTime < time - 1_500)?.startTime ?? null;
}
