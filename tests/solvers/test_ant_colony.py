from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from sudokulab import Budget, Puzzle
from sudokulab.logic import ac3
from sudokulab.solvers import AntColony
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, random_instance
from tests.solvers.peer_propagation import slow_board

pytestmark = pytest.mark.native

HARD = random_instance((5, 5), 281, seed=3)
CELLS = 625


def test_pheromone_after_one_iteration() -> None:
    solver = AntColony(ants=1, rho=0.9, xi=0.1, evaporation=0.25)
    result = solver.solve(HARD, Budget(iterations=1), trace=True)
    num_fixed = int(result.stats["best_cells_fixed"])
    assert num_fixed < CELLS, "the test needs a first walk that fails"
    tau_0, best_value = 1 / CELLS, CELLS / (CELLS - num_fixed)  # eq. 5
    pheromone = result.matrices["pheromone"]
    assert pheromone.shape == (CELLS, 25)
    # eq. 4 leaves tau_0 unchanged, eq. 6 raises one digit per fixed cell
    raised = 0.1 * tau_0 + 0.9 * best_value
    assert np.isclose(pheromone, raised).sum() == num_fixed
    assert np.isclose(pheromone, tau_0).sum() == pheromone.size - num_fixed
    assert (np.isclose(pheromone, raised).sum(axis=1) <= 1).all()
    assert np.isclose(result.trace["best_value"][-1], best_value * 0.75)  # eq. 7


def test_the_best_value_evaporates_until_it_is_beaten() -> None:
    trace = AntColony(ants=2, evaporation=0.1).solve(HARD, Budget(iterations=60), trace=True).trace
    values = CELLS / (CELLS - trace["cells_fixed"][1:])  # eq. 5; the first row shows the state before the search
    expected, best = [0.0], 0.0
    for value in values:
        best = max(best, value) * 0.9  # eq. 7
        expected.append(best)
    np.testing.assert_allclose(trace["best_value"], expected)


def test_without_evaporation_the_best_value_only_grows() -> None:
    trace = AntColony(ants=2, evaporation=0).solve(HARD, Budget(iterations=60), trace=True).trace
    assert (np.diff(trace["best_value"]) >= 0).all()


def test_the_local_update_pulls_chosen_digits_towards_the_initial_value() -> None:
    # with rho = 0 no pheromone is deposited, and eq. 4 preserves tau_0: no digit may drift
    pheromone = AntColony(rho=0, xi=0.5).solve(HARD, Budget(iterations=5), trace=True).matrices["pheromone"]
    np.testing.assert_allclose(pheromone, 1 / CELLS)
    # two greedy walks of one ant: the second repeats some of the choices of the first
    result = AntColony(ants=1, q0=0, rho=0.5, xi=0.2, evaporation=0).solve(HARD, Budget(iterations=2), trace=True)
    tau_0, values = 1 / CELLS, CELLS / (CELLS - result.trace["cells_fixed"][1:])
    laid, best = 0.5 * tau_0 + 0.5 * values[0], values.max()
    only_laid, chosen_again = 0.5 * laid + 0.5 * best, 0.5 * (0.8 * laid + 0.2 * tau_0) + 0.5 * best
    pheromone = result.matrices["pheromone"]
    assert np.isclose(pheromone, chosen_again).any()
    assert np.isclose(pheromone, only_laid).any()


def greedy_walk(puzzle: Puzzle, start: int) -> bytes:
    """Walk over all cells from a start cell: each open cell gets its lowest value, which is propagated."""
    board = slow_board(puzzle)
    for step in range(len(puzzle.cells)):
        cell = (start + step) % len(puzzle.cells)
        if len(board.sets[cell]) > 1:
            board.set_cell(cell, min(board.sets[cell]))
    return board.cells


@for_each("puzzle", [Puzzle.empty(4), INKALA, random_instance((2, 3), 12, seed=4)])
def test_a_greedy_ant_walks_like_the_slow_one(puzzle: Puzzle) -> None:
    """Before the first deposit all values have equal pheromone. Walks continue after a contradiction."""
    walks = {greedy_walk(puzzle, start) for start in range(len(puzzle.cells))}
    greedy = AntColony(ants=1, q0=0)  # the random number always exceeds 0
    for seed in range(20):
        result = greedy.solve(puzzle, Budget(iterations=1), seed=seed)
        found = result.solution or result.best
        assert found is not None
        assert found.cells in walks


def test_a_choice_is_weighted_if_the_random_number_is_at_most_q0() -> None:
    walks = {greedy_walk(Puzzle.empty(4), start) for start in range(16)}
    weighted = AntColony(ants=1, q0=1)
    results = [weighted.solve(Puzzle.empty(4), Budget(iterations=1), seed=seed) for seed in range(60)]
    assert len({result.solution.cells for result in results if result.solution} - walks) > 10


@pytest.mark.parametrize(("propagation", "num_fixed"), [("peers", slow_board(EASY).num_fixed), ("singles", 81)])
def test_ants_start_from_the_propagated_puzzle(propagation: Literal["peers", "singles"], num_fixed: int) -> None:
    result = AntColony(propagation=propagation).solve(EASY, Budget(iterations=0))
    assert result.stats["best_cells_fixed"] == num_fixed


def test_there_can_be_more_ants_than_cells() -> None:
    result = AntColony(ants=300).solve(INKALA, Budget(iterations=1))  # more ants than cells
    assert result.stats["best_cells_fixed"] > 60


def test_ants_can_propagate_by_arc_consistency_alone() -> None:
    ants = AntColony(propagation="ac3")
    start = ants.solve(INKALA, Budget(iterations=0)).stats["best_cells_fixed"]
    assert start == (ac3(INKALA).sum(axis=2) == 1).sum()
    assert ants.solve(INKALA, Budget(seconds=20)).is_solved
