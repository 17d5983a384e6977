"""Tests of differences between the solvers in a table of runs (see `sudokulab.lab.measures`).

`compare_pairs` tests each pair of solvers, `friedman` all of them together. `sudokulab.lab.power` tests claimed
differences, one-sided.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np
import polars as pl
import scipy  # loads its parts on first use
from numpy.typing import ArrayLike

from sudokulab.errors import SudokulabError
from sudokulab.lab.measures import (
    Basis,
    Floats,
    Measure,
    Runs,
    as_frame,
    basis_of,
    complete_rows,
    instance_scores,
    run_scores,
)

__all__ = ["Friedman", "PairTests", "Test", "compare_pairs", "friedman", "holm", "pair_tests"]

Test = Literal["wilcoxon", "mann-whitney"]

_MAX_INSTANCES_UNPAIRED = 5


def holm(p_values: ArrayLike) -> Floats:
    """Return the p-values, corrected for multiple tests.

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
    runs: Runs,
    test: Test = "wilcoxon",
    measure: Measure = "par2",
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Test each pair of solvers for a difference, two-sided and corrected for the number of pairs.

    Parameters
    ----------
    runs
        One row per run, of two or more solvers.
    test
        ``"wilcoxon"``: signed ranks of the mean scores on the instances that both solvers ran on; ties are split
        between both solvers [1]_. ``"mann-whitney"``: ranks of the runs within each instance, so that runs of one
        instance are not taken for independent instances. Its p-value is exact for up to 60 runs of a pair on each
        instance: the share of all ways to assign these runs to the two solvers. Above, it is an approximation.
    measure
        See `run_scores`.
    confidence
        A pair is significant if its corrected p-value is below 1 - confidence.

    Returns
    -------
    pl.DataFrame
        ``solver_a``, ``solver_b``, ``num_a``, ``num_b`` (instances or runs compared), ``statistic``, ``p_value``,
        ``p_least`` (the smallest p-value that this sample size can give), ``p_holm``, ``effect_size``,
        ``is_significant``, ``better`` (the solver with the better ranks, significant or not; null for a tie), and
        ``effect``, ``test`` and ``measure``, which name what was computed.

    Notes
    -----
    The effect size of ``"mann-whitney"`` is Vargha and Delaney's A12 [2]_: the probability that a run of `solver_a` is
    better than a run of `solver_b` on the same instance, plus half the probability of a tie (0.5: no difference). That
    of ``"wilcoxon"`` is the matched-pairs rank-biserial correlation [3]_: the share of the rank sum in favour of
    `solver_a` minus the share in favour of `solver_b` (0: no difference; 1 or -1: one solver is better on all
    instances).

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7 (2006) 1-30.
    .. [2] A. Vargha, H. D. Delaney, "A critique and improvement of the CL common language effect size statistics of
       McGraw and Wong", Journal of Educational and Behavioral Statistics 25 (2000) 101-132.
    .. [3] D. S. Kerby, "The simple difference formula: an approach to teaching nonparametric correlation",
       Comprehensive Psychology 3 (2014) 1-9.
    """
    if test not in _NAMES:
        raise SudokulabError(f"unknown test {test!r}; choose {' or '.join(_NAMES)}")
    scored = run_scores(runs, measure)
    solvers, table = instance_scores(scored)
    if len(solvers) < 2:
        raise SudokulabError(f"a comparison needs two or more solvers, got {len(solvers)}")
    pairs = []
    for a, b in itertools.combinations(range(len(solvers)), 2):
        if test == "wilcoxon":
            found = _wilcoxon(*complete_rows(table[:, [a, b]]).T)
        else:
            found = _mann_whitney(_samples_by_instance(scored, solvers[a], solvers[b]))
        pairs.append((solvers[a], solvers[b], found))
    rows = []
    corrected = holm([found.p_value for *_, found in pairs]).tolist()
    for (solver_a, solver_b, found), p_holm in zip(pairs, corrected, strict=True):
        better = None if found.balance == 0 else solver_a if found.balance > 0 else solver_b
        numbers = (found.statistic, found.p_value, found.p_least, p_holm, found.effect_size)
        labels = (_EFFECTS[test], test, measure)
        rows.append((solver_a, solver_b, found.num_a, found.num_b, *numbers, p_holm < 1 - confidence, better, *labels))
    return pl.DataFrame(rows, schema=_PAIR_COLUMNS, orient="row")


@dataclass(frozen=True)
class PairTests:
    """Tests of all pairs of solvers.

    Parameters
    ----------
    table
        See `compare_pairs`; empty if there is nothing to compare.
    test
        The test used.
    basis
        The measure used, and the solvers compared.
    alpha
        Corrected p-values below this are significant.
    """

    table: pl.DataFrame
    test: Test
    basis: Basis
    alpha: float = 0.05

    @property
    def test_title(self) -> str:
        """The name of the test."""
        return {
            "wilcoxon": "Wilcoxon signed-rank test over instances",
            "mann-whitney": "Mann–Whitney test over runs, within each instance",
        }[self.test]

    @property
    def effect_title(self) -> str:
        """The name of the effect size."""
        return _EFFECTS[self.test]

    @property
    def effect_note(self) -> str:
        """The meaning of the effect size."""
        return {
            "wilcoxon": "Effect size: rank-biserial correlation, from -1 (B better on all instances) to 1 (A better).",
            "mann-whitney": "Effect size: Vargha–Delaney A12, the probability that a run of A beats a run of B on an "
            "instance.",
        }[self.test]

    @property
    def limit_note(self) -> str:
        """Why no difference can be significant, or an empty string."""
        num_pairs = len(self.table)
        least = self.table["p_least"].min() if num_pairs else None
        if not isinstance(least, float) or least * num_pairs < self.alpha:
            return ""
        corrected = f", {min(1.0, least * num_pairs):.2g} after Holm's correction" if num_pairs > 1 else ""
        return (
            f"No difference can be significant with so few instances and runs: p is {least:.2g} or more{corrected}. "
            f"Add {'instances' if self.test == 'wilcoxon' else 'instances or runs'}."
        )


def pair_tests(runs: Runs, confidence: float = 0.95) -> PairTests:
    """Test all pairs of solvers, with the measure and the test that suit the runs.

    Solvers are compared by PAR-2 seconds, or by their final costs if no run was solved; with Wilcoxon's test, or with
    the stratified Mann–Whitney test for five or fewer instances.
    """
    runs = as_frame(runs)
    basis = basis_of(runs)
    test: Test = "wilcoxon" if runs["instance"].n_unique() > _MAX_INSTANCES_UNPAIRED else "mann-whitney"
    chosen = runs.filter(pl.col("solver").is_in(basis.solvers))
    if len(basis.solvers) < 2:
        return PairTests(pl.DataFrame(schema=_PAIR_COLUMNS), test, basis)
    return PairTests(compare_pairs(chosen, test, basis.measure, confidence), test, basis, 1 - confidence)


@dataclass(frozen=True)
class Friedman:
    """The result of Friedman's test: whether solvers differ over the instances, and which ones.

    Parameters
    ----------
    chi2, p_value
        The statistic, corrected for ties, and its p-value. Unless that is small, the other fields mean nothing.
    mean_ranks
        The mean rank of each solver, best first; 1 is the best rank.
    num_instances
        The number of instances that all solvers ran on.
    critical_difference
        Nemenyi's critical difference of two mean ranks.
    cliques
        The maximal groups of solvers without a significant difference, best first.
    """

    chi2: float
    p_value: float
    mean_ranks: Mapping[str, float]
    num_instances: int
    critical_difference: float
    cliques: Sequence[tuple[str, ...]]


def friedman(runs: Runs, measure: Measure = "par2", confidence: float = 0.95) -> Friedman:
    """Rank the solvers on each instance that all of them ran on, and test whether the ranks differ.

    Parameters
    ----------
    runs
        One row per run, of three or more solvers on two or more instances.
    measure
        See `run_scores`; solvers are ranked by their mean score on an instance.
    confidence
        The confidence level of the critical difference.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine Learning
       Research 7 (2006) 1-30.
    """
    solvers, table = instance_scores(run_scores(runs, measure))
    table = complete_rows(table)
    num_instances, num_solvers = table.shape
    if num_solvers < 3:
        raise SudokulabError(f"Friedman's test needs three or more solvers, got {num_solvers}; compare_pairs takes two")
    if num_instances < 2:
        raise SudokulabError(f"Friedman's test needs two instances that all solvers ran on, got {num_instances}")
    ranks = scipy.stats.rankdata(table, axis=1)
    chi2, p_value = 0.0, 1.0
    if np.ptp(ranks):  # otherwise all solvers tie on every instance
        chi2, p_value = scipy.stats.friedmanchisquare(*ranks.T)
    quantile = scipy.stats.studentized_range.ppf(confidence, num_solvers, np.inf) / math.sqrt(2)
    difference = float(quantile * math.sqrt(num_solvers * (num_solvers + 1) / (6 * num_instances)))
    means = sorted(zip(ranks.mean(axis=0).tolist(), solvers, strict=True))
    mean_ranks = {solver: rank for rank, solver in means}
    return Friedman(
        float(chi2), float(p_value), mean_ranks, num_instances, difference, _cliques(mean_ranks, difference)
    )


class _TestResult(NamedTuple):
    num_a: int
    num_b: int
    statistic: float
    p_value: float
    p_least: float
    effect_size: float | None
    balance: float
    """Positive if the first solver has the better ranks."""


def _wilcoxon(a: Floats, b: Floats) -> _TestResult:
    differences = np.subtract(b, a, out=np.zeros_like(a), where=a != b)  # two infinities are equal
    num = len(a)
    p_least = min(1.0, 2.0 ** (1 - num))
    if not differences.any():
        return _TestResult(num, num, 0.0, 1.0, p_least, 0.0 if num else None, 0.0)
    result = scipy.stats.wilcoxon(differences, zero_method="zsplit")
    ranks = scipy.stats.rankdata(np.abs(differences))
    balance = float(np.sign(differences) @ ranks)
    effect = balance / float(ranks.sum())
    return _TestResult(num, num, float(result.statistic), float(result.pvalue), p_least, effect, balance)


def _samples_by_instance(scored: pl.DataFrame, *solvers: str) -> list[tuple[Floats, Floats]]:
    """Return the scores of two solvers on each instance that both ran on."""
    samples = scored.filter(pl.col("solver").is_in(solvers)).group_by("instance", maintain_order=True)
    pairs = [tuple(group.filter(solver=solver)["score"].to_numpy() for solver in solvers) for _, group in samples]
    return [(a, b) for a, b in pairs if len(a) and len(b)]


def _mann_whitney(samples: Sequence[tuple[Floats, Floats]]) -> _TestResult:
    """Compare the runs within each instance; the statistic counts the pairs of runs in which the first is worse."""
    num_a, num_b = (sum(len(pair[i]) for pair in samples) for i in (0, 1))
    if not samples:
        return _TestResult(0, 0, 0.0, 1.0, 1.0, None, 0.0)
    ranks = [(scipy.stats.rankdata(np.concatenate(pair)), len(pair[0])) for pair in samples]
    statistic = sum(float(rank[:num].sum()) - num * (num + 1) / 2 for rank, num in ranks)
    num_pairs = sum(len(a) * len(b) for a, b in samples)
    a12 = 1 - statistic / num_pairs
    distance = abs(statistic - num_pairs / 2)
    p_least = min(1.0, 2 / math.prod(math.comb(len(rank), num) for rank, num in ranks))
    is_small = all(len(rank) <= _MAX_EXACT_RUNS for rank, _ in ranks)
    p_value = _exact_p(ranks, distance) if is_small else _approximate_p(ranks, distance)
    return _TestResult(num_a, num_b, statistic, p_value, p_least, a12, a12 - 0.5)


def _exact_p(ranks: Sequence[tuple[Floats, int]], distance: float) -> float:
    """Return the probability of a rank sum at least so far from its mean if each choice of ranks is equally likely."""
    total = np.ones(1)
    for values, num in ranks:
        doubled = np.rint(2 * values).astype(int)  # ranks of ties end in .5
        counts = np.zeros((num + 1, int(doubled.sum()) + 1))  # ways to choose so many ranks with this sum
        counts[0, 0] = 1
        for value in doubled.tolist():
            counts[1:, value:] += counts[:-1, : counts.shape[1] - value].copy()
        total = np.convolve(total, counts[num] / counts[num].sum())
    middle = sum(2 * num * float(values.mean()) for values, num in ranks)
    is_far = np.abs(np.arange(len(total)) - middle) >= 2 * distance - 1e-6
    return min(1.0, float(total[is_far].sum()))


def _approximate_p(ranks: Sequence[tuple[Floats, int]], distance: float) -> float:
    """Return the same from the normal distribution, with a correction for continuity."""
    variance = sum(
        num * (len(values) - num) / (len(values) - 1) * float(values.var()) for values, num in ranks if len(values) > 1
    )
    if not variance:
        return 1.0
    return float(min(1.0, 2 * scipy.stats.norm.sf(max(0.0, distance - 0.5) / math.sqrt(variance))))


_NAMES: tuple[Test, ...] = get_args(Test)
_MAX_EXACT_RUNS = 60  # of a pair on an instance
_EFFECTS = {"wilcoxon": "rank-biserial", "mann-whitney": "A12"}
_PAIR_COLUMNS = {
    **{"solver_a": pl.String, "solver_b": pl.String, "num_a": pl.Int64, "num_b": pl.Int64},
    **{
        "statistic": pl.Float64,
        "p_value": pl.Float64,
        "p_least": pl.Float64,
        "p_holm": pl.Float64,
        "effect_size": pl.Float64,
    },
    **{"is_significant": pl.Boolean, "better": pl.String},
    **{"effect": pl.String, "test": pl.String, "measure": pl.String},
}


def _cliques(mean_ranks: Mapping[str, float], difference: float) -> list[tuple[str, ...]]:
    names, ranks = list(mean_ranks), np.array(list(mean_ranks.values()))
    cliques, last_end = [], 0
    for start, rank in enumerate(ranks):
        end = int(np.searchsorted(ranks, rank + difference))
        if end > max(last_end, start + 1):  # neither a single solver nor part of the previous clique
            cliques.append(tuple(names[start:end]))
        last_end = max(last_end, end)
    return cliques
