"""Throughput: contenders take turns on the same puzzles, and every answer is verified.

Rates are per second of CPU time, of this process or of the program it runs, so other load matters little.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import cycle, islice
from random import Random
from statistics import median
from typing import Any

import numpy as np

from sudokulab._internal.machine import one_core
from sudokulab._internal.progress import progress_bar, track
from sudokulab.bench.contenders import Contender, Sample
from sudokulab.errors import PuzzleError, SudokulabError
from sudokulab.puzzle import NINE, Puzzle
from sudokulab.questions.arrays import as_array, solve_array
from sudokulab.solvers import Backtracking
from sudokulab.verify import are_solutions

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["Rates", "Turn", "Workload", "cpu_seconds", "make_sample", "measure", "reference_among", "take_turns"]

_ROUND_SECONDS = 0.5
_SHORTEST = 1e-9
_FIRST_TRY = 8  # puzzles in the first warm-up batch; small enough for the slowest contender
_GROWTH = 8


class Workload(Enum):
    """What is measured."""

    SOLVE = "solve"
    """Find the first solution of each puzzle."""
    COUNT = "count"
    """Count the solutions of each puzzle up to two."""
    GENERATE = "generate"
    """Generate puzzles or full grids."""
    START = "start"
    """Start the command line, solve one puzzle and exit."""


@dataclass
class Rates:
    """The measured rates of one contender on one workload.

    Parameters
    ----------
    contender
        Its name.
    is_rival
        Whether it is third-party.
    workload
        What was measured.
    num_puzzles
        Number of puzzles per round.
    rates
        Puzzles per second of CPU time (on a GPU, of wall time), or starts per second of wall time, one value per round;
        empty if there is a complaint.
    complaint
        The problem with the answers, or the reason for their absence.
    """

    contender: str
    is_rival: bool
    workload: Workload
    num_puzzles: int = 0
    rates: list[float] = field(default_factory=list)
    complaint: str = ""

    @property
    def median(self) -> float:
        """The median rate over the rounds."""
        return median(self.rates)

    @property
    def values(self) -> list[float]:
        """The rates in the unit of the workload: seconds for `Workload.START`, per second for the others."""
        return [1 / rate for rate in self.rates] if self.workload is Workload.START else self.rates

    def ratio_to(self, reference: Rates) -> float | None:
        """Return the speed relative to the reference, or None if either has no rate."""
        return self.median / reference.median if self.rates and reference.rates else None


def make_sample(puzzles: Iterable[Puzzle], number: int, seed: int) -> Sample:
    """Return a sample of 9×9 puzzles in random order, each randomly relabelled and permuted.

    A set with more than `number` puzzles is sampled; a smaller one is cycled, with a new transformation each time.

    Raises
    ------
    PuzzleError
        If a puzzle is not 9×9 or has no solution.
    """
    rng = Random(seed)
    drawn = list(puzzles)
    rng.shuffle(drawn)
    taken = list(islice(cycle(drawn), number))
    shuffled = (puzzle.shuffle(rng.getrandbits(32)) for puzzle in taken)
    array = as_array(track(shuffled, "shuffling", number), NINE)
    is_solved = solve_array(array).any(axis=1)
    if not is_solved.all():
        raise PuzzleError(f"{taken[int(is_solved.argmin())].line} has no solution; use solvable puzzles")
    return Sample(array)


def measure(
    contenders: Sequence[Contender],
    sample: Sample,
    workloads: Sequence[Workload] = (Workload.SOLVE, Workload.COUNT),
    rounds: int = 7,
    *,
    progress: bool = True,
) -> list[Rates]:
    """Measure the contenders in turn on one core, in a different order each round.

    A contender that fails or gives a wrong answer gets no rate.

    Parameters
    ----------
    contenders
        The contenders to compare.
    sample
        The puzzles.
    workloads
        `Workload.SOLVE` or `Workload.COUNT`, or both; not every contender can count.
    rounds
        Number of measurements per contender and workload.
    progress
        Whether to show a progress bar when standard error is a terminal.
    """
    judge = _Judge(sample)
    turns = [
        _Answering(contender, workload, sample, judge)
        for contender in contenders
        for workload in workloads
        if workload is Workload.SOLVE or contender.can_count
    ]
    for contender in contenders:
        contender.prepare()
    return take_turns(turns, len(sample), rounds, progress=progress)


def take_turns(turns: Sequence[Turn], most: int, rounds: int, *, progress: bool = True) -> list[Rates]:
    """Let each take its turn on one core, in a different order each round; return the rates.

    A warm-up with growing numbers estimates how many items each completes in half a second. It gets that many items,
    `most` at the most, in every round.
    """
    with progress_bar("measuring", rounds * len(turns), is_shown=progress) as update, one_core():
        for turn in turns:
            turn.warm_up(most)
        for number in range(rounds):
            start = number * len(turns) // rounds
            for place, turn in enumerate([*turns[start:], *turns[:start]]):
                turn.take()
                update(number * len(turns) + place + 1, turn.rates.contender)
    return [turn.rates for turn in turns]


def reference_among(measured: Sequence[Rates], name: str | None = None) -> Rates:
    """Return the named baseline; by default the fastest rival, without rivals the first contender."""
    if name is not None:
        return next(rates for rates in measured if rates.contender == name)
    rivals = [rates for rates in measured if rates.is_rival and rates.rates]
    return max(rivals, key=lambda rates: rates.median, default=measured[0])


class Turn(ABC):
    """A contender with a workload, and the rates measured so far."""

    def __init__(self, contender: str, is_rival: bool, workload: Workload) -> None:
        self.rates = Rates(contender, is_rival, workload)

    @abstractmethod
    def prepare(self, number: int) -> None:
        """Prepare a round of `number` items, outside the timed section."""

    @abstractmethod
    def answer(self) -> tuple[object, float]:
        """Run one round; return the answers and the seconds."""

    @abstractmethod
    def complaint(self, answers: Any) -> str:
        """Describe what is wrong with the answers; return an empty string if they are right."""

    def warm_up(self, most: int) -> None:
        """Determine how many items fill a round."""
        number = min(_FIRST_TRY, most)
        seconds = self._run(number)
        while seconds < _ROUND_SECONDS / _GROWTH and number < most and not self.rates.complaint:
            number = min(number * _GROWTH, most)
            seconds = self._run(number)
        if not self.rates.complaint:
            number = max(1, int(min(number * _ROUND_SECONDS / max(seconds, _SHORTEST), most)))
            self.prepare(number)
        self.rates.num_puzzles = number

    def take(self) -> None:
        """Measure one round, unless an earlier answer was wrong."""
        if self.rates.complaint:
            return
        seconds = self._judged()
        self.rates.rates.append(self.rates.num_puzzles / max(seconds, _SHORTEST))
        if self.rates.complaint:
            self.rates.rates.clear()

    def _run(self, number: int) -> float:
        self.prepare(number)
        return self._judged()

    def _judged(self) -> float:
        """Run once, judge the answers and return the seconds."""
        try:
            answers, seconds = self.answer()
        except Exception as error:  # one failing contender must not stop the comparison
            words = str(error) if isinstance(error, SudokulabError) else f"{type(error).__name__}: {error}"
            self.rates.complaint = f"failed: {words}"
            return 0.0
        complaint = self.complaint(answers)
        if complaint:
            self.rates.complaint = f"wrong: {complaint}"
        return seconds


def cpu_seconds() -> float:
    """Return the CPU time of this process and of the programs it has run."""
    if resource is None:
        return time.process_time()
    programs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + programs.ru_utime + programs.ru_stime


class _Judge:
    """Judge of answers to the first puzzles of a sample."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        self._counts: list[int] = []

    def complaint(self, workload: Workload, answers: Any) -> str:
        """Describe what is wrong with the answers; return an empty string if they are right."""
        number, givens = len(answers), self._sample.array
        if workload is Workload.SOLVE:
            grids = np.asarray(answers)
            is_right = are_solutions(grids.reshape(-1, 9, 9), givens[:number].reshape(-1, 9, 9), NINE)
        else:
            is_right = np.asarray(answers) == self._expected(number)
        if is_right.all():
            return ""
        return f"{np.sum(~is_right):,} of {number:,} answers, first for {self._sample.lines[int(is_right.argmin())]}"

    def _expected(self, number: int) -> list[int]:
        """Count the solutions of the first puzzles with a solver that shares no code with the bulk engine."""
        counter = Backtracking(propagation="singles")
        for cells in self._sample.array[len(self._counts) : number]:
            self._counts.append(counter.count(Puzzle(cells.tobytes(), NINE), 2))
        return self._counts[:number]


class _Answering(Turn):
    """A contender that solves the puzzles of a sample or counts their solutions."""

    def __init__(self, contender: Contender, workload: Workload, sample: Sample, judge: _Judge) -> None:
        super().__init__(contender.name, contender.is_rival, workload)
        self._contender = contender
        self._all = self._sample = sample
        self._judge = judge

    def prepare(self, number: int) -> None:
        self._sample = self._all.first(number)

    def answer(self) -> tuple[object, float]:
        contender, sample, wants_grids = self._contender, self._sample, self.rates.workload is Workload.SOLVE
        contender.load(sample)
        start = cpu_seconds()
        answer = contender.solve(sample) if wants_grids else contender.count(sample)
        seconds = cpu_seconds() - start
        answers = contender.grids(answer) if wants_grids else answer
        if len(answers) != len(sample):
            raise SudokulabError(f"{len(answers):,} answers for {len(sample):,} puzzles")
        return answers, seconds

    def complaint(self, answers: Any) -> str:
        return self._judge.complaint(self.rates.workload, answers)
