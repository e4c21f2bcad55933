/**
 * What of a day the timeline shows, as values: `{ dayStart, dayEnd, from, to }` in UTC milliseconds, and how times
 * and places of it belong together.
 */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The shortest time that fills the width. */
export const shortest = minute;

export function wholeDay(dayStart, dayEnd) { return { dayStart, dayEnd, from: dayStart, to: dayEnd }; }

export function isWhole(view) { return view.from === view.dayStart && view.to === view.dayEnd; }

export function timeAt(view, x, width) {
  const time = view.from + ((view.to - view.from) * x) / width;
  return Math.round(Math.min(Math.max(time, view.dayStart), view.dayEnd - 1));
}

export function placeOf(view, time, width) { return ((time - view.from) / (view.to - view.from)) * width; }

/** Shows `factor` times as much, with `time` staying where it is. */
export function zoomed(view, factor, time) {
  const day = view.dayEnd - view.dayStart;
  const span = Math.min(Math.max((view.to - view.from) * factor, shortest), day);
  const share = (time - view.from) / (view.to - view.from);
  return moved(view, time - span * share, span);
}

/** Shows the same length of time, later by so much. */
export function panned(view, by) { return moved(view, view.from + by, view.to - view.from); }

/** Brings a time into what is shown; a quarter of the width stays before it. */
export function showing(view, time) {
  if (time >= view.from && time <= view.to) return view;
  const span = view.to - view.from;
  return moved(view, time - span / 4, span);
}

function moved(view, from, span) {
  const start = Math.min(Math.max(from, view.dayStart), view.dayEnd - span);
  return { ...view, from: Math.round(start), to: Math.round(start + span) };
}

const steps = [
  second, 5 * second, 10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 12 * hour,
];

/**
 * Where the axis has marks: `{ time, isLabelled }`. Marks stand at whole hours and minutes of the local clock, also
 * on a day on which it is put forward or back.
 */
export function marks(view, width, labelWidth = 64) {
  const perPixel = (view.to - view.from) / width;
  const labelled = steps.find((step) => step / perPixel >= labelWidth) ?? steps.at(-1);
  const plain = steps.find((step) => labelled % step === 0 && step / perPixel >= 9);
  const found = [];
  for (const time of instants(view, plain)) found.push({ time, isLabelled: isMultiple(time, labelled) });
  return found;
}

/** Whether the local clock shows a whole multiple of the step since midnight. */
function isMultiple(time, step) {
  const clock = new Date(time);
  const since = clock.getHours() * hour + clock.getMinutes() * minute + clock.getSeconds() * second;
  return since % step === 0 && clock.getMilliseconds() === 0;
}

function* instants({ from, to }, step) {
  // Offsets from UTC are whole multiples of a quarter of an hour: larger steps are looked for among those.
  const unit = Math.min(step, 15 * minute);
  for (let time = Math.ceil(from / unit) * unit; time <= to; time += unit) if (isMultiple(time, step)) yield time;
}

/** How far an arrow key goes: a small part of what is shown, in a round number. */
export function keyStep(view) {
  const wanted = (view.to - view.from) / 120;
  return steps.find((step) => step >= wanted) ?? steps.at(-1);
}
