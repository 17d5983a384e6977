// The board that a player uses: the drawing, and on top of it a transparent grid of cells for the pointer, the keyboard
// focus and screen readers.

import { BoardView } from "../board-view.js";
import { el } from "../elements.js";
import { digitsOf, symbolOf } from "../geometry.js";

/** @import { Scene } from "../board-view.js" */
/** @import { Geometry } from "../geometry.js" */
/** @import { Selection } from "./selection.js" */

/** @typedef {"only" | "add" | "toggle" | "equal"} PickKind */

const ZOOMS = [1, 1.5, 2, 3];
const ZOOMABLE_SIZE = 12;

export class PlayerBoard {
  /** @type {HTMLElement[]} */
  #cells = [];
  /** @type {string[]} */
  #labels = [];
  #isDragging = false;
  #zoom = 0;

  // `onPick(cell, kind)` is called when a cell is picked: only it, added, toggled, or with all equal cells.
  /**
   * @param {Geometry} geometry
   * @param {Selection} selection
   * @param {{ onPick: (cell: number, kind: PickKind) => void, isPickingSeveral: () => boolean }} listeners
   */
  constructor(geometry, selection, { onPick, isPickingSeveral }) {
    this.geometry = geometry;
    this.selection = selection;
    this.onPick = onPick;
    this.isPickingSeveral = isPickingSeveral;
    this.view = new BoardView(geometry, { isDecorative: true });
    this.grid = this.#makeGrid();
    this.view.element.append(this.grid);
    this.scroller = el("div", { className: "board-scroller" }, this.view.element);
    this.element = el("div", { className: "player-board" }, this.scroller);
  }

  get canZoom() {
    return this.geometry.size >= ZOOMABLE_SIZE;
  }

  /** @param {number} steps */
  zoomBy(steps) {
    this.#zoom = Math.max(0, Math.min(ZOOMS.length - 1, this.#zoom + steps));
    const zoom = ZOOMS[this.#zoom];
    this.view.element.style.width = `${zoom * 100}%`;
    this.element.classList.toggle("is-zoomed", zoom > 1);
    this.#cells[this.selection.cursor].scrollIntoView({ block: "nearest", inline: "nearest" });
    return zoom;
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.view.draw(scene);
    this.#cells.forEach((element, cell) => {
      const label = this.#labelOf(scene, cell);
      if (this.#labels[cell] !== label) element.setAttribute("aria-label", (this.#labels[cell] = label));
      const isSelected = this.selection.cells.has(cell);
      if ((element.ariaSelected === "true") !== isSelected) element.ariaSelected = String(isSelected);
      element.tabIndex = cell === this.selection.cursor ? 0 : -1;
    });
    if (this.grid.contains(document.activeElement)) this.focus();
  }

  focus() {
    this.#cells[this.selection.cursor].focus({ preventScroll: this.#zoom === 0 });
  }

  get hasFocus() {
    return this.grid.contains(document.activeElement);
  }

  #makeGrid() {
    const { size, numCells } = this.geometry;
    this.#cells = Array.from({ length: numCells }, (_, cell) => {
      const onfocus = () => this.#focused(cell);
      return el("div", { role: "gridcell", tabIndex: -1, "aria-selected": "false", onfocus });
    });
    const rows = Array.from({ length: size }, (_, row) =>
      el("div", { role: "row" }, this.#cells.slice(row * size, (row + 1) * size)),
    );
    const grid = el(
      "div",
      {
        role: "grid",
        className: "cells",
        "aria-label": `Sudoku grid, ${size}×${size}`,
        "aria-multiselectable": "true",
      },
      rows,
    );
    grid.style.setProperty("--size", String(size));
    grid.onpointerdown = (event) => this.#press(event);
    grid.onpointermove = (event) => this.#drag(event);
    grid.onpointerup = grid.onpointercancel = () => (this.#isDragging = false);
    return grid;
  }

  // Focus that comes from the keyboard or a screen reader selects the cell.
  /** @param {number} cell */
  #focused(cell) {
    if (this.#isDragging || (this.selection.cursor === cell && this.selection.cells.size > 0)) return;
    this.onPick(cell, "only");
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell < 0 || event.button !== 0) return;
    event.preventDefault(); // the focus is set below, and no text is selected
    this.#isDragging = event.pointerType !== "touch" || this.#zoom === 0;
    if (this.#isDragging) this.grid.setPointerCapture(event.pointerId);
    const isAdding = event.ctrlKey || event.metaKey || event.shiftKey || this.isPickingSeveral();
    if (this.#isSecondPress(event, cell)) this.onPick(cell, "equal");
    else if (isAdding) this.onPick(cell, "toggle");
    else this.onPick(cell, "only");
    this.focus();
  }

  #lastPress = { cell: -1, time: 0 };
  /** @param {PointerEvent} event @param {number} cell */
  #isSecondPress(event, cell) {
    const { cell: before, time } = this.#lastPress;
    this.#lastPress = { cell, time: event.timeStamp };
    return before === cell && event.timeStamp - time < 350;
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    if (!this.#isDragging || !(event.buttons & 1)) return;
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell >= 0 && !this.selection.cells.has(cell)) this.onPick(cell, "add");
  }

  /** @param {Scene} scene @param {number} cell */
  #labelOf(scene, cell) {
    const { size } = this.geometry;
    /** @param {number} mask */
    const symbols = (mask) =>
      digitsOf(mask)
        .map((digit) => symbolOf(digit, size))
        .join(" ");
    const given = scene.givens?.[cell];
    const digit = scene.digits?.[cell];
    const parts = [`row ${this.geometry.row(cell) + 1} column ${this.geometry.col(cell) + 1}`];
    if (given) parts.push(`given ${symbolOf(given, size)}`);
    else if (digit) parts.push(symbolOf(digit, size));
    else {
      parts.push("empty");
      const { corners, centres, candidates } = scene;
      if (corners?.[cell]) parts.push(`corner marks ${symbols(corners[cell])}`);
      if (centres?.[cell]) parts.push(`centre marks ${symbols(centres[cell])}`);
      if (candidates?.[cell]) parts.push(`candidates ${symbols(candidates[cell])}`);
    }
    if (scene.clashes?.has(cell)) parts.push("conflicts");
    if (scene.wrong?.has(cell)) parts.push("wrong");
    return parts.join(", ");
  }
}
