"""Puzzles a second on one thread: our complete solvers beside PySAT's glucose4, in one run.

Strings in, solutions out, from Python; every grid is verified. Every contender gets the same sample of the file,
randomly relabeled and permuted; rounds are interleaved and the order inside a round rotates; what is reported is the
median over the rounds, the spread, and the ratio to the faster way of using glucose4.

    python benchmarks/throughput.py 17-clue.txt [--sample 1000] [--rounds 7]

Pin it to a core (``taskset --cpu-list 0``, as ``make bench`` does).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from itertools import combinations

from pysat.solvers import Glucose4
from rich.console import Console
from rich.table import Table

from sudokulab import Puzzle, is_solution, parse, read, solve_many

Contender = Callable[[Sequence[str]], list[str]]


def ours(solver: str) -> Contender:
    def run(puzzles: Sequence[str]) -> list[str]:
        results = solve_many(puzzles, solver, threads=1, progress=False)
        return [str(result.solution) for result in results]

    return run


def variable(row: int, col: int, digit: int) -> int:
    return 81 * row + 9 * col + digit  # digits are 1..9


def sudoku_clauses() -> list[list[int]]:
    """The extended encoding: every cell, row, column and box has each digit at least once and at most once."""
    groups = []
    for i in range(9):
        for j in range(9):
            cells = [(3 * (i // 3) + k // 3, 3 * (i % 3) + k % 3) for k in range(9)]
            groups.append([variable(i, j, k + 1) for k in range(9)])
            groups.append([variable(i, k, j + 1) for k in range(9)])
            groups.append([variable(k, i, j + 1) for k in range(9)])
            groups.append([variable(row, col, j + 1) for row, col in cells])
    return groups + [[-a, -b] for group in groups for a, b in combinations(group, 2)]


CLAUSES = sudoku_clauses()


def givens(puzzle: str) -> list[int]:
    return [variable(cell // 9, cell % 9, int(char)) for cell, char in enumerate(puzzle) if char != "."]


def decode(model: list[int]) -> str:
    return "".join(str((literal - 1) % 9 + 1) for literal in model if literal > 0)


def glucose_with_assumptions(puzzles: Sequence[str]) -> list[str]:
    """One solver for all puzzles, the givens as assumptions: what it learns serves the next puzzle."""
    solutions = []
    with Glucose4(bootstrap_with=CLAUSES) as solver:
        for puzzle in puzzles:
            solver.solve(assumptions=givens(puzzle))
            solutions.append(decode(solver.get_model()))
    return solutions


def glucose_afresh(puzzles: Sequence[str]) -> list[str]:
    """A new solver for every puzzle, the givens as unit clauses."""
    solutions = []
    for puzzle in puzzles:
        with Glucose4(bootstrap_with=CLAUSES + [[literal] for literal in givens(puzzle)]) as solver:
            solver.solve()
            solutions.append(decode(solver.get_model()))
    return solutions


CONTENDERS: dict[str, Contender] = {
    "backtracking": ours("backtracking"),
    "dlx": ours("dlx"),
    "glucose4, assumptions": glucose_with_assumptions,
    "glucose4, afresh": glucose_afresh,
}


def measure(contender: Contender, puzzles: Sequence[str]) -> float:
    """Return puzzles a second, after every grid has been verified."""
    start = time.perf_counter()
    solutions = contender(puzzles)
    seconds = time.perf_counter() - start
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        if not is_solution(parse(solution).givens, parse(puzzle)):
            raise SystemExit(f"wrong: {puzzle} -> {solution}")
    return len(puzzles) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="9×9 puzzles with one solution each")
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    rng = random.Random(args.seed)
    everything: list[Puzzle] = list(read(args.file))
    sample = rng.sample(everything, min(args.sample, len(everything)))
    puzzles = [str(puzzle.shuffle(rng.getrandbits(32))) for puzzle in sample]
    names = list(CONTENDERS)
    rates: dict[str, list[float]] = {name: [] for name in names}
    for number in range(args.rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            rates[name].append(measure(CONTENDERS[name], puzzles))

    medians = {name: statistics.median(values) for name, values in rates.items()}
    peer = max(medians[name] for name in names if name.startswith("glucose4"))
    table = Table(
        "contender", "puzzles a second", "least – most", "ratio", title=f"{len(puzzles)} puzzles of {args.file}"
    )
    for name in names:
        spread = f"{min(rates[name]):,.0f} – {max(rates[name]):,.0f}"
        table.add_row(name, f"{medians[name]:,.0f}", spread, f"{medians[name] / peer:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main()
