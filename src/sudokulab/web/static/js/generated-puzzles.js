// Generated puzzles as small boards, with links to the other pages, ratings on demand, copies and downloads.

import { post } from "./api.js";
import { puzzleParameters } from "./address.js";
import { BoardView } from "./board-view.js";
import { button, copy, el, save } from "./elements.js";
import { Geometry, lineOf } from "./geometry.js";

/**
 * @typedef {{ puzzle: string, givens: number[], box: string, size: number, solution: number[] | null }} Generated
 * @typedef {{ puzzle: Generated, geometry: Geometry, element: HTMLElement, frame: HTMLElement, label: string,
 *   rate: () => Promise<void> }} Card
 */

const FILES = [
  ["txt", ".txt, one line each"],
  ["sdm", ".sdm, SadMan collection"],
  ["jsonl", ".jsonl, with solutions"],
];

export class GeneratedPuzzles {
  /** @type {Card[]} */
  #cards = [];
  #lazy = new IntersectionObserver((entries) => this.#drawVisible(entries), { rootMargin: "200px" });

  constructor() {
    this.list = el("ol", { className: "thumbnails" });
    this.element = el("div", { className: "stack" });
    window.addEventListener("beforeprint", this.drawAll);
  }

  close() {
    this.#lazy.disconnect();
    window.removeEventListener("beforeprint", this.drawAll);
  }

  get puzzles() {
    return this.#cards.map((card) => card.puzzle);
  }

  /** @param {Generated[]} puzzles */
  show(puzzles) {
    this.#lazy.disconnect();
    this.#cards = puzzles.map((puzzle, index) => this.#card(puzzle, index + 1));
    this.list.replaceChildren(...this.#cards.map((card) => card.element));
    for (const card of this.#cards) this.#lazy.observe(card.element);
    this.element.replaceChildren(this.#actions(), this.list);
  }

  drawAll = () => {
    for (const card of this.#cards) draw(card);
  };

  /** @param {IntersectionObserverEntry[]} entries */
  #drawVisible(entries) {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) for (const card of this.#cards.filter(({ element }) => element === target)) draw(card);
    }
  }

  #actions() {
    const files = FILES.map(([extension, title]) =>
      button(`.${extension}`, () => save(`puzzles.${extension}`, textOf(this.puzzles, extension)), {
        title: `Save as ${title}`,
        "aria-label": `Save as ${title}`,
      }),
    );
    const rate = button("Rate all", () => this.#rateAll(rate));
    return el(
      "div",
      { className: "row no-print" },
      rate,
      button("Copy all", () => copy(textOf(this.puzzles, "txt"), "Puzzles copied")),
      el("span", { className: "hint", textContent: "Save as" }),
      files,
    );
  }

  /** @param {HTMLButtonElement} rate */
  async #rateAll(rate) {
    rate.disabled = true;
    try {
      for (const card of this.#cards) if (card.element.isConnected) await card.rate();
    } finally {
      rate.disabled = false;
    }
  }

  /** @param {Generated} puzzle @param {number} number */
  #card(puzzle, number) {
    const geometry = Geometry.parse(puzzle.box);
    const query = new URLSearchParams(puzzleParameters(geometry, puzzle.givens));
    const numGivens = puzzle.givens.filter(Boolean).length;
    const frame = el("div", { className: "thumbnail-board" });
    const rating = el("span", { className: "rating" });
    const ask = button("Rate", () => rate(), { "aria-label": `Rate puzzle ${number}` });
    /** @param {string} page @param {string} title */
    const link = (page, title) =>
      el("a", { href: `#${page}?${query}`, textContent: title, "aria-label": `${title} puzzle ${number}` });
    async function rate() {
      ask.disabled = true;
      try {
        rating.textContent = ` · ${(await ratingsOf(puzzle)).join(" · ")}`;
        ask.remove();
      } finally {
        ask.disabled = false;
      }
    }
    const element = el(
      "li",
      { className: "thumbnail card" },
      frame,
      el("p", { className: "caption" }, el("strong", { textContent: number }), ` · ${numGivens} givens`, rating),
      el("p", { className: "row no-print" }, link("play", "Play"), link("watch", "Watch"), link("race", "Race"), ask),
    );
    return { puzzle, geometry, element, frame, rate, label: `Puzzle ${number}, ${numGivens} givens` };
  }
}

/** @param {Card} card */
function draw(card) {
  if (card.frame.firstChild) return;
  const view = new BoardView(card.geometry, { label: card.label });
  view.draw({ givens: card.puzzle.givens });
  card.frame.append(view.element);
}

/** @param {Generated} puzzle */
async function ratingsOf({ puzzle, box }) {
  const rules = await post("rate", { puzzle, box, scale: "rules" });
  const level = rules.level && `${rules.level} (rules)`;
  const ratings = [level ?? (rules.solutions === 1 ? "not rated" : "several solutions")];
  if (rules.solutions === 1) {
    const { er } = await post("rate", { puzzle, box, scale: "se" });
    if (er) ratings.push(`SE\u00a0${er.toFixed(1)}`);
  }
  return ratings;
}

// Puzzles as the content of a file that `sudokulab` reads.
/** @param {Generated[]} puzzles @param {string} extension */
export function textOf(puzzles, extension) {
  const lines = puzzles.map((puzzle) => {
    if (extension === "jsonl") return JSON.stringify(recordOf(puzzle));
    const comment = Geometry.ofSize(puzzle.size).box === puzzle.box ? "" : ` # box=${puzzle.box}`;
    return (extension === "sdm" ? puzzle.puzzle.replaceAll(".", "0") : puzzle.puzzle) + comment;
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** @param {Generated} puzzle */
function recordOf({ puzzle, box, size, solution }) {
  return solution ? { puzzle, box, solution: lineOf(solution, size) } : { puzzle, box };
}
