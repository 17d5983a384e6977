"""Compare all entry points on random and adversarial grids with engines that none of them uses.

    python -m tools.agreement 1000000 [--seed 1]

Every entry point solves each grid or counts its solutions up to two, and arrays do so with every instruction set of
the machine. The environment variable SUDOKULAB_INSTRUCTIONS selects the set of the other entry points. The oracle is
dancing links, or CaDiCaL for grids that need too many nodes. A checker in this module verifies the solutions. The exit
code is 1 if any answer is wrong.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from tests.puzzles import ENDLESS, INKALA, SEVENTEEN, full_grid

import sudokulab
from sudokulab import BoxShape, Budget, BudgetError, Puzzle, Result, Status, _core, logic
from sudokulab._internal.native import native_budget
from sudokulab.cli.answers import JsonLines, Rows
from sudokulab.external import Cadical
from sudokulab.formats import csv, jsonl
from sudokulab.questions.arrays import INSTRUCTIONS
from sudokulab.questions.lines import Solved, solve_lines
from sudokulab.solvers import Auto, Dlx
from sudokulab.solvers.base import RESULT_CLASSES

Answer = tuple[int | None, bytes | None]
"""The number of solutions up to two, and a solution; None for what the entry point does not return."""

ORACLE_NODES = 50_000
BLOCK = 50_000
"""Grids in memory at a time."""
LONG = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."


def grids(number: int, seed: int) -> list[Puzzle]:
    """Return random grids: satisfiable, with a wrong digit, sparse, hard, clashing, of other sizes, and misleading."""
    rng = random.Random(seed)
    makers = [_blanked] * 8 + [_spoiled] * 4 + [_sparse] * 4 + [_hard] * 2 + [_clashing, _other_size]
    puzzles = [rng.choice(makers)(rng) for _ in range(number)]
    for index in rng.sample(range(number), max(1, number // 500)):
        puzzles[index] = _misleading(rng)
    return puzzles


def _keep(full: Puzzle, num_givens: int, rng: random.Random) -> Puzzle:
    kept = set(rng.sample(range(len(full.cells)), num_givens))
    return Puzzle(bytes(digit if cell in kept else 0 for cell, digit in enumerate(full.cells)), full.box)


def _with(puzzle: Puzzle, cell: int, digit: int) -> Puzzle:
    return Puzzle(puzzle.cells[:cell] + bytes([digit]) + puzzle.cells[cell + 1 :], puzzle.box)


def _blanked(rng: random.Random) -> Puzzle:
    return _keep(full_grid((3, 3)).shuffle(rng.getrandbits(32)), rng.randint(17, 60), rng)


def _spoiled(rng: random.Random) -> Puzzle:
    """Return a grid with a wrong digit; most have no solution, and some take a long search to refute."""
    full = full_grid((3, 3)).shuffle(rng.getrandbits(32))
    cell = rng.randrange(81)
    return _with(_keep(full, rng.randint(20, 40), rng), cell, full.cells[cell] % 9 + 1)


def _sparse(rng: random.Random) -> Puzzle:
    puzzle = Puzzle.empty(9)
    for _ in range(rng.randint(0, 22)):
        candidate = _with(puzzle, rng.randrange(81), rng.randint(1, 9))
        puzzle = puzzle if candidate.clashes() else candidate
    return puzzle


def _hard(rng: random.Random) -> Puzzle:
    puzzle = rng.choice([SEVENTEEN, INKALA]).shuffle(rng.getrandbits(32))
    given = rng.choice([cell for cell, digit in enumerate(puzzle.cells) if digit])
    return _with(puzzle, given, 0) if rng.random() < 0.3 else puzzle


def _clashing(rng: random.Random) -> Puzzle:
    digit = rng.randint(1, 9)
    return _with(_with(_sparse(rng), 0, digit), rng.randrange(1, 9), digit)


def _other_size(rng: random.Random) -> Puzzle:
    box = rng.choice([(2, 2), (2, 3), (3, 2), (2, 4), (2, 5), (3, 4), (4, 4)])
    full = full_grid(box).shuffle(rng.getrandbits(32))
    return _keep(full, rng.randint(len(full.cells) // 2, len(full.cells)), rng)


def _misleading(rng: random.Random) -> Puzzle:
    """Return a grid without a solution that is very slow to refute without learning."""
    return rng.choice([ENDLESS, sudokulab.parse(LONG)]).shuffle(rng.getrandbits(32))


def oracle(puzzle: Puzzle) -> int:
    """Count the solutions up to two with engines that no entry point uses."""
    try:
        return Dlx().count(puzzle, 2, Budget(nodes=ORACLE_NODES))
    except BudgetError:
        return _count_by_cadical(puzzle)


def _count_by_cadical(puzzle: Puzzle) -> int:
    first = Cadical().solve(puzzle)
    if first.solution is None:
        return 0
    for cell, digit in enumerate(puzzle.cells):  # a second solution differs in at least one cell
        for other in range(1, puzzle.size + 1):
            if (
                not digit
                and other != first.solution.cells[cell]
                and Cadical().solve(_with(puzzle, cell, other)).is_solved
            ):
                return 2
    return 1


@cache
def _units(box: tuple[int, int]) -> list[list[int]]:
    rows, cols = box
    size = rows * cols
    lines = [[row * size + col for col in range(size)] for row in range(size)]
    lines += [[row * size + col for row in range(size)] for col in range(size)]
    for top in range(0, size, rows):
        for left in range(0, size, cols):
            lines.append([(top + r) * size + left + c for r in range(rows) for c in range(cols)])
    return lines


def is_right(cells: bytes, puzzle: Puzzle) -> bool:
    """Check a solution independently of the package."""
    every = set(range(1, puzzle.size + 1))
    return all(given in (0, cell) for given, cell in zip(puzzle.cells, cells, strict=True)) and all(
        {cells[cell] for cell in unit} == every for unit in _units(tuple(puzzle.box))
    )


def _of_result(result: Result) -> Answer:
    assert result.status is not Status.UNKNOWN, result
    return (None if result.is_solved else 0), result.solution.cells if result.solution else None


def _by_solve(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    return (_of_result(sudokulab.solve(puzzle)) for puzzle in puzzles)


def _by_portfolio(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    """Race two searches that share all clauses from the first node on."""
    racing = _core.Portfolio(2, head_start=0, max_shared_levels=1000)
    for puzzle in puzzles:
        yield _of_result(racing.solve(puzzle, native_budget(None), 0, 0, None, 1, "portfolio", RESULT_CLASSES))


def _by_solve_many(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    return map(_of_result, sudokulab.solve_many(puzzles, threads=3))


def _by_text(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    for puzzle in puzzles:
        box = None if puzzle.size == 9 else puzzle.box
        number = sudokulab.count(puzzle.line, 2, box=box)
        assert sudokulab.is_unique(puzzle.line, box=box) is (number == 1), puzzle
        yield number, _of_result(sudokulab.solve(puzzle.line, box=box))[1]


def _by_many_texts(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    return map(_of_result, sudokulab.solve_many(_lines(puzzles), threads=2))


def _by_count(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    return ((sudokulab.count(puzzle, 2), None) for puzzle in puzzles)


def _by_is_unique(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    for puzzle in puzzles:
        solutions = list(islice(sudokulab.solutions(puzzle), 2))
        assert sudokulab.is_unique(puzzle) is (len(solutions) == 1), puzzle
        assert len(set(solutions)) == len(solutions), puzzle
        yield len(solutions), solutions[0].cells if solutions else None


def _by_rate(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    return ((rating.num_solutions, None) for rating in logic.rate_many(puzzles, relabelings=0))


def _by_lines(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    text = "".join(
        f"{puzzle.line} # box={puzzle.box}\n" if puzzle.size != 9 else f"{puzzle.line}\n" for puzzle in puzzles
    )
    for answer in solve_lines(io.BytesIO(text.encode()), "lines", threads=3):
        if isinstance(answer, Solved):
            yield from ((None, _cells(line)) for line in answer.text.splitlines())
        else:
            assert isinstance(answer, Result), answer
            yield _of_result(answer)


def _by_rows(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    """Solve rows of CSV with a name before the puzzle; each row of the answer repeats both."""
    text = "name,puzzle\n" + "".join(f"no. {number},{puzzle.line}\n" for number, puzzle in enumerate(puzzles))
    number = 0
    for answer in solve_lines(io.BytesIO(text.encode()), "rows", format=csv.FORMAT, threads=3, layout=Rows().layout):
        if not isinstance(answer, Solved):
            assert isinstance(answer, Result), answer
            number += 1
            yield _of_result(answer)
            continue
        for row in answer.text.splitlines():
            name, puzzle, solution, _ = row.replace(b'"', b"").split(b",")
            assert (_cells(puzzle), name) == (puzzles[number].cells, f"no. {number}".encode()), row
            number += 1
            yield None, _cells(solution)


def _by_objects(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    """Solve objects in JSON lines; each answer repeats the members."""
    text = "".join(f'{{"id": {number}, "puzzle": "{puzzle.line}"}}\n' for number, puzzle in enumerate(puzzles))
    layout = JsonLines(Auto()).layout
    number = 0
    for answer in solve_lines(io.BytesIO(text.encode()), "objects", format=jsonl.FORMAT, threads=3, layout=layout):
        if not isinstance(answer, Solved):
            assert isinstance(answer, Result), answer
            number += 1
            yield _of_result(answer)
            continue
        for record in map(json.loads, answer.text.splitlines()):
            assert (record["puzzle"], record["id"]) == (puzzles[number].line, str(number)), record
            number += 1
            yield None, _cells(record["solution"].encode())


def _cells(line: bytes) -> bytes:
    return bytes(digit - ord("0") for digit in line.replace(b".", b"0"))


def _by_csv(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
    """Solve a CSV file of 9×9 grids on the command line."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.csv"), Path(folder, "out.csv")
        sudokulab.write(puzzles, source)
        command = [sys.executable, "-m", "sudokulab", "solve", str(source), "-o", str(target)]
        subprocess.run(command, capture_output=True, check=False)
        for puzzle in sudokulab.read(target):
            yield (None, puzzle.solution.cells) if puzzle.solution else (0, None)


