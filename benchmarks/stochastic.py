"""What the stochastic solvers reach, beside the figures that their papers print.

    python benchmarks/stochastic.py {ants,annealing,lewis,jones,soto,genetic} --data FOLDER [--scale 0.1]

FOLDER holds the public collections named-16.txt, mantere-koljonen-46.txt and royle-17-clue.txt. ``--scale`` takes that
share of the runs. Every grid is verified by the solver interface. Pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sudokulab import (
    Ac3Tabu,
    Annealing,
    AntColony,
    Budget,
    CpAnnealing,
    Genetic,
    HillClimbing,
    Puzzle,
    Result,
    Solver,
    parse,
    read,
    solve,
)

console = Console()

# Lloyd & Amos 2019, Table 1: success % and ms without best value evaporation, ms with it (success 100 % throughout)
LLOYD_TABLE_1 = {
    "sabuncu1": (100, 0.029, 0.031),
    "sabuncu2": (100, 0.020, 0.022),
    "sabuncu3": (100, 0.642, 0.627),
    "sabuncu4": (100, 0.238, 0.235),
    "sabuncu5": (100, 0.017, 0.017),
    "sabuncu6": (95, 640.0, 5.921),
    "sabuncu7": (100, 4.07, 0.456),
    "sabuncu8": (100, 0.310, 0.361),
    "sabuncu9": (100, 0.634, 0.923),
    "sabuncu10": (100, 0.021, 0.027),
    "aiescargot": (64, 1223.2, 11.11),
    "platinumblond": (14, 892.2, 75.75),
    "goldennugget": (36, 866.7, 22.95),
    "reddwarf": (34, 1020.7, 23.14),
    "coly013": (25, 1320.2, 37.95),
    "tarx0134": (42, 1086.8, 16.40),
}  # Soto et al. 2013, Table 1: tries for 30 solved within 1000 iterations
SOTO_TABLE_1 = {"s10a": 30, "s10b": 30, "s10c": 30, "s11a": 30, "s11b": 31, "s11c": 33, "s12a": 35, "s12b": 49}
# Table 2: the GA, solved of 30 at 100,000 generations
SOTO_TABLE_2_GA = {"s10a": 30, "s10b": 30, "s10c": 30, "s11a": 22, "s12a": 2}
# Jones et al. 2007, Figure 5: mean givens of each level
JONES_GIVENS = {"easy": 31, "medium": 26, "hard": 23, "hardest": 20}


def runs(solver: Solver, puzzle: Puzzle, number: int, budget: Budget) -> list[Result]:
    return [solver.solve(puzzle, budget, seed=seed) for seed in range(number)]


def mean_ms(results: list[Result]) -> float:
    times = [result.seconds for result in results if result.is_solved]
    return 1000 * statistics.mean(times) if times else float("nan")


def share(results: list[Result]) -> float:
    return sum(result.is_solved for result in results) / len(results)


def ants(data: Path, scale: float) -> None:
    """Table 1 of Lloyd & Amos: 100 runs of 5 s on each of the sixteen named puzzles."""
    number = max(1, round(100 * scale))
    table = Table(
        "puzzle", "solved %", "ms", "paper's ms", "ratio", "no BVE: solved %", "ms", "paper's %", "paper's ms"
    )
    for puzzle in read(data / "named-16.txt"):
        paper_share, paper_still, paper_ms = LLOYD_TABLE_1[puzzle.name.replace("tarrx", "tarx")]
        moving = runs(AntColony(), puzzle, number, Budget(seconds=5))
        still = runs(AntColony(evaporation=0), puzzle, max(1, number // 5), Budget(seconds=5))
        table.add_row(
            puzzle.name,
            f"{100 * share(moving):.0f}",
            f"{mean_ms(moving):.3f}",
            f"{paper_ms}",
            f"{paper_ms / mean_ms(moving):.1f}",
            f"{100 * share(still):.0f}",
            f"{mean_ms(still):.3f}",
            f"{paper_share}",
            f"{paper_still}",
        )
    console.print(table)


def annealing(data: Path, scale: float) -> None:
    """Swap evaluations a second at orders 3, 4 and 5, at a temperature that stays hot."""
    del data
    table = Table("order", "million swap evaluations a second", "least – most")
    for order in (3, 4, 5):
        puzzle = lewis_instance(order, 0.4, seed=1)
        rates = []
        for seed in range(max(3, round(9 * scale))):
            solver = Annealing(cooling=0.9999999)  # stays hot, so that it goes on to the end of the budget
            start = time.perf_counter()
            result = solver.solve(puzzle, Budget(seconds=0.5), seed=seed)
            rates.append(result.stats["iterations"] / (time.perf_counter() - start) / 1e6)
        table.add_row(str(order), f"{statistics.median(rates):.1f}", f"{min(rates):.1f} – {max(rates):.1f}")
    console.print(table)


def lewis_instance(order: int, p: float, seed: int) -> Puzzle:
    """Lewis's generator: the root solution, shuffled, each cell blanked with probability 1 − p."""
    size = order * order
    root = bytes((order * (row % order) + row // order + col) % size + 1 for row in range(size) for col in range(size))
    shuffled = Puzzle(root).shuffle(seed)
    rng = random.Random(seed)
    return Puzzle(bytes(digit if rng.random() < p else 0 for digit in shuffled.cells))


def lewis(data: Path, scale: float) -> None:
    """Success on Lewis's random instances at a tenth of the paper's limits of 2, 40 and 450 s."""
    del data
    table = Table("order", "p", "annealing: success", "s", "cp-annealing: success", "s")
    for order, seconds, fractions in (
        (3, 0.2, [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]),
        (4, 4.0, [0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8]),
        (5, 45.0, [0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8]),
    ):
        number = max(1, round((20 if order < 5 else 4) * scale))
        for p in fractions:
            cells = []
            for solver in (Annealing(), CpAnnealing()):
                results = [
                    solver.solve(lewis_instance(order, p, seed), Budget(seconds=seconds), seed=seed)
                    for seed in range(number)
                ]
                cells += [f"{share(results):.2f}", f"{mean_ms(results) / 1000:.2f}"]
            table.add_row(str(order), str(p), *cells)
    console.print(table)


def jones_set(data: Path) -> Iterator[tuple[str, Puzzle]]:
    """100 puzzles of the paper's make-up: puzzles with 17 givens, helped up to each level's number, and AI Escargot."""
    rng = random.Random(1)
    base = rng.sample(list(read(data / "royle-17-clue.txt")), 100)
    for number, puzzle in enumerate(base[:99]):
        level = list(JONES_GIVENS)[number // 25]
        solution = solve(puzzle).solution
        assert solution is not None
        blanks = [cell for cell, digit in enumerate(puzzle.cells) if not digit]
        helped = rng.sample(blanks, max(0, JONES_GIVENS[level] + rng.randint(-2, 2) - 17))
        cells = bytes(solution.cells[cell] if cell in helped else digit for cell, digit in enumerate(puzzle.cells))
        yield level, Puzzle(cells)
    yield "hardest", parse("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")


def jones(data: Path, scale: float) -> None:
    """100 puzzles, 10 s each: iterations, restarts and time by level."""
    by_level: dict[str, list[Result]] = {}
    for number, (level, puzzle) in enumerate(jones_set(data)):
        if number % max(1, round(1 / scale)) == 0:
            by_level.setdefault(level, []).append(HillClimbing().solve(puzzle, Budget(seconds=10), seed=number))
    table = Table("level", "solved", "givens", "iterations", "restarts", "mean s", "max s")
    for level, results in by_level.items():
        table.add_row(
            level,
            f"{sum(result.is_solved for result in results)} of {len(results)}",
            f"{statistics.mean(result.puzzle.num_givens for result in results if result.puzzle):.1f}",
            f"{statistics.mean(result.stats['iterations'] for result in results):,.0f}",
            f"{statistics.mean(result.stats['restarts'] for result in results):,.1f}",
            f"{statistics.mean(result.seconds for result in results):.3f}",
            f"{max(result.seconds for result in results):.3f}",
        )
    console.print(table)


def soto(data: Path, scale: float) -> None:
    """Table 1 of Soto et al.: tries needed for 30 solved within 1000 iterations."""
    wanted = max(1, round(30 * scale))
    table = Table("puzzle", f"tries for {wanted} solved", "paper, for 30", "mean s", "mean iterations")
    puzzles = {puzzle.name: puzzle for puzzle in read(data / "mantere-koljonen-46.txt")}
    for name, paper in SOTO_TABLE_1.items():
        results: list[Result] = []
        while sum(result.is_solved for result in results) < wanted and len(results) < 100 * wanted:
            results.append(Ac3Tabu().solve(puzzles[name], Budget(iterations=1000), seed=len(results)))
        mean_iterations = statistics.mean(result.stats["iterations"] for result in results)
        table.add_row(name, str(len(results)), str(paper), f"{mean_ms(results) / 1000:.5f}", f"{mean_iterations:.0f}")
    console.print(table)


def genetic(data: Path, scale: float) -> None:
    """Table 2 of Soto et al., the GA: solved of 30 within 100,000 generations."""
    number = max(1, round(30 * scale))
    table = Table("puzzle", f"solved of {number}", "paper, of 30", "mean s")
    puzzles = {puzzle.name: puzzle for puzzle in read(data / "mantere-koljonen-46.txt")}
    for name, paper in SOTO_TABLE_2_GA.items():
        results = runs(Genetic(), puzzles[name], number, Budget(iterations=100_000))
        num_solved = sum(result.is_solved for result in results)
        table.add_row(name, str(num_solved), str(paper), f"{mean_ms(results) / 1000:.2f}")
    console.print(table)


EXPERIMENTS: dict[str, Callable[[Path, float], None]] = {
    function.__name__: function for function in (ants, annealing, lewis, jones, soto, genetic)
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("--data", type=Path, default=Path())
    parser.add_argument("--scale", type=float, default=1.0)
    args = parser.parse_args()
    console.print(EXPERIMENTS[args.experiment].__doc__)
    EXPERIMENTS[args.experiment](args.data, args.scale)


if __name__ == "__main__":
    main()
