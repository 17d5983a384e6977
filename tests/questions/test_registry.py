"""Solver plug-ins: solvers of other packages, discovered through entry points."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint

import pytest

from sudokulab import Budget, Puzzle, Result, Solver, Status, solve
from sudokulab.search.trace import Trace
from sudokulab.solvers import all_solvers, make_solver, registry
from tests.puzzles import EASY


class Guest(Solver):
    """A solver that delegates to the default solver.

    References
    ----------
    None: for this test only.
    """

    name = "guest"
    unit = "iterations"

    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> Result:
        return Result(Status.SOLVED, puzzle, self.name, solution=solve(puzzle).solution, stats={"iterations": 1})


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    def pretend(**entries: str) -> None:
        found = [EntryPoint(name, value, "sudokulab.solvers") for name, value in entries.items()]
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found)
        registry._plugins.cache_clear()

    yield pretend
    monkeypatch.undo()
    registry._plugins.cache_clear()


def test_a_plug_in_works_like_any_other_solver(install: Install) -> None:
    install(guest=f"{__name__}:Guest")
    assert all_solvers()["guest"] is Guest
    assert make_solver("guest").solve(EASY).is_solved
    assert solve(EASY, "guest").solver == "guest"


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (f"{__name__}:EASY", "is not a class derived from sudokulab.Solver"),
        (f"{__name__}:Missing", "has no attribute"),
        ("no_such_package:X", "No module named"),
    ],
)
def test_a_broken_plug_in_is_skipped_with_a_warning(install: Install, value: str, complaint: str) -> None:
    install(guest=value)
    with pytest.warns(UserWarning, match="skipping solver plug-in 'guest'") as caught:
        assert "guest" not in all_solvers()
    assert complaint in str(caught[0].message)
    assert make_solver("backtracking").solve(EASY).is_solved


def test_a_plug_in_must_be_registered_under_its_own_name(install: Install) -> None:
    install(stranger=f"{__name__}:Guest")
    with pytest.warns(UserWarning, match="the class is named 'guest'"):
        assert "stranger" not in all_solvers()
