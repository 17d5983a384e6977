// Fields of the setup forms.

import { el } from "./elements.js";

// An input below its label.
/** @param {string} label @param {HTMLElement} input */
export function field(label, input) {
  return el("div", { className: "field" }, el("label", { htmlFor: input.id, textContent: label }), input);
}

// An input for a number, which may be left with any text: `numberIn` reads it.
/** @param {string} id @param {() => void} onchange @param {Record<string, any>} properties */
export function numberInput(id, onchange, properties) {
  return el("input", { type: "number", id, onchange, ...properties });
}

// Write the number of an address into an input; a text that is not a number counts as missing.
/** @param {HTMLInputElement} input @param {string | null} text @param {number} fallback */
export function setNumber(input, text, fallback) {
  input.value = text && Number.isFinite(Number(text)) ? text : String(fallback);
}

// The number in an input, kept within its bounds.
/** @param {HTMLInputElement} input @param {number} fallback */
export function numberIn(input, fallback) {
  const value = input.value === "" ? NaN : Number(input.value);
  if (!Number.isFinite(value)) return fallback;
  const whole = input.step === "1" ? Math.floor(value) : value;
  return Math.min(Math.max(whole, Number(input.min)), Number(input.max));
}
