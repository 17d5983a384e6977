// Sharing a puzzle: as a link to this page, as text, as a link to another site, or as a file.

import { post } from "../api.js";
import { button, copy, el, save, say } from "../elements.js";
import { openDialog } from "./dialogs.js";

/** @import { Game } from "./game.js" */

const MAX_LINK_SIZE = 16; // of the other sites

/** @param {Game} game @param {string} to */
async function converted(game, to) {
  return (await post("convert", { puzzle: game.line, box: game.geometry.box, to })).text.trimEnd();
}

// A line with a text to copy, and a link to open it if it is one of another site.
/** @param {string} title @param {string} text @param {boolean} isExternal */
function entry(title, text, isExternal) {
  const id = `share-${title.toLowerCase().replaceAll(/\W+/g, "-")}`;
  const field = el("input", { id, value: text, readOnly: true, onfocus: () => field.select() });
  return el(
    "div",
    { className: "share-entry" },
    el("label", { htmlFor: id, textContent: title }),
    el(
      "div",
      { className: "row" },
      field,
      button("Copy", () => copy(text, `${title} copied.`), { "aria-label": `Copy ${title}` }),
      isExternal
        ? el("a", {
            href: text,
            target: "_blank",
            rel: "noopener noreferrer",
            className: "button",
            textContent: "Open",
          })
        : null,
    ),
  );
}

/** @param {Game} game */
export async function openShareDialog(game) {
  const others = el("div", { className: "stack" });
  /** @param {string} to @param {string} extension */
  const download = async (to, extension) => save(`puzzle.${extension}`, `${await converted(game, to)}\n`);
  openDialog(
    "Share this puzzle",
    entry("Link", location.href, false),
    entry("Line of text", game.line, false),
    others,
    el(
      "div",
      { className: "row" },
      button("Save as .txt", () => download("line", "txt")),
      button("Save as .sdk", () => download("sdk", "sdk")),
    ),
  );
  if (game.geometry.size > MAX_LINK_SIZE) return;
  const [fPuzzles, sudokuPad] = await Promise.all([converted(game, "f-puzzles"), converted(game, "sudokupad")]);
  others.append(entry("f-puzzles link", fPuzzles, true), entry("SudokuPad link", sudokuPad, true));
}

// Copy the puzzle with Ctrl-C, unless text is selected. Returns a function that stops this.
/** @param {() => string} lineOf */
export function listenForCopy(lineOf) {
  /** @param {ClipboardEvent} event */
  const onCopy = (event) => {
    const isField = event.target instanceof Element && event.target.closest("input, textarea, dialog");
    if (isField || String(document.getSelection())) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", lineOf());
    say("Puzzle copied.");
  };
  document.addEventListener("copy", onCopy);
  return () => document.removeEventListener("copy", onCopy);
}
