// Playing: digits, pencil marks, and undo without limit.

import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { Geometry, cellsOf, digitsOf } from "../../src/sudokulab/web/static/js/geometry.js";
import { Game } from "../../src/sudokulab/web/static/js/play/game.js";

const GIVENS = cellsOf("1.....3..4.....2", 4);
const SOLUTION = cellsOf("1234432124133142", 4); // not a solution of GIVENS, but a full valid grid

function play(givens = GIVENS) {
  return new Game(Geometry.ofSize(4), givens);
}

function stateOf(game) {
  return Array.from(game.givens, (_, cell) => ({ ...game.cell(cell) }));
}

describe("a game", () => {
  let game;
  beforeEach(() => {
    game = play();
  });

  it("starts with the givens and nothing else", () => {
    assert.deepEqual(game.givens, GIVENS);
    assert.deepEqual(game.grid, GIVENS);
    assert.equal(game.line, "1.....3..4.....2");
    assert.equal(game.numGivens, 4);
    assert.ok(!game.hasProgress && !game.canUndo && !game.canRedo);
  });

  it("takes digits in open cells and keeps its givens", () => {
    game.enter([0, 1], 3, "digit");
    assert.equal(game.cell(0).digit, 1);
    assert.equal(game.cell(1).digit, 3);
    assert.deepEqual(game.givens, GIVENS);
    assert.ok(game.hasProgress);
  });

  it("removes a digit that is entered again", () => {
    game.enter([1, 2], 3, "digit");
    game.enter([1, 2], 3, "digit");
    assert.ok(!game.hasProgress);
  });

  it("removes the marks of a new digit from its peers, and from no other cells", () => {
    game.enter([1, 2, 5, 11], 4, "corner");
    game.enter([1, 2, 5, 11], 4, "centre");
    game.enter([3], 4, "digit"); // sees 1, 2 by its row and 11 by its column
    assert.deepEqual(
      [1, 2, 5, 11].map((cell) => [game.cell(cell).corners, game.cell(cell).centres]),
      [
        [0, 0],
        [0, 0],
        [8, 8],
        [0, 0],
      ],
    );
  });

  it("keeps all marks if it does not tidy", () => {
    game.tidiesMarks = false;
    game.enter([1], 4, "corner");
    game.enter([3], 4, "digit");
    assert.deepEqual(digitsOf(game.cell(1).corners), [4]);
  });

  it("adds a mark to cells unless all have it, then removes it", () => {
    game.enter([1], 2, "centre");
    game.enter([1, 2], 2, "centre");
    assert.deepEqual([game.cell(1).centres, game.cell(2).centres], [2, 2]);
    game.enter([1, 2], 2, "centre");
    assert.deepEqual([game.cell(1).centres, game.cell(2).centres], [0, 0]);
  });

  it("erases digits first, then the marks of the mode, then the others", () => {
    game.enter([1], 2, "corner");
    game.enter([1], 3, "centre");
    game.enter([2], 4, "digit");
    game.erase([1, 2], "corner");
    assert.deepEqual([game.cell(2).digit, game.cell(1).corners, game.cell(1).centres], [0, 2, 4]);
    game.erase([1, 2], "corner");
    assert.deepEqual([game.cell(1).corners, game.cell(1).centres], [0, 4]);
    game.erase([1, 2], "corner");
    assert.equal(game.cell(1).centres, 0);
  });

  it("notes the candidates that the digits leave", () => {
    assert.ok(!game.hasAllCentres);
    game.noteCandidates();
    assert.ok(game.hasAllCentres);
    assert.deepEqual(game.centres, game.geometry.candidates(game.grid));
  });

  it("is solved when it is full without clashes", () => {
    const open = play(SOLUTION.map((digit, cell) => (cell === 0 ? 0 : digit)));
    open.enter([0], 2, "digit");
    assert.ok(open.isFull && !open.isSolved);
    open.enter([0], SOLUTION[0], "digit");
    assert.ok(open.isSolved);
  });

  it("restarts with its givens alone", () => {
    game.enter([1], 2, "digit");
    game.enter([2], 2, "corner");
    game.restart();
    assert.deepEqual(stateOf(game), stateOf(play()));
  });

  it("notes all candidates before it eliminates some for a step", () => {
    const candidates = game.geometry.candidates(game.grid);
    const [first] = digitsOf(candidates[1]);
    game.applyStep({ candidates, marks: { eliminations: [[1, first]], placements: [] } });
    assert.equal(game.cell(1).centres, candidates[1] & ~(1 << (first - 1)));
    assert.equal(game.cell(2).centres, candidates[2]);
  });

  it("places the digits of a step, also over marks", () => {
    game.noteCandidates();
    const step = { candidates: game.centres, marks: { eliminations: [], placements: [[1, 3]] } };
    game.applyStep(step);
    assert.equal(game.cell(1).digit, 3);
    assert.ok(game.geometry.peersOf(1).every((peer) => !digitsOf(game.cell(peer).centres).includes(3)));
  });

  it("tells its listeners of every change, and of nothing else", () => {
    let numChanges = 0;
    game.addEventListener("change", () => ++numChanges);
    game.enter([0], 2, "digit"); // a given
    game.undo();
    assert.equal(numChanges, 0);
    game.enter([1], 2, "digit");
    game.undo();
    game.redo();
    assert.equal(numChanges, 3);
  });
});

