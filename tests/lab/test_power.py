"""Tests of claimed differences, and their power."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import polars as pl
import pytest
from scipy.stats import wilcoxon

from sudokulab.lab.power import (
    compare_any_rate,
    compare_paired_rates,
    compare_paired_values,
    compare_rates,
    compare_values,
    compare_with_rate,
    p_value_of_lower_rate,
    puzzle_means,
    puzzle_pairs,
)
from tests.cases import for_each


def p_value_by_counting(few: int, num_few: int, many: int, num_many: int) -> float:
    """Count the ways to distribute the successes that leave at most as many in the first group."""
    solved = few + many
    ways = [comb(num_few, k) * comb(num_many, solved - k) for k in range(min(solved, num_few) + 1)]
    return sum(ways[: few + 1]) / sum(ways)


@for_each("counts", [(2, 7, 6, 8), (0, 5, 5, 5), (5, 5, 0, 5), (3, 6, 3, 6), (0, 4, 0, 3)])
def test_rates_are_compared_by_counting_arrangements(counts: tuple[int, int, int, int]) -> None:
    few, num_few, many, num_many = counts
    test = compare_rates(fewer=(few, num_few), more=(many, num_many), expected=(0.1, 0.9))
    assert test.p_value == pytest.approx(p_value_by_counting(*counts))


def test_the_power_is_the_share_of_outcomes_that_are_significant() -> None:
    low, high, number = 0.2, 0.8, 9
    power = sum(
        comb(number, a) * low**a * (1 - low) ** (number - a) * comb(number, b) * high**b * (1 - high) ** (number - b)
        for a, b in product(range(number + 1), repeat=2)
        if p_value_by_counting(a, number, b, number) < 0.05
    )
    assert compare_rates(fewer=(1, number), more=(2, number), expected=(low, high)).power == pytest.approx(power)


def test_the_approximation_for_large_samples_agrees_with_the_exact_power() -> None:
    exact = compare_rates(fewer=(0, 1000), more=(0, 1000), expected=(0.5, 0.55)).power
    approximate = compare_rates(fewer=(0, 1001), more=(0, 1001), expected=(0.5, 0.55)).power
    assert approximate == pytest.approx(exact, abs=0.03)


def test_thirteen_and_seventeen_of_twenty_do_not_differ_significantly() -> None:
    test = compare_rates(fewer=(13, 20), more=(17, 20), expected=(0.58, 0.92))
    assert test.p_value > 0.1
    assert test.holds is None


def test_a_difference_in_the_wrong_direction_fails() -> None:
    assert compare_rates(fewer=(19, 20), more=(3, 20), expected=(0.5, 0.6)).holds is False


def test_equal_rates_in_a_large_sample_fail_a_claimed_difference() -> None:
    assert compare_rates(fewer=(50, 100), more=(50, 100), expected=(0.3, 0.7)).holds is False


def test_one_of_several_rates_is_tested_with_a_correction() -> None:
    low, full = (95, 100), (100, 100)
    alone = compare_rates(fewer=low, more=full, expected=(0.9, 1))
    test = compare_any_rate(fewer=[full, low, full], more=full, expected=(0.9, 1))
    assert test.p_value == pytest.approx(3 * alone.p_value)
    assert alone.holds
    assert test.holds is False
    assert 0.8 < test.power < alone.power
    assert compare_any_rate(fewer=[full, full], more=full, expected=(0.9, 1)).holds is False
    assert compare_any_rate(fewer=[full, (5, 5)], more=full, expected=(0.9, 1)).holds is None  # of the smallest group


def test_a_rate_agrees_unless_it_differs_significantly() -> None:
    assert compare_with_rate((90, 100), (92, 100)).p_value > 0.5
    assert compare_with_rate((60, 100), (92, 100)).p_value < 1e-6
    assert compare_with_rate((2, 2), (92, 100)).power < 0.2


def test_values_are_compared_by_ranks() -> None:
    rng = np.random.default_rng(7)
    few, many = rng.exponential(1, 40), rng.exponential(4, 40)
    assert compare_values(few, many, ratio=4).holds is True
    assert compare_values(many, few, ratio=4).holds is False
    assert compare_values(few, few, ratio=4).holds is False
    assert compare_values([1, 2, 3], [1, 2, 3], ratio=2).holds is None


@for_each("number", [5, 12, 13, 60])
def test_pairs_are_compared_by_signed_ranks(number: int) -> None:
    rng = np.random.default_rng(number)
    few = rng.exponential(1, number)
    many = few * rng.uniform(0.7, 1.9, number)
    test = compare_paired_values(few, many, ratio=1.2)
    for p_value, alternative in ((test.p_value, "greater"), (test.p_reversed, "less")):
        expected = wilcoxon(np.log(many / few), alternative=alternative, method="auto").pvalue
        assert p_value == pytest.approx(expected, abs=0.01)


def test_pairs_show_differences_that_groups_cannot() -> None:
    few = np.array([1.0, 10, 100, 1000, 10_000, 100_000])
    assert compare_paired_values(few, 1.1 * few, ratio=1.1).holds is True
    assert compare_values(few, 1.1 * few, ratio=1.1).holds is None
    assert compare_paired_values(1.1 * few, few, ratio=1.1).holds is False
    assert compare_paired_values(few[:4], 1.1 * few[:4], ratio=1.1).holds is None
    assert compare_paired_values([], [], ratio=2).holds is None


def test_a_zero_in_a_pair_is_the_smaller_value() -> None:
    assert compare_paired_values([0.0] * 6, [1.0] * 6, ratio=2).p_value == pytest.approx(1 / 64)
    assert compare_paired_values([0.0] * 6, [0.0] * 6, ratio=2).p_value == 1


def test_the_power_for_counts_does_not_leave_zeros_unchanged() -> None:
    few = [0.0] * 30 + [1.0] * 10
    assert compare_values(few, few, ratio=10).power < 0.3
    assert compare_values(few, few, ratio=10, runs_per_count=4).power > 0.9
    assert compare_values(few, few, ratio=1.05, runs_per_count=4).power < 0.3


def test_the_runs_of_a_puzzle_are_one_observation() -> None:
    runs = pl.DataFrame({"instance": ["a", "a", "b", "c"], "seconds": [1.0, 3.0, 5.0, None]})
    assert puzzle_means(runs, "seconds") == {"a": 2.0, "b": 5.0}
    other = pl.DataFrame({"instance": ["b", "c"], "seconds": [4.0, 9.0]})
    assert puzzle_pairs(runs, other, "seconds") == ([5.0], [4.0])


def test_rates_of_zero_and_one_have_a_power_in_large_samples() -> None:
    assert compare_rates(fewer=(0, 1500), more=(1500, 1500), expected=(0, 1)).power == 1


def test_a_lower_rate_has_a_p_value() -> None:
    assert p_value_of_lower_rate(fewer=(2, 7), more=(6, 8)) == pytest.approx(p_value_by_counting(2, 7, 6, 8))


def test_the_claimed_rates_may_differ_between_instances() -> None:
    rates = np.full(60, 0.5)
    easy = np.where(np.arange(60) < 50, 1.0, rates)  # most instances are always solved
    powers = [
        compare_paired_rates(rates, rates, expected=(low, np.minimum(1, low + 0.3)), runs=1).power
        for low in (rates, easy)
    ]
    assert powers[0] > 0.8
    assert powers[1] < 0.3


def test_four_differing_instances_cannot_be_significant() -> None:
    worse, better = [0.0] * 4 + [1.0] * 20, [1.0] * 24
    test = compare_paired_rates(worse, better, expected=(0.95, 1.0), runs=1)
    assert test.p_value > 0.05
    assert test.holds is None


def test_many_differing_instances_are_significant() -> None:
    assert compare_paired_rates([0.0] * 10, [1.0] * 10, expected=(0.2, 0.9), runs=1).holds is True


def test_claims_must_state_a_difference() -> None:
    with pytest.raises(ValueError, match="lower one first"):
        compare_rates(fewer=(1, 2), more=(1, 2), expected=(0.9, 0.1))
    with pytest.raises(ValueError, match="more than 1"):
        compare_values([1.0], [2.0], ratio=0.5)


def test_the_power_of_pairs_is_that_for_the_claimed_ratio_of_means() -> None:
    few = np.arange(1.0, 31)
    many = np.where(few <= 20, 1.01 * few, 50 * few)  # a strong effect on a third of the pairs
    ratio = many.mean() / few.mean()
    assert compare_paired_values(few, many, ratio=ratio).power > 0.9
    assert compare_paired_values(few, few * 1.5 ** np.resize([1, -1], 30), ratio=1.05).power < 0.3
