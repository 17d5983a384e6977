"""What a table of runs says: rates, times, intervals and tests.

`runs` is everywhere a frame with a row for each run and the columns ``solver``, ``instance``, ``run``, ``is_success``
(an answer within the budget, verified), ``seconds`` (CPU time used, by failed runs as well) and ``budget_seconds``
(null if unlimited). A failed run counts as twice its budget (PAR-2); without a budget it costs infinitely much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
import scipy.stats
from numpy.typing import ArrayLike, NDArray

from sudokulab.errors import SudokulabError

__all__ = [
    "SHORTEST_SECONDS",
    "Friedman",
    "Interval",
    "Measure",
    "as_text",
    "cactus",
    "checked_runs",
    "compare_pairs",
    "ecdf",
    "expected_running_time",
    "friedman",
    "holm",
    "median_seconds",
    "par2",
    "penalised_seconds",
    "performance_profile",
    "success_by",
    "success_rate",
    "summary",
]

Measure = Literal["par2", "success"]
Test = Literal["wilcoxon", "mann-whitney"]
Floats = NDArray[np.float64]

SHORTEST_SECONDS = 1e-6
"""What a clock can tell; a run that reads 0 seconds counts as this where a ratio or a logarithm is taken."""
_COUNTS = ("num_runs", "num_success")
_RATES = ("success_rate", "success_low", "success_high")
_TIMES = ("median_seconds", "median_low", "median_high", "mean_seconds", "par2", "expected_seconds")
_NUM_RESAMPLES = 2000
_BATCH_CELLS = 1_000_000  # numbers resampled at once, which bounds memory


class Interval(NamedTuple):
    """Where a value lies, at some confidence; NaN where there is nothing to tell it from."""

    low: float
    high: float


def checked_runs(runs: pl.DataFrame, *columns: str) -> pl.DataFrame:
    """Return the runs ordered by solver, instance and run, or say which columns are missing."""
    needed = ("solver", "instance", "run", "is_success", "seconds", "budget_seconds", *columns)
    missing = [name for name in needed if name not in runs.columns]
    if missing:
        raise SudokulabError(f"runs without the columns {', '.join(missing)}, expected {', '.join(needed)}")
    return runs.sort("solver", "instance", "run", maintain_order=True)


def success_rate(num_success: int, num_runs: int, confidence: float = 0.95) -> tuple[float, Interval]:
    """Return the share of successes and its Wilson interval.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
       Statistical Association 22 (1927) 209-212.

    Examples
    --------
    >>> rate, (low, high) = success_rate(8, 10)
    >>> print(f"{rate:.2f} in {low:.3f}..{high:.3f}")
    0.80 in 0.490..0.943
    """
    if not 0 <= num_success <= num_runs or num_runs == 0:
        raise ValueError(
            f"{num_success} successes of {num_runs} runs, expected at least one run and at most all of them"
        )
    interval = scipy.stats.binomtest(num_success, num_runs).proportion_ci(confidence, method="wilson")
    return num_success / num_runs, Interval(float(interval.low), float(interval.high))


def median_seconds(
    seconds: ArrayLike, is_success: ArrayLike | None = None, confidence: float = 0.95, seed: int = 0
) -> tuple[float, Interval]:
    """Return the median time of the successful runs and its percentile bootstrap interval.

    Both are NaN without a success, and the interval with only one.

    Parameters
    ----------
    seconds
        The time of each run.
    is_success
        Whether each succeeded; by default all did.
    confidence
        Of the interval.
    seed
        Of the resampling.
    """
    times = np.asarray(seconds, float)
    if is_success is not None:
        times = times[np.asarray(is_success, bool)]
    if not len(times):
        return math.nan, Interval(math.nan, math.nan)
    return float(np.median(times)), _bootstrap(np.median, (times,), confidence, seed)


def penalised_seconds(seconds: ArrayLike, is_success: ArrayLike, budget_seconds: ArrayLike | None) -> Floats:
    """Return each run's time, twice the budget for a failed one: infinity where there is no budget (None or NaN)."""
    budget = np.asarray(np.nan if budget_seconds is None else budget_seconds, float)
    penalty = np.where(np.isnan(budget), np.inf, 2 * budget)
    return np.where(np.asarray(is_success, bool), np.asarray(seconds, float), penalty)


