/** Makes an element. Attributes with a function value are listeners; `true` sets an empty attribute. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const svg = "http://www.w3.org/2000/svg";

/** A picture from the sprite; it says nothing to a screen reader, its button does. */
export function icon(name) {
  const made = document.createElementNS(svg, "svg");
  made.setAttribute("class", "icon");
  made.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(svg, "use");
  use.setAttribute("href", `/icons.svg#${name}`);
  made.append(use);
  return made;
}

/** Changes the picture of `icon(...)`, touching the page only when it differs. */
export function setIcon(made, name) {
  const href = `/icons.svg#${name}`;
  if (made.firstChild.getAttribute("href") !== href) made.firstChild.setAttribute("href", href);
}

/** A button with a picture only: its label is read aloud and shown as a tip. */
export function iconButton(name, label, action, attributes = {}) {
  return element(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, click: action, ...attributes },
    icon(name));
}

/** Changes a picture button's label. */
export function setLabel(button, label) {
  button.setAttribute("aria-label", label);
  button.title = label;
}

/** Sets text only when it differs, so that a live region does not repeat itself. */
export function setText(made, text) {
  if (made.textContent !== text) made.textContent = text;
}
