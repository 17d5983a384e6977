// What a player enters, by keys or on the keypad. `page` is the Play page.

import { say } from "../elements.js";
import { MODES } from "./game.js";
import { actionOf, isForControl } from "./keys.js";

/** @import { PlayPage } from "../play.js" */
/** @import { Mode } from "./game.js" */
/** @import { Action } from "./keys.js" */

/** @type {Record<string, Mode>} */
const HELD_MODES = { Shift: "corner", Control: "centre" };

export class Entry {
  #page;
  /** @type {Mode} */
  #mode = "digit";
  /** @type {Mode | null} */
  #heldMode = null; // while Shift or Ctrl is held

  /** @param {PlayPage} page */
  constructor(page) {
    this.#page = page;
  }

  // Listen to the keyboard. Returns a function that stops this.
  listen() {
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
    document.addEventListener("keyup", (event) => this.#hold(event.key, null), { signal });
    window.addEventListener("blur", () => this.#hold("Shift", null), { signal });
    return () => listeners.abort();
  }

  get mode() {
    return this.#heldMode ?? this.#mode;
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.#mode = mode;
    this.#page.draw();
  }

  // Enter a digit into the selected cells, or as a mark.
  /** @param {number} digit @param {Mode} [mode] */
  enter(digit, mode = this.mode) {
    const { cells } = this.#page.selection;
    if (cells.size === 0) {
      say("Select a cell first.");
      return;
    }
    this.#page.showGame();
    this.#page.game.enter([...cells], digit, mode);
  }

  erase() {
    this.#page.showGame();
    this.#page.game.erase([...this.#page.selection.cells], this.#mode);
  }

  undo() {
    this.#page.showGame();
    this.#page.game.undo();
  }

  redo() {
    this.#page.showGame();
    this.#page.game.redo();
  }

  // Shift and Ctrl choose a mode while they are held.
  /** @param {string} key @param {Mode | null} mode */
  #hold(key, mode) {
    if (!(key in HELD_MODES) || this.#heldMode === mode) return;
    this.#heldMode = mode;
    this.#page.keypad.show(this.#page.game, this.mode);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.defaultPrevented || isForControl(event)) return;
    this.#hold(event.key, HELD_MODES[event.key] ?? null);
    const action = actionOf(event, this.#page.game.geometry.size, this.#mode);
    if (!action) return;
    event.preventDefault();
    this.#act(action);
  }

  /** @param {Action} action */
  #act(action) {
    const { selection } = this.#page;
    const { name, by: [rows, cols] = [0, 0], isExtending = false, digit = 0, mode = this.mode } = action;
    const actions = {
      move: () => selection.move(rows, cols, isExtending),
      home: () => selection.moveToColumn(0, isExtending),
      end: () => selection.moveToColumn(selection.geometry.size - 1, isExtending),
      enter: () => this.enter(digit, mode),
      erase: () => this.erase(),
      escape: () => (this.#page.panel.isOpen ? this.#page.closeAnswer() : selection.clear()),
      cycle: () => this.setMode(MODES[(MODES.indexOf(this.#mode) + 1) % MODES.length]),
      mode: () => this.setMode(mode),
      undo: () => this.undo(),
      redo: () => this.redo(),
      all: () => selection.all(),
    };
    actions[name]();
    if (["move", "home", "end"].includes(name)) this.#page.board.focus();
  }
}
