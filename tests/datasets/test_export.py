"""Every export holds exactly the rows of the data set, as other libraries read them, or is not written at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.csv
import pytest
from numpy.typing import NDArray

import sudokulab
from sudokulab import ParameterError
from sudokulab.cli import dataset_export
from sudokulab.datasets import DatasetError, export
from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.exports.card import COLUMNS
from sudokulab.datasets.exports.catalogue import FORMATS
from tests.cases import for_each
from tests.commands import run
from tests.datasets.shards import make_rows, write_dataset, write_shard
from tests.timing import PATIENCE_SECONDS, wait_until

Rows = list[dict[str, Any]]
PLAIN = ("csv", "kaggle-csv", "npz", "steps", "sudoku-extreme-csv")
"""Formats with one file per part."""


@pytest.fixture(scope="module", params=["4x4", "9x9"])
def split_set(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Rows]]:
    """A data set with splits, two shards of training puzzles, and its rows; the larger one is rated."""
    is_large = request.param == "9x9"
    rows = make_rows(12, 9 if is_large else 4, is_rated=is_large)
    parts = {"train": [rows[:5], rows[5:8]], "validation": [rows[8:10]], "test": [rows[10:]]}
    folder = write_dataset(tmp_path_factory.mktemp("sets") / "puzzles", parts)
    return folder, {part: [row for shard in shards for row in shard] for part, shards in parts.items()}


@pytest.fixture
def small_set(tmp_path: Path) -> Path:
    """A data set without splits."""
    return write_dataset(tmp_path / "puzzles", {"all": [make_rows(4), make_rows(3, seed=2)]})


def column(rows: Rows, name: str) -> list[Any]:
    return [row[name] for row in rows]


def digits(grids: list[str]) -> list[list[int]]:
    return [[".123456789ABCDEFG".index(symbol) for symbol in grid] for grid in grids]


def test_npz_files_hold_grids_and_numbers(split_set: tuple[Path, dict[str, Rows]], tmp_path: Path) -> None:
    folder, parts = split_set
    export(folder, "npz", tmp_path / "out")
    for part, rows in parts.items():
        with np.load(tmp_path / "out" / f"{part}.npz") as arrays:
            assert arrays["puzzles"].dtype == arrays["solutions"].dtype == np.uint8
            assert arrays["puzzles"].tolist() == digits(column(rows, "puzzle"))
            assert arrays["solutions"].tolist() == digits(column(rows, "solution"))
            assert "x".join(map(str, arrays["box"])) == rows[0]["box"]
            for name in ("num_givens", "is_unique", "is_minimal", "puzzle_class", "solution_class", "seed", "index"):
                assert arrays[name].tolist() == column(rows, name)
            missing = {"se": np.nan, "trial_depth": -1, "search_nodes": -1}
            for name, value in missing.items():
                expected = [value if stored is None else stored for stored in column(rows, name)]
                np.testing.assert_array_equal(arrays[name], expected)
            assert "level" not in arrays


def test_npz_files_hold_letters_as_digits(tmp_path: Path) -> None:
    row = make_rows(1)[0]
    grid = sudokulab.random_grid(16, seed=1)
    row |= {"box": "4x4", "solution": grid.line, "puzzle": "." * 16 + grid.line[16:], "puzzle_class": None}
    export(write_dataset(tmp_path / "large", {"all": [[row]]}), "npz", tmp_path / "out")
    with np.load(tmp_path / "out" / "all.npz") as arrays:
        assert arrays["solutions"].tolist() == digits([grid.line])
        assert arrays["puzzles"].tolist() == digits([row["puzzle"]])
        assert arrays["puzzle_class"].tolist() == [0]


def test_an_npz_file_has_the_same_bytes_every_time(small_set: Path, tmp_path: Path) -> None:
    first, second = (export(small_set, "npz", tmp_path / name) / "all.npz" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()


@for_each("library", ["pandas", "polars", "pyarrow"])
@for_each("to", ["csv", "kaggle-csv", "sudoku-extreme-csv"])
def test_csv_files_have_the_columns_of_public_sets(
    split_set: tuple[Path, dict[str, Rows]], tmp_path: Path, to: str, library: str
) -> None:
    folder, parts = split_set
    export(folder, to, tmp_path / "out")
    for part, rows in parts.items():
        puzzles, solutions = column(rows, "puzzle"), column(rows, "solution")
        ratings = ["" if nodes is None else str(nodes) for nodes in column(rows, "search_nodes")]
        expected = {
            "csv": {"puzzle": puzzles, "solution": solutions},
            "kaggle-csv": {"quizzes": [puzzle.replace(".", "0") for puzzle in puzzles], "solutions": solutions},
            "sudoku-extreme-csv": {
                "source": column(rows, "recipe"),
                "question": puzzles,
                "answer": solutions,
                "rating": ratings,
            },
        }
        assert read_csv(tmp_path / "out" / f"{part}.csv", library) == expected[to]


def read_csv(path: Path, library: str) -> dict[str, list[Any]]:
    """Read all columns as text; an empty field is an empty text."""
    if library == "pandas":
        frame: dict[str, list[Any]] = pd.read_csv(path, dtype=str, keep_default_na=False).to_dict(orient="list")
        return frame
    if library == "polars":
        return pl.read_csv(path, infer_schema=False).fill_null("").to_dict(as_series=False)
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    options = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string()))
    read: dict[str, list[Any]] = pyarrow.csv.read_csv(path, convert_options=options).to_pydict()
    return read


def examples_of(folder: Path) -> Iterator[tuple[NDArray[Any], NDArray[Any], int]]:
    """Yield input, label and identifier of every example, found through the groups and puzzles as trainers do."""
    names = ("inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices")
    arrays = {name: np.load(folder / f"all__{name}.npy", mmap_mode="r") for name in names}
    groups, puzzles = arrays["group_indices"], arrays["puzzle_indices"]
    for group in range(len(groups) - 1):
        for puzzle in range(groups[group], groups[group + 1]):
            for example in range(puzzles[puzzle], puzzles[puzzle + 1]):
                yield arrays["inputs"][example], arrays["labels"][example], int(arrays["puzzle_identifiers"][puzzle])


def test_the_folder_for_hrm_and_trm_holds_every_puzzle_once(
    split_set: tuple[Path, dict[str, Rows]], tmp_path: Path
) -> None:
    folder, parts = split_set
    out = export(folder, "hrm", tmp_path / "out")
    assert json.loads((out / "identifiers.json").read_text(encoding="utf-8")) == ["<blank>"]
    for part, rows in parts.items():
        metadata = json.loads((out / part / "dataset.json").read_text(encoding="utf-8"))
        size = round(len(rows[0]["puzzle"]) ** 0.5)
        assert (metadata["seq_len"], metadata["vocab_size"], metadata["sets"]) == (size**2, size + 2, ["all"])
        assert metadata["total_groups"] == metadata["total_puzzles"] == len(rows)
        assert metadata["mean_puzzle_examples"] == metadata["num_puzzle_identifiers"] == 1
        assert metadata["pad_id"] == metadata["ignore_label_id"] == metadata["blank_identifier_id"] == 0
        examples = list(examples_of(out / part))
        symbols = "_.123456789"
        inputs, labels, identifiers = zip(*examples, strict=True)
        assert ["".join(symbols[token] for token in tokens) for tokens in inputs] == column(rows, "puzzle")
        assert ["".join(symbols[token] for token in tokens) for tokens in labels] == column(rows, "solution")
        assert set(identifiers) == {0}


def test_the_folder_for_hrm_and_trm_needs_splits(small_set: Path, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"hrm needs the splits train and test; `sudokulab dataset split` makes"):
        export(small_set, "hrm", tmp_path / "out")


@for_each("techniques", [None, "singles"])
def test_steps_lead_from_the_puzzle_to_its_solution(
    split_set: tuple[Path, dict[str, Rows]], tmp_path: Path, techniques: str | None
) -> None:
    folder, parts = split_set
    export(folder, "steps", tmp_path / "out", techniques=techniques)
    for part, rows in parts.items():
        frame = pl.read_ndjson(tmp_path / "out" / f"{part}.jsonl")
        assert frame["puzzle"].to_list() == column(rows, "puzzle")
        assert frame["solution"].to_list() == column(rows, "solution")
        for line in (tmp_path / "out" / f"{part}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            size = round(len(record["puzzle"]) ** 0.5)
            cells = list(record["puzzle"])
            for step in record["steps"]:
                assert step["sentence"].endswith(".")
                for name, digit in step["eliminations"]:
                    assert record["solution"][index_of(name, size)] != str(digit)
                for name, digit in step["placements"]:
                    cells[index_of(name, size)] = str(digit)
            assert record["is_solved"] == ("".join(cells) == record["solution"])
            assert record["is_solved"] or techniques


def index_of(cell: str, size: int) -> int:
    row, col = cell[1:].split("c")
    return (int(row) - 1) * size + int(col) - 1


def test_steps_of_unsolved_puzzles_end_early(tmp_path: Path) -> None:
    rows = make_rows(1, 9)
    folder = write_dataset(tmp_path / "hard", {"all": [rows]})
    out = export(folder, "steps", tmp_path / "out", techniques="full-house")
    (record,) = map(json.loads, (out / "all.jsonl").read_text(encoding="utf-8").splitlines())
    assert (record["is_solved"], record["steps"]) == (False, [])


def test_datasets_reads_the_hugging_face_folder(
    split_set: tuple[Path, dict[str, Rows]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, parts = split_set
    out = export(folder, "huggingface", tmp_path / "out", license="cc-by-4.0")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    loaded = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert list(loaded) == list(parts)
    for part, rows in parts.items():
        assert loaded[part].to_list() == rows
        assert pd.read_parquet(out / "data").shape == (12, len(SCHEMA))
        assert pl.read_parquet(out / "data" / f"{part}-*.parquet").to_dicts() == rows
    assert sorted(path.name for path in (out / "data").glob("train*")) == [
        "train-00000-of-00002.parquet",
        "train-00001-of-00002.parquet",
    ]


def test_the_data_card_states_columns_statistics_recipe_and_license(
    split_set: tuple[Path, dict[str, Rows]], tmp_path: Path
) -> None:
    folder, parts = split_set
    out = export(folder, "huggingface", tmp_path / "out", license="cc-by-4.0")
    _, front, text = (out / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    metadata = pytest.importorskip("yaml").safe_load(front)
    assert (metadata["license"], metadata["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    assert [feature["name"] for feature in metadata["dataset_info"]["features"]] == SCHEMA.names
    assert [file["split"] for file in metadata["configs"][0]["data_files"]] == list(parts)
    assert all(f"| {part} | {len(rows)} |" in text for part, rows in parts.items())
    assert list(COLUMNS) == SCHEMA.names
    assert all(f"| `{name}` |" in text for name in COLUMNS)
    assert '"recipe": {' in text
    givens = column(parts["train"], "num_givens")
    line = f"| train | `num_givens` | 8 | {min(givens)} | {sum(givens) / 8:.4g} | {max(givens)} |"
    assert line in text
    is_rated = parts["train"][0]["se"] is not None
    assert ("| train | `se` | 8 | 1.5 | 2 | 2.5 |" in text) == is_rated
    assert ("| split | easy | hard |" in text) == is_rated


def test_a_data_set_without_splits_becomes_training_data_on_the_hub(small_set: Path, tmp_path: Path) -> None:
    out = export(small_set, "huggingface", tmp_path / "out")
    assert min(os.listdir(out / "data")) == "train-00000-of-00002.parquet"
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "license:" not in card
    assert "The author has not chosen a license yet." in card


@pytest.mark.parametrize("to", PLAIN)
def test_a_data_set_without_splits_becomes_one_file(small_set: Path, tmp_path: Path, to: str) -> None:
    out = export(small_set, to, tmp_path / "out")
    manifest = json.loads((out / "export.json").read_text(encoding="utf-8"))
    assert manifest == {"format": to, "dataset": {"recipe": {"size": 4}, "num_rows": 7}}
    assert [path.stem for path in sorted(out.iterdir())] == ["all", "export"]


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "wrong solution": ({"solution": "1234341221434321"}, "the solution does not solve the puzzle"),
    "short puzzle": ({"puzzle": "1..."}, "puzzle with 4 symbols; use 16"),
    "unknown symbol": ({"puzzle": "x" * 16}, "puzzle 'xxxxxxxxxxxxxxxx' is not a grid of size 4"),
    "digit too large": ({"solution": "5" * 16}, "solution '5555555555555555' is not a grid of size 4"),
    "blank in the solution": ({"solution": "." * 16}, "the solution does not solve the puzzle"),
    "mixed sizes": ({"box": "3x3", "puzzle": "." * 81}, "boxes of 3x3; use 2x2 in all rows"),
    "characters of several bytes": ({"puzzle": "é" * 8}, "puzzle 'éééééééé' is not a grid of size 4"),
}


@for_each("defect", WRONG)
def test_a_defective_row_is_named_and_nothing_is_written(tmp_path: Path, defect: str) -> None:
    change, problem = WRONG[defect]
    rows = make_rows(6)
    folder = write_dataset(
        tmp_path / "puzzles", {"all": [make_rows(3, seed=2), [*rows[:4], rows[4] | change, rows[5]]]}
    )
    with pytest.raises(DatasetError) as failure:
        export(folder, "npz", tmp_path / "out")
    assert str(failure.value) == f"{folder}/all/part-00001.parquet: row 5: {problem}; make the data set again"
    assert os.listdir(tmp_path) == ["puzzles"]


def test_rows_of_long_shards_keep_their_order_and_numbers(tmp_path: Path) -> None:
    rows = make_rows(10) * 500
    folder = write_dataset(tmp_path / "puzzles", {"all": [rows]})
    with np.load(export(folder, "npz", tmp_path / "out") / "all.npz") as arrays:
        assert arrays["puzzles"].tolist() == digits(column(rows, "puzzle"))
    rows[4999] = rows[4999] | {"puzzle": "1..."}
    write_shard(folder / "all" / "part-00000.parquet", rows)
    with pytest.raises(DatasetError, match="row 5,000: puzzle with 4 symbols"):
        export(folder, "npz", tmp_path / "again")


@pytest.mark.parametrize("to", sorted(set(FORMATS) - {"hrm"}))
def test_a_truncated_shard_is_named_and_nothing_is_written(small_set: Path, tmp_path: Path, to: str) -> None:
    shard = small_set / "all" / "part-00001.parquet"
    shard.write_bytes(shard.read_bytes()[:-100])
    with pytest.raises(DatasetError, match=r"part-00001\.parquet: corrupt shard"):
        export(small_set, to, tmp_path / "out")
    assert os.listdir(tmp_path) == ["puzzles"]


def test_a_data_set_without_rows_is_refused(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path / "empty", {"all": [[]]})
    with pytest.raises(DatasetError, match="the data set has no rows"):
        export(folder, "csv", tmp_path / "out")


def test_an_export_is_replaced_only_if_asked_to(small_set: Path, tmp_path: Path) -> None:
    out = export(small_set, "csv")
    assert out == tmp_path / "puzzles-csv"
    (out / "old.txt").touch()
    with pytest.raises(DatasetError, match=r"already exists; --force \(force=True\) replaces it"):
        export(small_set, "csv")
    assert export(small_set, "csv", force=True) == out
    assert sorted(os.listdir(out)) == ["all.csv", "export.json"]
    assert sorted(os.listdir(tmp_path)) == ["puzzles", "puzzles-csv"]


@pytest.mark.parametrize("target", ["puzzles", "notes", "file.txt"])
def test_other_files_are_never_replaced(small_set: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").touch()
    (tmp_path / "file.txt").touch()
    with pytest.raises(DatasetError, match="already exists and is not an export; choose another output"):
        export(small_set, "csv", tmp_path / target, force=True)


def test_a_failed_export_keeps_the_earlier_one(small_set: Path, tmp_path: Path) -> None:
    out = export(small_set, "csv", tmp_path / "out")
    before = (out / "all.csv").read_bytes()
    write_shard(small_set / "all" / "part-00002.parquet", [make_rows(1)[0] | {"solution": "1" * 16}])
    with pytest.raises(DatasetError):
        export(small_set, "csv", out, force=True)
    assert (out / "all.csv").read_bytes() == before


def test_options_belong_to_formats(small_set: Path) -> None:
    with pytest.raises(ParameterError, match="license: applies only to the format huggingface"):
        export(small_set, "csv", license="mit")
    with pytest.raises(ParameterError, match="techniques: applies only to the format steps"):
        export(small_set, "npz", techniques="singles")
    with pytest.raises(ParameterError, match="unknown format 'npy'; did you mean 'npz'"):
        export(small_set, "npy")


def test_the_command_exports_and_names_the_folder(small_set: Path, tmp_path: Path) -> None:
    done = run("dataset", "export", small_set, "--to", "steps", "--techniques", "singles", "-o", tmp_path / "out")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"{tmp_path / 'out'}: written\n")
    assert len((tmp_path / "out" / "all.jsonl").read_text(encoding="utf-8").splitlines()) == 7


def test_the_command_explains_what_is_wrong(tmp_path: Path) -> None:
    done = run("dataset", "export", tmp_path, "--to", "npz")
    expected = f"{tmp_path}: not a finished data set; `sudokulab dataset make` makes one, or completes it\n"
    assert (done.returncode, done.stderr) == (2, expected)


def test_the_command_lists_all_formats() -> None:
    assert list(dataset_export.FORMATS) == list(FORMATS)


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_an_interrupted_export_leaves_nothing_behind(tmp_path: Path) -> None:
    write_dataset(tmp_path / "puzzles", {"all": [make_rows(3, 9) * 2000]})
    command = [sys.executable, "-m", "sudokulab", "dataset", "export", "puzzles", "--to", "steps", "-o", "out"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        wait_until(lambda: len(os.listdir(tmp_path)) > 1 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) != 0
    assert os.listdir(tmp_path) == ["puzzles"]


@pytest.mark.skipif(os.name != "posix", reason="needs locks of folders")
def test_the_next_export_removes_what_a_killed_one_left(small_set: Path, tmp_path: Path) -> None:
    leftover = tmp_path / ".out.sudokulab-part"
    leftover.mkdir()
    (leftover / "all.csv").write_text("half", encoding="utf-8")
    export(small_set, "csv", tmp_path / "out")
    assert sorted(os.listdir(tmp_path)) == ["out", "puzzles"]


@pytest.mark.thorough
def test_large_exports_take_little_memory(tmp_path: Path) -> None:
    rows = make_rows(100, 9) * 500
    write_dataset(tmp_path / "puzzles", {"all": [rows] * 20})
    program = (
        "import resource, sys; from sudokulab.datasets import export\n"
        "export('puzzles', sys.argv[1])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    for to in ("npz", "csv", "huggingface"):
        peak = subprocess.check_output([sys.executable, "-c", program, to], cwd=tmp_path)
        assert int(peak) < 600_000, to  # kilobytes


@for_each("to", list(FORMATS))
def test_puzzles_with_several_solutions_are_exported(to: str, tmp_path: Path) -> None:
    rows = [row | {"is_unique": None, "is_minimal": None} for row in make_rows(3)]
    folder = write_dataset(tmp_path / "set", {"train": [rows[:2]], "test": [rows[2:]]})
    assert export(folder, to).is_dir()
