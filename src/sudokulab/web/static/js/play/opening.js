// Ways to get a puzzle: a new grid, a generated puzzle, text or a link, a file, or a drop onto the page.

import { post } from "../api.js";
import { button, el, say, select } from "../elements.js";
import { boxesOf, Geometry } from "../geometry.js";
import { presetList, puzzleOf, textOfFile } from "../puzzle-picker.js";
import { openDialog } from "./dialogs.js";

/** @import { Puzzle } from "../geometry.js" */

/** @typedef {(puzzles: Puzzle[]) => void} OnOpen */

const SIZES = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25];
/** @type {[level: string, title: string][]} */
export const LEVELS = [
  ["easy", "Easy"],
  ["medium", "Medium"],
  ["hard", "Hard"],
  ["very-hard", "Very hard"],
  ["beyond", "Extreme"],
];

// Read the puzzles of a text in any format; `onOpen(puzzles)` gets those that could be read.
/** @param {string} text @param {OnOpen} onOpen */
export async function readText(text, onOpen) {
  if (!text.trim()) return;
  const { puzzles, errors } = await post("read", { text });
  if (puzzles.length === 0) {
    say(errors[0] ?? "No puzzle found.", { isError: true });
    return;
  }
  onOpen(puzzles.map((/** @type {any} */ puzzle) => ({ ...puzzleOf(puzzle), name: puzzle.name ?? "" })));
  if (errors.length) say(`${errors.length} unreadable: ${errors[0]}`, { isError: true });
}

/** @param {File} file @param {OnOpen} onOpen */
export async function readFile(file, onOpen) {
  await readText(await textOfFile(file), onOpen);
}

/** @param {OnOpen} onOpen */
export function chooseFile(onOpen) {
  const input = el("input", { type: "file" });
  input.onchange = () => input.files?.[0] && readFile(input.files[0], onOpen);
  input.click();
}

/** @param {OnOpen} onOpen */
export function openPasteDialog(onOpen) {
  const text = el("textarea", {
    id: "paste-text",
    rows: 8,
    spellcheck: false,
    placeholder: "A line, a grid, a file, or a link to f-puzzles or SudokuPad",
  });
  const open = async () => {
    await readText(text.value, (puzzles) => {
      dialog.close();
      onOpen(puzzles);
    });
  };
  const dialog = openDialog(
    "Paste a puzzle",
    el("label", { htmlFor: "paste-text", textContent: "Puzzle in any format" }, text),
    el("div", { className: "row" }, button("Open", open, { className: "primary" })),
  );
  text.focus();
}

/** @param {OnOpen} onOpen */
export function openNewDialog(onOpen) {
  /** @type {OnOpen} */
  const finish = (puzzles) => {
    dialog.close();
    onOpen(puzzles);
  };
  const presets = el("div", { className: "row" });
  presetList().then((list) =>
    presets.replaceChildren(
      ...list.map((preset) => button(preset.title, () => finish([{ ...puzzleOf(preset), name: preset.title }]))),
    ),
  );
  const dialog = openDialog(
    "New puzzle",
    el("h3", { textContent: "Generate" }),
    el(
      "div",
      { className: "row" },
      LEVELS.map(([level, title]) => button(title, () => generate(level, title, finish))),
    ),
    el("h3", { textContent: "Examples" }),
    presets,
    el("h3", { textContent: "Empty grid" }),
    blankForm(finish),
  );
}

// Size and boxes of an empty grid.
/** @param {OnOpen} onOpen */
function blankForm(onOpen) {
  const boxes = el("select", { id: "new-box" });
  /** @param {number} size */
  const showBoxes = (size) => {
    const usual = Geometry.ofSize(size).box;
    boxes.replaceChildren(
      ...boxesOf(size).map((box) =>
        el("option", { value: box, textContent: box.replace("x", "×"), selected: box === usual }),
      ),
    );
  };
  /** @type {[string, string][]} */
  const choices = SIZES.map((size) => [String(size), `${size}×${size}`]);
  const sizes = select(choices, "9", (size) => showBoxes(Number(size)), {
    id: "new-size",
  });
  const open = () => {
    const geometry = Geometry.parse(boxes.value);
    onOpen([{ geometry, givens: new Array(geometry.numCells).fill(0), name: "" }]);
  };
  showBoxes(9);
  return el(
    "div",
    { className: "row new-grid" },
    el("label", { htmlFor: "new-size", textContent: "Size" }, sizes),
    el("label", { htmlFor: "new-box", textContent: "Boxes (rows×columns)" }, boxes),
    button("Create", open, { className: "primary" }),
  );
}

/** @param {string} level @param {string} title @param {OnOpen} onOpen */
export async function generate(level, title, onOpen) {
  say("Generating…");
  const { puzzles, message } = await post("generate", { level, count: 1 });
  if (puzzles.length === 0) {
    say(message ?? "No puzzle was found.", { isError: true });
    return;
  }
  say("");
  onOpen([{ ...puzzleOf(puzzles[0]), name: `${title} puzzle` }]);
}

// Open what is pasted or dropped anywhere on the page. Returns a function that stops this.
/** @param {OnOpen} onOpen */
export function listenForPuzzles(onOpen) {
  /** @param {EventTarget | null} target */
  const isField = (target) => target instanceof Element && target.closest("input, textarea, dialog");
  /** @param {DataTransfer | null} data */
  const read = (data) => {
    const file = data?.files[0];
    if (file) readFile(file, onOpen);
    else readText(data?.getData("text/plain") ?? "", onOpen);
  };
  /** @param {ClipboardEvent} event */
  const onPaste = (event) => {
    if (isField(event.target)) return;
    event.preventDefault();
    read(event.clipboardData);
  };
  /** @param {DragEvent} event */
  const onDragOver = (event) => {
    event.preventDefault();
    document.body.classList.add("is-dropping");
  };
  /** @param {DragEvent} event */
  const onDragLeave = (event) => {
    if (!event.relatedTarget) document.body.classList.remove("is-dropping");
  };
  /** @param {DragEvent} event */
  const onDrop = (event) => {
    event.preventDefault();
    document.body.classList.remove("is-dropping");
    read(event.dataTransfer);
  };
  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener("paste", onPaste, { signal });
  document.addEventListener("dragover", onDragOver, { signal });
  document.addEventListener("dragleave", onDragLeave, { signal });
  document.addEventListener("drop", onDrop, { signal });
  return () => listening.abort();
}
