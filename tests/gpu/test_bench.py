"""`sudokulab bench --device cuda` measures a GPU, here the stand-in, beside the CPU."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from sudokulab import as_strings, count_array
from sudokulab.bench.device import LargeSample
from sudokulab.cli import app
from tests.cases import for_each
from tests.gpu.questions import bundled

NAMES = ["cuda, its own memory", "cuda, host memory", "cpu, all cores"]


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text("\n".join(as_strings(bundled("easy")[:20])))
    return str(path)


@pytest.fixture
def bench(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("sudokulab.bench.device.describe_device", lambda number: "a stand-in")

    def run(*arguments: str) -> Any:
        return CliRunner().invoke(app, ["bench", "--device", "cuda", "--rounds", "2", "--count", "100", *arguments])

    return run


def test_all_workloads_are_measured(bench: Any, puzzles: str) -> None:
    done = bench(puzzles, "-w", "solve", "-w", "count", "-w", "generate", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["environment"]["gpu"] == "a stand-in"
    assert found["environment"]["core"] is None
    answers, generated = found["sets"]
    assert [rates["contender"] for rates in answers["contenders"]] == 2 * NAMES
    assert [rates["contender"] for rates in generated["contenders"]] == ["cuda, with grids of the CPU"]
    for rates in (*answers["contenders"], *generated["contenders"]):
        assert (len(rates["rates"]), rates["complaint"], rates["num_puzzles"]) == (2, "", 100)


def test_wrong_answers_are_reported(bench: Any, puzzles: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(array: Any, limit: int, *, device: str | None = None) -> Any:
        return count_array(array, limit, device=device) + (device is not None)

    monkeypatch.setattr("sudokulab.bench.device.count_array", wrong)
    done = bench(puzzles, "-w", "count")
    assert done.exit_code == 1
    assert "cuda, host memory, count: wrong: 100 of 100 answers" in done.output


@for_each(
    ("arguments", "message"),
    [
        (["-s", "dlx"], "--solver: not with --device"),
        (["--size", "16", "--fixed", "0.5"], "--size: not with --device"),
        (["-w", "start"], "--workload start: not with --device"),
        (["--reference", "nobody"], "--reference nobody: unknown contender"),
    ],
)
def test_options_for_the_cpu_are_refused(bench: Any, arguments: list[str], message: str) -> None:
    done = bench(*arguments)
    assert done.exit_code == 2
    assert message in done.output


def test_generation_needs_no_puzzles_but_a_number(bench: Any) -> None:
    assert bench("-w", "generate").exit_code == 0


def test_copies_have_as_many_solutions_as_the_original() -> None:
    sample = LargeSample(bundled("easy")[:7], 30, seed=1)
    assert sample.array.shape == (30, 81)
    assert (sample.counts == 1).all()
    assert (count_array(sample.array, 2) == sample.counts).all()
    assert len(np.unique(sample.array, axis=0)) == 30
