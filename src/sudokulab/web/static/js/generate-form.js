// The form of the generator, made from the fields that the server describes: their types, ranges, values and the kinds of
// puzzles that they apply to. The names of the fields are those of the API, of the command line and of the address.

import { BoardView } from "./board-view.js";
import { button, el, select } from "./elements.js";
import { Geometry, boxesOf, defaultBox, MAX_SIZE } from "./geometry.js";

/**
 * @typedef {{ name: string, title: string, family: string }} Technique
 * @typedef {{ family: string, techniques: Technique[] }} Group
 * @typedef {{ title: string, description: string, type?: string, default?: any, enum?: string[], minimum?: number,
 *   maximum?: number, examples?: any[], kinds?: string[], needed_by?: string[],
 *   meanings?: Record<string, string> }} Schema
 * @typedef {{ schema: Schema, input: any, fallback: string, element: any, offer?: (groups: Group[]) => void,
 *   board?: HTMLElement }} Field
 */

/** @type {[string, string][]} */
const SIZES = Array.from({ length: MAX_SIZE - 3 }, (_, index) => index + 4)
  .filter((size) => defaultBox(size))
  .map((size) => [`${size}`, `${size}×${size}`]);
const ELSEWHERE = new Set(["attempts"]); // fields of the API that the form leaves out
/** @type {Record<string, string>} */
const USUAL = { kind: "unique", size: "9", count: "6", stop: "failures" }; // where the description has no default

export class GenerateForm {
  /** @type {Map<string, Field>} */
  #fields = new Map(); // name → {schema, input, element, fallback}

  // `schemas` maps the names of the fields to their descriptions.
  /** @param {Record<string, Schema>} schemas @param {() => void} onsubmit */
  constructor(schemas, onsubmit) {
    this.error = el("p", { className: "error", role: "alert" });
    this.submit = el("button", { type: "submit", className: "primary", textContent: "Generate" });
    this.cancel = button("Cancel", null, { hidden: true });
    const names = Object.keys(schemas).filter((name) => !ELSEWHERE.has(name));
    this.element = el(
      "form",
      {
        className: "generate-form card stack",
        noValidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          onsubmit();
        },
        onchange: (/** @type {any} */ event) => {
          if (event.target.name === "kind") this.#clearNeeded();
          this.#refresh();
        },
      },
      el("h2", { textContent: "Specification" }),
      el(
        "div",
        { className: "fields" },
        names.map((name) => this.#add(name, schemas[name])),
      ),
      this.error,
      el("div", { className: "row" }, this.submit, this.cancel),
    );
    this.#refresh();
  }

