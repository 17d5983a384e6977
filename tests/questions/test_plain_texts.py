"""Plain 9×9 texts take a fast path through every call, with the answers and errors of the general one."""

from __future__ import annotations

import copy
import gc
import pickle
import random
import weakref
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Literal

import numpy as np
import polars as pl
import pytest

import sudokulab
from sudokulab import Puzzle, PuzzleError, Result, Status, SudokulabError, parse
from sudokulab._internal import slices
from sudokulab.formats.coercion import as_puzzle
from sudokulab.questions import as_array, count_array, is_unique_array, solve_array
from sudokulab.solvers import Backtracking, Dlx
from tests.cases import for_each
from tests.memory import most_bytes
from tests.puzzles import EASY, ENDLESS, INKALA, SEVENTEEN, TINY, random_instance

pytestmark = pytest.mark.native

SYMBOLS = "123456789.0*_-?"
CLASH = "11" + "." * 79

ODD_VALUES: dict[str, Any] = {
    "one symbol less": EASY.line[1:],
    "one symbol more": EASY.line + "1",
    "line break at the end": EASY.line + "\n",
    "blanks as x": EASY.line.replace(".", "x"),
    "blanks as spaces": EASY.line.replace(".", " "),
    "a letter": "A" + EASY.line[1:],
    "a NUL": "\0" + EASY.line[1:],
    "Arabic digits": EASY.line.replace("1", "١"),
    "full-width digits": EASY.line.replace("1", "１"),
    "a superscript": EASY.line.replace("1", "¹"),
    "a long text": EASY.line * 1000,
    "an empty text": "",
    "text as bytes": EASY.line.encode(),
    "cells as bytes": EASY.cells,
    "tabs as bytes": b"\t" * 81,
    "mixed bytes": EASY.cells[:80] + b".",
    "a digit too large": bytes([10] * 81),
    "Latin-1 bytes": b"\xb9" * 81,
    "bytearray": bytearray(EASY.cells),
    "numpy text": np.str_(EASY.line),
    "a drawn grid": str(EASY),
    "a smaller puzzle": TINY.line,
    "rows": [list(row) for row in EASY],
    "a puzzle": EASY,
    "None": None,
    "a number": 5,
    "no solution": CLASH,
    "full": "123456789" * 9,
}


def general(value: Any) -> Puzzle | str:
    """Read a value without the fast path: a text by the parser, another value with a box shape."""
    try:
        return parse(value) if isinstance(value, str) else as_puzzle(value, "3x3")
    except SudokulabError as error:
        return str(error)


def texts() -> Iterator[str]:
    rng = random.Random(1)
    yield from (symbol * 81 for symbol in SYMBOLS)
    for number in range(1, 16):
        for _ in range(40):
            chosen = rng.sample(SYMBOLS, number)
            yield "".join(rng.choice(chosen) for _ in range(81))
    for seed in range(100):
        line = random_instance((3, 3), 20 + seed % 40, seed).line
        yield "".join(rng.choice(SYMBOLS[9:]) if symbol == "." else symbol for symbol in line)


def test_texts_are_read_as_by_the_parser() -> None:
    for text in texts():
        puzzle = as_puzzle(text)
        assert puzzle == parse(text)
        assert (puzzle.name, puzzle.comment, puzzle.solution) == ("", "", None)
    assert as_array(list(texts())).tolist() == [list(parse(text).cells) for text in texts()]


@for_each("value", ODD_VALUES.values(), ids=ODD_VALUES)
def test_other_values_are_read_or_rejected_as_before(value: Any) -> None:
    (result,) = sudokulab.solve_many(iter([value]))
    expected = general(value)
    if isinstance(expected, Puzzle):
        assert result == sudokulab.solve(expected)
        assert as_puzzle(value) == expected
        assert sudokulab.count(value, 2) == Dlx().count(expected, 2)
        assert as_array([value]).tolist() == [list(expected.cells)]
    else:
        assert result.puzzle is None
        assert result.error
        for call in (as_puzzle, sudokulab.solve, sudokulab.count, sudokulab.is_unique):
            with pytest.raises(SudokulabError):
                call(value)
        with pytest.raises(PuzzleError, match=r"^puzzle 2(: | is missing )"):
            as_array([EASY.line, value])


