const welcomeLimit = 8_000;
const firstDelay = 400;
/** While a view may be waiting for the platform it is asked often; after a minute less so. */
const eagerDelay = 3_000;
const eagerTries = 20;
const calmDelay = 15_000;

/**
 * The WebSocket to the platform: signalling and news about devices. It reconnects by itself.
 * Events: "state"; "welcome", "news" and "signal" with `message`; "refused" with `code`.
 */
export class ViewerLink extends EventTarget {
  #token;
  #socket = null;
  #timer = null;
  #tries = 0;
  #wanted = false;
  #welcome = null;
  #retryNow = () => { if (!document.hidden && this.#wanted && this.#socket === null) this.#connect(); };

  constructor(token) {
    super();
    this.#token = token;
  }

  get isUp() { return this.#welcome !== null; }
  /** Whether connecting failed more than once, so that it is worth saying. */
  get isTroubled() { return this.#wanted && !this.isUp && this.#tries > 1; }
  get iceServers() { return this.#welcome?.iceServers ?? []; }

  open() {
    this.#wanted = true;
    addEventListener("online", this.#retryNow);
    document.addEventListener("visibilitychange", this.#retryNow);
    this.#connect();
  }

  close() {
    this.#wanted = false;
    removeEventListener("online", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#retryNow);
    const socket = this.#socket;
    this.#lost();
    socket?.close(1000);
  }

  /** Sends a message; false when the link is down. */
  send(message) {
    if (!this.isUp || this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    clearTimeout(this.#timer);
    this.#tries += 1;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/viewer`);
    this.#socket = socket;
    this.#timer = setTimeout(() => { socket.close(); this.#closed(socket); }, welcomeLimit);
    // The token goes in the first message, since addresses end up in logs.
    socket.onopen = () => socket.send(JSON.stringify({ action: "AUTHENTICATE", accessToken: this.#token }));
    socket.onmessage = ({ data }) => { if (this.#socket === socket) this.#receive(data); };
    socket.onclose = () => this.#closed(socket);
  }

  #receive(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    switch (message?.action) {
    case "WELCOME":
      clearTimeout(this.#timer);
      this.#welcome = message;
      this.#tries = 0;
      this.#emit("welcome", { message });
      this.#emit("state");
      break;
    case "REFUSED":
      this.#emit("refused", { code: Number(message.errorCode) });
      break;
    case "EVENT":
      this.#emit("news", { message });
      break;
    case "GO_AWAY":
      this.#socket.close(1000);
      break;
    default:
      if (typeof message?.sessionId === "string") this.#emit("signal", { message });
    }
  }

  #closed(socket) {
    if (this.#socket !== socket) return;
    this.#lost();
    if (!this.#wanted) return;
    const longest = this.#tries > eagerTries ? calmDelay : eagerDelay;
    const delay = Math.min(firstDelay * 2 ** Math.min(this.#tries, 10), longest);
    this.#timer = setTimeout(() => this.#connect(), delay * (0.7 + 0.3 * Math.random()));
  }

  #lost() {
    clearTimeout(this.#timer);
    this.#socket = null;
    this.#welcome = null;
    this.#emit("state");
  }

  #emit(name, fields = {}) {
    this.dispatchEvent(Object.assign(new Event(name), fields));
  }
}
