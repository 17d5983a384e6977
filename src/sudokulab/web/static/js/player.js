// Plays a recording: the board, the transport controls, the values and the charts of the current frame.
//
// The recording may still grow. Then the player follows its last frame until someone scrubs back; `onForward` is called
// when someone steps forward at the last frame, so that a paused search can take a step.

import { BoardView } from "./board-view.js";
import { Charts } from "./charts.js";
import { button, el, select } from "./elements.js";
import { icon } from "./icons.js";
import { LAYERS, layerNames, layersOf, legendOf, sceneOf } from "./frame-scene.js";
import { aboutOf, formatNumber, formatSeconds, formatValue, nameOf } from "./quantities.js";

/** @import { Layer } from "./frame-scene.js" */
/** @import { IconName } from "./icons.js" */
/** @import { Frame, FrameEntry, Recording } from "./recording.js" */

/**
 * @typedef {{ isLive?: boolean, onForward?: (() => void) | null, onSeek?: (() => void) | null }} PlayerOptions
 */

const SPEEDS = [1, 2, 5, 10, 20, 30, 60];
const DEFAULT_SPEED = 20;
/** @type {Record<string, string>} */
const PHASES = { ac3: "Arc consistency (AC3)", filter: "Filter before the search" };

export class Player {
  index = 0;
  isFollowing;
  #isPlaying = false;
  #isLive;
  #speed = DEFAULT_SPEED;
  #nextFrameAt = 0;
  #request = 0;
  /** @type {Set<string>} */
  #hidden = new Set(); // layers that were switched off
  /** @type {Layer[]} */
  #seen = []; // layers met so far
  /** @type {FrameEntry | null} */
  #shown = null; // the entry of the frame on the board: its index changes when old frames are thinned
  #parts;
  /** @type {(() => void) | null} */
  onSpace = null; // what the space bar does, if not to play and pause

  /** @param {Recording} recording @param {PlayerOptions} [options] */
  constructor(recording, { isLive = false, onForward = null, onSeek = null } = {}) {
    this.recording = recording;
    this.#isLive = this.isFollowing = isLive;
    this.onForward = onForward;
    this.onSeek = onSeek;
    this.board = new BoardView(recording.geometry, { label: "Grid of the run" });
    this.charts = new Charts(recording, (index) => this.seek(index));
    this.#parts = makeParts(this);
    this.controls = this.#makeControls();
    this.values = el("dl", { className: "values" });
    this.layers = el("div", { className: "row layers" });
    this.explanation = el("div");
    this.legend = el("details", {}, el("summary", { textContent: "What is drawn" }), this.explanation);
    this.onKey = this.onKey.bind(this);
    document.addEventListener("keydown", this.onKey);
    this.refresh();
  }

  focus() {
    this.#parts.slider.focus();
  }

  // Stop drawing and listening. The player cannot be used afterwards.
  close() {
    this.pause();
    cancelAnimationFrame(this.#request);
    this.charts.close();
    document.removeEventListener("keydown", this.onKey);
  }

  // The recording has grown or has ended.
  /** @param {{ isLive?: boolean }} [options] */
  refresh({ isLive = this.#isLive } = {}) {
    this.#isLive = isLive;
    const { last, frames } = this.recording;
    if (this.isFollowing) this.index = Math.max(last, 0);
    else if (this.#shown && frames[this.index] !== this.#shown) this.index = this.recording.indexAt(this.#shown.step);
    this.#drawSoon();
  }

  /** @param {number} index */
  seek(index) {
    this.pause();
    this.#moveTo(index);
  }

  // Return to the last frame of a growing recording, and stay there.
  follow() {
    this.seek(this.recording.last);
  }

  /** @param {number} count */
  step(count) {
    if (count > 0 && this.index === this.recording.last && this.#isLive) this.onForward?.();
    else this.seek(this.index + count);
  }

  /** @param {number} index */
  #moveTo(index) {
    const { last } = this.recording;
    this.index = Math.min(Math.max(index, 0), last);
    this.#shown = this.recording.frames[this.index]; // what arrives before it is drawn must not move it
    this.isFollowing = this.#isLive && this.index === last;
    this.#drawSoon();
    this.onSeek?.();
  }

  toggle() {
    if (this.#isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.index === this.recording.last) this.#moveTo(0);
    this.#isPlaying = true;
    this.#nextFrameAt = performance.now() + 1000 / this.#speed;
    this.#drawSoon();
  }

  pause() {
    this.#isPlaying = false;
    this.#drawSoon();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element) || isTyping(target)) return;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.seek(0),
      End: () => this.seek(this.recording.last),
      " ": () => (this.onSpace ? this.onSpace() : this.toggle()),
    };
    const action = actions[event.key];
    if (!action || (event.key === " " && target.closest("button, a, summary, input"))) return;
    event.preventDefault();
    action();
  }

  #drawSoon() {
    this.#request ||= requestAnimationFrame((now) => {
      this.#request = 0;
      this.#advance(now);
      this.#draw();
    });
  }

