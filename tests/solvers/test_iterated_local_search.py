"""Iterated local search, compared with slow and obvious versions of its steps and of the whole search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, Self

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, _core
from sudokulab.solvers import IteratedLocalSearch
from tests.cases import for_each
from tests.puzzles import EASY, IMPOSSIBLE_4, IMPOSSIBLE_6, INKALA, ONE_SWAP, SEVENTEEN, SMALL, random_instance
from tests.rng import Rng
from tests.solvers.box_states import Cheapest, boxes_of, cost_of, fill_at_random, swapped
from tests.solvers.test_genetic import native_state, random_state

pytestmark = pytest.mark.native

STEP_BY_STEP = Budget(iterations=1000)  # few enough to have every step in the trace
SHORT = {"local_iterations": 20, "refill_nodes": 30}  # for many perturbations in a short test
NO_REFILL = {"refill_nodes": 0}  # so that the first perturbation does not solve the puzzle


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


def domain(puzzle: Puzzle, grid: bytes | bytearray, cell: int) -> list[int]:
    return sorted(set(range(1, puzzle.size + 1)) - {grid[peer] for peer in peers(puzzle)[cell]})


def fixed_by_singles(puzzle: Puzzle, grid: bytes) -> bytes | None:
    """Fill naked and hidden singles until none is left; None on a contradiction."""
    cells = bytearray(grid)
    units = [[cell for cell in range(len(cells)) if cell // puzzle.size == row] for row in range(puzzle.size)]
    units += [[cell for cell in range(len(cells)) if cell % puzzle.size == col] for col in range(puzzle.size)]
    units += boxes_of(puzzle)
    if any(cells[cell] in [cells[peer] for peer in peers(puzzle)[cell]] for cell in range(len(cells)) if cells[cell]):
        return None
    while True:
        domains = {cell: domain(puzzle, cells, cell) for cell, digit in enumerate(cells) if not digit}
        choices = [[(cell, digit) for digit in digits] for cell, digits in domains.items()]
        for unit in units:
            for digit in set(range(1, puzzle.size + 1)) - {cells[cell] for cell in unit}:
                choices.append([(cell, digit) for cell in unit if digit in domains.get(cell, ())])
        if not all(choices):
            return None
        singles = [choice[0] for choice in choices if len(choice) == 1]
        if not singles:
            return bytes(cells)
        cell, digit = singles[0]
        cells[cell] = digit


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


def test_the_reset_factor_is_the_share_of_open_cells_to_empty() -> None:
    cells = random_state(IMPOSSIBLE_6, 5)
    conflicts = in_conflict(IMPOSSIBLE_6, cells)
    quiet = [cell for cell in range(36) if not IMPOSSIBLE_6.cells[cell] and cell not in conflicts]
    num_open = IMPOSSIBLE_6.cells.count(0)
    assert len(quiet) > 3

    def num_changed(share: float) -> list[int]:
        grids = [_core.perturb(native_state(IMPOSSIBLE_6, cells), share, 0, seed).grid for seed in range(300)]
        return [sum(grid[cell] != cells[cell] for cell in quiet) for grid in grids]

    assert max(num_changed(0)) == 0
    for share in (0.1, 0.2):
        assert 0 < max(num_changed(share)) <= share * num_open
    assert max(num_changed(1)) > 0.6 * len(quiet)


class LocalSearchReplay:
    """A slow, obvious reimplementation of algorithms 1 and 2, driven by the same random numbers."""

    def __init__(self, puzzle: Puzzle, solver: IteratedLocalSearch, seed: int) -> None:
        self.puzzle, self.solver, self.rng = puzzle, solver, Rng(seed)
        self.boxes, self.peers = boxes_of(puzzle), peers(puzzle)
        fixed = fixed_by_singles(puzzle, puzzle.cells) if solver.filter == "cp" else puzzle.cells
        assert fixed is not None
        self.fixed = fixed
        self.open = [[cell for cell in box if not self.fixed[cell]] for box in self.boxes]
        self.best = fill_at_random(self.fixed, self.boxes, self.rng)
        self.num_perturbations = 0
        self.rows: list[tuple[int, int, int]] = []  # cost, lowest cost and perturbations before every step
        self.outcomes = Counter[str]()

    def cost(self, state: bytes) -> int:
        return cost_of(state, self.puzzle.size)

    def is_in_conflict(self, state: bytes, cell: int) -> bool:
        return any(state[peer] == state[cell] for peer in self.peers[cell])

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
                if reset_factor > 0.01:
                    reset_factor *= self.solver.reset_decay
                self.num_perturbations += 1
        self.record(state)
        return self

    def cell_in_conflict(self, state: bytes) -> int | None:
        """Draw one of n open cells in conflict with probability 1/n."""
        drawn, num_seen = None, 0
        for cells in self.open:
            for cell in cells:
                if self.is_in_conflict(state, cell):
                    num_seen += 1
                    if self.rng.below(num_seen) == 0:
                        drawn = cell
        return drawn

    def local_search(self, state: bytes) -> bytes:
        """Return the best state of a local search."""
        best = state
        num_tabu = int(self.solver.tabu_share * sum(map(len, self.open)))
        tabu_until: dict[tuple[int, int], int] = {}
        num_failures = 0
        while self.cost(best) > 0 and num_failures < self.solver.local_iterations and not self.is_over():
            self.record(state)
            num_failures += 1
            cell = self.cell_in_conflict(state)
            if cell is None:
                break
            allowed, forbidden = Cheapest[tuple[int, int]](self.rng), Cheapest[tuple[int, int]](self.rng)
            for other in next(cells for cells in self.open if cell in cells):
                is_tabu = len(self.rows) < tabu_until.get((cell, other), 0)
                swaps = forbidden if is_tabu else allowed
                swaps.offer((cell, other), self.cost(swapped(state, cell, other)))
            if forbidden.cost < min(allowed.cost, self.cost(best)):
                chosen, outcome = forbidden, "tabu but best"
            elif allowed.move is None:
                self.outcomes["all tabu"] += 1
                continue
            else:
                chosen = allowed
                change = allowed.cost - self.cost(state)
                outcome = "lower" if change < 0 else "equal" if change == 0 else "higher"
            assert chosen.move
            tabu_until[chosen.move] = len(self.rows) + num_tabu
            if outcome == "higher" and self.rng.uniform() >= self.solver.acceptance:
                outcome = "rejected"
            else:
                state = swapped(state, *chosen.move)
            self.outcomes[outcome] += 1
            if self.cost(state) < self.cost(best):
                best, num_failures = state, 0
                self.offer(state)
        return best

    def perturbed(self, state: bytes, reset_factor: float) -> bytes:
        cells = [cell for box in self.open for cell in box]
        conflicts = {cell for cell in cells if self.is_in_conflict(state, cell)}
        self.rng.shuffle(cells)
        empty = conflicts | set(cells[: int(reset_factor * len(cells))])
        rest = bytes(0 if cell in empty else digit for cell, digit in enumerate(state))
        self.nodes_left = self.solver.refill_nodes
        return fill_at_random(self.refilled(rest) or rest, self.boxes, self.rng)

    def refilled(self, grid: bytes) -> bytes | None:
        """Fill the grid by backtracking with singles; None if there is no solution or the nodes run out."""
        fixed = fixed_by_singles(self.puzzle, grid)
        if fixed is None or 0 not in fixed:
            return fixed
        empty = [cell for cell, digit in enumerate(fixed) if not digit]
        cell = min(empty, key=lambda one: len(domain(self.puzzle, fixed, one)))
        for digit in domain(self.puzzle, fixed, cell):
            if self.nodes_left == 0:
                return None
            self.nodes_left -= 1
            solution = self.refilled(fixed[:cell] + bytes([digit]) + fixed[cell + 1 :])
            if solution:
                return solution
        return None


@pytest.mark.heavy
@for_each(
    ("puzzle", "iterations", "options"),
    [
        (ONE_SWAP, 100, {"local_iterations": 5, "filter": "none"}),
        (IMPOSSIBLE_4, 300, {"tabu_share": 0.3, "local_iterations": 15, "filter": "none"}),
        (SMALL, 200, {"tabu_share": 0.2, "local_iterations": 10, "refill_nodes": 2, "filter": "none"}),
        (IMPOSSIBLE_6, 200, {"tabu_share": 0, "reset_decay": 0.9, "filter": "none", **SHORT}),
        (INKALA, 400, {}),
        (INKALA, 300, {"tabu_share": 0.2, "reset_decay": 0.02, **SHORT}),
        (
            random_instance((3, 3), 28, 0),
            200,
            {"tabu_share": 0.3, "local_iterations": 30, "acceptance": 0.5, **NO_REFILL},
        ),
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
        assert min(outcomes[name] for name in ("lower", "equal", "higher", "rejected")) > 3
        assert (outcomes["tabu but best"] > 0) == (solver.tabu_share >= 0.2)


def test_singles_are_fixed_before_the_search() -> None:
    fixed = fixed_by_singles(SEVENTEEN, SEVENTEEN.cells)
    assert fixed
    stats = IteratedLocalSearch().solve(SEVENTEEN, Budget(iterations=1)).stats
    assert stats["share_fixed"] == pytest.approx(1 - fixed.count(0) / 81)


def test_with_zero_acceptance_the_cost_rises_only_by_perturbations() -> None:
    solver = IteratedLocalSearch(acceptance=0, local_iterations=20, refill_nodes=0)
    trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
    assert np.diff(trace["iterations"]).max() == 1  # every step is in the trace
    is_same_search = np.diff(trace["perturbations"]) == 0
    assert (np.diff(trace["cost"])[is_same_search] <= 0).all()
    assert trace["perturbations"][-1] > 5


def test_acceptance_lets_the_cost_rise() -> None:
    def num_rises(acceptance: float) -> int:
        solver = IteratedLocalSearch(tabu_share=0.2, acceptance=acceptance, local_iterations=10_000)
        return int((np.diff(solver.solve(INKALA, STEP_BY_STEP, trace=True).trace["cost"]) > 0).sum())

    assert num_rises(0) == 0
    assert 3 < num_rises(0.15) < num_rises(1)


def test_a_local_search_ends_after_a_number_of_steps_without_a_new_best() -> None:
    solver = IteratedLocalSearch(local_iterations=30, refill_nodes=0)
    trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
    starts = np.flatnonzero(np.diff(trace["perturbations"], prepend=-1) > 0)
    for start, end in pairwise(starts):
        # the rows of a local search have the costs before its steps, so the cost after the last one is missing
        costs = trace["cost"][start:end]
        assert len(costs) - int(np.argmin(costs)) == 30


def test_a_swap_of_a_cell_with_itself_can_be_tabu() -> None:
    def costs(tabu_share: float) -> set[int]:
        solver = IteratedLocalSearch(tabu_share=tabu_share, acceptance=1, filter="none", refill_nodes=0)
        trace = solver.solve(ONE_SWAP, Budget(iterations=50), trace=True).trace
        return {int(cost) for cost in trace["cost"][20:]}

    # from the better of the two states, the only other swap raises the cost
    assert costs(tabu_share=0) == {2}
    assert costs(tabu_share=1) == {2, 4}


def test_the_first_perturbation_solves_puzzles_that_are_easy_for_backtracking() -> None:
    solver = IteratedLocalSearch(local_iterations=1, filter="none")
    result = solver.solve(EASY, Budget(iterations=10))
    assert result.is_solved
    assert result.stats["perturbations"] == 1


def test_the_reset_factor_shrinks_after_every_perturbation() -> None:
    def mean_cost_after_later_perturbations(decay: float) -> float:
        solver = IteratedLocalSearch(local_iterations=20, reset_decay=decay, refill_nodes=0)
        trace = solver.solve(INKALA, STEP_BY_STEP, trace=True).trace
        starts = np.flatnonzero(np.diff(trace["perturbations"], prepend=-1) > 0)
        return float(trace["cost"][starts[2:]].mean())

    # a perturbation that empties all open cells leaves a random state, which costs more than one near a local optimum
    assert mean_cost_after_later_perturbations(0) < mean_cost_after_later_perturbations(1) - 10
