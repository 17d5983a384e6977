"""What a seat's child process does: make one run after the other, and say what they used."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import time
from dataclasses import dataclass
from multiprocessing.connection import Connection

from sudokulab._internal.processes import die_with_parent
from sudokulab.errors import WrongAnswerError
from sudokulab.lab.experiment import Run
from sudokulab.result import Result

__all__ = ["Reply", "sit"]


@dataclass(frozen=True)
class Reply:
    """What a child says when a run is over: a result, or why there is none, and what it used."""

    result: Result | None
    error: str | None
    is_wrong: bool
    cpu_seconds: float
    wall_seconds: float


def sit(descriptor: int, core: int | None) -> None:
    """Make runs until nobody wants any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    die_with_parent()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    with Connection(descriptor) as connection:
        connection.send("ready")  # what it took to get here is not the solver's time
        while True:
            try:
                run = connection.recv()
            except EOFError:
                return
            reply = _make(run)
            try:
                connection.send(reply)
            except (
                AttributeError,
                TypeError,
                ValueError,
                pickle.PicklingError,
            ) as problem:  # an answer that cannot be pickled is none
                error = f"unreadable answer: {problem}"
                connection.send(Reply(None, error, False, reply.cpu_seconds, reply.wall_seconds))


def _make(run: Run) -> Reply:
    result: Result | None = None
    error: str | None = None
    is_wrong = False
    cpu, wall = _cpu_seconds(), time.perf_counter()
    try:
        solver = run.solver.make()
        solver.prepare()
        cpu, wall = _cpu_seconds(), time.perf_counter()
        result = solver.solve(run.puzzle, run.budget.budget_of(solver), seed=run.seed, trace=run.is_traced)
    except WrongAnswerError as problem:
        error, is_wrong = str(problem), True
    except Exception as problem:  # whatever a solver raises, it is the outcome of its run
        error = f"{type(problem).__name__}: {problem}"
    return Reply(result, error, is_wrong, _cpu_seconds() - cpu, time.perf_counter() - wall)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of those it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
