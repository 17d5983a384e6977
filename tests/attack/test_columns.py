"""Tables with columns of any type and name: an audit reads them or says what is wrong."""

from __future__ import annotations

import datetime
import decimal
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sudokulab import datasets
from sudokulab.datasets.errors import DatasetError
from tests.cases import for_each
from tests.puzzles import EASY

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NOT_UTF8 = pa.Array.from_buffers(
    pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 82], np.int32)), pa.py_buffer(b"\xff" + EASY.line.encode())]
)
COLUMNS: dict[str, Any] = {
    "list": pa.array([[1, 2], [3]]),
    "list of text": pa.array([["a"], [EASY.line]]),
    "list with null": pa.array([None, [1]]),
    "fixed list": pa.array([[1] * 81, [2] * 81], pa.list_(pa.int64(), 81)),
    "nested": pa.array([[[{"a": [1]}]], []]),
    "struct": pa.array([{"a": 1}, {"a": 2}]),
    "map": pa.array([[("a", 1)], []], pa.map_(pa.string(), pa.int64())),
    "dictionary": pa.array([EASY.line] * 2).dictionary_encode(),
    "dictionary of numbers": pa.array([1, 2]).dictionary_encode(),
    "dictionary of bytes": pa.array([EASY.line.encode(), b"\xff"], pa.binary()).dictionary_encode(),
    "binary": pa.array([b"\xff", EASY.line.encode()], pa.binary()),
    "fixed binary": pa.array([b"abcd", b"efgh"], pa.binary(4)),
    "large binary": pa.array([EASY.line.encode(), b"\xff"], pa.large_binary()),
    "large text": pa.array([EASY.line] * 2, pa.large_string()),
    "text view": pa.array([EASY.line] * 2, pa.string_view()),
    "not UTF-8": NOT_UTF8,
    "timestamp": pa.array([datetime.datetime(2020, 1, 1)] * 2),
    "timestamp with zone": pa.array([0, 2**62], pa.timestamp("ns", "UTC")),
    "date": pa.array([datetime.date(1, 1, 1)] * 2),
    "time": pa.array([1, 2], pa.time64("ns")),
    "duration": pa.array([1, 2], pa.duration("s")),
    "decimal": pa.array([decimal.Decimal("1.5")] * 2),
    "large decimal": pa.array([decimal.Decimal(10) ** 70] * 2, pa.decimal256(76, 0)),
    "null": pa.nulls(2),
    "text with null": pa.array([None, EASY.line]),
    "only null text": pa.array([None, None], pa.string()),
    "empty text": pa.array(["", ""]),
    "truth values": pa.array([True, None]),
    "integers": pa.array([1, None]),
    "large integers": pa.array([2**64 - 1, 1], pa.uint64()),
    "floats": pa.array([1.5, None]),
    "half floats": pa.array(np.array([1, 2], np.float16)),
    "nan": pa.array([float("nan")] * 2),
    "long numbers": pa.array(["9" * 401] * 2),
}


def problem_of(path: Path) -> str:
    """Return what an audit says about a file; nothing if it can be read. Other errors end the test."""
    try:
        datasets.audit(path, sample=1)
    except DatasetError as error:
        problem = str(error)
    else:
        return ""
    assert str(path) in problem
    assert "\n" not in problem
    return problem


def parquet(path: Path, columns: dict[str, Any]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@for_each("kind", COLUMNS)
@for_each("name", ["puzzle", "solution", "rating", "split", "box", "other"])
def test_columns_of_any_type_are_read_or_explained(tmp_path: Path, name: str, kind: str) -> None:
    columns = {"puzzle": pa.array([EASY.line] * 2), "solution": pa.array([SOLVED] * 2), name: COLUMNS[kind]}
    problem = problem_of(parquet(tmp_path / "x.parquet", columns))
    assert "corrupt" not in problem
    if name == "other":
        assert problem == ""
    elif problem and "is not a box shape" not in problem and "is not a puzzle" not in problem:
        assert f"column {name!r} has type" in problem


def test_text_that_is_not_utf8_makes_its_row_unreadable(tmp_path: Path) -> None:
    found = datasets.audit(parquet(tmp_path / "x.parquet", {"puzzle": NOT_UTF8}), sample=1)
    assert [check.num_rows for check in found.checks if check.kind == "unreadable"] == [1]


@for_each("name", ["", "\n", "puzzle\nx", "\u202epuzzle", "a" * 10_000, "p\0q", "a.puzzle"])
@for_each("number", [1, 2])
def test_odd_names_are_not_puzzles(tmp_path: Path, name: str, number: int) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([EASY.line])] * number, names=[name] * number), path)
    assert "no column of puzzles among" in problem_of(path)


