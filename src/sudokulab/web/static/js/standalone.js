// The player of a self-contained HTML file: the recording is in the page.

import "./theme.js";
import { byId, el } from "./elements.js";
import { messageOf } from "./errors.js";
import { Recording } from "./recording.js";
import { RunView, titleOf } from "./run-view.js";
import { lineOf } from "./geometry.js";

const page = byId("page");
try {
  const recording = Recording.parse(byId("recording").textContent);
  const { header, geometry } = recording;
  document.title = `${titleOf(header)} · Sudokulab`;
  const view = new RunView(recording);
  const line = el("code", { className: "line", textContent: lineOf(header.givens, geometry.size) });
  const puzzle = el("details", {}, el("summary", { textContent: "Puzzle" }), line);
  view.player.legend.after(puzzle);
  page.replaceChildren(view.element);
} catch (error) {
  page.replaceChildren(el("p", { className: "error", textContent: `This run cannot be played. ${messageOf(error)}` }));
}
