"""The values of binary tables as text: the fields of CSV.

Texts, integers, decimals and times are converted by the column; other values one by one. Lists, structures and maps
become JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from sudokulab.formats import arrow, csv, symbols
from sudokulab.formats.base import size_of
from sudokulab.formats.columns import Columns

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["answer_columns", "csv_columns", "rows_as_csv", "rows_of"]

_UNSAFE = b',;\t"\r\n'
_LONG_NUMBER = "^[0-9]{16,}$"
_QUOTED = f"[{_UNSAFE.decode()}]|{_LONG_NUMBER}"


def csv_columns(columns: Columns) -> Columns:
    """Return the columns of a binary table as those of CSV."""
    return replace(columns, header=tuple(map(csv.field_of, columns.header)), delimiter=",")


def answer_columns(columns: Columns, *, has_names: bool = True) -> tuple[Columns, list[int]]:
    """Return the columns of CSV that are enough to solve puzzles, and their places in a binary table."""
    names = columns.name if has_names else None
    places = [place for place in (columns.puzzle, names, columns.comment) if place is not None]
    name, comment = (None if place is None else places.index(place) for place in (names, columns.comment))
    header = tuple(columns.header[place] for place in places)
    return Columns(len(places), 0, name=name, comment=comment, header=header), places


def rows_as_csv(batch: pa.RecordBatch, columns: Columns, places: Sequence[int]) -> bytes:
    """Return the rows of a batch, with the columns at these places."""
    import pyarrow.compute as pc

    empty = {"null_handling": "replace", "null_replacement": ""}
    rows = pc.binary_join_element_wise(*_fields(batch, columns, places), _scalar(","), **empty)
    return _data_of(pc.binary_join_element_wise(rows, _scalar(""), _scalar("\n")))


def rows_of(batch: pa.RecordBatch, columns: Columns) -> list[list[str]]:
    """Return the fields of each row."""
    fields = [array.fill_null("").to_pylist() for array in _fields(batch, columns, range(batch.num_columns))]
    return [list(row) for row in zip(*fields, strict=True)]


def _scalar(text: str) -> Any:
    import pyarrow as pa

    return pa.scalar(text, pa.large_string())


def _fields(batch: pa.RecordBatch, columns: Columns, places: Sequence[int]) -> list[pa.Array]:
    """Return columns as fields of CSV, in quotes where `csv.field_of` adds them."""
    import pyarrow.compute as pc

    fields = []
    for place in places:
        column = batch.column(place)
        texts = _grids_of(column) if place == columns.puzzle else _texts_of(column)
        has_unsafe = any(symbol in _data_of(texts) for symbol in _UNSAFE)  # far faster than looking at each value
        are_unsafe = pc.match_substring_regex(texts, _QUOTED if has_unsafe else _LONG_NUMBER)
        if pc.any(are_unsafe).as_py():
            inner = pc.replace_substring(texts, '"', '""')
            quoted = pc.binary_join_element_wise(_scalar('"'), inner, _scalar('"'), _scalar(""))
            texts = pc.if_else(are_unsafe, quoted, texts)
        if len(places) == 1:  # an empty line is no row
            texts = texts.fill_null("")
            texts = pc.if_else(pc.equal(texts, ""), _scalar('""'), texts)
        fields.append(texts)
    return fields


def _data_of(texts: pa.Array) -> bytes:
    """Return the bytes of texts, joined."""
    data = texts.buffers()[2]
    if data is None:
        return b""
    import numpy as np

    first, last = np.frombuffer(texts.buffers()[1], np.int64)[[texts.offset, texts.offset + len(texts)]]
    return cast(bytes, data.slice(first, last - first).to_pybytes())


def _texts_of(column: pa.Array) -> pa.Array:
    """Return the values of a column as texts, with nulls."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind, types = column.type, pa.types
    if arrow.is_text(kind) or arrow.is_bytes(kind):
        column = column.cast(pa.large_binary())
        try:
            return column.cast(pa.large_string())
        except pa.ArrowInvalid:
            values = column.to_pylist()
            as_text = _replaced if arrow.is_text(kind) else _text_or_hexadecimal
            return pa.array([None if value is None else as_text(value) for value in values], pa.large_string())
    is_exact = (types.is_integer, types.is_decimal, types.is_date, types.is_time, types.is_timestamp)
    if any(check(kind) for check in is_exact):
        return column.cast(pa.large_string())
    return pa.array([None if value is None else _text_of(value) for value in column.to_pylist()], pa.large_string())


def _text_of(value: object) -> str:
    if isinstance(value, list | dict | tuple):
        return json.dumps(value, ensure_ascii=False, default=_text_of)
    return _text_or_hexadecimal(value) if isinstance(value, bytes) else str(value)


def _replaced(value: bytes) -> str:
    return value.decode("utf-8", errors="replace")


def _text_or_hexadecimal(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.hex()


def _grids_of(column: pa.Array) -> pa.Array:
    """Return puzzles as texts: lists of integers with a character per cell, and those that are no grids as JSON."""
    import pyarrow as pa

    types = pa.types
    if not any(check(column.type) for check in (types.is_list, types.is_large_list, types.is_fixed_size_list)):
        return _texts_of(column)
    return pa.array([None if value is None else _grid_of(value) for value in column.to_pylist()], pa.large_string())


def _grid_of(rows: list[Any]) -> str:
    is_square = all(isinstance(row, list) and len(row) == len(rows) for row in rows)
    cells = [cell for row in rows for cell in row] if is_square else rows
    size = size_of(len(cells))
    if not size or not all(type(cell) is int and 0 <= cell <= size for cell in cells):
        return _text_of(rows)
    return symbols.encode(bytes(cells), size)
