import { element } from "../dom.js";
import { quality } from "../live/live-session.js";

const choices = [["HD", quality.hd], ["Smooth", quality.smooth]];

/** HD or smooth, changed while one watches. */
class QualityChoice extends HTMLElement {
  connectedCallback() {
    const group = element("fieldset", { class: "segments" }, element("legend", { class: "unseen" }, "Quality"));
    const name = `quality-${this.session.serial}-${this.session.cameraNo}`;
    this.inputs = choices.map(([label, level]) => {
      const choose = () => this.session.setLevel(level);
      const input = element("input", { type: "radio", name, value: String(level), change: choose });
      group.append(element("label", {}, input, element("span", {}, label)));
      return input;
    });
    this.replaceChildren(group);
    this.session.addEventListener("quality", () => this.#show());
    this.#show();
  }

  /** A choice that the camera has not followed yet is shown as pending. */
  #show() {
    const { level, shownLevel } = this.session;
    for (const input of this.inputs) input.checked = Number(input.value) === level;
    this.classList.toggle("pending", shownLevel !== null && shownLevel !== level);
  }
}

customElements.define("quality-choice", QualityChoice);
