// The table of a race: progress to the finish line, order of arrival, and the work of each solver.

import { button, copy, el } from "./elements.js";
import { formatNumber } from "./quantities.js";

/** @import { Lane } from "./race-lane.js" */

/** @typedef {"time" | "steps"} By */

const COLUMNS = ["Rank", "Solver", "Progress", "Status", "CPU time", "Steps", "Restarts"];
const COPIED = "The results were copied.";
const NUMBERS = new Set(["Rank", "CPU time", "Steps", "Restarts"]);

// Ranks of lanes that have finished: by their CPU time, or by their steps. Lanes with equal steps share a rank.
/** @param {Lane[]} lanes @param {By} by */
export function ranksOf(lanes, by) {
  /** @param {Lane} lane */
  const effort = (lane) => (by === "steps" ? lane.step : lane.seconds);
  const finished = lanes.filter((lane) => lane.hasFinished);
  return new Map(finished.map((lane) => [lane, 1 + finished.filter((other) => effort(other) < effort(lane)).length]));
}

export class RaceResults {
  #lanes;
  #by;
  /** @type {Map<Lane, { row: HTMLElement, cells: HTMLTableCellElement[], runner: HTMLElement }>} */
  #rows = new Map();

  /** @param {Lane[]} lanes @param {By} by */
  constructor(lanes, by) {
    this.#lanes = lanes;
    this.#by = by;
    const head = COLUMNS.map((name) => el("th", { scope: "col", textContent: name, className: classOf(name) }));
    this.body = el(
      "tbody",
      {},
      lanes.map((lane) => this.#makeRow(lane)),
    );
    const table = el("table", { className: "data results" }, el("thead", {}, el("tr", {}, head)), this.body);
    const options = { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Results of the race" };
    this.copying = el(
      "div",
      { className: "row", hidden: true },
      button("Copy as text", () => copy(this.toText("\t"), COPIED)),
      button("Copy as CSV", () => copy(this.toText(","), COPIED)),
    );
    this.element = el("div", { className: "stack" }, el("div", options, table), this.copying);
  }

  /** @param {Lane} lane */
  #makeRow(lane) {
    const runner = el("div", { className: "runner" });
    const cells = COLUMNS.map((name) => el(name === "Solver" ? "th" : "td", { className: classOf(name) }));
    cells[1].scope = "row";
    cells[1].textContent = lane.racer.title;
    cells[2].append(el("div", { className: "finish", role: "img" }, runner));
    const row = el("tr", {}, cells);
    this.#rows.set(lane, { row, cells, runner });
    return row;
  }

  /** @param {Map<Lane, number>} ranks */
  draw(ranks) {
    for (const [lane, { row, cells, runner }] of this.#rows) {
      runner.style.width = `${100 * lane.progress}%`;
      runner.parentElement?.setAttribute("aria-label", `${Math.round(100 * lane.progress)} %`);
      row.classList.toggle("is-solved", lane.hasFinished);
      const [rank, , , status, time, steps, restarts] = cells;
      rank.textContent = String(ranks.get(lane) ?? "");
      status.textContent = lane.status;
      time.textContent = lane.timeText;
      steps.textContent = `${formatNumber(lane.step)}${unitOf(lane)}`;
      restarts.textContent = formatNumber(restartsOf(lane));
    }
    this.copying.hidden = !this.#lanes.every((lane) => lane.isOver);
  }

  // Order the rows by rank, once the race is over.
  /** @param {Map<Lane, number>} ranks */
  sort(ranks) {
    /** @param {Lane} lane */
    const place = (lane) => ranks.get(lane) ?? Infinity;
    const sorted = [...this.#rows].sort(([a], [b]) => place(a) - place(b) || b.progress - a.progress);
    this.body.append(...sorted.map(([, { row }]) => row));
  }

  /** @param {string} separator */
  toText(separator) {
    /** @param {string} value */
    const quote = (value) => (/[",\n]/.test(value) && separator === "," ? `"${value.replaceAll('"', '""')}"` : value);
    const ranks = ranksOf(this.#lanes, this.#by);
    const place = (/** @type {Lane} */ lane) => ranks.get(lane) ?? Infinity;
    const lanes = [...this.#lanes].sort((a, b) => place(a) - place(b));
    const rows = lanes.map((lane) => [
      ranks.get(lane) ?? "",
      lane.racer.title,
      lane.status,
      lane.seconds,
      lane.clock,
      lane.step,
      lane.run?.recording.header?.unit ?? "",
      restartsOf(lane) ?? "",
    ]);
    const head = ["rank", "solver", "status", "seconds", "clock", "steps", "unit", "restarts"];
    return [head, ...rows].map((row) => `${row.map((value) => quote(String(value))).join(separator)}\n`).join("");
  }
}

/** @param {string} column */
function classOf(column) {
  return NUMBERS.has(column) ? "number" : column.toLowerCase();
}

/** @param {Lane} lane */
function unitOf(lane) {
  const unit = lane.run?.recording.header?.unit;
  return unit ? ` ${unit}` : "";
}

/** @param {Lane} lane */
function restartsOf(lane) {
  const counts = { ...lane.frame?.values, ...lane.result?.stats };
  return counts.restarts ?? counts.reheats ?? counts.perturbations ?? null;
}
