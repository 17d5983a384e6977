"""Lewis 2007: the checks on our numbers for the figures, the test and the table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sudokulab.papers.reproduction import Findings

__all__ = [
    "HYBRID",
    "SA",
    "Curves",
    "FixedCurves",
    "judge_curves",
    "judge_fixed",
    "judge_published",
    "judge_ranks",
    "mean",
]

SA, HYBRID = "annealing", "cp-annealing"
FixedCurves = dict[int, list[tuple[float, float, float]]]
"""For each order: p, share of given cells, share of fixed cells."""
Curves = dict[str, dict[float, dict[str, Any]]]
"""Rows of `success_by`, by solver and p."""
_SLACK = 1e-9


def judge_fixed(findings: Findings, curves: FixedCurves, printed: dict[str, Any]) -> None:
    """Check what the text says about Figure 2."""
    low, high = printed["nothing_up_to"], printed["complete_from"]
    points = [point for curve in curves.values() for point in curve]
    gain = max(fixed - given for p, given, fixed in points if p <= low + _SLACK)
    findings.check(f"up to p = {low} CP fixes almost nothing: under 2 % of the cells ({100 * gain:.1f} %)", gain < 0.02)
    least = min(fixed for p, _, fixed in points if p >= high - _SLACK)
    findings.check(f"from p = {high} CP fixes almost everything: over 98 % ({100 * least:.1f} %)", least > 0.98)
    middle = min(fixed - given for p, given, fixed in points if low + 0.1 + _SLACK < p < high)
    findings.check_shape(
        f"in between, above p = {low + 0.1:g}, CP fixes some cells (at least {100 * middle:.1f} %)", middle > 0
    )
    rises = all(a[2] <= b[2] + 0.02 for curve in curves.values() for a, b in pairwise(curve))
    findings.check_shape("the share of fixed cells rises with p", rises)


def judge_curves(
    findings: Findings,
    curves: Curves,
    order: int,
    printed: dict[str, Any],
    *,
    is_smoke: bool = False,
) -> None:
    """Check what the text says about a graph of Figure 3; a smoke run shows at best one side of the dip."""
    first, last = printed["shorter_between"]
    fractions = list(curves[SA])
    middle = [p for p in fractions if first - _SLACK <= p <= last + _SLACK]
    if order == 3:
        least = min(row["success_rate"] for curve in curves.values() for row in curve.values())
        findings.check(f"both solvers solve everything (lowest rate: {100 * least:.1f} %)", least == 1)
    else:
        # the limit of a smoke run is too short for nearly blank grids
        ends = [p for p in fractions if p > last or (p < first and not is_smoke)]
        sides = "to its right" if is_smoke else "on both sides"
        dip = min(curves[SA][p]["success_rate"] for p in ends) - min(curves[SA][p]["success_rate"] for p in middle)
        findings.check_shape(
            f"the success rate of {SA} dips in the middle: it is lower than {sides} (by {100 * dip:.0f} points"
            f"{'; with so few runs 0 is enough' if is_smoke else ''})",
            dip >= 0 if is_smoke else dip > 0,
        )
    worse = [p for p in fractions if _is_worse(curves[HYBRID][p], curves[SA][p])]
    findings.check_shape(
        f"at no p does {HYBRID} solve fewer than {SA} (disjoint 95 % intervals: {len(worse)} of {len(fractions)})",
        not worse,
    )
    more = [sum(curves[solver][p]["num_success"] for p in middle) for solver in (HYBRID, SA)]
    findings.check_shape(
        f"from p = {first} to {last}, {HYBRID} solves at least as many ({more[0]}; {SA} {more[1]})", more[0] >= more[1]
    )
    _judge_times(findings, curves, middle, printed["equal_up_to"], order)


def _judge_times(
    findings: Findings,
    curves: Curves,
    middle: Sequence[float],
    equal_up_to: float,
    order: int,
) -> None:
    times = {solver: {p: row["mean_seconds"] for p, row in curve.items()} for solver, curve in curves.items()}
    both = [p for p in times[SA] if times[SA][p] is not None and times[HYBRID][p] is not None]
    compared = [p for p in both if p in middle]
    if compared:
        sums = [sum(times[solver][p] for p in compared) for solver in (HYBRID, SA)]
        num_shorter = sum(times[HYBRID][p] < times[SA][p] for p in compared)
        findings.check_shape(
            f"in the middle, where both solve some, {HYBRID} needs less time (at {num_shorter} of {len(compared)} "
            f"values of p; sum of means {sums[0]:.3g} s, {SA} {sums[1]:.3g} s)",
            sums[0] < sums[1],
        )
    else:
        findings.notes.append("At no p in the middle do both solvers succeed, so times cannot be compared there.")
    low = [p for p in both if p <= equal_up_to + _SLACK]
    if low:
        ratio = sum(times[HYBRID][p] for p in low) / sum(times[SA][p] for p in low)
        findings.check(
            f"up to p = {equal_up_to} both need the same time within 25 % ({HYBRID} / {SA}: {ratio:.2f})",
            0.75 <= ratio <= 1.25,
        )
    if order == 3 and len(both) > 1:
        falls = all(times[solver][both[0]] > times[solver][both[-1]] for solver in times)
        findings.check_shape(f"both need longer at p = {both[0]} than at p = {both[-1]}", falls)


def _is_worse(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["success_high"] < other["success_low"])


def judge_ranks(findings: Findings, rows: dict[str, list[Any]], level: float, *, is_smoke: bool = False) -> None:
    """Judge the test; each row has the numbers of instances and differing ones, three p-values and the better solver.

    The second p-value counts. A smoke run has too few instances for significance, so it passes unless the hybrid is
    significantly worse.
    """
    for name, (_, num_differ, *_, better) in rows.items():
        if name in ("order 4", "order 5", "all"):
            statement = f"{name}: {HYBRID} has the better ranks, or no instance differs ({num_differ} differing)"
            findings.check_shape(statement, better in (HYBRID, None))
    _, num_differ, _, p_value, _, better = rows["all"]
    found = f"(p = {p_value:.2g}; {num_differ} differing instances, at least six are needed)"
    if is_smoke:
        is_worse = better == SA and p_value < level
        findings.check(f"overall, its success rate is not significantly lower, p < {level:.2g} {found}", not is_worse)
    else:
        is_better = better == HYBRID and p_value < level
        findings.check(f"overall, its success rate is significantly higher, p < {level:.2g} {found}", is_better)


def judge_published(findings: Findings, found: dict[str, dict[str, Any]], paper: dict[str, dict[str, Any]]) -> None:
    """Judge Table 1 from the printed rows and ours, which include the summaries of both solvers."""
    worse = [name for name, row in found.items() if _is_worse(row["hybrid"], row["SA"])]
    findings.check_shape(
        f"on no set does {HYBRID} solve fewer than {SA} (disjoint 95 % "
        f"intervals{': ' if worse else ''}{', '.join(worse)})",
        not worse,
    )
    timed = [row for row in found.values() if row["SA s"] is not None and row["hybrid s"] is not None]
    num_shorter = sum(row["hybrid s"] < row["SA s"] for row in timed)
    findings.check_shape(
        f"where both solve some, {HYBRID} usually needs less time ({num_shorter} of {len(timed)} sets)",
        2 * num_shorter > len(timed),
    )
    by_order = [
        mean(
            [row["SA success"] for name, row in found.items() if paper[name]["order"] == order and name != "17 givens"]
        )
        for order in (3, 4, 5)
    ]
    findings.check_shape(
        f"the success rate of {SA} falls with the order ({', '.join(f'{100 * rate:.0f} %' for rate in by_order)})",
        by_order[0] > by_order[2] and by_order == sorted(by_order, reverse=True),
    )
    if "17 givens" not in found:
        return
    ours, theirs = found["17 givens"], paper["17 givens"]
    least = min(row["SA success"] for name, row in found.items() if paper[name]["order"] == 3)
    findings.check_shape(
        f"of the order-3 puzzles, those with 17 givens are the hardest for {SA}", ours["SA success"] <= least
    )
    off = abs(ours["fixed by CP"] - theirs["fixed by CP"])
    findings.check(
        f"with 17 givens, CP fixes the paper's share of {theirs['fixed by CP']:.2f} within 0.02 "
        f"(ours: {ours['fixed by CP']:.2f})",
        off <= 0.02,
    )
    off = abs(ours["hybrid success"] - theirs["hybrid success"])
    findings.check(
        f"with 17 givens, {HYBRID} has the paper's success rate of {theirs['hybrid success']:.2f} within 0.1 "
        f"(ours: {ours['hybrid success']:.2f})",
        off <= 0.1,
    )


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return sum(values) / len(values)
