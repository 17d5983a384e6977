"""Times on large grids: solved instances, ratios and their baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sudokulab import Budget, Puzzle, Result, Solver
from sudokulab.bench.large import TimedRun, Times, measure, reference_among
from sudokulab.instances import fixed_fraction
from sudokulab.parameters import parameters
from sudokulab.search.trace import Trace
from sudokulab.solvers import Backtracking
from tests.cases import for_each
from tests.lab.cheats import Denier, Raise, WrongGrid, WrongGridChecked

GRIDS = [fixed_fraction(16, fixed=0.6, seed=seed) for seed in range(3)]
SECOND = Budget(seconds=1)


@parameters
class Encoding(Solver):
    """Reports nearly all of its time as encoding, and solves every other grid."""

    name = "encoding"
    unit = None

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        if seed % 2:
            return self._failure(puzzle, seed, "")
        return replace(
            Backtracking().run(puzzle, budget, seed, trace), solver=self.name, stats={"search_seconds": 1e-9}
        )


def test_solvers_take_turns_on_every_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    solve = Solver.solve

    def noted(
        self: Solver, puzzle: Puzzle, budget: Budget | None = None, *, seed: int = 0, trace: bool = False
    ) -> Result:
        order.append(self.name)
        return solve(self, puzzle, budget, seed=seed, trace=trace)

    monkeypatch.setattr(Solver, "solve", noted)
    ours, other = measure([Backtracking(), Encoding()], GRIDS, SECOND, progress=False)
    assert order == ["backtracking", "encoding", "encoding", "backtracking", "backtracking", "encoding"]
    assert ours.solved == {0, 1, 2}
    assert other.solved == {0, 2}
    assert not ours.complaints + other.complaints


def test_a_ratio_compares_search_times_where_both_succeed() -> None:
    ours = Times("ours", False, [TimedRun(True, 2, 2), TimedRun(True, 4, 4), TimedRun(False, 9, 9)])
    theirs = Times("theirs", True, [TimedRun(True, 5, 3), TimedRun(False, 9, 9), TimedRun(True, 5, 1)])
    assert ours.ratio_to(theirs) == 1.5
    assert theirs.ratio_to(ours) == pytest.approx(2 / 3)
    assert ours.ratio_to(Times("none", True, [TimedRun(False, 1, 1)] * 3)) is None
    assert theirs.statistics == {
        "mean_seconds": 5,
        "median_seconds": 5,
        "longest_seconds": 5,
        "mean_search_seconds": 2,
    }


def test_encoding_and_search_are_timed_separately() -> None:
    (times,) = measure([Encoding()], GRIDS[:1], SECOND, progress=False)
    assert times.runs[0].search_seconds == 1e-9 < times.runs[0].seconds


@for_each("cheat", [WrongGrid(), WrongGridChecked(), Denier()], ids=lambda cheat: type(cheat).__name__)
def test_a_wrong_answer_does_not_count_as_solved(cheat: Solver) -> None:
    (times,) = measure([cheat], GRIDS[:1], SECOND, progress=False)
    assert not times.solved
    assert times.complaints[0].startswith("wrong: ")


def test_a_failing_solver_does_not_affect_the_others() -> None:
    broken, ours = measure([Raise(), Backtracking()], GRIDS, SECOND, progress=False)
    assert broken.complaints == ["failed: RuntimeError: out of ideas"] * 3
    assert len(ours.solved) == 3
    assert broken.statistics == {}


def test_the_baseline_is_the_rival_that_solves_most_and_fastest() -> None:
    ours = Times("ours", False, [TimedRun(True, 1, 1)] * 2)
    few = Times("few", True, [TimedRun(True, 1, 1), TimedRun(False, 9, 9)])
    slow, quick = (Times(name, True, [TimedRun(True, 9, seconds)] * 2) for name, seconds in [("slow", 5), ("quick", 4)])
    assert reference_among([ours, few, slow, quick]) is quick
    assert reference_among([ours, few, slow, quick], "few") is few
    assert reference_among([ours]) is ours
