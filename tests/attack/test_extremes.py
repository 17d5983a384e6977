"""The largest and smallest values that parameters, budgets and viewers accept: no arithmetic may overflow.

The sanitizers see an overflow even where it has no visible effect.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from sudokulab import Budget, Solver, _core, count, generate, rate, solutions, solve
from sudokulab.parameters import parameter_schemas
from sudokulab.questions import redundant_givens
from sudokulab.search.budget import MAX_COUNT
from sudokulab.search.frames import _MAX_STEPS, LiveView
from sudokulab.solvers import SOLVERS, make_solver
from tests.cases import for_each
from tests.puzzles import INKALA, TINY

pytestmark = pytest.mark.native

BOUNDS = ("minimum", "maximum")


def extremes() -> list[tuple[str, str, float]]:
    return [
        (name, parameter, schema[bound])
        for name, cls in SOLVERS.items()
        for parameter, schema in parameter_schemas(cls).items()
        for bound in BOUNDS
        if bound in schema
    ]


WITHIN_LIMITS: dict[str, dict[str, float]] = {
    "elite": {"population": 1000},
    "social": {"cognitive": 0},
    "cognitive": {"social": 0},
    "three_swap": {"insertion": 0},
    "insertion": {"three_swap": 0},
}
"""Values of other parameters that a parameter must not exceed, or add up to too much with."""


@for_each(("name", "parameter", "value"), extremes())
def test_every_parameter_can_have_its_extreme_values(name: str, parameter: str, value: float) -> None:
    solver = make_solver(name, **{parameter: value, **WITHIN_LIMITS.get(parameter, {})})
    for puzzle, number in ((TINY, 20), (INKALA, 2)):  # cheap enough for a debug build
        assert solver.solve(puzzle, steps(solver, number)).stats[str(solver.unit)] <= number


def steps(solver: Solver, number: int) -> Budget:
    return Budget(**{str(solver.unit): number})  # type: ignore[arg-type]


@for_each("name", SOLVERS)
def test_every_solver_accepts_the_largest_budget(name: str) -> None:
    solver = make_solver(name)
    assert solver.solve(TINY, replace(steps(solver, MAX_COUNT), seconds=1e300)).is_solved


def test_questions_accept_the_largest_limits() -> None:
    nodes = Budget(nodes=MAX_COUNT, seconds=1e300)
    attempts = Budget(iterations=MAX_COUNT, seconds=1e300)
    assert count("." * 16, limit=MAX_COUNT, budget=nodes) == 288
    assert len(list(solutions("." * 16, budget=nodes))) == 288
    assert redundant_givens(INKALA, nodes) == []
    assert rate(INKALA, budget=Budget(seconds=1e300)).is_rated
    assert len(list(generate(1, seed=2**64 - 1, budget=attempts))) == 1


def test_a_paused_run_can_be_stopped_after_any_number_of_steps() -> None:
    for step in (0, 1, 383, _MAX_STEPS, MAX_COUNT):
        view = _core.LiveView(4)
        view.begin(bytes(81))
        view.pause()
        view.stop()
        assert view.offer(step, 0.0, [], [], bytes(81))


def test_requested_steps_and_speeds_can_be_as_large_as_possible() -> None:
    view = LiveView()
    view.set_speed(_MAX_STEPS, 0.01)
    for _ in range(10_000):
        view.step(_MAX_STEPS)  # together more than 2**63
    assert solve(INKALA, "annealing", Budget(iterations=1000), frames=view).stats["iterations"] == 1000
    assert [frame.step for frame in view.take()] == [0, 1000]
