"""Delays and limits in CPU time, which other processes on the machine do not change.

A search that ignores its limit or Ctrl-C uses CPU time; one that merely waits for a core does not.
"""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sudokulab._internal.processes import cpu_seconds_of

__all__ = [
    "NUM_CORES",
    "PATIENCE_SECONDS",
    "TOLERANCE_SECONDS",
    "busy_processes",
    "command_stopping_seconds",
    "cpu_seconds",
    "stopping_seconds",
    "wait_for_work",
    "wait_until",
]

NUM_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
TOLERANCE_SECONDS = 0.1
"""The promised accuracy of time limits and of Ctrl-C, for each thread."""
PATIENCE_SECONDS = 600
"""Only guards against waiting forever."""
_POLL_SECONDS = 0.002


def wait_until(condition: Callable[[], object]) -> None:
    """Wait until a condition is true; fail if it never is."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(_POLL_SECONDS)


def wait_for_work(pid: int, seconds: float = 0.2) -> None:
    """Wait until another process has used so much more CPU time, as one does that searches."""
    start = cpu_seconds_of(pid)
    wait_until(lambda: cpu_seconds_of(pid) - start >= seconds)


@contextmanager
def busy_processes(number: int, core: int) -> Iterator[None]:
    """Keep a core busy with processes that compete for it, until the end of the block.

    Each has a session of its own: Linux may divide a core among sessions rather than among processes.
    """
    code = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    command = [sys.executable, "-S", "-c", code]
    processes = [subprocess.Popen(command, start_new_session=True) for _ in range(number)]
    try:
        for process in processes:
            wait_for_work(process.pid, 0.02)
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def cpu_seconds(call: Callable[[], object]) -> float:
    """Return the CPU time of a call, summed over all threads of this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def stopping_seconds(
    call: Callable[[], object], after: float = 0.2, *, when: Callable[[], bool] | None = None
) -> float:
    """Press Ctrl-C during a call on the main thread; return the CPU time from then to its end, over all threads.

    Ctrl-C is pressed `when` a condition holds, or once the call has used `after` seconds of CPU time. The result is 0
    if the call ends earlier.
    """
    sent: list[float] = []
    is_due, is_over = threading.Event(), threading.Event()
    previous_hook = sys.unraisablehook

    def press() -> None:
        start = time.process_time()
        while not is_over.wait(_POLL_SECONDS):
            if not sent and (when() if when else time.process_time() - start >= after):
                sent.append(time.process_time())
                is_due.set()
            if is_due.is_set():
                is_due.clear()
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def interrupt(*_: object) -> None:
        if not is_over.is_set():
            raise KeyboardInterrupt

    def press_again(report: sys.UnraisableHookArgs) -> None:
        """Python drops an exception in a callback of a weak reference, as when Ctrl-C is pressed there."""
        if report.exc_type is KeyboardInterrupt:
            is_due.set()
        else:
            previous_hook(report)

    previous_handler = signal.signal(signal.SIGINT, interrupt)
    sys.unraisablehook = press_again
    thread = threading.Thread(target=press)
    thread.start()
    try:
        call()
        is_over.set()
    except KeyboardInterrupt:
        pass
    finally:
        end = time.process_time()
        is_over.set()
        thread.join()
        sys.unraisablehook = previous_hook
        signal.signal(signal.SIGINT, previous_handler)
    return end - sent[0] if sent else 0.0


def command_stopping_seconds(
    *arguments: str | Path, after: float = 0.5
) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run a command of ``sudokulab`` in a new process, and press Ctrl-C once it has used some CPU time.

    Return the CPU time from then to the end of the process, and the process.
    """
    program = [sys.executable, "-c", _COMMAND.format(after=after), *map(str, arguments)]
    before = _children_cpu_seconds()
    done = subprocess.run(
        program, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    total = _children_cpu_seconds() - before
    sent = re.search(r"^Ctrl-C after (.+) s\n", done.stderr, re.MULTILINE)
    assert sent, f"ended before Ctrl-C, with code {done.returncode}: {done.stderr}"
    return total - float(sent[1]), done


_COMMAND = """
import os, signal, sys, threading, time
from importlib import import_module
from sudokulab.cli import COMMANDS, main

def press():
    start = time.process_time()
    while time.process_time() - start < {after}:
        time.sleep(0.002)
    os.write(2, f"Ctrl-C after {{time.process_time()}} s\\n".encode())
    os.kill(os.getpid(), signal.SIGINT)

import_module("sudokulab.cli." + COMMANDS[sys.argv[1]].partition(":")[0])
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=press, daemon=True).start()
main()
"""


def _children_cpu_seconds() -> float:
    """Return the CPU time of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
