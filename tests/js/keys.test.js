// What keys mean on the board.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionOf } from "../../src/sudokulab/web/static/js/play/keys.js";

const press = (key, options = {}) =>
  /** @type {KeyboardEvent} */ ({ key, code: "", shiftKey: false, ctrlKey: false, ...options });
const actionAt = (size, key, options) => actionOf(press(key, options), size, "corner");

describe("keys", () => {
  it("enter digits in the mode, with Shift as corner marks, with Ctrl as centre marks", () => {
    assert.deepEqual(actionAt(9, "5", { code: "Digit5" }), { name: "enter", digit: 5, mode: "corner" });
    assert.equal(actionAt(9, "%", { code: "Digit5", shiftKey: true }).mode, "corner");
    assert.equal(actionAt(9, "5", { code: "Digit5", ctrlKey: true }).mode, "centre");
  });

  it("enter letters where they are digits, and choose modes where they are not", () => {
    assert.deepEqual(actionAt(9, "x"), { name: "mode", mode: "corner" });
    assert.deepEqual(actionAt(16, "g"), { name: "enter", digit: 16, mode: "corner" });
    assert.deepEqual(actionAt(25, "x"), { name: "enter", digit: 24, mode: "corner" });
  });

  it("enter no digit beyond the size", () => {
    assert.equal(actionAt(4, "5", { code: "Digit5" }), null);
  });

  it("undo and redo", () => {
    assert.equal(actionAt(9, "z", { ctrlKey: true }).name, "undo");
    assert.equal(actionAt(9, "Z", { ctrlKey: true, shiftKey: true }).name, "redo");
    assert.equal(actionAt(9, "y", { metaKey: true }).name, "redo");
  });

  it("with Alt belong to the browser", () => {
    assert.equal(actionAt(9, "ArrowLeft", { altKey: true }), null);
  });
});
