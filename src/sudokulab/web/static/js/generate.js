// The page Generate: a specification on the left, its puzzles on the right. The address repeats them:
// `#generate?size=9&level=hard&count=6&seed=7`.

import { get, post } from "./api.js";
import { isAbort, messageOf } from "./errors.js";
import { currentAddress, rewriteAddress } from "./address.js";
import { button, copy, el } from "./elements.js";
import { GenerateForm, grouped } from "./generate-form.js";
import { GeneratedPuzzles } from "./generated-puzzles.js";
import { SheetForm } from "./sheet-form.js";

/** @import { Generated } from "./generated-puzzles.js" */

const isNarrow = window.matchMedia("(max-width: 820px)"); // the boards are below the form

/** @param {HTMLElement} container @param {URLSearchParams} parameters */
export function mount(container, parameters) {
  const page = new GeneratePage(container);
  page.open(parameters);
  return { update: page.open.bind(page), unmount: () => page.close() };
}

class GeneratePage {
  #form = new GenerateForm(async () => {
    await this.#generate();
    if (isNarrow.matches && !this.results.hidden) this.results.scrollIntoView();
  });
  #list = new GeneratedPuzzles();
  #sheet = new SheetForm(() => this.#list.puzzles);
  /** @type {AbortController | null} */
  #request = null;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.summary = el("p", { className: "row no-print" });
    this.results = el(
      "div",
      { className: "stack", hidden: true },
      this.#sheet.heading,
      this.summary,
      this.#list.element,
      this.#sheet.element,
    );
    this.empty = el("p", {
      className: "card hint",
      textContent:
        "Describe the puzzles you want. The same seed gives the same puzzles, and the address of this page repeats them.",
    });
    this.#form.cancel.onclick = () => this.#request?.abort();
    container.append(
      el("h1", { className: "no-print", textContent: "Generate" }),
      el("div", { className: "generate" }, this.#form.element, el("div", {}, this.empty, this.results)),
    );
    this.#offerTechniques();
  }

  /** @param {URLSearchParams} parameters */
  open(parameters) {
    this.#form.fill(parameters);
    if (parameters.has("seed")) this.#generate();
  }

  close() {
    this.#request?.abort();
    this.#list.close();
  }

  async #offerTechniques() {
    this.#form.techniques = grouped((await get("techniques")).techniques);
  }

  async #generate() {
    this.#request?.abort();
    const request = (this.#request = new AbortController());
    const parameters = this.#form.parameters;
    this.#setBusy(true);
    try {
      const answer = await post("generate", this.#form.specification, { signal: request.signal });
      this.#show(answer, parameters);
    } catch (error) {
      if (!isAbort(error)) this.#form.error.textContent = messageOf(error);
    } finally {
      if (this.#request === request) this.#setBusy(false);
    }
  }

  /** @param {boolean} isBusy */
  #setBusy(isBusy) {
    this.#form.submit.disabled = isBusy;
    this.#form.submit.textContent = isBusy ? "Generating…" : "Generate";
    this.#form.cancel.hidden = !isBusy;
    if (isBusy) this.#form.error.textContent = "";
  }

  /**
   * @param {{ puzzles: Generated[], seed: number, message: string | null }} answer
   * @param {Record<string, string>} parameters
   */
  #show({ puzzles, seed, message }, parameters) {
    if (currentAddress().name === "generate") rewriteAddress("generate", { ...parameters, seed });
    this.empty.hidden = true;
    this.results.hidden = puzzles.length === 0;
    this.#form.error.textContent = message ?? "";
    this.summary.replaceChildren(
      el("strong", { textContent: `${puzzles.length} ${puzzles.length === 1 ? "puzzle" : "puzzles"}` }),
      el("span", { className: "hint", textContent: `seed ${seed}` }),
      button("Reuse seed", () => (this.#form.seed = seed)),
      button("Copy link", () => copy(location.href, "Link copied")),
    );
    this.#list.show(puzzles);
  }
}
