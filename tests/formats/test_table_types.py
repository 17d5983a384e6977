"""Binary tables of every shape keep their schema and their values, whichever format they come from or go to."""

from __future__ import annotations

import csv
import json
import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from tests.cases import for_each
from tests.formats.test_tables import READERS, SOLVED, WRITERS, run, write_stream
from tests.puzzles import EASY, TINY

pytestmark = pytest.mark.native

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"
NUM_ROWS = 20_000
LEVEL = 3  # the place of a column


def many_rows(start: int = 0) -> pa.Table:
    """Return rows with short and with repeated texts, of which each part of the table has others."""
    numbers = range(start, start + NUM_ROWS)
    columns = [
        pa.array([str(number) for number in numbers]),
        pa.array([EASY.line] * NUM_ROWS),
        pa.array([f"source {number // 6000}" for number in numbers], pa.large_string()),
        pa.array([f"level {number // 4000}" for number in numbers]).dictionary_encode(),
        pa.array(["train", "test"] * (NUM_ROWS // 2)).cast(pa.dictionary(pa.int8(), pa.string())),
        pa.array(range(NUM_ROWS), pa.int16()),
        pa.array([["a", "b"]] * NUM_ROWS, pa.list_(pa.field("element", pa.string()))),
        pa.array([{"x": "a", "y": 1}] * NUM_ROWS),
    ]
    names = ["id", "puzzle", "source", "level", "split", "count", "tags", "maker"]
    fields = [pa.field(name, array.type, name != "count") for name, array in zip(names, columns, strict=True)]
    fields[2] = fields[2].with_metadata({"unit": "none"})
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, {"made by": "a test"}))


def write_parts(table: pa.Table, path: Path) -> None:
    """Write a table in several parts; their dictionaries differ where the format allows that."""
    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=6000)
    elif path.suffix == ".arrows":
        parts = [table.slice(start, 5000) for start in range(0, len(table), 5000)]
        levels = [part["level"].cast(pa.string()).dictionary_encode() for part in parts]
        changed = [part.set_column(LEVEL, table.field(LEVEL), level) for part, level in zip(parts, levels, strict=True)]
        write_stream(pa.concat_tables(changed), path)
    else:
        WRITERS[path.suffix](table, path)


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    elif path.suffix == ".csv":
        frame.write_csv(path)
    else:
        frame.write_ndjson(path)


def assert_kept(found: pa.Table, table: pa.Table) -> None:
    kept = found.select(table.column_names)
    assert found.column_names == [*table.column_names, "solution", "status"]
    assert kept.schema.equals(table.schema, check_metadata=True)
    for column, expected in zip(kept.columns, table.columns, strict=True):
        is_repeated = pa.types.is_dictionary(column.type)
        kind = column.type.value_type if is_repeated else column.type
        assert column.cast(kind).equals(expected.cast(kind))
    assert pc.all(pc.equal(found["solution"], SOLVED)).as_py()


