// The panel beside the board with the answer to the last question.

import { button, el } from "../elements.js";

export class AnswerPanel {
  element = el("section", { className: "answer card", hidden: true, "aria-label": "Answer" });
  announcer = el("div", { className: "hidden", role: "status" });
  #onClose;
  /** @type {string | null} */
  #givens = null; // the line of the givens that the answer is about, if it is about them alone

  /** @param {() => void} onClose */
  constructor(onClose) {
    this.#onClose = onClose;
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  // Show an answer; `givens` is their line if it depends on nothing else.
  /** @param {string} title @param {Node[]} content @param {string | null} [givens] */
  show(title, content, givens = null) {
    this.#givens = givens;
    const { hasFocus } = this;
    const close = button("✕", () => this.#onClose(), { className: "quiet close", "aria-label": "Close the answer" });
    const head = el("div", { className: "row spread" }, el("h2", { textContent: title }), close);
    this.element.hidden = false;
    this.element.replaceChildren(head, ...content);
    /** @type {HTMLElement} */
    const first = this.element.querySelector("button.primary") ?? close;
    if (hasFocus) first.focus();
    this.announcer.textContent = `${title}. ${this.element.querySelector("p")?.textContent ?? ""}`;
  }

  // Whether the answer is still true after the digits of the player have changed.
  /** @param {string} givens */
  isAbout(givens) {
    return this.#givens === givens;
  }

  // A new question is asked: the answer closes with the next change of the board.
  expire() {
    this.#givens = null;
  }

  clear() {
    this.expire();
    this.element.hidden = true;
    this.element.replaceChildren();
    this.announcer.textContent = "";
  }
}
