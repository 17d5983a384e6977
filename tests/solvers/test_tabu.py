from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations
from pathlib import Path
from typing import Self

import numpy as np
import pytest

from sudokulab import Budget, Puzzle, parse, read
from sudokulab.logic import ac3
from sudokulab.solvers import Ac3Tabu, Tabu
from tests.cases import for_each
from tests.puzzles import IMPOSSIBLE_4, INKALA, SEVENTEEN, SMALL, random_instance
from tests.rng import Rng
from tests.solvers.box_states import Cheapest, boxes_of, cost_of, fill_at_random, swapped
from tests.timing import TOLERANCE_SECONDS, cpu_seconds

pytestmark = pytest.mark.native


def test_tabu_solves_random_grids_of_which_half_the_cells_are_given() -> None:
    for seed in range(10):
        assert Tabu().solve(random_instance((3, 3), 40, seed), Budget(iterations=100_000), seed=seed).is_solved, seed


def test_tabu_goes_on_after_a_local_minimum() -> None:
    costs = Tabu().solve(INKALA, Budget(iterations=1000), trace=True).trace["cost"]
    assert (np.diff(costs) > 0).sum() > 100


def test_tabu_with_the_printed_acceptance_never_raises_the_cost_between_restarts() -> None:
    trace = (
        Tabu(accept_worse=False, candidates=50, restart_after=200)
        .solve(INKALA, Budget(iterations=3000), trace=True)
        .trace
    )
    is_same_climb = np.diff(trace["restarts"]) == 0
    assert (np.diff(trace["cost"])[is_same_climb] <= 0).all()
    assert trace["restarts"][-1] >= 3


def test_tabu_restarts_only_on_request() -> None:
    assert Tabu().solve(INKALA, Budget(iterations=5000)).stats["restarts"] == 0


def test_a_whole_neighbourhood_descends_faster_than_a_sample() -> None:
    whole = Tabu(candidates=0).solve(INKALA, Budget(iterations=15), trace=True).trace["cost"]
    sample = Tabu(candidates=2).solve(INKALA, Budget(iterations=15), trace=True).trace["cost"]
    assert whole[-1] < sample[-1]


def test_ac3_tabu_starts_from_the_result_of_ac3() -> None:
    empty = int((ac3(INKALA).sum(axis=2) > 1).sum())
    assert Ac3Tabu().solve(INKALA, Budget(iterations=0)).cost == empty
    costs = Ac3Tabu().solve(INKALA, Budget(iterations=300), trace=True).trace["cost"]
    assert costs.max() <= empty


class TabuReplay:
    """A slow, obvious reimplementation of algorithm 1, driven by the same random numbers."""

    def __init__(self, puzzle: Puzzle, solver: Tabu, seed: int) -> None:
        self.puzzle, self.solver, self.rng = puzzle, solver, Rng(seed)
        self.boxes = boxes_of(puzzle)
        open_cells = [[cell for cell in box if not puzzle.cells[cell]] for box in self.boxes]
        self.open = [cells for cells in open_cells if len(cells) > 1]
        self.num_restarts = 0
        self.costs: list[int] = []
        self.best_costs: list[int] = []
        self.restarts: list[int] = []
        self.outcomes = Counter[str]()

    def cost(self, state: bytes) -> int:
        return cost_of(state, self.puzzle.size)

    def neighbours(self) -> Iterator[tuple[int, int]]:
        """Yield the swaps of the candidate list."""
        if self.solver.candidates == 0:
            for cells in self.open:
                yield from combinations(cells, 2)
            return
        places = [(cell, cells) for cells in self.open for cell in cells]
        for _ in range(self.solver.candidates):
            cell, cells = places[self.rng.below(len(places))]
            others = [other for other in cells if other != cell]
            yield cell, others[self.rng.below(len(others))]

    def random_state(self) -> bytes:
        return fill_at_random(self.puzzle.cells, self.boxes, self.rng)

    def record(self, state: bytes) -> None:
        self.costs.append(self.cost(state))
        self.best_costs.append(self.cost(self.best))
        self.restarts.append(self.num_restarts)

    def run(self, iterations: int) -> Self:
        """Record the costs before every iteration and after the last one."""
        state = self.best = self.random_state()
        tabu = deque[tuple[int, int]](maxlen=self.solver.tabu_size)
        lowest = self.cost(state)  # since the last restart
        num_failures = 0
        for _ in range(iterations):
            if self.cost(state) == 0:
                break
            self.record(state)
            chosen = Cheapest[tuple[int, int]](self.rng)
            for first, second in self.neighbours():
                cost = self.cost(swapped(state, first, second))
                if (first, state[second]) not in tabu and (second, state[first]) not in tabu:
                    chosen.offer((first, second), cost)
                elif self.solver.accept_worse and cost < lowest:
                    self.outcomes["aspired"] += 1
                    chosen.offer((first, second), cost)
                else:
                    self.outcomes["tabu"] += 1
            if chosen.move and (self.solver.accept_worse or chosen.cost <= self.cost(state)):
                change = chosen.cost - self.cost(state)
                self.outcomes["lower" if change < 0 else "higher" if change > 0 else "equal"] += 1
                tabu.extend((cell, state[cell]) for cell in chosen.move)
                state = swapped(state, *chosen.move)
            else:
                self.outcomes["rejected"] += 1
            self.best = min(self.best, state, key=self.cost)
            num_failures = 0 if self.cost(state) < lowest else num_failures + 1
            lowest = min(lowest, self.cost(state))
            if num_failures == self.solver.restart_after > 0:
                state = self.random_state()
                self.best = min(self.best, state, key=self.cost)
                tabu.clear()
                lowest = self.cost(state)
                num_failures = 0
                self.num_restarts += 1
        self.record(state)
        return self