def par2(seconds: ArrayLike, is_success: ArrayLike, budget_seconds: ArrayLike | None) -> float:
    """Return the mean time of all runs, with a failed one counted as twice its budget.

    Examples
    --------
    >>> par2([1, 3, 10], [True, True, False], 10)
    8.0
    """
    return float(penalised_seconds(seconds, is_success, budget_seconds).mean())


def expected_running_time(
    seconds: ArrayLike, is_success: ArrayLike, confidence: float = 0.95, seed: int = 0
) -> tuple[float, Interval]:
    """Return the time to a success when failed runs are repeated, and its percentile bootstrap interval.

    It is the time of all runs together divided by the number of successes; infinite if there is none.

    References
    ----------
    .. [1] N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar, D. Brockhoff, "COCO: a platform for comparing continuous
       optimizers in a black-box setting", Optimization Methods and Software 36 (2021) 114-144.
    .. [2] H. H. Hoos, T. Stützle, "Stochastic Local Search: Foundations and Applications", Morgan Kaufmann, 2004,
       chapter 4.

    Examples
    --------
    >>> expected_running_time([1, 3, 10], [True, True, False])[0]
    7.0
    """
    times, wins = np.asarray(seconds, float), np.asarray(is_success, float)
    num_success = wins.sum()
    expected = float(times.sum() / num_success) if num_success else math.inf

    # successes per second are finite where there is a resample without a success, and percentiles can be inverted
    def rate(times: Floats, wins: Floats, axis: int) -> Floats:
        return np.asarray(wins.sum(axis) / np.maximum(times.sum(axis), SHORTEST_SECONDS))

    low, high = _bootstrap(rate, (times, wins), confidence, seed)
    return expected, Interval(1 / high if high else math.inf, 1 / low if low else math.inf)


def summary(runs: pl.DataFrame, by: Collection[str] = (), *, confidence: float = 0.95, seed: int = 0) -> pl.DataFrame:
    """Return one row for each solver, or for each solver and value of the columns `by`.

    Medians and means are over the successful runs, null without one; `par2` and `expected_seconds` over all.

    Parameters
    ----------
    runs
        One row for each run.
    by
        Columns to group by beside the solver, such as ``("instance_set",)``.
    confidence
        Of the intervals.
    seed
        Of the resampling; the order of the rows does not matter.
    """
    keys = [*by, "solver"]
    rows = []
    for values, group in checked_runs(runs, *by).group_by(keys, maintain_order=True):
        seconds, is_success, budget = _columns(group)
        num_success = int(is_success.sum())
        rate, interval = success_rate(num_success, len(group), confidence)
        median, within = median_seconds(seconds, is_success, confidence, seed)
        mean = float(seconds[is_success].mean()) if num_success else math.nan
        expected = float(seconds.sum()) / num_success if num_success else math.inf
        times = (median, *within, mean, par2(seconds, is_success, budget), expected)
        rows.append((*values, len(group), num_success, rate, *interval, *times))
    schema: dict[str, pl.DataType] = {key: runs.schema[key] for key in keys}
    schema |= {name: pl.Int64() for name in _COUNTS} | {name: pl.Float64() for name in (*_RATES, *_TIMES)}
    return pl.DataFrame(rows, schema=schema, orient="row").fill_nan(None).sort(keys)


def success_by(runs: pl.DataFrame, column: str, *, confidence: float = 0.95, seed: int = 0) -> pl.DataFrame:
    """Return the `summary` for each solver and value of a numeric column: the curve of a phase transition."""
    return summary(runs, (column,), confidence=confidence, seed=seed).sort("solver", column)


