// The parts of the Play page and their places. `page` is the Play page; its methods do the work.

import { button, el } from "../elements.js";
import { check, checkDigits, rate, solve } from "./answers.js";
import { chooseFile, generate, LEVELS, openNewDialog, openPasteDialog } from "./opening.js";
import { openShareDialog } from "./share.js";

/** @import { PlayPage } from "../play.js" */
/** @import { PlayerBoard } from "./player-board.js" */
/** @import { OnOpen } from "./opening.js" */
/** @import { Options } from "./storage.js" */

/** @type {[keyof Options, string][]} */
const OPTIONS = [
  ["tidiesMarks", "Remove pencil marks that a new digit rules out"],
  ["shadesEqual", "Shade equal digits"],
  ["hasTimer", "Timer"],
  ["avoidsUniqueness", "Hints and paths without uniqueness techniques"],
];
const KEYS = [
  ["Arrows", "move; with Shift or Ctrl, extend the selection"],
  ["1–9, A–Y", "enter a digit; with Shift a corner mark, with Ctrl (1–9) a centre mark"],
  ["Z X C", "digit, corner, centre (where these letters are not digits)"],
  ["Space", "next mode"],
  ["Backspace", "erase"],
  ["Ctrl-Z, Ctrl-Y", "undo, redo"],
  ["Ctrl-A", "select all cells; a double click selects equal digits"],
  ["Ctrl-C, Ctrl-V", "copy the puzzle; paste a puzzle or link"],
  ["Escape", "close the answer, then clear the selection"],
];

// Fill the container and return the elements that change.
/** @param {PlayPage} page @param {HTMLElement} container */
export function buildLayout(page, container) {
  const parts = {
    title: el("h1", { className: "puzzle-name" }),
    summary: el("span", { className: "hint" }),
    clock: el("span", { className: "clock", role: "timer" }),
    zoom: el("div", { className: "row zoom", role: "group", "aria-label": "Zoom" }),
    state: button("", () => page.game.setSetting(!page.game.isSetting)),
    chooser: el("div", { className: "row chooser", role: "group", "aria-label": "Puzzles of the file" }),
    board: el("div", { className: "board-place" }),
  };
  const head = el(
    "header",
    { className: "play-head" },
    el("div", {}, parts.title, parts.summary),
    el("div", { className: "row" }, parts.clock, parts.zoom, parts.state),
  );
  const all = el(
    "div",
    { className: "play" },
    el("div", { className: "play-main" }, head, parts.chooser, parts.board),
    el("div", { className: "play-side" }, actions(page), page.panel.element, page.keypad.element, tools(page)),
    page.panel.announcer,
  );
  container.append(all);
  return { ...parts, all };
}

/** @param {PlayPage} page */
function actions(page) {
  /** @type {[name: string, act: () => unknown, title: string][]} */
  const entries = [
    ["Hint", () => page.hints.next(), "The next step"],
    ["Path", () => page.path.open(), "All steps to the solution"],
    ["Check", () => check(page), "Number of solutions, clashes, redundant givens"],
    ["Rate", () => rate(page), "Difficulty on four scales"],
    ["Solve", () => solve(page), "Fill in the solution"],
  ];
  const buttons = entries.map(([name, act, title]) =>
    button(name, () => page.run(act), { title, className: name === "Hint" ? "primary" : "" }),
  );
  return el("div", { className: "actions", role: "group", "aria-label": "Ask" }, buttons);
}

/** @param {PlayPage} page */
function tools(page) {
  /** @type {OnOpen} */
  const open = (puzzles) => page.openAll(puzzles);
  const player = [
    button("Candidates", () => page.game.noteCandidates(), { title: "Note all candidates as centre marks" }),
    button("Check digits", () => page.run(() => checkDigits(page)), { title: "Mark your wrong digits" }),
    button("Restart", () => page.game.restart(), { title: "Remove your digits and marks" }),
  ];
  const puzzle = [
    button("New…", () => openNewDialog(open), { title: "Generate a puzzle, choose an example or an empty grid" }),
    button("Open…", () => chooseFile(open), { title: "Open a file" }),
    button("Paste…", () => openPasteDialog(open), { title: "Paste text or a link" }),
    button("Share…", () => page.run(() => openShareDialog(page.game)), { title: "Copy links or save a file" }),
  ];
  return el(
    "section",
    { className: "tools-card card stack", "aria-label": "Puzzle" },
    el("div", { className: "even" }, player),
    el("div", { className: "even" }, puzzle),
    options(page),
  );
}

/** @param {PlayPage} page */
function options(page) {
  const boxes = OPTIONS.map(([key, text]) => {
    const box = el("input", { type: "checkbox", checked: page.options[key] });
    box.onchange = () => page.setOption(key, box.checked);
    return el("label", { className: "inline" }, box, text);
  });
  const keys = KEYS.flatMap(([key, text]) => [
    el("dt", {}, el("kbd", { textContent: key })),
    el("dd", { textContent: text }),
  ]);
  return el(
    "details",
    {},
    el("summary", { textContent: "Options and keys" }),
    el("div", { className: "stack options" }, boxes, el("dl", { className: "keys" }, keys)),
  );
}

// What to do with an empty page.
/** @param {PlayPage} page */
export function showWelcome(page) {
  /** @type {OnOpen} */
  const open = (puzzles) => page.openAll(puzzles);
  page.answer(
    "Welcome",
    el("p", { textContent: "Type a puzzle, paste or drop one in any format, or start with one of these:" }),
    el(
      "div",
      { className: "row" },
      LEVELS.slice(0, 3).map(([level, title]) => button(title, () => page.run(() => generate(level, title, open)))),
      button("More…", () => openNewDialog(open)),
    ),
  );
}

/** @param {HTMLElement} place @param {PlayerBoard} board */
export function fillZoom(place, board) {
  const shown = el("span", { className: "hint", textContent: "100 %" });
  /** @param {number} steps */
  const zoom = (steps) => () => (shown.textContent = `${board.zoomBy(steps) * 100} %`);
  place.hidden = !board.canZoom;
  place.replaceChildren(
    button("−", zoom(-1), { "aria-label": "Zoom out" }),
    shown,
    button("+", zoom(1), { "aria-label": "Zoom in" }),
  );
}

// Previous and next, if a file has several puzzles.
/** @param {HTMLElement} place @param {number} index @param {number} count @param {(index: number) => void} open */
export function fillChooser(place, index, count, open) {
  /** @param {string} text @param {number} to */
  const step = (text, to) => button(text, () => open(to), { disabled: to < 0 || to >= count });
  place.hidden = count < 2;
  place.replaceChildren(
    step("Previous", index - 1),
    el("span", { textContent: `Puzzle ${index + 1} of ${count}` }),
    step("Next", index + 1),
  );
}
