"""Rows that are missing or unreadable are masked in answers on request, and raise an error otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest

import sudokulab
from sudokulab import ParameterError, PuzzleError
from sudokulab.equivalence import class_hash_array
from tests.cases import for_each
from tests.puzzles import INKALA, TINY

pytestmark = pytest.mark.native

TEXTS = [INKALA.line, None, "." * 81]
IS_MASKED = [False, True, False]
COLUMNS: dict[str, Callable[..., Any]] = {
    "list": list,
    "generator": iter,
    "object array": lambda texts: np.array(texts, dtype=object),
    "pandas str": lambda texts: pandas.Series(texts, dtype="str"),
    "pandas string": lambda texts: pandas.Series(texts, dtype="string"),
    "pandas object": lambda texts: pandas.Series(texts, dtype=object),
    "pandas category": lambda texts: pandas.Series(texts, dtype="category"),
    "pandas NaN": lambda texts: pandas.Series([float("nan") if text is None else text for text in texts], dtype=object),
    "polars": pl.Series,
    "polars category": lambda texts: pl.Series(texts, dtype=pl.Categorical),
    "pyarrow": pyarrow.array,
    "pyarrow chunks": lambda texts: pyarrow.chunked_array([texts[:1], texts[1:]], pyarrow.string()),
    "pyarrow dictionary": lambda texts: pyarrow.array(texts).dictionary_encode(),
}
"""Columns of texts, of which one is missing."""


@for_each("kind", COLUMNS)
def test_missing_rows_are_masked(kind: str) -> None:
    make = COLUMNS[kind]
    solved = sudokulab.solve_array(make(TEXTS), errors="mask")
    assert solved.mask.tolist() == [[is_masked] * 81 for is_masked in IS_MASKED]
    assert not solved.data[1].any()
    assert sudokulab.is_solution(solved[0], INKALA)
    counts = sudokulab.count_array(make(TEXTS), 2, errors="mask")
    assert (counts.tolist(), counts.data.tolist()) == ([1, None, 2], [1, 0, 2])
    unique = sudokulab.is_unique_array(make(TEXTS), errors="mask")
    assert (unique.tolist(), unique.data.tolist()) == ([True, None, False], [True, False, False])


@for_each("kind", COLUMNS)
def test_a_missing_row_raises_an_error_that_names_the_option(kind: str) -> None:
    with pytest.raises(PuzzleError, match=r'puzzle 2 is missing \(.+\); .* errors="mask"'):
        sudokulab.solve_array(COLUMNS[kind](TEXTS))


def test_canonical_forms_and_hashes_of_missing_rows_are_masked() -> None:
    texts: list[Any] = [INKALA.line, None]
    form = sudokulab.canonical(INKALA, through="solution")
    found = sudokulab.canonical_array(texts, through="solution", errors="mask")
    assert found.forms.tolist() == [list(form.puzzle.cells), [None] * 81]
    assert found.hashes.tolist() == [form.hash, None]
    assert found.rows.tolist() == [list(form.transformation.rows), [None] * 9]
    assert class_hash_array(texts, errors="mask").tolist() == [sudokulab.class_hash(INKALA), None]


@for_each(
    ("rows", "box", "expected"),
    [
        (["rubbish", INKALA.line, "12", ""], None, [None, 1, None, None]),
        ([None, TINY, INKALA.line, None, "." * 81], None, [None, 1, None, None, None]),
        ([None, TINY, INKALA.line], "3x3", [None, None, 1]),
        ([None, float("nan"), pandas.NA], None, [None] * 3),
        ([INKALA.line] * 20_000 + [None], None, [1] * 20_000 + [None]),
        ([], None, []),
    ],
)
def test_unreadable_rows_and_other_sizes_are_masked(rows: Any, box: str | None, expected: list[int | None]) -> None:
    assert sudokulab.count_array(rows, 2, box=box, errors="mask").tolist() == expected


@for_each("dtype", [np.uint8, np.int64])
def test_digits_out_of_range_are_masked_and_the_array_stays_as_it_is(dtype: type[np.integer]) -> None:
    array = np.array([list(TINY.cells), [5] * 16, [0] * 16], dtype)
    before = array.copy()
    assert sudokulab.count_array(array, 2, errors="mask").tolist() == [1, None, 2]
    assert sudokulab.count_array(array.reshape(3, 4, 4), 2, errors="mask").tolist() == [1, None, 2]
    assert (array == before).all()


def test_an_unknown_way_to_treat_errors_is_refused() -> None:
    with pytest.raises(ParameterError, match="errors: 'ignore'; choose 'raise' or 'mask'"):
        sudokulab.solve_array([TINY], errors="ignore")  # type: ignore[call-overload]


def test_rows_on_a_gpu_cannot_be_masked() -> None:
    class OnGpu:
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

    puzzles: Any = OnGpu()
    with pytest.raises(ParameterError, match="errors: 'mask', but the array is on a GPU; copy it to the host first"):
        sudokulab.solve_array(puzzles, errors="mask")
