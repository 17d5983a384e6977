"""Calls that `sudokulab bench` does not measure: files, single puzzles, results on two threads, and rivals in Python.

    python benchmarks/calls.py FILE [--library LIBTDOKU]

FILE holds 9×9 puzzles, one per line. Rates are puzzles per second of CPU time on one core (``taskset --cpu-list 0``):
the median, minimum and maximum of several interleaved rounds. The command reads and writes files with a million
puzzles, and its time includes its start. With the shared library of tdoku, the same calls are made through ctypes. The
last line is the median CPU time of a program with one call, and of an empty one.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

from sudokulab import is_unique, read, solve, solve_many
from sudokulab.cli.tables import print_table

IN_FILE = 1_000_000
MANY = 50_000
SINGLE = 5_000
ROUNDS = 5

Work = Callable[[], object]


def consume(items: Iterable[object]) -> None:
    for _ in items:
        pass


def cpu_seconds(work: Work) -> float:
    """Return the CPU time of this process and of the processes that it starts."""
    start = used_seconds()
    work()
    return used_seconds() - start


def used_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def python(*arguments: str | Path) -> None:
    subprocess.run([sys.executable, *arguments], check=True)


def workloads(texts: list[str], few: list[str], num_in_file: int, folder: Path) -> dict[str, tuple[int, Work]]:
    source = folder / "in.txt"
    source.write_text("".join(f"{text}\n" for text in itertools.islice(itertools.cycle(texts), num_in_file)))

    def command(extension: str) -> Work:
        return lambda: python("-m", "sudokulab", "solve", source, "-o", folder / f"out.{extension}")

    return {
        "file to file: sudokulab solve in.txt -o out.txt": (num_in_file, command("txt")),
        "file to file: sudokulab solve in.txt -o out.csv": (num_in_file, command("csv")),
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--library", help="the shared library of tdoku")
    parser.add_argument("--in-file", type=int, default=IN_FILE, help="number of puzzles in the file of the command")
    args = parser.parse_args()
    puzzles = [puzzle.line for puzzle in itertools.islice(read(args.file), MANY)]
    texts = list(itertools.islice(itertools.cycle(puzzles), MANY))
    with tempfile.TemporaryDirectory() as folder:
        work = workloads(texts, puzzles[:SINGLE], args.in_file, Path(folder))
        if args.library:
            work |= rival_workloads(args.library, puzzles[:SINGLE])
        seconds = measured({name: call for name, (_, call) in work.items()})
    rates = {name: [number / one for one in seconds[name]] for name, (number, _) in work.items()}
    print_table(
        ["call", "per second", "min – max"],
        [(name, f"{median(found):,.0f}", f"{min(found):,.0f} – {max(found):,.0f}") for name, found in rates.items()],
    )
    call = f"import sudokulab; sudokulab.solve({texts[0]!r})"
    starts = measured({code: lambda code=code: python("-c", code) for code in (call, "")})  # type: ignore[misc]
    print(f"start: import and first solve {median(starts[call]):.3f} s, empty {median(starts['']):.3f} s")


def measured(work: dict[str, Work]) -> dict[str, list[float]]:
    """Return the CPU times of each call, in interleaved rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(ROUNDS):
        for name, call in work.items():
            seconds[name].append(cpu_seconds(call))
    return seconds


if __name__ == "__main__":
    main()
