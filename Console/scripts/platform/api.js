import { Failure } from "./failures.js";

const timeLimit = 15_000;

/** The platform's HTTP API under `/v1`. Every call throws a `Failure`. */
export class Platform {
  #account;

  constructor(account) { this.#account = account; }

  async signIn(account, password) {
    this.#account.signedIn(await this.#call("POST", "/v1/login", { account, password }, { token: null }));
  }

  /** Forgets the token at once; the platform is told without waiting for it. */
  signOut() {
    const token = this.#account.token;
    this.#account.signedOut();
    this.#call("POST", "/v1/logout", undefined, { token }).catch(() => {});
  }

  async devices() { return (await this.#call("GET", "/v1/devices")).devices ?? []; }

  device(serial) { return this.#call("GET", path(serial)); }

  addDevice(serial, verifyCode, name) {
    return this.#call("POST", "/v1/devices", { serial, verifyCode, ...(name ? { name } : {}) });
  }

  renameDevice(serial, name) { return this.#call("PATCH", path(serial), { name }); }

  removeDevice(serial) { return this.#call("DELETE", path(serial)); }

  /** Has a camera take a new cover; the picture itself comes with the next list. */
  takeCover(serial, cameraNo) {
    return this.#call("POST", `${path(serial)}/cameras/${cameraNo}/capture`, undefined, { isPicture: true });
  }

  async #call(method, address, body, { token = this.#account.token, isPicture = false } = {}) {
    const headers = { Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    let text;
    try {
      response = await fetch(address, {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(timeLimit),
      });
      text = await response.text();
    } catch {
      throw Failure.numbered(730001);
    }
    if (response.ok && isPicture) return {};
    const answer = parsed(text);
    if (response.ok) {
      if (answer === undefined) throw Failure.numbered(730003);
      return answer;
    }
    const failure = Failure.answered(response.status, answer);
    if (failure.endsSignIn && token && token === this.#account.token) this.#account.signedOut(failure);
    throw failure;
  }
}

function path(serial) { return `/v1/devices/${encodeURIComponent(serial)}`; }

function parsed(text) {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
