"""A token ends every long call of the threads that have entered it, and of no other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

import sudokulab
from sudokulab import Budget, Cancellation, CancelledError, Puzzle, Solver
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
}


@pytest.mark.timing
@for_each("call", CALLS)
def test_a_token_ends_every_long_call(call: str) -> None:
    token = Cancellation()
    outcome: list[BaseException] = []

    def search() -> None:
        try:
            with token:
                CALLS[call]()
        except BaseException as error:
            outcome.append(error)

    thread = threading.Thread(target=search)
    start = time.process_time()
    thread.start()
    wait_until(lambda: time.process_time() - start > 0.1)
    assert not outcome

    def cancel() -> None:
        token.cancel()
        thread.join()

    assert cpu_seconds(cancel) < 2 * TOLERANCE_SECONDS
    assert [type(error) for error in outcome] == [CancelledError]


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


def test_handlers_of_errors_let_a_cancellation_pass() -> None:
    assert not issubclass(CancelledError, Exception)
