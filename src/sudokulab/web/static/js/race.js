// The page Race: two to six solvers on one puzzle and seed, side by side, by time or in equal steps.

import { puzzleParameters, rewriteAddress } from "./address.js";
import { button, copy, el, say, select } from "./elements.js";
import { field, numberIn, numberInput, setNumber } from "./form-fields.js";
import { lineOf } from "./geometry.js";
import { PuzzlePicker, presetList, puzzleAt, puzzleOf, racersFor } from "./puzzle-picker.js";
import { Lane } from "./race-lane.js";
import { RaceResults, ranksOf } from "./race-results.js";
import { RacerForm } from "./racer-form.js";
import { solverList } from "./solver-list.js";

/** @import { Puzzle } from "./geometry.js" */
/** @import { Preset } from "./puzzle-picker.js" */
/** @import { By } from "./race-results.js" */
/** @import { SolverFacts } from "./solver-list.js" */

const DEFAULT_SEED = 1;
const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 600;
const ROUNDS_PER_SECOND = 20;
const STRIDES = [1, 10, 100, 1000, 10_000];
const DEFAULT_STRIDE = 10;

const NOTES = {
  time:
    "All searches run at once at full speed and share the processors of this computer. " +
    "The ranking counts the CPU time of each search, without the time it waits for a processor.",
  steps:
    "In each round every search takes the same number of steps: " +
    "moves, iterations or nodes, as each solver counts them.",
};

/** @param {HTMLElement} container @param {URLSearchParams} parameters */
export function mount(container, parameters) {
  const page = new RacePage(container);
  page.load(parameters);
  return { update: page.load.bind(page), unmount: () => page.close() };
}

