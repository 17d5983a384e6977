"""A recipe determines every byte of a data set, however and in however many steps it is made."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import sudokulab
from sudokulab.datasets import DatasetError, Recipe, load_recipe, make, open_dataset
from tests.cases import for_each
from tests.commands import run
from tests.lab.test_cluster import address_of, end, start_scheduler, worker
from tests.timing import wait_until

MIXED = {
    "seed": 7,
    "shard_size": 30,
    "ratings": ["se", "technique", "rules", "trial", "search"],
    "parts": [
        {"count": 20, "size": 4},
        {"count": 50, "size": 4, "minimal": True},
        {"count": 11, "size": 4, "balance": {"givens": [5, 6, 7]}},
    ],
}
NINES = {"seed": 1, "shard_size": 400, "parts": [{"count": 2000, "minimal": True}]}


def is_full_and_valid(solution: str, rows: int, cols: int) -> bool:
    """Judge a grid without the package."""
    size = rows * cols
    grid = [solution[size * row : size * (row + 1)] for row in range(size)]
    lines = [*grid, *("".join(row[col] for row in grid) for col in range(size))]
    boxes = [
        "".join(grid[top + row][left + col] for row in range(rows) for col in range(cols))
        for top in range(0, size, rows)
        for left in range(0, size, cols)
    ]
    return all(len(set(unit)) == size and "." not in unit for unit in lines + boxes)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "all").iterdir())}


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "mixed"
    make(Recipe.model_validate(MIXED), folder)
    return folder


@pytest.fixture(scope="module")
def table(mixed: Path) -> pl.DataFrame:
    return pl.read_parquet(mixed / "all" / "*.parquet")


def test_a_data_set_has_the_rows_of_its_recipe(table: pl.DataFrame) -> None:
    assert len(table) == 81
    assert table["num_givens"][70:].value_counts(sort=True).sort("num_givens").rows() == [(5, 4), (6, 4), (7, 3)]
    assert table["box"].unique().to_list() == ["2x2"]
    assert table["recipe"].unique().to_list() == [Recipe.model_validate(MIXED).hash]
    assert table["version"].unique().to_list() == [sudokulab.__version__]


def test_every_row_is_right(table: pl.DataFrame) -> None:
    for row in table.iter_rows(named=True):
        puzzle, solution = row["puzzle"], row["solution"]
        assert is_full_and_valid(solution, 2, 2)
        assert all(given in (".", digit) for given, digit in zip(puzzle, solution, strict=True))
        assert sudokulab.solvers.Dlx().count(puzzle, 2) == 1
        assert row["num_givens"] == sum(symbol != "." for symbol in puzzle)
        fewer = [puzzle[:cell] + "." + puzzle[cell + 1 :] for cell, symbol in enumerate(puzzle) if symbol != "."]
        assert row["is_minimal"] == all(sudokulab.solvers.Dlx().count(text, 2) > 1 for text in fewer)
        assert row["puzzle_class"] == sudokulab.class_hash(puzzle)
        assert row["solution_class"] == sudokulab.class_hash(solution)


def test_ratings_are_those_of_single_puzzles(table: pl.DataFrame) -> None:
    for row in table.head(5).iter_rows(named=True):
        puzzle = row["puzzle"]
        explanation = sudokulab.explain(puzzle)
        hardest = max(explanation.steps, key=lambda step: sudokulab.logic.TECHNIQUES.index(step.technique))
        assert row["hardest_technique"] == hardest.technique.name
        assert row["se"] == pytest.approx(sudokulab.rate(puzzle, scale="se").er)
        assert row["level"] == sudokulab.rate(puzzle).level.value  # type: ignore[union-attr]
        assert row["trial_depth"] == sudokulab.rate(puzzle, scale="trial").depth
        assert row["search_nodes"] == sudokulab.solvers.Backtracking().solve(puzzle).stats["nodes"]


def test_seed_and_index_regenerate_a_puzzle(table: pl.DataFrame) -> None:
    row = table.row(45, named=True)
    (puzzle,) = sudokulab.generate(1, box=4, minimal=True, seed=row["seed"], first=row["index"])
    assert puzzle.line == row["puzzle"]


def test_threads_do_not_change_a_byte(mixed: Path, tmp_path: Path) -> None:
    make(Recipe.model_validate(MIXED), tmp_path / "again", threads=1)
    assert contents(tmp_path / "again") == contents(mixed)


def test_missing_shards_are_made_again(mixed: Path, tmp_path: Path) -> None:
    whole = contents(mixed)
    make(Recipe.model_validate(MIXED), tmp_path / "again")
    (tmp_path / "again" / "all" / "part-00001.parquet").unlink()
    make(Recipe.model_validate(MIXED), tmp_path / "again")
    assert contents(tmp_path / "again") == whole


def test_only_our_own_hidden_files_are_removed(mixed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again" / "all"
    make(Recipe.model_validate(MIXED), folder.parent)
    leftover = folder / ".part-00001.parquet.0123abcd.sudokulab-part"
    leftover.touch()
    (folder / ".gitignore").write_text("*.csv\n")
    (folder / ".nfs0001").touch()
    (folder / ".git").mkdir()
    make(Recipe.model_validate(MIXED), folder.parent)
    hidden = sorted(path.name for path in folder.glob(".*"))
    assert hidden == [".git", ".gitignore", ".nfs0001"]
    assert open_dataset(folder.parent).num_rows["all"] == 81


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text("seed = 1\nshard_size = 400\n[[parts]]\ncount = 2000\nminimal = true\n")
    return path


@pytest.mark.slow
def test_a_killed_job_resumes_without_duplicates_or_gaps(recipe: Path, tmp_path: Path) -> None:
    make(recipe, tmp_path / "whole")
    command = [sys.executable, "-m", "sudokulab", "dataset", "make", str(recipe), "-o", str(tmp_path / "killed")]
    process = subprocess.Popen([*command, "--threads", "1"], stderr=subprocess.PIPE)
    wait_until((tmp_path / "killed" / "all" / "part-00000.parquet").exists)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with pytest.raises(DatasetError, match="not a finished data set"):
        open_dataset(tmp_path / "killed")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


@pytest.fixture
def cluster() -> Iterator[str]:
    scheduler = start_scheduler()
    address = address_of(scheduler)
    workers = [worker(address), worker(address)]
    yield address
    for process in (*workers, scheduler):
        end(process)


@pytest.mark.slow
def test_a_cluster_makes_the_same_bytes(cluster: str, recipe: Path, tmp_path: Path) -> None:
    make(recipe, tmp_path / "here")
    make(recipe, tmp_path / "there", dask=cluster)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_large_grids_by_fraction(tmp_path: Path) -> None:
    recipe = Recipe.model_validate({"parts": [{"count": 3, "size": 25, "fixed": 0.6}]})
    make(recipe, tmp_path / "large")
    table = pl.read_parquet(tmp_path / "large" / "all" / "*.parquet")
    assert all(is_full_and_valid(solution, 5, 5) for solution in table["solution"])
    assert table["num_givens"].to_list() == [375] * 3
    assert table["is_unique"].to_list() == table["puzzle_class"].to_list() == [None] * 3


@for_each(
    ("text", "message"),
    [
        ("seed = ", "invalid TOML"),
        ("", "parts: missing"),
        ("parts = []", "parts: "),
        ("[[parts]]\nminimal = true", "count: missing"),
        ("[[parts]]\ncount = 0", "count: 0"),
        ("[[parts]]\ncount = 5\ncolour = 'red'", "unknown field 'colour'"),
        ("[[parts]]\ncount = 5\nlevel = 'esay'", "level"),
        ("[[parts]]\ncount = 5\ngivens = 16", "givens: 16; choose 17 to 81"),
        ("[[parts]]\ncount = 5\nbalance = { level = ['easy'], givens = [30] }", "balance: give one field"),
        ("[[parts]]\ncount = 5\nlevel = 'easy'\nbalance = { level = ['hard'] }", "level: given twice"),
        ("[[parts]]\ncount = 5\n[[parts]]\ncount = 5\nsize = 4", "parts with 2x2 and 3x3 boxes"),
        ("ratings = ['hardness']\n[[parts]]\ncount = 5", "ratings"),
        ("ratings = ['se']\n[[parts]]\ncount = 5\nsize = 36\nfixed = 0.5", "ratings: se works up to size 25"),
        ("sed = 5\n[[parts]]\ncount = 5", "unknown field 'sed'; did you mean 'seed'?"),
        ("[[parts]]\ncount = 4\nbalance = { seed = [1, 1] }", "two of them make the same puzzles"),
    ],
)
def test_a_bad_recipe_is_refused_before_anything_is_written(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(text)
    with pytest.raises(DatasetError) as caught:
        make(path, tmp_path / "out")
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_another_recipe_is_refused(mixed: Path) -> None:
    with pytest.raises(DatasetError, match="made by another recipe"):
        make(Recipe.model_validate({**MIXED, "seed": 8}), mixed)


def test_a_folder_with_other_contents_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(DatasetError, match="has other contents"):
        make(Recipe.model_validate(MIXED), tmp_path)
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_a_start_that_was_interrupted_is_resumed(tmp_path: Path) -> None:
    (tmp_path / "set" / "all").mkdir(parents=True)
    made = make(Recipe.model_validate({"parts": [{"count": 3, "size": 4}]}), tmp_path / "set")
    assert made.num_rows == {"all": 3}


def test_a_missing_shard_is_noticed(tmp_path: Path) -> None:
    recipe = Recipe.model_validate({"shard_size": 5, "parts": [{"count": 10, "size": 4}]})
    made = make(recipe, tmp_path / "set")
    made.shards["all"][1].unlink()
    with pytest.raises(DatasetError, match="all: 5 of 10 rows; make the data set again"):
        open_dataset(tmp_path / "set")
    assert make(recipe, tmp_path / "set").num_rows == {"all": 10}


@for_each("text", ["{}", "[]", "nonsense", '{"num_rows": 3}'])
def test_a_foreign_description_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "dataset.json").write_text(text)
    with pytest.raises(DatasetError, match=r"dataset\.json"):
        open_dataset(tmp_path)


def test_a_corrupt_shard_is_named(tmp_path: Path) -> None:
    recipe = Recipe.model_validate({"shard_size": 5, "parts": [{"count": 10, "size": 4}]})
    made = make(recipe, tmp_path / "set")
    broken = made.shards["all"][1]
    broken.write_bytes(broken.read_bytes()[:-20])
    with pytest.raises(DatasetError, match=r"part-00001\.parquet: corrupt shard"):
        make(recipe, tmp_path / "set")
    with pytest.raises(DatasetError, match=r"part-00001\.parquet: corrupt shard"):
        list(made.tables("all"))


def test_a_puzzle_that_is_not_found_ends_with_its_seed_and_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sudokulab.instances.search._PATIENCE_SECONDS", 0.2)
    recipe = Recipe.model_validate({"parts": [{"count": 1, "givens": 17, "seed": 5}]})
    with pytest.raises(DatasetError, match="part with seed 5: puzzle 1 was not found"):
        make(recipe, tmp_path / "set")
    assert contents(tmp_path / "set") == {}


def test_the_command_makes_a_data_set(recipe: Path, tmp_path: Path) -> None:
    done = run("dataset", "make", recipe, "-o", tmp_path / "set")
    assert (done.returncode, done.stdout) == (0, "")
    assert "2,000 puzzles in 5 shards" in done.stderr
    assert len(load_recipe(recipe).hash) == 16


def test_the_command_names_a_missing_recipe(tmp_path: Path) -> None:
    done = run("dataset", "make", tmp_path / "none.toml", "-o", tmp_path / "set")
    assert done.returncode == 2
    assert "none.toml" in done.stderr


def test_a_recipe_can_be_plain_data(tmp_path: Path) -> None:
    made = make({"parts": [{"count": 5}], "seed": 2}, tmp_path / "set")
    assert made.num_rows == {"all": 5}
    with pytest.raises(DatasetError, match="the recipe: unknown field 'part'; did you mean 'parts'"):
        make({"part": []}, tmp_path / "other")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"count": True}, "count: True; choose an integer"),
        ({"count": "ten"}, "count: 'ten'; choose an integer"),
    ],
)
def test_numbers_in_recipes_are_integers(tmp_path: Path, fields: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        make({"parts": [fields]}, tmp_path / "set")


def test_ratings_in_recipes_are_a_list(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="ratings: 'se'; choose a list"):
        make({"parts": [{"count": 1}], "ratings": "se"}, tmp_path / "set")
