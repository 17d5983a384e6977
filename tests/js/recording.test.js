// Recorded runs: what is read, what is refused, and how long runs are thinned.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Recording, RecordingError } from "../../src/sudokulab/web/static/js/recording.js";

const GIVENS = [1, ...new Array(15).fill(0)];
const HEADER = { type: "run", version: 1, solver: "my:solver", size: 4, box: "2x2", givens: GIVENS, seed: 7 };
const FRAME = { type: "frame", step: 0, seconds: 0, values: { cost: 9 }, grid: GIVENS };
const RESULT = { type: "result", status: "solved", seconds: 0.5, stats: { nodes: 3 } };

const textOf = (...entries) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
const parse = (...entries) => Recording.parse(textOf(...entries));
const base64 = (levels) => btoa(String.fromCharCode(...levels));

describe("a recording", () => {
  it("comes back as the text it was read from", () => {
    const text = textOf(HEADER, FRAME, { ...FRAME, step: 5 }, RESULT);
    assert.equal(Recording.parse(text).toText(), text);
  });

  it("may still grow: it has no result then", () => {
    assert.equal(parse(HEADER, FRAME).result, null);
  });

  it("has a file name without characters that files cannot have", () => {
    assert.equal(parse(HEADER, FRAME).fileName, "my-solver-4x4-seed-7");
  });

  it("draws lines only for columns with two values", () => {
    const recording = parse(HEADER, FRAME, { ...FRAME, step: 1, values: { cost: 8, temperature: 2 } });
    assert.deepEqual(recording.columns, ["cost", "temperature"]);
    assert.deepEqual(recording.curves, ["cost"]);
  });

  it("finds the last frame at or before a step", () => {
    const recording = parse(HEADER, ...[0, 10, 20, 30].map((step) => ({ ...FRAME, step })));
    assert.deepEqual(
      [-5, 0, 9, 10, 29, 30, 1000].map((step) => recording.indexAt(step)),
      [0, 0, 0, 1, 2, 3, 3],
    );
  });
});

describe("a damaged recording", () => {
  const DAMAGES = {
    "Line 1: not JSON.": ["{"],
    "Line 1: a recorded run starts with a line of type run.": [FRAME],
    "Line 2: a second run starts here; keep one run per file.": [HEADER, HEADER],
    "Line 1: this run was saved by a newer version of Sudokulab.": [{ ...HEADER, version: 2 }],
    "Line 1: the puzzle is damaged.": [{ ...HEADER, givens: [1] }],
    "Line 1: the parameters are damaged.": [{ ...HEADER, parameters: [] }],
    "Line 2: the grid of this frame is damaged.": [HEADER, { ...FRAME, grid: new Array(16).fill(5) }],
    "Line 2: the values of this frame are damaged.": [HEADER, { ...FRAME, values: { cost: "high" } }],
    "Line 3: the result is damaged.": [HEADER, FRAME, { ...RESULT, status: 1 }],
    "Line 2: this line is neither a frame nor a result.": [HEADER, { type: "other" }],
    "This file holds no frames.": [HEADER],
  };
  for (const [message, lines] of Object.entries(DAMAGES)) {
    it(`is refused: ${message}`, () => {
      const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
      assert.throws(
        () => Recording.parse(text),
        (error) => error instanceof RecordingError && error.message === message,
      );
    });
  }

  it("is refused before a grid of a huge size is made", () => {
    const huge = { ...HEADER, size: 10 ** 12, box: "1000000x1000000" };
    assert.throws(() => parse(huge, FRAME), /the puzzle is damaged/);
  });
});

describe("a frame", () => {
  const frameOf = (extra) => parse(HEADER, { ...FRAME, ...extra }).frame(0);

  it("loses places outside the grid", () => {
    const places = [[0, 1], [16, 1], [0, 5], [-1, 1], "x"];
    assert.deepEqual(frameOf({ tabu: places, decisions: places }).tabu, [[0, 1]]);
    assert.deepEqual(frameOf({ decisions: places }).decisions, [[0, 1]]);
  });

  it("loses candidates that are not one mask per cell", () => {
    assert.equal(frameOf({ candidates: [1, 2] }).candidates, undefined);
    assert.equal(frameOf({ candidates: new Array(16).fill("1") }).candidates, undefined);
    assert.deepEqual(frameOf({ candidates: new Array(16).fill(15) }).candidates, new Array(16).fill(15));
  });

  it("has one level of pheromone for every digit of every cell, or none", () => {
    const levels = Array.from({ length: 64 }, (_, index) => index * 4);
    assert.deepEqual([...frameOf({ pheromone: { levels: base64(levels) } }).heat], levels);
    assert.equal(frameOf({ pheromone: { levels: base64([1, 2, 3]) } }).heat, null);
    assert.equal(frameOf({ pheromone: { levels: "!" } }).heat, null);
  });
});

describe("a long recording", () => {
  it("keeps its first frame, its last frames in full, and a bounded number", () => {
    const recording = parse(HEADER, FRAME);
    for (let step = 1; step < 20_000; ++step) recording.add(JSON.stringify({ ...FRAME, step }));
    const steps = recording.frames.map((frame) => frame.step);
    assert.ok(steps.length <= 5000);
    assert.equal(steps[0], 0);
    assert.deepEqual(
      steps.slice(-1000),
      Array.from({ length: 1000 }, (_, index) => 19_000 + index),
    );
    assert.deepEqual(
      steps,
      [...steps].sort((a, b) => a - b),
    );
    assert.equal(recording.frame(recording.last).step, 19_999);
  });
});
