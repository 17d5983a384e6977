// The selected cells of a board and its cursor, the cell that has the keyboard focus.

/** @import { Geometry } from "../geometry.js" */

export class Selection extends EventTarget {
  /** @param {Geometry} geometry */
  constructor(geometry) {
    super();
    this.geometry = geometry;
    /** @type {Set<number>} */
    this.cells = new Set();
    this.cursor = 0;
  }

  /** @param {number} cell */
  only(cell) {
    this.#set(new Set([cell]), cell);
  }

  /** @param {number} cell */
  add(cell) {
    this.#set(new Set(this.cells).add(cell), cell);
  }

  /** @param {number} cell */
  toggle(cell) {
    const cells = new Set(this.cells);
    if (!cells.delete(cell)) cells.add(cell);
    this.#set(cells, cell);
  }

  /** @param {Iterable<number>} cells */
  these(cells) {
    this.#set(new Set(cells), this.cursor);
  }

  all() {
    this.these(Array.from({ length: this.geometry.numCells }, (_, cell) => cell));
  }

  clear() {
    this.these([]);
  }

  // Move the cursor by rows and columns, around the edges; `extends` keeps the selected cells.
  /** @param {number} rows @param {number} cols @param {boolean} isExtending */
  move(rows, cols, isExtending) {
    const { size } = this.geometry;
    /** @param {number} value */
    const at = (value) => ((value % size) + size) % size;
    const row = at(this.geometry.row(this.cursor) + rows);
    const cell = row * size + at(this.geometry.col(this.cursor) + cols);
    if (isExtending) this.add(cell);
    else this.only(this.cells.size === 0 ? this.cursor : cell);
  }

  // Move the cursor to a column of its row.
  /** @param {number} col @param {boolean} isExtending */
  moveToColumn(col, isExtending) {
    const cell = this.geometry.row(this.cursor) * this.geometry.size + col;
    if (isExtending) this.add(cell);
    else this.only(cell);
  }

  /** @param {Set<number>} cells @param {number} cursor */
  #set(cells, cursor) {
    this.cells = cells;
    this.cursor = cursor;
    this.dispatchEvent(new Event("change"));
  }
}
