// Small helpers that create elements. Text is always set as text, never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

// Create an HTML element. `properties` are DOM properties (className, onclick, textContent, …); keys with a dash or
// `role` are attributes. Children are nodes or text; null children are left out.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// Create an SVG element with attributes.
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", textContent: text, onclick, ...properties });
}

// Create a select element from values, or from [value, text] pairs.
export function select(values, chosen, onchange, properties = {}) {
  const options = values.map((entry) => {
    const [value, text] = Array.isArray(entry) ? entry : [entry, entry];
    return el("option", { value, textContent: text, selected: value === chosen });
  });
  return el("select", { onchange: (event) => onchange?.(event.target.value), ...properties }, options);
}

// Show a message at the lower edge for a few seconds. Screen readers announce it.
let timer = 0;
export function say(message, { isError = false } = {}) {
  const status = document.getElementById("status");
  status.textContent = message;
  status.classList.toggle("is-error", isError);
  clearTimeout(timer);
  timer = setTimeout(() => (status.textContent = ""), isError ? 8000 : 4000);
}

// Offer a text or blob as a file to save.
export function save(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Copy text to the clipboard, and say so.
export async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    say(message);
  } catch {
    say("The browser does not allow copying here; select the text instead.", { isError: true });
  }
}
