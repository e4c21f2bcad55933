import { Failure } from "./failures.js";

const key = "oriel.account";
const longestTimer = 2 ** 31 - 1;

/**
 * Who is signed in. The token lives in this tab's session storage only and never in an address.
 * Events: "change", with `failure` when the sign-in ended by itself.
 */
export class Account extends EventTarget {
  #value = null;
  #timer = null;

  constructor() {
    super();
    try {
      this.#value = JSON.parse(sessionStorage.getItem(key));
    } catch {
      sessionStorage.removeItem(key);
    }
    this.#watchExpiry();
  }

  get isSignedIn() { return this.#value !== null; }
  get name() { return this.#value?.account ?? ""; }
  get token() { return this.#value?.accessToken ?? null; }

  signedIn({ accessToken, expireTime, account }) {
    this.#value = { accessToken, expireTime, account };
    sessionStorage.setItem(key, JSON.stringify(this.#value));
    this.#watchExpiry();
    this.#changed(null);
  }

  /** Ends the sign-in; `failure` says why when it was not the person's wish. */
  signedOut(failure = null) {
    if (this.#value === null) return;
    this.#value = null;
    clearTimeout(this.#timer);
    sessionStorage.clear();
    this.#changed(failure);
  }

  #changed(failure) {
    this.dispatchEvent(Object.assign(new Event("change"), { failure }));
  }

  #watchExpiry() {
    clearTimeout(this.#timer);
    const end = Number(this.#value?.expireTime);
    if (!Number.isFinite(end) || end <= 0) return;
    const left = end - Date.now();
    if (left <= 0) this.#timer = setTimeout(() => this.signedOut(Failure.numbered(110003)), 0);
    else this.#timer = setTimeout(() => this.#watchExpiry(), Math.min(left, longestTimer));
  }
}
