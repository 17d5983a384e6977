"""Conflict-driven search: correct on small grids, effective on large ones."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import islice, product
from pathlib import Path

import pytest
from hypothesis import given, settings

from sudokulab import Budget, Puzzle, Status, is_solution
from sudokulab.instances import fixed_fraction
from sudokulab.solvers import Backtracking, ConflictDriven
from tests.cases import for_each
from tests.puzzles import any_puzzles, satisfiable_puzzles

pytestmark = pytest.mark.native

SOLVER = ConflictDriven()
ORACLE = Backtracking(propagation="singles")
LIMIT = 200


@pytest.mark.heavy
@settings(deadline=None, max_examples=200)
@given(any_puzzles())
def test_counts_agree_with_backtracking_on_arbitrary_puzzles(puzzle: Puzzle) -> None:
    assert SOLVER.count(puzzle, LIMIT) == ORACLE.count(puzzle, LIMIT)


@settings(deadline=None, max_examples=200)
@given(satisfiable_puzzles(min_fraction=0.3))
def test_counts_agree_with_backtracking_on_solvable_puzzles(puzzle: Puzzle) -> None:
    assert SOLVER.count(puzzle, LIMIT) == ORACLE.count(puzzle, LIMIT)


BUSY = ConflictDriven(restart_unit=2, first_reduction=2)
"""Restarts and discards clauses as often as possible."""


@settings(deadline=None, max_examples=200)
@given(satisfiable_puzzles(min_fraction=0.3))
def test_restarts_and_clause_deletion_lose_no_solution(puzzle: Puzzle) -> None:
    assert BUSY.count(puzzle, LIMIT) == ORACLE.count(puzzle, LIMIT)


@for_each("seed", range(5))
def test_restarts_and_clause_deletion_lose_no_solution_of_a_larger_grid(seed: int) -> None:
    puzzle = fixed_fraction(12, fixed=0.33, seed=seed)
    solutions = list(islice(BUSY.solutions(puzzle), 3000))
    assert len(solutions) == len(set(solutions)) == ORACLE.count(puzzle, 3000)


def test_it_enumerates_every_solution_exactly_once_while_learning() -> None:
    puzzle = fixed_fraction(9, fixed=0.29, seed=4)
    ours = list(SOLVER.solutions(puzzle))
    assert len(ours) == len(set(ours)) > 1000
    assert set(ours) == set(ORACLE.solutions(puzzle))


@for_each("seed", range(10))
def test_it_solves_25x25_at_the_hardest_fraction_in_a_few_thousand_nodes(seed: int) -> None:
    puzzle = fixed_fraction(25, fixed=0.45, seed=seed)
    result = SOLVER.solve(puzzle, Budget(nodes=30_000))
    assert is_solution(result, puzzle)


@for_each(("size", "fixed"), [(36, 0.4), (49, 0.3), (49, 0.6), (64, 0.2)])
def test_it_solves_larger_grids(size: int, fixed: float) -> None:
    puzzle = fixed_fraction(size, fixed=fixed, seed=1)
    result = SOLVER.solve(puzzle, Budget(nodes=100_000))
    assert is_solution(result, puzzle)


@pytest.mark.heavy
@for_each("seed", [1, 2, 3])
def test_local_search_finds_a_solution_that_the_decisions_then_follow(seed: int) -> None:
    puzzle = fixed_fraction(36, fixed=0.425, seed=seed)
    searching = replace(SOLVER, restart_unit=50, moves_per_conflict=2000).solve(puzzle)
    learning = replace(SOLVER, restart_unit=50, moves_per_conflict=0).solve(puzzle)
    assert is_solution(searching, puzzle)
    assert searching.stats["moves"] > 0 == learning.stats["moves"]
    assert searching.stats["conflicts"] < 200 < learning.stats["conflicts"]


@pytest.mark.heavy
def test_a_seed_determines_the_local_search() -> None:
    puzzle = fixed_fraction(36, fixed=0.45, seed=1)
    solver = replace(SOLVER, restart_unit=50)
    first, again, other = (solver.solve(puzzle, seed=seed) for seed in (1, 1, 2))
    assert first.stats == again.stats != other.stats


def test_a_time_limit_stops_the_local_search() -> None:
    puzzle = fixed_fraction(49, fixed=0.5, seed=1)
    solver = replace(SOLVER, restart_unit=1, moves_per_conflict=1_000_000)
    result = solver.solve(puzzle, Budget(seconds=0.1, is_cpu_time=True))
    assert result.status is Status.UNKNOWN
    assert 0 < result.stats["moves"] < 1_000_000


@pytest.mark.heavy
def test_it_refutes_digits_that_propagation_alone_cannot_refute() -> None:
    puzzle = fixed_fraction(16, fixed=0.44, seed=1)
    blanks = [cell for cell, digit in enumerate(puzzle.cells) if not digit]
    num_proofs = 0
    for cell, digit in product(blanks[:40], range(1, 17)):
        tried = replace(puzzle, cells=puzzle.cells[:cell] + bytes([digit]) + puzzle.cells[cell + 1 :])
        result = SOLVER.solve(tried)
        assert result.is_solved == (ORACLE.count(tried, 1) == 1)
        num_proofs += result.status is Status.UNSATISFIABLE and result.stats["conflicts"] > 0
    assert num_proofs > 0


@pytest.mark.heavy
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_stays_modest_on_the_largest_grid() -> None:
    code = """
import re
from pathlib import Path
from sudokulab import Budget
from sudokulab.instances import fixed_fraction
from sudokulab.solvers import ConflictDriven
ConflictDriven().solve(fixed_fraction(64, fixed=0.1, seed=1), Budget(seconds=5))
print(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 500 * 1024