def _by_array(
    instructions: str, form: Callable[[Sequence[Puzzle]], Any]
) -> Callable[[Sequence[Puzzle]], Iterator[Answer]]:
    def answer(puzzles: Sequence[Puzzle]) -> Iterator[Answer]:
        array = form(puzzles)
        solutions = sudokulab.questions.solve_array(array, instructions=instructions, threads=3)
        counts = sudokulab.count_array(array, 2, instructions=instructions, threads=3)
        are_unique = sudokulab.is_unique_array(array, instructions=instructions, threads=1)
        assert ((counts == 1) == are_unique).all()
        for row, count in zip(solutions, counts.tolist(), strict=True):
            yield count, row.tobytes() if row.any() else None

    return answer


def _lines(puzzles: Sequence[Puzzle]) -> list[str]:
    return [puzzle.line for puzzle in puzzles]


ENTRY_POINTS: dict[str, Callable[[Sequence[Puzzle]], Iterator[Answer]]] = {
    "solve": _by_solve,
    "portfolio": _by_portfolio,
    "solve_many": _by_solve_many,
    "text": _by_text,
    "count": _by_count,
    "solutions, is_unique": _by_is_unique,
    "rate": _by_rate,
    "lines": _by_lines,
}
ONLY_9X9 = {
    **{f"array, {name}": _by_array(name, sudokulab.as_array) for name in INSTRUCTIONS},
    **{f"array of text, {name}": _by_array(name, _lines) for name in INSTRUCTIONS},
    "many texts": _by_many_texts,
    "rows": _by_rows,
    "objects": _by_objects,
    "csv": _by_csv,
}


