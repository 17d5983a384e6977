import { el } from "./elements.js";

export function mount(container) {
  container.append(el("h1", { textContent: "Play" }));
}
