"""9×9 puzzles a second: contenders in turn on the same puzzles, every answer verified.

A second is one of CPU time, of this process or of a program that it runs: others on the machine do not count.
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
_FIRST_TRY = 8  # puzzles; so few that the slowest get through
_GROWTH = 8


@dataclass
class Rates:
    """How fast a contender was.

    Parameters
    ----------
    contender
        Its name.
    is_peer
        Whether it is none of ours.
    num_solutions
        What it was asked for: 1 for the first solution of each puzzle, 2 for the number of solutions up to two.
    num_puzzles
        How many it was given in each round.
    rates
        Puzzles a second of CPU time in each round; none if there is a complaint.
    complaint
        What is wrong with its answers, or why there are none.
    """

    contender: str
    is_peer: bool
    num_solutions: int
    num_puzzles: int = 0
    rates: list[float] = field(default_factory=list)
    complaint: str = ""

    @property
    def median(self) -> float:
        """The median over the rounds."""
        return median(self.rates)

    def ratio_to(self, reference: Rates) -> float | None:
        """Return how many times as fast as the reference it is; None where one of them has no rate."""
        return self.median / reference.median if self.rates and reference.rates else None


def make_sample(puzzles: Iterable[Puzzle], number: int, seed: int) -> Sample:
    """Make so many 9×9 puzzles of a set, in random order, each randomly relabeled and permuted.

    A larger set is sampled; of a smaller one each puzzle is taken several times, each time another relabeling.

    Raises
    ------
    PuzzleError
        If a puzzle is not 9×9, or has no solution.
    """
    rng = Random(seed)
    drawn = list(puzzles)
    rng.shuffle(drawn)
    taken = list(islice(cycle(drawn), number))
    shuffled = (puzzle.shuffle(rng.getrandbits(32)) for puzzle in taken)
    array = as_array(track(shuffled, "shuffling", number), _BOX)
    is_solved = solve_array(array).any(axis=1)
    if not is_solved.all():
        raise PuzzleError(f"{taken[int(is_solved.argmin())].line} has no solution, expected puzzles that have one")
    return Sample(array)


def measure(
    contenders: Sequence[Contender],
    sample: Sample,
    questions: Sequence[int] = (1, 2),
    rounds: int = 7,
    *,
    progress: bool = True,
) -> list[Rates]:
    """Measure contenders in turn, in another order each round, on one core.

    Each first solves more and more puzzles until it is known how many it can solve in half a second: so many of the
    sample, at most all, are what it gets in each round. Who answers wrong, or breaks down, gets no rate.

    Parameters
    ----------
    contenders
        Who competes.
    sample
        The puzzles.
    questions
        1 for the first solution, 2 for the number of solutions up to two, which only some can tell.
    rounds
        How often each is measured.
    progress
        Whether to show a bar on standard error, if that is a terminal.
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
    """Return whom to compare with: the one of that name, else the fastest peer, else the first of all."""
    if name is not None:
        return next(rates for rates in measured if rates.contender == name)
    peers = [rates for rates in measured if rates.is_peer and rates.rates]
    return max(peers, key=lambda rates: rates.median, default=measured[0])


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the programs that it has run."""
    programs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + programs.ru_utime + programs.ru_stime


class _Judge:
    """Judges answers on the first puzzles of a sample."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        self._counts: list[int] = []

    def complaint(self, question: int, answer: Any) -> str:
        """Say what is wrong with an answer, nothing if it is right."""
        number, givens = len(answer), self._sample.array
        if question == 1:
            grids = np.asarray(answer)
            is_right = are_solutions(grids.reshape(-1, 9, 9), givens[:number].reshape(-1, 9, 9), _BOX)
        else:
            is_right = np.asarray(answer) == self._expected(number)
        if is_right.all():
            return ""
        return f"{np.sum(~is_right):,} of {number:,} answers, the first to {self._sample.lines[int(is_right.argmin())]}"

    def _expected(self, number: int) -> list[int]:
        """Count the solutions of the first puzzles with a solver that shares no code with the bulk engine."""
        counter = Backtracking()
        for cells in self._sample.array[len(self._counts) : number]:
            self._counts.append(counter.count(Puzzle(cells.tobytes(), _BOX), 2))
        return self._counts[:number]


class _Turn:
    """A contender with a question, and what comes of it."""

    def __init__(self, contender: Contender, rates: Rates, judge: _Judge) -> None:
        self.rates = rates
        self._contender = contender
        self._judge = judge
        self._sample: Sample

    def warm_up(self, sample: Sample) -> None:
        """Find out how many puzzles fill a round."""
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
        """Measure once, unless it has been wrong before."""
        if self.rates.complaint:
            return
        seconds = self._run()
        self.rates.rates.append(len(self._sample) / max(seconds, 1e-9))
        if self.rates.complaint:
            self.rates.rates.clear()

    def _run(self) -> float:
        """Return the seconds of CPU time that it took to answer, after the answers were judged."""
        try:
            answers, seconds = self._answer()
        except Exception as error:  # whatever a contender raises, it must not take the others with it
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
            raise SudokulabError(f"{len(answers):,} answers to {len(sample):,} puzzles")
        return answers, seconds
