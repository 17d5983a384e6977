"""Check the steps of solution paths against the solution, over whole collections.

    python -m tools.soundness FILE... --steps N

A solution path uses all techniques that `explain` tries by default. ``--list`` selects which other steps are checked:
all instances of cheap techniques on every board of the path (the default), also the instances of all techniques on one
board per puzzle, or none. Each file or folder contributes the same number of steps, from its puzzles in random order.
The solution comes from dancing links. On a puzzle with several solutions, techniques that assume uniqueness are left
out.

Prints the number of checked steps. At the first step that contradicts the solution, prints the board and exits with 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path

from sudokulab import BoxShape, Budget, BudgetError, Puzzle, _core, is_solution, read
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.logic import TECHNIQUES, Technique
from sudokulab.logic.library import read_cases
from sudokulab.logic.selection import default_techniques
from sudokulab.logic.techniques import TECHNIQUES_BY_NAME
from sudokulab.solvers import Dlx

EXPENSIVE_FAMILIES = {"almost-locked-sets", "exclusion", "exotic", "templates", "forcing-chains", "trial"}
EXPENSIVE_WORDS = {"als", "grouped", "franken", "mutant", "squirmbag", "whale", "leviathan"}
CHEAP = [
    technique
    for technique in TECHNIQUES
    if technique.family not in EXPENSIVE_FAMILIES and not EXPENSIVE_WORDS & set(technique.name.split("-"))
]
HUGE_WORDS = {"squirmbag", "whale", "leviathan"}
ALL = [technique for technique in TECHNIQUES if not HUGE_WORDS & set(technique.name.split("-"))]
LARGEST_LISTED = 9
"""The largest grids on which all instances are listed. On larger ones, only the path is checked."""
SOLVING, REASONING = Budget(seconds=2), Budget(seconds=10)


class UnsoundError(Exception):
    """A step contradicts the solution."""


@dataclass
class Tally:
    """The checked puzzles and steps of a collection."""

    puzzles: int = 0
    skipped: int = 0
    on_paths: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)

    @property
    def num_steps(self) -> int:
        return self.on_paths.total() + self.listed.total()

    def __str__(self) -> str:
        return (
            f"{self.puzzles} puzzles ({self.skipped} skipped), {self.num_steps} steps: {self.on_paths.total()} on "
            f"paths, {self.listed.total()} listed, {len(self.on_paths | self.listed)} techniques"
        )


class Walk:
    """A board on the way from a puzzle to its solution."""

    def __init__(self, puzzle: Puzzle, solution: Puzzle) -> None:
        self.puzzle, self.native, self.solution = puzzle, native_puzzle(puzzle), solution.cells
        self.placed: list[tuple[int, int]] = []
        self.masks = [(1 << puzzle.size) - 1] * len(puzzle.cells)
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                self._place(cell, digit)

    def check(self, step: _core.Step) -> None:
        """Raise `UnsoundError` unless the step makes progress and agrees with the solution."""
        is_sound = (
            all(self.solution[cell] == digit for cell, digit in step.placements)
            and all(self.solution[cell] != digit for cell, digit in step.eliminations)
            and all(self.masks[cell] >> digit - 1 & 1 for cell, digit in (*step.placements, *step.eliminations))
            and (step.placements or step.eliminations)
        )
        if not is_sound:
            raise UnsoundError(self._report(step))

    def take(self, step: _core.Step) -> None:
        for cell, digit in step.eliminations:
            self.masks[cell] &= ~(1 << digit - 1)
        for cell, digit in step.placements:
            self.placed.append((cell, digit))
            self._place(cell, digit)

    def instances(self, techniques: Iterable[Technique]) -> Iterator[_core.Step]:
        limits = native_budget(REASONING)
        for technique in techniques:
            yield from _core.find_steps(self.native, self.masks, technique.name, self.placed, limits)

    def _place(self, cell: int, digit: int) -> None:
        for peer in peers(self.puzzle.box)[cell]:
            self.masks[peer] &= ~(1 << digit - 1)
        self.masks[cell] = 1 << digit - 1

    def _report(self, step: _core.Step) -> str:
        size = self.puzzle.size
        names = [" ".join(str(digit) for digit in range(1, size + 1) if mask >> digit - 1 & 1) for mask in self.masks]
        width = max(map(len, names))
        rows = [" | ".join(name.ljust(width) for name in names[row * size :][:size]) for row in range(size)]
        return "\n".join(
            [
                f"{step.technique}, variant {step.variant}: cells {step.cells}",
                f"places {step.placements}, removes {step.eliminations}",
                f"puzzle   {self.puzzle.line}",
                f"solution {Puzzle(self.solution, self.puzzle.box).line}",
                f"placed   {self.placed}",
                *rows,
            ]
        )


@cache
def peers(box: BoxShape) -> list[list[int]]:
    """Return the cells that each cell sees."""
    cells = range(box.size**2)

    def see(one: int, other: int) -> bool:
        return one != other and any(a == b for a, b in zip(box.units_of(one), box.units_of(other), strict=True))

    return [[other for other in cells if see(one, other)] for one in cells]


def puzzles_in(path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file or folder. Cases of HoDoKu's library count as puzzles, too."""
    if path.is_dir():
        for file in sorted(path.iterdir()):
            yield from puzzles_in(file)
        return
    lines = path.read_text(encoding="utf-8").splitlines()
    if next((line for line in lines if line and not line.startswith("#")), "").startswith(":"):
        for _, case in read_cases(lines, str(path)):
            yield case.puzzle
    else:
        yield from read(path)


