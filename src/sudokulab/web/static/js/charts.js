// Line charts of a recording over its steps, drawn on canvases: labels at the ends of the lines instead of legends, a
// cursor at the current frame, ticks for restarts. A click or a drag scrubs.

import { el, penOf } from "./elements.js";
import { EVENTS, chartsFor, formatNumber, nameOf } from "./quantities.js";

/** @import { ChartSpec } from "./quantities.js" */
/** @import { FrameEntry, Recording } from "./recording.js" */

/**
 * @typedef {{ frames: FrameEntry[], ticks: number[], first: number, last: number }} View
 * @typedef {{ at: (value: number) => number, ticks: number[] }} Scale
 * @typedef {{ colour: string, width: number, dash?: number[] }} LineStyle
 * @typedef {{ text: string, x: number, y: number, colour: string }} LineEnd
 * @typedef {{ x: number, low: number, high: number }} Pixel
 */

const HEIGHT = 108;
const PLOT = { left: 52, top: 24, bottom: 8 };
const AXIS = 16; // room for the labels of the steps below the last chart
const MAX_TICKS = 100; // more would be a bar
const FONT = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

// The first line of a chart is drawn soft and thin, the second strong, the third dashed: readable in grey as well.
const LINES = {
  only: [{ colour: "--accent", width: 1.8 }],
  several: [
    { colour: "--chart-soft", width: 1.2 },
    { colour: "--accent", width: 2.2 },
    { colour: "--warm", width: 1.5, dash: [5, 3] },
  ],
};

// The charts of a recording, one above the other. `onScrub(index)` is called with the frame that was pointed at.
export class Charts {
  #recording;
  #onScrub;
  /** @type {Chart[]} */
  #charts = [];
  #columns = "";
  #observer;

  /** @param {Recording} recording @param {((index: number) => void) | null} [onScrub] */
  constructor(recording, onScrub = null) {
    this.#recording = recording;
    this.#onScrub = onScrub;
    this.element = el("div", { className: "charts" });
    this.redraw = this.redraw.bind(this);
    this.#observer = new ResizeObserver(this.redraw);
    this.#observer.observe(this.element);
    document.addEventListener("themechange", this.redraw);
  }

  close() {
    this.#observer.disconnect();
    document.removeEventListener("themechange", this.redraw);
  }

