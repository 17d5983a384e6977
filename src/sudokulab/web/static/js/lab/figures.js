// Figures that open in a dialog, in which they can be enlarged.

import { button, el } from "../elements.js";

const ZOOMS = [100, 150, 200, 300, 400];

// A figure with a caption. `src` is an address of the server.
/** @param {string} src @param {string} caption */
export function figure(src, caption) {
  const image = el("img", { src, alt: caption, loading: "lazy", className: "plot" });
  const enlarge = el(
    "button",
    { type: "button", className: "figure-button", title: "Enlarge", onclick: () => zoom(image.src, caption) },
    image,
  );
  const element = el(
    "figure",
    { className: "card" },
    enlarge,
    el("figcaption", { className: "hint", textContent: caption }),
  );
  return { element, image };
}

/** @param {string} src @param {string} caption */
function zoom(src, caption) {
  let level = 0;
  const image = el("img", { src, alt: caption, className: "plot" });
  const size = el("output", { className: "hint" });
  /** @param {number} next */
  const set = (next) => {
    level = Math.max(0, Math.min(ZOOMS.length - 1, next));
    image.style.width = `${ZOOMS[level]}%`;
    size.textContent = `${ZOOMS[level]} %`;
  };
  /** @type {HTMLDialogElement} */
  const dialog = el(
    "dialog",
    { className: "zoom", "aria-label": caption, onclose: () => dialog.remove() },
    el(
      "div",
      { className: "row spread" },
      el("span", { className: "hint", textContent: caption }),
      el(
        "span",
        { className: "row" },
        button("−", () => set(level - 1), { "aria-label": "Smaller" }),
        size,
        button("+", () => set(level + 1), { "aria-label": "Larger" }),
        button("Close", () => dialog.close()),
      ),
    ),
    el("div", { className: "zoom-area", tabIndex: 0, role: "region", "aria-label": "Figure" }, image),
  );
  image.onclick = () => set((level + 1) % ZOOMS.length);
  set(0);
  document.body.append(dialog);
  dialog.showModal();
}
