"""Count the puzzles that show each exotic technique, and check every step against the solution.

    python benchmarks/exotic.py FILE [--first N] [--whole]

FILE has one 9×9 puzzle with a unique solution at the start of each line, and comments after ``#``. Each puzzle is taken
to its first stuck board, on which neither singles, locked candidates, subsets nor basic fish apply. All instances of
the techniques are listed there. With ``--whole``, the solution path then continues with these techniques and with
trial, and must solve the puzzle. Solutions come from dancing links. The exit code is 1 if any step is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

import sudokulab
from sudokulab import Dlx, Puzzle, _core
from sudokulab._internal.native import native_puzzle

BASIC = [
    "full-house",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    *(f"{kind}-{size}" for size in ("pair", "triplet", "quad") for kind in ("naked", "hidden")),
    "x-wing",
    "swordfish",
    "jellyfish",
]
EXOTIC = ["junior-exocet", "tridagon", "fireworks", "sk-loop"]
NO_LIMIT = 100_000


def puzzles_in(path: str) -> list[Puzzle]:
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [sudokulab.parse(line.split()[0]) for line in lines if line and not line.startswith("#")]


def is_sound(step: _core.Step, solution: list[int]) -> bool:
    return all(solution[cell] != digit for cell, digit in step.eliminations) and all(
        solution[cell] == digit for cell, digit in step.placements
    )


def steps_at_first_stuck_board(puzzle: Puzzle) -> list[_core.Step]:
    native = native_puzzle(puzzle)
    stuck = _core.deduce(native, BASIC, NO_LIMIT, _core.Budget())
    placed = [(cell, digit) for cell, digit in enumerate(stuck.grid) if digit != puzzle.cells[cell]]
    return [step for name in EXOTIC for step in _core.find_steps(native, stuck.candidates, name, placed)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--first", type=int)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    num_puzzles, num_wrong, num_solved, seconds = 0, 0, 0, 0.0
    showing: Counter[str] = Counter()
    instances: Counter[str] = Counter()
    on_paths: Counter[str] = Counter()
    used: Counter[str] = Counter()
    for puzzle in islice(puzzles_in(arguments.file), arguments.first):
        grid = sudokulab.solve(puzzle, Dlx()).grid
        assert grid is not None
        solution = grid.ravel().tolist()
        start = time.perf_counter()
        steps = steps_at_first_stuck_board(puzzle)
        seconds += time.perf_counter() - start
        num_puzzles += 1
        showing.update({step.technique for step in steps})
        instances.update(step.technique for step in steps)
        if arguments.whole:
            path = _core.deduce(native_puzzle(puzzle), [*BASIC, *EXOTIC, "trial"], NO_LIMIT, _core.Budget())
            num_solved += list(path.grid) == solution
            on_paths.update({step.technique for step in path.steps})
            used.update(step.technique for step in path.steps)
            steps += path.steps
        num_wrong += sum(not is_sound(step, solution) for step in steps)
    print(f"{num_puzzles} puzzles, {1000 * seconds / num_puzzles:.2f} ms each for the first stuck board")
    for name in EXOTIC:
        print(f"{name}: {showing[name]} puzzles, {instances[name]} instances")
    if arguments.whole:
        print(f"whole paths: {num_solved} solved")
        for name in [*EXOTIC, "trial"]:
            print(f"{name}: {on_paths[name]} paths, {used[name]} steps")
    print(f"wrong steps: {num_wrong}")
    return num_wrong > 0 or (arguments.whole and num_solved < num_puzzles)


if __name__ == "__main__":
    sys.exit(main())
