import { element } from "../dom.js";
import { Account } from "../platform/account.js";
import { Platform } from "../platform/api.js";
import "./console-frame.js";
import "./sign-in.js";

/** The whole console: the sign-in page or, once signed in, the frame with devices and live view. */
class OrielConsole extends HTMLElement {
  #account = new Account();
  #platform = new Platform(this.#account);

  connectedCallback() {
    this.#account.addEventListener("change", ({ failure }) => this.#show(failure));
    this.#show(null);
  }

  #show(failure) {
    const page = element(this.#account.isSignedIn ? "console-frame" : "sign-in-page");
    page.account = this.#account;
    page.platform = this.#platform;
    page.failure = failure;
    // Dialogs and full screen belong to the page that goes.
    document.querySelectorAll("dialog").forEach((dialog) => dialog.remove());
    this.replaceChildren(page);
  }
}

customElements.define("oriel-console", OrielConsole);
