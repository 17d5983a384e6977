"""Data sets are read block by block, whatever their layout, and faults name the file and the row."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sudokulab import BoxShape, generate, random_grid
from sudokulab.datasets import DatasetError
from sudokulab.datasets.sources.files import find_sources, read_blocks
from tests.cases import for_each
from tests.datasets.sets import BAD, LAYOUTS, Row, sound_rows, write_csv, write_npz, write_parquet

ROWS = sound_rows(20)


def written(folder: Path, layout: str, rows: list[Row] = ROWS) -> Path:
    extension, write = LAYOUTS[layout]
    path = folder / f"set{extension}"
    write(path, rows)
    return path


def texts_of(path: Path, num_rows: int = 1000) -> list[Row]:
    """Return the rows of a file as texts, decoded cell by cell."""
    found: list[Row] = []
    for block in read_blocks(path, num_rows=num_rows):
        assert block.first_row == len(found) + 1
        assert block.solutions is not None
        for puzzle, solution in zip(block.puzzles.tolist(), block.solutions.tolist(), strict=True):
            found.append(tuple("".join(".123456789"[digit] for digit in grid) for grid in (puzzle, solution)))  # type: ignore[arg-type]
    return found


@for_each("num_rows", [1, 7, 1000])
@for_each("layout", LAYOUTS)
def test_every_layout_gives_the_same_rows_in_blocks_of_any_size(layout: str, num_rows: int, tmp_path: Path) -> None:
    assert texts_of(written(tmp_path, layout), num_rows) == ROWS


@for_each("layout", LAYOUTS)
def test_an_unreadable_row_is_a_problem_of_its_row(layout: str, tmp_path: Path) -> None:
    rows = [*ROWS[:5], (BAD + ROWS[5][0][1:], ROWS[5][1]), *ROWS[6:]]
    problems: dict[int, str] = {}
    for block in read_blocks(written(tmp_path, layout, rows), num_rows=4):
        problems |= {block.first_row + index: problem for index, problem in block.problems.items()}
        assert not block.puzzles[list(block.problems)].any()
    assert list(problems) == [6]
    assert "; use" in problems[6]


def test_columns_of_ratings_and_splits_are_read(tmp_path: Path) -> None:
    write_csv(tmp_path / "set.csv", ROWS[:3], "split,puzzle,rating,solution", "val,{0},2.5,{1}")
    (block,) = read_blocks(tmp_path / "set.csv")
    assert (block.ratings is not None, block.splits is not None) == (True, True)
    assert list(block.ratings) == [2.5] * 3  # type: ignore[arg-type]
    assert list(block.splits) == ["val"] * 3  # type: ignore[arg-type]


def test_a_rating_that_is_no_number_is_missing(tmp_path: Path) -> None:
    table = {"puzzle": [puzzle for puzzle, _ in ROWS[:3]], "rating": ["1", "", "hard"]}
    pq.write_table(pa.table(table), tmp_path / "set.parquet")
    (block,) = read_blocks(tmp_path / "set.parquet")
    assert block.solutions is None
    np.testing.assert_array_equal(block.ratings, [1, np.nan, np.nan])


@for_each("box", ["2x2", "2x3", "3x2", "4x4", "5x5"])
@for_each("extension", [".csv", ".parquet"])
def test_grids_of_any_shape_are_read(box: str, extension: str, tmp_path: Path) -> None:
    grids = [random_grid(BoxShape.parse(box), seed=seed) for seed in range(3)]
    columns = {"puzzle": [grid.line for grid in grids], "box": [box] * 3}
    path = tmp_path / f"set{extension}"
    if extension == ".csv":
        lines = [",".join(row) for row in zip(*columns.values(), strict=True)]
        path.write_text("\n".join(["puzzle,box", *lines]))
    else:
        pq.write_table(pa.table(columns), path)
    (block,) = read_blocks(path)
    assert str(block.box) == box
    assert [bytes(row) for row in block.puzzles] == [grid.cells for grid in grids]


@for_each("layout", ["parquet", "csv", "lines", "npz-text"])
def test_mixed_sizes_name_the_row(layout: str, tmp_path: Path) -> None:
    path = written(tmp_path, layout, [*ROWS[:6], ("1.....3..4.....2", "1324423124133142"), *ROWS[6:]])
    with pytest.raises(DatasetError, match=r"set\..*: row 7: .*one file holds grids of one shape"):
        list(read_blocks(path, num_rows=4))


def test_arrays_of_puzzles_and_solutions_of_different_sizes_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", puzzles=np.zeros((2, 81), int), solutions=np.zeros((2, 16), int))
    with pytest.raises(DatasetError, match=r"solutions with 16 cells after grids of 81"):
        list(read_blocks(tmp_path / "set.npz"))


def test_mixed_box_shapes_name_the_row(tmp_path: Path) -> None:
    puzzles = [random_grid((2, 3), seed=1).line] * 3
    pq.write_table(pa.table({"puzzle": puzzles, "box": ["2x3", "2x3", "3x2"]}), tmp_path / "set.parquet")
    with pytest.raises(DatasetError, match=r"row 3: boxes of 3x2, after boxes of 2x3"):
        list(read_blocks(tmp_path / "set.parquet"))


@for_each(
    ("name", "write"),
    [
        ("set.csv", lambda path: write_csv(path, ROWS, "quiz-text,key")),
        ("set.parquet", lambda path: write_parquet(path, ROWS, "text", "key")),
        ("set.npz", lambda path: write_npz(path, ROWS, ("x", "y"))),
    ],
)
def test_a_missing_column_names_those_there_are(name: str, write: object, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path)  # type: ignore[operator]
    if name == "set.csv":  # without a grid, the content does not show the columns either
        path.write_text("quiz-text,key\nabc,def\n")
    with pytest.raises(DatasetError, match=r"set\.\w+: no column of puzzles among '.*use puzzle and solution"):
        list(read_blocks(path))


@for_each("layout", ["parquet", "npz", "npz-text", "csv-kaggle"])
@for_each("share", [0.02, 0.5, 0.95])
def test_a_truncated_file_is_named(layout: str, share: float, tmp_path: Path) -> None:
    path = written(tmp_path, layout)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(DatasetError, match=r"set\.[\w.]+: (corrupt|damaged|no ).*again|no rows"):
        list(read_blocks(path))


def test_an_npz_file_with_a_flipped_byte_is_read_or_named(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    write_npz(path, ROWS[:2])
    data = path.read_bytes()
    messages = []
    for place in range(0, len(data), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            list(read_blocks(path))
        except DatasetError as error:
            messages.append(str(error))
    assert len(messages) > len(data) // 6
    assert all("set.npz" in message for message in messages)


def test_an_npz_file_that_is_packed_in_another_way_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.npz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("puzzles", b"")
    with pytest.raises(DatasetError, match=r"set\.npz: .*no item named 'puzzles\.npy'"):
        list(read_blocks(path))
    np.savez(path, puzzles=np.zeros((2, 81), np.uint8))
    plain = path.read_bytes()
    local, central = plain.index(b"PK\x03\x04"), plain.index(b"PK\x01\x02")
    for offset, value, problem in ((6, 1, "encrypted"), (8, 99, "compression method is not supported")):
        data = bytearray(plain)
        data[local + offset] = data[central + offset + 2] = value
        path.write_bytes(data)
        with pytest.raises(DatasetError, match=rf"set\.npz: .*{problem}"):
            list(read_blocks(path))


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    column = pa.array([puzzle for puzzle, _ in ROWS])
    pq.write_table(pa.Table.from_arrays([column, column], ["puzzle", "puzzle"]), tmp_path / "set.parquet")
    with pytest.raises(DatasetError, match=r"set\.parquet: two columns 'puzzle'; rename or remove one"):
        list(read_blocks(tmp_path / "set.parquet"))


@for_each("kind", [pa.dictionary(pa.int32(), pa.string()), pa.string_view(), pa.large_string()], ids=str)
def test_text_of_any_type_is_read(kind: pa.DataType, tmp_path: Path) -> None:
    names = ("puzzle", "solution", "split")
    rows = [(*row, "val") for row in ROWS]
    columns = {name: pa.array(some).cast(kind) for name, some in zip(names, zip(*rows, strict=True), strict=True)}
    pq.write_table(pa.table(columns), tmp_path / "set.parquet")
    assert pq.ParquetFile(tmp_path / "set.parquet").schema_arrow.field("puzzle").type == kind
    assert texts_of(tmp_path / "set.parquet") == ROWS
    (block,) = read_blocks(tmp_path / "set.parquet")
    assert set(block.splits) == {"val"}  # type: ignore[arg-type]


@pytest.mark.parametrize("box", ["2x3", "3x2"])
def test_the_array_box_of_an_npz_file_is_its_box_shape(box: str, tmp_path: Path) -> None:
    shape = BoxShape.parse(box)
    cells = np.frombuffer(random_grid(shape, seed=1).cells, np.uint8).reshape(1, 36)
    np.savez(tmp_path / "set.npz", puzzles=cells, box=np.array(shape, np.uint8))
    (block,) = read_blocks(tmp_path / "set.npz")
    assert str(block.box) == box


@for_each("box", [[3], [3, 2, 3], [1, 6], ["3x2", "3x2"], [[3, 2], [3, 2]]])
def test_an_array_box_that_is_no_box_shape_is_refused(box: object, tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", puzzles=np.zeros((1, 36), np.uint8), box=np.array(box))
    with pytest.raises(DatasetError, match=r"array 'box': .*use the rows and columns of a box"):
        list(read_blocks(tmp_path / "set.npz"))


def test_an_array_in_fortran_order_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "set.npz", puzzles=np.zeros((2, 81), np.uint8, order="F"))
    with pytest.raises(DatasetError, match=r"array 'puzzles' is in Fortran order; save it in C order"):
        list(read_blocks(tmp_path / "set.npz"))


def test_the_message_about_a_binary_csv_file_is_short(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_bytes(np.random.default_rng(1).bytes(20_000).replace(b"\n", b"") + b"\n")
    with pytest.raises(DatasetError) as caught:
        list(read_blocks(tmp_path / "set.csv"))
    message = str(caught.value).replace(str(tmp_path), "")
    assert len(message) < 1000
    assert message.isprintable()


def test_a_missing_split_has_no_name(tmp_path: Path) -> None:
    table = {"puzzle": [puzzle for puzzle, _ in ROWS[:2]], "split": ["train", None]}
    pq.write_table(pa.table(table), tmp_path / "set.parquet")
    (block,) = read_blocks(tmp_path / "set.parquet")
    assert list(block.splits) == ["train", ""]  # type: ignore[arg-type]


def test_a_corrupt_shard_tells_after_which_row(tmp_path: Path) -> None:
    path = tmp_path / "set.parquet"
    table = pa.table({"puzzle": [puzzle for puzzle, _ in ROWS]})
    pq.write_table(table, path, row_group_size=5, compression="zstd", use_dictionary=False, write_statistics=False)
    group = pq.ParquetFile(path).metadata.row_group(2).column(0)
    data = bytearray(path.read_bytes())
    start = group.data_page_offset
    data[start : start + group.total_compressed_size] = b"\xff" * group.total_compressed_size
    path.write_bytes(data)
    with pytest.raises(DatasetError, match="after row 10"):
        list(read_blocks(path, num_rows=5))


def test_a_truncated_csv_file_tells_after_which_row(tmp_path: Path) -> None:
    rows = sound_rows(40)
    path = tmp_path / "set.csv.gz"
    write_csv(path, rows)
    path.write_bytes(path.read_bytes()[:-1500])
    with pytest.raises(DatasetError, match=r"set\.csv\.gz: damaged or incomplete gzip file .*, after row \d+"):
        list(read_blocks(path, num_rows=1))


def test_files_without_rows_are_refused(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("puzzle,solution\n")
    (tmp_path / "set.txt").write_text("\n")
    for name in ("set.csv", "set.txt"):
        with pytest.raises(DatasetError, match="no rows"):
            list(read_blocks(tmp_path / name))


def test_a_file_that_is_no_data_set_shows_its_first_row(tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("puzzle,solution\nhello,world\n")
    with pytest.raises(DatasetError, match=r"row 1: 'hello' is not a puzzle"):
        list(read_blocks(tmp_path / "set.csv"))


def test_a_column_of_numbers_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"puzzle": [1, 2]}), tmp_path / "set.parquet")
    with pytest.raises(DatasetError, match="column 'puzzle' has type int64; use text"):
        list(read_blocks(tmp_path / "set.parquet"))
    np.savez(tmp_path / "set.npz", puzzles=np.zeros((2, 81)))
    with pytest.raises(DatasetError, match="type float64; use integers"):
        list(read_blocks(tmp_path / "set.npz"))


@for_each(
    ("name", "split"),
    [
        ("train.csv", "train"),
        ("sudoku_test.csv", "test"),
        ("data/val-00000-of-00002.parquet", "validation"),
        ("dev/part-0.csv", "validation"),
        ("latest.csv", "all"),
        ("test of strength/puzzles.csv", "all"),
        ("training/puzzles.csv.gz", "train"),
    ],
)
def test_names_show_the_split(name: str, split: str, tmp_path: Path) -> None:
    path = tmp_path / "sets" / name
    path.parent.mkdir(parents=True)
    path.touch()
    assert [source.split for source in find_sources(path)] == [split]


def test_a_folder_holds_all_its_tables(tmp_path: Path) -> None:
    for name in ("b/train.csv", "a/test.parquet", "notes.md", "c.npz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert [source.path.name for source in find_sources(tmp_path)] == ["test.parquet", "train.csv", "c.npz"]


def test_a_folder_holds_its_text_files_as_well(tmp_path: Path) -> None:
    write_csv(tmp_path / "train.csv", ROWS)
    (tmp_path / "test.txt").write_text("\n".join(puzzle for puzzle, _ in ROWS))
    assert [source.split for source in find_sources(tmp_path)] == ["test", "train"]


def test_an_unfinished_data_set_is_refused(tmp_path: Path) -> None:
    write_parquet(tmp_path / "part-00000.parquet", ROWS)
    (tmp_path / "recipe.json").write_text("{}")
    with pytest.raises(DatasetError, match="not a finished data set"):
        find_sources(tmp_path)


@for_each(
    ("data", "message"),
    [
        (5, "got int; pass files or folders"),
        (pa.table({"puzzle": ["."]}), "got Table; pass files or folders"),
        ([5], "got int; pass the name of a file or folder"),
        ({}, "no file to read"),
        ([], "no file to read"),
    ],
)
def test_anything_but_files_is_refused(data: Any, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        find_sources(data)


def test_the_folder_of_a_data_set_holds_its_splits(tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_text(json.dumps({"num_rows": 20, "recipe": {}}))
    (tmp_path / "leakage.json").write_text(json.dumps({"num_rows": {"train": 20, "test": 20}}))
    for part in ("all", "train", "test"):
        (tmp_path / part).mkdir()
        write_parquet(tmp_path / part / "part-00000.parquet", ROWS)
    assert [source.split for source in find_sources(tmp_path)] == ["train", "test"]


def test_missing_and_repeated_files_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "csv")
    for data, problem in (
        ([path, tmp_path / "." / "set.csv"], "given twice"),
        (tmp_path / "absent.csv", "no such file or folder"),
        ({"train": tmp_path / "absent"}, "no such file or folder"),
    ):
        with pytest.raises(DatasetError, match=problem):
            find_sources(data)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DatasetError, match="no data set"):
        find_sources(tmp_path / "empty")


def test_other_text_formats_are_read(tmp_path: Path) -> None:
    puzzles = list(generate(3, seed=4, progress=False))
    (tmp_path / "set.sdm").write_text("\n".join(puzzle.line for puzzle in puzzles))
    (tmp_path / "set.txt.gz").write_bytes(gzip.compress("\n".join(map(str, puzzles)).encode()))
    for name in ("set.sdm", "set.txt.gz"):
        (block,) = read_blocks(tmp_path / name)
        assert [bytes(row) for row in block.puzzles] == [puzzle.cells for puzzle in puzzles]
        assert block.solutions is None
