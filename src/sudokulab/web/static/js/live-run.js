// A live run on the server, over a WebSocket: sends the controls, collects the recording.

import { socketAddress } from "./api.js";
import { Recording } from "./recording.js";

/** @import { Problem } from "./api.js" */

/** @typedef {{ steps_per_frame: number, frames_per_second: number }} Speed */

export class LiveRun {
  recording = new Recording();
  isOver = false;
  #socket;
  /** @type {object[]} */
  #unsent = []; // commands from before the connection was open
  #onChange;
  #onError;

  // `start` is the first message: {puzzle, box, solver, parameters, seed, seconds, …}. `onChange` is called after new
  // lines, `onError(problem)` once if the run cannot start or breaks off.
  /** @param {object} start @param {{ onChange: () => void, onError: (problem: Problem) => void }} listeners */
  constructor(start, { onChange, onError }) {
    this.#onChange = onChange;
    this.#onError = onError;
    this.#socket = new WebSocket(socketAddress("runs"));
    this.#socket.onopen = () => {
      for (const message of [{ type: "start", ...start }, ...this.#unsent]) this.#send(message);
    };
    this.#socket.onmessage = (event) => this.#receive(event.data);
    this.#socket.onclose = () => this.#closed();
  }

  pause() {
    this.#send({ type: "pause" });
  }

  resume() {
    this.#send({ type: "resume" });
  }

  // Run exactly this many steps of the search, then pause.
  /** @param {number} [count] */
  step(count = 1) {
    this.#send({ type: "step", count });
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.#send({ type: "speed", ...speed });
  }

  // End the search; its result still arrives.
  stop() {
    this.#send({ type: "stop" });
  }

  // Leave the run without waiting for its result; the server stops it.
  close() {
    this.isOver = true;
    this.#socket.close();
  }

  /** @param {object} message */
  #send(message) {
    const { readyState } = this.#socket;
    if (readyState === WebSocket.CONNECTING) this.#unsent.push(message);
    if (readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {string} text */
  #receive(text) {
    if (this.isOver) return;
    for (const line of text.split("\n")) {
      if (!line) continue;
      if (isError(line)) return this.#fail(JSON.parse(line));
      this.recording.add(line);
    }
    this.isOver = this.recording.result !== null;
    this.#onChange();
    if (this.isOver) this.#socket.close();
  }

  #closed() {
    if (!this.isOver) this.#fail({ detail: "The connection to the server was lost." });
  }

  /** @param {Problem} problem */
  #fail(problem) {
    this.isOver = true;
    this.#socket.close();
    this.#onError(problem);
  }
}

/** @param {string} line */
function isError(line) {
  return line.length < 10_000 && line.includes('"error"') && JSON.parse(line).type === "error";
}

// Speeds of a search, in steps per second; 0 is full speed. At most 30 frames per second are drawn.
export const SPEEDS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 0,
];
const FRAMES_PER_SECOND = 30;

// A speed as the server takes it.
/** @param {number} stepsPerSecond */
export function speedOf(stepsPerSecond) {
  if (stepsPerSecond === 0) return { steps_per_frame: 0, frames_per_second: FRAMES_PER_SECOND };
  const steps = Math.max(1, Math.round(stepsPerSecond / FRAMES_PER_SECOND));
  return { steps_per_frame: steps, frames_per_second: Math.min(stepsPerSecond / steps, 60) };
}

// The speed of the slider at which people can see what a solver does: the closest one below what the solver states.
/** @param {{ watch_speed: number }} solver */
export function comfortableSpeed({ watch_speed: speed }) {
  return SPEEDS.findLast((offered) => offered > 0 && offered <= speed) ?? SPEEDS[0];
}
