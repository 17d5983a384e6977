// The form of the generator: every option of `sudokulab generate`, of which only those are shown that apply to the
// chosen kind. The names of the fields are those of the API, of the command line and of the address.

import { BoardView } from "./board-view.js";
import { button, el, select } from "./elements.js";
import { Geometry, boxesOf, defaultBox, MAX_SIZE } from "./geometry.js";

/**
 * @typedef {{ name: string, title: string, family: string }} Technique
 * @typedef {{ family: string, techniques: Technique[] }} Group
 * @typedef {{ applies?: () => boolean, fallback?: string, isNumber?: boolean, isWide?: boolean, isRequired?: boolean,
 *   hint?: string }} FieldOptions
 * @typedef {{ input: any, element: any, applies: () => boolean, fallback: string, isNumber: boolean,
 *   isRequired: boolean, offer?: (groups: Group[]) => void, board?: HTMLElement }} Field
 */

/** @type {[string, string][]} */
const KINDS = [
  ["unique", "One solution"],
  ["fixed", "Fraction of a random grid (Lloyd & Amos)"],
  ["shuffled-root", "Shuffled root grid (Lewis)"],
  ["past-rules", "Blanked past the rules (San Segundo)"],
  ["full", "Full random grid"],
];
/** @type {[string, string][]} */
const SYMMETRIES = [
  ["none", "None"],
  ["half-turn", "Half turn"],
  ["quarter-turn", "Quarter turn"],
  ["horizontal", "Left and right"],
  ["vertical", "Top and bottom"],
  ["mirrors", "Both mirrors"],
  ["diagonal", "Diagonal"],
  ["antidiagonal", "Antidiagonal"],
  ["diagonals", "Both diagonals"],
  ["full", "Full"],
];
/** @type {[string, string][]} */
const LEVELS = [
  ["", "Any"],
  ["easy", "Easy"],
  ["medium", "Medium"],
  ["hard", "Hard"],
  ["very-hard", "Very hard"],
  ["beyond", "Beyond the ten rules"],
];
/** @type {[string, string][]} */
const BIASES = [
  ["top-down", "Fast, top down"],
  ["controlled", "Controlled: fair by number of givens"],
];
/** @type {[string, string][]} */
const STOPS = [
  ["failures", "After a number of failures"],
  ["minimal", "Minimal for the rules"],
  ["unique", "Still unique"],
];
/** @type {[string, string][]} */
const SIZES = Array.from({ length: MAX_SIZE - 3 }, (_, index) => index + 4)
  .filter((size) => defaultBox(size))
  .map((size) => [`${size}`, `${size}×${size}`]);
const MAX_COUNT = 100;

export class GenerateForm {
  /** @type {Map<string, Field>} */
  #fields = new Map(); // name → {input, element, applies, fallback, isNumber, isRequired}

  /** @param {() => void} onsubmit */
  constructor(onsubmit) {
    this.error = el("p", { className: "error", role: "alert" });
    this.submit = el("button", { type: "submit", className: "primary", textContent: "Generate" });
    this.cancel = button("Cancel", null, { hidden: true });
    this.element = el(
      "form",
      {
        className: "generate-form card stack",
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          onsubmit();
        },
        onchange: () => this.#refresh(),
      },
      el("h2", { textContent: "Specification" }),
      el("div", { className: "fields" }, this.#makeFields()),
      this.error,
      el("div", { className: "row" }, this.submit, this.cancel),
    );
    this.#refresh();
  }

