// The solvers of the server, and what their documentation says.

import { getOnce } from "./api.js";

// All solvers by name, with the schemas of their parameters.
export async function solverList() {
  const { solvers } = await getOnce("solvers");
  return new Map(solvers.map((solver) => [solver.name, solver]));
}

// A solver's {summary, paragraphs, parameters}: the introduction and the description of each parameter.
export async function describedSolver(name) {
  return read((await getOnce(`solvers/${encodeURIComponent(name)}`)).text);
}

// Read a numpy docstring.
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
function readParameters(section) {
  const found = {};
  for (const [, names, body] of section.matchAll(/^(\w+(?:, \w+)*)\n((?: +\S.*(?:\n|$)|\n)+)/gm)) {
    for (const name of names.split(", ")) found[name] = plain(body);
  }
  return found;
}

function plain(text) {
  return text.replaceAll(/`+/g, "").replaceAll("*", "").replaceAll(/\s+/g, " ").trim();
}
