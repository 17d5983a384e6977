"""Iterated local search, compared with slow and obvious versions of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from sudokulab import Budget, IteratedLocalSearch, Puzzle, _core, ac3, parse
from tests.puzzles import EASY, INKALA, SMALL, random_instance
from tests.solvers.test_genetic import boxes_of, native_state, random_state

pytestmark = pytest.mark.native

STEP_BY_STEP = Budget(iterations=1000)  # few enough to have every step in the trace


def peers(puzzle: Puzzle) -> list[set[int]]:
    size = puzzle.size
    rows = [list(range(row * size, (row + 1) * size)) for row in range(size)]
    cols = [list(range(col, size * size, size)) for col in range(size)]
    units = rows + cols + boxes_of(puzzle)
    return [{peer for unit in units if cell in unit for peer in unit} - {cell} for cell in range(size * size)]


def in_conflict(puzzle: Puzzle, cells: bytes) -> set[int]:
    return {cell for cell, others in enumerate(peers(puzzle)) if any(cells[cell] == cells[other] for other in others)}


def completions(puzzle: Puzzle, cells: bytearray) -> Iterator[bytes]:
    """Yield every way to fill the empty cells, by plain backtracking in reading order."""
    if 0 not in cells:
        yield bytes(cells)
        return
    empty = cells.index(0)
    for digit in set(range(1, puzzle.size + 1)) - {cells[peer] for peer in peers(puzzle)[empty]}:
        cells[empty] = digit
        yield from completions(puzzle, cells)
    cells[empty] = 0


def emptied(puzzle: Puzzle, cells: bytes) -> bytearray:
    """Return the grid without the open cells in conflict."""
    conflicts = in_conflict(puzzle, cells)
    return bytearray(0 if cell in conflicts and not puzzle.cells[cell] else cells[cell] for cell in range(len(cells)))


@pytest.mark.parametrize("box", [(2, 2), (2, 3)])
def test_a_perturbation_empties_and_refills_the_cells_in_conflict(box: tuple[int, int]) -> None:
    outcomes = set()
    for seed in range(30):
        puzzle = random_instance(box, 6, seed)
        cells = random_state(puzzle, seed)
        rest = emptied(puzzle, cells)
        perturbed = _core.perturb(native_state(puzzle, cells), 0, 1_000_000, seed)
        assert all(digit in (0, other) for digit, other in zip(rest, perturbed.grid, strict=True))
        assert all(len({perturbed.grid[cell] for cell in b}) == puzzle.size for b in boxes_of(puzzle))
        can_be_filled = next(completions(puzzle, rest), None) is not None
        assert (perturbed.cost == 0) == can_be_filled
        outcomes.add(can_be_filled)
    assert outcomes == {True, False}


def test_the_reset_factor_is_the_share_of_further_cells_to_empty() -> None:
    cells = random_state(SMALL, 3)
    quiet = [cell for cell in range(36) if not SMALL.cells[cell] and cell not in in_conflict(SMALL, cells)]
    assert len(quiet) > 3

    def num_changed(share: float) -> list[int]:
        grids = [_core.perturb(native_state(SMALL, cells), share, 0, seed).grid for seed in range(300)]
        return [sum(grid[cell] != cells[cell] for cell in quiet) for grid in grids]

    assert max(num_changed(0)) == 0
    for share in (0.3, 0.6):
        assert 0 < max(num_changed(share)) <= share * len(quiet)
    assert max(num_changed(1)) > 0.6 * len(quiet)


def test_arc_consistency_fixes_cells_before_the_search() -> None:
    num_fixed = int((ac3(INKALA).sum(axis=2) == 1).sum())
    stats = IteratedLocalSearch().solve(INKALA, Budget(iterations=1)).stats
    assert stats["share_fixed"] == pytest.approx(num_fixed / 81)


def test_with_zero_acceptance_only_the_first_swap_of_a_local_search_may_raise_the_cost() -> None:
    solver = IteratedLocalSearch(acceptance=0, local_iterations=20)
    trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
    assert np.diff(trace["iterations"]).max() == 1  # every step is in the trace
    rises = np.flatnonzero(np.diff(trace["cost"]) > 0)
    is_first = np.diff(trace["perturbations"], prepend=-1) > 0
    assert all(is_first[step] or is_first[step + 1] for step in rises)
    assert trace["perturbations"][-1] > 5


def test_acceptance_lets_the_cost_rise() -> None:
    def num_rises(acceptance: float) -> int:
        solver = IteratedLocalSearch(acceptance=acceptance, local_iterations=10_000)
        return int((np.diff(solver.solve(INKALA, STEP_BY_STEP, trace=True).trace["cost"]) > 0).sum())

    assert num_rises(0) <= 1
    assert 10 < num_rises(0.15) < num_rises(1)


def test_a_local_search_ends_after_a_number_of_steps_without_a_new_best() -> None:
    solver = IteratedLocalSearch(local_iterations=30)
    trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
    starts = np.flatnonzero(np.diff(trace["perturbations"], prepend=-1) > 0)
    for start, end in pairwise(starts):
        # the cost of a step is in the row of the next one; the last row of a local search is before its last step
        after_swap = trace["cost"][start + 1 : end]
        last_best = int(np.argmin(after_swap))
        assert len(after_swap) - last_best in (30, 31)  # 31: the last step is not in the rows of this search


def test_a_tabu_swap_is_made_only_for_a_new_best_state() -> None:
    # the only swap, in the first box, leads from cost 2 to 4 and back
    puzzle = parse("4.133.4.1324.2.1")

    def costs(tabu_size: int) -> list[int]:
        solver = IteratedLocalSearch(tabu_size=tabu_size, acceptance=1, local_iterations=100, filter="none")
        return [int(cost) for cost in solver.solve(puzzle, Budget(iterations=50), trace=True).trace["cost"]]

    assert set(costs(tabu_size=0)) == {2, 4}
    assert costs(tabu_size=0)[10:14] in ([2, 4, 2, 4], [4, 2, 4, 2])
    assert set(costs(tabu_size=1)[2:]) == {2}


def test_refilling_all_cells_solves_easy_puzzles() -> None:
    solver = IteratedLocalSearch(local_iterations=1, reset_factor=1, refill_nodes=100_000, filter="none")
    result = solver.solve(EASY, Budget(iterations=10))
    assert result.is_solved
    assert result.stats["perturbations"] >= 1


def test_the_reset_factor_shrinks_after_every_perturbation() -> None:
    def mean_cost_after_later_perturbations(decay: float) -> float:
        solver = IteratedLocalSearch(local_iterations=20, reset_factor=1, reset_decay=decay, refill_nodes=0)
        trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
        starts = np.flatnonzero(np.diff(trace["perturbations"], prepend=-1) > 0)
        return float(trace["cost"][starts[2:]].mean())

    # a perturbation that empties all open cells leaves a random state, which costs more than one near a local optimum
    assert mean_cost_after_later_perturbations(0) < mean_cost_after_later_perturbations(1) - 10
