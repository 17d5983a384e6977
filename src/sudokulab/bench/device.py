"""Throughput on a GPU, from its own memory and from host memory, beside all cores of the CPU.

Rates are per second of wall time. All contenders take a turn in each round. The CPU verifies every answer and, of
generated puzzles, the first 20,000.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.progress import progress_bar
from sudokulab.bench.environment import environment as bench_environment
from sudokulab.bench.throughput import Rates, Turn, Workload
from sudokulab.errors import ParameterError
from sudokulab.gpu.devices import chosen_device, require_device
from sudokulab.instances import generate_array
from sudokulab.puzzle import NINE, Digits
from sudokulab.questions.arrays import count_array, is_unique_array, solve_array
from sudokulab.verify import are_solutions

__all__ = [
    "NUM_PUZZLES",
    "LargeSample",
    "check_device",
    "contenders",
    "describe_device",
    "environment",
    "measure",
    "measure_generation",
]

NUM_PUZZLES = 5_000_000
"""Puzzles per set, unless the user chooses: enough that a GPU is busy for a while."""

_MOST_ON_CPU = 200_000
_NUM_LIMITED = 2  # solutions to count
_NUM_JUDGED = 20_000  # generated puzzles


def check_device(device: str) -> int:
    """Return the number of a GPU by its name; raise an error unless it can be used."""
    number = chosen_device(None, device)
    if number is not None:
        require_device(number)
        return number
    raise ParameterError("--device cpu: leave it out; all other measurements are on the CPU")


def contenders(workload: Workload, device: str) -> list[str]:
    """Return the names in the table of a workload."""
    if workload is Workload.GENERATE:
        return [_Generation.contender.format(device=device)]
    return [turn.contender.format(device=device) for turn in _ANSWERS] if workload is not Workload.START else []


def environment(device: str) -> dict[str, object]:
    """Return everything a rate depends on besides the contender; no core is pinned."""
    return bench_environment() | {"core": None, "gpu": describe_device(check_device(device))}


def describe_device(number: int) -> str:
    """Return the name of a GPU, with the versions of CUDA and of CuPy."""
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(number)["name"].decode()
    driver = cupy.cuda.runtime.driverGetVersion()
    return f"{name}; CUDA {driver // 1000}.{driver % 1000 // 10}, CuPy {cupy.__version__}"


class LargeSample:
    """A set of 9×9 puzzles, repeated as often as a GPU needs, with the digits of every copy relabelled.

    Parameters
    ----------
    puzzles
        The puzzles, of shape (n, 81).
    count
        Number of puzzles in all copies.
    seed
        The random seed of the digits.
    """

    def __init__(self, puzzles: Digits, count: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._puzzles = puzzles
        self.array = np.empty((count, puzzles.shape[1]), np.uint8)
        for first in range(0, count, len(puzzles)):
            digits = np.concatenate([[0], rng.permutation(9) + 1]).astype(np.uint8)
            self.array[first : first + len(puzzles)] = digits[puzzles[: count - first]]

    @cached_property
    def counts(self) -> NDArray[np.uint32]:
        """The numbers of solutions, up to two, according to the CPU: copies have as many as the original."""
        return np.resize(count_array(self._puzzles, _NUM_LIMITED), len(self.array))


def measure(sample: LargeSample, workloads: Sequence[Workload], device: str, rounds: int) -> list[Rates]:
    """Measure solving and counting on a GPU."""
    turns = [turn(sample, workload, device) for workload in workloads for turn in _ANSWERS]
    return _take_turns(turns, rounds)


def measure_generation(count: int, device: str, seed: int, rounds: int) -> list[Rates]:
    """Measure the generation of minimal puzzles on a GPU."""
    return _take_turns([_Generation(count, device, seed)], rounds)


def _take_turns(turns: Sequence[_WallTurn], rounds: int) -> list[Rates]:
    with progress_bar("measuring", (rounds + 1) * len(turns)) as update:
        num_done = 0
        for number in range(rounds + 1):  # the first warms up: it compiles the kernels and fills the memory pools
            for turn in turns:
                turn.take()
                num_done += 1
                update(num_done, turn.rates.contender)
            if number == 0:
                for turn in turns:
                    turn.rates.rates.clear()
    return [turn.rates for turn in turns]


class _WallTurn(Turn):
    """A turn that is measured in wall time."""

    def __init__(self, contender: str, workload: Workload, number: int) -> None:
        super().__init__(contender, False, workload)
        self.rates.num_puzzles = number

    def prepare(self, number: int) -> None:
        """Do nothing: every round has the same puzzles."""

    def load(self) -> None:
        """Prepare a round, outside the timed section."""

    @abstractmethod
    def run(self) -> object:
        """Do the work that is timed, to its end."""

    def answer(self) -> tuple[object, float]:
        self.load()
        start = time.perf_counter()
        answers = self.run()
        return answers, time.perf_counter() - start


class _Answers(_WallTurn):
    """Solutions or numbers of solutions of puzzles."""

    contender: str
    most: int | None = None

    def __init__(self, sample: LargeSample, workload: Workload, device: str) -> None:
        self.puzzles = sample.array[: self.most]
        super().__init__(self.contender.format(device=device), workload, len(self.puzzles))
        self.device = device
        self._sample = sample

    def ask(self, puzzles: Any, device: str | None) -> NDArray[np.integer]:
        if self.rates.workload is Workload.SOLVE:
            return solve_array(puzzles, device=device)
        return count_array(puzzles, _NUM_LIMITED, device=device)

    def complaint(self, answers: Any) -> str:
        if self.rates.workload is Workload.SOLVE:
            is_right = are_solutions(answers, self.puzzles, NINE)
        else:
            is_right = answers == self._sample.counts[: len(answers)]
        return "" if is_right.all() else f"{np.sum(~is_right):,} of {len(answers):,} answers"


class _OnDevice(_Answers):
    """The puzzles are on the GPU, and the answers stay there."""

    contender = "{device}, its own memory"

    def load(self) -> None:
        import cupy

        with cupy.cuda.Device(check_device(self.device)):
            self._on_device = cupy.asarray(self.puzzles)
            cupy.cuda.get_current_stream().synchronize()

    def run(self) -> object:
        return self.ask(self._on_device, None)  # returns when the GPU has finished

    def complaint(self, answers: Any) -> str:
        del self._on_device
        return super().complaint(answers.get())


class _FromHost(_Answers):
    """The puzzles come from host memory, and the answers return there."""

    contender = "{device}, host memory"

    def run(self) -> object:
        return self.ask(self.puzzles, self.device)


class _OnCpu(_Answers):
    """All cores of the CPU, on fewer puzzles."""

    contender = "cpu, all cores"
    most = _MOST_ON_CPU

    def run(self) -> object:
        return self.ask(self.puzzles, None)


_ANSWERS = (_OnDevice, _FromHost, _OnCpu)


class _Generation(_WallTurn):
    """Minimal puzzles, made on the GPU from the grids and orders of the CPU."""

    contender = "{device}, with grids of the CPU"

    def __init__(self, count: int, device: str, seed: int) -> None:
        super().__init__(self.contender.format(device=device), Workload.GENERATE, count)
        self._device = device
        self._seed = seed
        self._num_made = 0

    def run(self) -> object:
        count = self.rates.num_puzzles
        first, self._num_made = self._num_made, self._num_made + count
        return generate_array(count, minimal=True, seed=self._seed, first=first, device=self._device)

    def complaint(self, answers: Any) -> str:
        puzzles, solutions = answers.puzzles.get(), answers.solutions.get()
        judged = puzzles[:_NUM_JUDGED]
        if not are_solutions(solutions, puzzles, NINE).all():
            return "solutions do not solve their puzzles"
        if not is_unique_array(judged).all():
            return "puzzles with several solutions"
        rows, cells = np.nonzero(judged)
        smaller = judged[rows]
        smaller[np.arange(len(rows)), cells] = 0
        return "givens that are not necessary" if is_unique_array(smaller).any() else ""
