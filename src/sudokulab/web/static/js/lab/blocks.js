// Blocks of text from the server (see web/papers.py) as elements.

import { el } from "../elements.js";
import { figure } from "./figures.js";
import { SortableTable } from "./tables.js";

/**
 * @typedef {{ text: string, strong?: boolean, emphasis?: boolean, code?: boolean, paper?: string, anchor?: string,
 *   href?: string }} Span
 * @typedef {{ type: string } & Record<string, any>} Block
 */

/** @type {Record<string, string>} */
const VERDICTS = {
  reproduced: "good",
  "reproduced in shape": "good",
  "not reproduced": "bad",
  refuted: "bad",
  "paper in error": "bad",
  underpowered: "open",
  "not judged at this scale": "open",
  "cannot be checked": "open",
};

// The elements of blocks. `paper` is the key of their page, to which anchors without a paper belong; without one, the
// blocks are part of another page, and their headings a level lower.
/** @param {Block[]} list @param {string | null} [paper] */
export function blocks(list, paper = null) {
  return list.map((block) => MAKERS[block.type]?.(block, paper)).filter(Boolean);
}

/** @type {Record<string, (block: Block, paper: string | null) => Node>} */
const MAKERS = {
  heading: ({ level, id, spans: content }, paper) =>
    el(/** @type {"h1"} */ (`h${level + (paper ? 0 : 1)}`), { id: `at-${id}`, tabIndex: -1 }, spans(content, paper)),
  paragraph: ({ spans: content }, paper) => el("p", {}, spans(content, paper)),
  list: ({ is_ordered: isOrdered, items }, paper) =>
    el(
      isOrdered ? "ol" : "ul",
      {},
      items.map((/** @type {Span[]} */ item) => el("li", {}, checkMark(item), spans(withoutMark(item), paper))),
    ),
  table: ({ columns, rows, is_number: isNumber }, paper) => {
    const caption = columns
      .map((/** @type {Span[]} */ column) => column.map((span) => span.text).join(""))
      .filter(Boolean)
      .join(", ");
    return new SortableTable(columns, rows, { caption, isNumber, makeCell: (cell) => lines(cell, paper) }).element;
  },
  figure: ({ name, caption }) => figure(`api/papers/figures/${encodeURIComponent(name)}`, caption).element,
  details: ({ summary, blocks: inner }, paper) =>
    el("details", {}, el("summary", { textContent: summary }), blocks(inner, paper)),
  code: ({ text }) => el("pre", { className: "code", tabIndex: 0, textContent: text }),
};

/** @param {Span[]} content @param {string | null} paper @returns {(Node | string)[]} */
export function spans(content, paper) {
  return content.flatMap((span) => {
    if (span.text === "\n") return [el("br")];
    /** @type {Node | string} */
    let node = span.text;
    if (span.code) node = el("code", { textContent: span.text });
    if (span.emphasis) node = el("em", {}, node);
    if (span.strong) node = el("strong", { className: verdictClass(span.text) }, node);
    const address = addressOf(span, paper);
    return [address ? el("a", { href: address }, node) : node];
  });
}

// The lines of a cell, each in an element of its own if there are several.
/** @param {Span[]} content @param {string | null} paper */
function lines(content, paper) {
  /** @type {Span[][]} */
  const parts = [[]];
  for (const span of content) {
    if (span.text === "\n") parts.push([]);
    else parts[parts.length - 1].push(span);
  }
  return parts.length === 1
    ? spans(content, paper)
    : parts.map((part) => el("div", { className: "line" }, spans(part, paper)));
}

/** @param {string} text */
function verdictClass(text) {
  return VERDICTS[text] ? `verdict ${VERDICTS[text]}` : "";
}

/** @param {Span} span @param {string | null} page */
function addressOf({ paper, anchor, href }, page) {
  if (href) return href;
  const key = paper ?? page;
  if (!key || (!paper && !anchor)) return null;
  return `#lab?${new URLSearchParams(anchor ? { paper: key, at: anchor } : { paper: key })}`;
}

// Checks start with a mark; colour and a word for screen readers support it.
/** @type {Record<string, [verdict: string, word: string]>} */
const MARKS = { "✓": ["good", "holds"], "✗": ["bad", "fails"], "?": ["open", "undecided"] };

/** @param {Span[]} item */
function checkMark([first]) {
  const mark = MARKS[first?.text?.[0]];
  if (!mark || first.text[1] !== " ") return null;
  return el("span", {
    className: `verdict ${mark[0]}`,
    role: "img",
    "aria-label": mark[1],
    textContent: `${first.text[0]} `,
  });
}

/** @param {Span[]} item */
function withoutMark([first, ...others]) {
  if (!first) return [];
  return checkMark([first]) ? [{ ...first, text: first.text.slice(2) }, ...others] : [first, ...others];
}