@for_each("source", WRITERS)
@for_each("target", WRITERS)
def test_tables_of_several_parts_keep_schema_and_values(tmp_path: Path, source: str, target: str) -> None:
    table = many_rows()
    write_parts(table, tmp_path / f"in{source}")
    done = run("solve", tmp_path / f"in{source}", "-o", tmp_path / f"out{target}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert_kept(READERS[target](tmp_path / f"out{target}"), table)


@for_each("extension", [".parquet", ".feather"])
def test_shards_with_one_schema_become_one_table(tmp_path: Path, extension: str) -> None:
    shards = [many_rows(), many_rows(NUM_ROWS)]
    for number, shard in enumerate(shards):
        write_parts(shard, tmp_path / f"{number}{extension}")
    sources = [tmp_path / f"{number}{extension}" for number in range(2)]
    assert run("solve", *sources, "-o", tmp_path / f"out{extension}").exit_code == 0
    assert_kept(READERS[extension](tmp_path / f"out{extension}"), pa.concat_tables(shards).unify_dictionaries())


@for_each("extension", [".parquet", ".feather"])
@for_each("options", [[], ["-s", "dlx"]])
def test_categories_of_polars_and_pandas_survive(tmp_path: Path, extension: str, options: list[str]) -> None:
    source, target = tmp_path / f"in{extension}", tmp_path / f"out{extension}"
    levels = ["hard", "easy", None]
    frame = pl.DataFrame(
        {"puzzle": [EASY.line] * 3, "level": pl.Series(levels, dtype=pl.Enum(["easy", "fair", "hard"]))}
    )
    is_parquet = extension == ".parquet"
    (frame.write_parquet if is_parquet else frame.write_ipc)(source)
    assert run("solve", source, "-o", target, *options).exit_code == 0
    found = (pl.read_parquet if is_parquet else pl.read_ipc)(target)
    assert found.select(frame.columns).equals(frame)
    assert found.schema["level"] == frame.schema["level"]
    other = pd.DataFrame({"puzzle": [EASY.line] * 3, "level": pd.Categorical(levels)})
    (other.to_parquet if is_parquet else other.to_feather)(source)
    assert run("solve", source, "-o", target, *options).exit_code == 0
    again = (pd.read_parquet if is_parquet else pd.read_feather)(target)
    pd.testing.assert_frame_equal(again[list(other)], other)


def test_a_dictionary_with_too_many_values_for_its_type_is_explained(tmp_path: Path) -> None:
    kind = pa.dictionary(pa.int8(), pa.string())
    parts = [pa.array([f"{part} {number}" for number in range(100)]).cast(kind) for part in range(2)]
    batches = [pa.record_batch({"puzzle": [EASY.line] * 100, "x": part}) for part in parts]
    write_stream(pa.Table.from_batches(batches), tmp_path / "in.arrows")
    done = run("solve", tmp_path / "in.arrows", "-o", tmp_path / "out.arrow")
    assert done.exit_code == 2
    assert "column 'x' has too many values for its type int8 in an Arrow file; write .parquet or .arrows" in done.stderr
    assert run("solve", tmp_path / "in.arrows", "-o", tmp_path / "out.parquet").exit_code == 0


ODD: dict[str, tuple[pa.Array, str]] = {
    "duration": (pa.array([timedelta(days=2, hours=1)]), "2 days, 1:00:00"),
    "struct": (pa.array([{"a": 1, "b": 'x, "y"'}]), '{"a": 1, "b": "x, \\"y\\""}'),
    "list": (pa.array([["x", None]]), '["x", null]'),
    "nested": (pa.array([[[1], [2, 3]]]), "[[1], [2, 3]]"),
    "map": (pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64())), '[["a", 1]]'),
    "text": (pa.array(['a, "b"\r\nc;\td']), 'a, "b"\r\nc;\td'),
    "text view": (pa.array(["a,b"], pa.string_view()), "a,b"),
    "binary": (pa.array([b"a,b"]), "a,b"),
    "not UTF-8": (pa.array([b"\xff\x00"]), "ff00"),
    "dictionary": (pa.array(["a,b"]).dictionary_encode(), "a,b"),
    "dictionary of numbers": (pa.array([5]).dictionary_encode(), "5"),
    "float": (pa.array([1.0]), "1.0"),
    "decimal": (pa.array([Decimal("1.50")]), "1.50"),
    "truth": (pa.array([True]), "True"),
    "date": (pa.array([date(2026, 1, 2)]), "2026-01-02"),
    "time": (pa.array([time(1, 2, 3)], pa.time32("s")), "01:02:03"),
    "time with zone": (pa.array([datetime(2026, 1, 2, tzinfo=UTC)], pa.timestamp("s", "UTC")), "2026-01-02 00:00:00Z"),
    "null": (pa.nulls(1), ""),
    "long number": (pa.array([12345678901234567]), "12345678901234567"),
}