def test_names_that_are_not_utf8_are_explained(tmp_path: Path) -> None:
    path = parquet(tmp_path / "x.parquet", {"puzzle": pa.array([EASY.line]), "pzzzle": pa.array([1])})
    path.write_bytes(path.read_bytes().replace(b"pzzzle", b"p\xff\xfezle"))
    assert "the name of a column is not UTF-8" in problem_of(path)


@for_each(
    "names", [["puzzle", "puzzle"], ["puzzle", "PUZZLE"], ["puzzle", "rating", " Rating"], ["puzzle", "box", "box"]]
)
def test_two_columns_of_one_name_are_refused(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array([EASY.line])] * len(names), names=names), path)
    assert "two columns" in problem_of(path)


def test_tables_without_columns_or_rows_are_explained(tmp_path: Path) -> None:
    assert "no column of puzzles among none" in problem_of(parquet(tmp_path / "x.parquet", {}))
    assert "no rows" in problem_of(parquet(tmp_path / "y.parquet", {"puzzle": pa.array([], pa.string())}))
    with zipfile.ZipFile(tmp_path / "x.npz", "w"):
        pass
    assert "no column of puzzles among none" in problem_of(tmp_path / "x.npz")
    for name in ("x.csv", "y.csv", "x.jsonl"):
        (tmp_path / name).write_text("puzzle\n" if name == "y.csv" else "")
        assert problem_of(tmp_path / name)


ROWS = {
    "name with a line end": b'"puzzle\nx",rating\n%s,1\n',
    "name not UTF-8": b"puzzle,\xff\xfe\n%s,1\n",
    "name with NUL": b"puzzle\0,x\n%s,1\n",
    "no names": b",\n%s,\n",
    "many columns": b"puzzle" + b",x" * 10_000 + b"\n%s\n",
    "open quote": b'puzzle\n"%s\n\n\n',
    "wrong rating": b"puzzle,rating\n%s,abc\n",
    "infinite rating": b"puzzle,rating\n%s,1e400\n",
    "wrong box": b"puzzle,box\n%s,abc\n",
    "no box": b"puzzle,box\n%s,\n",
    "NUL": b"puzzle,split\n%s,a\0b\n\0\0,\n",
    "long field": b"puzzle\n" + b"1" * 200_000 + b"\n%s\n",
    "Mac line ends": b"puzzle\r%s\r",
}


@for_each("kind", ROWS)
@for_each("extension", [".csv", ".tsv"])
def test_odd_rows_of_csv_are_read_or_explained(tmp_path: Path, kind: str, extension: str) -> None:
    path = tmp_path / f"x{extension}"
    path.write_bytes(ROWS[kind].replace(b"%s", EASY.line.encode()))
    problem_of(path)


VALUES: list[Any] = [
    *(None, 1, 1.5, True, [], {}, "", [[1] * 9] * 9, [[1]], {"puzzle": 1.5}, {"puzzle": {"a": 1}}, {"": "x"}),
    *({"puzzle": EASY.line, "solution": 5}, {"puzzle": EASY.line, "rating": {"a": 1}, "box": 7}, {"puzzle": None}),
    *([10**30] * 81, [1.5] * 81, [True] * 81, [None] * 81, [-1] * 81, ["1"] * 81, {"puzzle": EASY.line, "box": [3, 3]}),
]


@for_each("value", VALUES, ids=map(str, range(len(VALUES))))
def test_odd_json_values_are_read_or_explained(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f"{json.dumps(value)}\n")
    problem_of(path)


ARRAYS = {
    "complex": np.zeros((2, 81), complex),
    "structure": np.zeros(2, [("a", int)]),
    "floats": np.zeros((2, 81)),
    "truth values": np.zeros((2, 81), bool),
    "dates": np.zeros((2, 81), "M8[s]"),
    "one number": np.array(5),
    "no rows": np.zeros((0, 81), int),
    "no cells": np.zeros((2, 0), int),
    "four dimensions": np.zeros((2, 3, 3, 9), int),
    "bytes": np.array([EASY.line.encode()] * 2),
    "not ASCII": np.array([b"\xff" * 81] * 2),
    "surrogates": np.array(["\ud800" * 81] * 2),
    "negative": -np.ones((2, 81), int),
    "large": np.full((2, 81), 2**64 - 1, np.uint64),
    "empty bytes": np.array([b""] * 2),
    "void": np.zeros(2, "V5"),
    "big-endian": np.zeros((2, 81), ">i4"),
    "rows of text": np.array([[EASY.line] * 2] * 2),
    "objects": np.array([{}], object),
}


@for_each("kind", ARRAYS)
@for_each("name", ["puzzle", "solution", "rating", "box"])
def test_arrays_of_any_type_are_read_or_explained(tmp_path: Path, name: str, kind: str) -> None:
    arrays: dict[str, Any] = {"puzzle": EASY.givens.reshape(1, 81).repeat(2, axis=0), name: ARRAYS[kind]}
    np.savez(tmp_path / "x.npz", **arrays)
    problem_of(tmp_path / "x.npz")
