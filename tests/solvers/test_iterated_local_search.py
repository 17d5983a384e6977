"""Iterated local search, compared with slow and obvious versions of its steps and of the whole search."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any, Self

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, _core
from sudokulab.logic import ac3
from sudokulab.solvers import IteratedLocalSearch
from tests.cases import for_each
from tests.puzzles import EASY, IMPOSSIBLE_4, IMPOSSIBLE_6, INKALA, ONE_SWAP, SMALL, random_instance
from tests.rng import Rng
from tests.solvers.box_states import Cheapest, boxes_of, cost_of, fill_at_random, swapped
from tests.solvers.test_genetic import native_state, random_state

pytestmark = pytest.mark.native

STEP_BY_STEP = Budget(iterations=1000)  # few enough to have every step in the trace
SHORT = {"local_iterations": 20, "refill_nodes": 30}  # for many perturbations in a short test


@cache
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
    cells = random_state(SMALL, 5)
    quiet = [cell for cell in range(36) if not SMALL.cells[cell] and cell not in in_conflict(SMALL, cells)]
    assert len(quiet) > 3

    def num_changed(share: float) -> list[int]:
        grids = [_core.perturb(native_state(SMALL, cells), share, 0, seed).grid for seed in range(300)]
        return [sum(grid[cell] != cells[cell] for cell in quiet) for grid in grids]

    assert max(num_changed(0)) == 0
    for share in (0.3, 0.6):
        assert 0 < max(num_changed(share)) <= share * len(quiet)
    assert max(num_changed(1)) > 0.6 * len(quiet)


class LocalSearchReplay:
    """A slow, obvious reimplementation of algorithms 1 and 2, driven by the same random numbers."""

    def __init__(self, puzzle: Puzzle, solver: IteratedLocalSearch, seed: int) -> None:
        self.puzzle, self.solver, self.rng = puzzle, solver, Rng(seed)
        self.boxes, self.peers = boxes_of(puzzle), peers(puzzle)
        self.fixed = self.fix_single_domains() if solver.filter == "ac3" else puzzle.cells
        self.open = [[cell for cell in box if not self.fixed[cell]] for box in self.boxes]
        self.best = fill_at_random(self.fixed, self.boxes, self.rng)
        self.num_perturbations = 0
        self.rows: list[tuple[int, int, int]] = []  # cost, lowest cost and perturbations before every step
        self.outcomes = Counter[str]()

    def cost(self, state: bytes) -> int:
        return cost_of(state, self.puzzle.size)

    def is_in_conflict(self, state: bytes, cell: int) -> bool:
        return any(state[peer] == state[cell] for peer in self.peers[cell])

    def domain(self, grid: bytes | bytearray, cell: int) -> list[int]:
        return sorted(set(range(1, self.puzzle.size + 1)) - {grid[peer] for peer in self.peers[cell]})

    def fix_single_domains(self) -> bytes:
        """Return the result of arc consistency, which removes the digits of fixed cells from the domains of peers."""
        grid = bytearray(self.puzzle.cells)
        is_changed = True
        while is_changed:
            is_changed = False
            for cell, digits in enumerate([self.domain(grid, cell) for cell in range(len(grid))]):
                if not grid[cell] and len(digits) == 1:
                    grid[cell] = digits[0]
                    is_changed = True
        return bytes(grid)

    def is_over(self) -> bool:
        return self.cost(self.best) == 0 or len(self.rows) == self.iterations

    def record(self, state: bytes) -> None:
        self.rows.append((self.cost(state), self.cost(self.best), self.num_perturbations))

    def offer(self, state: bytes) -> None:
        self.best = min(self.best, state, key=self.cost)

    def run(self, iterations: int) -> Self:
        self.iterations = iterations
        state = self.best
        reset_factor = self.solver.reset_factor
        while not self.is_over():
            state = self.local_search(state)
            if not self.is_over():
                state = self.perturbed(state, reset_factor)
                self.offer(state)
                reset_factor *= self.solver.reset_decay
                self.num_perturbations += 1
        self.record(state)
        return self

    def cell_in_conflict(self, state: bytes) -> int | None:
        """Draw one of n open cells in conflict with probability 1/n; a cell alone in its box cannot be swapped."""
        drawn, num_seen = None, 0
        for cells in self.open:
            for cell in cells:
                if len(cells) > 1 and self.is_in_conflict(state, cell):
                    num_seen += 1
                    if self.rng.below(num_seen) == 0:
                        drawn = cell
        return drawn

    def local_search(self, state: bytes) -> bytes:
        """Return the best state of a local search: algorithm 1."""
        best, best_cost, cost = state, inf, inf  # so that the first swap is made
        tabu = deque[frozenset[int]](maxlen=self.solver.tabu_size)
        num_failures = 0
        while num_failures < self.solver.local_iterations and not self.is_over():
            self.record(state)
            cell = self.cell_in_conflict(state)
            if cell is None:
                break
            any_swap, allowed = Cheapest[frozenset[int]](self.rng), Cheapest[frozenset[int]](self.rng)
            for other in next(cells for cells in self.open if cell in cells):
                if other == cell:
                    continue
                swap = frozenset((cell, other))
                cost_after = self.cost(swapped(state, *swap))
                any_swap.offer(swap, cost_after)
                if swap not in tabu:
                    allowed.offer(swap, cost_after)
            made: frozenset[int] | None
            if any_swap.cost < min(allowed.cost, best_cost):
                made, outcome = any_swap.move, "tabu but best"
            elif allowed.cost < cost:
                made, outcome = allowed.move, "lower"
            elif allowed.move and self.rng.uniform() < self.solver.acceptance:
                made, outcome = allowed.move, "accepted"
            else:
                made, outcome = None, "rejected"
            self.outcomes[outcome] += 1
            if made:
                state = swapped(state, *made)
                cost = self.cost(state)
                tabu.append(made)
            if cost < best_cost:
                best, best_cost, num_failures = state, cost, 0
                self.offer(state)
            else:
                num_failures += 1
        return best

    def perturbed(self, state: bytes, reset_factor: float) -> bytes:
        conflicts = [cell for cells in self.open for cell in cells if self.is_in_conflict(state, cell)]
        others = [cell for cells in self.open for cell in cells if cell not in conflicts]
        self.rng.shuffle(others)
        empty = conflicts + others[: int(reset_factor * len(others))]
        self.fullest = bytes(0 if cell in empty else digit for cell, digit in enumerate(state))
        self.nodes_left = self.solver.refill_nodes
        self.refill(bytearray(self.fullest), empty, 0)
        return fill_at_random(self.fullest, self.boxes, self.rng)

    def refill(self, grid: bytearray, cells: list[int], num_filled: int) -> bool:
        """Fill the cells from an index on, and return whether the search is over."""
        if grid.count(0) < self.fullest.count(0):
            self.fullest = bytes(grid)
        if num_filled == len(cells):
            return True
        place = min(range(num_filled, len(cells)), key=lambda k: len(self.domain(grid, cells[k])))
        cells[num_filled], cells[place] = cells[place], cells[num_filled]
        cell = cells[num_filled]
        digits = self.domain(grid, cell)
        self.rng.shuffle(digits)
        for digit in digits:
            if self.nodes_left == 0:
                return True
            self.nodes_left -= 1
            grid[cell] = digit
            if self.refill(grid, cells, num_filled + 1):
                return True
            grid[cell] = 0
        return False


@pytest.mark.heavy
@for_each(
    ("puzzle", "iterations", "options"),
    [
        (ONE_SWAP, 100, {"local_iterations": 5, "filter": "none"}),
        (IMPOSSIBLE_4, 300, {"tabu_size": 2, "local_iterations": 15, "reset_factor": 1, "filter": "none"}),
        (SMALL, 200, {"tabu_size": 3, "local_iterations": 10, "refill_nodes": 10, "filter": "none"}),
        (IMPOSSIBLE_6, 200, {"tabu_size": 0, "reset_factor": 1, "reset_decay": 0.9, "filter": "none", **SHORT}),
        (INKALA, 400, {}),
        (INKALA, 300, {"reset_factor": 1, "reset_decay": 0.7, **SHORT}),
        (random_instance((3, 3), 28, 0), 200, {"local_iterations": 30, "reset_factor": 0.7, "acceptance": 0.5}),
    ],
)
def test_every_step_is_that_of_algorithms_1_and_2(puzzle: Puzzle, iterations: int, options: dict[str, Any]) -> None:
    solver = IteratedLocalSearch(**options)
    outcomes = Counter[str]()
    for seed in range(3):
        replay = LocalSearchReplay(puzzle, solver, seed).run(iterations)
        outcomes.update(replay.outcomes)
        result = solver.solve(puzzle, Budget(iterations=iterations), seed=seed, trace=True)
        columns = (result.trace[name].tolist() for name in ("cost", "best_cost", "perturbations"))
        assert list(zip(*columns, strict=True)) == replay.rows
        assert result.stats["iterations"] == len(replay.rows) - 1
        assert result.stats["perturbations"] == replay.num_perturbations
        assert (result.solution or result.best) == Puzzle(replay.best, puzzle.box)
    if puzzle.size == 9:
        assert min(outcomes[name] for name in ("lower", "tabu but best", "accepted", "rejected")) > 3


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
    def costs(tabu_size: int) -> list[int]:
        solver = IteratedLocalSearch(tabu_size=tabu_size, acceptance=1, local_iterations=100, filter="none")
        return [int(cost) for cost in solver.solve(ONE_SWAP, Budget(iterations=50), trace=True).trace["cost"]]

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
