// A run on the page: the board with its controls on the left, values and charts on the right. Used by the page Watch
// and by self-contained HTML files.

import { el } from "./elements.js";
import { Player } from "./player.js";
import { formatNumber, formatSeconds } from "./quantities.js";

/** @import { PlayerOptions } from "./player.js" */
/** @import { Header, Outcome, Recording } from "./recording.js" */

/** @type {Record<string, string>} */
const ENDINGS = {
  solved: "Solved in",
  unsatisfiable: "Proved that there is no solution, in",
  unknown: "Stopped without a solution after",
};

export class RunView {
  /** @param {Recording} recording @param {PlayerOptions} [options] */
  constructor(recording, options = {}) {
    this.recording = recording;
    this.player = new Player(recording, options);
    this.title = el("h2", { textContent: titleOf(recording.header) });
    this.settings = el("p", { className: "hint settings", textContent: settingsOf(recording.header) });
    this.outcome = el("p", { className: "outcome", role: "status" });
    this.extra = el("div", { className: "stack" });
    const { player } = this;
    const left = el("div", { className: "stack" }, player.board.element, player.controls, this.extra, player.layers);
    const right = el(
      "div",
      { className: "card stack run-panel" },
      el("div", {}, this.title, this.settings),
      this.outcome,
      player.values,
      player.charts.element,
      player.legend,
    );
    this.element = el("div", { className: "columns run" }, left, right);
    this.refresh();
  }

  // The recording has grown or has ended.
  /** @param {{ isLive?: boolean }} [options] */
  refresh(options) {
    this.player.refresh(options);
    const { result } = this.recording;
    if (!result) return;
    this.outcome.textContent = outcomeOf(result, this.recording.header);
    this.outcome.classList.toggle("is-solved", result.status === "solved");
  }

  close() {
    this.player.close();
  }
}

/** @param {Header} header */
export function titleOf({ solver, size }) {
  return `${solver} on a ${size}×${size} puzzle`;
}

/** @param {Header} header */
function settingsOf({ parameters = {}, seed }) {
  const words = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
  return [`seed ${seed}`, ...words].join(", ");
}

// A sentence on how a run ended: "Solved in 52 ms of CPU time: 12,345 iterations, 3 reheats."
/** @param {Outcome} result @param {Header} header */
export function outcomeOf(result, { clock }) {
  if (result.error) return `Failed: ${result.error}`;
  const counts = Object.entries(result.stats ?? {}).map(
    ([name, value]) => `${formatNumber(value)} ${name.replaceAll("_", " ")}`,
  );
  const work = counts.length ? `: ${counts.join(", ")}` : "";
  return `${ENDINGS[result.status] ?? ENDINGS.unknown} ${formatSeconds(result.seconds)}${clock === "cpu" ? " of CPU time" : ""}${work}.`;
}
