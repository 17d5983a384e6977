// What a board shows of a frame: a scene for BoardView, and the legend of what is drawn.

import { digitsOf } from "./geometry.js";
import { el } from "./elements.js";

/** @import { Mark, Scene, Shade } from "./board-view.js" */
/** @import { Frame, Recording } from "./recording.js" */

const MAX_STRIKES = 250; // more of them, as after a jump, would hide the grid
const NUM_DECISION_SHADES = 6;

/** @typedef {keyof typeof LAYERS} Layer */

// Parts of the drawing that can be switched off, in the order of the check boxes.
export const LAYERS = {
  digits: "Digits",
  changes: "Changes",
  candidates: "Candidates",
  pheromone: "Pheromone",
  tabu: "Tabu",
  decisions: "Decisions",
};

export function layerNames() {
  return /** @type {Layer[]} */ (Object.keys(LAYERS));
}

// The scene of a frame; `previous` is the frame before it, or null. `layers` is the set of parts to draw.
/** @param {Recording} recording @param {Frame} frame @param {Frame | null} previous @param {Set<string>} layers */
export function sceneOf(recording, frame, previous, layers) {
  const { header, geometry } = recording;
  const grid = layers.has("digits") ? frame.grid : header.givens;
  /** @type {Scene & { shades: Shade[], marks: Mark[] }} */
  const scene = { givens: header.givens, digits: grid, clashes: geometry.clashes(grid), shades: [], marks: [] };
  if (layers.has("changes") && previous) scene.shades.push(...changedCells(header.givens, frame, previous));
  if (layers.has("decisions")) scene.shades.push(...decisionShades(frame.decisions));
  if (layers.has("candidates") && frame.candidates) {
    scene.candidates = frame.candidates;
    scene.shades.push(...deadEnds(frame));
    if (layers.has("changes") && previous?.candidates) scene.marks.push(...eliminations(frame, previous));
  }
  if (layers.has("pheromone") && frame.heat) scene.heat = frame.heat;
  if (layers.has("tabu")) for (const [cell, digit] of frame.tabu) scene.marks.push([cell, digit, "tabu"]);
  return scene;
}

// The layers for which a frame has something to draw.
/** @param {Frame} frame */
export function layersOf(frame) {
  /** @type {Layer[]} */
  const found = ["digits", "changes"];
  if (frame.candidates) found.push("candidates");
  if (frame.heat) found.push("pheromone");
  if (frame.tabu.length) found.push("tabu");
  if (frame.decisions.length) found.push("decisions");
  return found;
}

// Changed cells, unless most of them are: then the shades say nothing.
/** @param {number[]} givens @param {Frame} frame @param {Frame} previous */
function changedCells(givens, frame, previous) {
  /** @type {Shade[]} */
  const shades = [];
  frame.grid.forEach((digit, cell) => {
    if (!givens[cell] && digit !== previous.grid[cell]) shades.push([cell, "changed"]);
  });
  const numOpen = givens.filter((digit) => digit === 0).length;
  return shades.length <= numOpen / 2 ? shades : [];
}

// Decisions are darker the earlier they were made: they hold for longer.
/** @param {[number, number][]} decisions @returns {Shade[]} */
function decisionShades(decisions) {
  return decisions.map(([cell], order) => [cell, `decision order-${Math.min(order, NUM_DECISION_SHADES - 1)}`]);
}

// Open cells without candidates: the search has to turn back.
/** @param {Frame} frame @returns {Shade[]} */
function deadEnds({ grid, candidates = [] }) {
  return candidates.flatMap((mask, cell) => (mask === 0 && grid[cell] === 0 ? [[cell, "clash"]] : []));
}

/** @param {Frame} frame @param {Frame} previous */
function eliminations(frame, previous) {
  /** @type {Mark[]} */
  const marks = [];
  frame.candidates?.forEach((mask, cell) => {
    const gone = (previous.candidates?.[cell] ?? 0) & ~mask;
    if (!gone || !mask || frame.grid[cell]) return;
    for (const digit of digitsOf(gone)) marks.push([cell, digit, "eliminated"]);
  });
  return marks.length <= MAX_STRIKES ? marks : [];
}

/** @type {Record<string, [sample: string, text: string]>} */
const LEGEND = {
  given: ["5", "Given"],
  digits: ["5", "Digit of the current grid"],
  clash: ["5", "Clash: the digit occurs twice in its row, column or box"],
  changes: ["", "Changed since the last frame"],
  candidates: ["1 2 3", "Candidates; those just removed are struck out. A red cell has none left: a dead end"],
  pheromone: ["", "Pheromone of each candidate, at its place in the cell; a stronger colour means more"],
  tabu: ["5", "Tabu: for a while, this digit may not be placed in the cell"],
  decisions: ["", "Decision: the earlier, the darker"],
};

// A list that explains what is drawn.
/** @param {string[]} layers */
export function legendOf(layers) {
  const entries = ["given", "clash", ...layers].map((key) => {
    const [sample, text] = LEGEND[key];
    return el("li", {}, el("span", { className: `sample ${key}`, "aria-hidden": "true", textContent: sample }), text);
  });
  return el("ul", { className: "legend" }, entries);
}
