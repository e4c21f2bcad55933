import { element, icon, setText } from "../dom.js";
import { Failure } from "../platform/failures.js";

/** The sign-in page. */
class SignInPage extends HTMLElement {
  connectedCallback() {
    const account = element("input", {
      id: "account", name: "username", autocomplete: "username", autocapitalize: "none", spellcheck: "false",
      required: true,
    });
    const password = element("input", {
      id: "password", name: "password", type: "password", autocomplete: "current-password", required: true,
    });
    const failure = element("p", { class: "failure", role: "alert" });
    const button = element("button", { class: "primary wide" }, "Sign in");
    const form = element("form", { class: "card sign-in", novalidate: true },
      element("div", { class: "brand large" }, icon("oriel"), element("h1", {}, "Oriel")),
      element("p", { class: "muted" }, "Sign in to see your cameras."),
      element("label", { for: "account" }, "Account"), account,
      element("label", { for: "password" }, "Password"), password,
      failure, button,
      element("p", { class: "muted small" },
        "First time here? The platform made the account “admin” when it first started, and showed its password ",
        "or wrote it to a file."));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!account.value.trim() || !password.value) {
        setText(failure, "Enter the account and its password.");
        (account.value.trim() ? password : account).focus();
        return;
      }
      button.disabled = true;
      setText(failure, "");
      try {
        await this.platform.signIn(account.value.trim(), password.value);
      } catch (thrown) {
        setText(failure, Failure.of(thrown).sentence);
        button.disabled = false;
        password.select();
      }
    });
    this.replaceChildren(element("main", { class: "sign-in-page" }, form));
    setText(failure, this.failure?.sentence ?? "");
    account.focus();
  }
}

customElements.define("sign-in-page", SignInPage);
