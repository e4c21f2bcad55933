import { Failure } from "../platform/failures.js";

const number = 750004;

/** What is known about a microphone that cannot be had, by the name of the browser's error. */
const reasons = {
  NotAllowedError: [
    "The microphone was refused", "Allow it for this page, beside the address in the browser, and talk again."],
  NotFoundError: ["There is no microphone here", "Connect one and talk again."],
  NotReadableError: ["The microphone cannot be opened", "Close what else uses it and talk again."],
};

/**
 * Asks for the microphone: its audio track.
 * Throws `Failure` 750004 with a sentence on what to do when there is none or it was refused.
 */
export async function openMicrophone() {
  if (!navigator.mediaDevices?.getUserMedia)
    throw new Failure(
      number, "The browser gives no microphone to this page", "Open the console by its address with https.");
  try {
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    return (await navigator.mediaDevices.getUserMedia({ audio })).getAudioTracks()[0];
  } catch (thrown) {
    const reason = reasons[thrown.name];
    throw reason ? new Failure(number, ...reason) : Failure.numbered(number);
  }
}

/** What is said when a microphone that was open has gone away. */
export function lostMicrophone() {
  return new Failure(number, "The microphone has gone away", "Connect it again and talk again.");
}
