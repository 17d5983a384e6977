"""The genetic algorithm, compared with slow and obvious versions of its operators and of whole generations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from typing import Self

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from sudokulab.solvers import Genetic
from tests.cases import for_each
from tests.puzzles import IMPOSSIBLE_4, INKALA, ONE_SWAP, SMALL, random_instance
from tests.rng import Rng
from tests.solvers.box_states import boxes_of, cost_of, fill_at_random, lines_of, occurrences, swapped

pytestmark = pytest.mark.native


def random_state(puzzle: Puzzle, seed: int) -> bytes:
    return fill_at_random(puzzle.cells, boxes_of(puzzle), Rng(seed))


def native_state(puzzle: Puzzle, cells: bytes) -> _core.BoxPermutation:
    return _core.BoxPermutation(native_puzzle(puzzle), cells)


def allowed_swaps(puzzle: Puzzle, cells: bytes, max_repeats: int) -> set[bytes]:
    """Return the grids after each swap inside a box that repeats neither digit too often."""
    grids = set()
    for box in boxes_of(puzzle):
        for first, second in combinations([cell for cell in box if not puzzle.cells[cell]], 2):
            grid = swapped(cells, first, second)
            most = max(occurrences(grid, cell, puzzle.size) for cell in (first, second))
            if not max_repeats or most <= max_repeats:
                grids.add(grid)
    return grids


@for_each("max_repeats", [0, 2, 3, 4])
@for_each("puzzle", [SMALL, random_instance((2, 2), 5, 1)])
def test_a_mutation_of_one_swap_reaches_exactly_the_allowed_swaps(puzzle: Puzzle, max_repeats: int) -> None:
    cells = random_state(puzzle, 3)
    state = native_state(puzzle, cells)
    for ends_at_given in (False, True):
        mutants = {_core.mutate(state, 0, 0, ends_at_given, 1, max_repeats, seed).grid for seed in range(4000)}
        assert mutants - {cells} == allowed_swaps(puzzle, cells, max_repeats)


def test_a_swap_that_draws_from_the_open_cells_touches_no_given() -> None:
    puzzle = random_instance((3, 3), 45, 1)
    cells = random_state(puzzle, 3)
    has_swap = [sum(not puzzle.cells[cell] for cell in box) > 1 for box in boxes_of(puzzle)]
    state = native_state(puzzle, cells)

    def num_unchanged(ends_at_given: bool) -> int:
        grids = [_core.mutate(state, 0, 0, ends_at_given, 1, 0, seed).grid for seed in range(900)]
        return sum(grid == cells for grid in grids)

    assert num_unchanged(ends_at_given=False) < 900 * (1 - sum(has_swap) / 9) + 60
    assert num_unchanged(ends_at_given=True) > 500


def moved(cells: bytes, open_cells: Sequence[int], start: int, end: int) -> bytes:
    """Return the grid after the digit of an open cell of a box moved to another place among the open cells."""
    digits = [cells[cell] for cell in open_cells]
    digits.insert(end, digits.pop(start))
    grid = bytearray(cells)
    for cell, digit in zip(open_cells, digits, strict=True):
        grid[cell] = digit
    return bytes(grid)


@for_each("max_repeats", [0, 3])
def test_the_other_mutations_reach_exactly_the_circles_of_three_and_the_insertions(max_repeats: int) -> None:
    puzzle = SMALL
    cells = random_state(puzzle, 3)
    open_cells = [[cell for cell in box if not puzzle.cells[cell]] for box in boxes_of(puzzle)]
    insertions = {
        moved(cells, box, start, end) for box in open_cells for start, end in permutations(range(len(box)), 2)
    }
    circles = {swapped(swapped(cells, a, b), b, c) for box in open_cells for a, b, c in permutations(box, 3)}
    for three_swap, expected in ((1, circles), (0, insertions)):
        allowed = {
            grid
            for grid in expected
            if not max_repeats
            or all(
                occurrences(grid, cell, puzzle.size) <= max_repeats
                for cell in range(len(cells))
                if grid[cell] != cells[cell]
            )
        }
        state = native_state(puzzle, cells)
        mutants = {
            _core.mutate(state, three_swap, 1 - three_swap, False, 5, max_repeats, seed).grid for seed in range(6000)
        }
        assert mutants - {cells} == allowed


def test_a_mutation_stays_in_one_box_and_makes_up_to_five_swaps() -> None:
    cells = random_state(INKALA, 1)
    state, box_of = native_state(INKALA, cells), {cell: b for b, box in enumerate(boxes_of(INKALA)) for cell in box}
    changes = []
    for seed in range(3000):
        mutant = _core.mutate(state, 0, 0, False, 5, 0, seed)
        changed = [cell for cell in range(81) if mutant.grid[cell] != cells[cell]]
        assert len({box_of[cell] for cell in changed}) <= 1
        assert mutant.cost == native_state(INKALA, mutant.grid).cost
        changes.append(len(changed))
    assert max(changes) > 4  # more than two swaps


def test_each_box_of_a_child_is_from_either_parent() -> None:
    first, second = random_state(SMALL, 4), random_state(SMALL, 5)
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
    solver = Genetic(
        population=2, mutation=1, three_swap=0, insertion=0, max_swaps=1, max_repeats=0, aging=aging, restart_after=0
    )
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


@dataclass
class Individual:
    grid: bytes
    size: int
    penalty: int = 0

    def __post_init__(self) -> None:
        self.cost = cost_of(self.grid, self.size)
        lines, digits = lines_of(self.grid, self.size), range(1, self.size + 1)
        self.num_wrong = sum(abs(line.count(digit) - 1) for line in lines for digit in digits)  # missing or surplus

    @property
    def fitness(self) -> int:
        return self.num_wrong + self.penalty


class Evolution:
    """A slow, obvious reimplementation of the algorithm, driven by the same random numbers."""

    def __init__(self, puzzle: Puzzle, solver: Genetic, seed: int) -> None:
        self.puzzle, self.solver, self.rng, self.boxes = puzzle, solver, Rng(seed), boxes_of(puzzle)
        self.rows: dict[int, tuple[float, ...]] = {}  # by generation: costs of the first rank and the best, mean cost
        self.num_restarts = 0
        self.outcomes = Counter[str]()
        self.random_individual()  # the core fills the grid at random before it draws the population
        self.draw_population()
        self.best = min(self.population, key=lambda one: one.cost)

    def random_individual(self) -> Individual:
        return Individual(fill_at_random(self.puzzle.cells, self.boxes, self.rng), self.puzzle.size)

    def draw_population(self) -> None:
        self.population = [self.random_individual() for _ in range(self.solver.population)]
        self.fittest = b""
        self.rank()

    def rank(self) -> None:
        fittest = min(self.population, key=lambda one: one.fitness)
        if fittest.grid == self.fittest:
            fittest.penalty += self.solver.aging
        self.fittest = fittest.grid
        self.population.sort(key=lambda one: one.fitness)
        self.outcomes["demotion"] += self.population[0].grid != self.fittest

    def child(self, rank: int) -> Individual:
        grid = self.population[self.rng.below(rank)].grid
        if self.rng.uniform() < self.solver.crossover:
            grid = self.crossed(grid, self.population[self.rng.below(rank)].grid)
        if self.rng.uniform() < self.solver.mutation:
            grid = self.mutated(grid)
        return Individual(grid, self.puzzle.size)

    def crossed(self, first: bytes, second: bytes) -> bytes:
        grid = bytearray(first)
        for box in self.boxes:
            if self.rng.below(2):
                for cell in box:
                    grid[cell] = second[cell]
        return bytes(grid)

    def mutated(self, grid: bytes) -> bytes:
        box = self.boxes[self.rng.below(self.puzzle.size)]
        kind = self.rng.uniform()
        open_cells = [cell for cell in box if not self.puzzle.cells[cell]]
        if kind < self.solver.three_swap:
            if len(open_cells) < 3:
                return grid
            self.rng.shuffle(open_cells)
            first, second, third = open_cells[:3]
            after = swapped(swapped(grid, first, second), second, third)
            return self.if_allowed("three-swap", grid, after, open_cells[:3])
        if kind < self.solver.three_swap + self.solver.insertion:
            if len(open_cells) < 2:
                return grid
            start = self.rng.below(len(open_cells))
            end = (start + 1 + self.rng.below(len(open_cells) - 1)) % len(open_cells)
            after = moved(grid, open_cells, start, end)
            return self.if_allowed("insertion", grid, after, open_cells[min(start, end) : max(start, end) + 1])
        places = box if self.solver.ends_at_given else open_cells
        if len(places) < 2:
            return grid
        for _ in range(1 + self.rng.below(self.solver.max_swaps)):
            position = self.rng.below(len(places))
            distance = 1 + self.rng.below(len(places) - 1)
            cells = places[position], places[(position + distance) % len(places)]
            if any(self.puzzle.cells[cell] for cell in cells):
                self.outcomes["given"] += 1
                break
            grid = self.if_allowed("swap", grid, swapped(grid, *cells), cells)
        return grid

    def if_allowed(self, kind: str, before: bytes, after: bytes, cells: Sequence[int]) -> bytes:
        repeats = max(occurrences(after, cell, self.puzzle.size) for cell in cells)
        is_allowed = not 0 < self.solver.max_repeats < repeats
        self.outcomes[kind if is_allowed else "too many repeats"] += 1
        return after if is_allowed else before

    def record(self, generation: int) -> None:
        costs = [one.cost for one in self.population]
        self.rows[generation] = (costs[0], self.best.cost, sum(costs) / len(costs))

    def run(self, generations: int) -> Self:
        generation = 0
        while generation < generations and self.best.cost > 0:
            generation += 1
            for rank in range(self.solver.population - 1, self.solver.elite - 1, -1):
                self.population[rank] = self.child(rank)
            self.rank()
            self.best = min(self.best, *self.population, key=lambda one: one.cost)
            self.record(generation)
            if self.solver.restart_after and generation % self.solver.restart_after == 0 and self.best.cost > 0:
                self.draw_population()
                self.best = min(self.best, *self.population, key=lambda one: one.cost)
                self.num_restarts += 1
        self.record(generation)
        return self


@pytest.mark.heavy
@for_each(
    ("puzzle", "solver", "generations"),
    [
        (ONE_SWAP, Genetic(population=3, aging=5, restart_after=3), 100),
        (IMPOSSIBLE_4, Genetic(restart_after=40), 150),
        (IMPOSSIBLE_4, Genetic(population=6, elite=3, crossover=0.5, mutation=0.9, max_repeats=2, aging=3), 300),
        (SMALL, Genetic(population=10, elite=2, restart_after=30), 100),
        (SMALL, Genetic(population=7, max_repeats=0, aging=0, max_swaps=2, restart_after=0), 100),
        (INKALA, Genetic(), 200),
        (SMALL, Genetic(three_swap=0.4, insertion=0.4, max_repeats=0), 100),
        (INKALA, Genetic(three_swap=0, insertion=0, ends_at_given=True), 200),
        (INKALA, Genetic(population=12, elite=4, crossover=0.7, aging=2, restart_after=60), 200),
    ],
)
def test_every_generation_agrees_with_a_slow_evolution(puzzle: Puzzle, solver: Genetic, generations: int) -> None:
    outcomes = Counter[str]()
    for seed in range(2):
        slow = Evolution(puzzle, solver, seed).run(generations)
        outcomes.update(slow.outcomes)
        result = solver.solve(puzzle, Budget(iterations=generations), seed=seed, trace=True)
        assert result.trace["iterations"].tolist() == [0, *slow.rows]
        columns = (result.trace[name].tolist()[1:] for name in ("cost", "best_cost", "mean_cost"))
        assert list(zip(*columns, strict=True)) == list(slow.rows.values())
        assert result.stats == {"iterations": max(slow.rows), "restarts": slow.num_restarts}
        assert (result.solution or result.best) == Puzzle(slow.best.grid, puzzle.box)
    if puzzle.size == 9:
        used = ["swap", "too many repeats", "demotion", *(["given"] if solver.ends_at_given else [])]
        used += [
            name for name, share in {"three-swap": solver.three_swap, "insertion": solver.insertion}.items() if share
        ]
        assert min(outcomes[name] for name in used) > 5


def test_the_defaults_are_the_published_values() -> None:
    assert Genetic() == Genetic(
        population=21, elite=1, crossover=1, mutation=0.6, max_swaps=5, max_repeats=3, aging=1, restart_after=2000
    )
