// The page Play: a board to set and solve puzzles on, and everything that the server knows about the puzzle.

import { puzzleIn, puzzleParameters, rewriteAddress } from "./address.js";
import { post } from "./api.js";
import { button, el, say } from "./elements.js";
import { Geometry, lineOf } from "./geometry.js";
import { Game, MODES } from "./play/game.js";
import { Hints, Path } from "./play/guide.js";
import { Keypad } from "./play/keypad.js";
import { actionOf, isForControl } from "./play/keys.js";
import { buildLayout, fillChooser, fillZoom, showWelcome } from "./play/layout.js";
import { listenForPuzzles, readText } from "./play/opening.js";
import { PlayerBoard } from "./play/player-board.js";
import { Selection } from "./play/selection.js";
import { listenForCopy } from "./play/share.js";
import { readOptions, resumeGame, saveGame, saveOptions } from "./play/storage.js";
import { Timer } from "./play/timer.js";

const HELD_MODES = { Shift: "corner", Control: "centre" };
const DEFAULTS = { tidiesMarks: true, shadesEqual: true, hasTimer: false, avoidsUniqueness: false };

export function mount(container, parameters) {
  const page = new PlayPage(container);
  page.follow(parameters);
  return { update: (next) => page.follow(next), unmount: () => page.close() };
}

class PlayPage {
  #mode = "digit";
  #heldMode = null; // while Shift or Ctrl is held
  #overlay = null; // a scene that hides the game: a hint or a step of the path
  #wrong = new Set();
  #puzzles = []; // of the open file
  #requests = new AbortController();
  #report = null; // of check, for the current givens
  #givensAnswered = null; // the givens that the open answer is about, if it is about them alone

  constructor(container) {
    this.options = readOptions(DEFAULTS);
    this.hints = new Hints(this);
    this.path = new Path(this);
    this.timer = new Timer(() => this.#showTime());
    this.keypad = new Keypad({
      setMode: (mode) => this.#setMode(mode),
      enter: (digit) => this.#enter(digit, this.#heldMode ?? this.#mode),
      erase: () => this.#erase(),
      undo: () => this.#undo(),
      redo: () => this.#redo(),
    });
    this.parts = buildLayout(this, container);
    this.listeners = new AbortController();
    const { signal } = this.listeners;
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
    document.addEventListener("keyup", (event) => this.#hold(event.key, null), { signal });
    window.addEventListener("blur", () => this.#hold("Shift", null), { signal });
    this.stopListening = [listenForPuzzles((puzzles) => this.openAll(puzzles)), listenForCopy(() => this.game.line)];
  }

  close() {
    saveGame(this.game, this.timer.seconds);
    this.listeners.abort();
    for (const stop of this.stopListening) stop();
    this.#requests.abort();
    this.path.stop();
    this.timer.close();
  }

  // Puzzles.

  // Open the puzzle of an address, unless it is open already.
  follow(parameters) {
    const puzzle = puzzleIn(parameters);
    if (this.game && puzzle && this.#isOpen(puzzle)) return;
    if (this.game && !parameters.has("p")) {
      this.#rewriteAddress();
      return;
    }
    if (parameters.has("p") && !puzzle) readText(parameters.get("p"), (puzzles) => this.openAll(puzzles));
    const geometry = Geometry.ofSize(9);
    this.openAll([puzzle ?? { geometry, givens: new Array(geometry.numCells).fill(0) }], { keepsFocus: true });
    if (!puzzle) showWelcome(this);
  }

  #isOpen({ geometry, givens }) {
    return geometry.box === this.game.geometry.box && givens.join() === this.game.givens.join();
  }

  openAll(puzzles, { keepsFocus = false } = {}) {
    this.#puzzles = puzzles;
    this.#open(0, keepsFocus);
  }

  #open(index, keepsFocus = false) {
    if (this.game) saveGame(this.game, this.timer.seconds);
    const { geometry, givens, name = "" } = this.#puzzles[index];
    this.game = new Game(geometry, givens, { name });
    this.game.tidiesMarks = this.options.tidiesMarks;
    const seconds = resumeGame(this.game);
    this.closeAnswer();
    this.#wrong.clear();
    this.#makeBoard(geometry);
    this.game.addEventListener("change", () => this.#changed());
    fillChooser(this.parts.chooser, index, this.#puzzles.length, (next) => this.#open(next, true));
    this.timer.start(seconds);
    this.#changed();
    if (!keepsFocus) this.board.focus();
  }

  #makeBoard(geometry) {
    this.selection = new Selection(geometry);
    this.selection.addEventListener("change", () => this.draw());
    this.board = new PlayerBoard(geometry, this.selection, {
      onPick: (cell, kind) => this.#pick(cell, kind),
      isPickingSeveral: () => this.keypad.isPickingSeveral,
    });
    this.parts.board.replaceChildren(this.board.element);
    fillZoom(this.parts.zoom, this.board);
    this.keypad.setGeometry(geometry);
  }

  // The game has changed.

  #changed() {
    const { game } = this;
    this.#rewriteAddress();
    this.#wrong.clear();
    if (this.#givensAnswered !== game.line) this.#dismissAnswer();
    saveGame(game, this.timer.seconds);
    if (game.isSolved && !game.isSetting && this.timer.isRunning) {
      this.timer.stop();
      say(this.options.hasTimer ? `Solved in ${this.timer.text}!` : "Solved!");
    } else if (!game.isSolved && !this.timer.isRunning) {
      this.timer.start(this.timer.seconds);
    }
    this.#showHead();
    this.draw();
  }

  #rewriteAddress() {
    const { geometry, givens, numGivens } = this.game;
    rewriteAddress("play", numGivens || geometry.box !== "3x3" ? puzzleParameters(geometry, givens) : {});
  }

  #showHead() {
    const { game } = this;
    const { size, boxRows, boxCols } = game.geometry;
    this.parts.title.textContent = game.name || (game.numGivens ? "Puzzle" : "New puzzle");
    const boxes = boxRows === boxCols ? "" : `, boxes ${boxRows}×${boxCols}`;
    const givens = `${game.numGivens} given${game.numGivens === 1 ? "" : "s"}`;
    const advice = game.numGivens ? "" : ". Type the givens, paste or drop a puzzle";
    this.parts.summary.textContent = `${size}×${size}${boxes}, ${givens}${advice}`;
    this.parts.state.textContent = game.isSetting ? "Start playing" : "Edit givens";
    this.parts.state.className = game.isSetting && game.numGivens ? "primary" : "";
    this.parts.state.disabled = game.isSetting && game.numGivens === 0;
    this.#showTime();
  }

  #showTime() {
    const isShown = this.options.hasTimer && this.game && !this.game.isSetting;
    this.parts.clock.textContent = isShown ? this.timer.text : "";
  }