def holm(p_values: ArrayLike) -> Floats:
    """Return the p-values corrected for how many there are.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
       (1979) 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, float)
    order = np.argsort(given, kind="stable")
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1)
    return corrected


def compare_pairs(
    runs: pl.DataFrame,
    test: Test = "wilcoxon",
    measure: Measure = "par2",
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Test each pair of solvers for a difference, two-sided, and correct for the number of pairs.

    Parameters
    ----------
    runs
        One row for each run, of two solvers or more.
    test
        ``"wilcoxon"``, signed ranks of the means over the runs on each instance that both solvers ran on, with equal
        instances shared between both sides [1]_; or ``"mann-whitney"``, ranks of all runs, unpaired.
    measure
        ``"par2"``, the penalised seconds; or ``"success"``.
    confidence
        A pair is significant if its corrected p-value is below 1 - confidence.

    Returns
    -------
    pl.DataFrame
        ``solver_a``, ``solver_b``, ``num_a``, ``num_b`` (instances or runs compared), ``statistic``, ``p_value``,
        ``p_holm``, ``is_significant`` and ``better``: the solver with the better ranks, whether significant or not,
        null if neither has.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7 (2006) 1-30.
    """
    tests: dict[str, Callable[[Floats, Floats], tuple[float, float, float]]] = {
        "wilcoxon": _wilcoxon,
        "mann-whitney": _mann_whitney,
    }
    if test not in tests:
        raise SudokulabError(f"no test named {test!r}, expected one of {', '.join(tests)}")
    costs = _run_costs(runs, measure)
    solvers, table = _instance_costs(costs)
    if len(solvers) < 2:
        raise SudokulabError(f"a comparison needs two solvers or more, got {len(solvers)}")
    rows = []
    for a, b in itertools.combinations(range(len(solvers)), 2):
        if test == "wilcoxon":
            sample_a, sample_b = _complete(table[:, [a, b]]).T
        else:
            sample_a, sample_b = (costs.filter(solver=solvers[i])["cost"].to_numpy() for i in (a, b))
        statistic, p_value, balance = tests[test](sample_a, sample_b)
        better = None if balance == 0 else solvers[a] if balance < 0 else solvers[b]
        rows.append((solvers[a], solvers[b], len(sample_a), len(sample_b), statistic, p_value, better))
    names = ("solver_a", "solver_b", "num_a", "num_b", "statistic", "p_value", "better")
    schema = dict(
        zip(names, (pl.String, pl.String, pl.Int64, pl.Int64, pl.Float64, pl.Float64, pl.String), strict=True)
    )
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    p_holm = pl.Series("p_holm", holm(frame["p_value"].to_numpy()))
    return frame.with_columns(p_holm, (p_holm < 1 - confidence).alias("is_significant")).select(
        *names[:-1], "p_holm", "is_significant", "better"
    )


@dataclass(frozen=True)
class Friedman:
    """Whether solvers differ over the instances, and which ones.

    Parameters
    ----------
    chi2, p_value
        Friedman's statistic, corrected for ties, and its p-value. Unless that is small the rest tells nothing.
    mean_ranks
        Of each solver, the best first; 1 is the best rank.
    num_instances
        How many instances all solvers ran on.
    critical_difference
        Of two mean ranks (Nemenyi).
    cliques
        The largest groups of solvers that do not differ significantly, the best first.
    """

    chi2: float
    p_value: float
    mean_ranks: Mapping[str, float]
    num_instances: int
    critical_difference: float
    cliques: Sequence[tuple[str, ...]]