@for_each("options", [[], ["-s", "dlx"]])
def test_csv_quotes_the_values_of_every_type(tmp_path: Path, options: list[str]) -> None:
    table = pa.table({"puzzle": [EASY.line]} | {name: array for name, (array, _) in ODD.items()})
    WRITERS[".arrows"](table, tmp_path / "in.arrows")
    assert run("solve", tmp_path / "in.arrows", "-o", tmp_path / "out.csv", *options).exit_code == 0
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    expected = {"puzzle": EASY.line} | {name: text for name, (_, text) in ODD.items()}
    assert rows == [expected | {"solution": SOLVED, "status": "solved"}]


@for_each("options", [[], ["-s", "dlx"]])
def test_puzzles_of_every_type_are_solved_and_written_as_text(tmp_path: Path, options: list[str]) -> None:
    cells = list(EASY.cells)
    rows = [cells[start : start + 9] for start in range(0, 81, 9)]
    for column in (
        pa.array([EASY.line.encode()]),
        pa.array([EASY.line.encode()], pa.binary(81)),
        pa.array([EASY.line], pa.large_string()),
        pa.array([EASY.line], pa.string_view()),
        pa.array([EASY.line.encode()]).dictionary_encode(),
        pa.array([cells]),
        pa.array([cells], pa.list_(pa.uint8(), 81)),
        pa.array([rows]),
    ):
        table = pa.table({"puzzle": column})
        WRITERS[".arrow"](table, tmp_path / "in.arrow")
        for target in ("out.csv", "out.arrow", "out.jsonl", "out.txt"):
            assert run("solve", tmp_path / "in.arrow", "-o", tmp_path / target, *options).exit_code == 0
        assert (tmp_path / "out.txt").read_text() == f"{SOLVED}\n"
        text = (tmp_path / "out.csv").read_text()
        assert text == f'puzzle,solution,status\n{EASY.line},"{SOLVED}",solved\n'
        assert feather.read_table(tmp_path / "out.arrow").select(["puzzle"]) == table
        assert json.loads((tmp_path / "out.jsonl").read_text())["solution"] == SOLVED


NO_ROWS = pa.table({"id": [1], "puzzle": [""]}).slice(1)


@for_each("source", ["in.csv", "in.tsv", *(f"in{extension}" for extension in WRITERS)])
@for_each("options", [[], ["-s", "dlx"], ["--keep-going"]])
def test_a_table_without_rows_becomes_one(tmp_path: Path, source: str, options: list[str]) -> None:
    if Path(source).suffix in WRITERS:
        WRITERS[Path(source).suffix](NO_ROWS, tmp_path / source)
    else:
        (tmp_path / source).write_text("id,puzzle\n" if source == "in.csv" else "id\tpuzzle\n")
    for target in ("out.csv", "out.tsv", "out.parquet", "out.arrow", "out.arrows", "out.jsonl", "out.txt"):
        done = run("solve", tmp_path / source, "-o", tmp_path / target, *options)
        assert (done.exit_code, done.output) == (0, "")
        if (reader := READERS.get(Path(target).suffix)) is not None:
            found = reader(tmp_path / target)
            assert (len(found), found.column_names) == (0, ["id", "puzzle", "solution", "status"])
        else:
            head = {".csv": "id,puzzle,solution,status\n", ".tsv": "id\tpuzzle\tsolution\tstatus\n"}
            assert (tmp_path / target).read_text() == head.get(Path(target).suffix, "")
    for command in (["check"], ["rate"], ["solve", "--json"], ["convert", "--to", "line"]):
        done = run(*command, tmp_path / source)
        assert (done.exit_code, done.output) == (0, "")


@for_each("extension", [".parquet", ".csv", ".jsonl"])
@for_each("options", [["--column", "typo"], ["--column", "typo", "--keep-going"], ["--keep-going"]])
def test_a_table_without_a_column_of_puzzles_ends_the_command(
    tmp_path: Path, extension: str, options: list[str]
) -> None:
    frame = pl.DataFrame({"x": [1, 2], "y": [EASY.line, TINY.line]})
    path = tmp_path / f"in{extension}"
    write_frame(frame, path)
    if extension == ".jsonl" and "--column" not in options:
        return  # any later object may have a puzzle
    if extension == ".csv" and "--column" not in options:
        path.write_text("x,y\n1,2\n")
    for solver in ([], ["-s", "dlx"]):
        done = run("solve", path, "-o", tmp_path / "out.csv", *options, *solver)
        assert done.exit_code == 2
        found = "no column 'typo'; choose one of x, y" if "typo" in options else "no column of puzzles among x, y"
        assert f"found {found}" in done.stderr
        assert not (tmp_path / "out.csv").exists()


