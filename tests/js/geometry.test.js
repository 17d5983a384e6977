// Grids: cells, symbols, units and clashes.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  Geometry,
  MAX_SIZE,
  boxesOf,
  cellName,
  cellsOf,
  defaultBox,
  digitsOf,
  lineOf,
  symbolsOf,
} from "../../src/sudokulab/web/static/js/geometry.js";

describe("lines of text", () => {
  it("have one symbol for each digit", () => {
    for (let size = 1; size <= MAX_SIZE; ++size) assert.equal(new Set(symbolsOf(size)).size, size);
  });

  it("come back as the same cells at every size", () => {
    for (const size of [4, 6, 9, 16, 25]) {
      const cells = Array.from({ length: size * size }, (_, cell) => cell % (size + 1));
      assert.deepEqual(cellsOf(lineOf(cells, size), size), cells);
    }
  });

  it("have letters only at size 25", () => {
    assert.equal(symbolsOf(25), "ABCDEFGHIJKLMNOPQRSTUVWXY");
    assert.equal(symbolsOf(16), "123456789ABCDEFG");
  });

  it("take dots and zeros for blanks", () => {
    assert.deepEqual(cellsOf(".0.0".repeat(4), 4), new Array(16).fill(0));
  });

  it("are refused if their length or a symbol does not fit", () => {
    assert.equal(cellsOf("1".repeat(15), 4), null);
    assert.equal(cellsOf("5".repeat(16), 4), null);
    assert.equal(cellsOf(" ".repeat(16), 4), null);
  });
});

describe("bit masks", () => {
  it("have bit d - 1 for digit d, up to the largest size", () => {
    assert.deepEqual(digitsOf(0), []);
    assert.deepEqual(digitsOf(0b1000_0101), [1, 3, 8]);
    assert.deepEqual(digitsOf(1 << (MAX_SIZE - 1)), [MAX_SIZE]);
  });
});

describe("box shapes", () => {
  it("are as square as possible by default, and not higher than wide", () => {
    assert.deepEqual([4, 6, 9, 12, 20, 25].map(defaultBox), [
      [2, 2],
      [2, 3],
      [3, 3],
      [3, 4],
      [4, 5],
      [5, 5],
    ]);
  });

  it("do not exist for primes", () => {
    for (const size of [0, 1, 2, 3, 5, 7, 23]) assert.equal(defaultBox(size), null);
  });

  it("are listed from wide to high", () => {
    assert.deepEqual(boxesOf(12), ["2x6", "3x4", "4x3", "6x2"]);
  });
});

describe("Geometry", () => {
  for (const box of ["2x2", "2x3", "3x2", "3x3", "3x4", "5x5"]) {
    it(`${box} has three units of all digits for each cell`, () => {
      const geometry = Geometry.parse(box);
      const counts = new Array(geometry.numCells).fill(0);
      for (const unit of geometry.units) {
        assert.equal(new Set(unit).size, geometry.size);
        for (const cell of unit) ++counts[cell];
      }
      assert.deepEqual(new Set(counts), new Set([3]));
    });

    it(`${box} has symmetric peers`, () => {
      const geometry = Geometry.parse(box);
      for (let cell = 0; cell < geometry.numCells; ++cell) {
        assert.ok(!geometry.peersOf(cell).includes(cell));
        for (const peer of geometry.peersOf(cell)) assert.ok(geometry.peersOf(peer).includes(cell));
      }
    });
  }

  it("names cells by row and column from 1", () => {
    assert.equal(cellName(0, 9), "r1c1");
    assert.equal(cellName(80, 9), "r9c9");
    assert.equal(cellName(9, 9), "r2c1");
  });

  it("finds both cells of a clash, and no others", () => {
    const grid = new Array(81).fill(0);
    grid[0] = grid[8] = 5; // one row
    grid[40] = grid[50] = 6; // one box
    grid[44] = 5;
    assert.deepEqual([...Geometry.ofSize(9).clashes(grid)].sort(), [0, 8, 44, 40, 50].sort());
  });

  it("leaves the digits that no peer has as candidates", () => {
    const grid = [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
    const candidates = Geometry.ofSize(4).candidates(grid);
    assert.deepEqual(digitsOf(candidates[2]), [4]);
    assert.deepEqual(digitsOf(candidates[3]), [3, 4]);
    assert.deepEqual(digitsOf(candidates[4]), [3, 4]);
  });
});
