// What a board shows of a game, as scenes for BoardView.

/** @import { Scene, Shade } from "../board-view.js" */
/** @import { Game } from "./game.js" */
/** @import { Selection } from "./selection.js" */

// The scene of a game with the selection; `wrong` is the set of cells that are marked as wrong.
/** @param {Game} game @param {Selection} selection @param {{ wrong: Set<number>, shadesEqual: boolean }} options */
export function sceneOfGame(game, selection, { wrong, shadesEqual }) {
  const { grid } = game;
  const equal = shadesEqual ? equalCells(grid, selection.cells) : [];
  return {
    givens: game.givens,
    digits: game.digits,
    corners: game.corners,
    centres: game.centres,
    clashes: game.geometry.clashes(grid),
    wrong,
    shades: [...shaded(equal, "same"), ...shaded(selection.cells, "selected")],
  };
}

// A scene of something else, with the selection as outlines.
/** @param {Scene & { shades: Shade[] }} scene @param {Selection} selection */
export function outlined(scene, selection) {
  return { ...scene, shades: [...scene.shades, ...shaded(selection.cells, "outlined")] };
}

// The shades of cells that share a role.
/** @param {Iterable<number>} cells @param {string} role @returns {Shade[]} */
export function shaded(cells, role) {
  return Array.from(cells, (cell) => [cell, role]);
}

// The cells with the digit of the selected ones, if these have only one digit.
/** @param {number[]} grid @param {Set<number>} selected */
function equalCells(grid, selected) {
  const digits = new Set(Array.from(selected, (cell) => grid[cell]));
  const [digit] = digits;
  if (digits.size !== 1 || digit === 0) return [];
  return [...grid.keys()].filter((cell) => grid[cell] === digit);
}

// The cells with the digit of a cell, or without a digit and with the same marks.
/** @param {Game} game @param {number} cell */
export function cellsLike(game, cell) {
  const cells = Array.from({ length: game.geometry.numCells }, (_, index) => index);
  const { digit, corners, centres } = game.cell(cell);
  if (digit) return cells.filter((other) => game.cell(other).digit === digit);
  if (!corners && !centres) return [cell];
  return cells.filter((other) => {
    const like = game.cell(other);
    return !like.digit && like.corners === corners && like.centres === centres;
  });
}