def test_a_column_of_the_user_is_never_overwritten(tmp_path: Path) -> None:
    table = pa.table({"puzzle": [EASY.line], "answer": [b"42"], "Status": [{"draft": 1}], "solution": [[1, 2]]})
    pq.write_table(table, tmp_path / "in.parquet")
    for options in ([], ["-s", "dlx"]):
        source = tmp_path / "in.parquet"
        for _ in range(2):  # solving the answer again changes nothing
            assert run("solve", source, "-o", tmp_path / "out.parquet", *options).exit_code == 0
            found = pq.read_table(tmp_path / "out.parquet")
            assert found.select(table.column_names) == table
            answers = {"sudokulab_solution": [SOLVED], "sudokulab_status": ["solved"]}
            assert found.drop_columns(table.column_names).to_pydict() == answers
            source = (tmp_path / "out.parquet").rename(tmp_path / "again.parquet")


@for_each("kind", ["csv", "jsonl", "parquet"])
def test_a_stated_solution_that_is_no_grid_is_a_remark_except_for_check(tmp_path: Path, kind: str) -> None:
    frame = pl.DataFrame({"puzzle": [EASY.line], "answer": ["see page 7"]})
    path = tmp_path / f"in.{kind}"
    write_frame(frame, path)
    assert run("solve", path).stdout == f"{SOLVED}\n"
    assert run("solve", path, "-s", "dlx").stdout == f"{SOLVED}\n"
    assert run("convert", path).stdout == f"{EASY.line} # solution=see page 7\n"
    done = run("check", path)
    assert done.exit_code == 2
    assert "found 10 cells" in done.stderr


@for_each("kind", ["csv", "jsonl", "parquet"])
def test_json_has_the_id_of_a_table_that_has_names_too(tmp_path: Path, kind: str) -> None:
    frame = pl.DataFrame({"name": ["A title"], "id": ["x7"], "quizzes": [EASY.line]})
    path = tmp_path / f"in.{kind}"
    write_frame(frame, path)
    for command in (["solve"], ["solve", "-s", "dlx"], ["check"], ["rate"]):
        assert json.loads(run(*command, path, "--json").stdout)["id"] == "x7"
    assert run("convert", path).stdout == f"{EASY.line} x7 # name=A title\n"


