"""One-sided tests of claimed differences, with the power to detect a difference of the claimed size.

A test that finds no difference means little if the sample was too small to show one. Each comparison therefore takes
the *claimed* effect, and reports the probability that the test would have been significant had the claim been true.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import binom, hypergeom, mannwhitneyu, norm, wilcoxon

__all__ = [
    "MIN_POWER",
    "SIGNIFICANCE",
    "DifferenceTest",
    "compare_paired",
    "compare_rates",
    "compare_values",
    "compare_with_rate",
]

SIGNIFICANCE = 0.05
"""p-values below this are significant."""
MIN_POWER = 0.8
"""A test with less power for the claimed effect is underpowered."""

_NUM_SIMULATIONS = 400
_TAIL = 1e-7  # outcomes rarer than this do not contribute to a power
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
        raise ValueError(f"expected: {expected}; expected two rates from 0 to 1, the lower one first")
    p_value, p_reversed = _fisher(*fewer, *more)
    return DifferenceTest(
        float(p_value), float(p_reversed), _power_of_rates(low, fewer[1], high, more[1], SIGNIFICANCE)
    )


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


def compare_values(smaller: ArrayLike, larger: ArrayLike, *, ratio: float) -> DifferenceTest:
    """Test whether the values of one group tend to be smaller, by the Mann–Whitney test.

    Parameters
    ----------
    smaller, larger
        The values of the two groups.
    ratio
        The claimed ratio of `larger` to `smaller`. The power is estimated by resampling: both groups are drawn from
        `smaller`, and the values of the second are multiplied by the ratio.
    """
    if ratio <= 1:
        raise ValueError(f"ratio: {ratio}; expected more than 1")
    low, high = np.asarray(smaller, dtype=float), np.asarray(larger, dtype=float)
    if not len(low) or not len(high):
        return DifferenceTest(1.0, 1.0, 0.0)
    rng = np.random.default_rng(0)
    drawn = rng.choice(low, (_NUM_SIMULATIONS, len(low))), ratio * rng.choice(low, (_NUM_SIMULATIONS, len(high)))
    p_values = _mann_whitney(*drawn)
    return DifferenceTest(
        float(_mann_whitney(low, high)), float(_mann_whitney(high, low)), _share_significant(p_values)
    )


def compare_paired(worse: ArrayLike, better: ArrayLike, *, expected: tuple[float, float], runs: int) -> DifferenceTest:
    """Test whether one solver has the lower success rate on the same instances, by the signed-rank test.

    Instances with equal rates are dropped, as by Wilcoxon.

    Parameters
    ----------
    worse, better
        Success rates of the two solvers by instance.
    expected
        The claimed mean rates of the two solvers. The power is estimated by simulating `runs` runs per instance.
    runs
        Number of runs of each solver on each instance.
    """
    difference = np.asarray(better, dtype=float) - np.asarray(worse, dtype=float)
    rng = np.random.default_rng(0)
    low, high = (rng.binomial(runs, rate, (_NUM_SIMULATIONS, len(difference))) for rate in expected)
    power = _share_significant(np.array([_signed_rank(row) for row in (high - low).astype(float)]))
    return DifferenceTest(_signed_rank(difference), _signed_rank(-difference), power)


def _fisher(few: object, num_few: int, many: object, num_many: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the p-values of a lower and of a higher rate in the first group; counts may be arrays."""
    first, second = np.asarray(few), np.asarray(many)
    total = num_few + num_many
    lower = hypergeom.cdf(first, total, first + second, num_few)
    higher = hypergeom.sf(first - 1, total, first + second, num_few)
    return lower, higher


def _power_of_rates(low: float, num_low: int, high: float, num_high: int, significance: float) -> float:
    """Return the probability that Fisher's test finds the first rate lower, for the true rates `low` and `high`."""
    if num_low + num_high > _MAX_EXACT:
        mean = (low * num_low + high * num_high) / (num_low + num_high)
        if_equal = np.sqrt(mean * (1 - mean) * (1 / num_low + 1 / num_high))
        if_true = np.sqrt(low * (1 - low) / num_low + high * (1 - high) / num_high)
        return float(norm.cdf((high - low - norm.isf(significance) * if_equal) / if_true))
    first, second = (_likely_counts(rate, number) for rate, number in ((low, num_low), (high, num_high)))
    p_values, _ = _fisher(first[:, None], num_low, second[None, :], num_high)
    weights = binom.pmf(first, num_low, low)[:, None] * binom.pmf(second, num_high, high)[None, :]
    return float(weights[p_values < significance].sum())


def _likely_counts(rate: float, number: int) -> np.ndarray:
    least, most = binom.ppf(_TAIL, number, rate), binom.isf(_TAIL, number, rate)
    return np.arange(max(0, int(least)), min(number, int(most)) + 1)


def _mann_whitney(smaller: np.ndarray, larger: np.ndarray) -> np.ndarray:
    p_values = mannwhitneyu(smaller, larger, alternative="less", axis=-1, method="asymptotic").pvalue
    return np.asarray(np.nan_to_num(p_values, nan=1.0))  # NaN if all values are equal


def _signed_rank(difference: np.ndarray) -> float:
    """Return the p-value of positive differences."""
    changed = difference[difference != 0]
    return float(wilcoxon(changed, alternative="greater").pvalue) if len(changed) else 1.0


def _share_significant(p_values: np.ndarray) -> float:
    return float(np.mean(p_values < SIGNIFICANCE))
