"""Statistics agree with textbooks, with scipy and with counts by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas
import polars as pl
import pytest
import scipy.stats

from sudokulab.errors import SudokulabError
from sudokulab.lab.curves import cactus, ecdf, performance_profile
from sudokulab.lab.measures import basis_of, par2
from sudokulab.lab.significance import compare_pairs, friedman, holm, pair_tests
from sudokulab.lab.statistics import cost_summary, expected_running_time, median, success_by, success_rate, summary
from tests.cases import for_each

BUDGET = 10.0

# Demšar (2006), table 6: AUC in thousandths of C4.5, with m, with cf, with both. The two 975 of the 13th data set have
# different ranks in print, so one of them is put a hair lower here.
DEMSAR: dict[str, list[float]] = {
    "C4.5": [763, 599, 954, 628, 882, 936, 661, 583, 775, 1000, 940, 619, 972, 957],
    "C4.5+m": [768, 591, 971, 661, 888, 931, 668, 583, 838, 1000, 962, 666, 981, 978],
    "C4.5+cf": [771, 590, 968, 654, 886, 916, 609, 563, 866, 1000, 965, 614, 975, 946],
    "C4.5+m+cf": [798, 569, 967, 657, 898, 931, 685, 625, 875, 1000, 962, 669, 974.9, 970],
}


def make_runs(
    times: Mapping[str, Sequence[Sequence[float | None]]], budget: float | None = BUDGET, **columns: Sequence[object]
) -> pl.DataFrame:
    """Return runs from the seconds of each solver on each instance; None is a failed run."""
    rows = [
        (solver, f"i{instance}", run, t is not None, (budget or BUDGET) if t is None else t, budget)
        for solver, instances in times.items()
        for instance, repeats in enumerate(instances)
        for run, t in enumerate(repeats)
    ]
    schema = {
        "solver": pl.String,
        "instance": pl.String,
        "run": pl.Int64,
        "is_success": pl.Boolean,
        "seconds": pl.Float64,
        "budget_seconds": pl.Float64,
    }
    return pl.DataFrame(rows, schema, orient="row").with_columns(**{k: pl.Series(v) for k, v in columns.items()})


def demsar_runs() -> pl.DataFrame:
    return make_runs({name: [[1000 - auc] for auc in aucs] for name, aucs in DEMSAR.items()})


def test_the_wilson_interval_of_8_in_10() -> None:
    rate, interval = success_rate(8, 10)
    assert rate == 0.8
    assert interval == pytest.approx((0.490, 0.943), abs=5e-4)


def test_the_wilson_interval_stays_within_0_and_1() -> None:
    assert success_rate(0, 20)[1] == pytest.approx((0, 0.161), abs=5e-4)
    assert success_rate(20, 20)[1] == pytest.approx((0.839, 1), abs=5e-4)


@for_each(("num_success", "num_runs"), [(0, 0), (3, 2), (-1, 2)])
def test_impossible_counts_are_refused(num_success: int, num_runs: int) -> None:
    with pytest.raises(ValueError, match="pass at least one run"):
        success_rate(num_success, num_runs)


def test_failed_runs_count_twice_their_budget() -> None:
    assert par2([1, 3, 5], [True, True, False], 5) == pytest.approx((1 + 3 + 10) / 3)
    assert par2([1, 3, 5], [True, False, False], [9, 3, 5]) == pytest.approx((1 + 6 + 10) / 3)
    assert par2([1, 3], [True, True], None) == 2
    assert par2([1, 3], [True, False], None) == math.inf
    assert par2([1, 3], [True, False], [math.nan, 4]) == 4.5


def test_expected_running_time_is_all_time_over_the_successes() -> None:
    seconds, is_success = [2.0, 4.0, 10.0, 10.0], [True, True, False, False]
    expected, (low, high) = expected_running_time(seconds, is_success)
    assert expected == 26 / 2
    assert 0 < low < expected < high == math.inf  # one in 16 resamples has no success
    assert expected_running_time([5, 5], [False, False]) == (math.inf, (math.inf, math.inf))
    assert expected_running_time([0, 0], [True, True])[0] == 0


def test_expected_running_time_of_equal_successes_is_certain() -> None:
    expected, interval = expected_running_time([3, 3, 3], [True] * 3)
    assert (expected, *interval) == pytest.approx((3, 3, 3))


def test_a_median_lies_within_its_interval() -> None:
    middle, (low, high) = median([1.0, 2.0, 3.0])
    assert middle == 2
    assert 1 <= low <= 2 <= high <= 3
    assert median([1.0, 2.0, 3.0], seed=3) == median([1.0, 2.0, 3.0], seed=3)


def test_no_values_have_no_median_and_one_value_has_no_interval() -> None:
    assert np.isnan([median([])[0], *median([])[1]]).all()
    middle, interval = median([7.0])
    assert middle == 7
    assert np.isnan(interval).all()


def test_bootstrap_intervals_of_the_median_have_the_stated_coverage() -> None:
    rng = np.random.default_rng(1)
    intervals = [median(rng.exponential(size=40), seed=i)[1] for i in range(120)]
    covered = np.mean([low <= math.log(2) <= high for low, high in intervals])
    assert 0.9 <= covered < 1
    narrow = [median(rng.exponential(size=40), confidence=0.5, seed=i)[1] for i in range(100)]
    assert 0.35 <= np.mean([low <= math.log(2) <= high for low, high in narrow]) <= 0.65


def test_bootstrap_intervals_of_the_expected_time_have_the_stated_coverage() -> None:
    rng = np.random.default_rng(2)  # success with probability 1/2 after 1 s: two runs, two seconds
    intervals = [expected_running_time(np.ones(50), rng.random(50) < 0.5, seed=i)[1] for i in range(120)]
    assert 0.9 <= np.mean([low <= 2 <= high for low, high in intervals]) < 1


def test_a_summary_has_a_row_per_solver() -> None:
    frame = summary(make_runs({"b": [[1, 2], [3, None]], "a": [[None, None], [None, None]]}))
    never, other = frame.iter_rows(named=True)
    assert (never["solver"], never["num_runs"], never["num_success"]) == ("a", 4, 0)
    assert (never["median_seconds"], never["median_low"], never["mean_seconds"]) == (math.inf, math.inf, None)
    assert (never["par2"], never["expected_seconds"]) == (20, math.inf)
    assert (other["solver"], other["num_runs"], other["num_success"], other["success_rate"]) == ("b", 4, 3, 0.75)
    assert (other["success_low"], other["success_high"]) == success_rate(3, 4)[1]
    assert (other["median_seconds"], other["median_high"]) == (2.5, math.inf)
    assert (other["median_solved_seconds"], other["mean_seconds"]) == (2, 2)
    assert (other["par2"], other["expected_seconds"]) == (26 / 4, 16 / 3)


def test_a_solver_that_fails_more_has_no_smaller_median() -> None:
    frame = summary(make_runs({"fails": [[1, None, None]], "solves": [[1, 2, 3]]}))
    assert frame.select("solver", "median_seconds", "median_solved_seconds").rows() == [
        ("fails", math.inf, 1),
        ("solves", 2, 2),
    ]


def test_a_summary_does_not_depend_on_the_order_of_the_rows() -> None:
    rng = np.random.default_rng(3)
    runs = make_runs({name: rng.exponential(size=(5, 4)).tolist() for name in "ab"})
    assert summary(runs).equals(summary(runs.sample(fraction=1, shuffle=True, seed=1)))
    assert not summary(runs).equals(summary(runs, seed=1))


def test_a_summary_can_be_split_by_further_columns() -> None:
    runs = make_runs({"a": [[1], [None]], "b": [[2], [3]]}, instance_set=["easy", "hard"] * 2)
    frame = summary(runs, by=("instance_set",))
    assert frame.select("instance_set", "solver", "num_success").rows() == [
        ("easy", "a", 1),
        ("easy", "b", 1),
        ("hard", "a", 0),
        ("hard", "b", 1),
    ]
    assert frame.filter(instance_set="easy").drop("instance_set").equals(summary(runs.filter(instance_set="easy")))


def test_a_summary_of_nothing_is_empty() -> None:
    assert summary(make_runs({})).is_empty()


def test_a_phase_transition_has_a_row_per_solver_and_value() -> None:
    frame = success_by(
        make_runs({"a": [[1, None], [2, 2]], "b": [[1, 1], [1, 1]]}, fixed=[0.5, 0.5, 0.1, 0.1] * 2), "fixed"
    )
    assert frame.select("solver", "fixed", "success_rate").rows() == [
        ("a", 0.1, 1.0),
        ("a", 0.5, 0.5),
        ("b", 0.1, 1.0),
        ("b", 0.5, 1.0),
    ]


def test_missing_columns_are_named() -> None:
    with pytest.raises(SudokulabError, match="missing columns seconds, fixed"):
        summary(make_runs({"a": [[1]]}).drop("seconds"), by=("fixed",))


def test_holm_steps_down() -> None:
    # 0.01 · 4, 0.02 · 3, 0.03 · 2, and 0.04 · 1 raised to the one before
    assert holm([0.01, 0.04, 0.03, 0.02]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.005, 0.011, 0.02, 0.04, 0.13]) == pytest.approx([0.025, 0.044, 0.06, 0.08, 0.13])
    assert holm([0.9, 0.8]).tolist() == [1, 1]
    assert holm([]).tolist() == []


def test_wilcoxon_gives_demsars_t_of_12() -> None:
    row = compare_pairs(demsar_runs().filter(pl.col("solver").is_in(["C4.5", "C4.5+m"]))).row(0, named=True)
    assert row["statistic"] == 12  # below 21, the critical value for 14 data sets
    assert row["num_a"] == row["num_b"] == 14
    assert row["p_value"] == row["p_holm"] < 0.05
    assert row["is_significant"]
    assert row["better"] == "C4.5+m"


def test_all_pairs_are_corrected_together() -> None:
    frame = compare_pairs(demsar_runs())
    assert len(frame) == 6
    assert frame["p_holm"].to_numpy() == pytest.approx(holm(frame["p_value"].to_numpy()))
    assert frame["is_significant"].to_list() == [p < 0.05 for p in frame["p_holm"]]
    assert compare_pairs(demsar_runs(), confidence=0.5)["is_significant"].sum() > frame["is_significant"].sum()


def test_wilcoxon_compares_means_over_the_runs_on_an_instance() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.exponential(1, (12, 5)), rng.exponential(2, (12, 5))
    row = compare_pairs(make_runs({"a": a.tolist(), "b": b.tolist()})).row(0, named=True)
    expected = scipy.stats.wilcoxon(a.mean(axis=1), b.mean(axis=1))
    assert (row["statistic"], row["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))


@for_each("num_runs", [5, 70])
def test_mann_whitney_on_one_instance_is_that_of_scipy(num_runs: int) -> None:
    rng = np.random.default_rng(5)
    a, b = rng.exponential(1, num_runs), rng.exponential(1.5, num_runs)
    row = compare_pairs(make_runs({"a": [a.tolist()], "b": [b.tolist()]}, 1000), "mann-whitney").row(0, named=True)
    expected = scipy.stats.mannwhitneyu(a, b)
    assert (row["statistic"], row["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert row["effect_size"] == pytest.approx(1 - expected.statistic / num_runs**2)
    assert (row["num_a"], row["num_b"]) == (num_runs, num_runs)


def test_mann_whitney_counts_all_assignments_of_the_runs_within_each_instance() -> None:
    times: dict[str, list[list[float]]] = {"a": [[1, 4, 4], [20, 25]], "b": [[3, 5], [21, 21, 30]]}
    row = compare_pairs(make_runs(times, 1000), "mann-whitney").row(0, named=True)
    sums = [
        [sum(scipy.stats.rankdata(a + b)[list(chosen)]) for chosen in itertools.combinations(range(5), len(a))]
        for a, b in zip(*times.values(), strict=True)
    ]
    observed = [group[0] for group in sums]
    middle = sum(float(np.mean(group)) for group in sums)
    totals = np.add.outer(*sums).ravel()
    assert row["p_value"] == pytest.approx(np.mean(np.abs(totals - middle) >= abs(sum(observed) - middle) - 1e-9))
    assert (row["num_a"], row["num_b"]) == (5, 5)
    assert row["p_least"] == 2 / 100


def test_hard_instances_do_not_hide_a_difference_on_each_instance() -> None:
    times = {
        "a": [[s * t for t in (1, 2, 3)] for s in (1, 9, 81)],
        "b": [[s * t for t in (4, 5, 6)] for s in (1, 9, 81)],
    }
    row = compare_pairs(make_runs(times, 1000), "mann-whitney").row(0, named=True)
    pooled = scipy.stats.mannwhitneyu(*(np.ravel(times[name]) for name in "ab"))
    assert pooled.pvalue > 0.2
    assert (row["p_value"], row["p_least"]) == pytest.approx((2 / 20**3, 2 / 20**3))
    assert row["effect_size"] == 1


def test_too_few_instances_are_stated() -> None:
    six = pair_tests(make_runs({name: [[t]] * 6 for t, name in enumerate("abcd", start=1)}))
    assert "p is 0.031 or more, 0.19 after Holm's correction. Add instances." in six.limit_note
    assert six.table["p_least"].unique().to_list() == [2 / 2**6]
    assert not six.table["is_significant"].any()
    three_runs = pair_tests(make_runs({"a": [[1, 2, 3]], "b": [[7, 8, 9]]}))
    assert "p is 0.1 or more. Add instances or runs." in three_runs.limit_note
    assert three_runs.table["p_value"].to_list() == [0.1]
    assert pair_tests(make_runs({"a": [[1, 2, 3, 4]], "b": [[6, 7, 8, 9]]})).limit_note == ""
    assert pair_tests(make_runs({"a": [[1]], "b": [[1]]}).clear()).limit_note == ""


@pytest.mark.parametrize("test", ["wilcoxon", "mann-whitney"])
def test_the_solver_that_succeeds_more_often_is_better(test: str) -> None:
    runs = make_runs({"often": [[9, 9, 9]] * 20, "seldom": [[1, None, None]] * 20})
    row = compare_pairs(runs, test, "success").row(0, named=True)  # type: ignore[arg-type]
    assert row["better"] == "often"
    assert row["is_significant"]


@for_each("test", ["wilcoxon", "mann-whitney"])
@for_each("measure", ["par2", "success"])
def test_equal_solvers_do_not_differ(test: str, measure: str) -> None:
    inputs: list[tuple[list[list[float | None]], float | None]] = [
        ([[1, 2], [3, None]], BUDGET),
        ([[None]] * 30, None),
        ([[1]], BUDGET),
    ]
    for times, budget in inputs:
        runs = make_runs({"a": times, "b": times}, budget)
        row = compare_pairs(runs, test, measure).row(0, named=True)  # type: ignore[arg-type]
        assert (row["p_value"], row["p_holm"], row["is_significant"], row["better"]) == (1, 1, False, None)


def test_failures_without_a_budget_are_worse_than_any_time() -> None:
    runs = make_runs({"fails": [[None]] * 9 + [[1]], "slow": [[1e6]] * 10}, budget=None)
    for test in ("wilcoxon", "mann-whitney"):
        row = compare_pairs(runs, test).row(0, named=True)
        assert row["better"] == "slow"
        assert row["p_value"] < 0.05


def test_a_single_common_instance_or_none_shows_nothing() -> None:
    assert compare_pairs(make_runs({"a": [[1]], "b": [[2]]}))["p_value"].to_list() == [1]
    apart = make_runs({"a": [[1]], "b": [[], [2]]})
    assert compare_pairs(apart).select("num_a", "p_value", "better").row(0) == (0, 1, None)


def test_errors_name_the_requirements_of_a_test() -> None:
    with pytest.raises(SudokulabError, match="two or more solvers, got 1"):
        compare_pairs(make_runs({"a": [[1]]}))
    with pytest.raises(SudokulabError, match="unknown test 't'"):
        compare_pairs(make_runs({"a": [[1]]}), "t")  # type: ignore[arg-type]
    with pytest.raises(SudokulabError, match="unknown measure 'speed'"):
        compare_pairs(make_runs({"a": [[1]]}), measure="speed")  # type: ignore[arg-type]
    with pytest.raises(SudokulabError, match="three or more solvers, got 2"):
        friedman(make_runs({"a": [[1]], "b": [[1]]}))
    with pytest.raises(SudokulabError, match="two instances that all solvers ran on, got 1"):
        friedman(make_runs({"a": [[1], [1]], "b": [[1], [1]], "c": [[1]]}))


def test_friedman_gives_demsars_ranks_and_critical_difference() -> None:
    result = friedman(demsar_runs())
    assert result.num_instances == 14
    assert list(result.mean_ranks) == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
    assert list(result.mean_ranks.values()) == pytest.approx([1.964, 2.000, 2.893, 3.143], abs=5e-4)
    assert result.critical_difference == pytest.approx(1.25, abs=5e-3)
    # printed without correction for ties: 3 pairs and all 4 on one data set
    assert result.chi2 * (1 - (3 * 6 + 60) / (14 * 60)) == pytest.approx(9.28, abs=5e-3)
    assert result.p_value == pytest.approx(scipy.stats.chi2.sf(result.chi2, 3))
    assert result.cliques == [tuple(result.mean_ranks)]  # at 0.05, 3.143 - 1.964 is not enough
    looser = friedman(demsar_runs(), confidence=0.9)
    assert looser.critical_difference == pytest.approx(1.12, abs=5e-3)
    assert looser.cliques == [("C4.5+m+cf", "C4.5+m", "C4.5+cf"), ("C4.5+cf", "C4.5")]


def test_friedman_uses_only_instances_that_all_solvers_ran_on() -> None:
    times = {"a": [[1], [1], [9]], "b": [[2], [2], [1]], "c": [[3], [3]]}
    result = friedman(make_runs(times))
    assert result.num_instances == 2
    assert result.mean_ranks == {"a": 1, "b": 2, "c": 3}


def test_friedman_finds_no_difference_between_equal_solvers() -> None:
    result = friedman(make_runs({name: [[None]] * 5 for name in "abc"}, budget=None))
    assert (result.chi2, result.p_value) == (0, 1)
    assert result.cliques == [("a", "b", "c")]


def test_cliques_overlap_and_leave_out_single_solvers() -> None:
    # ranks 1, 2, 3, 4 on 20 instances: neighbours are within 1.05, and no others
    result = friedman(make_runs({name: [[t]] * 20 for t, name in enumerate("abcd", start=1)}))
    assert result.cliques == [("a", "b"), ("b", "c"), ("c", "d")]
    assert friedman(make_runs({name: [[t]] * 40 for t, name in enumerate("abcd", start=1)})).cliques == []


def test_an_ecdf_ends_at_the_success_rate() -> None:
    times, shares = ecdf([3, 1, 2], 4)
    assert times.tolist() == [1, 2, 3]
    assert shares.tolist() == [0.25, 0.5, 0.75]
    assert ecdf([], 4)[1].tolist() == []
    with pytest.raises(ValueError, match="2 successes in 1 runs"):
        ecdf([1, 1], 1)


def test_a_profile_counts_instances_within_a_ratio_of_the_best() -> None:
    runs = make_runs({"a": [[1], [4], [1], [None]], "b": [[2], [2], [None], [None]]})
    assert performance_profile(runs).rows() == [("a", 1, 0.5), ("a", 2, 0.75), ("b", 1, 0.25), ("b", 2, 0.5)]


def test_a_profile_takes_means_with_penalties_or_medians() -> None:
    runs = make_runs({"a": [[2, 2, 2]], "b": [[1, 1, None]], "c": [[1, None, None]]})
    means = {solver: ratio for solver, ratio, _ in performance_profile(runs).rows()}
    assert means == pytest.approx({"a": 1, "b": 22 / 6, "c": 41 / 6})
    medians = {solver: ratio for solver, ratio, _ in performance_profile(runs, "median").rows()}
    assert medians == {"a": 2, "b": 1}
    with pytest.raises(SudokulabError, match="choose par2 or median"):
        performance_profile(runs, "best")  # type: ignore[arg-type]


def test_a_cactus_sorts_the_solved_runs() -> None:
    runs = make_runs({"a": [[3], [1], [None], [2]], "b": [[None]] * 4, "c": [[5]]})
    assert cactus(runs).rows() == [("a", 1, 1), ("a", 2, 2), ("a", 3, 3), ("c", 1, 5)]


@for_each(("a", "b", "a12"), [([1, 2], [3, 4], 1.0), ([3, 4], [1, 2], 0.0), ([1, 3], [2, 3], 0.625)])
def test_a12_is_the_probability_of_beating_the_other_solver(a: list[float], b: list[float], a12: float) -> None:
    row = compare_pairs(make_runs({"a": [a], "b": [b]}), "mann-whitney").row(0, named=True)
    assert (row["effect"], row["effect_size"]) == ("A12", a12)  # 2.5 of 4 pairs in the last case
    assert row["better"] == (None if a12 == 0.5 else "a" if a12 > 0.5 else "b")


def test_the_rank_biserial_correlation_is_the_difference_of_the_rank_sums() -> None:
    # differences 1, 2, 3, 4 with ranks 1 to 4: 9 of 10 in favour of a, 1 of 10 in favour of b
    runs = make_runs({"a": [[2], [1], [1], [1]], "b": [[1], [3], [4], [5]]})
    row = compare_pairs(runs, "wilcoxon").row(0, named=True)
    assert (row["effect"], row["better"]) == ("rank-biserial", "a")
    assert row["effect_size"] == pytest.approx(0.8)
    equal = compare_pairs(make_runs({"a": [[1], [2]], "b": [[1], [2]]})).row(0, named=True)
    assert (equal["effect_size"], equal["better"]) == (0, None)
    apart = compare_pairs(make_runs({"a": [[1]], "b": [[], [2]]})).row(0, named=True)
    assert apart["effect_size"] is None


def unsolved(costs: Mapping[str, Sequence[float | None]]) -> pl.DataFrame:
    """Return failed runs with these final costs, all on one instance."""
    runs = make_runs({solver: [[None] * len(values)] for solver, values in costs.items()})
    return runs.with_columns(cost=pl.Series([value for values in costs.values() for value in values], dtype=pl.Float64))


def test_times_are_compared_if_a_run_was_solved() -> None:
    runs = make_runs({"a": [[1, 2]], "b": [[None, None]]}).with_columns(cost=pl.lit(1.0))
    assert basis_of(runs).measure == "par2"
    assert pair_tests(runs).table["measure"].to_list() == ["par2"]


def test_costs_are_compared_if_no_run_was_solved() -> None:
    runs = unsolved({"a": [5, 6, 7, 8, 5, 6], "b": [1, 2, 3, 1, 2, 3]})
    tests = pair_tests(runs)
    assert tests.basis.note == "No run was solved: final costs are compared."
    row = tests.table.row(0, named=True)
    assert (row["measure"], row["better"], row["effect_size"], row["is_significant"]) == ("cost", "b", 0, True)
    summed = cost_summary(runs).rows_by_key("solver", named=True, unique=True)
    assert (summed["a"]["best_cost"], summed["a"]["median_cost"]) == (5, 6)
    assert (summed["b"]["best_cost"], summed["b"]["median_cost"], summed["b"]["num_success"]) == (1, 2, 0)


def test_solvers_without_costs_are_named_and_left_out() -> None:
    tests = pair_tests(unsolved({"a": [5, 6], "b": [1, None], "c": [None, None]}))
    assert tests.basis.note == (
        "No run was solved: the final costs of a, b are compared. No cost reported: c. "
        "Runs without a cost (1) count as worse than any cost."
    )
    assert tests.table.select("solver_a", "solver_b").rows() == [("a", "b")]


@pytest.mark.parametrize("costs", [{"a": [None], "b": [None]}, {"a": [None], "b": [3.0]}])
def test_without_costs_nothing_is_compared(costs: dict[str, list[float | None]]) -> None:
    tests = pair_tests(unsolved(costs))
    assert tests.table.is_empty()
    assert "No run was solved" in tests.basis.note


def test_frames_of_pandas_give_the_same_statistics_as_frames_of_polars() -> None:
    runs = make_runs({"a": [[1, 2, None], [3, 4, 5]], "b": [[2, None, None], [1, 9, 2]], "c": [[1, 1, 1], [2, 2, 2]]})
    runs = runs.with_columns(cost=pl.Series([0.0, None] * 9), budget_seconds=pl.Series([10.0, None] * 9))
    other = pandas.DataFrame(runs.to_dict(as_series=False))
    for function in (summary, cost_summary, compare_pairs, performance_profile, cactus):
        assert function(other).equals(function(runs)), function.__name__
    assert success_by(other, "run").equals(success_by(runs, "run"))
    assert pair_tests(other).table.equals(pair_tests(runs).table)
    assert friedman(other) == friedman(runs)
    with pytest.raises(SudokulabError, match="list is no table of runs"):
        summary([])  # type: ignore[arg-type]
