"""Puzzles, results, steps, ratings and experiments show themselves in notebooks; the notebooks of the examples run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import nbformat
import pytest
from nbclient import NotebookClient

import sudokulab
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, compare
from sudokulab.puzzle import cell_name
from tests.cases import for_each
from tests.puzzles import EASY, INKALA
from tests.timing import PATIENCE_SECONDS

pytestmark = pytest.mark.slow

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))
VOID = ("br", "meta")
PATTERNS = sudokulab.parse("..1..98.24..87..6...7...........13.....9..5..2....3..8....3..1..8..4.2..5........")
"""Has instances of several techniques."""


class Outline(HTMLParser):
    """Collects the elements and the words of a fragment, and complains about elements that are not closed."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.words = ""
        self._open: list[str] = []
        self.feed(fragment)
        self.close()
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self._open += [tag] if tag not in VOID else []

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def test_a_result_shows_its_grid_and_its_statistics() -> None:
    outline = Outline(sudokulab.solve(EASY, "backtracking")._repr_html_())
    assert outline.names.count("text") == 81
    assert "solved by backtracking in" in outline.words
    assert "nodes" in outline.words


def test_an_unsolved_result_shows_its_best_state_and_its_cost() -> None:
    result = sudokulab.solve(INKALA, "annealing", sudokulab.Budget(iterations=10))
    outline = Outline(result._repr_html_())
    assert f"cost {result.cost:g}" in outline.words
    assert outline.names.count("text") == 81


def test_messages_are_escaped() -> None:
    result = sudokulab.Result(sudokulab.Status.UNKNOWN, None, "mine", error="<b>boom</b>")
    assert "<b>boom</b>" in Outline(result._repr_html_()).words


def test_an_explanation_shows_its_first_step_and_all_sentences() -> None:
    explanation = sudokulab.explain(EASY)
    outline = Outline(explanation._repr_html_())
    assert outline.names.count("svg") == 1
    assert outline.names.count("li") == len(explanation.steps)


@for_each("technique", ["hidden-single", "pointing", "naked-pair", "xy-chain", "als-xz"])
def test_a_step_shows_its_pattern_and_its_conclusion(technique: str) -> None:
    step = sudokulab.logic.steps(PATTERNS, technique)[0]
    outline = Outline(step._repr_html_())
    assert outline.names.count("svg") == 1
    assert f"{step.technique.title}: " in outline.words
    cells = {cell_name(cell, 9) for cell, _ in step.placements or step.eliminations}
    assert cells <= set(re.findall(r"r\dc\d", outline.words))
    shown = {*step.candidates, *step.eliminations, *step.placements}
    assert len(shown) <= outline.names.count("text") - 18 < 81 - PATTERNS.num_givens  # 18 names of rows and columns


@for_each("scale", get_args(sudokulab.logic.rating.Scale))
def test_a_rating_shows_its_puzzle_and_its_words(scale: Any) -> None:
    rating = sudokulab.rate(EASY, scale=scale)
    outline = Outline(rating._repr_html_())
    assert outline.names.count("text") == EASY.num_givens
    assert str(rating) in outline.words


def test_a_comparison_shows_its_tables() -> None:
    result = compare(["backtracking", "dlx"], [EASY], cpu_seconds=5)
    outline = Outline(result._repr_html_())
    assert outline.names.count("table") == 2
    assert "backtracking" in outline.words


def test_an_experiment_shows_its_file() -> None:
    experiment = Experiment(
        name="small",
        budget=BudgetSpec(cpu_seconds=5),
        instances=(InstanceSet(set="famous"),),
        solvers=(SolverSpec(solver="dlx"),),
    )
    assert 'name = "small"' in Outline(experiment._repr_html_()).words


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=PATIENCE_SECONDS, kernel_name="python3", resources=resources).execute()
