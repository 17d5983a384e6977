// The page Watch: choose a puzzle, a solver and its parameters, see the search live, and replay it.

import { puzzleParameters, rewriteAddress } from "./address.js";
import { BoardView } from "./board-view.js";
import { button, copy, el, say, select } from "./elements.js";
import { field, numberIn, numberInput, setNumber } from "./form-fields.js";
import { lineOf } from "./geometry.js";
import { LiveControls } from "./live-controls.js";
import { LiveRun, SPEEDS, comfortableSpeed, speedOf } from "./live-run.js";
import { PuzzlePicker, presetList, puzzleAt, puzzleOf, readPuzzle, textOfFile } from "./puzzle-picker.js";
import { Recording, RecordingError } from "./recording.js";
import { RunView } from "./run-view.js";
import { saveHtml, saveLines } from "./saving.js";
import { SolverForm } from "./solver-form.js";
import { describedSolver, solverList } from "./solver-list.js";

/** @import { Problem } from "./api.js" */
/** @import { Puzzle } from "./geometry.js" */
/** @import { SolverFacts } from "./solver-list.js" */

const DEFAULT_SOLVER = "annealing";
const DEFAULT_SEED = 1;
const DEFAULT_SECONDS = 60;
const MAX_SECONDS = 3600;

/** @param {HTMLElement} container @param {URLSearchParams} parameters */
export function mount(container, parameters) {
  const page = new WatchPage(container);
  page.load(parameters);
  return { update: page.follow.bind(page), unmount: () => page.close() };
}

