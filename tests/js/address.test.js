// The address of the page carries its state.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  addressIn,
  currentAddress,
  puzzleIn,
  puzzleParameters,
  rewriteAddress,
} from "../../src/sudokulab/web/static/js/address.js";
import { Geometry } from "../../src/sudokulab/web/static/js/geometry.js";

const puzzleOf = (query) => puzzleIn(new URLSearchParams(query));
const blank = (size) => ".".repeat(size * size);

describe("addressIn", () => {
  it("splits a hash into the page and its parameters", () => {
    const { name, parameters } = addressIn("#watch?solver=annealing&seed=7");
    assert.equal(name, "watch");
    assert.deepEqual(Object.fromEntries(parameters), { solver: "annealing", seed: "7" });
  });

  it("keeps question marks of a value", () => {
    assert.equal(addressIn("#play?p=1?2").parameters.get("p"), "1?2");
  });

  it("finds no page and no parameters in an empty hash", () => {
    const { name, parameters } = addressIn("");
    assert.equal(name, "");
    assert.equal(parameters.size, 0);
  });
});

describe("a puzzle in an address", () => {
  for (const box of ["2x2", "2x3", "3x2", "3x3", "2x6", "6x2", "4x4", "5x5"]) {
    it(`comes back with its givens and its boxes (${box})`, () => {
      const geometry = Geometry.parse(box);
      const givens = Array.from({ length: geometry.numCells }, (_, cell) => cell % (geometry.size + 1));
      const puzzle = puzzleOf(puzzleParameters(geometry, givens));
      assert.equal(puzzle.geometry.box, box);
      assert.deepEqual(puzzle.givens, givens);
    });
  }

  it("names its boxes only if they are not the usual ones", () => {
    const parametersOf = (box) => puzzleParameters(Geometry.parse(box), new Array(144).fill(0));
    assert.equal(parametersOf("3x4").box, undefined);
    assert.equal(parametersOf("4x3").box, "4x3");
  });

  it("is null if there is none or it is not valid", () => {
    const invalid = {
      "no puzzle": "",
      "an empty puzzle": "p=",
      "not a square": `p=${blank(4)}.`,
      "a size without boxes": `p=${blank(7)}`,
      "a size that is too large": `p=${blank(30)}`,
      "boxes of another size": `p=${blank(9)}&box=2x3`,
      "boxes that are lines": `p=${blank(9)}&box=1x9`,
      "boxes that are not numbers": `p=${blank(9)}&box=axb`,
      "an unknown symbol": `p=${blank(9).slice(1)}x`,
    };
    for (const [reason, query] of Object.entries(invalid)) assert.equal(puzzleOf(query), null, reason);
  });
});

describe("the address of the open page", () => {
  beforeEach(() => {
    globalThis.location = /** @type {Location} */ ({ hash: "#play" });
    globalThis.history = /** @type {History} */ ({
      replaceState: (_state, _title, hash) => void (globalThis.location.hash = String(hash)),
    });
  });
  afterEach(() => {
    delete globalThis.location;
    delete globalThis.history;
  });

  it("comes back as it was written", () => {
    rewriteAddress("lab", { store: "a store", run: "7&8" });
    const { name, parameters } = currentAddress();
    assert.equal(name, "lab");
    assert.deepEqual(Object.fromEntries(parameters), { store: "a store", run: "7&8" });
  });

  it("has no question mark without parameters", () => {
    rewriteAddress("race", {});
    assert.equal(globalThis.location.hash, "#race");
  });

  it("is replaced only if it changes, because browsers limit replacements", () => {
    globalThis.history.replaceState = () => assert.fail("replaced");
    rewriteAddress("play", {});
  });
});
