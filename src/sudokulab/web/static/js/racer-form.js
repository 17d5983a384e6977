// Chooses the solvers of a race, two to six, each with its parameters.

import { button, el, select } from "./elements.js";
import { SolverForm } from "./solver-form.js";
import { describedSolver, solverList } from "./solver-list.js";

/**
 * @typedef {{ solver: string, parameters: Record<string, any> }} Racer
 * @typedef {{ solver: string, form: SolverForm, element: HTMLElement }} Entrant
 */

const MIN_RACERS = 2;
export const MAX_RACERS = 6;

export class RacerForm {
  /** @type {Entrant[]} */
  #racers = []; // {solver, form, element}
  #onchange;
  #list = el("div", { className: "racers" });
  #add;

  /** @param {() => void} onchange */
  constructor(onchange) {
    this.#onchange = onchange;
    this.#add = button("Add a solver", async () => {
      const racing = new Set(this.#racers.map(({ solver }) => solver));
      const names = [...(await solverList()).keys()];
      const racer = await this.#make(names.find((name) => !racing.has(name)) ?? names[0], {});
      this.#racers.push(racer);
      this.#list.append(racer.element);
      this.#changed();
    });
    this.element = el("div", { className: "stack" }, this.#list, el("div", {}, this.#add));
  }

  // Choose solvers: [{solver, parameters}, …].
  /** @param {Racer[]} racers */
  async set(racers) {
    const chosen = racers.slice(0, MAX_RACERS);
    const made = await Promise.all(chosen.map(({ solver, parameters }) => this.#make(solver, parameters ?? {})));
    this.#racers = made;
    this.#list.replaceChildren(...made.map(({ element }) => element));
    this.#refresh();
  }

  // The chosen solvers, with a title that tells equal ones apart.
  get racers() {
    return this.#racers.map(({ solver, form }) => {
      const parameters = form.changed;
      const words = Object.entries(parameters).map(([name, value]) => `${name} ${value}`);
      return { solver, parameters, title: words.length ? `${solver} (${words.join(", ")})` : solver };
    });
  }

  check() {
    return this.#racers.map(({ form }) => form.check()).every(Boolean);
  }

  /** @param {string} solver @param {Record<string, any>} parameters */
  async #make(solver, parameters) {
    const racer = { solver, form: new SolverForm({}), element: el("div", { className: "racer" }) };
    await this.#fill(racer, parameters);
    return racer;
  }

  /** @param {Entrant} racer @param {Record<string, any>} parameters */
  async #fill(racer, parameters) {
    const [solvers, text] = await Promise.all([solverList(), describedSolver(racer.solver)]);
    const names = [...solvers.keys()];
    const choice = select(names, racer.solver, (name) => this.#choose(racer, name), { "aria-label": "Solver" });
    const remove = button("×", () => this.#remove(racer), {
      className: "quiet remove",
      title: "Remove",
      "aria-label": `Remove ${racer.solver}`,
    });
    racer.form = new SolverForm(solvers.get(racer.solver)?.parameters ?? {}, {
      values: parameters,
      descriptions: text.parameters,
      onchange: () => this.#changed(),
    });
    const isOpen = Object.keys(racer.form.changed).length > 0;
    racer.element.replaceChildren(
      el("div", { className: "row" }, choice, remove),
      el("details", { open: isOpen }, el("summary", { textContent: "Parameters" }), racer.form.element),
    );
  }

  /** @param {Entrant} racer @param {string} solver */
  async #choose(racer, solver) {
    racer.solver = solver;
    await this.#fill(racer, {});
    racer.element.querySelector("select")?.focus(); // it was replaced
    this.#changed();
  }

  /** @param {Entrant} racer */
  #remove(racer) {
    this.#racers = this.#racers.filter((other) => other !== racer);
    racer.element.remove();
    this.#add.disabled = false;
    this.#add.focus();
    this.#changed();
  }

  #changed() {
    this.#refresh();
    this.#onchange();
  }

  #refresh() {
    this.#add.disabled = this.#racers.length >= MAX_RACERS;
    for (const { element } of this.#racers) {
      /** @type {HTMLButtonElement | null} */
      const remove = element.querySelector("button.remove");
      if (remove) remove.disabled = this.#racers.length <= MIN_RACERS;
    }
  }
}
