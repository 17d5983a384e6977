// A board: draws a scene and knows nothing of puzzles, players or solvers.
//
// Two layers lie on top of each other: a canvas with the many small things (pencil marks, candidates, heat), and an SVG
// with digits, lines, shades, marked candidates and links. `draw` updates only what has changed, so that live runs on
// large grids stay smooth.

import { penOf, svg } from "./elements.js";
import { digitsOf, symbolsOf } from "./geometry.js";

/** @import { Geometry } from "./geometry.js" */

/**
 * What a board shows. Every field may be left out. Lists have an entry per cell; digits are 0 where there is none, and
 * bit masks have bit d - 1 for the digit d.
 *
 * @typedef {object} Scene
 * @property {number[]} [givens] - digits of the puzzle, bold
 * @property {number[]} [digits] - other digits
 * @property {Set<number>} [clashes] - cells with a clashing digit
 * @property {Set<number>} [wrong] - cells with a wrong digit or wrong marks
 * @property {Shade[]} [shades] - shaded cells, later entries on top
 * @property {number[]} [candidates] - small digits in their fixed places, as bit masks
 * @property {number[]} [corners] - pencil marks along the corners, as bit masks
 * @property {number[]} [centres] - pencil marks in the middle, as bit masks
 * @property {Uint8Array | null} [heat] - a level from 0 to 255 for every digit of every cell, cell by cell
 * @property {Mark[]} [marks] - marked candidates
 * @property {Link[]} [links] - arrows between groups of candidates
 *
 * The roles of shades are selected, outlined, same, unit, cover, pattern, difference, changed, decision and clash; those
 * of marks are pattern, fin, placed, eliminated and tabu, and set-a, set-b, set-c, set-d for the sets of a technique.
 * css/board.css styles them.
 *
 * @typedef {[cell: number, role: string]} Shade
 * @typedef {[cell: number, digit: number, role: string]} Mark
 * @typedef {{ from: number[][], to: number[][], isStrong: boolean }} Link - groups of [cell, digit]
 */

export const CELL = 60; // the side of a cell in units of the SVG
const MARGIN = 2; // half of a thick line
const PAD = 3; // between the lines of a cell and its candidates
const INNER = CELL - 2 * PAD;
// The places of corner marks in a cell.
const SPOTS = [
  [0.16, 0.18],
  [0.84, 0.18],
  [0.16, 0.84],
  [0.84, 0.84],
  [0.5, 0.18],
  [0.5, 0.84],
  [0.16, 0.5],
  [0.84, 0.5],
  [0.5, 0.5],
];

// Views by their element: views that were removed from the page can be collected.
const views = new WeakMap();
document.addEventListener("themechange", () => {
  for (const element of document.querySelectorAll(".board")) views.get(element)?.followTheme();
});

export class BoardView {
  #canvas = document.createElement("canvas");
  #shades = svg("g");
  #lines = svg("g");
  #marks = svg("g");
  #digits = svg("g");
  #flags = svg("g");
  #links = svg("g");
  /** @type {{ text: SVGTextElement, shown: string, kind: string }[]} */
  #texts = [];
  /** @type {Scene} */
  #scene = {};
  /** @type {CSSStyleDeclaration | null} */
  #colours = null;