describe("an empty grid", () => {
  it("takes givens until play starts", () => {
    const game = play(new Array(16).fill(0));
    assert.ok(game.isSetting);
    game.enter([0], 1, "digit");
    game.setSetting(false);
    game.enter([0, 1], 2, "digit");
    assert.deepEqual(game.givens.slice(0, 2), [1, 0]);
    assert.deepEqual(game.digits.slice(0, 2), [0, 2]);
  });
});

describe("undo and redo", () => {
  /** @type {((game: any, choice: number[]) => void)[]} */
  const ACTIONS = [
    (game, [cell, digit]) => game.enter([cell, (cell + 5) % 16], digit, "digit"),
    (game, [cell, digit]) => game.enter([cell, (cell + 1) % 16], digit, "corner"),
    (game, [cell, digit]) => game.enter([cell], digit, "centre"),
    (game, [cell]) => game.erase([cell, (cell + 3) % 16], "centre"),
    (game) => game.noteCandidates(),
    (game) => game.fill(SOLUTION),
    (game) => game.restart(),
  ];

  it("lead through every state of a long game, back and forth", () => {
    const game = play();
    const states = [stateOf(game)];
    game.addEventListener("change", () => states.push(stateOf(game)));
    for (let move = 0; move < 200; ++move) {
      ACTIONS[(move * 11) % ACTIONS.length](game, [(move * 7) % 16, 1 + ((move * 3) % 4)]);
    }
    const forth = [...states];
    assert.ok(forth.length > 100);
    for (let place = forth.length - 2; place >= 0; --place) {
      game.undo();
      assert.deepEqual(stateOf(game), forth[place]);
    }
    assert.ok(!game.canUndo);
    for (let place = 1; place < forth.length; ++place) {
      game.redo();
      assert.deepEqual(stateOf(game), forth[place]);
    }
    assert.ok(!game.canRedo);
  });

  it("forget what was undone when something new is entered", () => {
    const game = play();
    game.enter([1], 2, "digit");
    game.undo();
    game.enter([2], 4, "digit");
    assert.ok(!game.canRedo);
  });

  it("do not lead back before a resumed game", () => {
    const game = play();
    game.resume({
      digits: [0, 2, ...new Array(14).fill(0)],
      corners: new Array(16).fill(0),
      centres: new Array(16).fill(1),
    });
    assert.equal(game.cell(1).digit, 2);
    assert.equal(game.cell(0).digit, 1);
    assert.ok(!game.canUndo);
  });
});