@for_each(
    ("members", "expected"),
    [
        ('"ID": 99', "99"),
        ('"id": true', "true"),
        ('"id": {"a": [1, "é"]}', '{"a": [1, "é"]}'),
        ('"id": 12345678901234567890123', "12345678901234567890123"),
        ('"id": 0', "0"),
        ('"id": null, "Name": "n"', "n"),
        ('"id": "", "name": 1.50', "1.5"),
    ],
)
def test_ids_in_json_lines_may_be_any_values(tmp_path: Path, members: str, expected: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(f'{{"puzzle": "{EASY.line}", {members}}}\n', encoding="utf-8")
    assert json.loads(run("solve", path, "--json").stdout)["id"] == expected


def test_a_json_list_of_objects_is_told_apart_from_a_grid(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(f'[{{"puzzle": "{EASY.line}"}}]\n')
    done = run("solve", tmp_path / "in.json")
    assert done.exit_code == 2
    assert "in.json:1:1: found a list of objects; write one object per line" in done.stderr


def test_traces_and_tables_are_written_together(tmp_path: Path) -> None:
    done = run("solve", EASY.line, "-s", "tabu", "--trace", tmp_path / "t.csv", "-o", tmp_path / "t.parquet")
    assert done.exit_code in (0, 1)
    assert pq.read_table(tmp_path / "t.parquet")["puzzle"].to_pylist() == [EASY.line]
    assert (tmp_path / "t.csv").read_text().startswith("iteration")


@for_each("target", ["f.parquet", "f.csv", "f.txt"])
def test_fields_are_refused_without_json_and_when_repeated(tmp_path: Path, target: str) -> None:
    done = run("solve", EASY.line, "-o", tmp_path / target, "--fields", "id,status")
    assert done.exit_code == 2
    assert "--fields chooses the fields of JSON lines; add --json, or -o with the extension .jsonl" in done.stderr
    for command in ("solve", "check", "rate"):
        done = run(command, EASY.line, "--json", "--fields", "id,status,id")
        assert (done.exit_code, done.stderr) == (2, "--fields: 'id' is repeated; name each field once\n")


def test_solved_csv_is_read_by_the_documented_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = {"007": EASY.line, "8": EASY.line.replace(".", "0"), "9": "0" + TINY.line.replace(".", "0")[1:]}
    Path("in.csv").write_text("".join(f"{id},{puzzle}\n" for id, puzzle in {"id": "puzzle", **rows}.items()))
    assert run("solve", "in.csv", "-o", "solved.csv").exit_code == 0
    calls = re.findall(r">>> ((?:polars|pandas)\.read_\S+\(.*?\))  ", PAGE.read_text(encoding="utf-8"))
    assert len(calls) == 2
    for call in calls:
        found = eval(call, {"polars": pl, "pandas": pd})
        assert dict(zip(found["id"], found["puzzle"], strict=True)) == rows
        assert found["solution"][0] == SOLVED


@for_each("extension", WRITERS)
@for_each("options", [[], ["-s", "dlx"]])
def test_rows_without_a_puzzle_keep_their_places(tmp_path: Path, extension: str, options: list[str]) -> None:
    table = pa.table({"puzzle": [EASY.line, None, "", TINY.line]})
    source = tmp_path / f"in{extension}"
    WRITERS[extension](table, source)
    for target in (f"out{extension}", "out.csv"):
        done = run("solve", source, "-o", tmp_path / target, "--keep-going", *options)
        assert [line.partition(";")[0] for line in done.stderr.splitlines()] == [
            f"{source}:2:1: the puzzle is empty",
            f"{source}:3:1: the puzzle is empty",
            "2 errors in the input",
        ]
    statuses = ["solved", "unreadable", "unreadable", "solved"]
    assert READERS[extension](tmp_path / f"out{extension}")["status"].to_pylist() == statuses
    assert pl.read_csv(tmp_path / "out.csv", infer_schema=False)["status"].to_list() == statuses


@for_each("options", [[], ["-s", "dlx"]])
def test_tables_and_texts_with_the_same_columns_are_solved_together(tmp_path: Path, options: list[str]) -> None:
    pq.write_table(pa.table({"id": ["1", "2"], "puzzle": [EASY.line, TINY.line]}), tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_text(f"id,puzzle\n3,{EASY.line}\n4,bad\n5,{TINY.line}\n")
    for names in (["a.parquet", "b.csv"], ["b.csv", "a.parquet"]):
        sources = [tmp_path / name for name in names]
        ids = ["1", "2", "3", "4", "5"] if names[0] == "a.parquet" else ["3", "4", "5", "1", "2"]
        statuses = ["unreadable" if id == "4" else "solved" for id in ids]
        run("solve", *sources, "-o", tmp_path / "out.parquet", "--keep-going", *options)
        found = pq.read_table(tmp_path / "out.parquet")
        assert (found["id"].to_pylist(), found["status"].to_pylist()) == (ids, statuses)
        records = run("solve", *sources, "--json", "--keep-going", "--fields", "row,id,status", *options).stdout
        expected = [[row, id, status] for row, (id, status) in enumerate(zip(ids, statuses, strict=True), start=1)]
        assert [[*json.loads(line).values()] for line in records.splitlines()] == expected
