"""Generate puzzles with exactly one solution to a specification.

The search for a puzzle is a sequence of independent attempts (``cpp/generation/generator.h``), each with its own seed.
The first attempt that meets the specification wins. A puzzle depends only on its specification, seed and index, so
generation can be parallelised and resumed at any index.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudokulab import _core
from sudokulab._internal.native import checked_range, checked_seed, checked_shape, checked_threads, native_budget
from sudokulab._internal.progress import progress_bar
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.gpu.devices import chosen_device, require_device
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.logic.rating import rate
from sudokulab.puzzle import BoxShape, Digits, Puzzle
from sudokulab.search.budget import MAX_COUNT, Budget, checked_budget

__all__ = ["GeneratedArrays", "NotFoundError", "generate", "generate_array"]

_DESCRIPTION_BUDGET = Budget(seconds=2)

_LARGEST_ROUND = 8192
_ROUND_SECONDS = 0.2
_MOST_GROWTH = 8  # of the number of attempts from one round to the next
_PATIENCE_SECONDS = 60.0  # per puzzle, if there is no budget


class NotFoundError(SudokulabError):
    """The budget ran out before a puzzle was found.

    Parameters
    ----------
    message
        Which puzzle was not found, and how close the attempts came.
    closest
        The closest puzzle with exactly one solution, or None.
    num_attempts
        Number of attempts at this puzzle.
    """

    def __init__(self, message: str, closest: Puzzle | None, num_attempts: int) -> None:
        super().__init__(message, closest, num_attempts)  # unpickling passes the arguments again
        self.closest = closest
        self.num_attempts = num_attempts

    def __str__(self) -> str:
        return str(self.args[0])


class GeneratedArrays(NamedTuple):
    """Puzzles and their solutions, one per row of two arrays of shape (n, cells), with 0 for a blank."""

    puzzles: Digits
    solutions: Digits


def generate(
    count: int = 1,
    spec: PuzzleSpec | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
    **wishes: object,
) -> Iterator[Puzzle]:
    """Generate puzzles with exactly one solution; each puzzle carries its solution.

    Parameters
    ----------
    count
        Number of puzzles.
    spec
        The specification; alternatively, pass the parameters of `PuzzleSpec` as keywords.
    seed, first
        The same seed gives the same puzzles. `first` is the index of the first puzzle, to resume a sequence.
    threads
        Number of parallel attempts (default: all cores). It does not change the puzzles.
    budget
        Seconds for all puzzles together, iterations (attempts) for each. Default: one minute per puzzle.
    progress
        Whether to show a progress bar on standard error, if that is a terminal.
    **wishes
        Parameters of `PuzzleSpec`.

    Raises
    ------
    SpecError
        Immediately, if no puzzle can meet the specification.
    NotFoundError
        If the budget runs out; it carries the closest puzzle found.

    Examples
    --------
    >>> (puzzle,) = generate(level="easy", symmetry="half-turn", seed=1)
    >>> rate(puzzle).level
    <Level.EASY: 'easy'>
    """
    search = _Search(specification(spec, wishes), seed, threads, budget)
    blocks = search.run(first, count, progress)
    return (puzzle for block in blocks for puzzle in _puzzles(block, search.shape))


def generate_array(
    count: int,
    spec: PuzzleSpec | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
    device: str | None = None,
    **wishes: object,
) -> GeneratedArrays:
    """Generate the puzzles of `generate` as arrays, which is faster by the million.

    Parameters
    ----------
    count, spec, seed, first, threads, budget, progress, **wishes
        See `generate`.
    device
        ``"cuda"`` or ``"cuda:N"`` for 9×9 puzzles on a GPU (extra ``gpu``), as CuPy arrays. The puzzles are the same as
        those of the CPU, which draws the full grids and the orders in which cells are tried. The specification may only
        require minimal puzzles, and there may be no budget. Default: ``"cpu"``.

    Raises
    ------
    SpecError, NotFoundError
        As in `generate`.
    ParameterError
        If the specification needs the CPU.
    DeviceError
        If a GPU is chosen but cannot be used.

    Examples
    --------
    >>> made = generate_array(1000, minimal=True, seed=1)
    >>> made.puzzles.shape, (made.solutions > 0).all()
    ((1000, 81), np.True_)
    """
    chosen = specification(spec, wishes)
    gpu = chosen_device(None, device)
    if gpu is not None:
        return _generate_on_gpu(gpu, chosen, seed, checked_range(first, count), threads, budget, progress)
    search = _Search(chosen, seed, threads, budget)
    first, count = checked_range(first, count)
    shape = checked_shape(count, search.shape.size**2)
    made = GeneratedArrays(np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8))
    num_done = 0
    for block in search.run(first, count, progress):
        for target, digits in zip(made, block, strict=True):
            target[num_done : num_done + len(digits)] = digits
        num_done += len(block.puzzles)
    return made


def _generate_on_gpu(
    device: int,
    spec: PuzzleSpec,
    seed: int,
    indices: tuple[int, int],
    threads: int | None,
    budget: Budget | None,
    progress: bool,
) -> GeneratedArrays:
    if spec != PuzzleSpec(minimal=spec.minimal):
        raise ParameterError("the GPU generates 9×9 puzzles whose only requirement is minimal; leave out device='cuda'")
    if budget is not None:
        raise ParameterError("budget: not supported on a GPU; leave out either the budget or device='cuda'")
    require_device(device)
    from sudokulab.gpu.generating import generate_minimal

    checked_shape(indices[1], spec.shape.size**2)
    return GeneratedArrays(
        *generate_minimal(device, checked_seed(seed), *indices, checked_threads(threads), progress=progress)
    )


def generate_blocks(
    count: int,
    spec: PuzzleSpec,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
) -> Iterator[GeneratedArrays]:
    """Generate the puzzles of `generate` in blocks of arrays, as soon as they are found."""
    return _Search(spec, seed, threads, budget).run(first, count, progress)


def specification(spec: PuzzleSpec | None, wishes: dict[str, object]) -> PuzzleSpec:
    """Return the specification, or make it from its parameters; raise `ParameterError` for unknown ones."""
    if spec is not None and wishes:
        raise ParameterError("expected either a specification or its parameters, got both")
    known = [field.name for field in fields(PuzzleSpec) if field.init]
    for name in wishes:
        if name not in known:
            raise ParameterError(unknown_name("parameter of generate", name, known))
    return spec or PuzzleSpec(**wishes)  # type: ignore[arg-type]


def _puzzles(block: GeneratedArrays, shape: BoxShape) -> Iterator[Puzzle]:
    for cells, solution in zip(block.puzzles, block.solutions, strict=True):
        yield Puzzle(cells.tobytes(), shape, solution=Puzzle(solution.tobytes(), shape))


_NONE = np.iinfo(np.int64).max  # the distance of a puzzle without attempts


@dataclass
class _Quests:
    """The puzzles in progress, in order: the number of attempts at each, and the closest one so far."""

    indices: NDArray[np.uint64]
    num_attempts: NDArray[np.int64]
    distances: NDArray[np.int64]  # 0 if the puzzle is found
    made: GeneratedArrays

    @classmethod
    def begin(cls, first: int, number: int, num_cells: int) -> _Quests:
        """Begin `number` puzzles from index `first` on."""
        return cls(
            np.arange(number, dtype=np.uint64) + np.uint64(first),
            np.zeros(number, np.int64),
            np.full(number, _NONE),
            GeneratedArrays(*(np.zeros((number, num_cells), np.uint8) for _ in range(2))),
        )

    def __len__(self) -> int:
        return len(self.indices)

    def __add__(self, others: _Quests) -> _Quests:
        return _Quests(
            np.concatenate([self.indices, others.indices]),
            np.concatenate([self.num_attempts, others.num_attempts]),
            np.concatenate([self.distances, others.distances]),
            GeneratedArrays(*(np.concatenate(pair) for pair in zip(self.made, others.made, strict=True))),
        )

    def __getitem__(self, chosen: slice) -> _Quests:
        made = GeneratedArrays(*(digits[chosen] for digits in self.made))
        return _Quests(self.indices[chosen], self.num_attempts[chosen], self.distances[chosen], made)

    def num_found(self) -> int:
        """Return the number of puzzles found before the first one that is not."""
        is_open = self.distances > 0
        return int(is_open.argmax()) if is_open.any() else len(self)


class _Search:
    def __init__(self, spec: PuzzleSpec, seed: int, threads: int | None, budget: Budget | None) -> None:
        limits = checked_budget(budget, "generation", "iterations")
        self.shape = spec.shape
        self._spec = spec
        self._native = spec.to_native()
        self._seed = checked_seed(seed)
        self._threads = checked_threads(threads)
        self._max_attempts = MAX_COUNT if limits.iterations is None else limits.iterations
        self._has_patience = limits.seconds is None and limits.iterations is None
        self._seconds = _PATIENCE_SECONDS if self._has_patience else limits.seconds
        self._deadline: float | None = None  # set when the iteration starts

    def run(self, first: int, count: int, progress: bool) -> Iterator[GeneratedArrays]:
        """Check the arguments, then yield the puzzles in order, in blocks. The clock starts with the iteration."""
        first, count = checked_range(first, count)
        return self._blocks(first, first + count, progress)

    def _blocks(self, first: int, end: int, progress: bool) -> Iterator[GeneratedArrays]:
        self._start_clock()
        num_cells = self.shape.size**2
        quests = _Quests.begin(first, 0, num_cells)
        num_begun = first
        round_size = self._threads
        with progress_bar("generating", end - first, is_shown=progress) as update:
            while len(quests) or num_begun < end:
                num_new = max(0, min(round_size - len(quests), end - num_begun))
                quests += _Quests.begin(num_begun, num_new, num_cells)
                num_begun += num_new
                start = time.monotonic()
                self._attempt(quests, round_size)
                growth = _ROUND_SECONDS / max(time.monotonic() - start, _ROUND_SECONDS / _MOST_GROWTH)
                round_size = max(self._threads, min(int(round_size * max(growth, 0.5)), _LARGEST_ROUND))
                num_found = quests.num_found()
                if num_found:
                    yield quests[:num_found].made
                    quests = quests[num_found:]
                    if self._has_patience:
                        self._start_clock()
                if len(quests):
                    self._check(quests)
                update(num_begun - first - len(quests), _note(quests))

    def _attempt(self, quests: _Quests, round_size: int) -> None:
        """Make about `round_size` attempts, shared evenly among the puzzles that may have more."""
        is_allowed = (quests.distances > 0) & (quests.num_attempts < self._max_attempts)
        owners = np.flatnonzero(is_allowed)
        if not len(owners):
            return
        num_before = quests.num_attempts[owners]
        num_own = np.maximum(num_before // 4, self._threads)  # those after the first success are wasted
        num_own = num_own.clip(max=np.minimum(max(1, round_size // len(owners)), self._max_attempts - num_before))
        begin = num_own.cumsum() - num_own
        rows = np.arange(num_own.sum())
        indices = quests.indices[owners].repeat(num_own)
        attempts = (rows + (num_before - begin).repeat(num_own)).astype(np.uint64)
        seconds = None if self._deadline is None else max(0.0, self._deadline - time.monotonic())
        budget = native_budget(Budget(seconds=seconds))
        *made, num_unmet, num_off = _core.attempt_many(
            self._native, self._seed, indices, attempts, budget, self._threads
        )
        distances = np.where(num_unmet > 0, num_unmet.astype(np.int64) << 32 | num_off, 0)
        distances[num_unmet < 0] = _NONE
        if self._is_late():  # attempts without a puzzle may have been stopped: they, and those after them, do not count
            num_stopped = (num_unmet < 0).cumsum()
            is_cut_off = num_stopped > (num_stopped - (num_unmet < 0))[begin].repeat(num_own)
            distances[is_cut_off] = _NONE
            num_own = num_own - np.add.reduceat(is_cut_off, begin, dtype=np.int64)
        quests.num_attempts[owners] += num_own
        best = np.lexsort((rows, distances, indices))[begin]  # the first of the closest attempts at each puzzle
        is_closer = distances[best] < quests.distances[owners]
        quests.distances[owners[is_closer]] = distances[best[is_closer]]
        for target, digits in zip(quests.made, made, strict=True):
            target[owners[is_closer]] = digits[best[is_closer]]

    def _start_clock(self) -> None:
        self._deadline = None if self._seconds is None else time.monotonic() + self._seconds

    def _is_late(self) -> bool:
        return self._deadline is not None and time.monotonic() >= self._deadline

    def _check(self, quests: _Quests) -> None:
        """Raise `NotFoundError` if the first puzzle may have no more attempts."""
        num_attempts = int(quests.num_attempts[0])
        if not self._is_late() and num_attempts < self._max_attempts:
            return
        closest = next(_puzzles(quests[:1].made, self.shape)) if quests.distances[0] < _NONE else None
        message = f"puzzle {int(quests.indices[0]) + 1} was not found"
        if not num_attempts:
            message += "; no time was left for a complete attempt"
        elif closest and self._spec.se is None:  # otherwise the rating decides, which the attempts do not compare
            message += f" in {num_attempts:,} attempts; the closest has {_describe(closest)}"
        elif closest:
            message += f" in {num_attempts:,} attempts; allow more time, or a wider range of ratings"
        else:
            message += f" in {num_attempts:,} attempts; none gave a puzzle with exactly one solution"
        raise NotFoundError(message, closest, num_attempts)


def _describe(puzzle: Puzzle) -> str:
    rating = rate(puzzle, relabelings=0, budget=_DESCRIPTION_BUDGET)
    needs = f", hardest rule {rating.highest.name}" if rating.highest else ""
    level = rating.level.value if rating.level else "unknown"
    return f"{puzzle.num_givens} givens and level {level}{needs}: {puzzle.line}"


def _note(quests: _Quests) -> str:
    if not len(quests) or quests.num_attempts[0] < 100:
        return ""
    num_givens = np.count_nonzero(quests.made.puzzles[0])
    closest = f", closest {num_givens} givens" if num_givens else ""
    return f"{quests.num_attempts[0]:,} attempts at puzzle {int(quests.indices[0]) + 1}{closest}"
