// The icons of buttons, drawn in a square of 24 units.

import { svg } from "./elements.js";

const PATHS = {
  first: "M6 5h2.5v14H6zM19 5v14l-10-7z",
  back: "M17 5v14l-10-7z",
  play: "M7 4v16l13-8z",
  pause: "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z",
  forward: "M7 5v14l10-7z",
  last: "M5 5v14l10-7zM15.5 5H18v14h-2.5z",
  stop: "M6 6h12v12H6z",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
