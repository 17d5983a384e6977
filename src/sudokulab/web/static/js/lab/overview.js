// The entrance of the Lab: stores with their experiments, and papers.

import { get } from "../api.js";
import { messageOf } from "../errors.js";
import { el } from "../elements.js";
import { labLink } from "../lab.js";
import { blocks } from "./blocks.js";
import { progressBar } from "./progress.js";
import { poll } from "./poll.js";

const NO_STORES =
  "This server shows no stores. Name them on its command line. Stores are opened read-only, so you can watch an " +
  "experiment while it runs:";
const COMMAND = "sudokulab run experiment.toml\nsudokulab serve experiment.sqlite";

export class Overview {
  #stop;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.stores = el("div", { className: "stack" });
    this.papers = el("div", { className: "stack" });
    container.append(
      el("h1", { textContent: "Lab" }),
      el(
        "div",
        { className: "stack" },
        el("section", { className: "card stack" }, el("h2", { textContent: "Experiments" }), this.stores),
        el("section", { className: "card stack" }, el("h2", { textContent: "Reproduced papers" }), this.papers),
      ),
    );
    this.#stop = poll(
      "lab/stores",
      ({ stores }) => this.#showStores(stores),
      (error) => this.stores.replaceChildren(el("p", { className: "error", textContent: messageOf(error) })),
    );
    this.#showPapers();
  }

  close() {
    this.#stop();
  }

  /** @param {any[]} stores */
  #showStores(stores) {
    if (stores.length) {
      this.stores.replaceChildren(
        ...stores.map(storeEntry),
        help("The server shows the stores named on its command line."),
      );
    } else {
      this.stores.replaceChildren(
        el("p", { textContent: NO_STORES }),
        el("pre", { className: "code", textContent: COMMAND }),
      );
    }
  }

  async #showPapers() {
    try {
      const answer = await get("papers");
      const list = answer.papers.map((/** @type {any} */ { key, title }) =>
        el("li", {}, labLink({ paper: key }, title)),
      );
      const [, ...rest] = answer.blocks; // the first is the title of the page
      const verdicts = el(
        "details",
        {},
        el("summary", { textContent: "All claims, verdicts and errors in the papers" }),
        blocks(rest),
      );
      this.papers.replaceChildren(el("ul", { className: "papers" }, list), verdicts);
    } catch (error) {
      this.papers.replaceChildren(el("p", { className: "error", textContent: messageOf(error) }));
    }
  }
}

/** @param {any} store */
function storeEntry(store) {
  const name = el("h3", { textContent: store.name });
  if (store.error) return el("article", {}, name, el("p", { className: "error", textContent: store.error }));
  const entries = store.experiments.map((/** @type {any} */ experiment) => {
    const { number, title, num_done: done, num_planned: planned } = experiment;
    const state = done === planned ? "finished" : experiment.is_running ? "running" : "not running";
    return el(
      "li",
      { className: "experiment" },
      labLink({ store: store.id, experiment: number }, title),
      progressBar(done, planned, `Progress of ${title}`),
      el("span", {
        className: "hint",
        textContent: `${state}, ${done.toLocaleString("en")} of ${planned.toLocaleString("en")} runs`,
      }),
    );
  });
  return el(
    "article",
    {},
    name,
    entries.length ? el("ul", { className: "experiments" }, entries) : help("No experiments."),
  );
}

/** @param {string} text */
function help(text) {
  return el("p", { className: "hint", textContent: text });
}