  draw() {
    this.#showTime();
    this.board.draw(this.#overlay ? this.#outlined(this.#overlay) : this.#scene());
    this.keypad.show(this.game, this.#heldMode ?? this.#mode);
  }

  #scene() {
    const { game } = this;
    const { grid } = game;
    return {
      givens: game.givens,
      digits: game.digits,
      corners: game.corners,
      centres: game.centres,
      clashes: game.geometry.clashes(grid),
      wrong: this.#wrong,
      shades: [...this.#equalCells(grid), ...[...this.selection.cells].map((cell) => [cell, "selected"])],
    };
  }

  // A scene with the selection as outlines.
  #outlined(scene) {
    return { ...scene, shades: [...scene.shades, ...[...this.selection.cells].map((cell) => [cell, "outlined"])] };
  }

  // The cells with the digit of the cursor, if the selection has only one digit.
  #equalCells(grid) {
    const digits = new Set([...this.selection.cells].map((cell) => grid[cell]));
    if (!this.options.shadesEqual || digits.size !== 1 || digits.has(0)) return [];
    const [digit] = digits;
    return grid.flatMap((other, cell) => (other === digit ? [[cell, "same"]] : []));
  }

  setOption(key, value) {
    this.options[key] = value;
    saveOptions(this.options);
    this.game.tidiesMarks = this.options.tidiesMarks;
    this.hints.forget();
    this.draw();
  }

  // Input.

  #pick(cell, kind) {
    if (kind === "equal") this.selection.these(this.#cellsLike(cell));
    else this.selection[kind](cell);
  }

