"""Full grids, and the random instances of the papers, which blank cells of a full grid.

These instances may have several solutions; `sudokulab.generate` makes puzzles with exactly one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from sudokulab import _core
from sudokulab._internal.native import checked_range, checked_seed, checked_shape, checked_threads, native_puzzle
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.logic.selection import Techniques, rule_numbers
from sudokulab.puzzle import BoxLike, Digits, Puzzle
from sudokulab.questions import is_unique

__all__ = ["Stop", "fixed_fraction", "past_rules", "random_grid", "random_grids", "root_grid", "shuffled_root"]

Box = BoxLike | int
"""A box shape, or a size, which means the most nearly square box."""

_FAILURES = 15
Stop = Literal["failures", "minimal", "unique"]
"""When `past_rules` stops blanking cells."""

_MAX_ATTEMPTS = 100  # by `past_rules` at an instance with one solution that the rules do not solve


def random_grid(box: Box = 9, *, seed: int = 0) -> Puzzle:
    """Return a random full grid.

    9×9 grids are exactly uniform: each of the 6,670,903,752,021,072,936,960 is equally likely. Up to size 16, other
    grids come from eight steps of a Metropolis–Hastings chain over random descents, which converges to the uniform
    distribution, followed by a random symmetry: uniform at sizes 4 and 6, well mixed at 16;
    docs/reference/instances.md has the measurements. Larger grids are built band by band from random matchings, in
    milliseconds at any size; every grid is possible, but their probabilities are unknown.

    References
    ----------
    D. E. Knuth, "Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975.
    W. K. Hastings, "Monte Carlo sampling methods using Markov chains and their applications", Biometrika 57, 1970.

    Examples
    --------
    >>> random_grid(4, seed=1).line
    '4123324123141432'
    """
    empty = Puzzle.empty(box)
    return Puzzle(_core.random_grid(native_puzzle(empty), checked_seed(seed)), empty.box)


def random_grids(count: int, box: Box = 9, *, seed: int = 0, first: int = 0, threads: int | None = None) -> Digits:
    """Return random full grids as the rows of an array of shape (count, cells).

    They are independent, with the distribution of `random_grid`. A row depends only on the box shape, the seed and
    its index, so a sequence can be resumed: `first` is the index of the first row.

    Parameters
    ----------
    count
        Number of grids.
    box
        The box shape or the size.
    seed, first
        The same seed gives the same grids, from index `first` on.
    threads
        Number of threads (default: all cores). It does not change the grids.

    Examples
    --------
    >>> grids = random_grids(1000, seed=1)
    >>> (grids[10:] == random_grids(990, seed=1, first=10)).all()
    np.True_
    """
    first, count = checked_range(first, count)
    empty = Puzzle.empty(box)
    checked_shape(count, len(empty.cells))
    return _core.random_grids(native_puzzle(empty), checked_seed(seed), first, count, checked_threads(threads))


def root_grid(box: Box = 9) -> Puzzle:
    """Return the root solution: each row is the previous one shifted by a box width, plus one in a new band.

    Examples
    --------
    >>> root_grid(4).line
    '1234341223414123'
    """
    shape = Puzzle.empty(box).box
    rows = [shape.cols * (row % shape.rows) + row // shape.rows for row in range(shape.size)]
    cells = bytes((start + col) % shape.size + 1 for start in rows for col in range(shape.size))
    return Puzzle(cells, shape)


def shuffled_root(box: Box = 9, *, fixed: float, seed: int = 0) -> Puzzle:
    """Return an instance as in Lewis: the shuffled root solution, with each cell kept with probability `fixed`.

    The shuffle applies his five operators once each: transposition (with probability 1/2, square boxes only),
    permutation of the bands, of the stacks, of the rows in each band, and of the columns in each stack. Digits are not
    relabelled. The paper does not say how often the operators are applied.

    References
    ----------
    R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", 2007, section 3.1.
    """
    _check_fraction(fixed)
    rng = np.random.default_rng(checked_seed(seed))
    grid = root_grid(box)
    shape = grid.box
    if shape.rows == shape.cols and rng.random() < 0.5:
        grid = grid.transpose()
    grid = grid.permute_bands(rng.permutation(shape.cols).tolist())
    grid = grid.permute_stacks(rng.permutation(shape.rows).tolist())
    grid = grid.permute_rows(_inside_groups(shape.cols, shape.rows, rng))
    grid = grid.permute_cols(_inside_groups(shape.rows, shape.cols, rng))
    is_kept = rng.random(len(grid.cells)) < fixed
    return _keep(grid, is_kept)


def fixed_fraction(box: Box = 9, *, fixed: float, seed: int = 0) -> Puzzle:
    """Return an instance as in Lloyd and Amos: a random full grid with an exact fraction of its cells kept.

    Their full grids come from running the ant colony on a blank grid; ours from `random_grid`.

    References
    ----------
    H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019, section
    4.3.
    """
    _check_fraction(fixed)
    grid = random_grid(box, seed=seed)
    rng = np.random.default_rng(seed)
    is_kept = np.zeros(len(grid.cells), dtype=bool)
    is_kept[rng.permutation(len(grid.cells))[: round(fixed * len(grid.cells))]] = True
    return _keep(grid, is_kept)


def past_rules(
    box: Box = 16,
    *,
    stop: Stop | None = None,
    failures: int | None = None,
    extra: int | None = None,
    rules: Techniques | None = None,
    seed: int = 0,
) -> Puzzle:
    """Return an instance as in San Segundo and Jiménez (their ``16_k``): blank cells until rules fail, then k more.

    Parameters
    ----------
    box
        The box shape or the size; the paper uses 16.
    stop
        When blanking stops. ``failures``, the default: when blanking a cell has made the grid unsolvable for the rules
        `failures` times; all such cells but the last are restored, and `extra` more are blanked. ``minimal``: when
        every given is necessary for the rules, since section 5 of the paper says that no given was redundant; then
        `extra` more are blanked. ``unique``: when every given is necessary for the rules, and then for the uniqueness
        of the solution. Such an instance has one solution and no redundant given, as section 5 says, but leaves no
        `extra` cells to blank, as section 4.2 says.
    failures
        Number of failures for ``stop="failures"``. With 15, the default, the paper's simplest heuristic needs about as
        many backtracks as in its Table 3; 1 is the first failure.
    extra
        The paper's k: how many more cells to blank (default: 1). Not for ``stop="unique"``.
    rules
        The rules; by default all ten.
    seed
        The same seed gives the same instance.

    Raises
    ------
    ParameterError
        If a parameter is out of range.
    SudokulabError
        If ``stop="unique"`` finds only instances that the rules solve, as at size 4.

    References
    ----------
    P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009, sections
    4.2 and 5.
    """
    stop = check_stop(stop, failures, extra)
    if stop == "unique":
        return _unique_past_rules(box, rules, checked_seed(seed))
    grid = random_grid(box, seed=seed)
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(grid.cells)).tolist()
    instance = _blank(
        grid,
        order,
        lambda puzzle: _is_solved_by(rules, puzzle),
        (failures or _FAILURES) if stop == "failures" else None,
    )
    given = [cell for cell, digit in enumerate(instance.cells) if digit]
    more = rng.permutation(given)[: 1 if extra is None else extra].tolist()
    return replace(instance, cells=bytes(0 if cell in more else digit for cell, digit in enumerate(instance.cells)))


def check_stop(stop: Stop | None, failures: int | None, extra: int | None) -> Stop:
    """Return the parameter `stop` of `past_rules` with its default; raise `ParameterError` if others do not fit it."""
    stop = stop or "failures"
    if stop not in get_args(Stop):
        raise ParameterError(f"stop: {stop!r}; choose one of {', '.join(get_args(Stop))}")
    if failures is not None and (failures < 1 or stop != "failures"):
        raise ParameterError(f"failures: {failures} with stop={stop!r}; choose 1 or more, with stop='failures'")
    if extra is not None and (extra < 0 or stop == "unique"):
        raise ParameterError(f"extra: {extra} with stop={stop!r}; choose 0 or more, with a stop other than 'unique'")
    return stop


def _unique_past_rules(box: Box, rules: Techniques | None, seed: int) -> Puzzle:
    for attempt in range(_MAX_ATTEMPTS):
        rng = np.random.default_rng([seed, attempt])
        grid = random_grid(box, seed=_core.derive_seed(seed, attempt))
        order = rng.permutation(len(grid.cells)).tolist()
        solvable = _blank(grid, order, lambda puzzle: _is_solved_by(rules, puzzle))
        instance = _blank(solvable, order, is_unique)
        if instance != solvable:
            return instance
    raise SudokulabError(f"the rules solved all of {_MAX_ATTEMPTS} instances of size {grid.size}; choose a larger size")


def _is_solved_by(rules: Techniques | None, puzzle: Puzzle) -> bool:
    return _core.is_solved_by_rules(native_puzzle(puzzle), rule_numbers(rules))


def _blank(
    grid: Puzzle, order: Iterable[int], is_sound: Callable[[Puzzle], bool], max_failures: int | None = None
) -> Puzzle:
    """Blank givens in order and restore those without which the puzzle is not sound.

    With a maximum number of failures, stop at the last of them and do not restore its given.
    """
    cells = bytearray(grid.cells)
    num_failures = 0
    for cell in order:
        given, cells[cell] = cells[cell], 0
        if given and not is_sound(Puzzle(bytes(cells), grid.box)):
            num_failures += 1
            if num_failures == max_failures:
                break
            cells[cell] = given
    return Puzzle(bytes(cells), grid.box)


def _inside_groups(num_groups: int, width: int, rng: np.random.Generator) -> list[int]:
    return [group * width + int(line) for group in range(num_groups) for line in rng.permutation(width)]


def _keep(grid: Puzzle, is_kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Puzzle:
    cells = bytes(digit if keep else 0 for digit, keep in zip(grid.cells, is_kept, strict=True))
    return Puzzle(cells, grid.box, solution=grid)


def _check_fraction(fixed: float) -> None:
    if not 0 <= fixed <= 1:
        raise ParameterError(f"fixed: {fixed}; choose a fraction from 0 to 1")
