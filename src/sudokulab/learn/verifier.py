"""Score predicted grids in bulk, with code that no solver shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_threads
from sudokulab.errors import ParameterError, PuzzleError
from sudokulab.formats.arrays import PuzzleArray, array_and_box
from sudokulab.formats.coercion import as_unmasked
from sudokulab.gpu.devices import cuda_device_of, require_device, to_host
from sudokulab.puzzle import BoxLike, BoxShape, Digits
from sudokulab.questions import count_array, solve_array
from sudokulab.verify import are_solutions

if TYPE_CHECKING:
    from sudokulab.gpu.verifying import GpuVerifier

__all__ = ["Scores", "Verifier"]


@dataclass(frozen=True, eq=False)
class Scores:
    """The scores of n predicted grids, as arrays of shape (n,).

    For predictions on a GPU, the arrays are of the same library on the same GPU, with numbers of type ``int32``.

    Parameters
    ----------
    is_complete
        Whether every cell has a digit from 1 to the size.
    is_valid
        Whether the grid is complete and has every digit once in each row, column and box.
    keeps_givens
        Whether every given is unchanged.
    num_correct
        Number of cells that agree with the solution, including givens.
    num_correct_blanks
        Number of cells that agree with the solution and are blank in the puzzle.
    num_blanks
        Number of blank cells in the puzzle.
    """

    is_complete: NDArray[np.bool_]
    is_valid: NDArray[np.bool_]
    keeps_givens: NDArray[np.bool_]
    num_correct: NDArray[np.uint16]
    num_correct_blanks: NDArray[np.uint16]
    num_blanks: NDArray[np.uint16]

    def __len__(self) -> int:
        """Return the number of predictions."""
        return len(self.is_valid)

    @property
    def is_solved(self) -> NDArray[np.bool_]:
        """Whether each grid solves its puzzle: it is valid and keeps the givens."""
        return self.is_valid & self.keeps_givens

    @property
    def accuracy(self) -> float:
        """The share of grids that solve their puzzles; NaN for an empty batch."""
        return _share(self.is_solved.sum(), len(self))

    @property
    def cell_accuracy(self) -> float:
        """The share of blank cells with the right digit, over all grids; NaN if no cell is blank."""
        return _share(self.num_correct_blanks.sum(), self.num_blanks.sum())


class Verifier:
    """Scores predicted grids for a fixed set of puzzles, at millions of 9×9 grids per second and core.

    Predictions on a GPU are scored there (extra ``gpu``).

    Parameters
    ----------
    puzzles
        The puzzles; see `PuzzleArray`. Arrays of bytes are used in place, so do not change them later.
    solutions
        Their solutions, in the same order. Default: the puzzles are solved.
    box
        The box shape. Default: the shape of the first puzzle, or the most square one.

    Raises
    ------
    PuzzleError
        If a solution does not solve its puzzle or, without `solutions`, if a puzzle does not have exactly one. The
        message has the number of the puzzle, counted from 1.

    Examples
    --------
    >>> verifier = Verifier(["1.....3..4.....2", "..3..1....2.4..."])
    >>> scores = verifier.score([[1, 3, 2, 4, 4, 2, 3, 1, 2, 4, 1, 3, 3, 1, 4, 2], [1] * 16])
    >>> scores.is_solved.tolist(), scores.num_correct.tolist(), scores.accuracy
    ([True, False], [16, 4], 0.5)
    """

    puzzles: Digits
    """The puzzles, of shape (n, cells), with 0 for a blank."""
    solutions: Digits
    """Their solutions, of the same shape."""
    box: BoxShape
    """Their box shape."""

    def __init__(
        self, puzzles: PuzzleArray, solutions: PuzzleArray | None = None, *, box: BoxLike | None = None
    ) -> None:
        self.puzzles, self.box = array_and_box(to_host(puzzles), box)
        if solutions is None:
            self.solutions = solutions_of(self.puzzles, self.box)
        else:
            self.solutions = _checked_solutions(to_host(solutions), self.puzzles, self.box)
        self._num_blanks = (self.puzzles == 0).sum(axis=1, dtype=np.uint16)
        self._on_gpus: dict[int, GpuVerifier] = {}

    def __len__(self) -> int:
        """Return the number of puzzles."""
        return len(self.puzzles)

    def score(self, predictions: ArrayLike, rows: ArrayLike | None = None, *, threads: int | None = None) -> Scores:
        """Score predicted grids.

        Parameters
        ----------
        predictions
            Integers of shape (n, cells) or (n, size, size), in any memory layout. Values other than 1 to the size count
            as blanks. Arrays of CuPy, PyTorch, JAX and others on a GPU are scored there.
        rows
            The index of each prediction's puzzle, counted from 0. Default: one prediction per puzzle, in order.
        threads
            Number of threads (default: all cores). Up to 1,024 predictions are scored on one.

        Raises
        ------
        ParameterError
            If the predictions are not integers or have another shape, or if a row does not exist.
        """
        num_threads = checked_threads(threads)
        indices = None if rows is None else self._indices(to_host(rows))
        gpu = cuda_device_of(predictions)
        if gpu is not None:
            return Scores(*self._on_gpu(gpu).score(predictions, indices, lambda array: self._check(array, indices)))
        grids = self._grids(predictions)
        self._check(grids, indices)
        found = _core.score_array(
            grids.reshape(-1, self.box.size, self.box.size),
            self.puzzles,
            self.solutions,
            indices,
            *self.box,
            num_threads,
        )
        return Scores(*found, self._num_blanks.copy() if indices is None else self._num_blanks[indices])

    def _check(self, array: Any, indices: NDArray[np.int64] | None) -> None:
        """Raise ParameterError if predictions, in an array of any library, have the wrong type, shape or number."""
        if array.dtype.kind not in "iu":
            raise ParameterError(f"predictions have type {array.dtype}; pass integers, such as logits.argmax(-1) + 1")
        size = self.box.size
        if array.shape[1:] not in ((size**2,), (size, size)):
            raise ParameterError(
                f"predictions have shape {array.shape}; pass shape (n, {size**2}) or (n, {size}, {size})"
            )
        needed = len(self) if indices is None else len(indices)
        if len(array) != needed:
            what = "puzzles; pass their indices as rows" if indices is None else "rows"
            raise ParameterError(f"{len(array)} predictions for {needed} {what}")

    def _grids(self, predictions: ArrayLike) -> NDArray[Any]:
        """Return predictions as an array, copied only if the core cannot read them in place."""
        try:
            array = as_unmasked(np.asanyarray(predictions))
        except ValueError:
            raise ParameterError("predictions have different lengths; pass one grid per row") from None
        return np.require(array, array.dtype.newbyteorder("="), "A")

    def _on_gpu(self, number: int) -> GpuVerifier:
        if number not in self._on_gpus:
            require_device(number)
            from sudokulab.gpu.verifying import GpuVerifier

            self._on_gpus[number] = GpuVerifier(self.puzzles, self.solutions, self._num_blanks, self.box, number)
        return self._on_gpus[number]

    def _indices(self, rows: ArrayLike) -> NDArray[np.int64]:
        array = np.array(rows, order="C")  # a copy, which no other thread can change after the check
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise ParameterError(f"rows have shape {array.shape} and type {array.dtype}; pass a list of indices")
        is_row = (array >= 0) & (array < len(self))
        if not is_row.all():
            raise ParameterError(f"row {array[~is_row][0]}; choose 0 to {len(self) - 1}")
        return array.astype(np.int64, copy=False)


def solutions_of(puzzles: Digits, box: BoxShape) -> Digits:
    """Return the solutions of puzzles; raise PuzzleError if one has none, or several."""
    counts = count_array(puzzles, 2, box=box)
    for index in np.flatnonzero(counts != 1)[:1]:
        found = "several solutions" if counts[index] else "no solution"
        raise PuzzleError(f"puzzle {index + 1} has {found}; use puzzles with exactly one")
    return solve_array(puzzles, box=box)


def _checked_solutions(solutions: PuzzleArray, puzzles: Digits, box: BoxShape) -> Digits:
    grids, _ = array_and_box(solutions, box)
    for index in np.flatnonzero(~are_solutions(grids, puzzles, box))[:1]:
        raise PuzzleError(f"solution {index + 1} does not solve its puzzle")
    return grids


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else math.nan
