// Games and options in the browser's storage. If it is switched off or full, nothing is kept.

import { lineOf, cellsOf } from "../geometry.js";

/** @import { Game } from "./game.js" */

/** @typedef {{ tidiesMarks: boolean, shadesEqual: boolean, hasTimer: boolean, avoidsUniqueness: boolean }} Options */

const PREFIX = "sudokulab-game:";
const OPTIONS = "sudokulab-play";
const MAX_GAMES = 100;

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // nothing is kept
  }
}

/** @param {Game} game */
function keyOf(game) {
  return `${PREFIX}${game.geometry.box}:${game.line}`;
}

/** @param {Game} game @param {number} seconds */
export function saveGame(game, seconds) {
  if (game.isSetting) return;
  if (!game.hasProgress && read(keyOf(game)) === null) return;
  const { size } = game.geometry;
  write(keyOf(game), {
    digits: lineOf(game.digits, size),
    corners: game.corners,
    centres: game.centres,
    seconds: Math.round(seconds),
    saved: Date.now(),
  });
  forgetOldest();
}

// Continue a stored game; returns the seconds played so far.
/** @param {Game} game */
export function resumeGame(game) {
  const stored = read(keyOf(game));
  const { size, numCells } = game.geometry;
  const digits = typeof stored?.digits === "string" ? cellsOf(stored.digits, size) : null;
  /** @param {unknown} masks */
  const areMasks = (masks) => Array.isArray(masks) && masks.length === numCells && masks.every(Number.isInteger);
  if (!digits || !areMasks(stored.corners) || !areMasks(stored.centres)) return 0;
  game.resume({ digits, corners: stored.corners, centres: stored.centres });
  return Number(stored.seconds) || 0;
}

function forgetOldest() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    if (keys.length <= MAX_GAMES) return;
    keys.sort((a, b) => (read(a)?.saved ?? 0) - (read(b)?.saved ?? 0));
    for (const key of keys.slice(0, keys.length - MAX_GAMES)) localStorage.removeItem(key);
  } catch {
    // nothing is kept
  }
}

/** @param {Options} defaults */
export function readOptions(defaults) {
  return { ...defaults, ...read(OPTIONS) };
}

/** @param {Options} options */
export function saveOptions(options) {
  write(OPTIONS, options);
}
