// Steps of techniques: how they are drawn on a board, and said beside it.

import { el } from "../elements.js";
import { cellName, symbolOf } from "../geometry.js";
import { shaded } from "./game-scene.js";

/** @import { Mark, Scene, Shade } from "../board-view.js" */

/**
 * A step of a technique, as the server explains it.
 *
 * @typedef {object} Step
 * @property {string} name
 * @property {string} [variant]
 * @property {string} sentence
 * @property {number[]} board
 * @property {number[]} candidates
 * @property {{ cells: number[], units: any[][], candidates: Mark[],
 *   links: { from: number[][], to: number[][], is_strong: boolean }[], placements: [number, number][],
 *   eliminations: [number, number][] }} marks
 */

const LEGEND = [
  ["pattern", "pattern"],
  ["fin", "fin"],
  ["set-a", "set A"],
  ["set-b", "set B"],
  ["set-c", "set C"],
  ["set-d", "set D"],
  ["placed", "placed"],
  ["eliminated", "eliminated"],
];

// The styles of sets repeat after four.
/** @param {string} role */
function roleOf(role) {
  const letter = /^set-(.)$/.exec(role)?.[1];
  return letter ? `set-${"abcd"[(letter.charCodeAt(0) - 97) % 4]}` : role;
}

// The scene of a step: the board before it, its candidates, and the marks.
/** @param {Step} step @param {number[]} givens @returns {Scene & { shades: Shade[] }} */
export function sceneOfStep({ board, candidates, marks }, givens) {
  const kind = marks.units[0]?.[0];
  const covers = marks.units.filter(([other]) => other !== kind).flatMap(([, ...cells]) => cells);
  const units = marks.units.filter(([other]) => other === kind).flatMap(([, ...cells]) => cells);
  return {
    givens,
    digits: board.map((digit, cell) => (givens[cell] ? 0 : digit)),
    candidates,
    shades: [...shaded(covers, "cover"), ...shaded(units, "unit"), ...shaded(marks.cells, "pattern")],
    marks: marks.candidates.map(([cell, digit, role]) => [cell, digit, roleOf(role)]),
    links: marks.links.map(({ from, to, is_strong: isStrong }) => ({ from, to, isStrong })),
  };
}

// What the step does, in short: "r3c5 = 7" or "r1c2 ≠ 4, r1c3 ≠ 4".
/** @param {Step} step @param {number} size */
export function conclusionOf({ marks }, size) {
  /** @param {[number, number][]} pairs @param {string} sign */
  const named = (pairs, sign) =>
    pairs.map(([cell, digit]) => `${cellName(cell, size)} ${sign} ${symbolOf(digit, size)}`);
  const parts = [...named(marks.placements, "="), ...named(marks.eliminations, "≠")];
  return parts.length > 4 ? `${parts.slice(0, 3).join(", ")} and ${parts.length - 3} more` : parts.join(", ");
}

// Explain the marks that a step uses.
/** @param {Step} step */
export function legendOf({ marks }) {
  const roles = new Set(marks.candidates.map(([, , role]) => roleOf(role)));
  const entries = LEGEND.filter(([role]) => roles.has(role)).map(([role, text]) => legendEntry(role, text));
  if (marks.links.some((link) => link.is_strong)) entries.push(legendEntry("strong-link", "strong link"));
  if (marks.links.some((link) => !link.is_strong)) entries.push(legendEntry("weak-link", "weak link"));
  return el("ul", { className: "step-legend", "aria-label": "Legend" }, entries);
}

/** @param {string} role @param {string} text */
function legendEntry(role, text) {
  return el("li", {}, el("span", { className: `step-sample ${role}`, "aria-hidden": "true" }), text);
}
