"""The program of a worker process: execute runs one at a time and report the resources they used."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from types import FrameType

from sudokulab._internal.processes import adopt_orphans, die_with_parent
from sudokulab.errors import WrongAnswerError
from sudokulab.lab.experiment import Run
from sudokulab.lab.messages import READY, Reply, encode, escaped, reply_of, with_length

__all__ = ["serve"]

Handler = Callable[[int, FrameType | None], object] | int | None
"""What `signal.getsignal` returns."""


def serve(descriptor: int, core: int | None) -> None:
    """Execute runs until the harness closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    die_with_parent()
    adopt_orphans()
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    os.set_inheritable(descriptor, False)
    with socket.socket(fileno=descriptor) as connection, connection.makefile("rb") as requests:
        connection.sendall(with_length(READY))  # start-up time does not count as run time
        reset = _resetter()
        while True:
            try:
                token, run = pickle.load(requests)  # from the harness, which is trusted
            except EOFError:
                return
            connection.sendall(with_length(_answer(token, run, reset)))


def _answer(token: str, run: Run, reset: Callable[[], bool]) -> bytes:
    reply = _execute(run)
    reply = replace(reply, is_clean=reset())  # before answering, so leftovers are blamed on this run
    try:
        return encode(reply, token)
    except ValueError as problem:
        return encode(_failure(problem, reply.cpu_seconds, reply.wall_seconds, is_unreadable=True), token)


def _execute(run: Run) -> Reply:
    cpu, wall = _cpu_seconds(), time.perf_counter()
    try:
        solver = run.solver.make()
        solver.prepare()
        cpu, wall = _cpu_seconds(), time.perf_counter()
        result = solver.solve(run.puzzle, run.budget.budget_of(solver), seed=run.seed, trace=run.is_traced)
    except Exception as problem:  # any exception of the solver is the outcome of the run
        return _failure(problem, _cpu_seconds() - cpu, time.perf_counter() - wall)
    cpu, wall = _cpu_seconds() - cpu, time.perf_counter() - wall
    try:
        return reply_of(result, cpu, wall)
    except Exception as problem:  # reading the answer can run code of the solver
        return _failure(problem, cpu, wall, is_unreadable=True)


def _failure(problem: Exception, cpu: float, wall: float, *, is_unreadable: bool = False) -> Reply:
    is_wrong = isinstance(problem, WrongAnswerError)
    try:
        text = escaped(str(problem))
    except Exception as worse:  # str() of an exception can run code of the solver
        text = f"its message cannot be read ({type(worse).__name__})"
    if is_unreadable:
        text = f"unreadable answer: {text}"
    elif not is_wrong:
        text = f"{escaped(type(problem).__name__)}: {text}"
    return Reply(None, cpu, wall, error=text, is_wrong=is_wrong)


def _resetter() -> Callable[[], bool]:
    """Return a function that restores the current state of this process after a run.

    The function tells whether the process is clean: threads cannot be stopped, so a process with extra threads is not.
    """
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    folder = os.getcwd()
    num_threads = threading.active_count()

    def reset() -> bool:
        for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
            signal.setitimer(timer, 0)
        for number, handler in handlers.items():
            _restore(number, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        with suppress(OSError):
            os.chdir(folder)
        return threading.active_count() <= num_threads

    return reset


def _restore(number: int, handler: Handler) -> None:
    if handler is not None and signal.getsignal(number) is not handler:
        with suppress(OSError, ValueError):  # SIGKILL and SIGSTOP cannot be handled
            signal.signal(number, handler)


def _cpu_seconds() -> float:
    """Return the CPU time of this process and of the children it has waited for."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
