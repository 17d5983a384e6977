"""A token ends every long call of the threads that have entered it, and of no other."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

import sudokulab
from sudokulab import Budget, Cancellation, CancelledError, Puzzle, Solver, lab
from sudokulab._internal.processes import children_of, cpu_seconds_of
from sudokulab.datasets import Recipe, make
from sudokulab.lab.tuning import tune
from sudokulab.papers.catalogue import paper_of, reproduce
from sudokulab.search import Clock
from sudokulab.search.trace import Trace
from tests.cases import for_each
from tests.puzzles import ENDLESS, INKALA, random_instance
from tests.timing import TOLERANCE_SECONDS, cpu_seconds, wait_until

pytestmark = pytest.mark.native

LARGE = random_instance((8, 8), 1800, seed=1)
LIMIT = Budget(seconds=60, is_cpu_time=True)
"""Ends the test if the token does not."""


class Patient(Solver):
    def run(self, puzzle: Puzzle, budget: Budget, seed: int, trace: Trace) -> None:
        clock = Clock(budget)
        while clock.step():
            pass


class Lines(io.StringIO):
    """An endless text."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return f"{INKALA.line}\n"


def instances() -> Iterator[str]:
    return (INKALA.line for _ in count())


CALLS: dict[str, Callable[[], object]] = {
    "solve": lambda: sudokulab.solve(LARGE, budget=LIMIT),
    "solve on threads": lambda: sudokulab.solve(LARGE, budget=LIMIT, threads=2),
    "solve with a metaheuristic": lambda: sudokulab.solve(LARGE, "annealing", LIMIT),
    "solve with a solver in Python": lambda: sudokulab.solve(LARGE, Patient(), LIMIT),
    "solve_many": lambda: list(sudokulab.solve_many(instances(), threads=1)),
    "solve_array": lambda: sudokulab.solve_array([ENDLESS.line] * 100_000, threads=1),
    "count": lambda: sudokulab.count("." * 81, 10**12, LIMIT),
    "solutions": lambda: list(sudokulab.solutions("." * 81, LIMIT)),
    "rate_many": lambda: list(sudokulab.logic.rate_many(instances(), scale="se", threads=1)),
    "explain": lambda: [sudokulab.explain(puzzle) for puzzle in instances()],
    "generate": lambda: list(sudokulab.generate(10**9, seed=1)),
    "canonical_array": lambda: [sudokulab.canonical(puzzle) for puzzle in instances()],
    "as_array": lambda: [sudokulab.as_array([INKALA.line] * 100) for _ in count()],
    "as_array of large puzzles": lambda: sudokulab.as_array([LARGE.line] * 1_000_000),
    "write": lambda: sudokulab.write(instances(), io.StringIO()),
    "read": lambda: list(sudokulab.read(Lines())),
}


PROGRAMS: dict[str, Callable[[Path], object]] = {
    "compare": lambda folder: lab.compare(["annealing"], [LARGE], runs=2, cpu_seconds=60, workers=1),
    "tune": lambda folder: tune("annealing", [LARGE], trials=2, cpu_seconds=60),
    "reproduce": lambda folder: list(reproduce(paper_of("lloyd-2019"), folder=folder, workers=1)),
}
"""Calls that leave the searches to other processes."""


def cancelled(call: Callable[[], object], is_under_way: Callable[[], object]) -> tuple[list[type], float]:
    """Cancel a call in another thread; return what it has raised, and the CPU time from then to its end."""
    token = Cancellation()
    raised: list[type] = []

    def search() -> None:
        try:
            with token:
                call()
        except BaseException as error:
            raised.append(type(error))

    thread = threading.Thread(target=search)
    thread.start()
    wait_until(lambda: raised or is_under_way())
    assert not raised

    def cancel() -> None:
        token.cancel()
        thread.join()

    return raised, cpu_seconds(cancel)


@pytest.mark.timing
@for_each("call", CALLS)
def test_a_token_ends_every_long_call(call: str) -> None:
    start = time.process_time()
    raised, seconds = cancelled(CALLS[call], lambda: time.process_time() - start > 0.1)
    assert raised == [CancelledError]
    assert seconds < 2 * TOLERANCE_SECONDS


@pytest.mark.timing
@for_each("call", PROGRAMS)
def test_a_token_ends_experiments_with_their_processes(call: str, tmp_path: Path) -> None:
    others = set(children_of(os.getpid()))

    def workers() -> set[int]:
        return set(children_of(os.getpid())) - others

    raised, seconds = cancelled(lambda: PROGRAMS[call](tmp_path), lambda: cpu_seconds_of(*workers()) > 0.2)
    assert raised == [CancelledError]
    assert seconds < 2 * TOLERANCE_SECONDS
    assert not workers()


@pytest.mark.timing
def test_a_token_ends_the_making_of_a_data_set(tmp_path: Path) -> None:
    recipe = Recipe.model_validate({"parts": [{"count": 10**6}]})
    shards = tmp_path / "large"
    raised, seconds = cancelled(lambda: make(recipe, shards, threads=1), lambda: any(shards.rglob("*.json")))
    assert raised == [CancelledError]
    assert seconds < 2 * TOLERANCE_SECONDS


def test_a_token_does_not_touch_other_threads_or_later_calls() -> None:
    token = Cancellation()
    token.cancel()
    assert token.is_cancelled
    with pytest.raises(CancelledError), token:
        sudokulab.solve(INKALA)
    assert sudokulab.solve(INKALA).is_solved
    with token, ThreadPoolExecutor(1) as pool:
        assert pool.submit(sudokulab.solve, INKALA).result().is_solved


def test_tokens_can_be_nested() -> None:
    inner, outer = Cancellation(), Cancellation()
    with outer:
        with inner:
            inner.cancel()
            with pytest.raises(CancelledError):
                sudokulab.count(INKALA)
        assert sudokulab.count(INKALA) == 1
        outer.cancel()
        with Cancellation(), pytest.raises(CancelledError):
            sudokulab.count(INKALA)
    assert sudokulab.count(INKALA) == 1


def test_a_token_can_be_entered_twice_and_by_several_threads() -> None:
    token, other = Cancellation(), Cancellation()

    def count() -> int:
        with token:
            return sudokulab.count(INKALA)

    with other, token:
        with token, ThreadPoolExecutor(1) as pool:
            assert pool.submit(count).result() == 1
        token.cancel()
        with pytest.raises(CancelledError):
            sudokulab.count(INKALA)
    with other:
        assert sudokulab.count(INKALA) == 1


def test_handlers_of_errors_let_a_cancellation_pass() -> None:
    assert not issubclass(CancelledError, Exception)
