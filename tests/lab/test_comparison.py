"""`lab.compare` runs solvers on puzzles and reports how they differ."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sudokulab import Puzzle, SudokulabError, read, write
from sudokulab.instances import find
from sudokulab.lab import Comparison, Experiment, SolverSpec, Store, compare, load_experiment
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.report import report
from sudokulab.solvers import Annealing, AntColony, Backtracking
from sudokulab.solvers.registry import SolverLike
from tests.cases import for_each
from tests.lab.cheats import Crash, Slow
from tests.puzzles import EASY
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

FAST: dict[str, Any] = {"runs": 2, "workers": 1}


def test_names_classes_instances_and_specifications_are_compared() -> None:
    solvers: list[SolverLike | SolverSpec] = [
        "dlx",
        Backtracking,
        AntColony(ants=5),
        SolverSpec(solver=AntColony, label="default ants"),
    ]
    found = compare(solvers, "famous", limit=2, **FAST)
    assert found.summary["solver"].to_list() == ["ant-colony (ants=5)", "backtracking", "default ants", "dlx"]
    assert found.summary["num_runs"].to_list() == [4, 2, 4, 2]
    assert len(found.runs) == 12
    assert len(found.tests) == 6
    assert found.errors.is_empty()
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.runs = pl.DataFrame()  # type: ignore[misc]


def test_the_text_shows_the_summary_the_tests_and_the_effect_sizes() -> None:
    text = str(compare(["dlx", "backtracking"], "famous", limit=2, **FAST))
    assert "solver        solved  success" in text
    assert "dlx           2 of 2   100.0%" in text
    assert "Mann–Whitney test over runs" in text
    assert "p (Holm)" in text
    assert "A12" in text
    assert "Errors" not in text


def as_file(folder: Path) -> Path:
    write([EASY], folder / "easy.txt")
    return folder / "easy.txt"


@for_each(
    "form",
    [
        lambda _: [EASY.line],
        lambda _: [EASY],
        lambda _: [np.asarray(EASY.givens)],
        lambda _: iter([EASY]),
        lambda folder: read(as_file(folder)),
        lambda folder: as_file(folder),
        lambda folder: str(as_file(folder)),
    ],
)
def test_puzzles_are_accepted_in_every_form(tmp_path: Path, form: Any) -> None:
    found = compare("backtracking", form(tmp_path), **FAST)
    assert found.runs["puzzle"].to_list() == [EASY.line]


def test_a_collection_is_accepted_by_name_or_as_puzzles() -> None:
    famous = find("famous")
    assert famous is not None
    by_name, by_puzzles = (compare("dlx", puzzles, limit=3, **FAST).runs for puzzles in ("famous", famous))
    assert by_name["puzzle"].to_list() == by_puzzles["puzzle"].to_list()
    assert by_name["instance"][0] == "famous/AI Escargot"
    assert by_puzzles["instance"][0] == "puzzles/AI Escargot"


@for_each(
    ("solvers", "puzzles", "options", "message"),
    [
        (["ants"], "famous", {}, "unknown solver 'ants'"),
        ([], "famous", {}, "solvers: list at least one"),
        (["dlx", "dlx"], "famous", {}, "two solvers are called 'dlx'"),
        (["dlx"], "famous", {"runs": 0}, "runs: 0; choose a number above 0"),
        (["dlx"], "famous", {"cpu_seconds": -1}, "cpu_seconds: -1; choose a number above 0"),
        (["dlx"], [], {}, "no puzzles to compare on"),
        (["dlx"], 42, {}, "pass a list of puzzles, not int"),
        (["dlx"], "esy", {}, "'esy' is not a file, a folder or a collection; did you mean 'easy'"),
    ],
)
def test_errors_name_the_problem(solvers: Any, puzzles: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        compare(solvers, puzzles, **options)


def hard_puzzle() -> Puzzle:
    found = find("25x25-0.45")
    assert found is not None
    return next(iter(found))


def test_final_costs_are_compared_if_no_run_was_solved(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    solvers: list[SolverLike | SolverSpec] = [Annealing, SolverSpec(solver=Annealing(), label="other"), "backtracking"]
    found = compare(solvers, [hard_puzzle()], runs=2, cpu_seconds=0.02, workers=1, store=store)
    assert not found.runs["is_success"].any()
    assert found.basis.measure == "cost"
    assert found.summary["median_cost"].null_count() == 1  # backtracking has no cost
    assert found.tests["measure"].to_list() == ["cost"]
    note = "the final costs of annealing, other are compared. No cost reported: backtracking."
    assert note in str(found)
    with Store(store, is_readonly=True) as kept:
        text = report(kept, "comparison")
    assert note in text
    assert "median cost" in text
    assert "A12" in text


def test_errors_are_listed_by_solver() -> None:
    found = compare([Slow, Crash], "famous", limit=2, **FAST)
    (row,) = found.errors.to_dicts()
    assert (row["solver"], row["outcome"], row["num_runs"]) == ("tests.lab.cheats:Crash", "crashed", 4)
    assert row["message"] == "the process died: SIGSEGV"
    assert "crashed     4  the process died: SIGSEGV" in str(found)


def test_a_comparison_resumes_from_its_store(tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    first = compare(["dlx"], "famous", limit=2, store=store, **FAST)
    again = compare(["dlx", "backtracking"], "famous", limit=2, store=store, **FAST)
    assert first.runs["finished"].to_list() == again.runs.filter(solver="dlx")["finished"].to_list()
    assert isinstance(again, Comparison)


def test_the_plan_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    plans, plan = [], Experiment.plan
    monkeypatch.setattr(Experiment, "plan", lambda self, *args: plans.append(plan(self, *args)) or plans[-1])  # type: ignore[func-returns-value]
    compare(["dlx"], "famous", limit=1, progress=True, **FAST)
    assert len(plans) == 1


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from sudokulab.solvers import Backtracking\nclass Mine(Backtracking): pass\n")
    (tmp_path / "script.py").write_text(
        "from sudokulab.solvers import Backtracking\nfrom sudokulab.lab import compare\nfrom mine import Mine\n"
        "print(compare([Mine, 'dlx'], 'famous', limit=1, workers=1).summary['num_success'].to_list())\n"
        "class Local(Backtracking): name = 'local'\n"
        "found = compare([Local, 'dlx'], 'famous', limit=1, workers=1)\n"
        "print(found.summary.select('solver', 'num_success').rows())\n"
    )
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=PATIENCE_SECONDS
    )
    assert done.stdout == "[1, 1]\n[('dlx', 1), ('local', 1)]\n", done.stderr


def test_a_report_needs_no_solver_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lost_module.py").write_text("from sudokulab.solvers import AntColony\nclass Lost(AntColony): pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    text = """
    name = "lost"
    budget = { iterations = 1 }
    instances = [{ set = "famous", limit = 1 }]
    solvers = [{ name = "lost_module:Lost" }]
    """
    (tmp_path / "e.toml").write_text(text)
    experiment = load_experiment(tmp_path / "e.toml")
    with Store(tmp_path / "s.sqlite") as store:
        assert run_experiment(experiment, store, workers=1) == 1
    (tmp_path / "lost_module.py").unlink()
    for command in (["report", "s.sqlite", "-o", "r.html"], ["report", "--list", "s.sqlite"]):
        done = subprocess.run(
            [sys.executable, "-m", "sudokulab", *command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        assert done.returncode == 0, done.stderr
    assert "lost_module:Lost" in (tmp_path / "r.html").read_text()
