// What a board shows of a game.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Geometry, cellsOf } from "../../src/sudokulab/web/static/js/geometry.js";
import { cellsLike, outlined, sceneOfGame } from "../../src/sudokulab/web/static/js/play/game-scene.js";
import { Game } from "../../src/sudokulab/web/static/js/play/game.js";
import { Selection } from "../../src/sudokulab/web/static/js/play/selection.js";

const GEOMETRY = Geometry.ofSize(4);
const OPTIONS = { wrong: new Set(), shadesEqual: true };

function play() {
  const game = new Game(GEOMETRY, cellsOf("1.....3..4.....2", 4));
  game.enter([3], 1, "digit");
  game.enter([8, 10], 3, "centre");
  return game;
}

function select(...cells) {
  const selection = new Selection(GEOMETRY);
  selection.these(cells);
  return selection;
}

const cellsIn = (scene, role) => scene.shades.filter(([, other]) => other === role).map(([cell]) => cell);

describe("the scene of a game", () => {
  it("has the digits of the player beside the givens, and marks clashes", () => {
    const scene = sceneOfGame(play(), select(), OPTIONS);
    assert.equal(scene.givens[0], 1);
    assert.equal(scene.digits[3], 1);
    assert.deepEqual([...scene.clashes].sort(), [0, 3]);
  });

  it("shades the cells with the selected digit", () => {
    const scene = sceneOfGame(play(), select(0), OPTIONS);
    assert.deepEqual(cellsIn(scene, "same"), [0, 3]);
    assert.deepEqual(cellsIn(scene, "selected"), [0]);
  });

  it("shades no equal cells if several digits, or none, are selected, or if nobody wants it", () => {
    for (const cells of [[0, 6], [1], []]) {
      assert.deepEqual(cellsIn(sceneOfGame(play(), select(...cells), OPTIONS), "same"), []);
    }
    const scene = sceneOfGame(play(), select(0), { ...OPTIONS, shadesEqual: false });
    assert.deepEqual(cellsIn(scene, "same"), []);
  });

  it("outlines the selection on another scene", () => {
    /** @type {{ shades: [number, string][] }} */
    const step = { shades: [[5, "pattern"]] };
    assert.deepEqual(outlined(step, select(0)).shades, [
      [5, "pattern"],
      [0, "outlined"],
    ]);
  });
});

describe("cellsLike", () => {
  it("finds the cells with the same digit", () => {
    assert.deepEqual(cellsLike(play(), 3), [0, 3]);
  });

  it("finds the open cells with the same marks", () => {
    assert.deepEqual(cellsLike(play(), 8), [8, 10]);
  });

  it("finds only the cell itself if it is empty", () => {
    assert.deepEqual(cellsLike(play(), 1), [1]);
  });
});

describe("a selection", () => {
  it("moves around the edges", () => {
    const selection = select(0);
    selection.move(-1, 0, false);
    assert.equal(selection.cursor, 12);
    selection.move(0, -1, false);
    assert.equal(selection.cursor, 15);
  });

  it("moves to the ends of its row", () => {
    const selection = select();
    selection.only(5);
    selection.moveToColumn(3, false);
    assert.deepEqual([...selection.cells], [7]);
    selection.moveToColumn(0, true);
    assert.deepEqual([...selection.cells], [7, 4]);
  });
});
