"""Lewis 2007: the checks on our numbers for the figures, the test and the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, NamedTuple

from sudokulab.lab.power import (
    MIN_POWER,
    SIGNIFICANCE,
    DifferenceTest,
    compare_paired_rates,
    compare_pairs,
    compare_rates,
    compare_with_rate,
    p_value_of_lower_rate,
    puzzle_pairs,
)
from sudokulab.papers.reproduction import Findings

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "HYBRID",
    "LARGE",
    "SA",
    "SMALLEST_DIP",
    "FixedPoint",
    "SetResult",
    "SolverResult",
    "judge_fixed",
    "judge_growth",
    "judge_published",
    "judge_ranks",
    "judge_success",
    "judge_times",
    "paired_tests",
    "printed_rows",
    "rates_by_limit",
]

SA, HYBRID = "annealing", "cp-annealing"
LARGE = (4, 5)
"""The orders for which the paper reports a dip in the success rates."""
SMALLEST_DIP = 0.1
"""The paper prints no numbers for the dips; the smallest that stands out in a graph is about 10 points."""
_FEWEST_TIMES = 5
_LEAST_RATE = 0.1
"""Mean times are compared if both solvers solve this many runs and this share of them.

The paper ascribes the two longer times of the hybrid to success rates below 5 %.
"""
_SLACK = 1e-9

Printed = dict[str, Any]
Rate = tuple[int, int]


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


def judge_fixed(findings: Findings, curves: Mapping[int, Sequence[FixedPoint]], printed: Printed) -> None:
    """Check what the text says about Figure 2."""
    low, high = printed["nothing_up_to"], printed["complete_from"]
    points = [point for curve in curves.values() for point in curve]
    gain = max(point.fixed - point.given for point in points if point.p <= low + _SLACK)
    findings.check(
        f"up to p = {low} CP fixes next to nothing: under 2 % of the cells ({100 * gain:.1f} %)", gain < 0.02
    )
    for order, curve in curves.items():
        least = min(point.completed for point in curve if point.p >= high - _SLACK)
        findings.check(
            f"order {order}: from p = {high} CP nearly always completes the puzzle: over 90 % at every p "
            f"(at least {100 * least:.0f} %)",
            least > 0.9,
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
            findings.check_rate(f"{solver} solves everything", _rate(runs.filter(solver=solver)), (number, number))
        return
    centre, sides = _centre(runs, printed), _sides(runs, printed)
    findings.check_difference(
        f"the success rate of {SA} dips in the centre: {_percent(_rate(centre.filter(solver=SA)))}, "
        f"{_percent(_rate(sides.filter(solver=SA)))} on both sides; power for a dip of 10 points",
        compare_rates(
            fewer=_rate(centre.filter(solver=SA)), more=_rate(sides.filter(solver=SA)), expected=(1 - SMALLEST_DIP, 1)
        ),
    )
    fewer, more = (_rate(_transition(runs, printed).filter(solver=solver)) for solver in (SA, HYBRID))
    findings.check_difference(
        f"throughout the phase transition, {HYBRID} has the higher success rate: {_percent(more)}, {SA} "
        f"{_percent(fewer)}; power for the rates in Table 1",
        compare_rates(fewer=fewer, more=more, expected=_printed_rates(printed, [order])),
    )


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
                num_success, num_runs = _rate(region.filter(solver=solver))
                row.append(num_success / num_runs)
        rows.append(row)
    return rows


def judge_growth(findings: Findings, smaller: pl.DataFrame, larger: pl.DataFrame, printed: Printed) -> None:
    """Check that the dip is deeper in the larger of two orders."""
    fewer, more = (_rate(_centre(runs, printed).filter(solver=SA)) for runs in (larger, smaller))
    findings.check_difference(
        f"the dip is deeper than in the order below: {SA} solves {_percent(fewer)} in the centre, {_percent(more)} "
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
        compare_pairs(*times, ratio=claimed),
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
            num_runs=pl.len() / 2,
            **{solver: pl.col("is_success").filter(solver=solver).mean() for solver in (SA, HYBRID)},
        )
        test = compare_paired_rates(
            rates[SA],
            rates[HYBRID],
            expected=((rates["typical"] - shift).clip(0, 1), (rates["typical"] + shift).clip(0, 1)),
            runs=round(float(rates["num_runs"].median() or 1)),  # type: ignore[arg-type]
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


class SolverResult(NamedTuple):
    """The runs of a solver on a set of Table 1."""

    num_success: int
    num_runs: int
    seconds: float | None
    """Mean of the successful runs."""
    deviation: float | None
    moves: float | None

    @property
    def rate(self) -> Rate:
        """Successes and runs."""
        return self.num_success, self.num_runs


class SetResult(NamedTuple):
    """Our numbers for a row of Table 1."""

    fixed: float
    fixed_by_cp: float
    completed_by_cp: float
    annealing: SolverResult
    hybrid: SolverResult

    @property
    def ratio(self) -> float | None:
        """Ratio of the mean times, annealing to hybrid; None with too few successful runs."""
        for result in (self.annealing, self.hybrid):
            if result.num_success < max(_FEWEST_TIMES, _LEAST_RATE * result.num_runs):
                return None
        assert self.annealing.seconds is not None
        assert self.hybrid.seconds is not None
        return self.annealing.seconds / self.hybrid.seconds


def judge_published(findings: Findings, found: Mapping[str, SetResult], printed: Printed) -> None:
    """Check Table 1, row by row and as described in the text."""
    paper = printed_rows(printed)
    for name, ours in found.items():
        theirs = paper[name]
        number = theirs["instances"] * printed["table-1"]["num_runs"]
        for solver, key, result in ((SA, "SA success", ours.annealing), (HYBRID, "hybrid success", ours.hybrid)):
            findings.check_rate(f"{name}: success rate of {solver}", result.rate, (round(theirs[key] * number), number))
        if ours.ratio is not None and theirs["SA s"] == theirs["SA s"]:
            claimed = theirs["SA s"] / theirs["hybrid s"]
            findings.check(
                f"{name}: ratio of times, {SA} to {HYBRID}, within a factor of 2 (paper {claimed:.3g}, "
                f"ours {ours.ratio:.3g})",
                0.5 <= ours.ratio / claimed <= 2,
            )
    worse = _significantly_worse(found)
    findings.check_shape(
        f"on no set does {HYBRID} solve significantly fewer than {SA} (with Holm's correction)"
        f"{': ' if worse else ''}{', '.join(worse)}",
        not worse,
    )
    small = [
        name
        for name, ours in found.items()
        if compare_with_rate(ours.hybrid.rate, ours.annealing.rate).power < MIN_POWER
    ]
    if small:
        findings.notes.append(
            f"These sets have too few runs to show that {HYBRID} solves 20 points fewer than {SA} (power below "
            f"{100 * MIN_POWER:.0f} %): {'; '.join(small)}."
        )
    expected = tuple(
        sum(paper[name][key] * ours.annealing.num_runs for name, ours in found.items())
        / sum(ours.annealing.num_runs for ours in found.values())
        for key in ("SA success", "hybrid success")
    )
    fewer, more = _total(found.values(), lambda row: row.annealing), _total(found.values(), lambda row: row.hybrid)
    findings.check_difference(
        f"over all sets, {HYBRID} has the higher success rate: {_percent(more)}, {SA} {_percent(fewer)}",
        compare_rates(fewer=fewer, more=more, expected=(expected[0], expected[1])),
    )
    timed = {name: ours.ratio for name, ours in found.items() if ours.ratio is not None}
    longer = [name for name, ratio in timed.items() if ratio <= 1]
    findings.check_shape(
        f"where both solve at least {100 * _LEAST_RATE:.0f} %, {HYBRID} needs less time "
        f"({len(timed) - len(longer)} of {len(timed)} sets)",
        not longer,
    )
    _judge_orders(findings, found, paper)
    if "17 givens" in found:
        ours_17, theirs_17 = found["17 givens"], paper["17 givens"]
        findings.check(
            f"17 givens: CP fixes the paper's share of {theirs_17['fixed by CP']:.2f} within 0.02 "
            f"(ours: {ours_17.fixed_by_cp:.2f})",
            abs(ours_17.fixed_by_cp - theirs_17["fixed by CP"]) <= 0.02,
        )


def _significantly_worse(found: Mapping[str, SetResult]) -> list[str]:
    """Return the sets on which the hybrid solves significantly fewer, with Holm's correction for several tests."""
    p_values = {
        name: p_value_of_lower_rate(fewer=ours.hybrid.rate, more=ours.annealing.rate) for name, ours in found.items()
    }
    worse: list[str] = []
    for name in sorted(p_values, key=lambda name: p_values[name]):
        if p_values[name] * (len(p_values) - len(worse)) >= SIGNIFICANCE:
            break
        worse.append(name)
    return worse


