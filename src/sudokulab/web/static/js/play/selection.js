// The selected cells of a board and its cursor, the cell that has the keyboard focus.

export class Selection extends EventTarget {
  constructor(geometry) {
    super();
    this.geometry = geometry;
    this.cells = new Set();
    this.cursor = 0;
  }

  only(cell) {
    this.#set(new Set([cell]), cell);
  }

  add(cell) {
    this.#set(new Set(this.cells).add(cell), cell);
  }

  toggle(cell) {
    const cells = new Set(this.cells);
    if (!cells.delete(cell)) cells.add(cell);
    this.#set(cells, cell);
  }

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
  move(rows, cols, isExtending) {
    const { size } = this.geometry;
    const at = (value) => ((value % size) + size) % size;
    const row = at(this.geometry.row(this.cursor) + rows);
    const cell = row * size + at(this.geometry.col(this.cursor) + cols);
    if (isExtending) this.add(cell);
    else this.only(this.cells.size === 0 ? this.cursor : cell);
  }

  // Move the cursor to a column of its row.
  moveToColumn(col, isExtending) {
    const cell = this.geometry.row(this.cursor) * this.geometry.size + col;
    if (isExtending) this.add(cell);
    else this.only(cell);
  }

  #set(cells, cursor) {
    this.cells = cells;
    this.cursor = cursor;
    this.dispatchEvent(new Event("change"));
  }
}
