// The controls of a running search: pause, steps, speed, stop, and the way back to the newest frame.

import { button, el } from "./elements.js";
import { icon } from "./icons.js";
import { SPEEDS, speedOf } from "./live-run.js";
import { formatNumber } from "./quantities.js";

/** @import { LiveRun, Speed } from "./live-run.js" */
/** @import { Player } from "./player.js" */

const STEPS = [1, 10, 100, 1000];
const MAX_FRAMES = 30; // shown on the way

export class LiveControls {
  isPaused;
  stepsPerSecond;
  #run;
  #pause = button("", () => this.toggle(), { className: "primary wide" });
  #live = button("Live", () => this.#player.follow(), { className: "live", title: "Return to the newest frame" });
  #speedText = el("output", { className: "hint" });
  #slider;
  #player;

  /**
   * @param {LiveRun} run
   * @param {Player} player
   * @param {{ stepsPerSecond: number, isPaused?: boolean, onSpeed?: ((speed: number) => void) | null }} options
   */
  constructor(run, player, { stepsPerSecond, isPaused = false, onSpeed = null }) {
    this.#run = run;
    this.#player = player;
    this.isPaused = isPaused;
    this.stepsPerSecond = stepsPerSecond;
    this.onSpeed = onSpeed;
    this.#slider = makeSlider(stepsPerSecond, (speed) => this.#setSpeed(speed));
    const steps = STEPS.map((count) =>
      button(`+${formatNumber(count)}`, () => this.step(count), {
        title: `Run ${formatNumber(count)} step${count > 1 ? "s" : ""} of the search, then pause`,
        "aria-label": `Step ${count}`,
      }),
    );
    const stop = button("Stop", () => run.stop(), { title: "End the search" });
    stop.prepend(icon("stop"));
    const speed = el("label", { className: "speed" }, el("span", {}, "Speed: ", this.#speedText), this.#slider);
    this.element = el(
      "div",
      { className: "stack live-controls", role: "group", "aria-label": "Search" },
      el("div", { className: "row" }, this.#pause, ...steps, stop, this.#live),
      speed,
    );
    this.refresh();
  }

  toggle() {
    if (this.isPaused) this.#resume();
    else this.#run.pause();
    this.isPaused = !this.isPaused;
    if (!this.isPaused) this.#player.follow();
    this.refresh();
  }

  #resume() {
    this.#run.setSpeed(speedOf(this.stepsPerSecond));
    this.#run.resume();
  }

  // Steps take half a second at most, whatever the speed.
  /** @param {number} count */
  step(count) {
    this.#run.setSpeed({ steps_per_frame: Math.ceil(count / MAX_FRAMES), frames_per_second: 60 });
    this.#run.step(count);
    this.isPaused = true;
    this.#player.follow();
    this.refresh();
  }

  /** @param {number} stepsPerSecond */
  #setSpeed(stepsPerSecond) {
    this.stepsPerSecond = stepsPerSecond;
    if (!this.isPaused) this.#run.setSpeed(speedOf(stepsPerSecond));
    this.onSpeed?.(stepsPerSecond);
    this.refresh();
  }

  refresh() {
    const label = this.isPaused ? "Resume" : "Pause";
    if (this.#pause.dataset.label !== label) {
      this.#pause.dataset.label = label;
      this.#pause.replaceChildren(icon(this.isPaused ? "play" : "pause"), label);
      this.#pause.title = `${label} the search (Space)`;
    }
    this.#live.setAttribute("aria-pressed", String(this.#player.isFollowing));
    this.#speedText.textContent = speedName(this.stepsPerSecond);
    this.#slider.setAttribute("aria-valuetext", speedName(this.stepsPerSecond));
  }
}

/** @param {number} stepsPerSecond */
function speedName(stepsPerSecond) {
  if (stepsPerSecond === 0) return "full speed";
  return stepsPerSecond === 1 ? "1 step per second" : `${formatNumber(stepsPerSecond)} steps per second`;
}

// A slider over SPEEDS.
/** @param {number} stepsPerSecond @param {(speed: number) => void} onchange */
function makeSlider(stepsPerSecond, onchange) {
  return el("input", {
    type: "range",
    min: 0,
    max: SPEEDS.length - 1,
    value: Math.max(SPEEDS.indexOf(stepsPerSecond), 0),
    "aria-label": "Speed of the search",
    oninput: (/** @type {any} */ event) => onchange(SPEEDS[event.target.value]),
  });
}