@pytest.mark.heavy
@for_each(
    ("puzzle", "solver", "iterations"),
    [
        (IMPOSSIBLE_4, Tabu(tabu_size=3, candidates=4, restart_after=10), 300),
        (SMALL, Tabu(tabu_size=10, candidates=0, restart_after=15), 200),
        (SMALL, Tabu(tabu_size=0, candidates=5, restart_after=15), 200),
        (INKALA, Tabu(), 80),
        (INKALA, Tabu(tabu_size=30, candidates=10, restart_after=30), 300),
        (IMPOSSIBLE_4, Tabu(accept_worse=False, tabu_size=3, candidates=4, restart_after=10), 300),
        (INKALA, Tabu(accept_worse=False, candidates=50), 150),
    ],
)
def test_every_step_of_tabu_is_that_of_algorithm_1(puzzle: Puzzle, solver: Tabu, iterations: int) -> None:
    outcomes = Counter[str]()
    for seed in range(3):
        replay = TabuReplay(puzzle, solver, seed).run(iterations)
        outcomes.update(replay.outcomes)
        result = solver.solve(puzzle, Budget(iterations=iterations), seed=seed, trace=True)
        assert result.trace["cost"].tolist() == replay.costs
        assert result.trace["best_cost"].tolist() == replay.best_costs
        assert result.trace["restarts"].tolist() == replay.restarts
        assert result.stats == {"iterations": len(replay.costs) - 1, "restarts": replay.num_restarts}
        assert (result.solution or result.best) == Puzzle(replay.best, puzzle.box)
        assert (replay.num_restarts > 0) == (solver.restart_after > 0) or result.is_solved
    assert (outcomes["tabu"] > 10) == (solver.tabu_size > 0)
    assert min(outcomes["lower"], outcomes["equal"], outcomes["higher" if solver.accept_worse else "rejected"]) > 3
    if not solver.accept_worse:
        assert outcomes["higher"] == outcomes["aspired"] == 0


