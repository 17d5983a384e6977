// Speeds of a live run.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SPEEDS, comfortableSpeed, speedOf } from "../../src/sudokulab/web/static/js/live-run.js";

describe("speedOf", () => {
  it("makes the steps per second that were asked for, within a tenth", () => {
    for (const speed of SPEEDS.filter((offered) => offered > 0)) {
      const { steps_per_frame: steps, frames_per_second: frames } = speedOf(speed);
      assert.ok(Number.isInteger(steps) && steps >= 1);
      assert.ok(frames > 0 && frames <= 60);
      assert.ok(Math.abs(steps * frames - speed) <= speed / 10, `${speed}`);
    }
  });

  it("does not limit full speed", () => {
    assert.equal(speedOf(0).steps_per_frame, 0);
  });
});

describe("comfortableSpeed", () => {
  it("is a speed of the slider, and not above the one that the solver states", () => {
    assert.equal(comfortableSpeed({ watch_speed: 50_000 }), 50_000);
    assert.equal(comfortableSpeed({ watch_speed: 12 }), 10);
    assert.equal(comfortableSpeed({ watch_speed: 1e9 }), 1_000_000);
    assert.equal(comfortableSpeed({ watch_speed: 0.1 }), 1);
  });
});