class RacePage {
  /** @type {HTMLElement} */
  stage;
  /** @type {HTMLElement} */
  strideField;
  /** @type {Puzzle} */
  #puzzle;
  /** @type {Lane[]} */
  #lanes = [];
  /** @type {RaceResults} */
  #results;
  /** @type {By} */
  #by = "time";
  #request = 0;
  #isPaused = false;
  #isClosed = false;
  #parts;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#parts = this.#makeParts();
    container.append(
      el("h1", { className: "hidden", textContent: "Race solvers" }),
      this.#makeSetup(),
      this.#makeStage(),
    );
  }

  close() {
    this.#isClosed = true;
    this.#leave();
  }

  /** @param {URLSearchParams} parameters */
  async load(parameters) {
    const [solvers, presets, puzzle] = await Promise.all([solverList(), presetList(), puzzleAt(parameters)]);
    if (this.#isClosed) return;
    const { seed, seconds, stride, racers, picker } = this.#parts;
    this.#puzzle = puzzle ?? this.#puzzle ?? puzzleOf(presets[0]);
    setNumber(seed, parameters.get("seed"), DEFAULT_SEED);
    setNumber(seconds, parameters.get("seconds"), DEFAULT_SECONDS);
    const number = Number(parameters.get("stride"));
    stride.value = String(STRIDES.includes(number) ? number : DEFAULT_STRIDE);
    this.#chooseBy(parameters.get("by") === "steps" ? "steps" : "time");
    const preset = await picker.show(this.#puzzle);
    await racers.set(racersIn(parameters, solvers) ?? (await fieldOf(preset)));
    this.#showLanes();
    this.#parts.start.disabled = false;
  }

  #makeParts() {
    const onchange = () => this.#writeAddress();
    /** @type {[string, string][]} */
    const strides = STRIDES.map((count) => [String(count), count.toLocaleString("en")]);
    return {
      picker: new PuzzlePicker((puzzle, preset) => this.#choosePuzzle(puzzle, preset)),
      racers: new RacerForm(() => this.#racersChanged()),
      seed: numberInput("seed", onchange, { min: 0, max: Number.MAX_SAFE_INTEGER, step: 1 }),
      seconds: numberInput("seconds", onchange, { min: 0.1, max: MAX_SECONDS, step: "any" }),
      stride: select(strides, String(DEFAULT_STRIDE), onchange, { id: "stride" }),
      byTime: el("input", { type: "radio", name: "by", value: "time", onchange: () => this.#byChanged("time") }),
      bySteps: el("input", { type: "radio", name: "by", value: "steps", onchange: () => this.#byChanged("steps") }),
      note: el("p", { className: "hint note" }),
      start: button("Start", () => this.#start(), { className: "primary", id: "start", disabled: true }),
      pause: button("Pause", () => this.#togglePause(), { hidden: true }),
      stop: button("Stop", () => this.#stop(), { hidden: true }),
      problem: el("p", { className: "error", role: "alert" }),
      results: el("div"),
      lanes: el("div", { className: "lanes" }),
    };
  }

  #makeSetup() {
    const { picker, racers, seed, seconds, stride, byTime, bySteps, note } = this.#parts;
    const by = el(
      "fieldset",
      { className: "choice" },
      el("legend", { textContent: "Race by" }),
      el("label", { className: "inline" }, byTime, "time"),
      el("label", { className: "inline" }, bySteps, "equal steps"),
    );
    this.strideField = field("Steps per round", stride);
    return el(
      "section",
      { className: "card setup", "aria-label": "Setup" },
      el(
        "div",
        { className: "setup-main race" },
        picker.element,
        field("Seed", seed),
        field("Time limit (s)", seconds),
        by,
        this.strideField,
      ),
      picker.paste,
      racers.element,
      note,
    );
  }

  // The controls stay in place, so that they keep the focus.
  #makeStage() {
    const { start, pause, stop, problem, results, lanes } = this.#parts;
    const link = button("Copy link", () => this.#copyLink(), { className: "quiet" });
    const controls = el("div", { className: "row" }, start, pause, stop, link, problem);
    const card = el("section", { className: "card stack", "aria-label": "Results" }, controls, results);
    return (this.stage = el("div", { className: "stage" }, card, lanes));
  }

  /** @param {Puzzle} puzzle @param {Preset | null} preset */
  async #choosePuzzle(puzzle, preset) {
    this.#puzzle = puzzle;
    if (preset?.racers.length) await this.#parts.racers.set(await fieldOf(preset));
    this.#parts.picker.show(puzzle);
    this.#racersChanged();
  }

  #racersChanged() {
    this.#showLanes();
    this.#writeAddress();
  }

  /** @param {By} by */
  #byChanged(by) {
    this.#chooseBy(by);
    this.#showLanes();
    this.#writeAddress();
  }

  /** @param {By} by */
  #chooseBy(by) {
    const { byTime, bySteps, note } = this.#parts;
    this.#by = by;
    byTime.checked = by === "time";
    bySteps.checked = by === "steps";
    this.strideField.hidden = by === "time";
    note.textContent = NOTES[by];
  }

  // Empty lanes: the race as it stands before the start.
  #showLanes() {
    this.#leave();
    this.#lanes = this.#parts.racers.racers.map((racer) => new Lane(racer, this.#puzzle, () => this.#drawSoon()));
    this.#results = new RaceResults(this.#lanes, this.#by);
    this.#parts.results.replaceChildren(this.#results.element);
    this.#parts.lanes.replaceChildren(...this.#lanes.map((lane) => lane.element));
    this.#drawSoon();
  }

  get #settings() {
    const { seed, seconds, stride } = this.#parts;
    return {
      seed: numberIn(seed, DEFAULT_SEED),
      seconds: numberIn(seconds, DEFAULT_SECONDS),
      stride: Number(stride.value),
    };
  }

  #writeAddress() {
    if (!this.#puzzle) return;
    const { seed, seconds, stride } = this.#settings;
    const { racers } = this.#parts.racers;
    /** @type {Record<string, any>} */
    const entries = { ...puzzleParameters(this.#puzzle.geometry, this.#puzzle.givens) };
    entries.solvers = racers.map(({ solver }) => solver).join();
    racers.forEach(({ parameters }, place) => {
      for (const [name, value] of Object.entries(parameters)) entries[`${place + 1}.${name}`] = value;
    });
    Object.assign(entries, { seed, by: this.#by });
    if (seconds !== DEFAULT_SECONDS) entries.seconds = seconds;
    if (this.#by === "steps" && stride !== DEFAULT_STRIDE) entries.stride = stride;
    rewriteAddress("race", entries);
  }

  #copyLink() {
    this.#writeAddress();
    copy(location.href, "The link to this race was copied.");
  }

  async #start() {
    const { racers, problem } = this.#parts;
    problem.textContent = racers.check() ? "" : "Some parameters are not valid.";
    if (problem.textContent) return;
    this.#writeAddress();
    this.#showLanes();
    this.#isPaused = false;
    this.#showButtons(true);
    this.stage.scrollIntoView({ block: "start" });
    const lanes = this.#lanes;
    await Promise.all(lanes.map((lane) => lane.prepare(this.#startOf(lane))));
    if (lanes !== this.#lanes) return;
    if (this.#by === "steps") await this.#runRounds(lanes);
    else for (const lane of lanes) lane.run?.resume();
  }

  /** @param {Lane} lane */
  #startOf({ racer }) {
    const { geometry, givens } = this.#puzzle;
    const { seed, seconds } = this.#settings;
    return {
      puzzle: lineOf(givens, geometry.size),
      box: geometry.box,
      solver: racer.solver,
      parameters: racer.parameters,
      seed,
      seconds,
      steps_per_frame: 0,
      frames_per_second: ROUNDS_PER_SECOND,
      is_paused: true,
    };
  }

  // In lockstep: a round starts when every search has finished the round before.
  /** @param {Lane[]} lanes */
  async #runRounds(lanes) {
    const { stride } = this.#settings;
    while (lanes === this.#lanes && !lanes.every((lane) => lane.isOver)) {
      const pause = new Promise((resolve) => setTimeout(resolve, 1000 / ROUNDS_PER_SECOND));
      if (!this.#isPaused) await Promise.all(lanes.map((lane) => lane.advance(stride)));
      await pause;
    }
  }

  #togglePause() {
    this.#isPaused = !this.#isPaused;
    this.#parts.pause.textContent = this.#isPaused ? "Resume" : "Pause";
    if (this.#by === "steps") return;
    for (const { run, isOver } of this.#lanes) {
      if (isOver) continue;
      if (this.#isPaused) run?.pause();
      else run?.resume();
    }
  }

  #stop() {
    for (const { run, isOver } of this.#lanes) if (!isOver) run?.stop();
  }

  #leave() {
    cancelAnimationFrame(this.#request);
    this.#request = 0;
    for (const lane of this.#lanes) lane.close();
    this.#lanes = [];
    this.#showButtons(false);
  }

  /** @param {boolean} isRunning */
  #showButtons(isRunning) {
    const { start, pause, stop } = this.#parts;
    start.textContent = isRunning ? "Start again" : "Start";
    const { activeElement } = document;
    if (!isRunning && (activeElement === pause || activeElement === stop)) start.focus();
    pause.textContent = "Pause";
    pause.hidden = stop.hidden = !isRunning;
  }

  #drawSoon() {
    this.#request ||= requestAnimationFrame(() => {
      this.#request = 0;
      this.#draw();
    });
  }

  #draw() {
    const ranks = ranksOf(this.#lanes, this.#by);
    for (const lane of this.#lanes) lane.draw(ranks.get(lane));
    this.#results.draw(ranks);
    if (!this.#lanes.every((lane) => lane.isOver)) return;
    this.#results.sort(ranks);
    this.#showButtons(false);
  }
}

// The solvers of an address: `solvers=annealing,dlx&1.cooling=0.9`; null unless there are at least two that exist.
/** @param {URLSearchParams} parameters @param {Map<string, SolverFacts>} solvers */
function racersIn(parameters, solvers) {
  const names = parameters.get("solvers")?.split(",") ?? [];
  const unknown = names.filter((name) => !solvers.has(name));
  if (unknown.length) say(`This server has no solver ${unknown.join(", ")}.`, { isError: true });
  const racers = names.map((solver, place) => {
    const prefix = `${place + 1}.`;
    const own = [...parameters].filter(([key]) => key.startsWith(prefix));
    return { solver, parameters: Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])) };
  });
  const known = racers.filter(({ solver }) => solvers.has(solver));
  return known.length < 2 ? null : known;
}

/** @param {Preset | null} preset */
async function fieldOf(preset) {
  return (await racersFor(preset)).map((solver) => ({ solver, parameters: {} }));
}
