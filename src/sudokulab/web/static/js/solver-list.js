// The solvers of the server, and what their documentation says.

import { getOnce } from "./api.js";

/**
 * @typedef {{ type?: string, default?: any, enum?: any[], minimum?: number, maximum?: number, exclusiveMinimum?: number,
 *   exclusiveMaximum?: number, range: string }} Schema - a JSON schema, with its range in words
 * @typedef {{ name: string, watch_speed: number, parameters: Record<string, Schema> }} SolverFacts
 */

// All solvers by name, with the schemas of their parameters.
/** @returns {Promise<Map<string, SolverFacts>>} */
export async function solverList() {
  const { solvers } = await getOnce("solvers");
  return new Map(solvers.map((/** @type {SolverFacts} */ solver) => [solver.name, solver]));
}

// A solver's {summary, paragraphs, parameters}: the introduction and the description of each parameter.
/** @param {string} name */
export async function describedSolver(name) {
  return read((await getOnce(`solvers/${encodeURIComponent(name)}`)).text);
}

// Read a numpy docstring.
/** @param {string} text */
function read(text) {
  const [introduction, ...sections] = text.split(/\n(?=\w+\n-+\n)/);
  const [summary, ...paragraphs] = introduction
    .trim()
    .split(/\n\s*\n/)
    .map(plain);
  const parameters = sections.find((section) => section.startsWith("Parameters\n")) ?? "";
  return { summary, paragraphs, parameters: readParameters(parameters) };
}

// The entries of a section: a line with names, and indented lines that describe them.
/** @param {string} section */
function readParameters(section) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [, names, body] of section.matchAll(/^(\w+(?:, \w+)*)\n((?: +\S.*(?:\n|$)|\n)+)/gm)) {
    for (const name of names.split(", ")) found[name] = plain(body);
  }
  return found;
}

/** @param {string} text */
function plain(text) {
  return text.replaceAll(/`+/g, "").replaceAll("*", "").replaceAll(/\s+/g, " ").trim();
}