  /** @param {Geometry} geometry @param {{ label?: string, isDecorative?: boolean }} [options] */
  constructor(geometry, { label = "Sudoku grid", isDecorative = false } = {}) {
    this.geometry = geometry;
    this.symbols = symbolsOf(geometry.size);
    const side = geometry.size * CELL + 2 * MARGIN;
    this.side = side;
    this.svg = svg(
      "svg",
      { viewBox: `${-MARGIN} ${-MARGIN} ${side} ${side}` },
      this.#lines,
      this.#marks,
      this.#digits,
      this.#flags,
      this.#links,
    );
    if (isDecorative) this.svg.setAttribute("aria-hidden", "true");
    else this.setLabel(label);
    this.element = document.createElement("div");
    this.element.className = "board";
    // Shades lie below the canvas, everything else above it.
    this.below = svg("svg", { viewBox: this.svg.getAttribute("viewBox"), "aria-hidden": "true" }, this.#shades);
    this.element.append(this.below, this.#canvas, this.svg);
    this.#drawLines();
    this.#makeTexts();
    this.#watchSize();
  }

  /** @param {string} label */
  setLabel(label) {
    this.svg.setAttribute("role", "img");
    this.svg.setAttribute("aria-label", label);
  }

  // The cell at a point of the window; -1 outside.
  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const { size } = this.geometry;
    const rect = this.svg.getBoundingClientRect();
    /** @param {number} value @param {number} start @param {number} length */
    const at = (value, start, length) => Math.floor((((value - start) / length) * this.side - MARGIN) / CELL);
    const row = at(y, rect.top, rect.height);
    const col = at(x, rect.left, rect.width);
    return row >= 0 && row < size && col >= 0 && col < size ? row * size + col : -1;
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = scene;
    this.#drawDigits(scene);
    this.#drawFlags(scene.clashes ?? [], scene.wrong ?? []);
    this.#drawShades(scene.shades ?? []);
    this.#drawMarks(scene.marks ?? []);
    this.#drawLinks(scene.links ?? []);
    this.#drawInk();
  }

  /**
   * The middle of a candidate's place in its cell.
   *
   * @param {number} cell
   * @param {number} digit
   * @returns {[x: number, y: number]}
   */
  place(cell, digit) {
    const { boxRows, boxCols } = this.geometry;
    const x = this.geometry.col(cell) * CELL + PAD + ((((digit - 1) % boxCols) + 0.5) * INNER) / boxCols;
    const y = this.geometry.row(cell) * CELL + PAD + ((Math.floor((digit - 1) / boxCols) + 0.5) * INNER) / boxRows;
    return [x, y];
  }

  #drawLines() {
    const { size, boxRows, boxCols } = this.geometry;
    const end = size * CELL;
    const thick = [];
    for (let line = 0; line <= size; ++line) {
      const at = line * CELL;
      const across = svg("path", { d: `M0 ${at}H${end}`, class: line % boxRows === 0 ? "thick" : "thin" });
      const down = svg("path", { d: `M${at} 0V${end}`, class: line % boxCols === 0 ? "thick" : "thin" });
      for (const path of [across, down]) {
        if (path.getAttribute("class") === "thick") thick.push(path);
        else this.#lines.append(path);
      }
    }
    this.#lines.append(...thick);
  }

