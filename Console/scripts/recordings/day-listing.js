import { addDays, month } from "./days.js";

const pageLimit = 20;

/** What a store has of one camera between two instants: `{ stretches, events, isWhole }`. */
export async function list(platform, { serial, cameraNo, store, from, to }) {
  const range = { serial, cameraNo, store, from, to };
  const [all, events] = await Promise.all([pages(platform, range), pages(platform, { ...range, kind: "event" })]);
  return { stretches: all.files, events: events.files, isWhole: all.isWhole && events.isWhole };
}

/** Each file of a range, for what is done to files. */
export async function files(platform, range) { return (await pages(platform, { ...range, form: "files" })).files; }

async function pages(platform, { serial, cameraNo, store, from, to, kind, form = "stretches" }) {
  const files = [];
  let next = from;
  for (let page = 0; page < pageLimit && next < to; page += 1) {
    const query = { from: String(next), to: String(to), store, form, ...(kind ? { kind } : {}) };
    const answer = await platform.recordings(serial, cameraNo, query);
    for (const file of answer.files ?? []) if (isSound(file) && file.startTime < to) files.push(file);
    if (!Number.isFinite(answer.nextTime) || answer.nextTime <= next) return { files, isWhole: true };
    next = answer.nextTime;
  }
  return { files, isWhole: false };
}

function isSound({ startTime, endTime }) {
  return Number.isFinite(startTime) && Number.isFinite(endTime) && endTime > startTime;
}

/** Which days of a month have something, as a set of the instants at which they begin. */
export async function daysOf(platform, serial, cameraNo, store, monthStart) {
  const { days } = month(monthStart);
  const answer = await platform.recordings(serial, cameraNo, {
    from: String(days[0]), to: String(addDays(days.at(-1), 1)), store, form: "days", dayStarts: days.join(","),
  });
  return new Set(answer.days ?? []);
}
