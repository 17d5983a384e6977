// The guide: the next step as a hint, and the whole path to the solution. `page` is the Play page.

import { button, el, say } from "../elements.js";
import { cellName, symbolOf } from "../geometry.js";
import { icon } from "../icons.js";
import { conclusionOf, legendOf, sceneOfStep } from "./steps.js";

/** @import { PlayPage } from "../play.js" */
/** @import { IconName } from "../icons.js" */
/** @import { Step } from "./steps.js" */

const PLAY_MILLISECONDS = 1200;

// A hint has three stages: the name of the technique, the drawing, and the step itself.
export class Hints {
  #page;
  /** @type {Step | null} */
  #step = null;

  /** @param {PlayPage} page */
  constructor(page) {
    this.#page = page;
  }

  forget() {
    this.#step = null;
  }

  // The first press names the technique, the second shows the step.
  async next() {
    if (this.#step) this.#show(this.#step);
    else await this.#ask();
  }

  async #ask() {
    const { game } = this.#page;
    const candidates = game.hasAllCentres ? game.centres : null;
    const answer = await this.#page.ask("hint", { board: this.#page.boardLine, candidates, ...this.#page.techniques });
    if (answer.ending === "mistakes") this.#showMistakes(answer);
    else if (answer.steps.length === 0) this.#page.answer("Hint", el("p", { textContent: answer.closing }));
    else this.#name(answer.steps[0]);
  }

  /** @param {Step} step */
  #name(step) {
    this.#step = step;
    this.#page.answer(
      "Hint",
      el("p", {}, "Next step: ", el("strong", { textContent: nameOf(step) })),
      this.#buttons(
        step,
        button("Show it", () => this.#show(step), { className: "primary" }),
      ),
    );
  }

  /** @param {Step} step */
  #show(step) {
    this.#page.showScene(sceneOfStep(step, this.#page.game.givens));
    this.#page.answer(
      nameOf(step),
      el("p", { className: "sentence", textContent: step.sentence }),
      legendOf(step),
      this.#buttons(step),
    );
  }

  /** @param {Step} step @param {...Node} more */
  #buttons(step, ...more) {
    const apply = button("Apply", () => this.#apply(step), { className: more.length ? "" : "primary" });
    return el("div", { className: "row" }, ...more, apply);
  }

  /** @param {Step} step */
  #apply(step) {
    this.#page.closeAnswer();
    this.#page.game.applyStep(step);
    say(conclusionOf(step, this.#page.game.geometry.size));
  }

  // Reasoning from a wrong digit would mislead, so the mistakes come first.
  /** @param {{ wrong_cells: number[], wrong_candidates: number[] }} answer */
  #showMistakes({ wrong_cells: cells, wrong_candidates: marks }) {
    const { game } = this.#page;
    const { size } = game.geometry;
    const digits = cells.map((cell) => `${cellName(cell, size)} is not ${symbolOf(game.cell(cell).digit, size)}.`);
    const names = marks.map((cell) => cellName(cell, size)).join(", ");
    const words = cells.length ? digits.slice(0, 8).join(" ") : `The centre marks of ${names} lack the right digit.`;
    const remove = () => {
      this.#page.closeAnswer();
      if (cells.length) game.erase(cells, "digit");
      else game.erase(marks, "centre");
    };
    this.#page.showWrong(cells.length ? cells : marks);
    this.#page.answer(
      "Something is wrong",
      el("p", { className: "sentence", textContent: words }),
      el("div", { className: "row" }, button("Remove", remove, { className: "primary" })),
    );
  }
}

/** @param {Step} step */
function nameOf(step) {
  return step.variant ? `${step.name}, type ${step.variant}` : step.name;
}

