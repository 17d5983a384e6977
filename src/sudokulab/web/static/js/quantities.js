// The quantities that solvers report with each frame: plain names, formats, and the charts that show them.
//
// Charts are chosen by the columns of a recording, not by its solver. A column that is not listed here gets a chart
// with its own name, so solvers of plug-ins are drawn as well.

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const rounded = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/**
 * @typedef {{ title: string, columns: string[], startsAtZero?: boolean, isLogarithmic?: boolean, isPositive?: boolean,
 *   format?: (value: number) => string }} ChartSpec
 */

/** @type {Record<string, { name: string, about?: string, format?: (value: number | null) => string }>} */
const QUANTITIES = {
  iterations: { name: "Iterations" },
  nodes: { name: "Nodes", about: "candidates tried by the tree search" },
  cost: { name: "Cost", about: "violations in the current grid; 0 is a solution" },
  best_cost: { name: "Best cost", about: "lowest cost so far" },
  mean_cost: { name: "Mean cost", about: "mean over the population" },
  temperature: { name: "Temperature", about: "high: accepts worse grids easily; low: hardly ever" },
  acceptance: { name: "Accepted moves", about: "share of the moves tried at this temperature", format: formatPercent },
  best_value: { name: "Best value", about: "pheromone laid by the best ant; evaporates until an ant does better" },
  reheats: { name: "Reheats", about: "resets to the initial temperature" },
  restarts: { name: "Restarts" },
  perturbations: { name: "Perturbations" },
  depth: { name: "Search depth", about: "open decisions" },
  cells_fixed: { name: "Cells fixed", about: "given, deduced or decided" },
  learnt: { name: "Clauses", about: "learnt and kept" },
  conflicts: { name: "Conflicts", about: "dead ends so far" },
};

// Columns that count events; charts show each increase as a tick.
export const EVENTS = ["reheats", "restarts", "perturbations"];

// Columns that only grow with the steps are values, not charts.
const COUNTERS = new Set(["iterations", "nodes", ...EVENTS]);

/** @type {ChartSpec[]} */
const CHARTS = [
  { title: "Cost", columns: ["cost", "best_cost", "mean_cost"], startsAtZero: true },
  { title: "Temperature", columns: ["temperature"], isLogarithmic: true },
  { title: "Accepted moves", columns: ["acceptance"], startsAtZero: true, format: formatPercent },
  { title: "Best value", columns: ["best_value"], isPositive: true }, // 0 before the first ant and after a solution
  { title: "Search depth", columns: ["depth"], startsAtZero: true },
  { title: "Cells fixed", columns: ["cells_fixed"], startsAtZero: true },
  { title: "Learnt clauses and conflicts", columns: ["learnt", "conflicts"], startsAtZero: true },
];

/** @param {string} column */
export function nameOf(column) {
  const name = column.replaceAll("_", " ");
  return QUANTITIES[column]?.name ?? name.slice(0, 1).toUpperCase() + name.slice(1);
}

/** @param {string} column */
export function aboutOf(column) {
  return QUANTITIES[column]?.about ?? "";
}

/** @param {string} column @param {number | null} value */
export function formatValue(column, value) {
  return (QUANTITIES[column]?.format ?? formatNumber)(value);
}

/** @param {number | null | undefined} value */
export function formatNumber(value) {
  if (value === null || value === undefined) return "–";
  const isSmall = Math.abs(value) < 0.001 && value !== 0;
  if (isSmall) return value.toExponential(1).replace("-", "−").replace("e", "·10^");
  return (Number.isInteger(value) || Math.abs(value) >= 1000 ? plain : rounded).format(value).replace("-", "−");
}

/** @param {number | null | undefined} value */
export function formatPercent(value) {
  return value === null || value === undefined ? "–" : percent.format(value);
}

/** @param {number | null | undefined} seconds */
export function formatSeconds(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds >= 1) return `${rounded.format(seconds)} s`;
  return seconds >= 0.001 ? `${rounded.format(seconds * 1000)} ms` : `${rounded.format(seconds * 1e6)} µs`;
}

// The charts for these columns, in a fixed order.
/** @param {string[]} columns */
export function chartsFor(columns) {
  const present = new Set(columns);
  const charts = CHARTS.map((chart) => ({ ...chart, columns: chart.columns.filter((column) => present.has(column)) }));
  const known = new Set([...CHARTS.flatMap((chart) => chart.columns), ...COUNTERS]);
  const others = columns.filter((column) => !known.has(column));
  return [
    ...charts.filter((chart) => chart.columns.length),
    ...others.map((column) => ({ title: nameOf(column), columns: [column] })),
  ];
}
