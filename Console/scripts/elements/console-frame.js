import { element, icon, iconButton, setText } from "../dom.js";
import { DeviceList } from "../platform/device-list.js";
import { Failure } from "../platform/failures.js";
import { ViewerLink } from "../platform/viewer-link.js";
import "./device-panel.js";
import "./live-wall.js";
import "./recordings-view.js";

/**
 * What one sees when signed in: the bar, the devices and the live view. Recordings
 * take the place of the live view. On a phone one of the three at a time.
 */
class ConsoleFrame extends HTMLElement {
  #link;
  #list;
  #onHash = () => this.#showPage();

  connectedCallback() {
    this.#link = new ViewerLink(this.account.token);
    this.#list = new DeviceList(this.platform, this.#link);
    this.#link.addEventListener("refused", ({ code }) => this.#refused(Failure.numbered(code)));
    this.#link.addEventListener("state", () => this.#showLink());

    this.wall = element("live-wall");
    this.wall.link = this.#link;
    this.wall.list = this.#list;
    this.wall.addEventListener("change", () => this.#countOpen());
    const panel = element("device-panel");
    panel.platform = this.platform;
    panel.list = this.#list;
    panel.wall = this.wall;
    panel.addEventListener("watch", ({ detail }) => this.#watch(detail));
    panel.addEventListener("recordings", ({ detail }) => this.#openRecordings(detail));
    this.wall.addEventListener("recordings", ({ detail }) => this.#openRecordings(detail));
    this.recordings = element("recordings-view");
    Object.assign(this.recordings, { platform: this.platform, link: this.#link, list: this.#list });
    this.recordings.addEventListener("notice", ({ detail }) => this.#say(detail));
    panel.addEventListener("notice", ({ detail }) => this.#say(detail));
    this.wall.addEventListener("emptied", ({ detail }) => {
      this.#goTo("devices");
      panel.focusCamera(detail);
    });
    this.wall.addEventListener("notice", ({ detail }) => this.#say(detail));

    this.notice = element("p", { class: "notice", role: "status" });
    this.trouble = element("p", { class: "trouble", role: "status", hidden: true });
    this.liveTab = element("a", { href: "#live" },
      icon("grid"), element("span", {}, "Live"), element("span", { class: "count" }));
    const skip = (event) => {
      event.preventDefault();
      (this.dataset.page === "recordings" ? this.recordings : this.wall).focusFirst();
    };
    this.replaceChildren(
      element("a", { class: "skip", href: "#wall", click: skip }, "Skip to the picture"),
      element("header", { class: "bar" },
        element("div", { class: "brand" }, icon("oriel"), element("h1", {}, "Oriel")),
        element("nav", { class: "tabs", "aria-label": "Pages" },
          element("a", { href: "#devices" }, icon("devices"), element("span", {}, "Devices")), this.liveTab,
          element("a", { href: "#recordings" }, icon("history"), element("span", {}, "Recordings"))),
        element("span", { class: "who" }, this.account.name),
        iconButton("sign-out", "Sign out", () => this.platform.signOut())),
      this.trouble,
      element("main", { class: "panes" }, panel, this.wall, this.recordings),
      this.notice);
    addEventListener("hashchange", this.#onHash);
    this.#showPage();
    this.#link.open();
    this.#list.refresh();
  }

  disconnectedCallback() {
    removeEventListener("hashchange", this.#onHash);
    this.wall.closeAll();
    this.recordings.close();
    this.#list.close();
    this.#link.close();
  }

  /** Any other refusal passes; the link tries again. */
  #refused(failure) {
    if (failure.endsSignIn) this.account.signedOut(failure);
  }

  /** Shows a page at once, and leaves the way back to the browser. */
  #goTo(page) {
    location.hash = `#${page}`;
    this.#showPage();
  }

  #showPage() {
    const page = ["#live", "#recordings"].includes(location.hash) ? location.hash.slice(1) : "devices";
    const wasRecordings = this.dataset.page === "recordings";
    this.dataset.page = page;
    for (const tab of this.querySelectorAll(".tabs a"))
      tab.setAttribute("aria-current", tab.hash === `#${page}` ? "page" : "false");
    if (page === "recordings" && !wasRecordings) this.recordings.enter();
    else if (page !== "recordings" && wasRecordings) this.recordings.leave();
  }

  #watch({ serial, cameraNo }) {
    this.#goTo("live");
    this.wall.open(serial, cameraNo);
  }

  #openRecordings({ serial, cameraNo }) {
    this.recordings.open(serial, cameraNo);
    this.#goTo("recordings");
    this.recordings.focusFirst();
  }

  #countOpen() {
    const count = this.wall.count;
    const badge = this.liveTab.querySelector(".count");
    setText(badge, count ? String(count) : "");
    this.liveTab.setAttribute("aria-label", count ? `Live, ${count} open` : "Live");
  }

  #showLink() {
    const { isTroubled } = this.#link;
    const sentence = "The platform cannot be reached at the moment. It is tried again by itself.";
    setText(this.trouble, isTroubled ? sentence : "");
    this.trouble.hidden = !isTroubled;
  }

  /** Shows a sentence for a while. */
  #say(text) {
    clearTimeout(this.noticeTimer);
    setText(this.notice, text);
    this.notice.classList.add("shown");
    this.noticeTimer = setTimeout(() => {
      this.notice.classList.remove("shown");
      setText(this.notice, "");
    }, 6_000);
  }
}

customElements.define("console-frame", ConsoleFrame);
