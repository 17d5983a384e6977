"""Questions about a puzzle: solve it, count or enumerate its solutions, test uniqueness and minimality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import replace
from typing import Any

from sudokulab import _core
from sudokulab._internal.batches import batches
from sudokulab._internal.native import checked_seed, checked_threads, native_budget, native_puzzle
from sudokulab._internal.progress import track
from sudokulab.errors import BudgetError, PuzzleError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.puzzle import NINE, BoxLike, Puzzle
from sudokulab.search.budget import Budget, checked_budget
from sudokulab.search.frames import LiveView, Recorder
from sudokulab.search.result import Result, Status
from sudokulab.solvers import Auto, Solver
from sudokulab.solvers.registry import DEFAULT_SOLVER, SolverLike, make_solver

__all__ = [
    "count",
    "is_minimal",
    "is_unique",
    "minimize",
    "redundant_givens",
    "solutions",
    "solve",
    "solve_many",
]

_auto = Auto()


def solve(
    puzzle: PuzzleLike,
    solver: SolverLike = DEFAULT_SOLVER,
    budget: Budget | None = None,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    nodes: int | None = None,
    seed: int = 0,
    trace: bool = False,
    frames: bool | LiveView | Recorder = False,
    threads: int | None = 1,
    box: BoxLike | None = None,
) -> Result:
    """Solve a puzzle.

    Parameters
    ----------
    puzzle
        A `Puzzle`, text in any format, bytes, nested lists or an array.
    solver
        A solver, its class, its name, or ``module:Class``.
    budget
        Limits of the run. Default: no limit.
    seconds, iterations, nodes
        Limits without a `Budget`. Metaheuristics count iterations, tree searches count nodes.
    seed
        Random seed. The same seed repeats the run exactly.
    trace
        Whether to record samples of the search in `Result.trace`.
    frames
        Whether to record snapshots of the search in `Result.frames`, or a `sudokulab.search.LiveView` to watch the
        search while it runs. A `sudokulab.search.Recorder` keeps the snapshots of interrupted runs.
    threads
        Number of threads, at most one per core; None for all cores. `Auto` uses them on hard puzzles larger than
        9×9, `ConflictDriven` on all hard puzzles: each thread runs a different search, and the first answer counts.
        Such runs are not repeatable, and cannot record a trace or frames. Other solvers and smaller puzzles use one
        thread. Limits on nodes, and on CPU time, hold for each thread.
    box
        The box shape, for sizes with several, such as ``"2x6"``.

    Raises
    ------
    SudokulabError
        If the puzzle cannot be read, a parameter is invalid, or a trace or frames of several threads are requested.
    WrongAnswerError
        If the solver returns an invalid solution.

    Examples
    --------
    >>> import sudokulab
    >>> result = sudokulab.solve("1.....3..4.....2", seconds=5)
    >>> result.status, result.solution.line
    (<Status.SOLVED: 'solved'>, '1324423124133142')
    """
    chosen = _auto if solver == DEFAULT_SOLVER else make_solver(solver)
    return chosen.solve(
        puzzle,
        budget,
        seconds=seconds,
        iterations=iterations,
        nodes=nodes,
        seed=seed,
        trace=trace,
        frames=frames,
        threads=threads,
        box=box,
    )


def solve_many(
    puzzles: Iterable[PuzzleLike],
    solver: SolverLike = DEFAULT_SOLVER,
    budget: Budget | None = None,
    *,
    seconds: float | None = None,
    iterations: int | None = None,
    nodes: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    progress: bool = False,
    box: BoxLike | None = None,
) -> Iterator[Result]:
    """Solve puzzles on all cores and yield their results in order.

    Puzzles are read as they are needed, so millions of them can stream through. If a puzzle cannot be read, or the
    solver fails, the result says why in `Result.error`. For arrays of puzzles, `sudokulab.solve_array` is faster.

    Parameters
    ----------
    puzzles
        An iterable of puzzles in any form, such as a list or `sudokulab.read`.
    solver
        A solver, its class, its name, or ``module:Class``.
    budget, seconds, iterations, nodes
        Limits for each puzzle; see `Solver.solve`.
    seed
        Random seed. Each puzzle gets its own seed, derived from this one and its index.
    threads
        Number of threads (default: all cores).
    progress
        Whether to show a progress bar on standard error, if that is a terminal.
    box
        The box shape, for sizes with several.

    Examples
    --------
    >>> [result.status.value for result in solve_many(["1.....3..4.....2", "11.............."])]
    ['solved', 'unsatisfiable']
    """
    chosen = make_solver(solver)
    limits = checked_budget(budget, chosen.name, chosen.unit, seconds, iterations, nodes)
    results = _solve_in_batches(as_many(puzzles), box, chosen, limits, checked_seed(seed), checked_threads(threads))
    if not progress:
        return results
    return track(results, "solving", len(puzzles) if isinstance(puzzles, Sized) else None)


def _solve_in_batches(
    puzzles: Iterable[PuzzleLike], box: BoxLike | None, solver: Solver, budget: Budget, seed: int, threads: int
) -> Iterator[Result]:
    num_done = 0
    for batch in batches(puzzles, threads):
        seeds = _core.derive_seeds(seed, num_done, len(batch))
        read, errors = _read_batch(batch, box)
        read_seeds = [own for i, own in enumerate(seeds) if i not in errors] if errors else seeds
        results = solver.solve_batch(read, budget, read_seeds, threads)
        if errors:
            results = list(results)
            for i, error in errors.items():
                results.insert(i, Result(Status.UNKNOWN, None, solver.name, seed=seeds[i], error=error))
        yield from results
        num_done += len(batch)


def _read_batch(batch: list[PuzzleLike], box: BoxLike | None) -> tuple[list[Puzzle], dict[int, str]]:
    """Return the puzzles of a batch, and the errors of unreadable ones by their index."""
    values: list[Any] = _core.read_nines(batch, Puzzle, NINE) if box is None else batch
    if box is None and set(map(type, values)) == {Puzzle}:
        return values, {}
    puzzles, errors = [], {}
    for i, value in enumerate(values):
        try:
            puzzles.append(as_puzzle(value, box))
        except SudokulabError as error:
            errors[i] = str(error)
    return puzzles, errors


def count(
    puzzle: PuzzleLike,
    limit: int | None = None,
    budget: Budget | None = None,
    *,
    seconds: float | None = None,
    box: BoxLike | None = None,
) -> int:
    """Count the solutions of a puzzle.

    Parameters
    ----------
    limit
        Stop counting at this number. Default: count all solutions.
    puzzle, budget, seconds, box
        See `solve`.

    Raises
    ------
    BudgetError
        If the budget runs out.

    Examples
    --------
    >>> count("." * 16), count("." * 16, limit=2)
    (288, 2)
    """
    if budget is None and seconds is None and box is None:
        number = _core.count_nine(puzzle, limit)  # one call for plain 9×9 texts
        if number is not None:
            return number
    return _auto.count(puzzle, limit, budget, seconds=seconds, box=box)


def solutions(
    puzzle: PuzzleLike, budget: Budget | None = None, *, seconds: float | None = None, box: BoxLike | None = None
) -> Iterator[Puzzle]:
    """Yield the solutions of a puzzle one by one, as they are found; see `solve` for the parameters.

    Raises
    ------
    BudgetError
        If the budget runs out. It covers all solutions together.

    Examples
    --------
    >>> next(solutions("." * 16)).line
    '1234341221434321'
    """
    return _auto.solutions(puzzle, budget, seconds=seconds, box=box)


def is_unique(
    puzzle: PuzzleLike, budget: Budget | None = None, *, seconds: float | None = None, box: BoxLike | None = None
) -> bool:
    """Return whether a puzzle has exactly one solution; see `count` for the parameters and errors."""
    return count(puzzle, 2, budget, seconds=seconds, box=box) == 1


def is_minimal(
    puzzle: PuzzleLike, budget: Budget | None = None, *, seconds: float | None = None, box: BoxLike | None = None
) -> bool:
    """Return whether a puzzle has exactly one solution, and removing any given breaks uniqueness.

    See `count` for the parameters and errors.
    """
    number, redundant = _redundant_givens(as_puzzle(puzzle, box), budget, seconds)
    if number is None:
        raise BudgetError("the budget ran out before minimality was decided")
    return redundant == []


def redundant_givens(
    puzzle: PuzzleLike, budget: Budget | None = None, *, seconds: float | None = None, box: BoxLike | None = None
) -> list[int]:
    """Return the cells whose given can be removed, one at a time, without losing uniqueness.

    See `count` for the parameters and errors.
    """
    number, redundant = _redundant_givens(as_puzzle(puzzle, box), budget, seconds)
    _check_unique(number)
    return redundant or []


def minimize(
    puzzle: PuzzleLike,
    budget: Budget | None = None,
    *,
    seconds: float | None = None,
    seed: int = 0,
    box: BoxLike | None = None,
) -> Puzzle:
    """Remove givens in random order as long as the solution stays unique; see `count` for parameters and errors.

    Examples
    --------
    >>> full = solve("1.....3..4.....2").solution
    >>> minimal = minimize(full, seed=1)
    >>> minimal.num_givens < 8, is_minimal(minimal)
    (True, True)
    """
    puzzle = as_puzzle(puzzle, box)
    limits = native_budget(checked_budget(budget, _auto.name, _auto.unit, seconds))
    number, cells = _core.minimize(native_puzzle(puzzle), limits, checked_seed(seed))
    _check_unique(number)
    return replace(puzzle, cells=cells or puzzle.cells)


def _redundant_givens(
    puzzle: Puzzle, budget: Budget | None, seconds: float | None
) -> tuple[int | None, list[int] | None]:
    limits = native_budget(checked_budget(budget, _auto.name, _auto.unit, seconds))
    return _core.redundant_givens(native_puzzle(puzzle), limits)


def _check_unique(num_solutions: int | None) -> None:
    if num_solutions is None:
        raise BudgetError("the budget ran out before the givens were checked")
    if num_solutions != 1:
        raise PuzzleError(
            f"the puzzle has {('no', '', 'several')[num_solutions]} solutions; use a puzzle with exactly one"
        )