  #makeTexts() {
    for (let cell = 0; cell < this.geometry.numCells; ++cell) {
      const x = (this.geometry.col(cell) + 0.5) * CELL;
      const y = (this.geometry.row(cell) + 0.71) * CELL;
      const text = svg("text", { x, y, "font-size": CELL * 0.62 });
      this.#texts.push({ text, shown: "", kind: "" });
      this.#digits.append(text);
    }
  }

  /** @param {Scene} scene */
  #drawDigits({ givens = [], digits = [], clashes = new Set() }) {
    this.#texts.forEach((entry, cell) => {
      const digit = givens[cell] || digits[cell] || 0;
      const shown = digit ? this.symbols[digit - 1] : "";
      const kind = `${givens[cell] ? "given" : "digit"}${clashes.has(cell) ? " clash" : ""}`;
      if (entry.shown !== shown) entry.text.textContent = entry.shown = shown;
      if (entry.kind !== kind) entry.text.setAttribute("class", (entry.kind = kind));
    });
  }

  // Clashing digits are underlined and wrong ones have a marked corner, so that colour is not needed to see them.
  /** @param {Iterable<number>} clashes @param {Iterable<number>} wrong */
  #drawFlags(clashes, wrong) {
    /** @param {number} cell */
    const at = (cell) => [this.geometry.col(cell) * CELL, this.geometry.row(cell) * CELL];
    /** @param {number} cell */
    const underline = (cell) => {
      const [x, y] = at(cell);
      return svg("path", { d: `M${x + 17} ${y + CELL - 9}h${CELL - 34}`, class: "underline" });
    };
    /** @param {number} cell */
    const corner = (cell) => {
      const [x, y] = at(cell);
      return svg("path", { d: `M${x + CELL - 1.5} ${y + 1.5}h-18l18 18z`, class: "corner" });
    };
    this.#flags.replaceChildren(...Array.from(clashes, underline), ...Array.from(wrong, corner));
  }

  /** @param {Shade[]} shades */
  #drawShades(shades) {
    this.#shades.replaceChildren(
      ...shades.map(([cell, role]) =>
        svg("rect", {
          x: this.geometry.col(cell) * CELL,
          y: this.geometry.row(cell) * CELL,
          width: CELL,
          height: CELL,
          class: `shade ${role}`,
        }),
      ),
    );
  }

  get radius() {
    return (INNER / Math.max(this.geometry.boxRows, this.geometry.boxCols)) * 0.48;
  }

  /** @param {Mark[]} marks */
  #drawMarks(marks) {
    const shapes = marks.map(([cell, digit, role]) => {
      const [x, y] = this.place(cell, digit);
      const r = this.radius;
      if (role === "eliminated") {
        return svg("path", { d: `M${x - 0.8 * r} ${y + 0.8 * r}L${x + 0.8 * r} ${y - 0.8 * r}`, class: "strike" });
      }
      return svg("circle", { cx: x, cy: y, r, class: `mark ${role}` });
    });
    this.#marks.replaceChildren(...shapes, ...this.#markedTexts(marks));
  }

  // Marked candidates are written again, above their disc.
  /** @param {Mark[]} marks */
  #markedTexts(marks) {
    const size = this.#candidateSize();
    return marks.map(([cell, digit, role]) => {
      const [x, y] = this.place(cell, digit);
      const text = svg("text", { x, y: y + size * 0.35, "font-size": size, class: `marked ${role}` });
      text.textContent = this.symbols[digit - 1];
      return text;
    });
  }

  /** @param {Link[]} links */
  #drawLinks(links) {
    this.#links.replaceChildren(...links.flatMap((link) => this.#link(link)));
  }

  /** @param {Link} link */
  #link({ from, to, isStrong }) {
    /** @param {number[][]} group */
    const middle = (group) => {
      const places = group.map(([cell, digit]) => this.place(cell, digit));
      return [0, 1].map((axis) => places.reduce((sum, at) => sum + at[axis], 0) / places.length);
    };
    const [x1, y1] = middle(from);
    const [x2, y2] = middle(to);
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const gap = Math.min(this.radius + 1, length / 3);
    const bend = Math.min(14, length / 6); // a curve keeps links on one line apart
    const [startX, startY] = [x1 + ux * gap, y1 + uy * gap];
    const [endX, endY] = [x2 - ux * gap, y2 - uy * gap];
    const [midX, midY] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
    const kind = isStrong ? "" : " weak";
    const along = Math.atan2(endY - midY, endX - midX);
    /** @param {number} turn */
    const corner = (turn) => `${endX - 8 * Math.cos(along + turn)} ${endY - 8 * Math.sin(along + turn)}`;
    return [
      svg("path", { d: `M${startX} ${startY}Q${midX} ${midY} ${endX} ${endY}`, class: `link${kind}` }),
      svg("path", { d: `M${endX} ${endY}L${corner(0.45)}L${corner(-0.45)}Z`, class: `arrow${kind}` }),
    ];
  }

  // Canvas: its pixels follow the size on the screen, its colours the theme.

  #watchSize() {
    new ResizeObserver(() => {
      const pixels = Math.round(this.element.clientWidth * window.devicePixelRatio);
      if (this.#canvas.width === pixels) return;
      this.#canvas.width = this.#canvas.height = pixels;
      this.#drawInk();
    }).observe(this.element);
    views.set(this.element, this);
  }

  followTheme() {
    this.#colours = null;
    this.#drawInk();
  }

  /** @param {string} name */
  #colour(name) {
    this.#colours ??= getComputedStyle(document.documentElement);
    return this.#colours.getPropertyValue(`--board-${name}`);
  }

  #candidateSize() {
    const { boxRows, boxCols } = this.geometry;
    return Math.min(INNER / boxRows, INNER / boxCols) * 0.78;
  }

  #drawInk() {
    const { candidates, corners, centres, heat } = this.#scene;
    const pen = penOf(this.#canvas);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    if (!this.#canvas.width || !(candidates || corners || centres || heat)) return;
    const scale = this.#canvas.width / this.side;
    pen.setTransform(scale, 0, 0, scale, MARGIN * scale, MARGIN * scale);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (heat) this.#drawHeat(pen, heat);
    pen.fillStyle = this.#colour("mark");
    if (candidates) this.#drawCandidates(pen, candidates);
    if (corners) this.#eachOpen(corners, (cell, digits) => this.#drawCorners(pen, cell, digits));
    if (centres) this.#eachOpen(centres, (cell, digits) => this.#drawCentre(pen, cell, digits));
  }

  /** @param {number} cell */
  #isFilled(cell) {
    return Boolean(this.#scene.givens?.[cell] || this.#scene.digits?.[cell]);
  }

  /** @param {number[]} masks @param {(cell: number, digits: number[]) => void} visit */
  #eachOpen(masks, visit) {
    masks.forEach((mask, cell) => {
      if (mask && !this.#isFilled(cell)) visit(cell, digitsOf(mask));
    });
  }

  /** @param {CanvasRenderingContext2D} pen @param {Uint8Array} heat */
  #drawHeat(pen, heat) {
    const { size, boxRows, boxCols } = this.geometry;
    const [width, height] = [INNER / boxCols, INNER / boxRows];
    pen.fillStyle = this.#colour("heat");
    heat.forEach((level, index) => {
      if (level < 4) return;
      const [x, y] = this.place(Math.floor(index / size), (index % size) + 1);
      pen.globalAlpha = 0.85 * (level / 255);
      pen.fillRect(x - width / 2, y - height / 2, width, height);
    });
    pen.globalAlpha = 1;
  }

  // Marked candidates are left out: the SVG has them.
  /** @param {CanvasRenderingContext2D} pen @param {number[]} masks */
  #drawCandidates(pen, masks) {
    pen.font = `${this.#candidateSize()}px system-ui, sans-serif`;
    const marked = new Set((this.#scene.marks ?? []).map(([cell, digit]) => `${cell} ${digit}`));
    this.#eachOpen(masks, (cell, digits) => {
      for (const digit of digits) {
        if (!marked.has(`${cell} ${digit}`)) pen.fillText(this.symbols[digit - 1], ...this.place(cell, digit));
      }
    });
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} cell @param {number[]} digits */
  #drawCorners(pen, cell, digits) {
    if (digits.length > SPOTS.length) {
      this.#drawLinesOf(pen, cell, digits, { perLine: 6, size: 0.16, top: 0.14 });
      return;
    }
    pen.font = `${CELL * 0.24}px system-ui, sans-serif`;
    digits.forEach((digit, index) => {
      const [x, y] = SPOTS[index];
      pen.fillText(this.symbols[digit - 1], (this.geometry.col(cell) + x) * CELL, (this.geometry.row(cell) + y) * CELL);
    });
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} cell @param {number[]} digits */
  #drawCentre(pen, cell, digits) {
    const numLines = Math.ceil(digits.length / 5);
    const size = Math.min(0.27, 0.86 / numLines);
    const perLine = Math.ceil(digits.length / numLines);
    this.#drawLinesOf(pen, cell, digits, { perLine, size, top: 0.52 - ((numLines - 1) * size * 1.1) / 2 });
  }

  // Write digits in lines; sizes are parts of a cell.
  /**
   * @param {CanvasRenderingContext2D} pen
   * @param {number} cell
   * @param {number[]} digits
   * @param {{ perLine: number, size: number, top: number }} layout
   */
  #drawLinesOf(pen, cell, digits, { perLine, size, top }) {
    pen.font = `${CELL * size}px system-ui, sans-serif`;
    const x = (this.geometry.col(cell) + 0.5) * CELL;
    for (let line = 0; line * perLine < digits.length; ++line) {
      const part = digits.slice(line * perLine, (line + 1) * perLine);
      const text = part.map((digit) => this.symbols[digit - 1]).join("");
      pen.fillText(text, x, (this.geometry.row(cell) + top + line * size * 1.1) * CELL, INNER);
    }
  }
}
