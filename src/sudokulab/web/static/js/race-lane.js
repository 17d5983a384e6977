// A lane of a race: one solver with its live grid, curve and status.

import { BoardView } from "./board-view.js";
import { MiniChart } from "./charts.js";
import { el } from "./elements.js";
import { sceneOf } from "./frame-scene.js";
import { LiveRun } from "./live-run.js";
import { formatNumber, formatSeconds } from "./quantities.js";

/** @import { Puzzle } from "./geometry.js" */
/** @import { ChartSpec } from "./quantities.js" */
/** @import { Recording } from "./recording.js" */

/** @typedef {{ title: string, solver: string, parameters: Record<string, any> }} LaneRacer */

const LAYERS = new Set(["digits", "pheromone", "decisions", "tabu"]);
/** @type {Record<string, ChartSpec>} */
const CURVES = {
  cost: { title: "Cost", columns: ["cost", "best_cost"], startsAtZero: true },
  cells_fixed: { title: "Cells fixed", columns: ["cells_fixed"], startsAtZero: true },
};
/** @type {Record<string, string>} */
const STATUSES = { solved: "solved", unsatisfiable: "no solution", unknown: "not solved" };

export class Lane {
  problem = "";
  /** @type {LiveRun | undefined} */
  run; // from the start of the race
  #onChange;
  /** @type {{ step: number, resolve: () => void } | null} */
  #waiting = null; // {step, resolve} of a promised step
  #isDirty = true;
  /** @type {number | null} */
  #firstCost = null;
  #column = "";
  /** @type {MiniChart | null} */
  #chart = null;

  /** @param {LaneRacer} racer @param {Puzzle} puzzle @param {() => void} onChange */
  constructor(racer, { geometry, givens }, onChange) {
    this.racer = racer;
    this.givens = givens;
    this.#onChange = onChange;
    this.board = new BoardView(geometry, { label: `Grid of ${racer.title}` });
    this.board.draw({ givens });
    this.badge = el("span", { className: "badge" });
    this.curve = el("div");
    const head = el("header", {}, el("h2", { textContent: racer.title }), this.badge);
    this.element = el(
      "section",
      { className: "card lane", "aria-label": racer.title },
      head,
      this.board.element,
      this.curve,
    );
  }

  // Connect to the server; the promise resolves when the search is ready, paused before its first step.
  /** @param {object} start @returns {Promise<void>} */
  prepare(start) {
    return new Promise((resolve) => {
      this.run = new LiveRun(start, {
        onChange: () => {
          this.#changed();
          resolve();
        },
        onError: ({ detail, title }) => {
          this.problem = detail ?? title ?? "The run failed.";
          this.#changed();
          resolve();
        },
      });
    });
  }

  get isOver() {
    return Boolean(this.problem || this.run?.isOver);
  }

  get result() {
    return this.run?.recording.result ?? null;
  }

  get hasFinished() {
    return this.result !== null && this.result.status !== "unknown";
  }

  get frame() {
    return this.run?.recording.frames.at(-1) ?? null;
  }

  get step() {
    return this.frame?.step ?? 0;
  }

  get seconds() {
    return this.result?.seconds ?? this.frame?.seconds ?? 0;
  }

  get clock() {
    return this.run?.recording.header?.clock ?? "";
  }

  // The CPU time, or the wall time of a solver outside of the core.
  get timeText() {
    return `${formatSeconds(this.seconds)}${this.clock === "wall" ? " (wall)" : ""}`;
  }

  get status() {
    if (this.problem) return `failed: ${this.problem}`;
    if (this.result) return this.result.error ? `failed: ${this.result.error}` : STATUSES[this.result.status];
    return this.run ? "searching" : "ready";
  }

  // From 0 to 1: the best cost of metaheuristics, the cells fixed by tree searches.
  get progress() {
    if (this.hasFinished) return 1;
    const values = this.frame?.values ?? {};
    if (values.best_cost !== undefined) {
      const { frames = [] } = this.run?.recording ?? {};
      this.#firstCost ??= frames.find((frame) => frame.values.best_cost !== undefined)?.values.best_cost ?? 1;
      return 1 - Math.min(1, values.best_cost / Math.max(this.#firstCost, 1));
    }
    return Math.min(1, (values.cells_fixed ?? 0) / this.board.geometry.numCells);
  }

  // Take exactly this many steps; the promise resolves when they are done or the run is over.
  /** @param {number} count @returns {Promise<void>} */
  advance(count) {
    const { run } = this;
    if (this.isOver || !run) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting = { step: this.step + count, resolve };
      run.step(count);
    });
  }

  close() {
    this.run?.close();
    this.#waiting?.resolve();
  }

  #changed() {
    this.#isDirty = true;
    if (this.#waiting && (this.isOver || this.step >= this.#waiting.step)) {
      const { resolve } = this.#waiting;
      this.#waiting = null;
      resolve();
    }
    this.#onChange();
  }

  /** @param {number | undefined} rank */
  draw(rank) {
    this.badge.textContent = this.#badgeText(rank);
    this.element.classList.toggle("is-over", this.isOver);
    this.element.classList.toggle("is-first", rank === 1);
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const recording = this.run?.recording;
    if (!recording?.frames.length) return;
    const frame = recording.frame(recording.last);
    this.board.element.classList.toggle("has-heat", Boolean(frame.heat));
    this.board.draw(sceneOf(recording, frame, null, LAYERS));
    this.#drawCurve(recording);
  }

  // The cost if there is one; a filter before the search reports only cells.
  /** @param {Recording} recording */
  #drawCurve(recording) {
    const column = Object.keys(CURVES).find((name) => recording.columns.includes(name));
    if (!column) return;
    if (column !== this.#column) {
      this.#column = column;
      this.#chart = new MiniChart(recording, CURVES[column]);
      this.curve.replaceChildren(this.#chart.element);
    }
    this.#chart?.draw();
  }

  /** @param {number | undefined} rank */
  #badgeText(rank) {
    if (this.problem) return this.problem;
    const work = `step ${formatNumber(this.step)}, ${this.timeText}`;
    return rank ? `${ordinal(rank)}: ${work}` : this.result ? `${this.status}: ${work}` : this.run ? work : "";
  }
}

/** @param {number} rank */
function ordinal(rank) {
  return `${rank}${["st", "nd", "rd"][rank - 1] ?? "th"}`;
}
