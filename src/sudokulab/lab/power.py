"""One-sided tests of claimed differences, with the power to detect a difference of the claimed size.

A test that finds no difference means little if the sample was too small to show one. Each comparison therefore takes
the *claimed* effect, and reports the probability that the test would have been significant had the claim been true.

The runs of a puzzle are one observation, because they are more alike than runs of different puzzles. Values are
therefore compared by their means per puzzle (`puzzle_means`), and in pairs if both groups contain the same puzzles
(`puzzle_pairs`). Success rates are compared by runs; with several runs per puzzle, such a test is about the given
puzzles, not about others of their kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import scipy  # loads its parts on first use
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "MIN_POWER",
    "SIGNIFICANCE",
    "DifferenceTest",
    "compare_any_rate",
    "compare_paired_rates",
    "compare_paired_values",
    "compare_rates",
    "compare_values",
    "compare_with_rate",
    "p_value_of_lower_rate",
    "puzzle_means",
    "puzzle_pairs",
]

SIGNIFICANCE = 0.05
"""p-values below this are significant."""
MIN_POWER = 0.8
"""A test with less power for the claimed effect is underpowered."""

_NUM_SIMULATIONS = 400
_TAIL = 1e-7  # outcomes rarer than this do not contribute to a power
_MAX_COUNTED = 12  # pairs, whose signs are enumerated
_MAX_EXACT = 2000  # with more runs, the normal approximation is as good and much faster

Rate = tuple[int, int]
"""Number of successes, and number of runs."""


@dataclass(frozen=True)
class DifferenceTest:
    """The result of a test of a claimed difference.

    Parameters
    ----------
    p_value
        Probability of a difference at least as large in the claimed direction if there is none.
    p_reversed
        The same for the opposite direction.
    power
        Probability that the test is significant if the difference is as large as claimed.

    Examples
    --------
    >>> compare_rates(fewer=(13, 20), more=(17, 20), expected=(0.58, 0.92)).holds is None
    True
    >>> compare_rates(fewer=(23, 40), more=(37, 40), expected=(0.58, 0.92)).holds
    True
    """

    p_value: float
    p_reversed: float
    power: float

    @property
    def holds(self) -> bool | None:
        """True if the difference is significant; None if it is not, but the test is underpowered; otherwise False.

        A significant difference in the opposite direction is False, whatever the power.
        """
        if self.p_value < SIGNIFICANCE:
            return True
        if self.p_reversed < SIGNIFICANCE:
            return False
        return None if self.power < MIN_POWER else False

    def __str__(self) -> str:
        return f"p = {self.p_value:.2g}, power {100 * self.power:.0f} %"


def compare_rates(*, fewer: Rate, more: Rate, expected: tuple[float, float]) -> DifferenceTest:
    """Test whether one success rate is lower than another, by Fisher's exact test.

    Parameters
    ----------
    fewer, more
        Successes and runs of the two groups; the claim is that `fewer` has the lower rate.
    expected
        The claimed rates of the two groups. The power is exact for up to 2,000 runs, and a normal approximation above.
    """
    low, high = expected
    if not 0 <= low < high <= 1:
        raise ValueError(f"expected: {expected}; pass two rates from 0 to 1, the lower one first")
    p_value, p_reversed = _fisher(*fewer, *more)
    return DifferenceTest(
        float(p_value), float(p_reversed), _power_of_rates(low, fewer[1], high, more[1], SIGNIFICANCE)
    )


def compare_any_rate(*, fewer: Sequence[Rate], more: Rate, expected: tuple[float, float]) -> DifferenceTest:
    """Test whether at least one of several success rates is lower than another, with Bonferroni's correction.

    Parameters
    ----------
    fewer
        Successes and runs of the groups; the claim is that at least one of them has a lower rate than `more`.
    more
        Successes and runs of the other group.
    expected
        The claimed rate of one group in `fewer`, and the rate of `more`. The power is that for the smallest group.
    """
    number = len(fewer)
    p_values = [_fisher(*rate, *more) for rate in fewer]
    power = _power_of_rates(expected[0], min(runs for _, runs in fewer), expected[1], more[1], SIGNIFICANCE / number)
    return DifferenceTest(
        min(1.0, number * min(float(low) for low, _ in p_values)), max(float(high) for _, high in p_values), power
    )


def p_value_of_lower_rate(*, fewer: Rate, more: Rate) -> float:
    """Return the p-value of a one-sided Fisher test for a lower rate in the first group."""
    return float(_fisher(*fewer, *more)[0])


def compare_with_rate(ours: Rate, theirs: Rate, *, margin: float = 0.2) -> DifferenceTest:
    """Test whether two success rates differ in either direction, by a two-sided Fisher test.

    The power is that of detecting a difference of `margin` from the rate of `theirs`, in the direction that is harder
    to detect.
    """
    one, other = (float(p) for p in _fisher(*ours, *theirs))
    p_value = min(1.0, 2 * min(one, other))
    rate = theirs[0] / theirs[1]
    powers = [_power_of_rates(rate - margin, ours[1], rate, theirs[1], SIGNIFICANCE / 2)] if rate >= margin else []
    if rate + margin <= 1:
        powers.append(_power_of_rates(rate, theirs[1], rate + margin, ours[1], SIGNIFICANCE / 2))
    return DifferenceTest(p_value, 1.0, min(powers))


def compare_values(
    smaller: ArrayLike, larger: ArrayLike, *, ratio: float, runs_per_count: int | None = None
) -> DifferenceTest:
    """Test whether the values of one group tend to be smaller, by the Mann–Whitney test.

    Parameters
    ----------
    smaller, larger
        The values of the two groups.
    ratio
        The claimed ratio of `larger` to `smaller`. The power is estimated by resampling: both groups are drawn from
        `smaller`, and the values of the second are multiplied by the ratio.
    runs_per_count
        For values that are mean counts, the number of runs of each mean. Multiplying would leave zeros unchanged, so
        the power is then estimated from Poisson counts. Each value drawn from `smaller` gives a gamma-distributed rate
        (the posterior with Jeffreys' prior), which is multiplied by the ratio in the second group.
    """
    _check_ratio(ratio)
    low, high = np.asarray(smaller, dtype=float), np.asarray(larger, dtype=float)
    if not len(low) or not len(high):
        return DifferenceTest(1.0, 1.0, 0.0)
    rng = np.random.default_rng(0)
    drawn = [rng.choice(low, (_NUM_SIMULATIONS, len(group))) for group in (low, high)]
    if runs_per_count:
        rates = [rng.gamma(values * runs_per_count + 0.5) for values in drawn]
        drawn = [rng.poisson(factor * rate) for factor, rate in zip((1, ratio), rates, strict=True)]
    else:
        drawn[1] *= ratio
    return DifferenceTest(
        float(_mann_whitney(low, high)), float(_mann_whitney(high, low)), _share_significant(_mann_whitney(*drawn))
    )


def compare_paired_values(smaller: ArrayLike, larger: ArrayLike, *, ratio: float) -> DifferenceTest:
    """Test whether the first values of pairs tend to be smaller, by the signed-rank test on the logarithms of ratios.

    Pairs of equal values are dropped, as by Wilcoxon.

    Parameters
    ----------
    smaller, larger
        The values by pair.
    ratio
        The claimed ratio of the means of `larger` and `smaller`. The power is estimated by resampling pairs, with
        `larger` scaled so that the means have this ratio.
    """
    _check_ratio(ratio)
    low, high = np.asarray(smaller, dtype=float), np.asarray(larger, dtype=float)
    if not len(low):
        return DifferenceTest(1.0, 1.0, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.nan_to_num(np.log(high / low), nan=0.0, posinf=np.inf, neginf=-np.inf)
    ours = high.mean() / low.mean() if low.any() and high.any() else 1.0
    drawn = np.random.default_rng(0).choice(logs + np.log(ratio / ours), (_NUM_SIMULATIONS, len(logs)))
    power = _share_significant(np.array([_signed_rank(row) for row in drawn]))
    return DifferenceTest(_signed_rank(logs), _signed_rank(-logs), power)


def compare_paired_rates(
    worse: ArrayLike, better: ArrayLike, *, expected: tuple[ArrayLike, ArrayLike], runs: ArrayLike
) -> DifferenceTest:
    """Test whether one solver has the lower success rate on the same instances, by the signed-rank test.

    Instances with equal rates are dropped, as by Wilcoxon.

    Parameters
    ----------
    worse, better
        Success rates of the two solvers by instance.
    expected
        The claimed rates of the two solvers, by instance or the same for all. The power is estimated by simulating
        `runs` runs per instance.
    runs
        Number of runs of each solver, by instance or the same for all.
    """
    difference = np.asarray(better, dtype=float) - np.asarray(worse, dtype=float)
    rng = np.random.default_rng(0)
    rates = (np.asarray(rate, dtype=float) for rate in expected)
    numbers = np.asarray(runs, dtype=int)
    low, high = (rng.binomial(numbers, rate, (_NUM_SIMULATIONS, len(difference))) for rate in rates)
    power = _share_significant(np.array([_signed_rank(row) for row in (high - low).astype(float)]))
    return DifferenceTest(_signed_rank(difference), _signed_rank(-difference), power)


def puzzle_means(runs: pl.DataFrame, column: str) -> dict[str, float]:
    """Return the mean of a column of runs for each puzzle, without nulls."""
    table = runs.select("instance", column).group_by("instance", maintain_order=True).mean().drop_nulls()
    return dict(table.iter_rows())


def puzzle_pairs(first: pl.DataFrame, second: pl.DataFrame, column: str) -> tuple[list[float], list[float]]:
    """Return the means of a column for the puzzles that both tables of runs contain."""
    one, other = puzzle_means(first, column), puzzle_means(second, column)
    both = [puzzle for puzzle in one if puzzle in other]
    return [one[puzzle] for puzzle in both], [other[puzzle] for puzzle in both]


def _check_ratio(ratio: float) -> None:
    if ratio <= 1:
        raise ValueError(f"ratio: {ratio}; choose more than 1")


def _fisher(few: object, num_few: int, many: object, num_many: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the p-values of a lower and of a higher rate in the first group; counts may be arrays."""
    first, second = np.asarray(few), np.asarray(many)
    total = num_few + num_many
    lower = scipy.stats.hypergeom.cdf(first, total, first + second, num_few)
    higher = scipy.stats.hypergeom.sf(first - 1, total, first + second, num_few)
    return lower, higher


def _power_of_rates(low: float, num_low: int, high: float, num_high: int, significance: float) -> float:
    """Return the probability that Fisher's test finds the first rate lower, for the true rates `low` and `high`."""
    if num_low + num_high > _MAX_EXACT:
        mean = (low * num_low + high * num_high) / (num_low + num_high)
        if_equal = np.sqrt(mean * (1 - mean) * (1 / num_low + 1 / num_high))
        if_true = np.sqrt(low * (1 - low) / num_low + high * (1 - high) / num_high)
        excess = high - low - scipy.stats.norm.isf(significance) * if_equal
        return (
            float(scipy.stats.norm.cdf(excess / if_true)) if if_true else float(excess > 0)
        )  # the rates 0 and 1 never vary
    first, second = (_likely_counts(rate, number) for rate, number in ((low, num_low), (high, num_high)))
    p_values, _ = _fisher(first[:, None], num_low, second[None, :], num_high)
    weights = (
        scipy.stats.binom.pmf(first, num_low, low)[:, None] * scipy.stats.binom.pmf(second, num_high, high)[None, :]
    )
    return float(weights[p_values < significance].sum())


def _likely_counts(rate: float, number: int) -> np.ndarray:
    least, most = scipy.stats.binom.ppf(_TAIL, number, rate), scipy.stats.binom.isf(_TAIL, number, rate)
    return np.arange(max(0, int(least)), min(number, int(most)) + 1)


def _mann_whitney(smaller: np.ndarray, larger: np.ndarray) -> np.ndarray:
    p_values = scipy.stats.mannwhitneyu(smaller, larger, alternative="less", axis=-1, method="asymptotic").pvalue
    return np.asarray(np.nan_to_num(p_values, nan=1.0))  # NaN if all values are equal


def _signed_rank(difference: np.ndarray) -> float:
    """Return the p-value of positive differences: exact with few of them, otherwise by the normal approximation."""
    changed = difference[difference != 0]
    ranks = scipy.stats.rankdata(np.abs(changed))
    total = ranks[changed > 0].sum()
    if len(changed) <= _MAX_COUNTED:
        return float(np.mean(_signs(len(changed)) @ ranks >= total))
    return float(scipy.special.ndtr((ranks.sum() - 2 * total) / np.sqrt((ranks**2).sum())))


@lru_cache
def _signs(number: int) -> np.ndarray:
    """Return all ways to choose the positive differences, as rows of zeros and ones."""
    return np.array(list(product((0, 1), repeat=number)))


def _share_significant(p_values: np.ndarray) -> float:
    return float(np.mean(p_values < SIGNIFICANCE))
