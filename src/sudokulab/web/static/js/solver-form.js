// A form for the parameters of a solver, generated from their JSON schemas.

import { el, select } from "./elements.js";

let number = 0; // keeps the ids of several forms apart

export class SolverForm {
  #fields = new Map(); // name → {schema, input, error}

  // `schemas` maps names to JSON schemas, each with its `range` in words; `descriptions` maps names to sentences;
  // `onchange` is called after edits.
  constructor(schemas, { values = {}, descriptions = {}, onchange = null } = {}) {
    const id = ++number;
    this.element = el("div", { className: "parameters" });
    for (const [name, schema] of Object.entries(schemas)) {
      const value = values[name] ?? schema.default;
      const field = makeField(`parameter-${id}-${name}`, name, schema, value, descriptions[name]);
      field.input.addEventListener("change", () => {
        this.#show(name, "");
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
    const entries = [...this.#fields].map(([name, { schema, input }]) => [name, valueOf(schema, input)]);
    const usual = (name) => String(this.#fields.get(name).schema.default);
    return Object.fromEntries(entries.filter(([name, value]) => String(value) !== usual(name)));
  }

  // Show the problems at their fields; return whether there are none.
  check() {
    let isValid = true;
    for (const [name, { schema, input }] of this.#fields) {
      const problem = problemOf(schema, input);
      this.#show(name, problem);
      isValid &&= !problem;
    }
    return isValid;
  }

  // Show a message of the server at the field that it names; return whether it names one.
  showProblem(message) {
    const name = [...this.#fields.keys()].find((key) => message.startsWith(`${key}:`));
    if (!name) return false;
    this.#show(name, message.slice(name.length + 1).trim());
    this.#fields.get(name).input.focus();
    return true;
  }

  #show(name, problem) {
    const { input, error } = this.#fields.get(name);
    error.textContent = problem;
    if (problem) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  }
}

function makeField(id, name, schema, value, description) {
  const input = makeInput(id, schema, value);
  const error = el("span", { id: `${id}-error`, className: "error", role: "alert" });
  const hint = el("span", { id: `${id}-hint`, className: "hint", textContent: description ?? schema.range });
  input.setAttribute("aria-describedby", `${id}-hint ${id}-error`);
  const label = el("label", { htmlFor: id, textContent: name });
  const range = description ? el("span", { className: "hint range", textContent: schema.range }) : null;
  return { schema, input, error, element: el("div", { className: "field" }, label, input, range, hint, error) };
}

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

function valueOf(schema, input) {
  if (schema.type === "boolean") return input.checked;
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

function problemOf(schema, input) {
  const value = valueOf(schema, input);
  if (schema.type !== "number" && schema.type !== "integer") return "";
  const isNumber = typeof value === "number" && (schema.type === "number" || Number.isInteger(value));
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = schema;
  const isInside = value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
  return isNumber && isInside ? "" : `Expected ${schema.range}.`;
}
