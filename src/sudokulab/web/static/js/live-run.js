// A live run on the server, over a WebSocket: sends the controls, collects the recording.

import { socketAddress } from "./api.js";
import { Recording } from "./recording.js";

export class LiveRun {
  recording = new Recording();
  isOver = false;
  #socket;
  #unsent = []; // commands from before the connection was open
  #onChange;
  #onError;

  // `start` is the first message: {puzzle, box, solver, parameters, seed, seconds, …}. `onChange` is called after new
  // lines, `onError(problem)` once if the run cannot start or breaks off.
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
  step(count = 1) {
    this.#send({ type: "step", count });
  }

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

  #send(message) {
    const { readyState } = this.#socket;
    if (readyState === WebSocket.CONNECTING) this.#unsent.push(message);
    if (readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

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

  #fail(problem) {
    this.isOver = true;
    this.#socket.close();
    this.#onError(problem);
  }
}

function isError(line) {
  return line.length < 10_000 && line.includes('"error"') && JSON.parse(line).type === "error";
}

// Speeds of a search, in steps per second; 0 is full speed. At most 30 frames per second are drawn.
export const SPEEDS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 1_000_000, 0,
];
const FRAMES_PER_SECOND = 30;

// A speed as the server takes it.
export function speedOf(stepsPerSecond) {
  if (stepsPerSecond === 0) return { steps_per_frame: 0, frames_per_second: FRAMES_PER_SECOND };
  const steps = Math.max(1, Math.round(stepsPerSecond / FRAMES_PER_SECOND));
  return { steps_per_frame: steps, frames_per_second: Math.min(stepsPerSecond / steps, 60) };
}

// Steps differ: a move of annealing is a thousand times quicker than a walk of an ant colony, and less happens in it.
const MOVES = new Set(["annealing", "cp-annealing", "ac3-annealing"]);

// A speed at which people can see what the solver does.
export function comfortableSpeed(solver) {
  return MOVES.has(solver) ? 50_000 : 10;
}