def disagreements(puzzles: Sequence[Puzzle]) -> Iterator[tuple[str, int, list[Puzzle]]]:
    """Yield the name of each entry point, its number of answers, and the grids it got wrong."""
    expected = {puzzle: oracle(puzzle) for puzzle in dict.fromkeys(puzzles)}
    small = [puzzle for puzzle in puzzles if puzzle.size == 9]
    for entry_points, asked in ((ENTRY_POINTS, puzzles), (ONLY_9X9, small)):
        for name, entry_point in entry_points.items():
            wrong = []
            for puzzle, (number, cells) in zip(asked, entry_point(asked), strict=True):
                is_counted = number is None or number == expected[puzzle]
                is_solved = cells is None or (expected[puzzle] > 0 and is_right(cells, puzzle))
                has_solution = number is not None or cells is not None
                if not (is_counted and is_solved and has_solution):
                    wrong.append(puzzle)
            yield name, len(asked), wrong


def wrong_products(number: int, seed: int) -> Iterator[tuple[str, int, list[Puzzle]]]:
    """Yield the name of each way to generate, its number of puzzles, and those that are not unique and minimal."""
    made = sudokulab.generate_array(number, minimal=True, seed=seed)
    box = BoxShape(3, 3)
    puzzles = [Puzzle(cells.tobytes(), box) for cells in made.puzzles]
    solutions = [cells.tobytes() for cells in made.solutions]
    wrong = [
        puzzle
        for puzzle, cells in zip(puzzles, solutions, strict=True)
        if not is_right(cells, puzzle) or not _is_unique_and_minimal(puzzle)
    ]
    yield "generate_array", number, wrong
    one_by_one = sudokulab.generate(number, minimal=True, seed=seed, threads=2)
    yield "generate", number, [one for one, other in zip(one_by_one, puzzles, strict=True) if one != other]


def _is_unique_and_minimal(puzzle: Puzzle) -> bool:
    given = [cell for cell, digit in enumerate(puzzle.cells) if digit]
    return oracle(puzzle) == 1 and all(oracle(_with(puzzle, cell, 0)) == 2 for cell in given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    start = time.perf_counter()
    totals: dict[str, tuple[int, list[Puzzle]]] = {}
    with suppress(KeyboardInterrupt):  # what was compared by then counts
        for place, first in enumerate(range(0, args.number, BLOCK)):
            number, seed = min(BLOCK, args.number - first), args.seed + place
            for name, asked, wrong in chain(disagreements(grids(number, seed)), wrong_products(number // 50, seed)):
                before, known = totals.get(name, (0, []))
                totals[name] = before + asked, known + wrong
    for name, (number, wrong) in totals.items():
        print(f"{name:24} {number:9,} answers, {len(wrong)} wrong", *wrong[:3], sep="\n  " if wrong else "")
    print(f"{time.perf_counter() - start:.0f} s, instructions: {_core.best_instructions()}")
    sys.exit(any(wrong for _, wrong in totals.values()))


if __name__ == "__main__":
    main()
