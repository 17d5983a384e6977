"""The cost of watching: runs without a viewer, with recorded frames, and with a live view at full speed.

    python benchmarks/frames.py
    python benchmarks/frames.py --baseline "env PYTHONPATH=/path/to/another/checkout/src python"

Each round runs all variants of a solver in turn, with the same steps, on one core. The figures are CPU times; ratios
are medians over the rounds. With ``--baseline``, the runs without a viewer are also made by another version of the
package, which may be older than frames. The last table has the time to encode a frame.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from sudokulab import Budget, Puzzle, parse, solve
from sudokulab.instances import fixed_fraction
from sudokulab.solvers import make_solver

INKALA = parse("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
LARGE = fixed_fraction((5, 5), fixed=0.42, seed=2)
HOPELESS = fixed_fraction((6, 6), fixed=0.45, seed=1)

CASES: dict[str, tuple[Puzzle, int, dict[str, object]]] = {
    "annealing": (INKALA, 3_000_000, {"cooling": 0.9999999}),
    "tabu": (INKALA, 60_000, {"restart_after": 0}),
    "hill-climbing": (LARGE, 150, {}),
    "iterated-local-search": (LARGE, 40_000, {}),
    "genetic": (LARGE, 2_000, {}),
    "particle-swarm": (LARGE, 60, {}),
    "ant-colony": (HOPELESS, 8, {}),
    "ac3-tabu": (LARGE, 500, {"restart_after": 50}),
    "backtracking": (HOPELESS, 2_000, {}),
    "dlx": (HOPELESS, 10_000, {}),
    "graph-search": (HOPELESS, 100, {}),
    "conflict-driven": (HOPELESS, 3_000, {}),
}
"""By solver: a puzzle that it does not solve within these steps, and parameters."""


def cpu_seconds(name: str, **kwargs: object) -> float:
    puzzle, steps, parameters = CASES[name]
    solver = make_solver(name, **parameters)
    start = time.thread_time()
    result = solver.solve(puzzle, Budget(**{str(solver.unit): steps}), seed=1, **kwargs)  # type: ignore[arg-type]
    seconds = time.thread_time() - start
    assert not result.is_solved, name
    return seconds


def answer_requests() -> None:
    """Time one run for each solver named on standard input: the baseline's side."""
    for line in sys.stdin:
        print(json.dumps(cpu_seconds(line.strip())), flush=True)


class Baseline:
    """Another version of the package, in a process of its own."""

    def __init__(self, command: str) -> None:
        words = [*shlex.split(command), __file__, "--answer"]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def cpu_seconds(self, name: str) -> float:
        assert self._process.stdin
        assert self._process.stdout
        print(name, file=self._process.stdin, flush=True)
        return float(json.loads(self._process.stdout.readline()))


def compare(rounds: int, baseline: Baseline | None) -> None:
    from sudokulab.search.frames import LiveView

    variants: dict[str, Callable[[str], float]] = {} if baseline is None else {"before": baseline.cpu_seconds}
    variants |= {
        "no viewer": cpu_seconds,
        "frames=True": lambda name: cpu_seconds(name, frames=True),
        "LiveView": lambda name: cpu_seconds(name, frames=LiveView()),
    }
    reference = next(iter(variants))
    print(f"{'solver':22} {reference + ' ms':>12}" + "".join(f"{f'{v} / {reference}':>24}" for v in list(variants)[1:]))
    for name in CASES:
        times: dict[str, list[float]] = {variant: [] for variant in variants}
        for number in range(rounds + 1):
            order = list(variants) if number % 2 else list(variants)[::-1]
            for variant in order:
                seconds = variants[variant](name)
                if number:  # the first round warms up
                    times[variant].append(seconds)
        ratios = {
            variant: statistics.median(a / b for a, b in zip(times[variant], times[reference], strict=True))
            for variant in list(variants)[1:]
        }
        print(
            f"{name:22} {statistics.median(times[reference]) * 1e3:12.2f}"
            + "".join(f"{r:24.3f}" for r in ratios.values())
        )


def time_codec() -> None:
    from sudokulab.search.frames import frame_to_dict, to_line

    print(f"\n{'frames of':22} {'µs to encode':>12} {'bytes':>8}")
    for name, puzzle in (
        ("annealing", INKALA),
        ("backtracking", INKALA),
        ("ant-colony", INKALA),
        ("ant-colony", LARGE),
    ):
        unit = str(make_solver(name).unit)
        frames = solve(puzzle, name, Budget(**{unit: 30}), frames=True).frames  # type: ignore[arg-type]
        best = float("inf")
        for _ in range(20):
            start = time.thread_time()
            lines = [to_line(frame_to_dict(frame)) for frame in frames]
            best = min(best, (time.thread_time() - start) / len(frames))
        print(f"{f'{name}, {puzzle.size}×{puzzle.size}':22} {best * 1e6:12.1f} {len(lines[-1]):8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--baseline", metavar="COMMAND", help="command that runs Python with another version")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--core", type=int, default=0, help="the core to use")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        answer_requests()
        return
    os.sched_setaffinity(0, {options.core})
    compare(options.rounds, Baseline(options.baseline) if options.baseline else None)
    time_codec()


if __name__ == "__main__":
    main()
