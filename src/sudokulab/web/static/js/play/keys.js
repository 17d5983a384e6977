// What a key means on the board. Letters enter digits where they are symbols of the size; else Z, X and C choose the mode.

import { symbolsOf } from "../geometry.js";

/** @import { Mode } from "./game.js" */

/**
 * @typedef {{ name: "move" | "home" | "end" | "enter" | "mode" | "erase" | "escape" | "cycle" | "undo" | "redo" | "all",
 *   by?: [rows: number, cols: number], isExtending?: boolean, digit?: number, mode?: Mode }} Action
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** @type {Record<string, Mode>} */
const MODE_KEYS = { Z: "digit", X: "corner", C: "centre" };

// The digit of a key, 0 if it has none. Shift changes the character of a digit key, so its code counts.
/** @param {KeyboardEvent} event @param {string} symbols */
function digitOf(event, symbols) {
  const code = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
  const symbol =
    code && (event.shiftKey || event.key === code) ? code : event.key.length === 1 ? event.key.toUpperCase() : "";
  return symbol ? symbols.indexOf(symbol) + 1 : 0;
}

/** @param {number} size */
export function hasModeKeys(size) {
  return !Object.keys(MODE_KEYS).some((key) => symbolsOf(size).includes(key));
}

// The action of a key as {name, …}; null if the page does not use it.
/** @param {KeyboardEvent} event @param {number} size @param {Mode} mode @returns {Action | null} */
export function actionOf(event, size, mode) {
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey) return null;
  if (event.key in ARROWS) return { name: "move", by: ARROWS[event.key], isExtending: event.shiftKey || isCommand };
  if (event.key === "Home") return { name: "home", isExtending: event.shiftKey };
  if (event.key === "End") return { name: "end", isExtending: event.shiftKey };
  if (event.key === "Backspace" || event.key === "Delete") return { name: "erase" };
  if (event.key === "Escape") return { name: "escape" };
  if (event.key === " ") return { name: "cycle" };
  const letter = event.key.toUpperCase();
  if (isCommand) {
    if (letter === "Z") return { name: event.shiftKey ? "redo" : "undo" };
    if (letter === "Y") return { name: "redo" };
    if (letter === "A") return { name: "all" };
    const digit = /^(Digit|Numpad)/.test(event.code) ? digitOf(event, symbolsOf(size)) : 0;
    return digit ? { name: "enter", digit, mode: "centre" } : null;
  }
  const digit = digitOf(event, symbolsOf(size));
  if (digit) return { name: "enter", digit, mode: event.shiftKey ? "corner" : mode };
  if (event.key === "0" || event.key === ".") return { name: "erase" };
  if (letter in MODE_KEYS && hasModeKeys(size)) return { name: "mode", mode: MODE_KEYS[letter] };
  return null;
}

// Whether a key belongs to the element that has the focus, such as a text field or a list.
/** @param {KeyboardEvent} event */
export function isForControl(event) {
  const target = event.target;
  if (!(target instanceof Element)) return false;
  if (target.closest("dialog, input, textarea, select, [contenteditable]")) return true;
  if (target.closest("[role=listbox], summary")) return event.key !== "Escape";
  return Boolean(target.closest("button, a")) && ["Enter", " "].includes(event.key);
}
