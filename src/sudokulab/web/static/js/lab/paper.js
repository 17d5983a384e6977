// The page of a reproduced paper.

import { get } from "../api.js";
import { messageOf } from "../errors.js";
import { el } from "../elements.js";
import { labLink } from "../lab.js";
import { blocks } from "./blocks.js";

export class PaperView {
  #ready;

  /** @param {HTMLElement} container @param {string} key */
  constructor(container, key) {
    this.article = el("article", { className: "paper card" });
    container.append(el("p", { className: "crumbs" }, labLink({}, "Lab"), ` › ${key}`), this.article);
    this.#ready = this.#load(key);
  }

  /** @param {URLSearchParams} parameters */
  async update(parameters) {
    await this.#ready;
    const at = parameters.get("at");
    const heading = at ? document.getElementById(`at-${at}`) : null;
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }

  /** @param {string} key */
  async #load(key) {
    try {
      const paper = await get(`papers/${encodeURIComponent(key)}`);
      document.title = `${key} · Lab · Sudokulab`;
      const [, ...rest] = paper.blocks;
      this.article.replaceChildren(el("h1", { textContent: paper.title }), ...blocks(rest, key));
    } catch (error) {
      this.article.replaceChildren(
        el("h1", { textContent: key }),
        el("p", { className: "error", textContent: messageOf(error) }),
      );
    }
  }
}