  // The non-empty fields that apply, as text by name: what the address carries.
  get parameters() {
    const entries = [...this.#fields]
      .map(([name, field]) => ({ name, field, value: valueOf(field) }))
      .filter(({ field, value }) => field.applies() && value !== "" && (field.isRequired || value !== field.fallback))
      .map(({ name, value }) => [name, value]);
    return Object.fromEntries(entries);
  }

  // The body of the request.
  get specification() {
    const { givens, se, pattern, ...others } = this.parameters;
    /** @type {Record<string, any>} */
    const body = {};
    for (const [name, value] of Object.entries(others)) {
      body[name] = this.#field(name).isNumber ? numberOf(value) : value;
    }
    if (body.minimal) body.minimal = true;
    if (givens?.endsWith("%")) Object.assign(body, { unique: true, fixed: parseFloat(givens) / 100 });
    else if (givens) body.givens = numberOf(givens);
    if (se) body.se = /[-–]/.test(se) ? se.split(/[-–]/).map(numberOf) : numberOf(se);
    if (pattern) body.pattern = pattern;
    body.size ??= 9;
    body.count ??= Number(this.#field("count").fallback);
    return body;
  }

  /** @param {URLSearchParams} parameters */
  fill(parameters) {
    for (const [name, field] of this.#fields) {
      const value = parameters.get(name) ?? field.fallback;
      if (field.input.type === "checkbox") field.input.checked = Boolean(value);
      else field.input.value = value;
      if (field.input.selectedIndex === -1) field.input.value = field.fallback; // no such choice
      if (name === "size") this.#offerBoxes();
    }
    this.#refresh();
  }

  /** @param {number} seed */
  set seed(seed) {
    this.#field("seed").input.value = seed;
  }

  /** @param {Group[]} groups */
  set techniques(groups) {
    for (const name of ["technique", "without"]) this.#field(name).offer?.(groups);
  }

  get kind() {
    return this.#field("kind").input.value;
  }

  get geometry() {
    const box = this.#field("box").input.value;
    return box ? Geometry.parse(box) : Geometry.ofSize(Number(this.#field("size").input.value));
  }

  /** @param {string} name @returns {Field} */
  #field(name) {
    return /** @type {Field} */ (this.#fields.get(name));
  }

  #makeFields() {
    const isUnique = () => this.kind === "unique";
    const isFraction = () => ["fixed", "shuffled-root"].includes(this.kind);
    const isPastRules = () => this.kind === "past-rules";
    const hasFailures = () => isPastRules() && this.#field("stop").input.value === "failures";
    return [
      this.#add("kind", "Kind", select(KINDS, "unique"), { fallback: "unique", isWide: true }),
      this.#add("size", "Size", select(SIZES, "9"), { fallback: "9", isNumber: true }),
      this.#add("box", "Boxes", el("select"), { applies: () => this.#field("box").input.length > 1 }),
      this.#add("level", "Level", select(LEVELS, ""), { applies: isUnique }),
      this.#add("givens", "Givens", text("fewest; 30 or 40%"), { applies: isUnique }),
      this.#add("symmetry", "Symmetry", select(SYMMETRIES, "none"), { applies: isUnique, fallback: "none" }),
      this.#add("se", "Sudoku Explainer", text("7.0 or 7.0-7.2"), { applies: isUnique }),
      this.#addNames("technique", "Required techniques", isUnique),
      this.#addNames("without", "Excluded techniques", isUnique),
      this.#addPattern(isUnique),
      this.#add("minimal", "Every given is necessary", el("input", { type: "checkbox", value: "true" }), {
        applies: isUnique,
        isWide: true,
      }),
      this.#add("bias", "Bias", select(BIASES, "top-down"), { applies: isUnique, fallback: "top-down", isWide: true }),
      this.#add("fixed", "Fraction of givens", number(0, 1, "any"), {
        applies: isFraction,
        fallback: "0.45",
        isNumber: true,
        isRequired: true,
      }),
      this.#add("stop", "Stop", select(STOPS, "failures"), {
        applies: isPastRules,
        fallback: "failures",
        isWide: true,
      }),
      this.#add("failures", "Failures", number(1), { applies: hasFailures, isNumber: true, hint: "15" }),
      this.#add("extra", "Cells to blank afterwards", number(0), { applies: hasFailures, isNumber: true, hint: "1" }),
      this.#add("count", "Number of puzzles", number(1, MAX_COUNT), { fallback: "6", isNumber: true }),
      this.#add("seed", "Seed", number(0, Number.MAX_SAFE_INTEGER), { isNumber: true, hint: "random" }),
      this.#add("seconds", "Time limit (s)", number(1, 60), { fallback: "20", isNumber: true }),
    ];
  }

  /** @param {string} name @param {string} title @param {any} input @param {FieldOptions} [options] */
  #add(name, title, input, options = {}) {
    const { fallback = "", isNumber = false, isWide = false, isRequired = false, hint = "" } = options;
    const { applies = () => true } = options;
    input.name = name;
    if (fallback && input.type !== "checkbox") input.value = fallback;
    if (hint) input.placeholder = hint;
    const label = input.type === "checkbox" ? [input, title] : [title, input];
    const element = el("label", { className: input.type === "checkbox" ? "inline wide" : isWide ? "wide" : "" }, label);
    this.#fields.set(name, { input, element, applies, fallback, isNumber, isRequired });
    return element;
  }

  // A list of names, to type or to choose one after the other.
  /** @param {string} name @param {string} title @param {() => boolean} applies */
  #addNames(name, title, applies) {
    const input = text("separated by commas");
    const choice = select(
      [["", "Add…"]],
      "",
      (value) => {
        const names = input.value.split(",").map((one) => one.trim());
        input.value = [...names, value].filter(Boolean).join(", ");
        choice.value = "";
        this.#refresh();
      },
      { "aria-label": `Add to: ${title.toLowerCase()}` },
    );
    const label = this.#add(name, title, input, { applies });
    const element = el("div", { className: "wide names" }, label, choice);
    Object.assign(this.#field(name), {
      element,
      offer: (/** @type {Group[]} */ groups) => {
        for (const { family, techniques } of groups) {
          const options = techniques.map((one) => el("option", { value: one.name, textContent: one.title }));
          if (name === "without") options.unshift(el("option", { value: family, textContent: `All ${family}` }));
          choice.append(el("optgroup", { label: family }, options));
        }
      },
    });
    return element;
  }

  // Positions of the givens, as text or by clicks on a small board.
  /** @param {() => boolean} applies */
  #addPattern(applies) {
    const input = el("textarea", { rows: 3, placeholder: ". for a blank, X for a given", spellcheck: false });
    const label = this.#add("pattern", "Pattern of givens", input, { applies });
    const board = el("div", { className: "pattern-board" });
    const clear = button("Clear", () => {
      input.value = "";
      this.#refresh();
    });
    const help = el("p", { className: "hint", textContent: "Click cells to mark givens, or type the pattern." });
    const details = el(
      "details",
      { className: "wide" },
      el("summary", { textContent: "Pattern of givens" }),
      help,
      board,
      label,
      clear,
    );
    details.ontoggle = () => this.#drawPattern();
    Object.assign(this.#field("pattern"), { element: details, board });
    return details;
  }

  #drawPattern() {
    const { input, element, board } = this.#field("pattern");
    if (!element.open) return;
    const { geometry } = this;
    const cells = Array.from(
      { length: geometry.numCells },
      (_, cell) => !".0".includes(plain(input.value)[cell] ?? "."),
    );
    const view = new BoardView(geometry, { isDecorative: true });
    const givens = [...cells.keys()].filter((cell) => cells[cell]);
    view.draw({ shades: givens.map((cell) => [cell, "pattern"]) });
    view.element.onclick = (event) => {
      const at = view.cellAt(event.clientX, event.clientY);
      if (at < 0) return;
      cells[at] = !cells[at];
      input.value = cells.some(Boolean) ? cells.map((isGiven) => (isGiven ? "X" : ".")).join("") : "";
      this.#refresh();
    };
    board?.replaceChildren(view.element);
  }

  #offerBoxes() {
    const { input } = this.#field("box");
    const size = Number(this.#field("size").input.value);
    const boxes = boxesOf(size);
    const usual = Geometry.ofSize(size).box;
    if (input.dataset.size === `${size}`) return;
    input.dataset.size = size;
    input.replaceChildren(
      ...boxes.map((box) => el("option", { value: box === usual ? "" : box, textContent: box.replace("x", "×") })),
    );
    input.value = "";
  }

  #refresh() {
    this.#offerBoxes();
    for (const { element, applies } of this.#fields.values()) element.hidden = !applies();
    this.#drawPattern();
  }
}

// The techniques in groups by family, in the order of the catalogue.
/** @param {Technique[]} techniques */
export function grouped(techniques) {
  /** @type {Map<string, Technique[]>} */
  const families = new Map();
  for (const technique of techniques) {
    families.set(technique.family, [...(families.get(technique.family) ?? []), technique]);
  }
  return [...families].map(([family, members]) => ({ family, techniques: members }));
}

/** @param {Field} field */
function valueOf({ input }) {
  if (input.type === "checkbox") return input.checked ? input.value : "";
  return input.name === "pattern" ? plain(input.value) : input.value.trim();
}

// A number; other text as it is, so that the server can say what is wrong with it.
/** @param {string} value */
function numberOf(value) {
  return Number.isNaN(Number(value)) ? value : Number(value);
}

/** @param {string} pattern */
function plain(pattern) {
  return pattern.replace(/\s/g, "");
}

/** @param {string} placeholder */
function text(placeholder) {
  return el("input", { type: "text", placeholder, autocomplete: "off", spellcheck: false });
}

/** @param {number} min @param {number | string} [max] @param {number | string} [step] */
function number(min, max = "", step = 1) {
  return el("input", { type: "number", min, max, step, inputMode: "decimal" });
}
