"""Generate puzzles to a specification.

A puzzle depends only on its specification, seed and index, so generation can be parallelised and resumed at any index.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from sudokulab import _core
from sudokulab._internal.native import checked_range, checked_seed, checked_shape, checked_threads
from sudokulab._internal.progress import track
from sudokulab.errors import ParameterError
from sudokulab.formats.line import write_line
from sudokulab.gpu.devices import chosen_device, require_device
from sudokulab.instances.grids import fixed_fraction, past_rules, random_grid, shuffled_root
from sudokulab.instances.kinds import Kind
from sudokulab.instances.search import GeneratedArrays, NotFoundError, Search, puzzles_in
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.questions import as_strings
from sudokulab.search.budget import Budget, checked_budget

__all__ = ["generate", "generate_array", "generate_lines"]


def generate(
    count: int = 1,
    spec: PuzzleSpec | None = None,
    *,
    seed: int = 0,
    first: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
    **fields: object,
) -> Iterator[Puzzle]:
    """Generate puzzles to a specification: puzzles with exactly one solution, or the random instances of the papers.

    Puzzles carry their solution, if it is known.

    Parameters
    ----------
    count
        Number of puzzles.
    spec
        The specification; alternatively, pass the fields of `PuzzleSpec` as keywords.
    seed, first
        The same seed gives the same puzzles. `first` is the index of the first puzzle, to resume a sequence.
    threads
        Number of parallel attempts at puzzles with exactly one solution (default: all cores). It does not change the
        puzzles.
    budget
        Seconds for all puzzles together, iterations (attempts) for each. Default: one minute per puzzle with exactly
        one solution; no limit for other kinds.
    progress
        Whether to show a progress bar on standard error, if that is a terminal.
    **fields
        Fields of `PuzzleSpec`.

    Raises
    ------
    SpecError
        Immediately, if no puzzle can meet the specification.
    NotFoundError
        If the budget runs out; it carries the closest puzzle found.

    Examples
    --------
    >>> (puzzle,) = generate(level="easy", symmetry="half-turn", seed=1)
    >>> puzzle.num_givens, puzzle.solution is not None
    (28, True)
    """
    chosen = _specification(spec, fields)
    if chosen.kind is Kind.UNIQUE:
        blocks = Search(chosen, seed, threads, budget).run(first, count, progress)
        return (puzzle for block in blocks for puzzle in puzzles_in(block, chosen.box))
    limits = checked_budget(budget, "generation", "iterations")
    seed, (first, count) = checked_seed(seed), checked_range(first, count)
    seeds = (_core.derive_seed(seed, index + 1) for index in range(first, first + count))
    made = _random_puzzles(chosen, seeds, limits.seconds)
    return track(made, "generating", count) if progress else made


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
    **fields: object,
) -> GeneratedArrays:
    """Generate the puzzles of `generate` as arrays, which is faster by the million.

    Parameters
    ----------
    count, spec, seed, first, threads, budget, progress, **fields
        See `generate`. The kind must be ``"unique"``.
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
    chosen = _specification(spec, fields)
    if chosen.kind is not Kind.UNIQUE:
        raise ParameterError(
            f"kind: {chosen.kind.value!r}, use generate: arrays hold puzzles with exactly one solution"
        )
    gpu = chosen_device(None, device)
    if gpu is not None:
        return _generate_on_gpu(gpu, chosen, seed, checked_range(first, count), threads, budget, progress)
    search = Search(chosen, seed, threads, budget)
    first, count = checked_range(first, count)
    shape = checked_shape(count, chosen.size**2)
    made = GeneratedArrays(np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8))
    num_done = 0
    for block in search.run(first, count, progress):
        for target, digits in zip(made, block, strict=True):
            target[num_done : num_done + len(digits)] = digits
        num_done += len(block.puzzles)
    return made


def generate_lines(
    count: int,
    spec: PuzzleSpec,
    *,
    seed: int = 0,
    threads: int | None = None,
    budget: Budget | None = None,
    progress: bool = False,
) -> Iterator[str]:
    """Generate the puzzles of `generate` as text, one per line without its solution, as soon as they are found."""
    if spec.kind is Kind.UNIQUE and spec.box == BoxShape.of_size(spec.size):
        for made in Search(spec, seed, threads, budget).run(0, count, progress):
            yield "".join(f"{text}\n" for text in as_strings(made.puzzles))
        return
    for puzzle in generate(count, spec, seed=seed, threads=threads, budget=budget, progress=progress):
        yield f"{write_line(replace(puzzle, solution=None))}\n"


def _specification(spec: PuzzleSpec | None, fields: dict[str, object]) -> PuzzleSpec:
    if spec is not None and fields:
        raise ParameterError(f"{next(iter(fields))}: pass either a specification or its fields, not both")
    if not isinstance(spec, PuzzleSpec | None):
        raise ParameterError(f"spec: {spec!r}, pass a PuzzleSpec, or its fields as keywords")
    return spec or PuzzleSpec(**fields)


def _random_puzzles(spec: PuzzleSpec, seeds: Iterable[int], seconds: float | None) -> Iterator[Puzzle]:
    """Yield puzzles that need no search."""
    deadline = time.monotonic() + (math.inf if seconds is None else seconds)
    for number, seed in enumerate(seeds):
        if time.monotonic() >= deadline:
            raise NotFoundError(f"time limit reached after {number:,} puzzles", None, 0)
        yield _random_puzzle(spec, seed)


def _random_puzzle(spec: PuzzleSpec, seed: int) -> Puzzle:
    match spec.kind:
        case Kind.FULL:
            return random_grid(spec.box, seed=seed)
        case Kind.SHUFFLED_ROOT:
            return shuffled_root(spec.box, fixed=spec.fixed or 0.0, seed=seed)
        case Kind.PAST_RULES:
            return past_rules(spec.box, stop=spec.stop, failures=spec.failures, extra=spec.extra, seed=seed)
        case _:
            return fixed_fraction(spec.box, fixed=spec.fixed or 0.0, seed=seed)


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

    checked_shape(indices[1], spec.size**2)
    return GeneratedArrays(
        *generate_minimal(device, checked_seed(seed), *indices, checked_threads(threads), progress=progress)
    )
