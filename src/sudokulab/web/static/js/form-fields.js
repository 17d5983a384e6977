// Fields of the setup forms.

import { el } from "./elements.js";

// An input below its label.
export function field(label, input) {
  return el("div", { className: "field" }, el("label", { htmlFor: input.id, textContent: label }), input);
}

// An input for a number, which may be left with any text: `numberIn` reads it.
export function numberInput(id, onchange, properties) {
  return el("input", { type: "number", id, onchange, ...properties });
}

// Write the number of an address into an input; a text that is not a number counts as missing.
export function setNumber(input, text, fallback) {
  input.value = text && Number.isFinite(Number(text)) ? text : fallback;
}

// The number in an input, kept within its bounds.
export function numberIn(input, fallback) {
  const value = input.value === "" ? NaN : Number(input.value);
  if (!Number.isFinite(value)) return fallback;
  const whole = input.step === "1" ? Math.floor(value) : value;
  return Math.min(Math.max(whole, Number(input.min)), Number(input.max));
}
