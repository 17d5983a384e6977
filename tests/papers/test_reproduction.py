"""The rule that turns checks into verdicts, and the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.lab import SolverSpec
from sudokulab.lab.power import DifferenceTest
from sudokulab.papers.catalogue import PAPERS, Artefact, Effort, Verdict, paper_of, reproduce
from sudokulab.papers.pages import markdown_of, write_index, write_page
from sudokulab.papers.reproduction import Context, Findings, Paper
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN
from tests.timing import PATIENCE_SECONDS

DECIDED, REVERSED, TOO_FEW = (
    DifferenceTest(0.001, 0.999, 0.9),
    DifferenceTest(0.999, 0.001, 0.1),
    DifferenceTest(0.3, 0.7, 0.4),
)


@for_each(
    ("checks", "verdict"),
    [
        ((), Verdict.UNCHECKED),
        ((("check", "a value", True),), Verdict.REPRODUCED),
        ((("check", "a value", True), ("check_shape", "a shape", True)), Verdict.REPRODUCED),
        ((("check_claim", "all are solved", None),), Verdict.REPRODUCED),
        ((("check_arithmetic", "moves", 131, 131),), Verdict.REPRODUCED),
        ((("check_shape", "a shape", True),), Verdict.SHAPE),
        ((("check_shape", "a shape", True), ("check_arithmetic", "moves", 131, 131)), Verdict.SHAPE),
        ((("check_shape", "a shape", True), ("check_claim", "all are solved", None)), Verdict.REPRODUCED),
        ((("check", "a value", True), ("check_consistency", "the sums agree", True, "")), Verdict.REPRODUCED),
        ((("check", "a value", True), ("check_consistency", "the sums agree", False, "111")), Verdict.PAPER_IN_ERROR),
        (
            (("check", "a value", False), ("check_shape", "a shape", True), ("check_arithmetic", "moves", 130, 131)),
            Verdict.SHAPE,
        ),
        ((("check", "a value", False), ("check_shape", "a shape", True)), Verdict.SHAPE),
        ((("check", "a value", False),), Verdict.NOT_REPRODUCED),
        ((("check", "a value", True), ("check_shape", "a shape", False)), Verdict.NOT_REPRODUCED),
        ((("check", "a value", True), ("check_difference", "less", REVERSED)), Verdict.NOT_REPRODUCED),
        ((("check", "a value", True), ("check_difference", "less", DECIDED)), Verdict.REPRODUCED),
        ((("check", "a value", True), ("check_difference", "less", TOO_FEW)), Verdict.UNDERPOWERED),
        ((("check", "a value", False), ("check_difference", "less", TOO_FEW)), Verdict.UNDERPOWERED),
        ((("check_rate", "solved", (3, 4), (92, 100)),), Verdict.UNDERPOWERED),
        ((("check_rate", "solved", (90, 100), (92, 100)),), Verdict.REPRODUCED),
        ((("check_rate", "solved", (14, 100), (92, 100)),), Verdict.NOT_REPRODUCED),
        ((("check_arithmetic", "moves", 130, 131), ("check", "a value", True)), Verdict.PAPER_IN_ERROR),
        ((("check_arithmetic", "moves", 130, 131), ("check_shape", "a shape", False)), Verdict.NOT_REPRODUCED),
        ((("check_claim", "all are solved", "puzzle 7"), ("check_shape", "a shape", False)), Verdict.REFUTED),
    ],
)
def test_the_verdict_follows_from_the_checks(checks: tuple[tuple[Any, ...], ...], verdict: Verdict) -> None:
    findings = Findings()
    for method, *arguments in checks:
        getattr(findings, method)(*arguments)
    assert findings.verdict is verdict


@for_each(
    ("checks", "verdict"),
    [
        ((("check", "a value", False),), Verdict.NOT_JUDGED),
        ((("check_shape", "a shape", True), ("check_difference", "less", DECIDED)), Verdict.NOT_JUDGED),
        ((("check_difference", "less", TOO_FEW),), Verdict.NOT_JUDGED),
        ((("check_difference", "less", DECIDED),), Verdict.SHAPE),
        ((("check_rate", "solved", (90, 100), (92, 100)),), Verdict.REPRODUCED),
        ((("check_arithmetic", "moves", 130, 131),), Verdict.PAPER_IN_ERROR),
        ((("check_claim", "all are solved", "puzzle 7"), ("check_shape", "a shape", False)), Verdict.REFUTED),
    ],
)
def test_a_small_sample_is_judged_only_by_tests_with_power(
    checks: tuple[tuple[Any, ...], ...], verdict: Verdict
) -> None:
    findings = Findings(is_small=True)
    for method, *arguments in checks:
        getattr(findings, method)(*arguments)
    assert findings.verdict is verdict


def test_an_artefact_without_a_paper_yields_findings() -> None:
    findings = Findings(is_own=True)
    findings.check_shape("a shape", holds=False)
    assert findings.verdict is Verdict.FINDINGS


def test_a_page_shows_counterexamples_errors_and_undecided_checks() -> None:
    findings = Findings()
    findings.check_claim("all are solved", "puzzle 7")
    findings.check_arithmetic("moves", 130, 131)
    findings.check_difference("the hybrid solves more", TOO_FEW)
    page = markdown_of(PAPERS["jones-2007"], Effort.QUICK, {PAPERS["jones-2007"].artefacts[0]: findings})
    assert "- ✗ all are solved; counterexample: puzzle 7 (claim)" in page
    assert "- moves: the paper prints 130; the correct number is 131." in page
    assert "- ? the hybrid solves more (p = 0.3, power 40 %) (shape)" in page
    assert "Verdict: **refuted**: 0 of 1 checks of the shape (1 undecided), 0 of 1 of claims" in page


def test_a_page_folds_long_lists_and_says_a_shared_note_once() -> None:
    paper, artefacts = PAPERS["jones-2007"], PAPERS["jones-2007"].artefacts[:2]
    found = {artefact: Findings(notes=["A note."]) for artefact in artefacts}
    for number in range(20):
        found[artefacts[0]].check(f"statement {number}", True)
    page = markdown_of(paper, Effort.QUICK, found)
    assert "<details><summary>Checks (20)</summary>" in page
    assert page.count("A note.") == 1


def test_a_complete_page_removes_figures_that_are_no_longer_drawn(tmp_path: Path) -> None:
    paper = Paper("made-up", "A paper", (Artefact("one", "title", lambda _: Findings()),))
    drawn = {paper.artefacts[0]: Findings(figures={"kept": lambda _: None})}
    figures = tmp_path / "figures"
    figures.mkdir()
    for name in ("made-up-one-old.svg", "other-one-old.svg"):
        (figures / name).touch()
    write_page(paper, Effort.SMOKE, drawn, tmp_path)
    assert sorted(file.name for file in figures.iterdir()) == ["made-up-one-kept.svg", "other-one-old.svg"]


def test_the_index_begins_with_the_claims(tmp_path: Path) -> None:
    paper = PAPERS["jones-2007"]
    outcomes = {"holds": True, "fails": False}
    found = {}
    for claim, holds in outcomes.items():
        findings = Findings()
        findings.check("a value", holds)
        found[Artefact(claim, "title", lambda _: Findings(), claim)] = findings
    found[Artefact("ours", "title", lambda _: Findings())] = Findings(is_own=True)
    text = write_index({paper: found}, Effort.SMOKE, tmp_path).read_text()
    assert "Of 2 claims: 1 reproduced, 1 not reproduced." in text
    assert "- holds ([holds](jones-2007.md#holds)): **reproduced**.\n- fails (" in text
    assert "Our own findings: [ours](jones-2007.md#ours)." in text


def test_every_paper_has_its_artefacts() -> None:
    wanted = {
        "jones-2007": {"figure-2", "figure-4", "figure-5", "figure-6", "claim-100", "section-3"},
        "soto-2013": {"table-1", "figure-4", "table-2"},
        "lloyd-2019": {"figure-4", "figures-5-6-7", "figure-8", "table-1", "figure-9", "row-45"},
        "lewis-2007": {
            *("figure-2", "figure-3-order-3", "figure-3-order-4", "figure-3-order-5", "signed-rank", "table-1"),
        },
        "san-segundo-2009": {"table-2", "one-level", "conjecture", "table-3", "table-3-readings"},
        "all-solvers": {"table", "ranking", "growth"},
    }
    assert set(PAPERS) == set(wanted)
    for key, artefacts in wanted.items():
        assert artefacts <= {artefact.key for artefact in PAPERS[key].artefacts}


def test_a_paper_is_found_by_an_unambiguous_prefix() -> None:
    assert paper_of("lloyd").key == "lloyd-2019"
    for name in ("l", "nobody"):
        with pytest.raises(SudokulabError, match="unknown paper"):
            paper_of(name)


@pytest.mark.thorough
def test_san_segundo_pages_at_smoke_scale(tmp_path: Path) -> None:
    paper = paper_of("san-segundo")
    found = dict(reproduce(paper, effort=Effort.SMOKE, folder=tmp_path / "runs", workers=1))
    text = markdown_of(paper, Effort.SMOKE, found)
    for artefact, findings in found.items():
        assert f"## {artefact.key}" in text
        assert f"**{findings.verdict.value}**" in text
        assert findings.is_small
        assert findings.tables or findings.notes
    assert write_page(paper, Effort.SMOKE, found, tmp_path / "docs").read_text() == text
    assert "san-segundo-2009.md#table-3" in write_index({paper: found}, Effort.SMOKE, tmp_path / "docs").read_text()
    with pytest.raises(SudokulabError, match=r"unknown artefact of .* 'table-9'"):
        list(reproduce(paper, "table-9", folder=tmp_path))


@pytest.mark.slow
def test_the_command_prints_a_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sudokulab", "reproduce", "san", "table-3", "--effort", "smoke"]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        env={**os.environ},
    )
    assert done.returncode == 0, done.stderr
    assert "## table-3" in done.stdout
    assert "san-segundo-2009 table-3:" in done.stderr


def test_two_sets_must_not_share_a_puzzle(tmp_path: Path) -> None:
    context = Context(PAPERS["lewis-2007"], Effort.SMOKE, tmp_path)
    with pytest.raises(ValueError, match="'easy' and 'hard' share the puzzle 53"):
        context.run("shared", {"easy": [EASY, SEVENTEEN], "hard": [INKALA, EASY]}, [])
    assert not list(tmp_path.iterdir())


def test_alternative_sets_may_share_a_puzzle(tmp_path: Path) -> None:
    context = Context(PAPERS["san-segundo-2009"], Effort.SMOKE, tmp_path)
    sets = {"minimal": [EASY, SEVENTEEN], "unique": [EASY]}
    runs = context.run("shared", sets, [SolverSpec(name="dlx")], are_alternatives=True)
    assert sorted(runs["instance_set"]) == ["minimal", "minimal", "unique"]
