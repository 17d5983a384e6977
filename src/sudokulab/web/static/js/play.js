// The page Play: a board to set and solve puzzles on, and everything that the server knows about the puzzle.
//
// The page holds the game and its board. Entry takes the input of the player, Questions asks the server, and AnswerPanel
// shows what it answers; the other modules of play/ use the page through its public members.

import { puzzleIn, puzzleParameters, rewriteAddress } from "./address.js";
import { ApiError } from "./api.js";
import { isAbort } from "./errors.js";
import { say } from "./elements.js";
import { Geometry, lineOf } from "./geometry.js";
import { AnswerPanel } from "./play/answer-panel.js";
import { Entry } from "./play/entry.js";
import { cellsLike, outlined, sceneOfGame } from "./play/game-scene.js";
import { Game } from "./play/game.js";
import { Hints, Path } from "./play/guide.js";
import { Keypad } from "./play/keypad.js";
import { buildLayout, fillChooser, fillZoom, showWelcome } from "./play/layout.js";
import { listenForPuzzles, readText } from "./play/opening.js";
import { PlayerBoard } from "./play/player-board.js";
import { Questions } from "./play/questions.js";
import { Selection } from "./play/selection.js";
import { listenForCopy } from "./play/share.js";
import { readOptions, resumeGame, saveGame, saveOptions } from "./play/storage.js";
import { Timer } from "./play/timer.js";

/** @import { Scene, Shade } from "./board-view.js" */
/** @import { Puzzle } from "./geometry.js" */
/** @import { PickKind } from "./play/player-board.js" */
/** @import { Options } from "./play/storage.js" */

const DEFAULTS = { tidiesMarks: true, shadesEqual: true, hasTimer: false, avoidsUniqueness: false };

/** @param {HTMLElement} container @param {URLSearchParams} parameters */
export function mount(container, parameters) {
  const page = new PlayPage(container);
  page.follow(parameters);
  return { update: page.follow.bind(page), unmount: () => page.close() };
}

export class PlayPage {
  /** @type {Game} */
  game;
  /** @type {Selection} */
  selection;
  /** @type {PlayerBoard} */
  board;
  /** @type {(Scene & { shades: Shade[] }) | null} */
  #overlay = null; // a scene that hides the game: a hint or a step of the path
  /** @type {Set<number>} */
  #wrong = new Set();
  /** @type {Puzzle[]} */
  #puzzles = []; // of the open file
  #questions = new Questions();
  #stops; // functions that end the listening

  /** @param {HTMLElement} container */
  constructor(container) {
    this.options = readOptions(DEFAULTS);
    this.hints = new Hints(this);
    this.path = new Path(this);
    this.timer = new Timer(() => this.#showTime());
    this.panel = new AnswerPanel(() => this.closeAnswer());
    this.entry = new Entry(this);
    this.keypad = new Keypad(this.entry);
    this.parts = buildLayout(this, container);
    this.#stops = [
      this.entry.listen(),
      listenForPuzzles((puzzles) => this.openAll(puzzles)),
      listenForCopy(() => this.game.line),
    ];
  }

