"""The calls people make: lists of strings, and one puzzle at a time.

    python benchmarks/calls.py FILE [--library LIBTDOKU]

FILE holds 9×9 puzzles, one per line. Rates are puzzles per second of CPU time on one core (``taskset --cpu-list 0``),
the best of several interleaved rounds. With the shared library of tdoku, the same calls are made through ctypes and
natively. The last line is the CPU time of a program with one call, and of an empty one.
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

import numpy as np

from sudokulab import _core, as_array, count, is_unique, read, solve, solve_array, solve_many
from sudokulab.solving import count_array

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
    array = as_array(texts)
    return {
        "array to array: solve_array": (len(texts), lambda: solve_array(array, threads=1)),
        "list to array: solve_array": (len(texts), lambda: solve_array(texts, threads=1)),
        "list to array: count_array, limit 2": (len(texts), lambda: count_array(texts, 2, threads=1)),
        "list to results: solve_many, 1 thread": (len(texts), lambda: consume(solve_many(texts, threads=1))),
        "list to results: solve_many, 2 threads": (len(texts), lambda: consume(solve_many(texts, threads=2))),
        "one by one: count, limit 2": (len(few), lambda: [count(text, 2) for text in few]),
        "one by one: is_unique": (len(few), lambda: [is_unique(text) for text in few]),
        "one by one: solve": (len(few), lambda: [solve(text) for text in few]),
    }


def peer_workloads(library: str, texts: list[str]) -> dict[str, tuple[int, Work]]:
    function = ctypes.CDLL(library).TdokuSolverDpllTriadSimd
    function.restype = ctypes.c_size_t
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p]
    solution, guesses = ctypes.create_string_buffer(81), ctypes.c_size_t()
    address = ctypes.addressof(guesses)
    native = _core.PeerLibrary(library, "TdokuSolverDpllTriadSimd")
    lines = np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8).reshape(-1, 82)
    solutions, counts = np.zeros_like(lines), np.zeros(len(texts), np.uint32)

    def counted(limit: int) -> Work:
        return lambda: [function(text.encode(), limit, 0, solution, address) for text in texts]

    return {
        "tdoku through ctypes, limit 2": (len(texts), counted(2)),
        "tdoku through ctypes, limit 1": (len(texts), counted(1)),
        "tdoku natively, limit 2": (len(texts), lambda: native.solve(lines, 2, solutions, counts)),
        "tdoku natively, limit 1": (len(texts), lambda: native.solve(lines, 1, solutions, counts)),
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
        work |= peer_workloads(args.library, puzzles[:SINGLE])
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
