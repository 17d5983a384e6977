// Chooses a puzzle: from the presets, from text in any format, or from a file.

import { puzzleIn } from "./address.js";
import { getOnce, post } from "./api.js";
import { button, el, say, select } from "./elements.js";
import { Geometry } from "./geometry.js";

/** @import { Puzzle } from "./geometry.js" */

/**
 * @typedef {{ name: string, title: string, givens: number[], box: string, racers: string[] }} Preset
 * @typedef {(puzzle: Puzzle, preset: Preset | null) => unknown} OnPick
 */

const MAX_CHARACTERS = 400_000; // of a file; the rest is left out

// The presets of the server: [{name, title, puzzle, givens, box, size, racers}, …].
/** @returns {Promise<Preset[]>} */
export async function presetList() {
  return (await getOnce("presets")).presets;
}

// The names of solvers for a race on a preset, or on any other puzzle.
/** @param {Preset | null} preset @returns {Promise<string[]>} */
export async function racersFor(preset) {
  return preset?.racers.length ? preset.racers : (await getOnce("presets")).racers;
}

/** @param {{ givens: number[], box: string }} puzzle */
export function puzzleOf({ givens, box }) {
  return { geometry: Geometry.parse(box), givens };
}

// Read the first puzzle of a text; null, with a message, if there is none.
/** @param {string} text */
export async function readPuzzle(text) {
  const { puzzles, errors } = await post("read", { text, limit: 1 });
  if (puzzles.length) return puzzleOf(puzzles[0]);
  say(errors[0] ?? "No puzzle found.", { isError: true });
  return null;
}

// The text of a file with puzzles, which may be packed. Of a huge file it is the beginning, up to the end of a line.
/** @param {File} file */
export async function textOfFile(file) {
  const stream = file.name.endsWith(".gz") ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length <= MAX_CHARACTERS) continue;
    reader.cancel();
    return text.slice(0, text.lastIndexOf("\n", MAX_CHARACTERS) + 1 || MAX_CHARACTERS);
  }
  return text;
}

// The puzzle of an address, in any format; null if there is none.
/** @param {URLSearchParams} parameters */
export async function puzzleAt(parameters) {
  const text = parameters.get("p");
  return puzzleIn(parameters) ?? (text ? readPuzzle(text) : null);
}

export class PuzzlePicker {
  #onPick;
  #summary = el("span", { className: "hint" });
  #presets;

  // `onPick(puzzle, preset)` is called with {geometry, givens}, and the preset if it is one.
  /** @param {OnPick} onPick */
  constructor(onPick) {
    this.#onPick = onPick;
    this.#presets = select([["", "Your puzzle"]], "", (name) => this.#pickPreset(name), { id: "preset" });
    const text = el("textarea", {
      id: "puzzle-text",
      rows: 2,
      placeholder: "A line, a grid, a link or any other format",
      spellcheck: false,
    });
    const use = button("Use this puzzle", async () => {
      const puzzle = text.value.trim() ? await readPuzzle(text.value) : null;
      if (puzzle) this.#onPick(puzzle, null);
    });
    this.paste = el(
      "details",
      {},
      el("summary", { textContent: "Paste a puzzle" }),
      el("div", { className: "stack" }, el("label", { htmlFor: "puzzle-text", textContent: "Puzzle" }), text, use),
    );
    const label = el("label", { htmlFor: "preset", textContent: "Puzzle" });
    this.element = el("div", { className: "field" }, label, this.#presets, this.#summary);
  }

  // Show which puzzle is chosen.
  /** @param {Puzzle} puzzle */
  async show({ geometry, givens }) {
    const list = await presetList();
    const line = givens.join();
    const chosen = list.find((preset) => preset.givens.join() === line && preset.box === geometry.box);
    const options = [...(chosen ? [] : [["", "Your puzzle"]]), ...list.map(({ name, title }) => [name, title])];
    this.#presets.replaceChildren(
      ...options.map(([value, text]) => el("option", { value, textContent: text, selected: value === chosen?.name })),
    );
    const { size, boxRows, boxCols } = geometry;
    const numGivens = givens.filter(Boolean).length;
    const shape = boxRows === boxCols ? "" : `, boxes ${boxRows}×${boxCols}`;
    this.#summary.textContent = `${size}×${size}${shape}, ${numGivens} givens`;
    return chosen ?? null;
  }

  /** @param {string} name */
  async #pickPreset(name) {
    const preset = (await presetList()).find((entry) => entry.name === name);
    if (preset) this.#onPick(puzzleOf(preset), preset);
  }
}
