"""The ant colony beside the authors' own program, instance by instance, in one run on one core.

    python benchmarks/ant_colony.py FOLDER [--peer COMMAND] [--pattern 'inst25x25_45_*.txt'] [--seconds 60]

Both get each instance in turn, with the same settings (10 ants, q0 0.9, rho 0.9, evaporation 0.005) and the same limit.
The peer is a command with {file} and {seconds} in it that prints 0 and its time, or 1 if it has failed, as the program
of the authors (public repository huwlloyd-mmu/sudoku_acs) does. A third contender is ours without best value
evaporation. Our grids are verified. Pin it to a core (``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import shlex
import statistics
import subprocess
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sudokulab import AntColony, Budget, read

Times = dict[str, float | None]  # by instance; None if not solved


def run_ours(solver: AntColony, path: Path, seconds: float, seed: int) -> float | None:
    (puzzle,) = read(path)
    result = solver.solve(puzzle, Budget(seconds=seconds), seed=seed)  # verifies what it returns
    return result.seconds if result.is_solved else None


def run_peer(command: str, path: Path, seconds: float) -> float | None:
    words = shlex.split(command.format(file=path, seconds=round(seconds)))
    output = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
    return float(output[1]) if output[0] == "0" else None


def row(name: str, times: Times, common: list[str]) -> list[str]:
    solved = [time for time in times.values() if time is not None]
    shared = [time for instance in common if (time := times[instance]) is not None]
    return [
        name,
        f"{len(solved)} of {len(times)}",
        f"{statistics.mean(solved):.2f}" if solved else "",
        f"{statistics.median(solved):.2f}" if solved else "",
        f"{statistics.mean(shared):.2f}" if shared else "",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer")
    parser.add_argument("--pattern", default="inst25x25_45_*.txt")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    console = Console()
    contenders: dict[str, Times] = {"ant-colony": {}, "ant-colony, evaporation=0": {}}
    if args.peer:
        contenders["authors' program"] = {}
    for number, path in enumerate(sorted(args.folder.glob(args.pattern))):
        seed = args.seed + number
        contenders["ant-colony"][path.stem] = run_ours(AntColony(), path, args.seconds, seed)
        still = AntColony(evaporation=0)
        contenders["ant-colony, evaporation=0"][path.stem] = run_ours(still, path, args.seconds, seed)
        if args.peer:
            contenders["authors' program"][path.stem] = run_peer(args.peer, path, args.seconds)
        console.print(path.stem, *(f"{times[path.stem] or float('nan'):8.2f}" for times in contenders.values()))

    compared = [times for name, times in contenders.items() if "evaporation=0" not in name]
    common = [instance for instance in compared[0] if all(times[instance] is not None for times in compared)]
    table = Table("contender", "solved", "mean s", "median s", f"mean s on the {len(common)} both solve")
    for name, times in contenders.items():
        table.add_row(*row(name, times, common))
    console.print(table)
    if args.peer and common:
        ours, theirs = (sum(times[instance] or 0 for instance in common) for times in compared)
        console.print(f"{theirs / ours:.1f} times faster in the mean over the instances that both solve")


if __name__ == "__main__":
    main()
