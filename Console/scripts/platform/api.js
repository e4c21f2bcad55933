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
    return this.#call("POST", `${path(serial)}/cameras/${cameraNo}/capture`, undefined, { form: "none" });
  }

  /** One page of a camera's recordings; `query` as the platform's API has it. */
  recordings(serial, cameraNo, query) {
    return this.#call("GET", `${camera(serial, cameraNo)}/recordings?${new URLSearchParams(query)}`);
  }

  /** A small picture of a moment, as a `Blob`. */
  recordedPicture(serial, cameraNo, time, store) {
    const query = new URLSearchParams({ time: String(time), store });
    return this.#call("GET", `${camera(serial, cameraNo)}/recordings/picture?${query}`, undefined, { form: "blob" });
  }

  lockRecordings(serial, cameraNo, from, to, locked) {
    return this.#call("POST", `${camera(serial, cameraNo)}/recordings/lock`, { from, to, locked });
  }

  /** Has a camera note an event, and record it. */
  recordEvent(serial, cameraNo, name) {
    return this.#call("POST", `${camera(serial, cameraNo)}/events`, { name });
  }

  /** The playlist of what a camera has in the cloud, as text. */
  cloudPlaylist(serial, cameraNo, from, to) {
    const query = new URLSearchParams({ from: String(from), to: String(to) });
    const address = `${camera(serial, cameraNo)}/cloud/playlist.m3u8?${query}`;
    return this.#call("GET", address, undefined, { form: "text" });
  }

  async #call(method, address, body, { token = this.#account.token, form = "json" } = {}) {
    const headers = { Accept: "application/json" };
    if (token) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    let text;
    let blob;
    try {
      response = await fetch(address, {
        method, headers, body: body === undefined ? undefined : JSON.stringify(body),
        cache: "no-store", credentials: "omit", redirect: "error", signal: AbortSignal.timeout(timeLimit),
      });
      if (response.ok && form === "blob") blob = await response.blob();
      else text = await response.text();
    } catch {
      throw Failure.numbered(730001);
    }
    if (response.ok && form === "blob") return blob;
    if (response.ok && form === "text") return text;
    if (response.ok && form === "none") return {};
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

function camera(serial, cameraNo) { return `${path(serial)}/cameras/${cameraNo}`; }

function parsed(text) {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
