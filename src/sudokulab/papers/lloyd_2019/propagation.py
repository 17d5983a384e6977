"""The initial propagation: the value sets of the puzzle of Figure 1 (Figure 3), and of random instances (Figure 8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from sudokulab.formats import parse
from sudokulab.lab.plots import name_curves, plot_paper_values
from sudokulab.logic.steps import deduce
from sudokulab.papers.lloyd_2019.common import MOST_SOLUTIONS, SIZES, instances_of, is_solved, origin_note, value_sets
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.solvers import Dlx

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["figure_3", "figure_8", "judge_figure_8"]

_PROPAGATIONS = {"peers": "the paper's propagation", "singles": "propagation to the fixed point"}


def figure_3(context: Context) -> Findings:
    """Compare the value sets after the initial propagation of the puzzle of Figure 1, cell by cell."""
    printed = context.printed["figure-3"]
    puzzle = parse("".join(printed["puzzle"]))
    theirs = [cell for line in printed["value_sets"] for cell in line.split()]
    ours = _texts(value_sets(puzzle))
    fixed_point = _texts(deduce(puzzle, "NS,HS").candidates)
    findings = Findings()
    findings.add_table(
        "Cells whose value set is the printed one",
        ["propagation", "cells of 81"],
        [
            ["the paper's", sum(a == b for a, b in zip(ours, theirs, strict=True))],
            ["to the fixed point (not judged)", sum(a == b for a, b in zip(fixed_point, theirs, strict=True))],
        ],
    )
    findings.check("the value sets of all 81 cells are the printed ones", ours == theirs)
    num_solutions = Dlx().count(puzzle, MOST_SOLUTIONS)
    if num_solutions != 1:
        findings.add_error(
            f"Figure 1 shows a puzzle and *its solution*; the puzzle has {num_solutions} solutions. The printed grid "
            "is one of them."
        )
    findings.add_error("Section 3 speaks of the sizes 16×15 and 25×25; the former is a slip for 16×16.")
    return findings


def _texts(sets: NDArray[np.bool_]) -> list[str]:
    """Return the values of each cell as a string of digits, in reading order."""
    return ["".join(str(digit + 1) for digit in np.flatnonzero(cell)) for cell in sets.reshape(-1, sets.shape[-1])]


def figure_8(context: Context) -> Findings:
    """Count the instances that propagation alone solves, and the values it leaves per cell."""
    every = context.printed["general"]["num_instances"]
    number = context.pick(smoke=10, quick=every, published=every, full=every)
    percentages = context.printed["general"]["percentages"]
    puzzles = [partial(instances_of, context, size, percent, number) for size in SIZES for percent in percentages]
    rows = context.measure(
        "figure-8", partial(_propagate, context, percentages, number), lambda: [one for own in puzzles for one in own()]
    )
    columns = ["propagation", "size", "percent", "trivial", "set_size"]
    findings = judge_figure_8(context, pl.DataFrame(rows, columns, orient="row"))
    findings.notes.append(origin_note(context))
    return findings


def _propagate(context: Context, percentages: Sequence[int], number: int) -> list[tuple[str, int, int, float, float]]:
    """Return the share of trivial instances and the mean set size by propagation, size and percentage."""
    rows = []
    for size in SIZES:
        for percent in percentages:
            puzzles = instances_of(context, size, percent, number)
            for propagation, sets in (
                ("peers", [value_sets(puzzle) for puzzle in puzzles]),
                ("singles", [deduce(puzzle, "NS,HS").candidates for puzzle in puzzles]),
            ):
                trivial = 100 * float(np.mean([is_solved(one) for one in sets]))
                set_size = float(np.mean([one.sum() / size**2 for one in sets]))
                rows.append((propagation, size, percent, trivial, set_size))
    return rows


def judge_figure_8(context: Context, table: pl.DataFrame) -> Findings:
    """Compare the shares of trivial instances and the set sizes with the paper's.

    Parameters
    ----------
    context
        Effort and printed numbers.
    table
        Percentage of trivial instances and mean number of values left per cell, by propagation, size and percentage.
    """
    printed = context.printed["figure-8"]
    findings = Findings()
    for propagation, title in _PROPAGATIONS.items():
        _add_sets(findings, f"After {title}", table.filter(propagation=propagation))
    table, fixed_point = table.filter(propagation="peers"), table.filter(propagation="singles")
    slack = context.pick(smoke=20, quick=5, published=5, full=5)
    drop, far = context.pick(smoke=(40, 0.3), quick=(15, 0.1), published=(15, 0.1), full=(15, 0.1))
    comparison: list[Sequence[object]] = []
    for size in SIZES:
        mine = table.filter(size=size).sort("percent")
        first = printed["first_trivial_percentage"][str(size)]
        ours, others = _first_trivial(mine), _first_trivial(fixed_point.filter(size=size))
        comparison.append([f"{size}×{size}: first trivial instances, fixed %", first, ours, others])
        findings.check(
            f"the first trivial {size}×{size} instances appear at {first} % ± {slack} (ours: {ours} %)",
            ours is not None and abs(ours - first) <= slack,
        )
        least = float(mine["trivial"].diff().min() or 0)  # type: ignore[arg-type]
        findings.check_shape(
            f"{size}×{size}: the share of trivial instances rises with the percentage (tolerance {drop} points)",
            least >= -drop,
        )
        most = float(mine["set_size"].diff().max() or 0)  # type: ignore[arg-type]
        findings.check_shape(f"{size}×{size}: the value sets shrink with the percentage (tolerance 0.02)", most <= 0.02)
        dense = mine.filter(pl.col("percent") >= 80)["trivial"]
        findings.check_shape(f"{size}×{size}: from 80 % most instances are trivial", (dense > 50).all())
    left, left_there = (one.filter(size=25, percent=45)["set_size"][0] for one in (table, fixed_point))
    said = printed["mean_set_size"]
    comparison.append(["25×25, 45 %: values per cell", said, left, left_there])
    findings.add_table("Comparison with the paper", ["", "paper", "ours", "ours, singles"], comparison)
    findings.check(f"25×25 at 45 %: {said} ± {far} values per cell (ours: {left:.2f})", abs(left - said) <= far)
    none = [
        (percent, 0.0)
        for percent in context.printed["general"]["percentages"]
        if percent < min(printed["first_trivial_percentage"].values())
    ]
    findings.figures["trivial"] = partial(_draw, table, "trivial", "trivial instances (%)", none)
    findings.figures["sets"] = partial(_draw, table, "set_size", "mean number of values in a cell", [(45, said)])
    findings.notes.append(
        "A fixed cell counts as a set of one value; only then does the mean set size match the paper's."
    )
    return findings


def _add_sets(findings: Findings, title: str, table: pl.DataFrame) -> None:
    """Add a table of the trivial instances and the set sizes by percentage."""
    columns = ["fixed %", *(f"{size}×{size}, {what}" for size in SIZES for what in ("trivial %", "values per cell"))]
    sizes = [table.filter(size=size).sort("percent") for size in SIZES]
    lines = zip(*(mine.select("trivial", "set_size").rows() for mine in sizes), strict=True)
    rows = [
        [percent, *(x for pair in line for x in pair)] for percent, line in zip(sizes[0]["percent"], lines, strict=True)
    ]
    findings.add_table(title, columns, rows)


def _first_trivial(table: pl.DataFrame) -> int | None:
    return next(iter(table.filter(pl.col("trivial") > 0)["percent"].sort()), None)


def _draw(table: pl.DataFrame, column: str, label: str, paper: Sequence[tuple[float, float]], ax: Axes) -> None:
    for size, marker, color in zip(SIZES, "o^D", ("#0072B2", "#E69F00", "#009E73"), strict=True):
        mine = table.filter(size=size).sort("percent")
        ax.plot(mine["percent"], mine[column], marker=marker, color=color, label=f"{size}×{size}")
    ax.set_xlabel("fixed cells (%)")
    ax.set_ylabel(label)
    ax.grid(alpha=0.3)
    name_curves(ax)
    percentages, values = zip(*paper, strict=True)
    plot_paper_values(ax, percentages, values)
