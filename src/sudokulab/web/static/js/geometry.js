// Grids: cells are numbered row by row from 0, digits are 1..size, 0 is a blank.

const LONGEST = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz$%&";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY";
export const MAX_SIZE = 25;

/** @typedef {{ geometry: Geometry, givens: number[], name?: string }} Puzzle */

// The symbols of the digits 1..size, as everywhere in Sudokulab: letters for size 25, else 1-9 and then letters.
/** @param {number} size */
export function symbolsOf(size) {
  return size === 25 ? LETTERS : LONGEST.slice(0, size);
}

/** @param {number} digit @param {number} size */
export function symbolOf(digit, size) {
  return digit === 0 ? "" : symbolsOf(size)[digit - 1];
}

/** @param {number[]} cells @param {number} size */
export function lineOf(cells, size) {
  return cells.map((digit) => symbolOf(digit, size) || ".").join("");
}

// The cells of a line in our own alphabet; null if it does not fit.
/** @param {string} line @param {number} size */
export function cellsOf(line, size) {
  const symbols = symbolsOf(size);
  if (line.length !== size * size) return null;
  const cells = Array.from(line, (char) => (char === "." || char === "0" ? 0 : symbols.indexOf(char) + 1 || -1));
  return cells.includes(-1) ? null : cells;
}

/** @param {number} cell @param {number} size */
export function cellName(cell, size) {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

// The digits of a bit mask, in which bit d - 1 stands for digit d.
/** @param {number} mask */
export function digitsOf(mask) {
  const digits = [];
  for (let digit = 1, rest = mask; rest !== 0; ++digit, rest >>>= 1) if (rest & 1) digits.push(digit);
  return digits;
}

/**
 * The most square box shape of a size, at least as wide as high.
 *
 * @param {number} size
 * @returns {[rows: number, cols: number] | null}
 */
export function defaultBox(size) {
  for (let rows = Math.floor(Math.sqrt(size)); rows > 1; --rows) if (size % rows === 0) return [rows, size / rows];
  return null;
}

// All box shapes of a size, such as ["2x6", "3x4", "4x3", "6x2"].
/** @param {number} size */
export function boxesOf(size) {
  const boxes = [];
  for (let rows = 2; rows <= size / 2; ++rows) if (size % rows === 0) boxes.push(`${rows}x${size / rows}`);
  return boxes;
}

export class Geometry {
  /** @param {number} boxRows @param {number} boxCols */
  constructor(boxRows, boxCols) {
    this.boxRows = boxRows;
    this.boxCols = boxCols;
    this.size = boxRows * boxCols;
    this.numCells = this.size * this.size;
    this.box = `${boxRows}x${boxCols}`;
    this.units = this.#makeUnits();
  }

  /** @param {string} box */
  static parse(box) {
    const [rows, cols] = box.split("x").map(Number);
    return new Geometry(rows, cols);
  }

  /** @param {number} size */
  static ofSize(size) {
    const shape = defaultBox(size);
    if (!shape) throw new RangeError(`A grid of size ${size} has no boxes.`);
    return new Geometry(...shape);
  }

  /** @param {number} cell */
  row(cell) {
    return Math.floor(cell / this.size);
  }

  /** @param {number} cell */
  col(cell) {
    return cell % this.size;
  }

  /** @param {number} cell */
  boxOf(cell) {
    return Math.floor(this.row(cell) / this.boxRows) * this.boxRows + Math.floor(this.col(cell) / this.boxCols);
  }

  /** @param {number} cell */
  unitsOf(cell) {
    return [this.row(cell), this.size + this.col(cell), 2 * this.size + this.boxOf(cell)].map(
      (unit) => this.units[unit],
    );
  }

  /** @param {number} cell */
  peersOf(cell) {
    const peers = new Set(this.unitsOf(cell).flat());
    peers.delete(cell);
    return [...peers];
  }

  // The candidates that the digits of a grid leave, as a bit mask per cell.
  /** @param {number[]} grid */
  candidates(grid) {
    const all = 2 ** this.size - 1;
    return grid.map((digit, cell) =>
      digit ? 0 : this.peersOf(cell).reduce((mask, peer) => (grid[peer] ? mask & ~(1 << (grid[peer] - 1)) : mask), all),
    );
  }

  #makeUnits() {
    /** @type {number[][]} */
    const units = Array.from({ length: 3 * this.size }, () => []);
    for (let cell = 0; cell < this.numCells; ++cell) {
      units[this.row(cell)].push(cell);
      units[this.size + this.col(cell)].push(cell);
      units[2 * this.size + this.boxOf(cell)].push(cell);
    }
    return units;
  }

  // The cells whose digit occurs again in a row, column or box.
  /** @param {number[]} grid */
  clashes(grid) {
    /** @type {Set<number>} */
    const found = new Set();
    for (const unit of this.units) {
      const first = new Map();
      for (const cell of unit) {
        const digit = grid[cell];
        if (digit === 0) continue;
        if (first.has(digit)) found.add(cell).add(first.get(digit));
        else first.set(digit, cell);
      }
    }
    return found;
  }
}
