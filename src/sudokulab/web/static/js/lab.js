// The page Lab: experiment stores with live progress, and the pages of the reproduced papers. The address chooses:
// `#lab`, `#lab?store=ants&experiment=1` (and `&run=KEY&solver=…&instance=…`), `#lab?paper=jones-2007&at=figure-2`.

import { el } from "./elements.js";
import { ExperimentView } from "./lab/experiment.js";
import { Overview } from "./lab/overview.js";
import { PaperView } from "./lab/paper.js";

/** @typedef {{ update?: (parameters: URLSearchParams) => void, close?: () => void }} View */

/** @param {HTMLElement} container @param {URLSearchParams} parameters */
export function mount(container, parameters) {
  /** @type {{ key: string | null, view: View | null }} */
  let open = { key: null, view: null };

  /** @param {URLSearchParams} changed */
  function show(changed) {
    const key = ["store", "experiment", "paper"].map((name) => changed.get(name)).join("/");
    if (open.key !== key) {
      open.view?.close?.();
      container.replaceChildren();
      open = { key, view: viewOf(container, changed) };
      window.scrollTo(0, 0);
    }
    open.view?.update?.(changed);
  }

  show(parameters);
  return { update: show, unmount: () => open.view?.close?.() };
}

/** @param {HTMLElement} container @param {URLSearchParams} parameters @returns {View} */
function viewOf(container, parameters) {
  const paper = parameters.get("paper");
  if (paper) return new PaperView(container, paper);
  const store = parameters.get("store");
  if (store) return new ExperimentView(container, store, Number(parameters.get("experiment") ?? 1));
  return new Overview(container);
}

// A link of the Lab.
/** @param {Record<string, any>} parameters @param {string} text */
export function labLink(parameters, text) {
  return el("a", { href: `#lab?${new URLSearchParams(parameters)}`, textContent: text });
}
