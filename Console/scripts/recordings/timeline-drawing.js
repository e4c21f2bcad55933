import { clockText, minuteText, secondText } from "./days.js";
import { merged } from "./stretches.js";
import { marks, placeOf, wholeDay } from "./timeline-state.js";

const top = 20;
const band = 34;
const lane = 7;
const names = ["surface", "sunken", "text", "muted", "line", "line-strong", "accent", "accent-soft", "on-accent", "event"];

export function readColours(part) {
  const style = getComputedStyle(part);
  const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  return { ...colours, font: style.fontFamily };
}

/** Fits a canvas to its box and gives its context and size in CSS pixels. */
function prepare(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

export function drawTimeline(canvas, colours, shown) {
  const { context, width, height } = prepare(canvas);
  if (!width) return;
  const { view, stretches, events, time, selection, hover, now } = shown;
  const at = (instant) => placeOf(view, instant, width);
  drawGround(context, colours, at(now), width);
  drawMarks(context, colours, view, width);
  context.save();
  context.beginPath();
  context.roundRect(0, top, width, band, 6);
  context.clip();
  bars(context, colours.accent, merged(stretches), at, width, top, band);
  bars(context, colours["on-accent"], stretches.filter(({ isLocked }) => isLocked), at, width, top + band - 5, 2);
  context.restore();
  bars(context, colours.event, events, at, width, top + band + 4, lane, 3.5);
  if (selection) drawSelection(context, colours, at(selection.from), at(selection.to));
  if (hover !== null) line(context, colours.muted, at(hover), top - 4, top + band + 4 + lane, 1);
  if (time !== null) drawPlayhead(context, colours, at(time), time, width, height);
}

/** Nothing recorded is hatched faintly; what has not come yet is empty. */
function drawGround(context, colours, now, width) {
  const end = Math.min(Math.max(now, 0), width);
  context.fillStyle = colours.sunken;
  context.beginPath();
  context.roundRect(0, top, width, band, 6);
  context.fill();
  if (end <= 0) return;
  context.save();
  context.clip();
  context.beginPath();
  context.rect(0, top, end, band);
  context.clip();
  context.strokeStyle = colours.line;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = -band; x < end; x += 8) {
    context.moveTo(x, top + band);
    context.lineTo(x + band, top);
  }
  context.stroke();
  context.restore();
}

function drawMarks(context, colours, view, width) {
  context.font = `11px ${colours.font}`;
  context.textBaseline = "alphabetic";
  const hasSeconds = view.to - view.from < 10 * 60_000;
  for (const { time, isLabelled } of marks(view, width, hasSeconds ? 78 : 58)) {
    const x = Math.round(placeOf(view, time, width)) + 0.5;
    line(context, isLabelled ? colours["line-strong"] : colours.line, x, isLabelled ? top - 5 : top - 3, top, 1);
    if (!isLabelled) continue;
    const label = time === view.dayEnd ? "24:00" : (hasSeconds ? secondText : minuteText)(time);
    const half = context.measureText(label).width / 2;
    context.fillStyle = colours.muted;
    context.textAlign = "center";
    context.fillText(label, Math.min(Math.max(x, half), width - half), top - 8);
  }
}

function bars(context, colour, stretches, at, width, y, height, radius = 0) {
  context.fillStyle = colour;
  for (const { startTime, endTime } of stretches) {
    const [from, to] = [at(startTime), at(endTime)];
    if (to < 0 || from > width) continue;
    const start = Math.max(from, -8);
    context.beginPath();
    context.roundRect(start, y, Math.max(Math.min(to, width + 8) - start, radius ? 5 : 2), height, radius);
    context.fill();
  }
}

function line(context, colour, x, from, to, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(x, to);
  context.stroke();
}

function drawSelection(context, colours, from, to) {
  context.save();
  context.globalAlpha = 0.22;
  context.fillStyle = colours.text;
  context.fillRect(from, top - 2, to - from, band + 4);
  context.restore();
  context.fillStyle = colours.text;
  for (const x of [from, to]) {
    context.beginPath();
    context.roundRect(x - 4, top - 3, 8, band + 6, 4);
    context.fill();
    line(context, colours.surface, x, top + band / 2 - 6, top + band / 2 + 6, 1.5);
  }
}

function drawPlayhead(context, colours, x, time, width, height) {
  if (x < -20 || x > width + 20) return;
  line(context, colours.surface, x, top - 4, top + band + 13, 5);
  line(context, colours.text, x, top - 4, top + band + 13, 2);
  const label = clockText(time);
  context.font = `600 12px ${colours.font}`;
  const wide = context.measureText(label).width + 14;
  const left = Math.min(Math.max(x - wide / 2, 0), width - wide);
  context.fillStyle = colours.text;
  context.beginPath();
  context.roundRect(left, height - 20, wide, 20, 6);
  context.fill();
  context.fillStyle = colours.surface;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(label, left + wide / 2, height - 9.5);
}

/** The whole day in small, with the part that is shown above it. */
export function drawOverview(canvas, colours, { view, stretches, events, time }) {
  const { context, width, height } = prepare(canvas);
  if (!width) return;
  const day = wholeDay(view.dayStart, view.dayEnd);
  const at = (instant) => placeOf(day, instant, width);
  context.fillStyle = colours.sunken;
  context.beginPath();
  context.roundRect(0, 3, width, height - 6, 4);
  context.fill();
  context.save();
  context.clip();
  context.globalAlpha = 0.65;
  bars(context, colours.accent, merged(stretches), at, width, 3, height - 6);
  context.restore();
  bars(context, colours.event, events, at, width, height - 7, 4, 2);
  if (time !== null) line(context, colours.text, at(time), 1, height - 1, 1.5);
  context.strokeStyle = colours.text;
  context.lineWidth = 1.5;
  context.beginPath();
  const from = at(view.from);
  context.roundRect(from + 0.75, 0.75, Math.max(at(view.to) - from, 6) - 1.5, height - 1.5, 5);
  context.stroke();
}