class HybridReplay:
    """A slow, obvious reimplementation of algorithm 4, driven by the same random numbers."""

    def __init__(self, puzzle: Puzzle, solver: Ac3Tabu, seed: int) -> None:
        self.puzzle, self.solver, self.rng = puzzle, solver, Rng(seed)
        size, box = puzzle.size, puzzle.box
        places = [(row, col, (row // box.rows, col // box.cols)) for row in range(size) for col in range(size)]
        self.peers = [
            [
                k
                for k, other in enumerate(places)
                if other != one and any(a == b for a, b in zip(one, other, strict=True))
            ]
            for one in places
        ]
        self.tabu = deque[tuple[int, int]](maxlen=solver.tabu_size)
        self.outcomes = Counter[str]()

    def arc_consistent(self, domains: Sequence[set[int]]) -> list[set[int]] | None:
        """Remove unsupported values until nothing changes; None if a domain becomes empty."""
        domains = [set(domain) for domain in domains]
        changed = True
        while changed:
            changed = False
            for cell, peers in enumerate(self.peers):
                for peer in peers:
                    unsupported = {value for value in domains[cell] if domains[peer] <= {value}}
                    domains[cell] -= unsupported
                    changed = changed or bool(unsupported)
                if not domains[cell]:
                    return None
        return domains

    def candidate(self, domains: Sequence[set[int]]) -> tuple[int, int] | None:
        """Return the best of the candidates that the wheel draws."""
        free = {
            cell: sorted(value for value in domain if (cell, value) not in self.tabu)
            for cell, domain in enumerate(domains)
            if len(domain) > 1
        }
        cells = [cell for cell, values in free.items() if values]
        best, most = None, 0
        for _ in range(self.solver.candidates if cells else 0):
            wheel = list(accumulate(1 / len(domains[cell]) for cell in cells))
            target = self.rng.uniform() * wheel[-1]
            cell = next(cell for cell, end in zip(cells, wheel, strict=True) if target < end)
            value = free[cell][self.rng.below(len(free[cell]))]
            num_filled = 1 + sum(len(domains[peer]) == 2 and value in domains[peer] for peer in self.peers[cell])
            if num_filled > most:
                best, most = (cell, value), num_filled
        return best

    def is_dead_end(self, domains: Sequence[set[int]]) -> bool:
        return not any(
            self.arc_consistent([*domains[:cell], {value}, *domains[cell + 1 :]])
            for cell, domain in enumerate(domains)
            if len(domain) > 1
            for value in domain
        )

    def run(self, iterations: int) -> list[int]:
        """Return the cost before every iteration, and after the last one."""
        digits = set(range(1, self.puzzle.size + 1))
        start = self.arc_consistent([{digit} if digit else digits for digit in self.puzzle.cells])  # line 1
        assert start is not None
        best = start
        num_rejected = 0  # in a row
        costs = [sum(len(domain) > 1 for domain in best)]
        while costs[-1] > 0 and len(costs) <= iterations:  # line 3
            chosen = self.candidate(best)  # lines 4–8
            filtered = None
            if chosen is None:
                self.outcomes["cleared"] += 1
                self.tabu.clear()
            else:
                cell, value = chosen
                filtered = self.arc_consistent([*best[:cell], {value}, *best[cell + 1 :]])  # line 9
            if chosen and filtered:  # line 10
                self.tabu.append(chosen)  # line 11
                best = filtered  # line 12
            self.outcomes["accepted" if filtered else "rejected"] += 1
            num_rejected = 0 if filtered else num_rejected + 1
            if num_rejected == self.solver.restart_after > 0:
                best, num_rejected = start, 0
                self.outcomes["restarted"] += 1
            costs.append(sum(len(domain) > 1 for domain in best))
            is_stuck = num_rejected and num_rejected % len(self.peers) == 0 and not self.solver.restart_after
            if is_stuck and self.is_dead_end(best):
                break
        return costs


@pytest.mark.heavy
@for_each(
    ("puzzle", "solver"),
    [
        (SMALL, Ac3Tabu()),
        (SMALL, Ac3Tabu(tabu_size=200, candidates=2, restart_after=3)),
        (parse("12.............3" + 20 * "."), Ac3Tabu(candidates=1)),
        (INKALA, Ac3Tabu()),
        (SEVENTEEN, Ac3Tabu(tabu_size=10, candidates=5, restart_after=0)),
    ],
)
def test_every_step_of_ac3_tabu_is_that_of_algorithm_4(puzzle: Puzzle, solver: Ac3Tabu) -> None:
    outcomes = Counter[str]()
    for seed in range(3):
        replay = HybridReplay(puzzle, solver, seed)
        costs = replay.run(120)
        outcomes.update(replay.outcomes)
        result = solver.solve(puzzle, Budget(iterations=120), seed=seed, trace=True)
        assert result.trace["cost"].tolist() == costs
        assert result.stats == {"iterations": len(costs) - 1, "restarts": replay.outcomes["restarted"]}
    if puzzle.size == 9:
        assert outcomes["accepted"] > 10
        assert outcomes["rejected"] > 10
        assert (outcomes["restarted"] > 10) == (solver.restart_after > 0)


@pytest.mark.heavy
def test_ac3_tabu_as_printed_ends_in_a_dead_end() -> None:
    for seed in range(5):
        result = Ac3Tabu(candidates=1, restart_after=0).solve(INKALA, Budget(iterations=100_000), seed=seed)
        assert not result.is_solved
        assert 81 < result.stats["iterations"] < 10_000
        assert Ac3Tabu(candidates=1).solve(INKALA, Budget(iterations=1000), seed=seed).stats["restarts"] > 100


def test_ac3_tabu_solves_the_puzzles_of_the_paper_in_every_try(public_data: Path) -> None:
    puzzles = {puzzle.name: puzzle for puzzle in read(public_data / "mantere-koljonen-46.txt")}
    for name in ("s10a", "s10b", "s10c", "s11a", "s11b", "s11c", "s12a", "s12b"):
        for seed in range(5):
            assert Ac3Tabu().solve(puzzles[name], Budget(iterations=100_000), seed=seed).is_solved, (name, seed)


@pytest.mark.timing
def test_many_candidates_do_not_exceed_the_budget() -> None:
    solver, budget = Ac3Tabu(candidates=1000), Budget(seconds=0.2)
    assert cpu_seconds(lambda: solver.solve(Puzzle.empty(64), budget)) < 0.2 + 2 * TOLERANCE_SECONDS
