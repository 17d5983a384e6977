"""Attacks on the core: invalid bytes, arrays modified during a call, threads at exit, lack of memory, forks."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
import pytest
from numpy.typing import NDArray

from sudokulab import PuzzleError, _core, as_array, count_array
from sudokulab.questions.arrays import INSTRUCTIONS, solve_array
from tests.cases import for_each
from tests.puzzles import EASY, ENDLESS, INKALA
from tests.timing import PATIENCE_SECONDS, wait_for_work

pytestmark = pytest.mark.slow

linux = pytest.mark.skipif(sys.platform != "linux", reason="uses Linux limits and signals")


def run(code: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run a script in a separate process."""
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False, **options)  # type: ignore[call-overload,no-any-return]


@pytest.mark.native
@for_each("instructions", INSTRUCTIONS)
@for_each("byte", [10, 15, 16, 64, 127, 128, 200, 255])
def test_invalid_bytes_are_rejected(byte: int, instructions: str) -> None:
    array = np.zeros((40, 81), dtype=np.uint8)
    array[::3, 80] = byte
    with pytest.raises(PuzzleError, match=f"digits from 0 to {byte}"):
        count_array(array, 2, instructions=instructions)
    with pytest.raises(ValueError, match="digits do not fit"):
        _core.solve_array(array, 3, 3, 2, True, 1, instructions)


@contextmanager
def scribbling(array: NDArray[np.uint8], values: range) -> Iterator[None]:
    """Change random cells in even rows, over and over, while the block runs."""
    good, rng = array.copy(), np.random.default_rng(1)
    has_begun, is_over = threading.Event(), threading.Event()

    def scribble() -> None:
        while not is_over.is_set():
            array[2 * rng.integers(len(array) // 2), rng.integers(81)] = rng.integers(values.start, values.stop)
            has_begun.set()
            array[::2] = good[::2]

    writer = threading.Thread(target=scribble)
    writer.start()
    has_begun.wait()
    try:
        yield
    finally:
        is_over.set()
        writer.join()


@pytest.mark.native
@for_each("instructions", INSTRUCTIONS)
def test_modifying_an_array_during_a_call_does_not_crash(instructions: str) -> None:
    array = as_array([EASY, ENDLESS, INKALA] * 20)
    with scribbling(array, range(256)):
        for _ in range(5):
            with suppress(ValueError):  # some of the bytes are no digits
                _core.solve_array(array, 3, 3, 2, True, 2, instructions)


@pytest.mark.native
@for_each("instructions", INSTRUCTIONS)
def test_rows_that_are_not_modified_get_the_right_answer(instructions: str) -> None:
    array = as_array([EASY, ENDLESS, INKALA] * 20)
    grids, counts, _ = _core.solve_array(array, 3, 3, 2, True, 2, instructions)
    with scribbling(array, range(10)):
        for _ in range(5):
            other_grids, other_counts, _ = _core.solve_array(array, 3, 3, 2, True, 2, instructions)
            np.testing.assert_array_equal(other_grids[1::2], grids[1::2])
            np.testing.assert_array_equal(other_counts[1::2], counts[1::2])


SEARCH_AT_EXIT = """
    import sys, threading, time
    from sudokulab import Puzzle, solve, solve_many, generate
    works = [
        lambda: solve(Puzzle.empty(64), "dlx"),
        lambda: list(solve_many([Puzzle.empty(64)] * 4, "dlx", threads=2)),
        lambda: [solve("." * 81) for _ in iter(int, 1)],
        lambda: list(generate(10**6)),
    ]
    start = time.process_time()
    threading.Thread(target=works[{work}], daemon=True).start()
    while time.process_time() - start < {delay}:
        time.sleep(0.001)
    print("over")
"""


@pytest.mark.thorough
@linux
@for_each("delay", [0.05, 0.3])
@for_each("work", range(4))
def test_a_process_can_exit_during_a_search_in_a_daemon_thread(work: int, delay: float) -> None:
    done = run(SEARCH_AT_EXIT.format(work=work, delay=delay))
    assert (done.returncode, done.stdout) == (0, "over\n"), done.stderr


@linux
def test_ctrl_c_ends_a_process_that_waits_for_a_search() -> None:
    code = """
        import threading
        from sudokulab import Puzzle
        from sudokulab.solvers import Dlx
        thread = threading.Thread(target=Dlx().solve, args=(Puzzle.empty(64),), daemon=True)
        thread.start()
        print("begun", flush=True)
        thread.join()
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "begun\n"
    wait_for_work(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == -signal.SIGINT, errors
    assert errors.rstrip().endswith("KeyboardInterrupt")


@linux
@for_each(
    "work",
    [
        "solve(Puzzle.empty(64), 'conflict-driven')",
        "solve(Puzzle.empty(64), 'ac3-tabu')",
        "list(solve_many([Puzzle.empty(64)] * 8, 'conflict-driven', threads=4))",
        "count_array(np.zeros((3_000_000, 81), np.uint8), threads=2)",
        "solve_array(np.zeros((1_000_000, 81), np.uint8), threads=4)",
    ],
)
def test_running_out_of_memory_raises_an_exception(work: str) -> None:
    done = run(f"""
        import resource
        import numpy as np
        from sudokulab import Budget, Puzzle, count_array, solve, solve_many
        from sudokulab.solvers import all_solvers
        from sudokulab.questions import solve_array
        all_solvers()  # imported now: Python's import system does not survive a lack of memory
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 20_000_000, used + 20_000_000))
        try:
            {work}
        except MemoryError:
            print("no memory")
        except RuntimeError as error:
            print("no memory" if "thread" in str(error) else error)
    """)
    assert (done.returncode, done.stdout) == (0, "no memory\n"), done.stderr


@linux
def test_a_process_forked_during_a_search_can_use_the_core() -> None:
    """The child must not inherit a held lock of a shared table or of its initialisation."""
    done = run("""
        import os, threading, time
        from sudokulab import Budget, Puzzle, solve
        from sudokulab.solvers import make_solver
        SHAPES = [(r, c) for r in range(2, 9) for c in range(2, 9)]
        is_over = False

        def work(names):
            for shape in SHAPES:
                for name in names:
                    if is_over:
                        return
                    solve(Puzzle.empty(shape), name, budget=Budget(seconds=0.02))

        jobs = (["auto", "tabu"], ["ac3-tabu"], ["dlx"])
        for names in jobs:
            for name in names:
                make_solver(name)  # a child must not inherit an import in progress either
        threads = [threading.Thread(target=work, args=(names,)) for names in jobs]
        for thread in threads:
            thread.start()
        num_hung = 0
        for number in range(40):
            child = os.fork()
            if child == 0:
                shape = SHAPES[number % 30]
                solve("." * 81)
                solve(Puzzle.empty(shape), "ac3-tabu", budget=Budget(seconds=0.05))
                os._exit(0)
            deadline = time.monotonic() + 300
            while os.waitpid(child, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:
                    num_hung += 1
                    os.kill(child, 9)
                    os.waitpid(child, 0)
                    break
                time.sleep(0.005)
        is_over = True
        for thread in threads:
            thread.join()
        print(num_hung, "hung")
    """)
    assert (done.returncode, done.stdout) == (0, "0 hung\n"), done.stderr


def test_solving_does_not_modify_the_array() -> None:
    array = as_array([EASY, INKALA])
    before = array.copy()
    solve_array(array)
    assert (array == before).all()
