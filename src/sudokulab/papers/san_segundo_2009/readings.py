"""All readings of the search and of the generator behind Table 3, compared with the printed numbers.

Readings are ranked by the typical factor between our numbers and the printed ones, in which the three rows of the table
count alike: depth, backtracks and CPU time. Times are compared as ratios to the time of `Lv`.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from operator import le
from typing import TYPE_CHECKING, Any, NamedTuple

from sudokulab.instances import past_rules
from sudokulab.lab import SolverSpec
from sudokulab.papers.numbers import typical_factor
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import GraphSearch

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Row", "solver_readings", "table_3_closest", "table_3_readings"]

_INSTANCES: dict[str, dict[str, Any]] = {
    "first failure": {"stop": "failures", "failures": 1},
    "15 failures": {"stop": "failures", "failures": 15},
    "minimal": {"stop": "minimal"},
    "minimal and unique": {"stop": "unique"},
}
_COUNTS = {"line 9": "stats_backtracks", "all rejected": "stats_rejected"}
_DEPTHS = {"all": "stats_max_depth", "unforced": "stats_max_unforced"}
_CHOICES = {
    "refuted": ("last", "drop", "remove", "ties-first"),
    "tested": ("ties", "all"),
    "tied cells": ("first", "tested"),
    "branching": ("d-way", "two-way"),
    "Gmax": ("most edges", "highest density", "fewest edges"),  # what Gmax (without v) prefers; printed: most edges
}
_CLOSE = (1.5, 2, 2)  # the largest factors of depth, backtracks and time at which a reading reproduces the table
_NUM_SHOWN = 12
_FRESH_SEED = 10_000  # first seed of instances that had no part in the ranking


class Measured(NamedTuple):
    """Our numbers for a heuristic."""

    depth: float
    backtracks: float
    """Scaled to the paper's number of instances."""
    time: float
    """CPU time per instance, relative to that of `Lv`."""
    num_unsolved: int
    number: int
    """Of instances."""


@dataclass(frozen=True)
class Row:
    """A reading and its results, by heuristic in the paper's order."""

    reading: dict[str, str]
    results: list[Measured]
    factors: tuple[float, float, float]
    """The typical factors between our numbers and the printed ones: of depth, backtracks and time."""

    @property
    def factor(self) -> float:
        """The typical factor of all three."""
        return math.prod(self.factors) ** (1 / len(self.factors))


def table_3_readings(context: Context) -> Findings:
    """Run the product of all readings and rank them by the distance to the printed table."""
    heuristics: dict[str, list[float]] = context.printed["table-3"]["heuristics"]
    rows, max_nodes = _ranked(context), _max_nodes(context)
    findings = Findings(is_own=True, files={"san-segundo-readings.csv": _csv(rows, heuristics)})
    _add_rows(
        findings,
        f"The {_NUM_SHOWN} closest of {len(rows):,} readings, and the default, on {_shown_numbers(rows, heuristics)} "
        "instances per generator",
        heuristics,
        _closest(rows),
    )
    findings.notes.append(
        "For each heuristic: mean depth / backtracks, scaled to 500 instances / CPU time relative to `Lv`. ×/÷ is the "
        "typical factor between our numbers and the printed ones: the exponential of the mean absolute logarithm of "
        "the ratio. The three rows of the printed table count alike in the ranking. A total of 0 counts as one "
        "backtrack in our sample. A + marks totals in which some runs reached the limit of "
        f"{max_nodes['variable']:,} nodes ({max_nodes['grid']} without variable scope)."
    )
    close = [row for row in rows if all(map(le, row.factors, _CLOSE)) and _is_in_order(row)]
    findings.notes.append(
        f"Readings that reproduce Table 3 (depths up to a factor of {_CLOSE[0]}, backtracks and times up to a factor "
        f"of {_CLOSE[1]} on average, and the first five heuristics in the paper's order): {len(close)} of {len(rows)}"
        + "".join(f"; {', '.join(row.reading.values())}" for row in close[:_NUM_SHOWN])
        + ". The best of many readings on one sample is partly luck."
    )
    findings.notes.append("The complete product is [san-segundo-readings.csv](san-segundo-readings.csv).")
    return findings