  // The non-empty fields that apply, as text by name: what the address carries.
  get parameters() {
    const entries = [...this.#fields]
      .filter(([name]) => this.#applies(name))
      .map(([name, { input }]) => [name, valueOf(input)]);
    return Object.fromEntries(entries.filter(([name, value]) => value !== "" && value !== this.#field(name).fallback));
  }

  // The body of the request.
  get specification() {
    const { kind, count, ...others } = { kind: this.kind, count: USUAL.count, ...this.parameters };
    /** @type {Record<string, any>} */
    const body = { kind, ...others, count };
    for (const [name, value] of Object.entries(body)) body[name] = typed(value, this.#field(name).schema);
    return body;
  }

  /** @param {URLSearchParams} parameters */
  fill(parameters) {
    for (const [name, { input, fallback }] of this.#fields) {
      const value = parameters.get(name) ?? fallback;
      if (input.type === "checkbox") input.checked = Boolean(value);
      else input.value = value;
      if (input.selectedIndex === -1) input.value = fallback; // no such choice
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
    for (const field of this.#fields.values()) field.offer?.(groups);
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

  // Whether a field applies to the chosen kind, and has a choice.
  /** @param {string} name */
  #applies(name) {
    const { schema, input } = this.#field(name);
    if (name === "box") return input.length > 1;
    if (name === "failures" && this.#field("stop").input.value !== "failures") return false;
    if (name === "extra" && this.#field("stop").input.value === "unique") return false;
    return !schema.kinds || schema.kinds.includes(this.kind);
  }

  /** @param {string} name @param {Schema} schema */
  #add(name, schema) {
    const fallback = fallbackOf(name, schema);
    const input = inputOf(name, schema, fallback);
    input.name = name;
    input.title = schema.description;
    if (fallback && input.type !== "checkbox") input.value = fallback;
    const isCheckbox = input.type === "checkbox";
    const label = el("label", {}, isCheckbox ? [input, schema.title] : [schema.title, input]);
    if (isCheckbox) label.className = "inline wide";
    else if (schema.meanings) label.className = "wide";
    /** @type {Field} */
    const field = { schema, input, fallback, element: label };
    this.#fields.set(name, field);
    if (schema.type === "array") this.#addChoice(field);
    if (name === "pattern") this.#addBoard(field);
    return field.element;
  }

  // Names of techniques, to type or to choose one after the other.
  /** @param {Field} field */
  #addChoice(field) {
    const { input, schema } = field;
    const choice = select(
      [["", "Add…"]],
      "",
      (value) => {
        input.value = [...namesIn(input.value), value].filter(Boolean).join(", ");
        choice.value = "";
        this.#refresh();
      },
      { "aria-label": `Add to: ${schema.title.toLowerCase()}` },
    );
    field.element = el("div", { className: "wide names" }, field.element, choice);
    field.offer = (groups) => {
      for (const { family, techniques } of groups) {
        const options = techniques.map((one) => el("option", { value: one.name, textContent: one.title }));
        if (input.name === "without") options.unshift(el("option", { value: family, textContent: `All ${family}` }));
        choice.append(el("optgroup", { label: family }, options));
      }
    };
  }

  // Positions of the givens, as text or by clicks on a small board.
  /** @param {Field} field */
  #addBoard(field) {
    const { input, schema } = field;
    const clear = button("Clear", () => {
      input.value = "";
      this.#refresh();
    });
    field.board = el("div", { className: "pattern-board" });
    field.element = el(
      "details",
      { className: "wide", ontoggle: () => this.#drawPattern() },
      el("summary", { textContent: schema.title }),
      el("p", { className: "hint", textContent: "Click cells to mark givens, or type the pattern." }),
      field.board,
      field.element,
      clear,
    );
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

  // A field that some kinds need is cleared when the kind changes: for other kinds, it is an unusual wish.
  #clearNeeded() {
    for (const { schema, input } of this.#fields.values()) if (schema.needed_by?.length) input.value = "";
  }

  #refresh() {
    this.#offerBoxes();
    for (const [name, { schema, input, element }] of this.#fields) {
      element.hidden = !this.#applies(name);
      if (schema.needed_by?.includes(this.kind) && !input.value) input.value = schema.examples?.[0] ?? "";
    }
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

/** @param {string} name @param {Schema} schema */
function fallbackOf(name, { type, default: usual }) {
  if (name in USUAL) return USUAL[name];
  return type === "boolean" || type === "array" ? "" : `${usual ?? ""}`;
}

/** @param {string} name @param {Schema} schema @param {string} fallback */
function inputOf(name, schema, fallback) {
  if (name === "size") return select(SIZES, fallback);
  if (name === "box") return el("select");
  if (name === "pattern")
    return el("textarea", { rows: 3, placeholder: ". for a blank, X for a given", spellcheck: false });
  if (schema.enum) return select(choicesOf(schema, fallback), fallback);
  if (schema.type === "boolean") return el("input", { type: "checkbox", value: "true" });
  const placeholder = hintOf(schema);
  if (schema.type !== "integer" && schema.type !== "number")
    return el("input", { type: "text", placeholder, autocomplete: "off", spellcheck: false });
  const { minimum: min = "", maximum: max = "", type } = schema;
  const step = type === "integer" ? 1 : "any";
  return el("input", { type: "number", min, max, step, inputMode: "decimal", placeholder });
}

// The values of a field as [value, text] pairs; an empty one stands for any if the field has no default.
/** @param {Schema} schema @param {string} fallback @returns {[string, string][]} */
function choicesOf({ enum: values = [], meanings = {} }, fallback) {
  /** @type {[string, string][]} */
  const choices = values.map((value) => [value, sentence(meanings[value] ?? value.replaceAll("-", " "))]);
  return fallback ? choices : [["", "Any"], ...choices];
}

/** @param {Schema} schema */
function hintOf({ type, description, examples }) {
  if (type === "array") return "separated by commas";
  return /Default: (.*?)\.?$/.exec(description)?.[1] ?? `${examples?.[0] ?? ""}`;
}

/** @param {string} text */
function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// The text of an input.
/** @param {any} input */
function valueOf(input) {
  if (input.type === "checkbox") return input.checked ? input.value : "";
  return input.name === "pattern" ? plain(input.value) : input.value.trim();
}

// A text in the type of its field; text that is no number is left as it is, so that the server can say what is wrong.
/** @param {string} value @param {Schema} schema */
function typed(value, { type }) {
  if (type === "boolean") return value === "true";
  if (type === "array") return namesIn(value);
  if (type !== "integer" && type !== "number") return value;
  return Number.isNaN(Number(value)) ? value : Number(value);
}

/** @param {string} text */
function namesIn(text) {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** @param {string} pattern */
function plain(pattern) {
  return pattern.replace(/\s/g, "");
}
