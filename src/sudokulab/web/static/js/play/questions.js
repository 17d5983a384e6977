// Questions to the server about the puzzle of a game.

import { post } from "../api.js";

/** @import { Game } from "./game.js" */

export class Questions {
  #requests = new AbortController();
  /** @type {Record<string, any> | null} */
  #report = null; // of check, for the last puzzle

  // Ask about the givens; `body` says what else matters.
  /** @param {Game} game @param {string} path @param {object} body */
  ask(game, path, body) {
    const puzzle = { puzzle: game.line, box: game.geometry.box };
    return post(path, { ...puzzle, ...body }, { signal: this.#requests.signal });
  }

  // Cancel the questions that have no answer yet.
  cancel() {
    this.#requests.abort();
    this.#requests = new AbortController();
  }

  // The report of check; it is asked for once.
  /** @param {Game} game @returns {Promise<any>} */
  async check(game) {
    const key = `${game.geometry.box} ${game.line}`;
    if (this.#report?.key === key) return this.#report;
    const report = { key, ...(await this.ask(game, "check", {})) };
    this.#report = report;
    return report;
  }
}
