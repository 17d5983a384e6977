// What a player enters, by keys or on the keypad. `page` is the Play page.

import { say } from "../elements.js";
import { MODES } from "./game.js";
import { actionOf, isForControl } from "./keys.js";

const HELD_MODES = { Shift: "corner", Control: "centre" };

export class Entry {
  #page;
  #mode = "digit";
  #heldMode = null; // while Shift or Ctrl is held

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

  setMode(mode) {
    this.#mode = mode;
    this.#page.draw();
  }

  // Enter a digit into the selected cells, or as a mark.
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
  #hold(key, mode) {
    if (!(key in HELD_MODES) || this.#heldMode === mode) return;
    this.#heldMode = mode;
    this.#page.keypad.show(this.#page.game, this.mode);
  }

  #press(event) {
    if (event.defaultPrevented || isForControl(event)) return;
    this.#hold(event.key, HELD_MODES[event.key]);
    const action = actionOf(event, this.#page.game.geometry.size, this.#mode);
    if (!action) return;
    event.preventDefault();
    this.#act(action);
  }

  #act(action) {
    const { selection, panel } = this.#page;
    const actions = {
      move: () => selection.move(...action.by, action.isExtending),
      home: () => selection.moveToColumn(0, action.isExtending),
      end: () => selection.moveToColumn(selection.geometry.size - 1, action.isExtending),
      enter: () => this.enter(action.digit, action.mode),
      erase: () => this.erase(),
      escape: () => (panel.isOpen ? this.#page.closeAnswer() : selection.clear()),
      cycle: () => this.setMode(MODES[(MODES.indexOf(this.#mode) + 1) % MODES.length]),
      mode: () => this.setMode(action.mode),
      undo: () => this.undo(),
      redo: () => this.redo(),
      all: () => selection.all(),
    };
    actions[action.name]();
    if (["move", "home", "end"].includes(action.name)) this.#page.board.focus();
  }
}