def test_results_keep_the_order_of_good_and_bad_values() -> None:
    values = [value for pair in zip(ODD_VALUES.values(), texts(), strict=False) for value in pair]
    results = list(sudokulab.solve_many(values, Backtracking(), threads=2, seed=3))
    assert len(results) == len(values)
    for single, value in zip(results, values, strict=True):
        expected = general(value)
        assert single.puzzle == (expected if isinstance(expected, Puzzle) else None)
    assert len({result.seed for result in results}) == len(values)


@for_each("limit", [None, 0, 1, 2, 5000, 2**70, True, np.int64(3)])
def test_counts_of_texts_agree_with_dancing_links(limit: Any) -> None:
    for puzzle in (EASY, INKALA, SEVENTEEN, random_instance((3, 3), 28, 1), parse(CLASH)):
        assert sudokulab.count(puzzle.line, limit) == Dlx().count(puzzle, limit)
        assert sudokulab.is_unique(puzzle.line) == (Dlx().count(puzzle, 2) == 1)


@for_each("limit", [-1, 1.5, "2"])
def test_an_invalid_limit_is_rejected(limit: Any) -> None:
    with pytest.raises(ValueError, match=r"limit: .*; choose an integer of at least 0"):
        sudokulab.count(EASY.line, limit)


def test_a_count_that_takes_long_is_still_right() -> None:
    assert sudokulab.count(ENDLESS.line, 2) == sudokulab.count(ENDLESS, 2)


