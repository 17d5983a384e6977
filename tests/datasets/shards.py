"""Small data sets, written shard by shard without the maker."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import sudokulab
from sudokulab import BoxShape
from sudokulab.datasets.columns import SCHEMA

__all__ = ["make_rows", "write_dataset", "write_shard"]

RATINGS = {"se": 1.5, "hardest_technique": "hidden-single", "level": "easy", "trial_depth": 0, "search_nodes": 51}


def make_rows(count: int, size: int = 4, *, is_rated: bool = False, seed: int = 1) -> list[dict[str, Any]]:
    """Return rows with generated puzzles; every second one is rated differently."""
    rows: list[dict[str, Any]] = []
    for index, puzzle in enumerate(sudokulab.generate(count, box=BoxShape.of_size(size), seed=seed)):
        solution = sudokulab.solve(puzzle, "dlx").solution
        assert solution is not None
        row = dict.fromkeys(SCHEMA.names) | {
            "puzzle": puzzle.line,
            "solution": solution.line,
            "box": str(puzzle.box),
            "num_givens": puzzle.num_givens,
            "is_unique": True,
            "is_minimal": index % 3 > 0,
            "puzzle_class": 2**63 + index,
            "solution_class": index,
            "seed": seed,
            "index": index,
            "version": "0.1.0",
            "recipe": "0123abcd",
        }
        ratings = RATINGS | ({"se": 2.5, "level": "hard", "search_nodes": 70} if index % 2 else {})
        rows.append(row | (ratings if is_rated else {}))
    return rows


def write_dataset(folder: Path, parts: Mapping[str, list[list[dict[str, Any]]]]) -> Path:
    """Write the rows of the shards of each part."""
    folder.mkdir()
    for part, shards in parts.items():
        (folder / part).mkdir()
        for number, rows in enumerate(shards):
            write_shard(folder / part / f"part-{number:05}.parquet", rows)
    num_rows = {part: sum(map(len, shards)) for part, shards in parts.items()}
    description = {"recipe": {"size": 4}, "num_rows": sum(num_rows.values())}
    (folder / "dataset.json").write_text(json.dumps(description), encoding="utf-8")
    if "all" not in parts:
        (folder / "leakage.json").write_text(json.dumps({"num_rows": num_rows}), encoding="utf-8")
    return folder


def write_shard(path: Path, rows: list[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
