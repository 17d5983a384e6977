// A game: the givens of a puzzle, and the digits and pencil marks of a player, with unlimited undo. It knows nothing of
// the page. A "change" event follows every change.

import { lineOf } from "../geometry.js";

/** @import { Geometry } from "../geometry.js" */
/** @import { Step } from "./steps.js" */

/**
 * @typedef {"digit" | "corner" | "centre"} Mode
 * @typedef {{ digit: number, isGiven: boolean, corners: number, centres: number }} GameCell
 * @typedef {Map<number, Partial<GameCell>>} Edits - what changes, by cell
 * @typedef {{ index: number, before: GameCell, after: GameCell }[]} Patch
 */

/** @type {Mode[]} */
export const MODES = ["digit", "corner", "centre"];
/** @type {GameCell} */
const BLANK = Object.freeze({ digit: 0, isGiven: false, corners: 0, centres: 0 });
const KEYS = /** @type {(keyof GameCell)[]} */ (Object.keys(BLANK));
/** @type {{ corner: "corners", centre: "centres" }} */
const MARKS = { corner: "corners", centre: "centres" };

export class Game extends EventTarget {
  #cells;
  /** @type {Patch[]} */
  #done = [];
  /** @type {Patch[]} */
  #undone = [];

  /** @param {Geometry} geometry @param {number[]} givens @param {{ name?: string }} [options] */
  constructor(geometry, givens, { name = "" } = {}) {
    super();
    this.geometry = geometry;
    this.name = name;
    this.isSetting = givens.every((digit) => digit === 0);
    this.tidiesMarks = true;
    this.#cells = givens.map((digit) => (digit ? { ...BLANK, digit, isGiven: true } : BLANK));
  }

  /** @param {number} index */
  cell(index) {
    return this.#cells[index];
  }

  get givens() {
    return this.#cells.map(({ digit, isGiven }) => (isGiven ? digit : 0));
  }

  get digits() {
    return this.#cells.map(({ digit, isGiven }) => (isGiven ? 0 : digit));
  }

  get grid() {
    return this.#cells.map(({ digit }) => digit);
  }

  get corners() {
    return this.#cells.map(({ corners }) => corners);
  }

  get centres() {
    return this.#cells.map(({ centres }) => centres);
  }

  get line() {
    return lineOf(this.givens, this.geometry.size);
  }

  get numGivens() {
    return this.#cells.filter(({ isGiven }) => isGiven).length;
  }

  get hasProgress() {
    return this.#cells.some(({ digit, isGiven, corners, centres }) => (digit && !isGiven) || corners || centres);
  }

  get isFull() {
    return this.#cells.every(({ digit }) => digit !== 0);
  }

  get isSolved() {
    return this.isFull && this.geometry.clashes(this.grid).size === 0;
  }

  // Whether the player has noted the candidates of every open cell.
  get hasAllCentres() {
    return this.#cells.every(({ digit, centres }) => digit || centres);
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** @param {number} index */
  isLocked(index) {
    return this.#cells[index].isGiven && !this.isSetting;
  }

  /** @param {boolean} isSetting */
  setSetting(isSetting) {
    this.isSetting = isSetting;
    this.#changed();
  }

  // Enter a digit or pencil mark into cells; if all of them have it already, remove it.
  /** @param {number[]} cells @param {number} digit @param {Mode} mode */
  enter(cells, digit, mode) {
    if (mode === "digit") this.#enterDigit(cells, digit);
    else this.#enterMark(cells, digit, MARKS[mode]);
  }

  /** @param {number[]} cells @param {number} digit */
  #enterDigit(cells, digit) {
    const open = cells.filter((index) => !this.isLocked(index));
    const isThere = open.every(
      (index) => this.#cells[index].digit === digit && this.#cells[index].isGiven === this.isSetting,
    );
    const next = isThere ? { digit: 0, isGiven: false } : { digit, isGiven: this.isSetting };
    const edits = new Map(open.map((index) => [index, next]));
    if (!isThere && this.tidiesMarks && !this.isSetting) this.#tidy(open, digit, edits);
    this.#edit(edits);
  }

