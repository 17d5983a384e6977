// Tables that sort by any column. Cells are text or spans; numbers sort by value, also with units and thousands.

import { el } from "../elements.js";

/** @typedef {string | number | import("./blocks.js").Span[]} Cell */

export class SortableTable {
  #body = el("tbody");
  /** @type {HTMLElement[]} */
  #headers = [];
  /** @type {any[][]} */
  #rows = [];
  /** @type {{ column: number | null, isDown: boolean }} */
  #order = { column: null, isDown: false };

  // `makeCell(value, column)` returns the children of a cell; `caption` names the table for screen readers.
  /**
   * @param {Cell[]} columns
   * @param {any[][]} rows
   * @param {{ caption: string, makeCell?: (value: any, column: number) => any[], isNumber?: boolean[] | null }} options
   */
  constructor(columns, rows, { caption, makeCell = (value) => [value], isNumber = null }) {
    this.makeCell = makeCell;
    this.isNumber =
      isNumber ??
      columns.map((_, column) => column > 0 && rows.length > 0 && rows.every((row) => isNumeric(row[column])));
    this.#headers = columns.map((title, column) => this.#header(title, column));
    this.element = el(
      "div",
      { className: "scroll", tabIndex: 0, role: "region", "aria-label": caption },
      el(
        "table",
        { className: "data" },
        el("caption", { className: "hidden", textContent: caption }),
        el("thead", {}, el("tr", {}, this.#headers)),
        this.#body,
      ),
    );
    this.show(rows);
  }

  // Replace the rows and keep the order.
  /** @param {any[][]} rows */
  show(rows) {
    this.#rows = rows;
    this.#draw();
  }

  /** @param {Cell} title @param {number} column */
  #header(title, column) {
    const text = textOf(title);
    if (!text) return el("td");
    const sort = el("button", { type: "button", className: "sort", onclick: () => this.#sort(column) }, text);
    return el("th", { scope: "col", className: this.isNumber[column] ? "number" : "" }, sort);
  }

  /** @param {number} column */
  #sort(column) {
    const isDown = this.#order.column === column ? !this.#order.isDown : false;
    this.#order = { column, isDown };
    this.#headers.forEach((header, place) => {
      if (place === column) header.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    });
    this.#draw();
  }

  #draw() {
    const { column, isDown } = this.#order;
    const rows =
      column === null ? this.#rows : [...this.#rows].sort((a, b) => compare(a[column], b[column]) * (isDown ? -1 : 1));
    this.#body.replaceChildren(
      ...rows.map((row) => {
        const cells = row
          .slice(0, this.#headers.length)
          .map((value, place) =>
            el("td", { className: this.isNumber[place] ? "number" : "" }, this.makeCell(value, place)),
          );
        return el("tr", {}, cells);
      }),
    );
  }
}

/** @param {Cell} value */
function textOf(value) {
  return Array.isArray(value) ? value.map((span) => span.text).join("") : String(value ?? "");
}

// The number at the start of a cell; NaN for words.
/** @param {Cell} value */
function numberOf(value) {
  const text = textOf(value)
    .trim()
    .replaceAll(",", "")
    .replace("−", "-")
    .replace(/^[<>≤≥≈]\s*/, "");
  if (text.startsWith("∞")) return Infinity;
  return /^[-+]?[.\d]/.test(text) ? parseFloat(text) : NaN;
}

const NUMBER = "[-+−]?[\\d.,∞]+(e[-+]?\\d+)? ?%?";
const NUMBERS = new RegExp(`^[<>≈]? ?${NUMBER}( (of|–) ${NUMBER})?$`); // "7", "7 of 9", "7.1 % – 9.2 %"

/** @param {Cell} value */
function isNumeric(value) {
  const text = textOf(value).trim();
  return text === "" || text === "–" || NUMBERS.test(text);
}

// Numbers by value, then words by the alphabet, then missing values.
/** @param {Cell} a @param {Cell} b */
function compare(a, b) {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return textOf(a).localeCompare(textOf(b), "en", { numeric: true });
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return x === y ? 0 : x < y ? -1 : 1;
}
