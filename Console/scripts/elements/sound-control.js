import { element, iconButton, setIcon, setLabel } from "../dom.js";
import { settings } from "../settings.js";

/** Sound on or off, and how loud. A view starts silent. */
class SoundControl extends HTMLElement {
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

  async #toggle() {
    this.video.volume = Number(this.slider.value) / 100;
    this.video.muted = !this.video.muted;
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
    this.video.muted = volume === 0;
    this.#show();
  }

  #show() {
    const isOn = !this.video.muted;
    setIcon(this.button.firstChild, isOn ? "sound-on" : "sound-off");
    setLabel(this.button, isOn ? "Sound off" : "Sound on");
    this.classList.toggle("on", isOn);
  }
}

customElements.define("sound-control", SoundControl);