def solutions_of(puzzle: Puzzle) -> list[Puzzle]:
    """Return up to two solutions, found by dancing links; none if that takes too long."""
    try:
        found = list(islice(Dlx().solutions(puzzle, budget=SOLVING), 2))
    except BudgetError:
        return []
    assert all(is_solution(solution, puzzle) for solution in found)
    return found


def check_puzzle(puzzle: Puzzle, tally: Tally, listing: str) -> None:
    """Check the solution path of a puzzle, and instances of techniques on its boards: none, cheap or all.

    Raises
    ------
    UnsoundError
        If a step contradicts the solution.
    """
    solutions = solutions_of(puzzle)
    if not solutions or puzzle.is_full:
        tally.skipped += 1
        return
    tally.puzzles += 1

    def allowed(techniques: Iterable[Technique]) -> list[Technique]:
        return [technique for technique in techniques if len(solutions) == 1 or not technique.assumes_uniqueness]

    walk = Walk(puzzle, solutions[0])
    names = [technique.name for technique in allowed(default_techniques(puzzle.size))]
    path = _core.deduce(walk.native, names, 2**62, native_budget(REASONING)).steps
    cheap, others = allowed(CHEAP), allowed(ALL) if listing == "all" else []
    for step in path:
        is_single = TECHNIQUES_BY_NAME[step.technique].family == "singles"
        if listing != "none" and puzzle.size <= LARGEST_LISTED:
            for instance in walk.instances(cheap if is_single else others or cheap):
                walk.check(instance)
                tally.listed[instance.technique] += 1
            others = others if is_single else []
        walk.check(step)
        tally.on_paths[step.technique] += 1
        walk.take(step)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.soundness", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="Files or folders of puzzles.")
    parser.add_argument("--steps", type=int, default=100_000, help="Number of steps to check (default: 100,000).")
    parser.add_argument("--list", choices=("none", "cheap", "all"), default="cheap", help="Instances to check.")
    parser.add_argument("--seed", type=int, default=0, help="Random seed for the order of the puzzles.")
    options = parser.parse_args(arguments)
    total, start = Tally(), time.monotonic()
    for path in options.files:
        puzzles, tally = list(puzzles_in(path)), Tally()
        random.Random(options.seed).shuffle(puzzles)
        for puzzle in puzzles:
            if tally.num_steps * len(options.files) >= options.steps:
                break
            try:
                check_puzzle(puzzle, tally, options.list)
            except UnsoundError as problem:
                print(problem)
                return 1
        print(f"{path.name}: {tally}", flush=True)
        total.puzzles, total.skipped = total.puzzles + tally.puzzles, total.skipped + tally.skipped
        total.on_paths += tally.on_paths
        total.listed += tally.listed
    print(f"total: {total}, {time.monotonic() - start:.0f} s, none contradicts the solution")
    for technique in TECHNIQUES:
        print(f"{technique.name}\t{total.on_paths[technique.name]}\t{total.listed[technique.name]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