def table_3_closest(context: Context) -> Findings:
    """Run the readings that come closest on instances that did not select them."""
    heuristics: dict[str, list[float]] = context.printed["table-3"]["heuristics"]
    rows = _ranked(context)
    chosen = [row.reading for row in _closest(rows)]
    labels = {reading["instances"] for reading in chosen}
    runs = _run(context, "table-3-closest", _FRESH_SEED, heuristics, chosen, labels)
    found = [*_rows(runs, context, chosen)]
    findings = Findings(is_own=True)
    shown = _shown_numbers(found, heuristics)
    title = f"The same readings, in the same order, on {shown} other instances per generator"
    _add_rows(findings, title, heuristics, found)
    findings.notes.append(
        "The best of many readings on one sample is partly luck. These instances had no part in the selection, so the "
        "factors of this table are unbiased."
    )
    return findings


def _numbers(context: Context) -> dict[str, int]:
    """Return the number of instances per generator, by scope of the heuristic."""
    full = context.printed["table-3"]["num_instances"]
    numbers: dict[str, int] = context.pick(
        smoke={"variable": 1, "grid": 1},
        quick={"variable": 40, "grid": 10},
        published={"variable": 60, "grid": 20},
        full={"variable": full, "grid": full},
    )
    return numbers


def _max_nodes(context: Context) -> dict[str, int]:
    """Return the node limits by scope of the heuristic: without variable scope, a node takes much longer."""
    limits = {"variable": 1000, "grid": 100}
    few = {"variable": 100, "grid": 10}
    nodes: dict[str, int] = context.pick(smoke=few, quick=limits, published=limits, full=limits)
    return nodes


def _scope(heuristic: str) -> str:
    return "variable" if "v" in heuristic else "grid"


def _shown_numbers(rows: Iterable[Row], heuristics: Iterable[str]) -> str:
    """Return the smallest number of instances, by scope of the heuristic."""
    least = {"variable": sys.maxsize, "grid": sys.maxsize}
    for row in rows:
        for name, result in zip(heuristics, row.results, strict=True):
            least[_scope(name)] = min(least[_scope(name)], result.number)
    return f"{least['variable']} ({least['grid']} for the last two heuristics)"


def _ranked(context: Context) -> list[Row]:
    """Run the product of all readings, and return the closest ones first."""
    heuristics: dict[str, list[float]] = context.printed["table-3"]["heuristics"]
    readings = [
        {"instances": instances, **reading, "backtracks": count, "depth": depth}
        for instances, count, depth, reading in product(_INSTANCES, _COUNTS, _DEPTHS, solver_readings())
    ]
    runs = _run(context, "table-3-readings", 0, heuristics, readings, set(_INSTANCES))
    return sorted(_rows(runs, context, readings), key=lambda row: row.factor)


def _add_rows(findings: Findings, title: str, heuristics: dict[str, list[float]], rows: Sequence[Row]) -> None:
    factors = [f"{name} ×/÷" for name in ("depths", "backtracks", "times")]
    columns = [*rows[0].reading, *factors, *(f"`{name}`" for name in heuristics)]
    times = _relative_times(heuristics)
    paper = [
        f"{depth:.1f} / {number:,} / {time:.1f}"
        for (depth, number, _), time in zip(heuristics.values(), times, strict=True)
    ]
    blanks = [""] * (len(columns) - len(paper) - 1)
    findings.add_table(title, columns, [["paper", *blanks, *paper], *map(_shown, rows)])


def _relative_times(heuristics: dict[str, list[float]]) -> list[float]:
    return [seconds / heuristics["Lv"][2] for *_, seconds in heuristics.values()]


def _run(
    context: Context,
    name: str,
    first_seed: int,
    heuristics: Iterable[str],
    readings: Iterable[dict[str, str]],
    labels: Collection[str],
) -> pl.DataFrame:
    """Run each heuristic in all readings between which it makes a difference, on the instances of some generators."""
    import polars as pl

    max_nodes, numbers = _max_nodes(context), _numbers(context)
    specs: dict[str, dict[str, SolverSpec]] = {scope: {} for scope in max_nodes}
    for heuristic, reading in product(heuristics, readings):
        label = _label(heuristic, reading)
        specs[_scope(heuristic)][label] = SolverSpec(
            name="graph-search", label=label, params=_params(heuristic, reading)
        )
    tables = []
    for scope, nodes in max_nodes.items():
        seeds = range(first_seed, first_seed + numbers[scope])
        sets = {label: partial(_instances, label, seeds) for label in _INSTANCES if label in labels}
        solvers = list(specs[scope].values())
        tables.append(context.run(f"{name}-{scope}", sets, solvers, are_alternatives=True, nodes=nodes))
    return pl.concat(tables, how="diagonal")


def _instances(label: str, seeds: Iterable[int]) -> list[Puzzle]:
    return [past_rules(16, seed=seed, **_INSTANCES[label]) for seed in seeds]


