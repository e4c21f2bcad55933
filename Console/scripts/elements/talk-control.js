import { element, icon, setIcon, setText } from "../dom.js";
import { duplexes } from "../live/talk-state.js";
import { Talk } from "../live/talk.js";

const sentences = {
  idle: "",
  opening: "Waiting for the microphone…",
  asking: "Asking the camera…",
  both: "Both can speak",
  you: "You speak",
  camera: "The camera speaks",
};

/**
 * Talk with who stands before the camera: with full duplex a button begins and ends it, with half duplex one holds it
 * while one speaks. `sound` is the tile's sound control, `alert` the line for what went wrong.
 */
class TalkControl extends HTMLElement {
  #capability = duplexes.none;
  /** Whoever looks elsewhere has let go, and where the view is no longer seen nobody is heard. */
  #onAway = () => this.talk.speak(false);
  #onPage = () => { if (!this.checkVisibility()) this.talk.stop(); };

  connectedCallback() {
    if (this.talk) return;
    this.talk = new Talk(this.session);
    this.icon_ = icon("microphone");
    this.label_ = element("span", {});
    this.button = element("button", { type: "button", class: "talk" }, this.icon_, this.label_);
    this.end = element("button", { type: "button", click: () => this.#end() }, "End the talk");
    this.state_ = element("span", { class: "talk-state", role: "status" });
    this.replaceChildren(this.button, this.end, this.state_);
    this.#listen();
    this.#show();
  }

  /** What the device's record says. */
  set capability(capability) {
    this.#capability = capability;
    this.#show();
  }

  dispose() {
    removeEventListener("blur", this.#onAway);
    document.removeEventListener("visibilitychange", this.#onAway);
    removeEventListener("hashchange", this.#onPage);
    this.talk.dispose();
  }

  get #isHeld() { return (this.talk.duplex ?? this.#capability) === duplexes.half; }

  #listen() {
    const { button } = this;
    button.addEventListener("pointerdown", (event) => {
      if (!this.#isHeld || event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.#press();
    });
    button.addEventListener("lostpointercapture", () => this.talk.speak(false));
    // A long touch is no wish for a menu.
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
      if (!this.#isHeld || !isPressing(event)) return;
      event.preventDefault();
      if (!event.repeat) this.#press();
    });
    button.addEventListener("keyup", (event) => {
      if (!this.#isHeld || !isPressing(event)) return;
      event.preventDefault();
      this.talk.speak(false);
    });
    button.addEventListener("blur", this.#onAway);
    button.addEventListener("click", (event) => this.#click(event));
    addEventListener("blur", this.#onAway);
    document.addEventListener("visibilitychange", this.#onAway);
    addEventListener("hashchange", this.#onPage);
    this.talk.addEventListener("change", () => this.#show());
    this.session.addEventListener("state", () => this.#show());
  }

  #press() {
    this.talk.start();
    this.talk.speak(true);
  }

  #end() {
    this.talk.stop();
    this.button.focus({ preventScroll: true });
  }

  /** Of a pointer, a key, or of neither: a screen reader cannot hold, so it turns the direction round each time. */
  #click(event) {
    if (this.#isHeld) {
      if (event.detail !== 0) return;
      if (this.talk.isPressed) this.talk.speak(false);
      else this.#press();
    } else if (this.talk.isOn) this.talk.stop();
    else this.talk.start();
  }

  #show() {
    if (!this.talk) return;
    const { talk } = this;
    this.hidden = this.#capability === duplexes.none && !talk.isOn;
    this.dataset.voice = talk.voice;
    setIcon(this.icon_, talk.isOn && !this.#isHeld ? "microphone-off" : "microphone");
    setText(this.label_, this.#isHeld ? "Hold to talk" : talk.isOn ? "End the talk" : "Talk");
    if (this.#isHeld) this.button.setAttribute("aria-pressed", String(talk.isPressed));
    else this.button.removeAttribute("aria-pressed");
    this.button.disabled = !this.session.isRunning;
    // Always there, so that nothing moves below the finger.
    this.end.hidden = !this.#isHeld;
    this.end.disabled = !talk.isOn;
    setText(this.state_, sentences[talk.voice]);
    setText(this.alert, talk.failure && this.session.isRunning ? talk.failure.sentence : "");
    this.sound.talk = talk.duplex === null ? "none" : talk.isPressed && this.#isHeld ? "speaking" : "hearing";
  }
}

function isPressing({ key }) { return key === " " || key === "Enter"; }

customElements.define("talk-control", TalkControl);