def friedman(runs: pl.DataFrame, measure: Measure = "par2", confidence: float = 0.95) -> Friedman:
    """Rank the solvers on each instance that all ran on, and test whether the ranks differ.

    Parameters
    ----------
    runs
        One row for each run, of three solvers or more on two instances or more.
    measure
        ``"par2"``, the penalised seconds, or ``"success"``; means over the runs on an instance.
    confidence
        Of the critical difference.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7 (2006) 1-30.
    """
    solvers, table = _instance_costs(_run_costs(runs, measure))
    table = _complete(table)
    num_instances, num_solvers = table.shape
    if num_solvers < 3:
        raise SudokulabError(f"Friedman's test needs three solvers or more, got {num_solvers}; compare_pairs takes two")
    if num_instances < 2:
        raise SudokulabError(f"Friedman's test needs two instances that all solvers ran on, got {num_instances}")
    ranks = scipy.stats.rankdata(table, axis=1)
    chi2, p_value = 0.0, 1.0
    if np.ptp(ranks):  # else all are equal on every instance
        chi2, p_value = scipy.stats.friedmanchisquare(*ranks.T)
    quantile = scipy.stats.studentized_range.ppf(confidence, num_solvers, np.inf) / math.sqrt(2)
    difference = float(quantile * math.sqrt(num_solvers * (num_solvers + 1) / (6 * num_instances)))
    means = sorted(zip(ranks.mean(axis=0).tolist(), solvers, strict=True))
    mean_ranks = {solver: rank for rank, solver in means}
    return Friedman(
        float(chi2), float(p_value), mean_ranks, num_instances, difference, _cliques(mean_ranks, difference)
    )


def ecdf(seconds: ArrayLike, num_runs: int) -> tuple[Floats, Floats]:
    """Return the times of the successes in order, and the share of all runs that had succeeded by each.

    Examples
    --------
    >>> times, shares = ecdf([3, 1], num_runs=4)
    >>> times.tolist(), shares.tolist()
    ([1.0, 3.0], [0.25, 0.5])
    """
    times = np.sort(np.asarray(seconds, float))
    if len(times) > num_runs:
        raise ValueError(f"{len(times)} successes of {num_runs} runs")
    return times, np.arange(1, len(times) + 1) / max(num_runs, 1)


def performance_profile(runs: pl.DataFrame, measure: Literal["par2", "median"] = "par2") -> pl.DataFrame:
    """Return on which share of the instances each solver is within a ratio of the best.

    Only instances count that all solvers ran on. Where a solver never succeeds its ratio is infinite.

    Parameters
    ----------
    runs
        One row for each run.
    measure
        What is compared on an instance: the mean of the penalised seconds, or the median with failures infinite.

    Returns
    -------
    pl.DataFrame
        ``solver``, ``ratio`` (finite, increasing) and ``share``, a row for each step.

    References
    ----------
    .. [1] E. D. Dolan, J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical
       Programming 91 (2002) 201-213.
    """
    if measure not in ("par2", "median"):
        raise SudokulabError(f"no measure named {measure!r}, expected par2 or median")
    runs = _run_costs(runs, "par2")
    succeeded = pl.col("is_success")
    cost = {
        "par2": pl.when(succeeded.any().over("solver", "instance")).then("cost").otherwise(math.inf),
        "median": pl.when(succeeded).then("seconds").otherwise(math.inf),
    }[measure]
    solvers, table = _instance_costs(runs.with_columns(cost=cost), pl.median if measure == "median" else pl.mean)
    table = np.maximum(_complete(table), SHORTEST_SECONDS)
    best = table.min(axis=1, keepdims=True, initial=np.inf)
    ratios = np.divide(table, best, out=np.full_like(table, np.inf), where=np.isfinite(best))
    schema = {"solver": pl.String, "ratio": pl.Float64, "share": pl.Float64}
    frames = [pl.DataFrame(schema=schema)]
    for solver, column in zip(solvers, ratios.T, strict=True):
        ratio, share = ecdf(column[np.isfinite(column)], len(column))
        frames.append(pl.DataFrame({"solver": [solver] * len(ratio), "ratio": ratio, "share": share}, schema))
    return pl.concat(frames).unique(("solver", "ratio"), keep="last", maintain_order=True)