def _params(heuristic: str, reading: dict[str, str]) -> dict[str, str]:
    is_reversed = reading["Gmax"] == "fewest edges"
    return {
        "heuristic": heuristic.replace("Gmax", "Gmin") if is_reversed else heuristic,  # leaves Gvmax as it is
        "refuted": reading["refuted"],
        "tested": reading["tested"],
        "tied_cells": reading["tied cells"],
        "branching": reading["branching"],
        "invariant": "density" if reading["Gmax"] == "highest density" else "edges",
    }


def solver_readings() -> Iterator[dict[str, str]]:
    """Yield all combinations of the points about the search that the paper leaves open."""
    for chosen in product(*_CHOICES.values()):
        yield dict(zip(_CHOICES, chosen, strict=True))


def _label(heuristic: str, reading: dict[str, str]) -> str:
    """Return the same label for readings between which a heuristic makes no difference."""
    has_variable, has_rules, has_graph = "v" in heuristic, "r1r2" in heuristic, "G" in heuristic
    matters = {
        "refuted": has_rules,
        "tested": has_rules and not has_variable,  # the values of a cell are always tied before r1r2
        "tied cells": has_rules and has_variable,
        "branching": has_variable,
        "Gmax": has_graph,
    }
    return " ".join([heuristic, *(value for name, value in reading.items() if matters.get(name))])


def _rows(runs: pl.DataFrame, context: Context, readings: Iterable[dict[str, str]]) -> Iterator[Row]:
    import polars as pl

    printed = context.printed["table-3"]
    heuristics: dict[str, list[float]] = printed["heuristics"]
    depths = [depth for depth, *_ in heuristics.values()]
    backtracks = [number for _, number, _ in heuristics.values()]
    times = _relative_times(heuristics)
    names = (*_DEPTHS.values(), *_COUNTS.values(), "cpu_seconds")
    means = runs.group_by("instance_set", "solver").agg(
        *(pl.col(name).mean() for name in names), num_unsolved=(pl.col("outcome") != "solved").sum(), number=pl.len()
    )
    found = {(row["instance_set"], row["solver"]): row for row in means.to_dicts()}
    for reading in readings:
        own = [found[reading["instances"], _label(name, reading)] for name in heuristics]
        lexicographic = own[[*heuristics].index("Lv")]["cpu_seconds"]
        results = [
            Measured(
                row[_DEPTHS[reading["depth"]]],
                printed["num_instances"] * row[_COUNTS[reading["backtracks"]]],
                row["cpu_seconds"] / lexicographic,
                row["num_unsolved"],
                row["number"],
            )
            for row in own
        ]
        one_decision = [1 / one.number for one in results]
        one_backtrack = [printed["num_instances"] / one.number for one in results]
        factors = (
            typical_factor([one.depth for one in results], depths, one_decision),
            typical_factor([one.backtracks for one in results], backtracks, one_backtrack),
            typical_factor([one.time for one in results], times, [0.0] * len(times)),
        )
        yield Row(reading, results, factors)


def _closest(rows: list[Row]) -> list[Row]:
    """Return the readings to show: the first ones, and the default wherever it is."""
    return rows[:_NUM_SHOWN] + [row for row in rows[_NUM_SHOWN:] if _is_default(row)]


def _is_default(row: Row) -> bool:
    solver = GraphSearch()
    defaults = {
        "instances": "15 failures",
        "refuted": solver.refuted,
        "tested": solver.tested,
        "tied cells": solver.tied_cells,
        "branching": solver.branching,
        "Gmax": "highest density",
        "backtracks": "all rejected",
        "depth": "all",
    }
    return row.reading == defaults


def _is_in_order(row: Row) -> bool:
    """Return whether the first five heuristics need ever fewer backtracks; the paper's last two hardly differ."""
    totals = [result.backtracks for result in row.results]
    return totals[:5] == sorted(totals[:5], reverse=True)


def _shown(row: Row) -> list[object]:
    results = (
        f"{one.depth:.1f} / {one.backtracks:,.0f}{'+' if one.num_unsolved else ''} / {one.time:.1f}"
        for one in row.results
    )
    return [*row.reading.values(), *row.factors, *results]


def _csv(rows: list[Row], heuristics: dict[str, list[float]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = [f"{name}: {kind}" for name in heuristics for kind in Measured._fields]
    writer.writerow([*rows[0].reading, "depth factor", "backtrack factor", "time factor", *names])
    for row in rows:
        numbers = [f"{value:.4g}" for result in row.results for value in result]
        writer.writerow([*row.reading.values(), *(f"{factor:.3f}" for factor in row.factors), *numbers])
    return stream.getvalue()
