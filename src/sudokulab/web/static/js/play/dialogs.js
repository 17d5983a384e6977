// Dialogs. A dialog closes with Escape, its close button or a click outside, and gives the focus back.

import { button, el } from "../elements.js";

/** @import { Child } from "../elements.js" */

/** @param {string} title @param {...Child} content */
export function openDialog(title, ...content) {
  const heading = el("h2", { textContent: title, id: "dialog-title" });
  const close = button("✕", () => dialog.close(), { className: "quiet close", "aria-label": "Close" });
  const dialog = el(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    el("div", { className: "stack" }, el("div", { className: "row spread" }, heading, close), content),
  );
  dialog.onclose = () => dialog.remove();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
