"""Throughput on 9×9 puzzles: contenders take turns on the same puzzles, and every answer is verified.

Rates are per second of CPU time, of this process or of the program it runs, so other load matters little.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from statistics import median
from typing import Any

import numpy as np

from sudokulab._internal.machine import one_core
from sudokulab._internal.progress import progress_bar, track
from sudokulab.bench.contenders import Contender, Sample
from sudokulab.errors import PuzzleError, SudokulabError
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.solvers import Backtracking
from sudokulab.solving.arrays import as_array, solve_array
from sudokulab.verify import are_solutions

__all__ = ["Rates", "make_sample", "measure", "reference_among"]

_BOX = BoxShape(3, 3)
_ROUND_SECONDS = 0.5
_FIRST_TRY = 8  # puzzles in the first warm-up batch; small enough for the slowest contender
_GROWTH = 8


@dataclass
class Rates:
    """The measured rates of one contender on one question.

    Parameters
    ----------
    contender
        Its name.
    is_peer
        Whether it is a third-party solver.
    num_solutions
        The question: 1 for the first solution of each puzzle, 2 for the number of solutions up to two.
    num_puzzles
        Number of puzzles per round.
    rates
        Puzzles per second of CPU time, one value per round; empty if there is a complaint.
    complaint
        The problem with the answers, or the reason for their absence.
    """

    contender: str
    is_peer: bool
    num_solutions: int
    num_puzzles: int = 0
    rates: list[float] = field(default_factory=list)
    complaint: str = ""

    @property
    def median(self) -> float:
        """The median rate over the rounds."""
        return median(self.rates)

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
    array = as_array(track(shuffled, "shuffling", number), _BOX)
    is_solved = solve_array(array).any(axis=1)
    if not is_solved.all():
        raise PuzzleError(f"{taken[int(is_solved.argmin())].line} has no solution; expected solvable puzzles")
    return Sample(array)


def measure(
    contenders: Sequence[Contender],
    sample: Sample,
    questions: Sequence[int] = (1, 2),
    rounds: int = 7,
    *,
    progress: bool = True,
) -> list[Rates]:
    """Measure the contenders in turn on one core, in a different order each round.

    A warm-up on growing batches estimates how many puzzles each contender solves in half a second. It gets that many
    puzzles (at most the whole sample) in every round. A contender that fails or gives a wrong answer gets no rate.

    Parameters
    ----------
    contenders
        The contenders to compare.
    sample
        The puzzles.
    questions
        1 for the first solution, 2 for the number of solutions up to two; not every contender can count.
    rounds
        Number of measurements per contender and question.
    progress
        Whether to show a progress bar when standard error is a terminal.
    """
    judge = _Judge(sample)
    turns = [
        _Turn(contender, Rates(contender.name, contender.is_peer, question), judge)
        for contender in contenders
        for question in questions
        if question == 1 or contender.can_count
    ]
    for contender in contenders:
        contender.prepare()
    with progress_bar("measuring", rounds * len(turns), is_shown=progress) as update, one_core():
        for turn in turns:
            turn.warm_up(sample)
        for number in range(rounds):
            start = number * len(turns) // rounds
            for place, turn in enumerate(turns[start:] + turns[:start]):
                turn.take()
                update(number * len(turns) + place + 1, turn.rates.contender)
    return [turn.rates for turn in turns]


def reference_among(measured: Sequence[Rates], name: str | None = None) -> Rates:
    """Return the named baseline; by default the fastest peer, without peers the first contender."""
    if name is not None:
        return next(rates for rates in measured if rates.contender == name)
    peers = [rates for rates in measured if rates.is_peer and rates.rates]
    return max(peers, key=lambda rates: rates.median, default=measured[0])


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the programs it has run."""
    programs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + programs.ru_utime + programs.ru_stime


class _Judge:
    """Judge of answers to the first puzzles of a sample."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        self._counts: list[int] = []

    def complaint(self, question: int, answer: Any) -> str:
        """Describe what is wrong with an answer; return an empty string if it is right."""
        number, givens = len(answer), self._sample.array
        if question == 1:
            grids = np.asarray(answer)
            is_right = are_solutions(grids.reshape(-1, 9, 9), givens[:number].reshape(-1, 9, 9), _BOX)
        else:
            is_right = np.asarray(answer) == self._expected(number)
        if is_right.all():
            return ""
        return f"{np.sum(~is_right):,} of {number:,} answers, first for {self._sample.lines[int(is_right.argmin())]}"

    def _expected(self, number: int) -> list[int]:
        """Count the solutions of the first puzzles with a solver that shares no code with the bulk engine."""
        counter = Backtracking(propagation="singles")
        for cells in self._sample.array[len(self._counts) : number]:
            self._counts.append(counter.count(Puzzle(cells.tobytes(), _BOX), 2))
        return self._counts[:number]


class _Turn:
    """A contender, a question and the rates measured so far."""

    def __init__(self, contender: Contender, rates: Rates, judge: _Judge) -> None:
        self.rates = rates
        self._contender = contender
        self._judge = judge
        self._sample: Sample

    def warm_up(self, sample: Sample) -> None:
        """Determine how many puzzles fill a round."""
        number = _FIRST_TRY
        self._sample = sample.first(number)
        seconds = self._run()
        while seconds < _ROUND_SECONDS / _GROWTH and number < len(sample) and not self.rates.complaint:
            number *= _GROWTH
            self._sample = sample.first(number)
            seconds = self._run()
        if not self.rates.complaint:
            wanted = len(self._sample) * _ROUND_SECONDS / max(seconds, 1e-9)
            self._sample = sample.first(max(1, int(min(wanted, len(sample)))))
        self.rates.num_puzzles = len(self._sample)

    def take(self) -> None:
        """Measure one round, unless an earlier answer was wrong."""
        if self.rates.complaint:
            return
        seconds = self._run()
        self.rates.rates.append(len(self._sample) / max(seconds, 1e-9))
        if self.rates.complaint:
            self.rates.rates.clear()

    def _run(self) -> float:
        """Run once, judge the answers and return the CPU time of the run in seconds."""
        try:
            answers, seconds = self._answer()
        except Exception as error:  # one failing contender must not stop the comparison
            words = str(error) if isinstance(error, SudokulabError) else f"{type(error).__name__}: {error}"
            self.rates.complaint = f"failed: {words}"
            return 0.0
        complaint = self._judge.complaint(self.rates.num_solutions, answers)
        if complaint:
            self.rates.complaint = f"wrong: {complaint}"
        return seconds

    def _answer(self) -> tuple[Any, float]:
        contender, sample, wants_grids = self._contender, self._sample, self.rates.num_solutions == 1
        contender.load(sample)
        start = _cpu_seconds()
        answer = contender.solve(sample) if wants_grids else contender.count(sample)
        seconds = _cpu_seconds() - start
        answers = contender.grids(answer) if wants_grids else answer
        if len(answers) != len(sample):
            raise SudokulabError(f"{len(answers):,} answers for {len(sample):,} puzzles")
        return answers, seconds
