"""Small data sets for the tests, written in every layout without the package's writers."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sudokulab import generate
from sudokulab.solvers import Dlx

Row = tuple[str, str]
"""A puzzle and its solution; an empty text if it is missing."""

BAD = "@"
"""A symbol that no grid has."""


@cache
def sound_rows(number: int, seed: int = 1) -> list[Row]:
    """Return puzzles with their only solutions, found by dancing links."""
    puzzles = list(generate(number, seed=seed, progress=False))
    return [(puzzle.line, Dlx().solve(puzzle).solution.line) for puzzle in puzzles]  # type: ignore[union-attr]


def moved(grids: Sequence[str], rng: np.random.Generator) -> list[str]:
    """Return 9×9 grids after one random symmetry, the same for all of them."""

    def order() -> list[int]:
        return [3 * int(group) + int(line) for group in rng.permutation(3) for line in rng.permutation(3)]

    rows, cols, digits = order(), order(), rng.permutation(9) + 1
    is_transposed = rng.random() < 0.5

    def move(grid: str) -> str:
        cells = [[grid[9 * row + col] for col in cols] for row in rows]
        if is_transposed:
            cells = [list(line) for line in zip(*cells, strict=True)]
        return "".join(str(digits[int(cell) - 1]) if cell.isdecimal() else cell for line in cells for cell in line)

    return [move(grid) for grid in grids]


def write_parquet(path: Path, rows: Sequence[Row], puzzle: str = "puzzle", solution: str = "solution") -> None:
    pq.write_table(pa.table({puzzle: [row[0] for row in rows], solution: [row[1] for row in rows]}), path)


def write_csv(path: Path, rows: Sequence[Row], header: str = "puzzle,solution", line: str = "{0},{1}") -> None:
    text = "\n".join([header, *(line.format(*row) for row in rows)]) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def write_npz(
    path: Path, rows: Sequence[Row], names: Sequence[str] = ("puzzles", "solutions"), square: bool = False
) -> None:
    def digits(texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        cells = [[77 if char == BAD else int(char.replace(".", "0")) for char in text or "." * 81] for text in texts]
        array = np.array(cells, np.uint8)
        return array.reshape(-1, 9, 9) if square else array

    columns = ([row[0] for row in rows], [row[1] for row in rows])
    np.savez_compressed(path, **dict(zip(names, map(digits, columns), strict=True)))  # type: ignore[arg-type]


def write_text_npz(path: Path, rows: Sequence[Row]) -> None:
    np.savez(path, quizzes=np.array([row[0] for row in rows]), solutions=np.array([row[1] for row in rows], "S81"))


def write_lines(path: Path, rows: Sequence[Row]) -> None:
    path.write_text("".join(f"{puzzle} {solution}".strip() + "\n" for puzzle, solution in rows))


LAYOUTS: dict[str, tuple[str, Callable[[Path, Sequence[Row]], None]]] = {
    "parquet": (".parquet", write_parquet),
    "parquet-extreme": (".parquet", lambda path, rows: write_parquet(path, rows, "question", "answer")),
    "csv": (".csv", write_csv),
    "csv-kaggle": (".csv.gz", lambda path, rows: write_csv(path, rows, "quizzes,solutions")),
    "csv-extreme": (
        ".csv",
        lambda path, rows: write_csv(path, rows, "source,question,answer,rating", "some set,{0},{1},7"),
    ),
    "npz": (".npz", write_npz),
    "npz-square": (".npz", lambda path, rows: write_npz(path, rows, ("inputs", "labels"), square=True)),
    "npz-text": (".npz", write_text_npz),
    "lines": (".txt", write_lines),
}
"""The extension and the writer of each layout."""
