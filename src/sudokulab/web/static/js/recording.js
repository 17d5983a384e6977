// A recorded run, complete or still growing: a header, frames and a result, as JSON lines.
//
// Frames are kept as text, which takes a tenth of the memory of parsed ones; only their step, time and values, which
// the charts need, are kept parsed. A long run keeps its last frames in full and thins older ones evenly.

import { Geometry, MAX_SIZE } from "./geometry.js";

/**
 * @typedef {{ type: "run", version: number, solver: string, size: number, box: string, givens: number[], seed: number,
 *   unit?: string, clock?: string, parameters?: Record<string, any> }} Header
 * @typedef {{ step: number, seconds: number | null, values: Record<string, number>, line: string }} FrameEntry
 * @typedef {{ step: number, seconds: number | null, values?: Record<string, number | null>, grid: number[],
 *   phase?: string, tabu: [number, number][], decisions: [number, number][], candidates?: number[],
 *   heat?: Uint8Array | null }} Frame
 * @typedef {{ status: string, seconds: number | null, stats?: Record<string, number>, error?: string }} Outcome
 */

const VERSION = 1;
const MAX_FRAMES = 5000;
const MAX_CHARACTERS = 64e6;

export class RecordingError extends Error {}

export class Recording {
  /** @type {Header} */
  header; // undefined before the first line
  /** @type {Geometry} */
  geometry;
  /** @type {FrameEntry[]} */
  frames = []; // {step, seconds, values, line}
  /** @type {Outcome | null} */
  result = null;
  /** @type {Map<string, number>} */
  #counts = new Map(); // column → number of frames that have it
  #numCharacters = 0;
  /** @type {Map<FrameEntry, Frame>} */
  #parsed = new Map(); // the last few frames drawn, by their entry
  #headerLine = "";
  #resultLine = "";

  // Read a saved run. Throws a RecordingError that names the line.
  /** @param {string} text */
  static parse(text) {
    const recording = new Recording();
    text.split("\n").forEach((line, number) => {
      if (!line.trim()) return;
      try {
        recording.add(line);
      } catch (error) {
        throw new RecordingError(
          `Line ${number + 1}: ${error instanceof RecordingError ? error.message : "not JSON"}.`,
        );
      }
    });
    if (!recording.frames.length) throw new RecordingError("This file holds no frames.");
    return recording;
  }

  // Add a line of the run, in the order in which they are written.
  /** @param {string} line */
  add(line) {
    const data = JSON.parse(line);
    if (data?.type === "run") this.#addHeader(data, line);
    else if (!this.header) throw new RecordingError("a recorded run starts with a line of type run");
    else if (data?.type === "frame") this.#addFrame(data, line);
    else if (data?.type === "result") this.#addResult(data, line);
    else throw new RecordingError("this line is neither a frame nor a result");
  }

  /** @param {any} data @param {string} line */
  #addHeader(data, line) {
    if (this.header) throw new RecordingError("a second run starts here; keep one run per file");
    if (data.version > VERSION) throw new RecordingError("this run was saved by a newer version of Sudokulab");
    const geometry = geometryOf(data);
    if (!geometry || !isGridOf(geometry, data.givens)) throw new RecordingError("the puzzle is damaged");
    if (!isObject(data.parameters ?? {})) throw new RecordingError("the parameters are damaged");
    [this.header, this.geometry, this.#headerLine] = [data, geometry, line];
  }

  /** @param {any} data @param {string} line */
  #addFrame(data, line) {
    if (!isGridOf(this.geometry, data.grid)) throw new RecordingError("the grid of this frame is damaged");
    const { step, seconds, values = {} } = data;
    const areNumbers = isObject(values) && [seconds ?? 0, ...Object.values(values)].every(isNumberOrNull);
    if (!Number.isFinite(step) || !areNumbers) throw new RecordingError("the values of this frame are damaged");
    const entry = { step, seconds, values, line };
    for (const column of Object.keys(entry.values)) this.#counts.set(column, (this.#counts.get(column) ?? 0) + 1);
    this.frames.push(entry);
    this.#numCharacters += line.length;
    if (this.frames.length > MAX_FRAMES || this.#numCharacters > MAX_CHARACTERS) this.#thin();
  }

