"""No puzzle or solution of one split is a relabelled one of another."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sudokulab import Puzzle, class_hash, count, is_equivalent, parse, solve
from sudokulab.datasets import DatasetError, Recipe, make, open_dataset, split
from sudokulab.datasets.neighbours import joined
from sudokulab.errors import ParameterError
from tests.commands import run

RECIPE = Recipe.model_validate({"seed": 3, "shard_size": 100, "parts": [{"count": 1000, "minimal": True}]})
SPLITS = ("train", "validation", "test")


def shuffled(puzzle: Puzzle, seed: int) -> Puzzle:
    """Return an equivalent 9×9 puzzle."""
    rng = np.random.default_rng(seed)
    lines = [[3 * band + row for band in rng.permutation(3) for row in rng.permutation(3)] for _ in range(2)]
    turned = puzzle.transpose() if rng.random() < 0.5 else puzzle
    return turned.permute_rows(lines[0]).permute_cols(lines[1]).relabel((rng.permutation(9) + 1).tolist())


def rows_of(folder: Path, part: str) -> pl.DataFrame:
    return pl.read_parquet(folder / part / "*.parquet")


def replace_rows(folder: Path, rows: dict[int, Puzzle]) -> None:
    """Replace puzzles of the first shard, and make their hashes useless."""
    path = folder / "all" / "part-00000.parquet"
    table = pq.read_table(path)
    columns = {name: table[name].to_pylist() for name in table.schema.names}
    for row, puzzle in rows.items():
        assert puzzle.solution is not None
        columns["puzzle"][row], columns["solution"][row] = puzzle.line, puzzle.solution.line
    pq.write_table(pa.table(columns, table.schema), path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make(RECIPE, tmp_path / "set")
    return tmp_path / "set"


def puzzle_of(row: dict[str, str]) -> Puzzle:
    return replace(parse(row["puzzle"]), solution=parse(row["solution"]))


def test_every_row_is_in_exactly_one_split(folder: Path) -> None:
    made = split(folder)
    assert made.num_rows == {"train": 800, "validation": 100, "test": 100}
    rows = pl.concat([rows_of(folder, part) for part in SPLITS])
    assert rows.sort("puzzle").equals(rows_of(folder, "all").sort("puzzle"))
    assert made.is_clean
    assert json.loads((folder / "leakage.json").read_text())["is_clean"] is True
    assert list(open_dataset(folder).shards) == list(SPLITS)


def test_the_same_seed_gives_the_same_splits(folder: Path) -> None:
    def test_rows(seed: int) -> list[str]:
        split(folder, seed=seed, force=True)
        return rows_of(folder, "test")["puzzle"].to_list()

    first = test_rows(1)
    assert test_rows(1) == first
    assert test_rows(2) != first


def test_relabelled_solutions_stay_together(folder: Path) -> None:
    row = rows_of(folder, "all").row(0, named=True)
    original = puzzle_of(row)
    replace_rows(folder, {number: shuffled(original, number) for number in range(1, 60)})
    split(folder)
    homes = [part for part in SPLITS for text in rows_of(folder, part)["puzzle"] if is_equivalent(text, original)]
    assert len(homes) == 60
    assert len(set(homes)) == 1


def test_distinct_keeps_one_of_equivalent_puzzles(folder: Path) -> None:
    original = puzzle_of(rows_of(folder, "all").row(0, named=True))
    replace_rows(folder, {number: shuffled(original, number) for number in range(1, 60)})
    made = split(folder, distinct=True)
    assert sum(made.num_rows.values()) == 1000 - 59


def neighbours_of(puzzle: Puzzle) -> list[Puzzle]:
    """Return puzzles with one given moved and another solution."""
    found = []
    for given in np.flatnonzero(np.frombuffer(puzzle.cells, np.uint8)):
        fewer = bytearray(puzzle.cells)
        fewer[given] = 0
        for cell in np.flatnonzero(np.frombuffer(bytes(fewer), np.uint8) == 0):
            for digit in range(1, 10):
                moved = bytearray(fewer)
                moved[cell] = digit
                candidate = Puzzle(bytes(moved), puzzle.box)
                if candidate != puzzle and count(candidate, 2) == 1:
                    solution = solve(candidate).solution
                    if solution is not None and not is_equivalent(solution, puzzle.solution or puzzle):
                        found.append(Puzzle(candidate.cells, puzzle.box, solution=solution))
    return found


def test_near_neighbours_stay_together_if_wanted(folder: Path) -> None:
    original = puzzle_of(rows_of(folder, "all").row(0, named=True))
    neighbours = neighbours_of(original)[:60]
    assert len(neighbours) > 20
    replace_rows(folder, {number: shuffled(puzzle, number) for number, puzzle in enumerate(neighbours, start=1)})

    def homes() -> set[str]:
        family = {class_hash(puzzle) for puzzle in [original, *neighbours]}
        return {
            part for part in ("train", "test") for text in rows_of(folder, part)["puzzle"] if class_hash(text) in family
        }

    split(folder, shares={"train": 1, "test": 1})
    assert homes() == {"train", "test"}
    made = split(folder, shares={"train": 1, "test": 1}, join_neighbours=True, force=True)
    assert (made.is_clean, made.leaks[0].num_neighbour_keys) == (True, 0)
    assert len(homes()) == 1


def test_joined_groups_are_the_connected_components() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        labels = rng.integers(0, 30, 40).astype(np.uint64)
        rows, keys = rng.integers(0, 40, 25), rng.integers(0, 15, 25).astype(np.uint64)
        found = joined(labels, (rows, keys))
        groups = [{row} for row in range(40)]
        linked = [(a, b) for a, b in combinations(range(40), 2) if labels[a] == labels[b]]
        linked += [(int(rows[a]), int(rows[b])) for a, b in combinations(range(25), 2) if keys[a] == keys[b]]
        for a, b in linked:
            if groups[a] is not groups[b]:
                groups[a] |= groups[b]
                for row in groups[b]:
                    groups[row] = groups[a]
        assert found.tolist() == [min(int(labels[row]) for row in group) for group in groups]


def test_a_data_set_is_split_only_once(folder: Path) -> None:
    split(folder)
    with pytest.raises(DatasetError, match="is split already"):
        split(folder)


def test_too_few_classes_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    make(Recipe.model_validate({"parts": [{"count": 50, "size": 4}]}), tmp_path / "set")
    with pytest.raises(DatasetError, match="only 2 groups of rows that must stay together"):
        split(tmp_path / "set")
    assert sorted(path.name for path in (tmp_path / "set").iterdir()) == [".lock", "all", "dataset.json", "recipe.json"]


def test_equivalent_puzzles_with_different_solutions_stay_together(tmp_path: Path) -> None:
    make(Recipe.model_validate({"parts": [{"count": 60, "size": 6, "fixed": 0.12}]}), tmp_path / "set")
    made = split(tmp_path / "set", shares={"train": 1, "test": 1})
    assert made.is_clean
    texts = [rows_of(tmp_path / "set", part)["puzzle"].to_list() for part in ("train", "test")]
    assert not any(is_equivalent(parse(one), parse(other)) for one in texts[0] for other in texts[1])


def test_distinct_rows_too_few_to_split_are_refused(tmp_path: Path) -> None:
    make(Recipe.model_validate({"parts": [{"count": 40, "size": 4, "fixed": 0.07}]}), tmp_path / "set")
    with pytest.raises(DatasetError, match="only 1 group of rows"):
        split(tmp_path / "set", shares={"train": 1, "test": 1}, distinct=True)


def test_large_grids_are_split_but_not_compared_up_to_symmetry(tmp_path: Path) -> None:
    make(Recipe.model_validate({"parts": [{"count": 6, "size": 25, "fixed": 0.7}]}), tmp_path / "set")
    made = split(tmp_path / "set", shares={"train": 1, "test": 1})
    assert made.num_rows == {"train": 3, "test": 3}
    assert made.leaks[0].num_puzzle_classes is None
    with pytest.raises(DatasetError, match="up to 16×16"):
        split(tmp_path / "set", join_neighbours=True, force=True)


def test_splits_that_were_cut_short_do_not_count(folder: Path) -> None:
    split(folder)
    (folder / "leakage.json").unlink()  # what is left if the process is killed while it renames folders
    assert list(open_dataset(folder).shards) == ["all"]
    split(folder)
    (folder / "train" / "part-00000.parquet").unlink()
    with pytest.raises(DatasetError, match="train: 700 of 800 rows; split the data set again"):
        open_dataset(folder)


def test_a_wrong_row_is_named(folder: Path) -> None:
    path = folder / "all" / "part-00000.parquet"
    table = pq.read_table(path)
    puzzles = table["puzzle"].to_pylist()
    puzzles[6] = "no puzzle"
    pq.write_table(table.set_column(0, table.schema.field(0), [puzzles]), path)
    with pytest.raises(DatasetError, match=r"part-00000\.parquet: row 7: puzzle with 9 symbols; use 81"):
        split(folder)
    assert not (folder / "train").exists()


def test_shares_are_checked(folder: Path) -> None:
    with pytest.raises(ParameterError, match="unknown split 'dev'"):
        split(folder, shares={"dev": 1})
    with pytest.raises(ParameterError, match="share of train"):
        split(folder, shares={"train": -1})
    with pytest.raises(ParameterError, match="at least one"):
        split(folder, shares={"train": 0})
    with pytest.raises(ParameterError, match=r"the shares add up to 1\.1; choose shares that add up to 1"):
        split(folder, shares={"train": 0.8, "test": 0.3})


def test_the_command_prints_what_splits_share(folder: Path) -> None:
    done = run("dataset", "split", folder, "--shares", "train=0.5,test=0.5")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1:] == ["train, test\t0\t0\tnot checked"]
    assert "is split already" in run("dataset", "split", folder).stderr
    assert json.loads(run("dataset", "split", folder, "--force", "--json").stdout)["is_clean"] is True
    bad = run("dataset", "split", folder, "--shares", "train:3")
    assert (bad.returncode, "write shares such as" in bad.stderr) == (2, True)


def test_a_folder_without_a_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="not a finished data set"):
        split(tmp_path)
