import { Failure } from "../platform/failures.js";

/** What a tile says: the short state, a sentence over the picture, whether something is under way. */
export function describe(session) {
  switch (session.phase) {
  case "idle":
    return { label: "Stopped", sentence: "", isBusy: false };
  case "connecting":
    return {
      label: "Connecting", isBusy: true,
      sentence: session.isWaitingForLink ? "Waiting for the platform…" : source(session),
    };
  case "live":
    return session.sourceCode
      ? { label: "No picture", sentence: source(session), isBusy: true }
      : { label: "Live", sentence: "", isBusy: false };
  case "reconnecting":
    return {
      label: "Reconnecting", isBusy: true,
      sentence: session.isWaitingForLink
        ? "The connection was lost. Waiting for the platform…" : "The connection was lost. Trying again…",
    };
  default:
    return { label: "Ended", sentence: session.code ? Failure.numbered(session.code).sentence : "", isBusy: false };
  }
}

function source({ sourceCode }) { return sourceCode ? Failure.numbered(sourceCode).sentence : ""; }
