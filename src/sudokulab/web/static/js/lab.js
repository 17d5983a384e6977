// The page Lab: experiment stores with live progress, and the pages of the reproduced papers. The address chooses:
// `#lab`, `#lab?store=ants&experiment=1` (and `&run=KEY&solver=…&instance=…`), `#lab?paper=jones-2007&at=figure-2`.

import { el } from "./elements.js";
import { ExperimentView } from "./lab/experiment.js";
import { Overview } from "./lab/overview.js";
import { PaperView } from "./lab/paper.js";

export function mount(container, parameters) {
  let open = { key: null, view: null };

  function show(changed) {
    const key = ["store", "experiment", "paper"].map((name) => changed.get(name)).join("/");
    if (open.key !== key) {
      open.view?.close?.();
      container.replaceChildren();
      open = { key, view: viewOf(container, changed) };
      window.scrollTo(0, 0);
    }
    open.view.update?.(changed);
  }

  show(parameters);
  return { update: show, unmount: () => open.view?.close?.() };
}

function viewOf(container, parameters) {
  if (parameters.has("paper")) return new PaperView(container, parameters.get("paper"));
  if (parameters.has("store")) {
    return new ExperimentView(container, parameters.get("store"), Number(parameters.get("experiment") ?? 1));
  }
  return new Overview(container);
}

// A link of the Lab.
export function labLink(parameters, text) {
  return el("a", { href: `#lab?${new URLSearchParams(parameters)}`, textContent: text });
}
