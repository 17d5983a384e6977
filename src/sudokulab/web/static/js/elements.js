// Small helpers that create elements. Text is always set as text, never parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined} Child */

/**
 * Create an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} properties - DOM properties (className, onclick, textContent, …); keys with a dash or
 *   `role` are attributes
 * @param {(Child | Child[])[]} children - null children are left out
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const element = /** @type {any} */ (document.createElement(tag));
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key.includes("-") || key === "role" || key === "for") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * Create an SVG element with attributes.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {Node[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/**
 * @param {string} text
 * @param {((event: MouseEvent) => unknown) | null} onclick
 * @param {Record<string, any>} [properties]
 */
export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", textContent: text, onclick, ...properties });
}

/**
 * Create a select element from values, or from [value, text] pairs.
 *
 * @param {(string | [string, string])[]} values
 * @param {string} chosen
 * @param {((value: string) => unknown) | null} [onchange]
 * @param {Record<string, any>} [properties]
 */
export function select(values, chosen, onchange = null, properties = {}) {
  const options = values.map((entry) => {
    const [value, text] = Array.isArray(entry) ? entry : [entry, entry];
    return el("option", { value, textContent: text, selected: value === chosen });
  });
  /** @param {Event & { target: HTMLSelectElement }} event */
  const change = (event) => onchange?.(event.target.value);
  return el("select", { onchange: change, ...properties }, options);
}

/** The element with an id, which the page must have.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element ${id}.`);
  return element;
}

let timer = 0;

/** Show a message at the lower edge for a few seconds. Screen readers announce it.
 * @param {string} message
 */
export function say(message, { isError = false } = {}) {
  const status = byId("status");
  status.textContent = message;
  status.classList.toggle("is-error", isError);
  clearTimeout(timer);
  timer = setTimeout(() => (status.textContent = ""), isError ? 8000 : 4000);
}

/** The pen that draws on a canvas.
 * @param {HTMLCanvasElement} canvas
 */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/** Offer a text or blob as a file to save.
 * @param {string} name
 * @param {string | Blob} content
 */
export function save(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Copy text to the clipboard, and say so.
 * @param {string} text
 * @param {string} message
 */
export async function copy(text, message) {
  try {
    await navigator.clipboard.writeText(text);
    say(message);
  } catch {
    say("The browser does not allow copying here; select the text instead.", { isError: true });
  }
}
