// The runs of an experiment: filters, pages, and single runs with their traces.

import { get } from "../api.js";
import { puzzleParameters, rewriteAddress } from "../address.js";
import { BoardView } from "../board-view.js";
import { Charts } from "../charts.js";
import { button, el } from "../elements.js";
import { Geometry, cellsOf } from "../geometry.js";
import { formatNumber, formatSeconds, nameOf } from "../quantities.js";
import { Recording } from "../recording.js";
import { SortableTable } from "./tables.js";

/**
 * @typedef {{ solvers: { solver: string }[], instances: string[], outcomes: string[] }} Experiment
 */

const PER_PAGE = 100;
const COLUMNS = ["solver", "instance", "run", "outcome", "CPU s", "cost", ""];

export class Runs {
  #path;
  #offset = 0;
  #filters;
  #table;
  /** @type {Charts | null} */
  #charts = null;
  /** @type {string | null} */
  #shown = null;

  /** @param {string} store @param {number} number @param {string} path @param {Experiment} experiment */
  constructor(store, number, path, experiment) {
    this.address = { store, experiment: number };
    this.#path = `${path}/runs`;
    const makeFilter = () => el("select", { onchange: () => this.#goTo(0) });
    this.#filters = { solver: makeFilter(), instance: makeFilter(), outcome: makeFilter() };
    this.#table = new SortableTable(COLUMNS, [], {
      caption: "Runs",
      isNumber: [false, false, true, false, true, true, false],
      makeCell: (value, column) => [column === COLUMNS.length - 1 ? this.#openButton(value) : value],
    });
    this.place = el("span", { className: "hint" });
    this.previous = button("Previous", () => this.#goTo(this.#offset - PER_PAGE));
    this.next = button("Next", () => this.#goTo(this.#offset + PER_PAGE));
    this.detail = el("div");
    this.element = el(
      "section",
      { className: "card stack" },
      el("h2", { textContent: "Runs" }),
      el(
        "div",
        { className: "row" },
        Object.entries(this.#filters).map(([name, filter]) => el("label", {}, nameOf(name), filter)),
      ),
      this.#table.element,
      el("div", { className: "row" }, this.previous, this.next, this.place),
      this.detail,
    );
    this.refresh(experiment);
  }

  close() {
    this.#charts?.close();
  }

  // Show new runs of the experiment.
  /** @param {Experiment} experiment */
  refresh({ solvers, instances, outcomes }) {
    /** @type {Record<string, string[]>} */
    const values = { solver: solvers.map((one) => one.solver), instance: instances, outcome: outcomes };
    for (const [name, filter] of Object.entries(this.#filters)) {
      const options = [["", "All"], ...values[name].map((value) => [value, value])];
      const { value: chosen } = filter;
      filter.replaceChildren(...options.map(([value, textContent]) => el("option", { value, textContent })));
      filter.value = chosen;
    }
    return this.#goTo(this.#offset);
  }

  // Show the run that an address names.
  /** @param {URLSearchParams} parameters */
  open(parameters) {
    const key = parameters.get("run");
    const chosen = { solver: parameters.get("solver") ?? "", instance: parameters.get("instance") ?? "" };
    if (key && JSON.stringify([key, chosen]) !== this.#shown) this.#showRun(key, chosen);
    if (!key) this.#closeRun();
  }

  /** @param {number} offset */
  async #goTo(offset) {
    this.#offset = Math.max(0, offset);
    const query = new URLSearchParams({ offset: String(this.#offset), limit: String(PER_PAGE) });
    for (const [name, { value }] of Object.entries(this.#filters)) if (value) query.set(name, value);
    const { num_runs: numRuns, runs } = await get(`${this.#path}?${query}`);
    this.#table.show(
      runs.map((/** @type {any} */ run) => [
        run.solver,
        run.instance,
        `${run.run + 1}`,
        run.outcome,
        run.seconds.toPrecision(3),
        formatNumber(run.cost),
        run,
      ]),
    );
    const last = Math.min(this.#offset + PER_PAGE, numRuns);
    this.place.textContent = numRuns
      ? `${this.#offset + 1}–${last} of ${numRuns.toLocaleString("en")}`
      : "No such runs.";
    this.previous.disabled = this.#offset === 0;
    this.next.disabled = last >= numRuns;
  }

  /** @param {any} run */
  #openButton(run) {
    return button("Show", () => this.#choose(run), {
      className: "small",
      "aria-label": `Show run ${run.run + 1} of ${run.solver} on ${run.instance}`,
    });
  }

  /** @param {{ key: string, solver: string, instance: string }} run */
  #choose({ key, solver, instance }) {
    rewriteAddress("lab", { ...this.address, run: key, solver, instance });
    this.#showRun(key, { solver, instance });
  }

  #closeRun() {
    this.#charts?.close();
    this.#charts = this.#shown = null;
    this.detail.replaceChildren();
  }

  /** @param {string} key @param {{ solver: string, instance: string }} chosen */
  async #showRun(key, chosen) {
    this.#shown = JSON.stringify([key, chosen]);
    const run = await get(`${this.#path}/${encodeURIComponent(key)}?${new URLSearchParams(chosen)}`);
    this.#charts?.close();
    this.#charts = traceCharts(run);
    const close = button("Close", () => {
      this.#closeRun();
      rewriteAddress("lab", this.address);
    });
    const title = el("h3", { tabIndex: -1, textContent: `${run.solver} on ${run.instance}, run ${run.run + 1}` });
    this.detail.replaceChildren(
      el(
        "article",
        { className: "run-detail stack" },
        el("div", { className: "row spread" }, title, close),
        el(
          "div",
          { className: "run-columns" },
          boardOf(run),
          el("div", { className: "stack" }, facts(run), this.#charts?.element ?? noTrace()),
        ),
      ),
    );
    this.#charts?.draw(0);
    title.focus();
  }
}

function noTrace() {
  return el("p", {
    className: "hint",
    textContent: "This run has no trace; trace = true in the experiment keeps one.",
  });
}

// The trace as charts: its first column counts the steps. The grids of the run are not stored, only its givens.
/** @param {any} run */
function traceCharts(run) {
  const [first, ...columns] = Object.keys(run.trace);
  const grid = cellsOf(run.puzzle, run.size);
  if (!columns.length || !grid) return null;
  const recording = new Recording();
  recording.add(JSON.stringify({ type: "run", version: 1, givens: grid, box: run.box, size: run.size }));
  run.trace[first].forEach((/** @type {number} */ step, /** @type {number} */ row) => {
    const values = Object.fromEntries(columns.map((column) => [column, run.trace[column][row]]));
    recording.add(JSON.stringify({ type: "frame", step, values, grid }));
  });
  /** @type {Charts} */
  const charts = new Charts(recording, (index) => charts.draw(index));
  return charts;
}

/** @param {any} run */
function boardOf(run) {
  const geometry = Geometry.parse(run.box);
  const givens = cellsOf(run.puzzle, run.size);
  const digits = run.solution ? cellsOf(run.solution, run.size) : null;
  const view = new BoardView(geometry, {
    label: `${run.instance}, ${run.num_givens} givens${digits ? ", with the solution found" : ""}`,
  });
  if (givens) view.draw({ givens, digits: digits ?? [] });
  return view.element;
}

/** @param {any} run */
function facts(run) {
  const parameters = Object.entries(run.parameters).map(([name, value]) => `${name} = ${value}`);
  const entries = [
    ["Outcome", run.outcome],
    ["CPU time", formatSeconds(run.seconds)],
    ["Wall time", formatSeconds(run.wall_seconds)],
    ["Seed", run.seed],
    ["Parameters", parameters.join(", ") || "default"],
    ...(run.cost === null ? [] : [["Cost", formatNumber(run.cost)]]),
    ...Object.entries(run.stats).map(([name, value]) => [nameOf(name), formatNumber(value)]),
    ...(run.error ? [["Error", run.error]] : []),
  ];
  return el(
    "div",
    {},
    el(
      "dl",
      { className: "facts" },
      entries.flatMap(([name, value]) => [el("dt", { textContent: name }), el("dd", { textContent: value })]),
    ),
    links(run),
  );
}

// Built-in solvers can be watched on the same puzzle, with the same seed if the browser can represent it.
/** @param {any} run */
function links(run) {
  const givens = cellsOf(run.puzzle, run.size);
  if (!givens) return null;
  const puzzle = puzzleParameters(Geometry.parse(run.box), givens);
  /** @type {[page: string, text: string, query: Record<string, string>][]} */
  const places = [["play", "Play this puzzle", puzzle]];
  if (run.name && !run.name.includes(":")) {
    const query = { ...puzzle, solver: run.name, ...run.parameters };
    const isSame = Number.isSafeInteger(Number(run.seed));
    if (isSame) query.seed = run.seed;
    places.push(["watch", isSame ? "Watch this run" : "Watch this solver", query]);
  }
  return el(
    "p",
    { className: "row" },
    places.map(([page, text, query]) => el("a", { href: `#${page}?${new URLSearchParams(query)}`, textContent: text })),
  );
}