  /** @param {number} index */
  draw(index) {
    this.index = index;
    const columns = this.#recording.curves;
    if (columns.join() !== this.#columns) this.#rebuild(columns);
    const right = Math.max(...this.#charts.map((chart) => chart.labelWidth)); // so that cursors are aligned
    const view = viewOf(this.#recording);
    this.#charts.forEach((chart) => chart.draw(view, index, right));
  }

  redraw() {
    if (this.element.isConnected && this.index !== undefined) this.draw(this.index);
  }

  /** @param {string[]} columns */
  #rebuild(columns) {
    this.#columns = columns.join();
    const specs = chartsFor(columns);
    this.#charts = specs.map((spec, place) => new Chart(spec, { hasAxis: place === specs.length - 1 }));
    this.element.replaceChildren(...this.#charts.map((chart) => chart.canvas));
    for (const chart of this.#charts) this.#watchPointer(chart);
  }

  /** @param {Chart} chart */
  #watchPointer(chart) {
    if (!this.#onScrub) return;
    const onScrub = this.#onScrub;
    /** @param {PointerEvent} event */
    const scrub = (event) => onScrub(this.#recording.indexAt(chart.stepAt(event.offsetX)));
    chart.canvas.onpointerdown = (event) => {
      chart.canvas.setPointerCapture(event.pointerId);
      scrub(event);
    };
    chart.canvas.onpointermove = (event) => {
      if (event.buttons & 1) scrub(event);
    };
  }
}

// Small charts by their canvas: those that were removed from the page can be collected.
const miniCharts = new WeakMap();
document.addEventListener("themechange", () => {
  for (const canvas of document.querySelectorAll("canvas.chart")) miniCharts.get(canvas)?.draw();
});

// A single small chart of one column or more, as in the lanes of a race.
export class MiniChart {
  #recording;
  #chart;

  /** @param {Recording} recording @param {ChartSpec} spec */
  constructor(recording, spec) {
    this.#recording = recording;
    this.#chart = new Chart(spec, { hasAxis: true });
    this.element = this.#chart.canvas;
    miniCharts.set(this.element, this);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  draw() {
    this.#chart.draw(viewOf(this.#recording), this.#recording.last, this.#chart.labelWidth);
  }
}

// The range of steps and the steps at which restarts and the like happened.
/** @param {Recording} recording */
function viewOf(recording) {
  const { frames } = recording;
  const events = EVENTS.filter((column) => recording.columns.includes(column));
  const ticks = [];
  for (let index = 1; index < frames.length; ++index) {
    const [now, before] = [frames[index].values, frames[index - 1].values];
    if (events.some((column) => now[column] > before[column])) ticks.push(frames[index].step);
  }
  return { frames, ticks, first: frames[0]?.step ?? 0, last: Math.max(frames.at(-1)?.step ?? 1, 1) };
}

class Chart {
  #spec;
  #hasAxis;
  /** @type {View} */
  #view; // what was drawn last
  #width = 0;
  #right = 0; // room for the labels of the lines, or for the current value

  /** @param {ChartSpec} spec @param {{ hasAxis: boolean }} options */
  constructor(spec, { hasAxis }) {
    this.#spec = spec;
    this.#hasAxis = hasAxis;
    this.canvas = el("canvas", { className: "chart", role: "img", "aria-label": spec.title });
    this.canvas.style.height = `${this.#height}px`;
  }

  get #height() {
    return HEIGHT + (this.#hasAxis ? AXIS : 0);
  }

  /** @param {View} view @param {number} index @param {number} right */
  draw(view, index, right) {
    this.#view = view;
    this.#right = right;
    const pen = this.#clearedPen();
    if (!pen || !view.frames.length) return;
    const scale = this.#valueScale(view.frames);
    this.#drawTitle(pen);
    this.#drawGrid(pen, scale);
    this.#drawTicks(pen, view.ticks);
    if (this.#hasAxis) this.#drawSteps(pen);
    const ends = this.#spec.columns.map((column, place) => this.#drawLine(pen, scale, column, this.#lines[place]));
    this.#drawLabels(pen, ends);
    this.#drawCursor(pen, scale, view.frames[index]);
    this.#describe(view.frames);
  }

  get #lines() {
    const { columns } = this.#spec;
    return columns.length === 1 ? LINES.only : columns.map((_, place) => LINES.several[place % LINES.several.length]);
  }

  // Canvas in CSS pixels, sharp on dense screens.
  #clearedPen() {
    const ratio = window.devicePixelRatio;
    const width = this.canvas.clientWidth;
    if (!width) return null;
    this.#width = width;
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(this.#height * ratio)];
    if (this.canvas.width !== pixelWidth) this.canvas.width = pixelWidth;
    if (this.canvas.height !== pixelHeight) this.canvas.height = pixelHeight;
    const pen = penOf(this.canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, this.#height);
    pen.font = FONT;
    pen.lineJoin = "round";
    pen.textBaseline = "middle";
    return pen;
  }

  get labelWidth() {
    const pen = penOf(this.canvas);
    pen.font = FONT;
    const labels = this.#spec.columns.length > 1 ? this.#spec.columns.map(nameOf) : ["100.00 %"];
    return 12 + Math.max(...labels.map((label) => pen.measureText(label).width));
  }

  /** @param {string} name */
  #colour(name) {
    return getComputedStyle(this.canvas).getPropertyValue(name);
  }

  get #bottom() {
    return HEIGHT - PLOT.bottom;
  }

  /** @param {number} step */
  #x(step) {
    const { first, last } = this.#view;
    return PLOT.left + ((step - first) / (last - first || 1)) * (this.#width - PLOT.left - this.#right);
  }

  // The step at a horizontal position, the inverse of #x.
  /** @param {number} x */
  stepAt(x) {
    const { first, last } = this.#view;
    return first + ((x - PLOT.left) / (this.#width - PLOT.left - this.#right)) * (last - first);
  }

  // A value that the chart can show, or null.
  /** @param {number | null | undefined} value */
  #drawn(value) {
    const { isLogarithmic, isPositive } = this.#spec;
    return value === undefined || value === null || ((isLogarithmic || isPositive) && value <= 0) ? null : value;
  }

  /** @param {FrameEntry[]} frames */
  #valueScale(frames) {
    const { columns, isLogarithmic, startsAtZero } = this.#spec;
    let [low, high] = [Infinity, -Infinity];
    for (const { values } of frames) {
      for (const column of columns) {
        const value = this.#drawn(values[column]);
        if (value === null) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    if (low > high) [low, high] = [isLogarithmic ? 0.1 : 0, 1];
    if (startsAtZero) low = Math.min(low, 0);
    if (low === high) [low, high] = isLogarithmic ? [low / 2, high * 2] : [low, high + 1];
    return makeScale(low, high, isLogarithmic, this.#bottom, PLOT.top);
  }

  /** @param {CanvasRenderingContext2D} pen */
  #drawTitle(pen) {
    pen.textAlign = "left";
    pen.fillStyle = this.#colour("--ink");
    pen.font = `600 ${FONT}`;
    pen.fillText(this.#spec.title + (this.#spec.isLogarithmic ? " (logarithmic)" : ""), 0, 8);
    pen.font = FONT;
  }

  /** @param {CanvasRenderingContext2D} pen @param {Scale} scale */
  #drawGrid(pen, scale) {
    const format = this.#spec.format ?? formatNumber;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const value of scale.ticks) {
      const y = Math.round(scale.at(value)) + 0.5;
      pen.strokeStyle = this.#colour("--line");
      line(pen, PLOT.left, y, this.#width - this.#right, y);
      pen.fillStyle = this.#colour("--soft-ink");
      pen.fillText(format(value), PLOT.left - 6, y);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number[]} steps */
  #drawTicks(pen, steps) {
    if (steps.length > MAX_TICKS) return;
    pen.strokeStyle = this.#colour("--warm");
    pen.lineWidth = 1.5;
    for (const step of steps) line(pen, this.#x(step), PLOT.top - 7, this.#x(step), PLOT.top - 1);
  }

  /** @param {CanvasRenderingContext2D} pen */
  #drawSteps(pen) {
    const y = this.#bottom + PLOT.bottom + AXIS / 2;
    pen.fillStyle = this.#colour("--soft-ink");
    pen.textAlign = "left";
    pen.fillText(formatNumber(this.#view.first), PLOT.left, y);
    pen.textAlign = "right";
    pen.fillText(`step ${formatNumber(this.#view.last)}`, this.#width - this.#right, y);
  }

  // Draw a column and return the label for its end. Within one pixel, only the extremes are drawn.
  /** @param {CanvasRenderingContext2D} pen @param {Scale} scale @param {string} column @param {LineStyle} style */
  #drawLine(pen, scale, column, { colour, width, dash = [] }) {
    pen.strokeStyle = this.#colour(colour);
    pen.lineWidth = width;
    pen.setLineDash(dash);
    pen.beginPath();
    /** @type {Pixel | null} */
    let pixel = null;
    let end = 0;
    for (const { step, values } of this.#view.frames) {
      const value = this.#drawn(values[column]);
      if (value === null) continue;
      const [x, y] = [this.#x(step), scale.at(value)];
      if (pixel !== null && Math.abs(x - pixel.x) < 0.5) {
        pixel.low = Math.min(pixel.low, y);
        pixel.high = Math.max(pixel.high, y);
      } else {
        if (pixel) flush(pen, pixel, end);
        else pen.moveTo(x, y);
        pen.lineTo(x, y);
        pixel = { x, low: y, high: y };
      }
      end = y;
    }
    if (pixel) flush(pen, pixel, end);
    pen.stroke();
    pen.setLineDash([]);
    return pixel && { text: nameOf(column), x: pixel.x, y: end, colour };
  }

  // Labels of lines that end close together are pushed apart.
  /** @param {CanvasRenderingContext2D} pen @param {(LineEnd | null)[]} ends */
  #drawLabels(pen, ends) {
    if (this.#spec.columns.length < 2) return;
    const labels = ends.filter((end) => end !== null).sort((a, b) => a.y - b.y);
    labels.forEach((label, place) => {
      if (place > 0) label.y = Math.max(label.y, labels[place - 1].y + 14);
    });
    const overflow = Math.max(0, (labels.at(-1)?.y ?? 0) - this.#bottom);
    pen.textAlign = "left";
    for (const { text, y, colour } of labels) {
      pen.fillStyle = this.#colour(colour);
      pen.fillText(text, this.#width - this.#right + 8, y - overflow);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {Scale} scale @param {FrameEntry | undefined} frame */
  #drawCursor(pen, scale, frame) {
    if (!frame) return;
    const x = this.#x(frame.step);
    pen.strokeStyle = this.#colour("--ink");
    pen.lineWidth = 1;
    line(pen, x, PLOT.top - 2, x, this.#bottom);
    pen.fillStyle = this.#colour("--ink");
    for (const column of this.#spec.columns) {
      const value = this.#drawn(frame.values[column]);
      if (value === null) continue;
      pen.beginPath();
      pen.arc(x, scale.at(value), 2.6, 0, 2 * Math.PI);
      pen.fill();
    }
    if (this.#spec.columns.length === 1) this.#labelCursor(pen, scale, frame, x);
  }

  // A chart with one line has room for the current value.
  /** @param {CanvasRenderingContext2D} pen @param {Scale} scale @param {FrameEntry} frame @param {number} x */
  #labelCursor(pen, scale, frame, x) {
    const value = this.#drawn(frame.values[this.#spec.columns[0]]);
    if (value === null) return;
    const y = scale.at(value);
    const text = (this.#spec.format ?? formatNumber)(value);
    pen.textAlign = "left";
    pen.lineWidth = 4;
    pen.strokeStyle = this.#colour("--card");
    pen.strokeText(text, x + 7, Math.max(PLOT.top, y));
    pen.fillStyle = this.#colour("--accent");
    pen.fillText(text, x + 7, Math.max(PLOT.top, y));
  }

  /** @param {FrameEntry[]} frames */
  #describe(frames) {
    const format = this.#spec.format ?? formatNumber;
    const parts = this.#spec.columns.map((column) => {
      const [first, last] = [frames[0], frames[frames.length - 1]].map((frame) => frame.values[column]);
      return `${nameOf(column)} from ${format(first)} to ${format(last)}`;
    });
    this.canvas.setAttribute("aria-label", `Chart. ${parts.join(", ")}.`);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
function line(pen, x1, y1, x2, y2) {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}

/** @param {CanvasRenderingContext2D} pen @param {Pixel} pixel @param {number} end */
function flush(pen, { x, low, high }, end) {
  if (low === high) return;
  pen.lineTo(x, low);
  pen.lineTo(x, high);
  pen.lineTo(x, end);
}

/**
 * @param {number} low
 * @param {number} high
 * @param {boolean | undefined} isLogarithmic
 * @param {number} bottom
 * @param {number} top
 */
function makeScale(low, high, isLogarithmic, bottom, top) {
  const ticks = isLogarithmic ? powers(low, high) : multiples(low, high);
  /** @param {number} value */
  const measure = (value) => (isLogarithmic ? Math.log10(value) : value);
  const from = measure(Math.min(low, ticks[0]));
  const to = measure(Math.max(high, ticks[ticks.length - 1]));
  /** @param {number} value */
  const at = (value) => bottom - ((measure(value) - from) / (to - from)) * (bottom - top);
  return { at, ticks };
}

// Multiples of 1, 2 or 5 times a power of ten that enclose a range: three to five of them.
/** @param {number} low @param {number} high */
function multiples(low, high) {
  const rough = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const unit = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks = [];
  for (let number = Math.floor(low / unit); number < Math.ceil(high / unit - 1e-9); ++number) ticks.push(number * unit);
  return [...ticks, ticks.length ? ticks[ticks.length - 1] + unit : high];
}

// Powers of ten, at most four; the ends of a range without any.
/** @param {number} low @param {number} high */
function powers(low, high) {
  const [from, to] = [Math.ceil(Math.log10(low)), Math.floor(Math.log10(high))];
  if (from > to) return [low, high];
  const every = Math.ceil((to - from + 1) / 4);
  const ticks = [];
  for (let power = from; power <= to; power += every) ticks.push(10 ** power);
  return ticks;
}
