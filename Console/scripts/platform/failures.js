import { sentenceFor } from "./sentences.js";

/** The one number whose detail says what is wrong with what a person entered. */
const parameterError = 110001;

/** A failure with its number, a sentence on what happened and one on what to do. */
export class Failure extends Error {
  constructor(code, meaning, remedy) {
    super(meaning);
    this.code = code;
    this.meaning = meaning;
    this.remedy = remedy;
  }

  /** What the person reads. */
  get sentence() {
    const what = this.meaning.replace(/[.\s]+$/, "");
    return this.remedy ? `${what}. ${this.remedy}` : `${what}.`;
  }

  /** The failure for a number that came without words. */
  static numbered(code) {
    const [meaning, remedy] = sentenceFor(code) ?? [`Something failed with the number ${code}`, "Try again."];
    return new Failure(code, meaning, remedy);
  }

  /** The failure in an answer of the HTTP API: `{"code", "message", "remedy"}`. */
  static answered(status, body) {
    const code = Number(body?.code);
    if (!Number.isInteger(code)) return Failure.numbered(status >= 500 ? 150000 : 730003);
    const detail = /: (.+)$/.exec(body.message)?.[1];
    if (code === parameterError && detail)
      return new Failure(code, detail[0].toUpperCase() + detail.slice(1), "Change it and try again.");
    if (sentenceFor(code) || !body.message) return Failure.numbered(code);
    return new Failure(code, String(body.message), body.remedy ? String(body.remedy) : "");
  }

  /** Anything thrown, as a failure. */
  static of(thrown) {
    if (thrown instanceof Failure) return thrown;
    console.warn(thrown);
    return new Failure(0, "The console itself failed", "Load the page again.");
  }

  /** Whether it means that one has to sign in again. */
  get endsSignIn() {
    return this.code === 110002 || this.code === 110003;
  }
}