  // The cells with the digit of a cell, or with its only or all of its marks.
  #cellsLike(cell) {
    const cells = Array.from({ length: this.game.geometry.numCells }, (_, index) => index);
    const { digit, corners, centres } = this.game.cell(cell);
    if (digit) return cells.filter((other) => this.game.cell(other).digit === digit);
    if (!corners && !centres) return [cell];
    return cells.filter((other) => {
      const like = this.game.cell(other);
      return !like.digit && like.corners === corners && like.centres === centres;
    });
  }

  #setMode(mode) {
    this.#mode = mode;
    this.draw();
  }

  #enter(digit, mode) {
    if (this.selection.cells.size === 0) {
      say("Select a cell first.");
      return;
    }
    this.#showGame();
    this.game.enter([...this.selection.cells], digit, mode);
  }

  #erase() {
    this.#showGame();
    this.game.erase([...this.selection.cells], this.#mode);
  }

  #undo() {
    this.#showGame();
    this.game.undo();
  }

  #redo() {
    this.#showGame();
    this.game.redo();
  }

  // Shift and Ctrl choose a mode while they are held.
  #hold(key, mode) {
    if (!(key in HELD_MODES) || this.#heldMode === mode) return;
    this.#heldMode = mode;
    this.keypad.show(this.game, mode ?? this.#mode);
  }

  #press(event) {
    if (event.defaultPrevented || isForControl(event)) return;
    this.#hold(event.key, HELD_MODES[event.key]);
    const action = actionOf(event, this.game.geometry.size, this.#mode);
    if (!action) return;
    event.preventDefault();
    const { size, numCells } = this.game.geometry;
    const row = this.game.geometry.row(this.selection.cursor);
    const actions = {
      move: () => this.selection.move(...action.by, action.isExtending),
      home: () => this.selection.moveTo(row * size, action.isExtending),
      end: () => this.selection.moveTo(Math.min(numCells, (row + 1) * size) - 1, action.isExtending),
      enter: () => this.#enter(action.digit, action.mode),
      erase: () => this.#erase(),
      escape: () => (this.parts.answer.hidden ? this.selection.clear() : this.closeAnswer()),
      cycle: () => this.#setMode(MODES[(MODES.indexOf(this.#mode) + 1) % MODES.length]),
      mode: () => this.#setMode(action.mode),
      undo: () => this.#undo(),
      redo: () => this.#redo(),
      all: () => this.selection.all(),
    };
    actions[action.name]();
    if (["move", "home", "end"].includes(action.name)) this.board.focus();
  }

  // Answers: the modules of play/ use the members below.

  // The board with the player's digits, as the server reads it.
  get boardLine() {
    return lineOf(this.game.grid, this.game.geometry.size);
  }

  get techniques() {
    return this.options.avoidsUniqueness ? { without: "uniqueness" } : {};
  }

  // Run something that asks the server, and report errors.
  async run(act) {
    this.path.stop();
    this.parts.all.ariaBusy = "true";
    try {
      await act();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!error.problem) throw error;
      say(error.message, { isError: true });
    } finally {
      this.parts.all.ariaBusy = "false";
    }
  }

  // Ask the server about the puzzle. A new question cancels those before it, unless they belong together.
  async ask(path, body, { isAlone = true } = {}) {
    if (isAlone) {
      this.cancel();
      this.#givensAnswered = null;
    }
    const question = { puzzle: this.game.line, box: this.game.geometry.box, ...body };
    return post(path, question, { signal: this.#requests.signal });
  }

  // Cancel the questions that have no answer yet.
  cancel() {
    this.#requests.abort();
    this.#requests = new AbortController();
  }

  // The report of check for the current givens.
  async check() {
    const puzzle = `${this.game.geometry.box} ${this.game.line}`;
    if (this.#report?.puzzle !== puzzle) this.#report = { puzzle, ...(await this.ask("check", {})) };
    return this.#report;
  }

  // Show an answer. It closes with the next change of the board, so that it is never out of date.
  answer(title, ...content) {
    this.#givensAnswered = null;
    const hadFocus = this.#isAnswerFocused;
    this.parts.answer.hidden = false;
    const close = button("✕", () => this.closeAnswer(), { className: "quiet close", "aria-label": "Close the answer" });
    this.parts.answer.replaceChildren(
      el("div", { className: "row spread" }, el("h2", { textContent: title }), close),
      ...content,
    );
    if (hadFocus) (this.parts.answer.querySelector("button.primary") ?? close).focus();
    const sentence = this.parts.answer.querySelector("p")?.textContent ?? "";
    this.parts.announcer.textContent = `${title}. ${sentence}`;
  }

  // Show an answer that does not depend on the player's digits and marks. It closes when the givens change.
  answerOnGivens(title, ...content) {
    this.answer(title, ...content);
    this.#givensAnswered = this.game.line;
  }

  closeAnswer() {
    this.#dismissAnswer();
    if (this.board) this.draw();
  }

  get #isAnswerFocused() {
    return this.parts.answer.contains(document.activeElement);
  }

  #dismissAnswer() {
    if (this.#isAnswerFocused) this.board.focus();
    this.cancel();
    this.path.stop();
    this.parts.answer.hidden = true;
    this.parts.answer.replaceChildren();
    this.parts.announcer.textContent = "";
    this.#overlay = null;
    this.#givensAnswered = null;
    this.hints.forget();
  }

  showScene(scene) {
    this.#overlay = scene;
    this.draw();
  }

  #showGame() {
    if (this.#overlay) this.closeAnswer();
  }

  showWrong(cells) {
    this.#overlay = null;
    this.#wrong = new Set(cells);
    this.draw();
  }

  showCells(cells) {
    this.#overlay = null;
    this.selection.these(cells);
  }

  showClashes(cells) {
    this.showCells(cells);
  }
}
