import { element, iconButton, setIcon, setLabel } from "../dom.js";
import { settings } from "../settings.js";

/** Sound on or off, and how loud. A view starts silent. */
class SoundControl extends HTMLElement {
  #isOn = false;
  #isPossible = true;
  #talk = "none";
  #wasOn = false;

  connectedCallback() {
    this.button = iconButton("sound-off", "Sound on", () => this.#toggle());
    this.slider = element("input", {
      type: "range", min: "0", max: "100", step: "5", "aria-label": "Volume", title: "Volume",
      input: () => this.#setVolume(),
    });
    this.slider.value = String(settings.volume * 100);
    this.replaceChildren(this.button, this.slider);
    this.#show();
  }

  /** Whether there is sound at all now; what was chosen counts again when there is. */
  set isPossible(isPossible) {
    this.#isPossible = isPossible;
    if (this.button) this.#apply();
  }

  /**
   * What a talk wants: "none", "hearing" or "speaking". A talk switches the sound on and leaves it as it was before;
   * while one speaks with half duplex nothing is heard.
   */
  set talk(talk) {
    if (talk === this.#talk) return;
    const before = this.#talk;
    this.#talk = talk;
    if (before === "none") [this.#wasOn, this.#isOn] = [this.#isOn, true];
    else if (talk === "none") this.#isOn = this.#wasOn;
    if (this.button) this.#play();
  }

  #toggle() {
    this.#isOn = this.video.muted;
    return this.#play();
  }

  async #play() {
    this.video.volume = Number(this.slider.value) / 100;
    this.#apply();
    // A browser that refuses sound without a gesture stops the picture too, unless it is silent again.
    if (!this.video.muted && this.video.srcObject) {
      await this.video.play().catch(() => {
        this.video.muted = true;
        return this.video.play().catch(() => {});
      });
    }
    this.#show();
  }

  #setVolume() {
    const volume = Number(this.slider.value) / 100;
    settings.volume = volume;
    this.video.volume = volume;
    this.#isOn = volume > 0;
    this.#apply();
  }

  #apply() {
    this.video.muted = !(this.#isOn && this.#isPossible && this.#talk !== "speaking");
    this.#show();
  }

  #show() {
    const isOn = !this.video.muted;
    setIcon(this.button.firstChild, isOn ? "sound-on" : "sound-off");
    setLabel(this.button, isOn ? "Sound off" : "Sound on");
    this.classList.toggle("on", isOn);
    this.button.disabled = !this.#isPossible;
  }
}

customElements.define("sound-control", SoundControl);
