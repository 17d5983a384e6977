// The live progress of an experiment.

import { el } from "../elements.js";
import { SortableTable } from "./tables.js";

/**
 * @typedef {{ num_planned: number, num_done: number, num_claimed: number, runs_per_second: number,
 *   remaining_seconds: number | null, last_finished: string | null, solvers: any[] }} Standing
 */

/** @param {number} done @param {number} planned @param {string} label */
export function progressBar(done, planned, label) {
  return el("progress", { max: Math.max(planned, 1), value: done, "aria-label": label });
}

// Show the answer of …/progress.
export class Progress {
  /** @type {SortableTable | null} */
  #table = null;

  constructor() {
    this.words = el("p", { className: "hint" });
    this.bar = progressBar(0, 1, "Finished runs");
    this.element = el(
      "section",
      { className: "card stack" },
      el("h2", { textContent: "Progress" }),
      this.bar,
      this.words,
    );
  }

  /** @param {Standing} standing */
  show(standing) {
    const { num_planned: planned, num_done: done } = standing;
    this.bar.max = Math.max(planned, 1);
    this.bar.value = done;
    this.words.textContent = sentence(standing);
    const rows = standing.solvers.map((solver) => [
      solver.solver,
      `${solver.num_done.toLocaleString("en")} of ${solver.num_planned.toLocaleString("en")}`,
      solver.num_done ? `${Math.round((100 * solver.num_success) / solver.num_done)} %` : "–",
      solver.num_faults || "–",
      solver.num_done ? (solver.cpu_seconds / solver.num_done).toPrecision(3) : "–",
    ]);
    if (this.#table) this.#table.show(rows);
    else {
      this.#table = new SortableTable(["solver", "done", "success", "errors", "mean s"], rows, {
        caption: "Progress by solver",
        isNumber: [false, true, true, true, true],
      });
      this.element.append(this.#table.element);
    }
  }
}

/** @param {Standing} standing */
function sentence({
  num_planned: planned,
  num_done: done,
  num_claimed: claimed,
  runs_per_second: rate,
  remaining_seconds: remaining,
  last_finished: last,
}) {
  const parts = [`${done.toLocaleString("en")} of ${planned.toLocaleString("en")} runs`];
  if (done === planned) parts.push("finished");
  else if (claimed) parts.push(`${claimed} running`);
  else parts.push("not running");
  if (done < planned && rate > 0) parts.push(speed(rate));
  if (done < planned && remaining) parts.push(`about ${duration(remaining)} left`);
  if (last) parts.push(`last run ${new Date(last).toLocaleString("en-GB")}`);
  return parts.join(" · ");
}

/** @param {number} rate */
function speed(rate) {
  return rate < 1 ? `${(60 * rate).toFixed(1)} runs per minute` : `${rate.toFixed(1)} runs per second`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
