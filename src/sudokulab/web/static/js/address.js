// The address of the page carries its state: `#watch?p=53..7…&box=3x3&solver=annealing&seed=7`. The key `p` is the
// puzzle as a line; `box` is left out if it is the default shape of the size.

import { Geometry, cellsOf, defaultBox, lineOf, MAX_SIZE } from "./geometry.js";

/** @param {string} hash */
export function addressIn(hash) {
  const [name, query = ""] = hash.slice(1).split(/\?(.*)/s);
  return { name, parameters: new URLSearchParams(query) };
}

export function currentAddress() {
  return addressIn(location.hash);
}

// Replace the parameters of the open page without adding to the history.
/** @param {string} name @param {Record<string, any>} parameters */
export function rewriteAddress(name, parameters) {
  const query = new URLSearchParams(parameters).toString();
  const hash = query ? `#${name}?${query}` : `#${name}`;
  if (hash !== location.hash) history.replaceState(null, "", hash); // browsers limit the number of replacements
}

// The puzzle of an address as {geometry, givens}; null if there is none or it is not valid.
/** @param {URLSearchParams} parameters */
export function puzzleIn(parameters) {
  const line = parameters.get("p");
  if (!line) return null;
  const size = Math.sqrt(line.length);
  const usual = Number.isInteger(size) && size <= MAX_SIZE ? defaultBox(size) : null;
  if (usual === null) return null;
  const [rows, cols] = parameters.get("box")?.split("x").map(Number) ?? usual;
  const givens = cellsOf(line, size);
  if (!(rows > 1 && cols > 1) || rows * cols !== size || givens === null) return null;
  return { geometry: new Geometry(rows, cols), givens };
}

// The parameters of an address that carry a puzzle.
/** @param {Geometry} geometry @param {number[]} givens @returns {Record<string, string>} */
export function puzzleParameters(geometry, givens) {
  const p = lineOf(givens, geometry.size);
  const isUsual = geometry.box === Geometry.ofSize(geometry.size).box;
  return isUsual ? { p } : { p, box: geometry.box };
}
