// The page Generate: a specification on the left, its puzzles on the right. The address repeats them:
// `#generate?size=9&level=hard&count=6&seed=7`.

import { getOnce, post } from "./api.js";
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

getOnce("generate").catch(() => {}); // early, so that the page opens even if the server ends

class GeneratePage {
  /** @type {GenerateForm | null} */
  #form = null; // once the server has described the fields
  #parameters = new URLSearchParams();
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
    this.place = el("div", {});
    container.append(
      el("h1", { className: "no-print", textContent: "Generate" }),
      el("div", { className: "generate" }, this.place, el("div", {}, this.empty, this.results)),
    );
    this.#makeForm();
  }

  /** @param {URLSearchParams} parameters */
  open(parameters) {
    this.#parameters = parameters;
    if (this.#form) this.#fill(this.#form);
  }

  async #makeForm() {
    const { fields } = await getOnce("generate");
    if (!this.place.isConnected) return; // another page was opened in the meantime
    const form = new GenerateForm(fields, async () => {
      await this.#generate(form);
      if (isNarrow.matches && !this.results.hidden) this.results.scrollIntoView();
    });
    form.cancel.onclick = () => this.#request?.abort();
    this.#form = form;
    this.place.append(form.element);
    this.#fill(form);
    form.techniques = grouped((await getOnce("techniques")).techniques);
  }

  /** @param {GenerateForm} form */
  #fill(form) {
    form.fill(this.#parameters);
    if (this.#parameters.has("seed")) this.#generate(form);
  }

  close() {
    this.#request?.abort();
    this.#list.close();
  }

  /** @param {GenerateForm} form */
  async #generate(form) {
    this.#request?.abort();
    const request = (this.#request = new AbortController());
    const parameters = form.parameters;
    this.#setBusy(form, true);
    try {
      const answer = await post("generate", form.specification, { signal: request.signal });
      this.#show(form, answer, parameters);
    } catch (error) {
      if (!isAbort(error)) form.error.textContent = messageOf(error);
    } finally {
      if (this.#request === request) this.#setBusy(form, false);
    }
  }

  /** @param {GenerateForm} form @param {boolean} isBusy */
  #setBusy(form, isBusy) {
    form.submit.disabled = isBusy;
    form.submit.textContent = isBusy ? "Generating…" : "Generate";
    form.cancel.hidden = !isBusy;
    if (isBusy) form.error.textContent = "";
  }

  /**
   * @param {GenerateForm} form
   * @param {{ puzzles: Generated[], seed: number, message: string | null }} answer
   * @param {Record<string, string>} parameters
   */
  #show(form, { puzzles, seed, message }, parameters) {
    if (currentAddress().name === "generate") rewriteAddress("generate", { ...parameters, seed });
    this.empty.hidden = true;
    this.results.hidden = puzzles.length === 0;
    form.error.textContent = message ?? "";
    this.summary.replaceChildren(
      el("strong", { textContent: `${puzzles.length} ${puzzles.length === 1 ? "puzzle" : "puzzles"}` }),
      el("span", { className: "hint", textContent: `seed ${seed}` }),
      button("Reuse seed", () => (form.seed = seed)),
      button("Copy link", () => copy(location.href, "Link copied")),
    );
    this.#list.show(puzzles);
  }
}
