"""Lewis 2007: the checks on our numbers for the random instances, and the printed rows of Table 1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from sudokulab.lab.power import (
    SIGNIFICANCE,
    DifferenceTest,
    Rate,
    compare_any_rate,
    compare_paired_rates,
    compare_paired_values,
    compare_rates,
    p_value_of_lower_rate,
    puzzle_pairs,
)
from sudokulab.papers.numbers import rate_of, share_of
from sudokulab.papers.reproduction import Findings

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "HYBRID",
    "LARGE",
    "SA",
    "FixedPoint",
    "Printed",
    "find_dip",
    "judge_fixed",
    "judge_growth",
    "judge_ranks",
    "judge_success",
    "judge_times",
    "paired_tests",
    "percent",
    "printed_rows",
    "rates_by_limit",
]

SA, HYBRID = "annealing", "cp-annealing"
LARGE = (4, 5)
"""The orders for which the paper reports a dip in the success rates."""
SMALLEST_DIP = 0.1
"""The paper prints no numbers for the dips; the smallest that stands out in a graph is about 10 points."""
_SLACK = 1e-9

Printed = dict[str, Any]


class FixedPoint(NamedTuple):
    """A point of Figure 2: means over the instances with one p."""

    p: float
    given: float
    """Share of cells given."""
    fixed: float
    """Share of cells fixed after CP, including the givens."""
    progress: float
    """Share of instances in which CP fixes a cell."""
    completed: float
    """Share of instances that CP completes."""


def judge_fixed(findings: Findings, curves: Mapping[int, Sequence[FixedPoint]], number: int, printed: Printed) -> None:
    """Check what the text says about Figure 2, on a number of instances per point."""
    from sudokulab.lab.statistics import success_rate

    low, high = printed["nothing_up_to"], printed["complete_from"]
    points = [point for curve in curves.values() for point in curve]
    gain = max(point.fixed - point.given for point in points if point.p <= low + _SLACK)
    findings.check(
        f"up to p = {low} CP fixes next to nothing: under 2 % of the cells ({100 * gain:.1f} %)", gain < 0.02
    )
    for order, curve in curves.items():
        least = min(point.completed for point in curve if point.p >= high - _SLACK)
        interval = success_rate(round(number * least), number)[1]
        findings.check(
            f"order {order}: from p = {high} CP nearly always completes the puzzle: at every p, the 95 % interval "
            f"reaches 90 % (at least {100 * least:.0f} %, interval to {100 * interval[1]:.0f} %)",
            interval[1] >= 0.9,
        )
    between = [point for point in points if low + _SLACK < point.p < high - _SLACK]
    completed, progress = (fmean(getattr(point, name) for point in between) for name in ("completed", "progress"))
    findings.check_shape(
        f"in between, CP often cannot complete the puzzle: at least a quarter remain ({100 * (1 - completed):.0f} %)",
        completed <= 0.75,
    )
    findings.check_shape(
        f"in between, CP usually fixes some cells: in over half of the puzzles ({100 * progress:.0f} %)", progress > 0.5
    )


def judge_success(findings: Findings, runs: pl.DataFrame, order: int, printed: Printed) -> None:
    """Check what the text says about the success rates of a graph of Figure 3."""
    if order not in LARGE:
        settings = printed["figure-3"]
        number = settings["num_instances"] * settings["num_runs"] * (round(1 / settings["step"]) + 1)
        for solver in (SA, HYBRID):
            findings.check_rate(f"{solver} solves everything", rate_of(runs.filter(solver=solver)), (number, number))
        return
    shown, test = find_dip(runs, printed)
    findings.check_difference(
        f"the success rate of {SA} dips in the centre: {shown}; power for a dip of 10 points at one p", test
    )
    transition = _transition(runs, printed)
    fewer, more = (rate_of(transition.filter(solver=solver)) for solver in (SA, HYBRID))
    findings.check_difference(
        f"throughout the phase transition, {HYBRID} has the higher success rate: {percent(more)}, {SA} "
        f"{percent(fewer)}; power for the rates in Table 1",
        compare_rates(fewer=fewer, more=more, expected=_printed_rates(printed, [order])),
    )
    for p, own in sorted(transition.partition_by("p", as_dict=True).items()):
        worse, better = (rate_of(own.filter(solver=solver)) for solver in (HYBRID, SA))
        if p_value_of_lower_rate(fewer=worse, more=better) < SIGNIFICANCE / transition["p"].n_unique():
            findings.check_shape(f"p = {p[0]}: {HYBRID} solves no fewer, {percent(worse)} to {percent(better)}", False)


def find_dip(runs: pl.DataFrame, printed: Printed) -> tuple[str, DifferenceTest]:
    """Test whether annealing has a lower success rate at some p in the centre than on both sides.

    Returns
    -------
    tuple
        The lowest rate and the rate on both sides, in words, and the test, corrected for the number of p.
    """
    annealing = runs.filter(solver=SA)
    sides = rate_of(_sides(annealing, printed))
    rates = {p[0]: rate_of(own) for p, own in _centre(annealing, printed).partition_by("p", as_dict=True).items()}
    lowest = min(rates, key=lambda p: share_of(rates[p]))
    test = compare_any_rate(fewer=[*rates.values()], more=sides, expected=(1 - SMALLEST_DIP, 1))
    return f"{percent(rates[lowest])} at p = {lowest}, {percent(sides)} on both sides", test


def rates_by_limit(runs: pl.DataFrame, limit: int, printed: Printed) -> list[list[float]]:
    """Return the success rates of both solvers in the centre and on both sides, for parts of the limit.

    The speed of the paper's program is an estimate; this shows what a slower one would have solved.
    """
    import polars as pl

    rows = []
    for part in (1, 0.5, 0.25, 0.125):
        in_time = runs.with_columns(pl.col("is_success") & (pl.col("stats_iterations") <= part * limit))
        row = [100 * part]
        for solver in (SA, HYBRID):
            for region in (_centre(in_time, printed), _sides(in_time, printed)):
                num_success, num_runs = rate_of(region.filter(solver=solver))
                row.append(num_success / num_runs)
        rows.append(row)
    return rows


def judge_growth(findings: Findings, smaller: pl.DataFrame, larger: pl.DataFrame, printed: Printed) -> None:
    """Check that the dip is deeper in the larger of two orders."""
    fewer, more = (rate_of(_centre(runs, printed).filter(solver=SA)) for runs in (larger, smaller))
    findings.check_difference(
        f"the dip is deeper than in the order below: {SA} solves {percent(fewer)} in the centre, {percent(more)} "
        "there; power for twice a dip of 10 points",
        compare_rates(fewer=fewer, more=more, expected=(1 - 2 * SMALLEST_DIP, 1 - SMALLEST_DIP)),
    )


def judge_times(findings: Findings, runs: pl.DataFrame, order: int, printed: Printed) -> None:
    """Check what the text says about the solution times of a graph of Figure 3, which cover the successful runs."""
    import polars as pl
    from scipy.stats import spearmanr

    solved = runs.filter("is_success")
    equal_up_to = printed["figure-3"]["equal_up_to"]
    means = {
        solver: solved.filter(solver=solver).group_by("p").agg(pl.col("seconds").mean()).sort("p")
        for solver in (SA, HYBRID)
    }
    low = means[SA].join(means[HYBRID], on="p", suffix="_hybrid").filter(pl.col("p") <= equal_up_to + _SLACK)
    if len(low):
        ratio = float(low["seconds_hybrid"].sum()) / float(low["seconds"].sum())
        findings.check(
            f"up to p = {equal_up_to} both need the same time within 25 % ({HYBRID} / {SA}: {ratio:.2f})",
            0.8 <= ratio <= 1.25,
        )
    first, last = printed["figure-3"]["shorter_between"]
    middle = solved.filter(pl.col("p").is_between(first - _SLACK, last + _SLACK))
    times = puzzle_pairs(middle.filter(solver=HYBRID), middle.filter(solver=SA), "seconds")
    claimed = _printed_ratio(printed)
    findings.check_difference(
        f"from p = {first} to {last}, {HYBRID} needs less time on the instances that both solve: "
        f"{_ratio_of_means(*times)}; power for {claimed:.2g}, the paper's median ratio in Table 1",
        compare_paired_values(*times, ratio=claimed),
    )
    if order in LARGE:
        return
    trends = {solver: float(spearmanr(table["p"], table["seconds"]).statistic) for solver, table in means.items()}
    shown = ", ".join(f"{solver} {trend:.2f}" for solver, trend in trends.items())
    findings.check_shape(
        f"the time generally falls with p: the rank correlation is below -0.8 ({shown})", max(trends.values()) < -0.8
    )


def paired_tests(runs: Iterable[pl.DataFrame], printed: Printed) -> dict[str, tuple[int, int, DifferenceTest]]:
    """Return the number of pairs, of differing pairs and the signed-rank test, by what is paired.

    Only runs in the phase transition are paired: elsewhere both solvers solve everything, and ties are dropped. The
    power is that for the mean difference in Table 1, around our rates of both solvers together at the p of each pair.
    """
    import polars as pl

    tests = {}
    table = pl.concat([_transition(one, printed) for one in runs], how="diagonal")
    orders = sorted({round(size**0.5) for size in table["size"]})
    few, many = _printed_rates(printed, orders)
    shift = (many - few) / 2
    table = table.with_columns(typical=pl.col("is_success").mean().over("instance_set"))
    for name, column in (("instances", "instance"), ("values of p", "instance_set")):
        rates = table.group_by(column).agg(
            pl.col("typical").first(),
            num_runs=pl.len() // 2,
            **{solver: pl.col("is_success").filter(solver=solver).mean() for solver in (SA, HYBRID)},
        )
        test = compare_paired_rates(
            rates[SA],
            rates[HYBRID],
            expected=((rates["typical"] - shift).clip(0, 1), (rates["typical"] + shift).clip(0, 1)),
            runs=rates["num_runs"],
        )
        tests[name] = (len(rates), int((rates[SA] != rates[HYBRID]).sum()), test)
    return tests


def judge_ranks(findings: Findings, tests: Mapping[str, tuple[int, int, DifferenceTest]]) -> None:
    """Check the significance of the higher success rates, in both readings of the paired test."""
    for name, (num_pairs, num_differing, test) in tests.items():
        findings.check_difference(
            f"orders 4 and 5, pairs of {name}: {HYBRID} has the higher success rate ({num_differing} of {num_pairs} "
            "pairs differ); power for the difference in Table 1",
            test,
        )


def printed_rows(printed: Printed) -> dict[str, dict[str, Any]]:
    """Return the rows of Table 1 as dictionaries."""
    table = printed["table-1"]
    return {name: dict(zip(table["columns"], row, strict=True)) for name, row in table["rows"].items()}


def _printed_rates(printed: Printed, orders: Sequence[int]) -> tuple[float, float]:
    """Return the mean success rates of annealing and the hybrid in Table 1 for some orders."""
    rows = [row for row in printed_rows(printed).values() if row["order"] in orders]
    return fmean(row["SA success"] for row in rows), fmean(row["hybrid success"] for row in rows)


def _printed_ratio(printed: Printed) -> float:
    """Return the median ratio of the times of annealing and the hybrid in Table 1."""
    rows = printed_rows(printed).values()
    return median(float(row["SA s"] / row["hybrid s"]) for row in rows if row["SA s"] == row["SA s"])


def _transition(runs: pl.DataFrame, printed: Printed) -> pl.DataFrame:
    """Return the runs with a p at which CP fixes some of the cells, according to the text on Figure 2."""
    import polars as pl

    low, high = printed["figure-2"]["nothing_up_to"], printed["figure-2"]["complete_from"]
    return runs.filter(pl.col("p") > low + _SLACK, pl.col("p") < high - _SLACK)


def _centre(runs: pl.DataFrame, printed: Printed) -> pl.DataFrame:
    """Return the runs in the middle third of the phase transition: p from 0.4 to 0.55."""
    import polars as pl

    low, high = printed["figure-2"]["nothing_up_to"], printed["figure-2"]["complete_from"]
    third = (high - low) / 3
    return runs.filter(pl.col("p").is_between(low + third, high - third))


def _sides(runs: pl.DataFrame, printed: Printed) -> pl.DataFrame:
    """Return the runs outside the phase transition."""
    return runs.join(_transition(runs, printed).select("p").unique(), on="p", how="anti")


def percent(rate: Rate) -> str:
    """Return a success rate as text, a dash without runs."""
    return f"{100 * rate[0] / rate[1]:.0f} %" if rate[1] else "–"


def _ratio_of_means(smaller: Sequence[float], larger: Sequence[float]) -> str:
    if not smaller:
        return "none"
    return f"{SA} / {HYBRID} = {fmean(larger) / fmean(smaller):.2g}"