  // Remove the pencil marks of a digit from the peers of cells.
  /** @param {number[]} cells @param {number} digit @param {Edits} edits */
  #tidy(cells, digit, edits) {
    const keep = ~(1 << (digit - 1));
    for (const peer of cells.flatMap((cell) => this.geometry.peersOf(cell))) {
      const { corners, centres } = this.#cells[peer];
      edits.set(peer, { ...edits.get(peer), corners: corners & keep, centres: centres & keep });
    }
  }

  /** @param {number[]} cells @param {number} digit @param {"corners" | "centres"} kind */
  #enterMark(cells, digit, kind) {
    const open = cells.filter((index) => this.#cells[index].digit === 0);
    const bit = 1 << (digit - 1);
    const isThere = open.every((index) => this.#cells[index][kind] & bit);
    this.#edit(
      new Map(
        open.map((index) => [
          index,
          { [kind]: isThere ? this.#cells[index][kind] & ~bit : this.#cells[index][kind] | bit },
        ]),
      ),
    );
  }

  // Erase digits; where there are none, the marks of the mode, or else the other marks.
  /** @param {number[]} cells @param {Mode} mode */
  erase(cells, mode) {
    const open = cells.filter((index) => !this.isLocked(index));
    /** @type {(keyof GameCell)[]} */
    const kinds = mode === "corner" ? ["digit", "corners", "centres"] : ["digit", "centres", "corners"];
    const kind = kinds.find((name) => open.some((index) => this.#cells[index][name]));
    if (!kind) return;
    const blank = kind === "digit" ? { digit: 0, isGiven: false } : { [kind]: 0 };
    this.#edit(new Map(open.map((index) => [index, blank])));
  }

  // Remove everything that the player has entered.
  restart() {
    this.#edit(new Map(this.#cells.map((cell, index) => [index, cell.isGiven ? { corners: 0, centres: 0 } : BLANK])));
  }

  // Write digits into all open cells.
  /** @param {number[]} grid */
  fill(grid) {
    this.#edit(new Map(grid.map((digit, index) => [index, this.#cells[index].isGiven ? {} : { digit }])));
  }

  // Note all candidates that the digits leave as centre marks.
  noteCandidates() {
    this.noteCentres(this.geometry.candidates(this.grid));
  }

  /** @param {number[]} masks */
  noteCentres(masks) {
    this.#edit(new Map(masks.map((centres, index) => [index, this.#cells[index].digit ? {} : { centres }])));
  }

  // Do what a step says. If the player has not noted all candidates, those before the step are noted first.
  /** @param {Pick<Step, "candidates"> & { marks: Pick<Step["marks"], "eliminations" | "placements"> }} step */
  applyStep({ candidates, marks }) {
    /** @type {Edits} */
    const edits = new Map();
    /** @param {number} cell */
    const centresOf = (cell) => edits.get(cell)?.centres ?? this.#cells[cell].centres;
    if (marks.eliminations.length && !this.hasAllCentres) {
      candidates.forEach((centres, cell) => this.#cells[cell].digit || edits.set(cell, { centres }));
    }
    for (const [cell, digit] of marks.eliminations) {
      edits.set(cell, { centres: centresOf(cell) & ~(1 << (digit - 1)) });
    }
    for (const [cell, digit] of marks.placements) {
      edits.set(cell, { ...edits.get(cell), digit });
      this.#tidy([cell], digit, edits);
    }
    this.#edit(edits);
  }

  // Continue a stored game without a way back.
  /** @param {{ digits: number[], corners: number[], centres: number[] }} stored */
  resume({ digits, corners, centres }) {
    this.#cells = this.#cells.map((cell, index) =>
      cell.isGiven ? cell : { ...BLANK, digit: digits[index], corners: corners[index], centres: centres[index] },
    );
    this.#changed();
  }

  undo() {
    this.#move(this.#done, this.#undone, "before");
  }

  redo() {
    this.#move(this.#undone, this.#done, "after");
  }

  /** @param {Patch[]} from @param {Patch[]} to @param {"before" | "after"} side */
  #move(from, to, side) {
    const patch = from.pop();
    if (!patch) return;
    to.push(patch);
    for (const entry of patch) this.#cells[entry.index] = entry[side];
    this.#changed();
  }

  /** @param {Edits} edits */
  #edit(edits) {
    const patch = [];
    for (const [index, edit] of edits) {
      const before = this.#cells[index];
      const after = { ...before, ...edit };
      if (KEYS.some((key) => before[key] !== after[key])) patch.push({ index, before, after });
    }
    if (patch.length === 0) return;
    for (const { index, after } of patch) this.#cells[index] = after;
    this.#done.push(patch);
    this.#undone = [];
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