@for_each(
    "container",
    [
        list,
        tuple,
        iter,
        lambda lines: [line.encode() for line in lines],
        lambda lines: [parse(line) for line in lines],
        lambda lines: [lines[0], parse(lines[1]), *lines[2:]],
        np.array,
        lambda lines: np.array(lines, "S81"),
        lambda lines: np.array(lines, ">U81"),
        lambda lines: np.array(lines, "U100"),
        lambda lines: np.array([lines[i // 2] for i in range(2 * len(lines))])[::2],
        lambda lines: np.array(lines, object),
        pl.Series,
    ],
)
def test_texts_in_any_container_become_arrays(container: Any) -> None:
    lines = [EASY.line, INKALA.line, CLASH, SEVENTEEN.line]
    cells = np.array([list(parse(line).cells) for line in lines])
    assert (as_array(container(lines)) == cells).all()
    assert count_array(container(lines), 2).tolist() == [1, 1, 0, 1]
    assert is_unique_array(container(lines)).tolist() == [True, True, False, True]
    assert (solve_array(container(lines)) == solve_array(cells)).all()
    assert [result.status for result in sudokulab.solve_many(container(lines))][2] is Status.UNSATISFIABLE


@for_each("dtype", ["S81", "U81", object])
def test_an_unreadable_text_in_an_array_is_numbered(dtype: Any) -> None:
    for bad in ("x" + EASY.line[1:], EASY.line[:80], "z" * 81):
        with pytest.raises(PuzzleError, match=r"^puzzle 3: "):
            as_array(np.array([EASY.line, EASY.line, bad, "?"], dtype))
    with pytest.raises(PuzzleError, match="puzzle 2 has boxes of 2x2; use 3x3"):
        as_array(np.array([EASY.line, TINY.line], dtype))


def test_results_of_the_core_are_like_any_other_result() -> None:
    for result in (*sudokulab.solve_many([EASY.line, CLASH]), sudokulab.solve(EASY.line), sudokulab.solve(CLASH)):
        values = {field.name: getattr(result, field.name) for field in fields(Result)}
        made = Result(**values)
        assert result == made
        assert hash(result) == hash(made)
        assert repr(result) == repr(made)
        assert result.to_dict() == made.to_dict()
        for same in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), replace(result)):
            assert same == result
            assert same.puzzle == result.puzzle
            assert {field.name: getattr(same, field.name) for field in fields(Result)} == values
        assert replace(result, seed=9).seed == 9
        with pytest.raises(AttributeError):
            result.seed = 9  # type: ignore[misc]
        with pytest.raises(AttributeError):
            result.puzzle.cells = b""  # type: ignore[misc, union-attr]
        assert result.puzzle
        assert replace(result.puzzle, name="a").name == "a"


def test_results_do_not_share_what_can_be_changed() -> None:
    first, second = sudokulab.solve_many([EASY.line, EASY.line])
    for name in ("stats", "trace", "matrices", "parameters"):
        assert getattr(first, name) is not getattr(second, name)


def test_results_are_freed_without_the_garbage_collector() -> None:
    gc.disable()
    try:
        results = [*sudokulab.solve_many([EASY.line, CLASH, TINY]), sudokulab.solve(EASY.line)]
        living = [
            weakref.ref(value) for result in results for value in (result, result.puzzle, result.solution) if value
        ]
        assert all(reference() for reference in living)
        results.clear()
        assert [reference() for reference in living if reference() not in (None, TINY)] == []
    finally:
        gc.enable()


def test_every_solver_takes_texts() -> None:
    for solver in ("dlx", "backtracking", "conflict-driven", "annealing"):
        results = list(sudokulab.solve_many([EASY.line, EASY], solver, seconds=20))
        assert [result.solution for result in results] == [sudokulab.solve(EASY).solution] * 2


def test_an_error_in_the_source_comes_after_the_results_before_it() -> None:
    def source() -> Iterator[str]:
        yield EASY.line
        yield INKALA.line
        raise OSError("disk on fire")

    results = sudokulab.solve_many(source(), threads=4)
    assert next(results).is_solved
    assert next(results).is_solved
    with pytest.raises(OSError, match="disk on fire"):
        next(results)


def test_invalid_solutions_are_found() -> None:
    right, wrong = sudokulab.solve(EASY), Puzzle(bytes(81))
    results = [
        right,
        replace(right, solution=wrong),
        replace(right, solution=None),
        replace(right, puzzle=None),
        replace(right, puzzle=TINY),
        replace(right, puzzle=INKALA),
        replace(right, status=Status.UNKNOWN, solution=wrong),
    ]
    assert sudokulab._core.invalid_results(results, Status.SOLVED) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["U81", "S81"])
def test_the_conversion_of_text_arrays_takes_little_memory(kind: str) -> None:
    texts = np.array([EASY.line] * 300_000, kind)
    assert most_bytes(lambda: as_array(texts)) < 3 * 81 * len(texts)


@for_each("order", ["C", "F"])
@for_each("shape", [(64 * 64,), (64, 64)])
def test_the_conversion_of_large_grids_takes_little_memory(shape: tuple[int, ...], order: Literal["C", "F"]) -> None:
    cells = np.ones((2000, *shape), np.int64, order=order)
    assert most_bytes(lambda: as_array(cells)) < 3 * cells.size
    assert most_bytes(lambda: sudokulab.as_strings(cells)) < 4 * cells.size


def test_texts_of_other_forms_are_found_in_every_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "_CELLS", 4 * 81)
    texts: list[Puzzle | str] = [
        *[EASY] * 6,
        EASY.line,
        *[EASY] * 6,
    ]  # no plain text in the first and in the last slice
    assert (as_array(texts) == as_array([EASY.line] * 13)).all()
    assert sudokulab.as_strings(texts) == [EASY.line] * 13
    assert (as_array(as_array(texts).astype(np.int64)) == as_array(texts)).all()
    with pytest.raises(PuzzleError, match=r"^puzzle 7: "):
        as_array([*[EASY.line] * 6, "rubbish"])
    with pytest.raises(PuzzleError, match="digits from 0 to 10; use 0 to 9"):
        as_array(np.array([*[[0] * 81] * 6, [10] * 81]))