// The path: a list of steps. The chosen one is drawn on the board as it was before the step.
export class Path {
  #page;
  /** @type {Step[]} */
  #steps = [];
  #chosen = 0;
  /** @type {ReturnType<typeof setInterval> | 0} */
  #timer = 0;
  /** @type {number[]} */
  givens = [];
  sentence = el("p", { className: "sentence", "aria-live": "polite" });
  legend = el("div");
  list = el("ol", { className: "path", role: "listbox", tabIndex: 0, "aria-label": "Steps" });
  /** @type {HTMLElement[]} */
  items = [];
  playing = button("", () => this.#toggle());
  position = el("span", { className: "position" });

  /** @param {PlayPage} page */
  constructor(page) {
    this.#page = page;
    this.list.onkeydown = (event) => this.#press(event);
  }

  async open() {
    const { game } = this.#page;
    this.#page.answer("Path", el("p", { className: "busy", textContent: "Looking for the path…" }));
    const { steps, closing } = await this.#page.ask("explain", this.#page.techniques);
    this.#steps = steps;
    this.givens = game.givens;
    if (steps.length === 0) this.#page.answer("Path", el("p", { textContent: closing }));
    else this.#show(closing);
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
  }

  /** @param {string} closing */
  #show(closing) {
    const { size } = this.#page.game.geometry;
    this.items = this.#steps.map((step, index) =>
      el(
        "li",
        { role: "option", id: `step-${index}`, "aria-selected": "false", onclick: () => this.choose(index) },
        el("span", { className: "number", textContent: `${index + 1}` }),
        el("span", { className: "technique", textContent: nameOf(step) }),
        el("span", { className: "conclusion", textContent: conclusionOf(step, size) }),
      ),
    );
    this.list.replaceChildren(...this.items);
    const text = el("div", { className: "path-text" }, this.sentence, this.legend);
    this.#page.answer("Path", this.#controls(), text, this.list, this.#summary(closing));
    this.#setPlaying(false);
    this.choose(0);
  }

  #controls() {
    /** @type {(name: IconName, label: string, go: () => number) => HTMLButtonElement} */
    const step = (name, label, go) => {
      const element = button(
        "",
        () => {
          this.stop();
          this.#setPlaying(false);
          this.choose(go());
        },
        { "aria-label": label, title: label, className: "icon-button" },
      );
      element.append(icon(name));
      return element;
    };
    return el(
      "div",
      { className: "row path-controls", role: "group", "aria-label": "Path" },
      step("first", "First step", () => 0),
      step("back", "Previous step", () => this.#chosen - 1),
      this.playing,
      step("forward", "Next step", () => this.#chosen + 1),
      step("last", "Last step", () => this.#steps.length - 1),
      this.position,
    );
  }

  /** @param {string} closing */
  #summary(closing) {
    const counts = new Map();
    for (const { name } of this.#steps) counts.set(name, (counts.get(name) ?? 0) + 1);
    const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, number]) => `${number} × ${name}`);
    return el("p", { className: "hint", textContent: `${closing} ${parts.join(", ")}.`.trim() });
  }

  /** @param {number} index */
  choose(index) {
    this.#chosen = Math.max(0, Math.min(this.#steps.length - 1, index));
    const step = this.#steps[this.#chosen];
    this.items.forEach((item, place) => (item.ariaSelected = String(place === this.#chosen)));
    this.list.setAttribute("aria-activedescendant", `step-${this.#chosen}`);
    const item = this.items[this.#chosen];
    this.list.scrollTop = Math.max(0, item.offsetTop - this.list.clientHeight / 2);
    this.sentence.textContent = step.sentence;
    this.legend.replaceChildren(legendOf(step));
    this.position.textContent = `${this.#chosen + 1} / ${this.#steps.length}`;
    this.#page.showScene(sceneOfStep(step, this.givens));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const last = this.#steps.length - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowDown: this.#chosen + 1,
      ArrowRight: this.#chosen + 1,
      ArrowUp: this.#chosen - 1,
      ArrowLeft: this.#chosen - 1,
      PageDown: this.#chosen + 10,
      PageUp: this.#chosen - 10,
      Home: 0,
      End: last,
    };
    if (event.key === " ") this.#toggle();
    else if (event.key in targets) this.choose(targets[event.key]);
    else return;
    event.preventDefault();
  }

  #toggle() {
    const isPlaying = this.#timer === 0;
    this.stop();
    if (isPlaying) {
      if (this.#chosen === this.#steps.length - 1) this.choose(0);
      this.#timer = setInterval(() => this.#advance(), PLAY_MILLISECONDS);
    }
    this.#setPlaying(isPlaying);
  }

  #advance() {
    this.choose(this.#chosen + 1);
    if (this.#chosen < this.#steps.length - 1) return;
    this.stop();
    this.#setPlaying(false);
  }

  /** @param {boolean} isPlaying */
  #setPlaying(isPlaying) {
    const label = isPlaying ? "Pause" : "Play";
    this.playing.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.playing.ariaLabel = this.playing.title = label;
    this.playing.className = "icon-button primary";
  }
}