  close() {
    saveGame(this.game, this.timer.seconds);
    for (const stop of this.#stops) stop();
    this.#questions.cancel();
    this.path.stop();
    this.timer.close();
  }

  // Puzzles.

  // Open the puzzle of an address, unless it is open already.
  /** @param {URLSearchParams} parameters */
  follow(parameters) {
    const puzzle = puzzleIn(parameters);
    if (this.game && puzzle && this.#isOpen(puzzle)) return;
    if (this.game && !parameters.has("p")) {
      this.#rewriteAddress();
      return;
    }
    const text = parameters.get("p");
    if (text && !puzzle) readText(text, (puzzles) => this.openAll(puzzles));
    const geometry = Geometry.ofSize(9);
    this.openAll([puzzle ?? { geometry, givens: new Array(geometry.numCells).fill(0) }], { keepsFocus: true });
    if (!puzzle) showWelcome(this);
  }

  /** @param {Puzzle} puzzle */
  #isOpen({ geometry, givens }) {
    return geometry.box === this.game.geometry.box && givens.join() === this.game.givens.join();
  }

  /** @param {Puzzle[]} puzzles @param {{ keepsFocus?: boolean }} [options] */
  openAll(puzzles, { keepsFocus = false } = {}) {
    this.#puzzles = puzzles;
    this.#open(0, keepsFocus);
  }

  /** @param {number} index @param {boolean} [keepsFocus] */
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

  /** @param {Geometry} geometry */
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
    if (!this.panel.isAbout(game.line)) this.#dismissAnswer();
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
    const { game, selection } = this;
    const { shadesEqual } = this.options;
    if (this.#overlay) this.board.draw(outlined(this.#overlay, selection));
    else this.board.draw(sceneOfGame(game, selection, { wrong: this.#wrong, shadesEqual }));
    this.keypad.show(game, this.entry.mode);
  }

  /** @param {keyof Options} key @param {boolean} value */
  setOption(key, value) {
    this.options[key] = value;
    saveOptions(this.options);
    this.game.tidiesMarks = this.options.tidiesMarks;
    this.hints.forget();
    this.draw();
  }

  /** @param {number} cell @param {PickKind} kind */
  #pick(cell, kind) {
    if (kind === "equal") this.selection.these(cellsLike(this.game, cell));
    else this.selection[kind](cell);
  }

  // Questions and answers.

  // The board with the player's digits, as the server reads it.
  get boardLine() {
    return lineOf(this.game.grid, this.game.geometry.size);
  }

  get techniques() {
    return this.options.avoidsUniqueness ? { without: "uniqueness" } : {};
  }

  // Run something that asks the server, and report errors.
  /** @param {() => unknown} act */
  async run(act) {
    this.path.stop();
    this.parts.all.ariaBusy = "true";
    try {
      await act();
    } catch (error) {
      if (isAbort(error)) return;
      if (!(error instanceof ApiError)) throw error;
      say(error.message, { isError: true });
    } finally {
      this.parts.all.ariaBusy = "false";
    }
  }

  // Ask the server about the puzzle. A new question cancels those before it, unless they belong together.
  /** @param {string} path @param {object} body @param {{ isAlone?: boolean }} [options] */
  ask(path, body, { isAlone = true } = {}) {
    if (isAlone) this.cancel();
    return this.#questions.ask(this.game, path, body);
  }

  // The report of check for the current givens.
  check() {
    this.cancel();
    return this.#questions.check(this.game);
  }

  // Cancel the questions that have no answer yet; the open answer closes with the next change of the board.
  cancel() {
    this.#questions.cancel();
    this.panel.expire();
  }

  // Show an answer. It closes with the next change of the board, so that it is never out of date.
  /** @param {string} title @param {...Node} content */
  answer(title, ...content) {
    this.panel.show(title, content);
  }

  // Show an answer that does not depend on the player's digits and marks. It closes when the givens change.
  /** @param {string} title @param {...Node} content */
  answerOnGivens(title, ...content) {
    this.panel.show(title, content, this.game.line);
  }

  closeAnswer() {
    this.#dismissAnswer();
    if (this.board) this.draw();
  }

  #dismissAnswer() {
    if (this.panel.hasFocus) this.board.focus();
    this.#questions.cancel();
    this.path.stop();
    this.panel.clear();
    this.#overlay = null;
    this.hints.forget();
  }

  // The board.

  // Show the game again, if an answer hides it.
  showGame() {
    if (this.#overlay) this.closeAnswer();
  }

  /** @param {Scene & { shades: Shade[] }} scene */
  showScene(scene) {
    this.#overlay = scene;
    this.draw();
  }

  /** @param {number[]} cells */
  showWrong(cells) {
    this.#overlay = null;
    this.#wrong = new Set(cells);
    this.draw();
  }

  /** @param {number[]} cells */
  showCells(cells) {
    this.#overlay = null;
    this.selection.these(cells);
  }
}