  /** @param {any} data @param {string} line */
  #addResult(data, line) {
    if (typeof data.status !== "string" || !isNumberOrNull(data.seconds) || !isObject(data.stats ?? {}))
      throw new RecordingError("the result is damaged");
    [this.result, this.#resultLine] = [data, line];
  }

  // Drop every second frame of the older half; the first frame stays.
  #thin() {
    const half = Math.floor(this.frames.length / 2);
    this.frames = this.frames.filter((_, index) => index >= half || index % 2 === 0);
    this.#numCharacters = this.frames.reduce((sum, { line }) => sum + line.length, 0);
  }

  // The columns of the frames.
  get columns() {
    return [...this.#counts.keys()];
  }

  // The columns with at least two values, which make a line.
  get curves() {
    return this.columns.filter((column) => (this.#counts.get(column) ?? 0) > 1);
  }

  get last() {
    return this.frames.length - 1;
  }

  // A frame with its grid and everything else.
  /** @param {number} index */
  frame(index) {
    const entry = this.frames[index];
    return this.#parsed.get(entry) ?? this.#remember(entry, JSON.parse(entry.line));
  }

  /** @param {FrameEntry} entry @param {any} data */
  #remember(entry, data) {
    const { numCells, size } = this.geometry;
    /** @param {unknown} place */
    const isPlace = (place) => {
      const [cell, digit] = Array.isArray(place) ? place : [];
      return cell >= 0 && cell < numCells && digit >= 1 && digit <= size;
    };
    for (const name of ["tabu", "decisions"]) data[name] = Array.isArray(data[name]) ? data[name].filter(isPlace) : [];
    const { candidates } = data;
    const areMasks = Array.isArray(candidates) && candidates.length === numCells && candidates.every(Number.isInteger);
    if (!areMasks) delete data.candidates;
    if (data.pheromone) data.heat = levelsOf(data.pheromone.levels, numCells * size);
    this.#parsed.set(entry, data);
    const [oldest] = this.#parsed.keys();
    if (this.#parsed.size > 4) this.#parsed.delete(oldest);
    return data;
  }

  // The index of the last frame at or before a step.
  /** @param {number} step */
  indexAt(step) {
    let [low, high] = [0, this.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.frames[middle].step <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The run as JSON lines.
  toText() {
    const lines = [this.#headerLine, ...this.frames.map(({ line }) => line)];
    if (this.#resultLine) lines.push(this.#resultLine);
    return `${lines.join("\n")}\n`;
  }

  // A name for files, such as "annealing-9x9-seed-7".
  get fileName() {
    const { solver, size, seed } = this.header;
    return `${String(solver).replace(/[^\w-]+/g, "-")}-${size}x${size}-seed-${seed}`;
  }
}

// The grid of a header, or null. Its size is checked first: a huge grid would take forever to make.
/** @param {{ box: unknown, size: number }} header */
function geometryOf({ box, size }) {
  const [rows, cols] = String(box).split("x").map(Number);
  const isShape = Number.isInteger(rows) && Number.isInteger(cols) && rows > 1 && cols > 1;
  return isShape && rows * cols === size && size <= MAX_SIZE ? new Geometry(rows, cols) : null;
}

/** @param {unknown} value */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value */
function isNumberOrNull(value) {
  return value === null || typeof value === "number";
}

/** @param {Geometry} geometry @param {unknown} grid */
function isGridOf({ size, numCells }, grid) {
  /** @param {number} digit */
  const isDigit = (digit) => Number.isInteger(digit) && digit >= 0 && digit <= size;
  return Array.isArray(grid) && grid.length === numCells && grid.every(isDigit);
}

// The levels of a base64 text; null if it is damaged.
/** @param {string} text @param {number} length */
function levelsOf(text, length) {
  let bytes;
  try {
    bytes = atob(text);
  } catch {
    return null;
  }
  if (bytes.length !== length) return null;
  const levels = new Uint8Array(length);
  for (let index = 0; index < length; ++index) levels[index] = bytes.charCodeAt(index);
  return levels;
}