def _judge_orders(findings: Findings, found: Mapping[str, SetResult], paper: Mapping[str, dict[str, Any]]) -> None:
    """Compare sets with each other; the paper calls the superhard puzzles of order 4 an anomaly."""

    def compare(statement: str, hard: Callable[[str], bool], easy: Callable[[str], bool]) -> None:
        sets = [[name for name in found if chosen(name)] for chosen in (hard, easy)]
        if not all(sets):
            return
        few, many = (_total((found[name] for name in names), lambda row: row.annealing) for names in sets)
        rates = [fmean(paper[name]["SA success"] for name in names) for names in sets]
        findings.check_difference(
            f"{statement}: {SA} solves {_percent(few)} instead of {_percent(many)}",
            compare_rates(fewer=few, more=many, expected=(rates[0], rates[1])),
        )

    def is_common(name: str) -> bool:
        return paper[name]["order"] == 3 and name != "17 givens"

    compare(
        "orders 4 and 5 are harder than order 3, except for superhard puzzles",
        lambda name: paper[name]["order"] in LARGE and "superhard" not in name,
        is_common,
    )
    compare("of the order-3 puzzles, those with 17 givens are the hardest", lambda name: name == "17 givens", is_common)


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


def _rate(runs: pl.DataFrame) -> Rate:
    return int(runs["is_success"].sum()), len(runs)


def _total(rows: Iterable[SetResult], solver: Callable[[SetResult], SolverResult]) -> Rate:
    results = [solver(row) for row in rows]
    return sum(result.num_success for result in results), sum(result.num_runs for result in results)


def _percent(rate: Rate) -> str:
    return f"{100 * rate[0] / rate[1]:.0f} %" if rate[1] else "–"


def _ratio_of_means(smaller: Sequence[float], larger: Sequence[float]) -> str:
    if not smaller:
        return "none"
    return f"{SA} / {HYBRID} = {fmean(larger) / fmean(smaller):.2g}"
