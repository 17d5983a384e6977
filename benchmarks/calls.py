"""Calls that `sudokulab bench` does not measure: one puzzle at a time, results on two threads, and rivals in Python.

    python benchmarks/calls.py FILE [--library LIBTDOKU]

FILE holds 9×9 puzzles, one per line. Rates are puzzles per second of CPU time on one core (``taskset --cpu-list 0``),
the best of several interleaved rounds. With the shared library of tdoku, the same calls are made through ctypes. The
last line is the CPU time of a program with one call, and of an empty one.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from sudokulab import is_unique, read, solve, solve_many

MANY = 50_000
SINGLE = 5_000
ROUNDS = 5

Work = Callable[[], object]


def consume(items: Iterable[object]) -> None:
    for _ in items:
        pass


def cpu_seconds(work: Work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def workloads(texts: list[str], few: list[str]) -> dict[str, tuple[int, Work]]:
    return {
        "list to results: solve_many, 1 thread": (len(texts), lambda: consume(solve_many(texts, threads=1))),
        "list to results: solve_many, 2 threads": (len(texts), lambda: consume(solve_many(texts, threads=2))),
        "one by one: is_unique": (len(few), lambda: [is_unique(text) for text in few]),
        "one by one: solve": (len(few), lambda: [solve(text) for text in few]),
    }


def rival_workloads(library: str, texts: list[str]) -> dict[str, tuple[int, Work]]:
    function = ctypes.CDLL(library).TdokuSolverDpllTriadSimd
    function.restype = ctypes.c_size_t
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p]
    solution, guesses = ctypes.create_string_buffer(81), ctypes.c_size_t()
    address = ctypes.addressof(guesses)

    def counted(limit: int) -> Work:
        return lambda: [function(text.encode(), limit, 0, solution, address) for text in texts]

    return {
        "tdoku through ctypes, limit 2": (len(texts), counted(2)),
        "tdoku through ctypes, limit 1": (len(texts), counted(1)),
    }


def start_seconds(program: str) -> float:
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", help="the shared library of tdoku")
    args = parser.parse_args()
    puzzles = [puzzle.line for puzzle in itertools.islice(read(args.file), MANY)]
    texts = list(itertools.islice(itertools.cycle(puzzles), MANY))
    work = workloads(texts, puzzles[:SINGLE])
    if args.library:
        work |= rival_workloads(args.library, puzzles[:SINGLE])
    seconds = {name: min(rounds) for name, rounds in measured(work).items()}
    for name, (number, _) in work.items():
        print(f"{name:40} {number / seconds[name]:12,.0f} per second")

    call = f"import sudokulab; sudokulab.solve({texts[0]!r})"
    starts = [(start_seconds(call), start_seconds("")) for _ in range(ROUNDS)]
    print(f"start: import and first solve {min(a for a, _ in starts):.3f} s, empty {min(b for _, b in starts):.3f} s")


def measured(work: dict[str, tuple[int, Work]]) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, (_, call) in work.items():
            seconds[name].append(cpu_seconds(call))
    return seconds


if __name__ == "__main__":
    main()