def cactus(runs: pl.DataFrame) -> pl.DataFrame:
    """Return for each solver within how many seconds each it solves how many runs: solver, num_solved, seconds."""
    solved = checked_runs(runs).filter("is_success").sort("solver", "seconds")
    num_solved = pl.int_range(1, pl.len() + 1).over("solver").alias("num_solved")
    return solved.select("solver", num_solved, "seconds")


def as_text(value: float | None) -> str:
    """Return a number as tables show it: three digits, a dash for none, ∞."""
    return "–" if value is None or math.isnan(value) else "∞" if math.isinf(value) else f"{value:.3g}"


def _columns(runs: pl.DataFrame) -> tuple[Floats, NDArray[np.bool_], Floats]:
    budget = runs["budget_seconds"].cast(pl.Float64)  # null becomes NaN
    return runs["seconds"].cast(pl.Float64).to_numpy(), runs["is_success"].to_numpy(), budget.to_numpy()


def _bootstrap(statistic: Callable[..., Floats], samples: tuple[Floats, ...], confidence: float, seed: int) -> Interval:
    num = len(samples[0])
    if num < 2:
        return Interval(math.nan, math.nan)
    result = scipy.stats.bootstrap(
        samples,
        statistic,
        paired=True,
        vectorized=True,
        n_resamples=_NUM_RESAMPLES,
        batch=max(1, _BATCH_CELLS // num),
        confidence_level=confidence,
        method="percentile",
        rng=seed,
    )
    return Interval(float(result.confidence_interval.low), float(result.confidence_interval.high))


def _run_costs(runs: pl.DataFrame, measure: str) -> pl.DataFrame:
    """Add the column ``cost``, of which less is better."""
    if measure not in ("par2", "success"):
        raise SudokulabError(f"no measure named {measure!r}, expected par2 or success")
    runs = checked_runs(runs)
    seconds, is_success, budget = _columns(runs)
    costs = penalised_seconds(seconds, is_success, budget) if measure == "par2" else 1.0 - is_success
    return runs.with_columns(pl.Series("cost", costs, pl.Float64))


def _instance_costs(costs: pl.DataFrame, mean: Callable[[str], pl.Expr] = pl.mean) -> tuple[list[str], Floats]:
    """Return the solvers, and their mean costs as instances × solvers; NaN where there is no run."""
    means = costs.group_by("instance", "solver").agg(mean("cost"))
    instances, rows = np.unique(means["instance"].to_list(), return_inverse=True)
    solvers, columns = np.unique(means["solver"].to_list(), return_inverse=True)
    table = np.full((len(instances), len(solvers)), np.nan)
    table[rows, columns] = means["cost"].to_numpy()
    return solvers.tolist(), table


def _complete(table: Floats) -> Floats:
    return table[~np.isnan(table).any(axis=1)]


def _wilcoxon(a: Floats, b: Floats) -> tuple[float, float, float]:
    """Return statistic, p-value and a balance that is negative where `a` costs less."""
    differences = np.subtract(a, b, out=np.zeros_like(a), where=a != b)  # two infinities are equal
    if not differences.any():
        return 0.0, 1.0, 0.0
    result = scipy.stats.wilcoxon(differences, zero_method="zsplit")
    balance = np.sign(differences) @ scipy.stats.rankdata(np.abs(differences))
    return float(result.statistic), float(result.pvalue), float(balance)


def _mann_whitney(a: Floats, b: Floats) -> tuple[float, float, float]:
    result = scipy.stats.mannwhitneyu(a, b)
    return float(result.statistic), float(result.pvalue), float(result.statistic - len(a) * len(b) / 2)


def _cliques(mean_ranks: Mapping[str, float], difference: float) -> list[tuple[str, ...]]:
    names, ranks = list(mean_ranks), np.array(list(mean_ranks.values()))
    cliques, last_end = [], 0
    for start, rank in enumerate(ranks):
        end = int(np.searchsorted(ranks, rank + difference))
        if end > max(last_end, start + 1):  # neither alone nor part of the one before
            cliques.append(tuple(names[start:end]))
        last_end = max(last_end, end)
    return cliques
