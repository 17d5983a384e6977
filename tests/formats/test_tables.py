"""Parquet, Arrow IPC and Feather: read and written wherever tables are, in batches, with all their columns."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import sudokulab
from sudokulab import FormatError, SudokulabError
from sudokulab.cli import app
from sudokulab.formats import arrow, tables
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, TINY
from tests.timing import wait_until

pytestmark = pytest.mark.native

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
CLASH = "11" + "." * 79
COLUMNS: dict[str, Any] = {
    "id": pa.array([7, 9, 2, None], pa.int64()),
    "board": [EASY.line, "rubbish", CLASH, INKALA.line.replace(".", "0")],
    "source": pa.array(["a, b", "", None, 'two\n"lines"']).dictionary_encode(),
    "price": pa.array([Decimal("1.50"), None, Decimal("0.10"), Decimal("7.00")]),
    "taken": pa.array([datetime(2026, 1, 2, tzinfo=UTC)] * 4, pa.timestamp("ns", "UTC")),
    "second": pa.array([TINY.line] * 4),
    "tags": [["x", "y"], [], None, ["z"]],
}
TABLE = pa.table(COLUMNS)


def write_arrow(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def write_stream(table: pa.Table, path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def read_stream(path: Path) -> pa.Table:
    with pa.OSFile(str(path)) as source:
        return pa.ipc.open_stream(source).read_all()


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    ".parquet": pq.write_table,
    ".arrow": write_arrow,
    ".feather": feather.write_feather,
    ".arrows": write_stream,
}
READERS: dict[str, Callable[[Path], pa.Table]] = {
    ".parquet": pq.read_table,
    ".arrow": feather.read_table,
    ".feather": feather.read_table,
    ".arrows": read_stream,
}


def run(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


@for_each("extension", WRITERS)
@for_each("options", [[], ["-s", "dlx"]])
def test_a_solved_table_keeps_all_columns_with_their_types(tmp_path: Path, extension: str, options: list[str]) -> None:
    source, target = tmp_path / f"in{extension}", tmp_path / f"out{extension}"
    WRITERS[extension](TABLE, source)
    done = run("solve", source, "-o", target, "--keep-going", *options)
    assert done.exit_code == 2
    assert f"{source}:2:1: found 7 cells" in done.stderr
    found = READERS[extension](target)
    assert found.select(TABLE.column_names) == TABLE
    assert found.schema.names == [*TABLE.column_names, "solution", "status"]
    assert found["status"].to_pylist() == ["solved", "unreadable", "unsatisfiable", "solved"]
    assert found["solution"].to_pylist()[:3] == [SOLVED, None, None]


@for_each("extension", WRITERS)
def test_tables_are_read_everywhere(tmp_path: Path, extension: str) -> None:
    source = tmp_path / f"in{extension}"
    table = pa.table({"id": [5, 3], "puzzle": [EASY.line, INKALA.line], "level": ["easy", None]})
    WRITERS[extension](table, source)
    assert list(sudokulab.read(source)) == [EASY, INKALA]
    puzzle = next(sudokulab.read(io.BytesIO(source.read_bytes())))
    assert (puzzle.name, puzzle.comment) == ("5", "level=easy")
    for command in (["check"], ["rate"], ["solve"]):
        records = map(json.loads, run(*command, source, "--json").stdout.splitlines())
        assert [(record["row"], record["id"]) for record in records] == [(1, "5"), (2, "3")]
    assert run("convert", source).stdout.splitlines()[0] == f"{EASY.line} 5 # level=easy"


@for_each("extension", WRITERS)
def test_tables_are_written_everywhere(tmp_path: Path, extension: str) -> None:
    lines, table, solved = tmp_path / "p.txt", tmp_path / f"p{extension}", tmp_path / f"s{extension}"
    lines.write_text(f"{EASY.line} a name # a comment\nrubbish\n{TINY.line}\n")
    assert run("convert", lines, "--keep-going", "-o", table).exit_code == 2
    assert READERS[extension](table)["puzzle"].to_pylist() == [EASY.line, None, TINY.line]
    assert run("solve", lines, "--keep-going", "-o", solved).exit_code == 2
    found = READERS[extension](solved).to_pydict()
    assert list(found) == ["puzzle", "solution", "name", "comment", "status"]
    assert found["solution"] == [SOLVED, None, "1324423124133142"]
    assert found["status"] == ["solved", "unreadable", "solved"]
    assert found["name"][0] == "a name"


def test_a_table_changes_its_format_and_keeps_its_columns(tmp_path: Path) -> None:
    text = tmp_path / "in.csv"
    text.write_text(f'id,puzzle,note\n007,{EASY.line},"a, b"\n8,{CLASH},\n')
    assert run("solve", text, "-o", tmp_path / "out.parquet").exit_code == 1
    expected = {
        "id": ["007", "8"],
        "puzzle": [EASY.line, CLASH],
        "note": ["a, b", ""],
        "solution": [SOLVED, None],
        "status": ["solved", "unsatisfiable"],
    }
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == expected
    assert run("solve", tmp_path / "out.parquet", "-o", tmp_path / "back.csv").exit_code == 1
    with (tmp_path / "back.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["note"] for row in rows] == ["a, b", ""]
    assert [row["status"] for row in rows] == ["solved", "unsatisfiable"]
    assert pl.read_csv(tmp_path / "back.csv", infer_schema=False)["solution"].to_list() == [SOLVED, None]


def test_grids_may_be_lists_of_integers(tmp_path: Path) -> None:
    cells = list(TINY.cells)
    nested = [cells[start : start + 4] for start in range(0, 16, 4)]
    for name, grid in (("flat", cells), ("nested", nested)):
        pq.write_table(pa.table({"puzzle": [grid]}), tmp_path / f"{name}.parquet")
        assert list(sudokulab.read(tmp_path / f"{name}.parquet")) == [TINY]


def test_the_column_can_be_named(tmp_path: Path) -> None:
    columns = {"puzzle": [TINY.line], "My grid": [SEVENTEEN.line]}
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    pl.DataFrame(columns).write_csv(tmp_path / "p.csv")
    (tmp_path / "p.jsonl").write_text(json.dumps({name: values[0] for name, values in columns.items()}))
    for name in ("p.parquet", "p.csv", "p.jsonl"):
        assert list(sudokulab.read(tmp_path / name)) == [TINY]
        assert list(sudokulab.read(tmp_path / name, column="My grid")) == [SEVENTEEN]
        record = json.loads(run("solve", tmp_path / name, "--column", "My grid", "--json").stdout)
        assert record["puzzle"] == SEVENTEEN.line
        with pytest.raises(FormatError, match="other"):
            list(sudokulab.read(tmp_path / name, column="other"))


def test_compressed_and_piped_tables_are_read(tmp_path: Path) -> None:
    pq.write_table(pa.table({"puzzle": [EASY.line]}), tmp_path / "p.parquet")
    data = (tmp_path / "p.parquet").read_bytes()
    (tmp_path / "p.parquet.gz").write_bytes(gzip.compress(data))
    assert list(sudokulab.read(tmp_path / "p.parquet.gz")) == [EASY]
    command = [sys.executable, "-m", "sudokulab", "solve"]
    assert subprocess.run(command, input=data, capture_output=True, check=True).stdout == f"{SOLVED}\n".encode()


@for_each("extension", WRITERS)
@for_each("length", [12, 0.5, -10])
def test_damaged_tables_are_named(tmp_path: Path, extension: str, length: float) -> None:
    path = tmp_path / f"p{extension}"
    WRITERS[extension](pa.table({"puzzle": [EASY.line] * 1000}), path)
    data = path.read_bytes()
    path.write_bytes(data[: int(length * len(data)) if isinstance(length, float) else length])
    if extension == ".arrows" and length == -10:
        return  # only the mark of the end is missing
    with pytest.raises(SudokulabError, match=r"p\.[a-z]+: damaged or incomplete table"):
        list(sudokulab.read(path))


def test_a_table_without_puzzles_names_its_columns(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1], "y": [2]}), tmp_path / "p.parquet")
    with pytest.raises(FormatError, match="found no column of puzzles among x, y; add a column named puzzle"):
        list(sudokulab.read(tmp_path / "p.parquet"))


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sudokulab._internal.extras.find_spec", lambda name: None)
    done = run("convert", EASY.line, "-o", tmp_path / "x.parquet")
    assert done.exit_code == 2
    assert done.stderr == "pyarrow is not installed: pip install 'sudokulab[tables]'\n"
    assert not list(tmp_path.iterdir())


def test_tables_are_compressed_and_written_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "BATCH_ROWS", 100)
    (tmp_path / "p.txt").write_text(f"{EASY.line}\n" * 250)
    assert run("solve", tmp_path / "p.txt", "-o", tmp_path / "s.parquet").exit_code == 0
    metadata = pq.read_metadata(tmp_path / "s.parquet")
    assert [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)] == [100, 100, 50]
    assert metadata.row_group(0).column(0).compression == "ZSTD"
    assert sum(1 for _ in sudokulab.read(tmp_path / "s.parquet")) == 250


def test_inputs_with_different_columns_are_refused(tmp_path: Path) -> None:
    for name, columns in (("a", {"puzzle": [EASY.line]}), ("b", {"id": [1], "puzzle": [EASY.line]})):
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
    for target in ("x.parquet", "x.csv"):
        done = run("solve", tmp_path / "a.parquet", tmp_path / "b.parquet", "-o", tmp_path / target)
        assert done.exit_code == 2
        assert "the inputs have different columns" in done.stderr


@pytest.mark.parametrize("error", [None, KeyboardInterrupt])
def test_a_table_is_closed_only_after_its_last_rows(
    error: type[BaseException] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = []

    class SlowWriter:
        def __enter__(self) -> None:
            return

        def write_batch(self, batch: pa.RecordBatch) -> None:
            if error:  # the table is being closed
                wait_until(lambda: writer._pool._shutdown)
            events.append("written")

        def __exit__(self, *_: object) -> None:
            events.append("closed")

    monkeypatch.setattr(tables, "_make_writer", lambda *_: SlowWriter())
    with pytest.raises(error) if error else nullcontext(), tables.TableWriter(io.BytesIO(), "parquet") as writer:
        writer.write_batch(pa.record_batch({"puzzle": [TINY.line]}))
        if error:
            raise error
    assert events == ["written", "closed"]


def test_a_column_that_parquet_cannot_hold_is_an_error_with_advice(tmp_path: Path) -> None:
    table = pa.table({"puzzle": [EASY.line], "span": pa.array([(1, 2, 3)], pa.month_day_nano_interval())})
    write_stream(table, tmp_path / "in.arrows")
    done = run("solve", tmp_path / "in.arrows", "-o", tmp_path / "out.parquet")
    assert done.exit_code == 2
    assert re.fullmatch(r"cannot write a column \(.*interval\); write \.arrows instead\n", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["in.arrows"]
