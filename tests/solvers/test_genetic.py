"""The genetic algorithm, compared with slow and obvious versions of its operators."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from sudokulab import Budget, Genetic, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.puzzles import INKALA, SMALL, random_instance

pytestmark = pytest.mark.native


def boxes_of(puzzle: Puzzle) -> list[list[int]]:
    """Return the cells of each box."""
    size, (rows, cols) = puzzle.size, (puzzle.box.rows, puzzle.box.cols)
    corners = [(row, col) for row in range(0, size, rows) for col in range(0, size, cols)]
    return [[(row + i) * size + col + j for i in range(rows) for j in range(cols)] for row, col in corners]


def random_state(puzzle: Puzzle, seed: int) -> bytes:
    """Return the puzzle with the missing digits of each box in random order."""
    rng, cells = np.random.default_rng(seed), bytearray(puzzle.cells)
    for box in boxes_of(puzzle):
        missing = rng.permutation(sorted(set(range(1, puzzle.size + 1)) - {cells[cell] for cell in box}))
        for cell, digit in zip([cell for cell in box if not cells[cell]], missing, strict=True):
            cells[cell] = digit
    return bytes(cells)


def native_state(puzzle: Puzzle, cells: bytes) -> _core.BoxPermutation:
    return _core.BoxPermutation(native_puzzle(puzzle), cells)


def occurrences(cells: bytes, cell: int, size: int) -> int:
    """Count the digit of a cell in its row and in its column."""
    row, col = divmod(cell, size)
    digit = cells[cell]
    return cells[row * size : (row + 1) * size].count(digit) + cells[col::size].count(digit)


def allowed_swaps(puzzle: Puzzle, cells: bytes, max_repeats: int) -> set[bytes]:
    """Return the grids after each swap inside a box that repeats neither digit too often."""
    grids = set()
    for box in boxes_of(puzzle):
        for first, second in combinations([cell for cell in box if not puzzle.cells[cell]], 2):
            swapped = bytearray(cells)
            swapped[first], swapped[second] = cells[second], cells[first]
            most = max(occurrences(bytes(swapped), cell, puzzle.size) for cell in (first, second))
            if not max_repeats or most <= max_repeats:
                grids.add(bytes(swapped))
    return grids


@pytest.mark.parametrize("max_repeats", [0, 2, 3, 4])
@pytest.mark.parametrize("puzzle", [SMALL, random_instance((2, 2), 5, 1)])
def test_a_mutation_of_one_swap_reaches_exactly_the_allowed_swaps(puzzle: Puzzle, max_repeats: int) -> None:
    cells = random_state(puzzle, 3)
    state = native_state(puzzle, cells)
    mutants = {_core.mutate(state, 1, max_repeats, seed).grid for seed in range(4000)}
    assert mutants - {cells} == allowed_swaps(puzzle, cells, max_repeats)
    assert cells in mutants  # the swap touched a given


def test_a_mutation_stays_in_one_box_and_makes_up_to_five_swaps() -> None:
    cells = random_state(INKALA, 1)
    state, box_of = native_state(INKALA, cells), {cell: b for b, box in enumerate(boxes_of(INKALA)) for cell in box}
    changes = []
    for seed in range(3000):
        mutant = _core.mutate(state, 5, 0, seed)
        changed = [cell for cell in range(81) if mutant.grid[cell] != cells[cell]]
        assert len({box_of[cell] for cell in changed}) <= 1
        assert mutant.cost == native_state(INKALA, mutant.grid).cost
        changes.append(len(changed))
    assert max(changes) > 4  # more than two swaps


def test_each_box_of_a_child_is_from_either_parent() -> None:
    first, second = random_state(SMALL, 3), random_state(SMALL, 4)
    origins = set()
    for seed in range(500):
        child = _core.cross(native_state(SMALL, first), native_state(SMALL, second), seed).grid
        parts = []
        for box in boxes_of(SMALL):
            own, one, other = (bytes(grid[cell] for cell in box) for grid in (child, first, second))
            assert own in (one, other)
            parts.append(own == one)
        origins.add(tuple(parts))
    assert len(origins) == 2 ** len(boxes_of(SMALL))


def test_the_child_at_the_second_rank_is_bred_from_the_best_alone() -> None:
    # with two individuals and no mutation, one generation leaves two copies of the fitter one
    for seed in range(20):
        solver = Genetic(population=2, mutation=0, restart_after=0)
        trace = solver.solve(INKALA, Budget(iterations=1), seed=seed, trace=True).trace
        assert trace["mean_cost"][-1] == trace["cost"][-1]


def test_without_crossover_and_mutation_copies_of_the_fittest_take_over() -> None:
    solver = Genetic(crossover=0, mutation=0, aging=0, restart_after=0)
    trace = solver.solve(INKALA, Budget(iterations=50), trace=True).trace
    assert len(set(trace["best_cost"])) == 1
    assert trace["mean_cost"][-1] == trace["best_cost"][-1]


def test_without_aging_the_fittest_individual_survives() -> None:
    cost = Genetic(aging=0, restart_after=0).solve(INKALA, Budget(iterations=500), trace=True).trace["cost"]
    assert (np.diff(cost) <= 0).all()


@pytest.mark.parametrize("aging", [1, 2])
def test_the_best_individual_ages_until_a_worse_one_replaces_it(aging: int) -> None:
    # Of two individuals in an empty grid, the second is always the first with one swap. Fitness is twice the cost, so a
    # child that costs d more replaces its parent only when that has aged by more than 2d.
    solver = Genetic(population=2, mutation=1, max_swaps=1, max_repeats=0, aging=aging, restart_after=0)
    trace = solver.solve(Puzzle.empty(9), Budget(iterations=500), trace=True).trace
    num_rises = num_equal = 0
    for before, after in pairwise(trace["cost"]):
        assert 2 * (after - before) < aging * (num_equal + 2)
        num_equal = num_equal + 1 if after == before else 0
        num_rises += after > before
    assert num_rises > 20
    assert (np.diff(trace["best_cost"]) <= 0).all()


def test_a_new_population_is_drawn_at_regular_intervals() -> None:
    assert Genetic(restart_after=50).solve(INKALA, Budget(iterations=1999)).stats["restarts"] == 39
    assert Genetic(restart_after=0).solve(INKALA, Budget(iterations=2000)).stats["restarts"] == 0


def test_the_defaults_are_the_published_values() -> None:
    assert Genetic() == Genetic(
        population=21, elite=1, crossover=1, mutation=0.6, max_swaps=5, max_repeats=3, aging=1, restart_after=2000
    )
