// What a board shows of a game, as scenes for BoardView.

// The scene of a game with the selection; `wrong` is the set of cells that are marked as wrong.
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
    shades: [...equal.map((cell) => [cell, "same"]), ...shaded(selection, "selected")],
  };
}

// A scene of something else, with the selection as outlines.
export function outlined(scene, selection) {
  return { ...scene, shades: [...scene.shades, ...shaded(selection, "outlined")] };
}

function shaded(selection, role) {
  return Array.from(selection.cells, (cell) => [cell, role]);
}

// The cells with the digit of the selected ones, if these have only one digit.
function equalCells(grid, selected) {
  const digits = new Set(Array.from(selected, (cell) => grid[cell]));
  const [digit] = digits;
  if (digits.size !== 1 || digit === 0) return [];
  return [...grid.keys()].filter((cell) => grid[cell] === digit);
}

// The cells with the digit of a cell, or without a digit and with the same marks.
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