  /** @param {number} now */
  #advance(now) {
    if (!this.#isPlaying) return;
    const interval = 1000 / this.#speed;
    const count = Math.floor((now - this.#nextFrameAt) / interval) + 1;
    if (count > 0) {
      this.#nextFrameAt += count * interval;
      this.#moveTo(this.index + count);
      if (this.index === this.recording.last) this.#isPlaying = false;
    }
    this.#drawSoon();
  }

  #draw() {
    if (this.recording.last < 0) return;
    this.#shown = this.recording.frames[this.index];
    const frame = this.recording.frame(this.index);
    const previous = this.index > 0 ? this.recording.frame(this.index - 1) : null;
    this.#noteLayers(layersOf(frame));
    const shown = new Set(this.#seen.filter((layer) => !this.#hidden.has(layer)));
    const scene = sceneOf(this.recording, frame, previous, shown);
    this.board.element.classList.toggle("has-heat", Boolean(scene.heat));
    this.board.draw(scene);
    this.charts.draw(this.index);
    this.#drawValues(frame);
    this.#drawControls(frame);
  }

  /** @param {Layer[]} found */
  #noteLayers(found) {
    const fresh = found.filter((layer) => !this.#seen.includes(layer));
    if (!fresh.length) return;
    if (fresh.includes("pheromone")) this.#hidden.add("changes"); // both at once are hard to read
    this.#seen = layerNames().filter((layer) => this.#seen.includes(layer) || fresh.includes(layer));
    this.layers.replaceChildren(...this.#seen.map((layer) => this.#layerBox(layer)));
    this.explanation.replaceChildren(legendOf(this.#seen));
  }

  /** @param {Layer} layer */
  #layerBox(layer) {
    const onchange = () => {
      if (box.checked) this.#hidden.delete(layer);
      else this.#hidden.add(layer);
      this.#drawSoon();
    };
    const box = el("input", { type: "checkbox", checked: !this.#hidden.has(layer), onchange });
    return el("label", { className: "inline" }, box, LAYERS[layer]);
  }

  /** @param {Frame} frame */
  #timeOf({ seconds }) {
    const isCpuTime = this.recording.header.clock === "cpu";
    const about = isCpuTime ? "without waiting for a processor" : "without pauses";
    return [isCpuTime ? "CPU time" : "Search time", formatSeconds(seconds), about];
  }

  /** @param {Frame} frame */
  #drawValues(frame) {
    const entries = [
      ["step", "Step", formatNumber(frame.step), "steps of the search so far"],
      ["seconds", ...this.#timeOf(frame)],
      ...Object.entries(frame.values ?? {})
        .filter(([column, value]) => !(["iterations", "nodes"].includes(column) && value === frame.step))
        .map(([column, value]) => [column, nameOf(column), this.#valueText(column, value), aboutOf(column)]),
    ];
    const keys = entries.map(([key]) => key).join();
    if (this.values.dataset.keys !== keys) {
      this.values.dataset.keys = keys;
      this.values.replaceChildren(
        ...entries.map(([key, name, , about]) =>
          el("div", { title: about }, el("dt", { textContent: name }), el("dd", { id: `value-${key}` })),
        ),
      );
    }
    this.values.querySelectorAll("dd").forEach((value, place) => setText(value, entries[place][2]));
  }

  /** @param {string} column @param {number | null} value */
  #valueText(column, value) {
    const text = formatValue(column, value);
    return column === "cells_fixed" ? `${text} of ${formatNumber(this.recording.geometry.numCells)}` : text;
  }

  #makeControls() {
    const { first, back, play, forward, last, slider, speed, place, phase } = this.#parts;
    const keys = el("div", { className: "row transport" }, first, back, play, forward, last, speed);
    return el(
      "div",
      { className: "stack controls" },
      slider,
      el("div", { className: "row spread" }, keys, place),
      phase,
    );
  }

  /** @param {Frame} frame */
  #drawControls(frame) {
    const { first, back, play, forward, last, slider, speed, place, phase } = this.#parts;
    const end = this.recording.last;
    slider.max = String(end);
    slider.value = String(this.index);
    slider.setAttribute("aria-valuetext", `frame ${this.index + 1} of ${end + 1}, step ${formatNumber(frame.step)}`);
    first.disabled = back.disabled = this.index === 0;
    last.disabled = this.index === end;
    forward.disabled = this.index === end && !(this.#isLive && this.onForward);
    play.hidden = speed.hidden = this.#isLive;
    this.#drawPlay(play);
    setText(place, `Frame ${formatNumber(this.index + 1)} of ${formatNumber(end + 1)}`);
    const { phase: name = "" } = frame;
    setText(phase, PHASES[name] ?? name);
    if (!this.#isPlaying) this.board.setLabel(`Grid at step ${frame.step}`);
  }

  /** @param {HTMLButtonElement} play */
  #drawPlay(play) {
    const label = this.#isPlaying ? "Pause" : "Play";
    if (play.title.startsWith(label)) return;
    play.title = `${label} (Space)`;
    play.setAttribute("aria-label", label);
    play.replaceChildren(icon(this.#isPlaying ? "pause" : "play"));
  }

  /** @param {number} framesPerSecond */
  setSpeed(framesPerSecond) {
    this.#speed = framesPerSecond;
    this.#nextFrameAt = performance.now() + 1000 / this.#speed;
  }
}

/** @param {Player} player */
function makeParts(player) {
  /** @type {(name: IconName, label: string, shortcut: string, onclick: () => void) => HTMLButtonElement} */
  const key = (name, label, shortcut, onclick) => {
    const made = button("", onclick, { className: "key", title: `${label} (${shortcut})`, "aria-label": label });
    made.append(icon(name));
    return made;
  };
  /** @type {[string, string][]} */
  const speeds = SPEEDS.map((speed) => [String(speed), `${speed} frame${speed > 1 ? "s" : ""} per second`]);
  return {
    first: key("first", "First frame", "Home", () => player.seek(0)),
    back: key("back", "Previous frame", "←", () => player.step(-1)),
    play: key("play", "Play", "Space", () => player.toggle()),
    forward: key("forward", "Next frame", "→", () => player.step(1)),
    last: key("last", "Last frame", "End", () => player.seek(player.recording.last)),
    speed: select(speeds, String(DEFAULT_SPEED), (value) => player.setSpeed(Number(value)), {
      "aria-label": "Replay speed",
    }),
    slider: el("input", {
      type: "range",
      className: "scrub",
      min: 0,
      value: 0,
      "aria-label": "Position in the run",
      oninput: (/** @type {any} */ event) => player.seek(Number(event.target.value)),
    }),
    place: el("span", { className: "hint place" }),
    phase: el("p", { className: "phase" }),
  };
}

/** @param {Element} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Text fields, choices and sliders keep their own keys.
/** @param {Element} target */
function isTyping(target) {
  return target.closest('textarea, select, dialog, [contenteditable], input:not([type="checkbox"], [type="radio"])');
}
