"""The questions people ask of a puzzle: solve, count, enumerate, is it unique, is it minimal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab._internal.progress import track
from sudokulab.budget import Budget
from sudokulab.errors import BudgetError, PuzzleError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import Digits, Puzzle
from sudokulab.result import Result, Status
from sudokulab.solvers import Auto, Solver
from sudokulab.solving.arrays import solve_array
from sudokulab.solving.registry import DEFAULT_SOLVER, make_solver

__all__ = [
    "count",
    "enumerate",
    "is_minimal",
    "is_unique",
    "minimize",
    "redundant_givens",
    "solve",
    "solve_many",
]

_counter = Auto()


def solve(
    puzzle: PuzzleLike,
    solver: Solver | str = DEFAULT_SOLVER,
    *,
    budget: Budget | None = None,
    seed: int = 0,
    trace: bool = False,
) -> Result:
    """Solve a puzzle.

    Parameters
    ----------
    puzzle
        A puzzle, or text in any format that `sudokulab.parse` reads.
    solver
        A solver, or the name of one with its default parameters.
    budget, seed, trace
        See `Solver.solve`.

    Examples
    --------
    >>> import sudokulab
    >>> result = sudokulab.solve("1.....3..4.....2")
    >>> result.status, str(result.solution)
    (<Status.SOLVED: 'solved'>, '1324423124133142')
    """
    return _solver(solver).solve(as_puzzle(puzzle), budget, seed=seed, trace=trace)


@overload
def solve_many(puzzles: NDArray[np.integer], *, threads: int | None = None) -> Digits: ...


@overload
def solve_many(
    puzzles: Iterable[PuzzleLike],
    solver: Solver | str = DEFAULT_SOLVER,
    *,
    budget: Budget | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = True,
) -> Iterator[Result]: ...


def solve_many(
    puzzles: NDArray[np.integer] | Iterable[PuzzleLike],
    solver: Solver | str = DEFAULT_SOLVER,
    *,
    budget: Budget | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = True,
) -> Digits | Iterator[Result]:
    """Solve puzzles on all cores: an array gives an array, other puzzles give their results, one by one, in order.

    Results come lazily: millions of puzzles can stream through. A puzzle that cannot be read, or on which the solver
    breaks down, gives a result that says so in `Result.error`.

    An array holds 9×9 puzzles as integers, shape (n, 81) or (n, 9, 9), 0 for a blank. It is solved at once, by the
    default solver, without a bar; the answer is of shape (n, 81), zeros where there is no solution.
    `sudokulab.as_array` makes such an array of strings.

    Parameters
    ----------
    puzzles
        Puzzles, or text in any format that `sudokulab.parse` reads; or an array.
    solver
        A solver, or the name of one with its default parameters.
    budget
        What each puzzle may cost.
    seed
        The seed of the first puzzle; each further one gets its own, derived from it and from its place.
    threads
        How many to solve at once; by default one for each core.
    progress
        Whether to show a bar on standard error, if that is a terminal and the work lasts longer than a second.

    Examples
    --------
    >>> [result.status.value for result in solve_many(["1.....3..4.....2", "11.............."])]
    ['solved', 'unsatisfiable']
    >>> solve_many(np.zeros((1, 81), dtype=int)).shape
    (1, 81)
    """
    if isinstance(puzzles, np.ndarray) and puzzles.dtype.kind not in "OU":  # which would hold puzzles or strings
        if _solver(solver) != Auto() or budget is not None:
            raise ValueError("an array is solved by the default solver without a budget: hand over puzzles instead")
        return solve_array(puzzles, threads=threads)
    results = _solve_in_batches(as_many(puzzles), _solver(solver), budget, checked_seed(seed), checked_threads(threads))
    if not progress:
        return results
    return track(results, "solving", len(puzzles) if isinstance(puzzles, Sized) else None)


def _solve_in_batches(
    puzzles: Iterable[PuzzleLike], solver: Solver, budget: Budget | None, seed: int, threads: int
) -> Iterator[Result]:
    num_done = 0
    for batch in batches(puzzles, threads):
        read = [_puzzle_or_error(puzzle) for puzzle in batch]
        seeds = [_core.derive_seed(seed, num_done + i) for i in range(len(batch))]
        good = [(puzzle, own) for puzzle, own in zip(read, seeds, strict=True) if isinstance(puzzle, Puzzle)]
        solved = iter(solver.solve_batch([puzzle for puzzle, _ in good], budget, [own for _, own in good], threads))
        for puzzle, own_seed in zip(read, seeds, strict=True):
            if isinstance(puzzle, Puzzle):
                yield next(solved)
            else:
                yield Result(Status.UNKNOWN, None, solver.name, seed=own_seed, error=str(puzzle))
        num_done += len(batch)


def count(puzzle: PuzzleLike, limit: int | None = None, *, budget: Budget | None = None) -> int:
    """Count the solutions, up to the limit if one is given; `BudgetError` if the budget does not suffice.

    Examples
    --------
    >>> count("." * 16), count("." * 16, limit=2)
    (288, 2)
    """
    return _counter.count(as_puzzle(puzzle), limit, budget)


def enumerate(puzzle: PuzzleLike, *, budget: Budget | None = None) -> Iterator[Puzzle]:
    """Yield the solutions one by one, searching only as far as they are asked for.

    Examples
    --------
    >>> print(next(enumerate("." * 16)))
    1234341221434321
    """
    return _counter.enumerate(as_puzzle(puzzle), budget)


def is_unique(puzzle: PuzzleLike, *, budget: Budget | None = None) -> bool:
    """Tell whether there is exactly one solution."""
    return count(puzzle, 2, budget=budget) == 1


def is_minimal(puzzle: PuzzleLike, *, budget: Budget | None = None) -> bool:
    """Tell whether there is exactly one solution and every given is needed for that."""
    number, redundant = _core.redundant_givens(native_puzzle(as_puzzle(puzzle)), native_budget(budget))
    if number is None:
        raise BudgetError("cannot tell whether the puzzle is minimal: the budget ran out")
    return redundant == []


def redundant_givens(puzzle: PuzzleLike, *, budget: Budget | None = None) -> list[int]:
    """Return the cells whose given could be left out, each for itself, with the solution still the only one."""
    number, redundant = _core.redundant_givens(native_puzzle(as_puzzle(puzzle)), native_budget(budget))
    _check_unique(number)
    return redundant or []


def minimize(puzzle: PuzzleLike, *, seed: int = 0, budget: Budget | None = None) -> Puzzle:
    """Leave out givens, in random order, until none can go without a second solution appearing.

    Examples
    --------
    >>> full = solve("1.....3..4.....2").solution
    >>> minimal = minimize(full, seed=1)
    >>> minimal.num_givens < 8, is_minimal(minimal)
    (True, True)
    """
    puzzle = as_puzzle(puzzle)
    number, cells = _core.minimize(native_puzzle(puzzle), native_budget(budget), checked_seed(seed))
    _check_unique(number)
    return replace(puzzle, cells=cells or puzzle.cells)


def _check_unique(num_solutions: int | None) -> None:
    if num_solutions is None:
        raise BudgetError("cannot tell which givens are needed: the budget ran out")
    if num_solutions != 1:
        raise PuzzleError(f"the puzzle has {('no', '', 'several')[num_solutions]} solutions, expected exactly one")


def _solver(solver: Solver | str) -> Solver:
    return make_solver(solver) if isinstance(solver, str) else solver


def _puzzle_or_error(puzzle: PuzzleLike) -> Puzzle | SudokulabError:
    try:
        return as_puzzle(puzzle)
    except SudokulabError as error:
        return error
