/**
 * Days of the browser's own time zone, as UTC milliseconds at which they begin. A day of 23 or 25 hours is no special
 * case: nothing here adds 24 hours.
 */
export function startOfDay(time) {
  const day = new Date(time);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}

export function addDays(dayStart, count) {
  const day = new Date(dayStart);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count).getTime();
}

export function endOfDay(dayStart) { return addDays(dayStart, 1); }

export function startOfMonth(time) {
  const day = new Date(time);
  return new Date(day.getFullYear(), day.getMonth(), 1).getTime();
}

export function addMonths(monthStart, count) {
  const day = new Date(monthStart);
  return new Date(day.getFullYear(), day.getMonth() + count, 1).getTime();
}

/** The days of a month, and the weekday of its first one, Monday being 0. */
export function month(monthStart) {
  const days = [];
  const end = addMonths(monthStart, 1);
  for (let day = startOfMonth(monthStart); day < end; day = addDays(day, 1)) days.push(day);
  return { days, end, offset: (new Date(monthStart).getDay() + 6) % 7 };
}

/** Hours that a day has, where it is not 24. */
export function unusualHours(dayStart) {
  const hours = (endOfDay(dayStart) - dayStart) / 3_600_000;
  return hours === 24 ? null : hours;
}

function formatter(options) {
  const made = new Map();
  return (time) => {
    // The zone can change while the page is open, on a journey and in a test.
    const zone = new Date(time).getTimezoneOffset();
    if (!made.has(zone)) made.set(zone, new Intl.DateTimeFormat("en-GB", { hourCycle: "h23", ...options }));
    return made.get(zone).format(time);
  };
}

const hours = { hour: "2-digit", minute: "2-digit" };
/** "14:05" */
export const minuteText = formatter(hours);
/** "14:05:09" */
export const secondText = formatter({ ...hours, second: "2-digit" });
/** "14:05:09 CEST", for days on which a time can come twice. */
export const zonedText = formatter({ ...hours, second: "2-digit", timeZoneName: "short" });
/** "Tue 1 December 2026" */
export const dayText = formatter({ weekday: "short", day: "numeric", month: "long", year: "numeric" });
/** "1 December" */
export const shortDayText = formatter({ day: "numeric", month: "long" });
export const monthText = formatter({ month: "long", year: "numeric" });

/** The time of a day as it is shown over a picture. */
export function clockText(time) {
  return unusualHours(startOfDay(time)) === null ? secondText(time) : zonedText(time);
}

/** "2 h 5 min", "40 s". */
export function durationText(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 && minutes < 10 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** "14:05:09" of a field on a day, as UTC milliseconds, or null. A time that comes twice is the first one. */
export function timeOfDay(dayStart, text) {
  const parts = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text)?.slice(1).map((part) => Number(part ?? 0));
  if (!parts || parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return null;
  const day = new Date(dayStart);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), ...parts).getTime();
}
