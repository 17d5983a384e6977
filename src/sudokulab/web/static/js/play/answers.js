// Answers about the puzzle: solve, check, and ratings. `page` is the Play page.

import { BoardView } from "../board-view.js";
import { button, el } from "../elements.js";
import { isAbort, messageOf } from "../errors.js";
import { cellName } from "../geometry.js";

/** @import { PlayPage } from "../play.js" */

/**
 * A scale, with its texts for a rating of the server.
 *
 * @typedef {{ name: string, title: string, value: (rating: any) => string, words: (rating: any) => string }} Scale
 */

/** @type {Scale[]} */
const SCALES = [
  {
    name: "rules",
    title: "Rules",
    value: ({ level }) => (level === "beyond" ? "beyond the rules" : level),
    words: ({ highest, nodes, firings }) =>
      highest
        ? `The hardest of ten basic rules it needs is ${RULES[highest] ?? highest}; rules fire ${total(firings)} times.`
        : `Ten basic rules are not enough; a search that uses them needs ${decimal(nodes)} guesses on average.`,
  },
  {
    name: "se",
    title: "Sudoku Explainer",
    value: ({ er }) => `ER ${er.toFixed(1)}`,
    words: ({ ep, ed }) =>
      `The hardest step, from 1.2 (one open cell) to about 12. First digit: EP ${ep.toFixed(1)}; first step: ED ${ed.toFixed(1)}.`,
  },
  {
    name: "hodoku",
    title: "HoDoKu",
    value: ({ hodoku_level: level, hodoku_score: score }) => `${level}, ${score.toLocaleString("en")} points`,
    words: () => "The sum of the points of all steps. Each technique has a fixed number of points, 4 for a full house.",
  },
  {
    name: "trial",
    title: "Trial and error",
    value: ({ depth }) => (depth === null ? "depth above 3" : `depth ${depth}`),
    words: ({ depth, backdoor_size: size, num_backdoors: number }) => {
      if (depth === 0) return "Singles alone solve it; no assumption is needed.";
      const first = `Singles alone need assumptions nested ${depth === null ? "more than 3" : depth} deep.`;
      if (size === null) return `${first} Not even 3 further givens make them unnecessary.`;
      return `${first} ${counted(size, "further given")} would make them unnecessary, in ${number.toLocaleString("en")} ways.`;
    },
  },
];
/** @type {Record<string, string>} */
const RULES = {
  NS: "naked singles",
  HS: "hidden singles",
  BRC: "pointing",
  RCB: "claiming",
  NP: "naked pairs",
  HP: "hidden pairs",
  NT: "naked triples",
  HT: "hidden triples",
  NQ: "naked quads",
  HQ: "hidden quads",
};

/** @param {Record<string, number>} firings */
const total = (firings) => Object.values(firings).reduce((sum, number) => sum + number, 0);
/** @param {number | null} value */
const decimal = (value) => (value === null ? "an unknown number of" : value.toFixed(1));
/** @param {number} number @param {string} noun */
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
/** @param {string} text */
const paragraph = (text, className = "") => el("p", { textContent: text, className });

/** @param {PlayPage} page */
export async function solve(page) {
  const result = await page.ask("solve", { seconds: 20 });
  if (result.solution) {
    page.timer.stop();
    page.game.fill(result.grid);
    page.answer(
      "Solved",
      paragraph(`Found in ${timeOf(result.seconds)} with ${result.solver}. Undo brings your board back.`),
    );
  } else if (result.status === "unsatisfiable") {
    page.answer("No solution", paragraph("This puzzle has no solution."));
  } else {
    page.answer("Not solved", paragraph(`No solution was found in ${timeOf(result.seconds)}.`));
  }
}

