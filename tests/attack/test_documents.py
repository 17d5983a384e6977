"""Documents that others have written: wrong types, deep nesting and odd encodings in JSON and TOML."""

from __future__ import annotations

import json
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from sudokulab.cli.options import params_of_solver
from sudokulab.datasets import DatasetError, load_recipe, make, open_dataset, split
from sudokulab.errors import SudokulabError
from sudokulab.lab import ExperimentError, Store, load_experiment
from sudokulab.lab.messages import decode
from sudokulab.web.settings import Settings
from tests.cases import for_each
from tests.lab.test_store import PLAN, filled
from tests.web.servers import client_of

DEEP = "[" * 100_000
WRONG = ["null", "true", "-1", "2.5", "NaN", '"x"', "[]", "[1]", "{}", '{"a": 1}']


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "set"
    make({"shard_size": 5, "parts": [{"count": 10, "size": 4}]}, folder)
    split(folder, shares={"train": 0.5, "test": 0.5})
    return folder


@for_each(
    ("name", "text"),
    [
        *((name, text) for name in ("dataset.json", "leakage.json") for text in [DEEP, "", "3", *WRONG]),
        *(("dataset.json", f'{{"num_rows": {text}, "recipe": {{}}}}') for text in WRONG),
        *(("dataset.json", f'{{"num_rows": 10, "recipe": {text}}}') for text in WRONG[:-2]),
        *(("leakage.json", f'{{"num_rows": {text}}}') for text in ["3", *WRONG]),
        *(("leakage.json", f'{{"num_rows": {{"train": {text}, "test": 5}}}}') for text in WRONG),
    ],
)
def test_a_damaged_description_of_a_data_set_is_refused(name: str, text: str, original: Path, tmp_path: Path) -> None:
    folder = copytree(original, tmp_path / "set")
    (folder / name).write_text(text)
    with pytest.raises(DatasetError, match=r"choose a data set|cannot be read|again"):
        open_dataset(folder, whole=name == "dataset.json")


@for_each("text", WRONG)
def test_a_damaged_recipe_of_a_data_set_is_refused(text: str, original: Path, tmp_path: Path) -> None:
    folder = copytree(original, tmp_path / "set")
    description = json.loads((folder / "dataset.json").read_text())
    description["recipe"]["shard_size"] = json.loads(text)
    (folder / "dataset.json").write_text(json.dumps(description))
    with pytest.raises(DatasetError, match="the recipe: shard_size"):
        split(folder, shares={"train": 0.5, "test": 0.5}, force=True)


@for_each("content", [b"x = " + b"[" * 5000, b"x = " + b"{a=" * 3000, b"x = '\xff'", b"x = " + b"9" * 5000, b"x ="])
def test_an_invalid_toml_file_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(content)
    readers: list[tuple[Callable[[str], object], type[Exception]]] = [
        (load_recipe, DatasetError),
        (load_experiment, ExperimentError),
        (lambda text: params_of_solver("tabu", [], [text]), SudokulabError),
    ]
    for read, error in readers:
        with pytest.raises(error, match=f"^{path}: invalid TOML: "):
            read(str(path))


def test_a_toml_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbfparts = [{count = 3, size = 4}]\r\n")
    assert load_recipe(tmp_path / "a.toml").num_rows == 3


@for_each("column", ["stats", "machine", "spec"])
def test_a_store_with_a_document_that_is_nested_too_deeply_is_damaged(column: str, tmp_path: Path) -> None:
    path = filled(tmp_path / "s.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE runs SET {column} = ?", [DEEP])
    connection.close()
    if column != "spec":
        with Store(path, is_readonly=True) as store, pytest.raises(SudokulabError, match="the store is damaged"):
            store.runs()
    with client_of(Settings(stores=(path,))) as client:
        answer = client.get(f"/api/lab/stores/s/experiments/1/runs/{PLAN[0].key}")
    assert (answer.status_code, "the store is damaged" in answer.text) == (422, True)


@for_each("text", [DEEP, '{"token": "t", "stats": ' + '{"a":' * 100_000])
def test_an_answer_of_a_solver_that_is_nested_too_deeply_is_unreadable(text: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        decode(struct.pack(">Q", len(text)) + text.encode(), "t")
