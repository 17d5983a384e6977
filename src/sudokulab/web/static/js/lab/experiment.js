// An experiment: live progress, tables, figures, and its runs.

import { get } from "../api.js";
import { messageOf } from "../errors.js";
import { el } from "../elements.js";
import { labLink } from "../lab.js";
import { figure } from "./figures.js";
import { poll } from "./poll.js";
import { Progress } from "./progress.js";
import { Runs } from "./runs.js";
import { SortableTable } from "./tables.js";

/** @import { Standing } from "./progress.js" */

const REFRESH_SECONDS = 10; // while an experiment runs, tables and figures follow at this pace

export class ExperimentView {
  #path;
  #stop;
  #progress = new Progress();
  /** @type {Runs | null} */
  #runs = null;
  /** @type {Map<string, { table: SortableTable, element: HTMLElement }>} */
  #tables = new Map();
  /** @type {Map<string, { image: HTMLImageElement, element: HTMLElement }>} */
  #figures = new Map();
  #refreshed = -Infinity;
  /** @type {ReturnType<typeof setTimeout>} */
  #timer;
  #isClosed = false;
  #parameters = new URLSearchParams();

  /** @param {HTMLElement} container @param {string} store @param {number} number */
  constructor(container, store, number) {
    this.store = store;
    this.number = number;
    this.#path = `lab/stores/${encodeURIComponent(store)}/experiments/${number}`;
    this.title = el("h1", { textContent: "Experiment" });
    this.error = el("p", { className: "error", role: "alert" });
    this.results = el("div", { className: "stack" }, el("p", { className: "hint", textContent: "Loading…" }));
    this.runsPlace = el("div");
    this.about = el("div");
    container.append(
      el("p", { className: "crumbs" }, labLink({}, "Lab"), ` › ${store}`),
      this.title,
      this.error,
      el("div", { className: "stack" }, this.#progress.element, this.results, this.runsPlace, this.about),
    );
    this.#stop = poll(
      `${this.#path}/progress`,
      (standing) => this.#follow(standing),
      (error) => this.#fail(error),
    );
  }

  /** @param {URLSearchParams} parameters */
  update(parameters) {
    this.#parameters = parameters;
    this.#runs?.open(parameters);
  }

  close() {
    this.#isClosed = true;
    this.#stop();
    clearTimeout(this.#timer);
    this.#runs?.close();
  }

  /** @param {unknown} error */
  #fail(error) {
    this.error.textContent = messageOf(error);
  }

  /** @param {Standing} standing */
  #follow(standing) {
    this.error.textContent = "";
    this.#progress.show(standing);
    const wait = Math.max(0, this.#refreshed + 1000 * REFRESH_SECONDS - performance.now());
    const isAtEnd = standing.num_done === standing.num_planned;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#refresh(), isAtEnd ? 0 : wait);
  }

  async #refresh() {
    this.#refreshed = performance.now();
    try {
      const experiment = await get(this.#path);
      if (!this.#isClosed) this.#show(experiment);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {any} experiment */
  #show(experiment) {
    this.title.textContent = experiment.title;
    document.title = `${experiment.title} · Lab · Sudokulab`;
    if (!experiment.tables.length) {
      this.results.replaceChildren(el("p", { className: "hint", textContent: "No run has finished yet." }));
      return;
    }
    const tables = experiment.tables.map((/** @type {any} */ table) => this.#tableCard(table));
    const figures = experiment.plots.map((/** @type {any} */ plot) => this.#figure(plot, experiment.num_done));
    const gallery = el(
      "section",
      {},
      el("h2", { textContent: "Figures" }),
      el("div", { className: "figures" }, figures),
    );
    this.results.replaceChildren(...tables, gallery);
    this.about.replaceChildren(aboutCard(experiment));
    if (this.#runs) this.#runs.refresh(experiment);
    else {
      this.#runs = new Runs(this.store, this.number, this.#path, experiment);
      this.runsPlace.append(this.#runs.element);
      this.#runs.open(this.#parameters);
    }
  }

  // Tables keep their order when their rows change.
  /** @param {{ title: string, note: string, columns: string[], rows: any[][] }} table */
  #tableCard({ title, note, columns, rows }) {
    const key = [title, ...columns].join();
    const shown = this.#tables.get(key);
    if (shown) {
      shown.table.show(rows);
      return shown.element;
    }
    const table = new SortableTable(columns, rows, { caption: title });
    const remark = note ? el("p", { className: "hint", textContent: note }) : null;
    const element = el("section", { className: "card stack" }, el("h2", { textContent: title }), table.element, remark);
    this.#tables.set(key, { table, element });
    return element;
  }

  // The old image stays until the new one has been drawn.
  /** @param {{ key: string, caption: string }} plot @param {number} numRuns */
  #figure({ key, caption }, numRuns) {
    const src = `api/${this.#path}/plots/${key}.svg?runs=${numRuns}`;
    const { element, image } = this.#figures.get(key) ?? figure(src, caption);
    this.#figures.set(key, { element, image });
    if (image.getAttribute("src") !== src) image.src = src;
    return element;
  }
}

/** @param {{ definition: string, machines: Record<string, any>[] }} experiment */
function aboutCard({ definition, machines }) {
  const words = machines.map((one) => `${one.processor}, ${one.num_cores} cores, ${one.system}, Python ${one.python}`);
  return el(
    "details",
    { className: "card" },
    el("summary", { textContent: "Repeat this experiment" }),
    el("p", { textContent: `Machines: ${words.join("; ")}.` }),
    el("pre", { className: "code", tabIndex: 0, textContent: definition }),
    el("p", { className: "hint", textContent: "Save this as experiment.toml and run: sudokulab run experiment.toml" }),
  );
}
