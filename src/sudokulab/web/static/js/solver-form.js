// A form for the parameters of a solver, generated from their JSON schemas.

import { el, select } from "./elements.js";

/** @import { Schema } from "./solver-list.js" */

/**
 * @typedef {{ values?: Record<string, any>, descriptions?: Record<string, string>, onchange?: (() => void) | null }} SolverFormOptions
 * @typedef {HTMLInputElement | HTMLSelectElement} FormInput
 * @typedef {{ schema: Schema, input: FormInput, error: HTMLElement }} Field
 */

let number = 0; // keeps the ids of several forms apart

export class SolverForm {
  /** @type {Map<string, Field>} */
  #fields = new Map(); // name → {schema, input, error}

  // `schemas` maps names to JSON schemas, each with its `range` in words; `descriptions` maps names to sentences;
  // `onchange` is called after edits.
  /** @param {Record<string, Schema>} schemas @param {SolverFormOptions} [options] */
  constructor(schemas, { values = {}, descriptions = {}, onchange = null } = {}) {
    const id = ++number;
    this.element = el("div", { className: "parameters" });
    for (const [name, schema] of Object.entries(schemas)) {
      const value = values[name] ?? schema.default;
      const field = makeField(`parameter-${id}-${name}`, name, schema, value, descriptions[name]);
      field.input.addEventListener("change", () => {
        this.check();
        onchange?.();
      });
      this.#fields.set(name, field);
      this.element.append(field.element);
    }
    if (!this.#fields.size) this.element.append(el("p", { className: "hint", textContent: "No parameters." }));
  }

  // The values that differ from the defaults.
  get changed() {
    const entries = [...this.#fields]
      .map(([name, { schema, input }]) => ({ name, usual: schema.default, value: valueOf(schema, input) }))
      .filter(({ usual, value }) => String(value) !== String(usual))
      .map(({ name, value }) => [name, value]);
    return Object.fromEntries(entries);
  }

  // Show the problems at their fields; return whether there are none.
  check() {
    let isValid = true;
    for (const field of this.#fields.values()) {
      const problem = problemOf(field.schema, field.input);
      show(field, problem);
      isValid &&= !problem;
    }
    return isValid;
  }

  // Show a message of the server at the field that it names; return whether it names one.
  /** @param {string} message */
  showProblem(message) {
    for (const [name, field] of this.#fields) {
      if (!message.startsWith(`${name}:`)) continue;
      show(field, message.slice(name.length + 1).trim());
      field.input.focus();
      return true;
    }
    return false;
  }
}

/** @param {Field} field @param {string} problem */
function show({ input, error }, problem) {
  error.textContent = problem;
  if (problem) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
}

/**
 * @param {string} id
 * @param {string} name
 * @param {Schema} schema
 * @param {unknown} value
 * @param {string | undefined} description
 */
function makeField(id, name, schema, value, description) {
  const input = makeInput(id, schema, value);
  const error = el("span", { id: `${id}-error`, className: "error", role: "alert" });
  const hint = el("span", { id: `${id}-hint`, className: "hint", textContent: description ?? schema.range });
  input.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
  const label = el("label", { htmlFor: id, textContent: name });
  const range = description ? el("span", { className: "hint range", textContent: schema.range }) : null;
  return { schema, input, error, element: el("div", { className: "field" }, label, input, range, hint, error) };
}

/** @param {string} id @param {Schema} schema @param {unknown} value */
function makeInput(id, schema, value) {
  if (schema.enum) return select(schema.enum.map(String), String(value), null, { id });
  if (schema.type === "boolean") return el("input", { type: "checkbox", id, checked: String(value) === "true" });
  const isNumber = schema.type === "number" || schema.type === "integer"; // lists are written with commas
  return el("input", {
    type: "text",
    id,
    value: value ?? "",
    inputMode: isNumber ? "decimal" : "text",
    spellcheck: false,
  });
}

/** @param {Schema} schema @param {FormInput} input */
function valueOf(schema, input) {
  if (input instanceof HTMLInputElement && input.type === "checkbox") return input.checked;
  if (schema.enum) return schema.enum.find((value) => String(value) === input.value);
  const text = input.value.trim();
  if (schema.type === "array")
    return text
      .split(",")
      .map((entry) => entry.trim())
      .filter(Boolean);
  if (schema.type !== "number" && schema.type !== "integer") return text;
  const value = Number(text);
  return text === "" || Number.isNaN(value) ? text : value;
}

/** @param {Schema} schema @param {FormInput} input */
function problemOf(schema, input) {
  const value = valueOf(schema, input);
  if (schema.type !== "number" && schema.type !== "integer") return "";
  const isNumber = typeof value === "number" && (schema.type === "number" || Number.isInteger(value));
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const isInside = value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  return isNumber && isInside ? "" : `Expected ${schema.range}.`;
}