class WatchPage {
  /** @type {Puzzle} */
  #puzzle;
  #solver = DEFAULT_SOLVER;
  /** @type {SolverFacts} */
  #facts; // what the server says about the solver
  /** @type {number | null} */
  #speed = null; // steps per second; null until someone chooses one
  /** @type {SolverForm} */
  #form;
  /** @type {LiveRun | null} */
  #run = null;
  /** @type {RunView | null} */
  #view = null;
  /** @type {LiveControls | null} */
  #live = null;
  #listeners = new AbortController();
  #parameterDetails = el("details");
  #parts;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.#parts = this.#makeParts();
    container.append(
      el("h1", { className: "hidden", textContent: "Watch a solver" }),
      this.#makeSetup(),
      this.#parts.stage,
    );
    const options = { signal: this.#listeners.signal };
    document.addEventListener("dragover", (event) => event.preventDefault(), options);
    document.addEventListener("drop", (event) => this.#drop(event), options);
  }

  close() {
    this.#leaveRun();
    this.#listeners.abort();
  }

  // The address has changed: it names another run.
  /** @param {URLSearchParams} parameters */
  follow(parameters) {
    this.#leaveRun();
    this.load(parameters);
  }

  // Set everything that the address names, and the defaults of the rest.
  /** @param {URLSearchParams} parameters */
  async load(parameters) {
    const [solvers, presets, puzzle] = await Promise.all([solverList(), presetList(), puzzleAt(parameters)]);
    if (this.#listeners.signal.aborted) return;
    this.#leaveRun();
    const { seed, seconds } = this.#parts;
    this.#puzzle = puzzle ?? this.#puzzle ?? puzzleOf(presets[0]);
    const solver = parameters.get("solver") ?? this.#solver;
    if (solvers.has(solver)) this.#solver = solver;
    else say(`This server has no solver ${solver}.`, { isError: true });
    const speed = Number(parameters.get("speed") ?? NaN);
    this.#speed = SPEEDS.includes(speed) ? speed : null;
    setNumber(seed, parameters.get("seed"), DEFAULT_SEED);
    setNumber(seconds, parameters.get("seconds"), DEFAULT_SECONDS);
    this.#showPuzzle();
    await this.#showSolver(Object.fromEntries(parameters));
  }

  #makeParts() {
    const onchange = () => this.#writeAddress();
    return {
      picker: new PuzzlePicker((puzzle) => this.#choosePuzzle(puzzle)),
      solver: select([], "", (name) => this.#chooseSolver(name), { id: "solver" }),
      seed: numberInput("seed", onchange, { min: 0, max: Number.MAX_SAFE_INTEGER, step: 1 }),
      seconds: numberInput("seconds", onchange, { min: 0.1, max: MAX_SECONDS, step: "any" }),
      start: button("Start", () => this.#start(), { className: "primary", id: "start", disabled: true }),
      about: el("div", { className: "about stack" }),
      parameters: el("div"),
      problem: el("p", { className: "error", role: "alert" }),
      stage: el("div", { className: "stage" }),
      file: el("input", {
        type: "file",
        accept: ".jsonl,.ndjson",
        hidden: true,
        onchange: (/** @type {any} */ event) => this.#openFiles(event.target),
      }),
    };
  }

  #makeSetup() {
    const { picker, solver, seed, seconds, start, parameters, problem, file } = this.#parts;
    this.#parameterDetails.append(el("summary", { textContent: "Parameters" }), parameters);
    const links = el(
      "div",
      { className: "row setup-links" },
      button("Copy link", () => this.#copyLink(), { className: "quiet" }),
      button("Open a saved run", () => file.click(), { className: "quiet" }),
      file,
    );
    return el(
      "section",
      { className: "card setup", "aria-label": "Setup" },
      el(
        "div",
        { className: "setup-main" },
        picker.element,
        field("Solver", solver),
        field("Seed", seed),
        field("Time limit (s)", seconds),
        el("div", { className: "setup-start" }, start),
      ),
      el("div", { className: "row setup-more" }, this.#parameterDetails, picker.paste, links),
      problem,
    );
  }

  /** @param {Puzzle} puzzle */
  #choosePuzzle(puzzle) {
    this.#puzzle = puzzle;
    this.#leaveRun();
    this.#showPuzzle();
    this.#writeAddress();
  }

  /** @param {string} name */
  async #chooseSolver(name) {
    this.#solver = name;
    this.#speed = null;
    await this.#showSolver({});
    this.#writeAddress();
  }

  #showPuzzle() {
    this.#parts.picker.show(this.#puzzle);
    const board = new BoardView(this.#puzzle.geometry, { label: "The puzzle" });
    board.draw({ givens: this.#puzzle.givens });
    const hint = el("p", { className: "hint", textContent: "Press Start to see the solver at work." });
    const panel = el("div", { className: "card stack" }, this.#parts.about, hint);
    this.#parts.stage.replaceChildren(el("div", { className: "columns run" }, board.element, panel));
  }

  /** @param {Record<string, any>} values */
  async #showSolver(values) {
    const solvers = await solverList();
    const { solver, about, parameters } = this.#parts;
    const options = [...solvers.keys()].map((name) =>
      el("option", { textContent: name, selected: name === this.#solver }),
    );
    solver.replaceChildren(...options);
    const name = this.#solver;
    const text = await describedSolver(name);
    if (name !== this.#solver) return;
    const facts = solvers.get(name);
    if (!facts) return;
    this.#facts = facts;
    const onchange = () => this.#writeAddress();
    this.#parts.start.disabled = false;
    this.#form = new SolverForm(facts.parameters, { values, descriptions: text.parameters, onchange });
    parameters.replaceChildren(this.#form.element);
    about.replaceChildren(
      el("h2", { textContent: name }),
      ...[text.summary, ...text.paragraphs].map((paragraph) => el("p", { textContent: paragraph })),
    );
  }

  get #chosenSpeed() {
    return this.#speed ?? comfortableSpeed(this.#facts);
  }

  get #settings() {
    const { seed, seconds } = this.#parts;
    return {
      solver: this.#solver,
      seed: numberIn(seed, DEFAULT_SEED),
      seconds: numberIn(seconds, DEFAULT_SECONDS),
    };
  }

  #writeAddress() {
    if (!this.#puzzle) return;
    const { solver, seed, seconds } = this.#settings;
    /** @type {Record<string, any>} */
    const entries = { ...puzzleParameters(this.#puzzle.geometry, this.#puzzle.givens), solver, seed };
    if (seconds !== DEFAULT_SECONDS) entries.seconds = seconds;
    if (this.#speed !== null) entries.speed = this.#speed;
    rewriteAddress("watch", { ...entries, ...this.#form?.changed });
  }

  #copyLink() {
    this.#writeAddress();
    copy(location.href, "The link to this run was copied.");
  }

  #start() {
    const { problem } = this.#parts;
    problem.textContent = "";
    if (!this.#form.check()) {
      problem.textContent = "Some parameters are not valid.";
      this.#parameterDetails.open = true;
      return;
    }
    this.#writeAddress();
    this.#leaveRun();
    const { geometry, givens } = this.#puzzle;
    const start = {
      puzzle: lineOf(givens, geometry.size),
      box: geometry.box,
      ...this.#settings,
      parameters: this.#form.changed,
      ...speedOf(this.#chosenSpeed),
    };
    const run = new LiveRun(start, {
      onChange: () => this.#runChanged(run),
      onError: (error) => this.#runFailed(run, error),
    });
    this.#run = run;
  }

  #leaveRun() {
    this.#run?.close();
    this.#view?.close();
    this.#run = this.#view = this.#live = null;
  }

  /** @param {LiveRun} run */
  #runChanged(run) {
    if (run !== this.#run || !run.recording.frames.length) return;
    const view = this.#view ?? this.#showLive(run);
    view.refresh({ isLive: !run.isOver });
    if (run.isOver && this.#live) this.#endLive(view);
  }

  /** @param {LiveRun} run */
  #showLive(run) {
    const view = new RunView(run.recording, {
      isLive: true,
      onForward: () => this.#live?.step(1),
      onSeek: () => this.#live?.refresh(),
    });
    const live = new LiveControls(run, view.player, {
      stepsPerSecond: this.#chosenSpeed,
      onSpeed: (speed) => {
        this.#speed = speed;
        this.#writeAddress();
      },
    });
    view.player.onSpace = () => live.toggle();
    view.extra.append(live.element);
    this.#live = live;
    this.#showView(view);
    return view;
  }

  /** @param {RunView} view */
  #showView(view) {
    this.#view = view;
    const about = el("details", {}, el("summary", { textContent: "About the solver" }), this.#parts.about);
    view.player.legend.after(about);
    this.#parts.stage.replaceChildren(view.element);
    this.#parts.stage.scrollIntoView({ block: "start" });
  }

  /** @param {RunView} view */
  #endLive(view) {
    this.#live = null;
    view.player.onSpace = null;
    this.#showSaving(view);
  }

  /** @param {RunView} view */
  #showSaving({ recording, extra, player }) {
    if (extra.contains(document.activeElement)) player.focus(); // the focused button goes away
    extra.replaceChildren(
      el(
        "div",
        { className: "row" },
        button("Save as HTML", () => saveHtml(recording), {
          title: "One file that plays this run anywhere, without a server",
        }),
        button("Save as JSON lines", () => saveLines(recording), {
          title: "Can be opened here again, and read by programs",
        }),
      ),
    );
  }

  /** @param {LiveRun} run @param {Problem} problem */
  #runFailed(run, { detail, title }) {
    if (run !== this.#run) return;
    const message = detail ?? title ?? "The run failed.";
    if (this.#form.showProblem(message)) this.#parameterDetails.open = true;
    else this.#parts.problem.textContent = message;
    this.#view?.refresh({ isLive: false });
    if (this.#view && this.#live) this.#endLive(this.#view);
    this.#run = null;
  }

  // Saved runs

  /** @param {HTMLInputElement} input */
  #openFiles(input) {
    const file = input.files?.[0];
    input.value = "";
    if (file) this.#open(file);
  }

  /** @param {DragEvent} event */
  #drop(event) {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#open(file);
  }

  // A file holds a saved run or a puzzle.
  /** @param {File} file */
  async #open(file) {
    const start = await file.slice(0, 13).text();
    if (start !== '{"type":"run"' && !/\.(jsonl|ndjson)$/.test(file.name)) {
      const puzzle = await readPuzzle(await textOfFile(file));
      if (puzzle) this.#choosePuzzle(puzzle);
      return;
    }
    try {
      await this.#replay(Recording.parse(await file.text()));
      say(`${file.name} was opened.`);
    } catch (error) {
      if (!(error instanceof RecordingError)) throw error;
      say(`${file.name} cannot be opened. ${error.message}`, { isError: true });
    }
  }

  /** @param {Recording} recording */
  async #replay(recording) {
    const { header, geometry } = recording;
    const { solver, seed, parameters = {} } = header;
    const entries = { ...puzzleParameters(geometry, header.givens), solver, seed: String(seed), ...parameters };
    await this.load(new URLSearchParams(entries));
    this.#writeAddress();
    const view = new RunView(recording);
    this.#showView(view);
    this.#showSaving(view);
  }
}