/** @param {number} seconds */
function timeOf(seconds) {
  if (seconds < 0.001) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(1)} s`;
}

/** @param {PlayPage} page */
export async function check(page) {
  const report = await page.check();
  const { size } = page.game.geometry;
  if (report.clashes.length) {
    page.showCells(report.clashes);
    page.answerOnGivens(
      "Clashes",
      paragraph(`These givens clash: ${named(report.clashes, size)}. The puzzle has no solution.`),
    );
  } else if (report.num_solutions === null) {
    page.answerOnGivens("Unknown", paragraph("The time ran out before the number of solutions was known."));
  } else if (report.num_solutions === 0) {
    page.answerOnGivens("No solution", paragraph("No digits fit these givens."));
  } else if (report.num_solutions === 1) {
    page.answerOnGivens("One solution", paragraph("The puzzle has exactly one solution."), minimality(page, report));
  } else {
    showTwo(page, report);
  }
}

/** @param {PlayPage} page @param {{ redundant: number[] | null }} report */
function minimality(page, { redundant }) {
  const { size } = page.game.geometry;
  if (redundant === null) return paragraph("Whether it is minimal is unknown: the time ran out.");
  if (redundant.length === 0) return paragraph("It is minimal: every given is needed.");
  const show = button("Show them", () => page.showCells(redundant));
  const words = `It is not minimal. Each of these givens can be removed alone: ${named(redundant, size)}.`;
  return el("div", { className: "stack" }, paragraph(words), el("div", { className: "row" }, show));
}

/** @param {number[]} cells @param {number} size */
function named(cells, size) {
  const names = cells.slice(0, 30).map((cell) => cellName(cell, size));
  return names.join(", ") + (cells.length > 30 ? ` and ${cells.length - 30} more` : "");
}

/** @param {PlayPage} page @param {{ solutions: number[][], differences: number[] }} report */
function showTwo(page, { solutions, differences }) {
  const { game } = page;
  const boards = solutions.map((solution, index) => {
    const view = new BoardView(game.geometry, { label: `Solution ${index + 1}` });
    view.draw({
      givens: game.givens,
      digits: solution.map((digit, cell) => (game.cell(cell).isGiven ? 0 : digit)),
      shades: differences.map((cell) => [cell, "difference"]),
    });
    return el("figure", {}, view.element, el("figcaption", { textContent: `Solution ${index + 1}` }));
  });
  const words = `The puzzle has several solutions. These two differ in ${counted(differences.length, "cell")}, which are shaded.`;
  const show = button("Show the cells on the board", () => page.showCells(differences));
  page.answerOnGivens(
    "Several solutions",
    paragraph(words),
    el("div", { className: "pair" }, boards),
    el("div", { className: "row" }, show),
  );
}

// Mark the player's digits that differ from the solution.
/** @param {PlayPage} page */
export async function checkDigits(page) {
  const report = await page.check();
  if (report.num_solutions !== 1) {
    const reason = report.num_solutions === 2 ? "it has several solutions" : "it has no known solution";
    page.answer("Check digits", paragraph(`Your digits cannot be checked: ${reason}.`));
    return;
  }
  const [solution] = report.solutions;
  const wrong = page.game.digits.flatMap((digit, cell) => (digit && digit !== solution[cell] ? [cell] : []));
  const numDigits = page.game.digits.filter(Boolean).length;
  page.showWrong(wrong);
  if (wrong.length)
    page.answer(
      "Check digits",
      paragraph(`${counted(wrong.length, "digit")} of ${numDigits} wrong, marked on the board.`),
    );
  else
    page.answer(
      "Check digits",
      paragraph(numDigits ? `All ${numDigits} digits are right so far.` : "You have not entered a digit yet."),
    );
}

// Ask for all ratings at once and show each as soon as it is known.
/** @param {PlayPage} page */
export async function rate(page) {
  const rows = SCALES.map((scale) => {
    const value = el("dd", { className: "value" }, el("span", { className: "busy", textContent: "…" }));
    const words = el("dd", { className: "hint" });
    return { scale, value, words, nodes: [el("dt", { textContent: scale.title }), value, words] };
  });
  page.cancel();
  page.answerOnGivens(
    "Ratings",
    el(
      "dl",
      { className: "ratings" },
      rows.flatMap(({ nodes }) => nodes),
    ),
  );
  await Promise.all(rows.map((row) => rateOn(page, row)));
}

/** @param {PlayPage} page @param {{ scale: Scale, value: HTMLElement, words: HTMLElement }} row */
async function rateOn(page, { scale, value, words }) {
  try {
    const rating = await page.ask("rate", { scale: scale.name, seconds: 20 }, { isAlone: false });
    if (rating.status !== "rated") {
      value.textContent = "not rated";
      words.textContent =
        rating.solutions === 1
          ? "The time ran out, or its techniques do not solve the puzzle."
          : (SOLUTIONS[rating.solutions] ?? "");
      return;
    }
    value.textContent = scale.value(rating);
    words.textContent = scale.words(rating);
  } catch (error) {
    if (isAbort(error)) return;
    value.textContent = "not available";
    words.textContent = messageOf(error);
  }
}

/** @type {Record<number, string>} */
const SOLUTIONS = { 0: "The puzzle has no solution.", 2: "The puzzle has several solutions." };
