// The keypad: modes, digits and the tools of a player. `entry` does what its buttons say.

import { button, el } from "../elements.js";
import { symbolOf } from "../geometry.js";
import { hasModeKeys } from "./keys.js";
import { MODES } from "./game.js";

/** @import { Geometry } from "../geometry.js" */
/** @import { Entry } from "./entry.js" */
/** @import { Game, Mode } from "./game.js" */

const MODE_NAMES = { digit: "Digit", corner: "Corner", centre: "Centre" };
const MODE_KEYS = { digit: "Z", corner: "X", centre: "C" };

export class Keypad {
  /** @type {Map<Mode, HTMLButtonElement>} */
  #modes = new Map();
  /** @type {HTMLButtonElement[]} */
  #digits = [];
  /** @type {Geometry} */
  #geometry;

  /** @param {Entry} entry */
  constructor(entry) {
    this.entry = entry;
    for (const mode of MODES) {
      this.#modes.set(
        mode,
        button(MODE_NAMES[mode], () => entry.setMode(mode), { className: `mode ${mode}` }),
      );
    }
    const modes = el("div", { className: "modes", role: "group", "aria-label": "Entry mode" }, [
      ...this.#modes.values(),
    ]);
    this.numbers = el("div", { className: "digits", role: "group", "aria-label": "Digits" });
    this.undo = button("Undo", () => entry.undo(), { title: "Undo (Ctrl-Z)" });
    this.redo = button("Redo", () => entry.redo(), { title: "Redo (Ctrl-Y)" });
    this.several = button("Multi", () => this.#toggleSeveral(), {
      "aria-pressed": "false",
      "aria-label": "Select several cells",
      title: "Taps add cells to the selection",
    });
    this.eraser = button("Erase", () => entry.erase(), {
      title: "Erase (Backspace)",
      className: "digit-key erase-key",
    });
    const tools = el("div", { className: "even" }, this.undo, this.redo, this.several);
    this.element = el("section", { className: "keypad card", "aria-label": "Keypad" }, modes, this.numbers, tools);
  }

  get isPickingSeveral() {
    return this.several.ariaPressed === "true";
  }

  #toggleSeveral() {
    this.several.ariaPressed = String(!this.isPickingSeveral);
  }

  /** @param {Geometry} geometry */
  setGeometry(geometry) {
    this.#geometry = geometry;
    const { size } = geometry;
    this.#digits = Array.from({ length: size }, (_, index) =>
      button(symbolOf(index + 1, size), () => this.entry.enter(index + 1), { className: "digit-key" }),
    );
    this.numbers.replaceChildren(...this.#digits, this.eraser);
    this.numbers.className = `digits ${size <= 9 ? "few" : "many"}`;
    for (const [mode, element] of this.#modes) {
      element.title = hasModeKeys(size)
        ? `${MODE_NAMES[mode]} (${MODE_KEYS[mode]} or Space)`
        : `${MODE_NAMES[mode]} (Space)`;
    }
  }

  // Show the state of a game: the mode, how often each digit is placed, and what can be undone.
  /** @param {Game} game @param {Mode} mode */
  show(game, mode) {
    for (const [name, element] of this.#modes) element.ariaPressed = String(name === mode);
    this.numbers.dataset.mode = mode;
    const { size } = this.#geometry;
    const counts = new Array(size + 1).fill(0);
    for (const digit of game.grid) ++counts[digit];
    this.#digits.forEach((element, index) => {
      const left = size - counts[index + 1];
      element.classList.toggle("is-done", left <= 0);
      element.setAttribute("aria-label", `${symbolOf(index + 1, size)}, ${Math.max(0, left)} left`);
    });
    this.undo.disabled = !game.canUndo;
    this.redo.disabled = !game.canRedo;
  }
}
