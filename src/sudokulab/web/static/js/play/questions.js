// Questions to the server about the puzzle of a game.

import { post } from "../api.js";

export class Questions {
  #requests = new AbortController();
  #report = null; // of check, for the last puzzle

  // Ask about the givens; `body` says what else matters.
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
  async check(game) {
    const key = `${game.geometry.box} ${game.line}`;
    if (this.#report?.key !== key) this.#report = { key, ...(await this.ask(game, "check", {})) };
    return this.#report;
  }
}
