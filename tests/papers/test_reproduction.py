"""The rule that turns checks into verdicts, and the command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sudokulab.errors import SudokulabError
from sudokulab.papers.catalogue import PAPERS, Scale, Verdict, paper_of, reproduce
from sudokulab.papers.pages import markdown_of, write_index, write_page
from sudokulab.papers.reproduction import Findings


@pytest.mark.parametrize(
    ("values", "shapes", "verdict"),
    [
        ([], [], Verdict.UNCHECKED),
        ([True], [], Verdict.REPRODUCED),
        ([True, True], [True], Verdict.REPRODUCED),
        ([False], [True], Verdict.SHAPE),
        ([False], [], Verdict.NOT_REPRODUCED),
        ([True], [False], Verdict.NOT_REPRODUCED),
        ([False], [True, False], Verdict.NOT_REPRODUCED),
    ],
)
def test_the_verdict_follows_from_the_checks(values: list[bool], shapes: list[bool], verdict: Verdict) -> None:
    findings = Findings()
    for holds in values:
        findings.check("a value", holds)
    for holds in shapes:
        findings.check_shape("a shape", holds)
    assert findings.verdict is verdict


def test_every_paper_has_its_artefacts() -> None:
    wanted = {
        "jones-2007": {"figure-2", "figure-4", "figure-5", "figure-6", "claim-100", "section-3"},
        "soto-2013": {"table-1", "figure-4", "table-2"},
        "lloyd-2019": {"figure-4", "figures-5-6-7", "figure-8", "table-1", "figure-9", "row-45"},
        "lewis-2007": {
            *("figure-2", "figure-3-order-3", "figure-3-order-4", "figure-3-order-5", "signed-rank", "table-1"),
        },
        "san-segundo-2009": {"table-2", "one-level", "conjecture", "table-3", "table-3-variants"},
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


def test_san_segundo_pages_at_smoke_scale(tmp_path: Path) -> None:
    paper = paper_of("san-segundo")
    found = dict(reproduce(paper, scale=Scale.SMOKE, folder=tmp_path / "runs", workers=1))
    text = markdown_of(paper, Scale.SMOKE, found)
    for artefact, findings in found.items():
        assert f"## {artefact.key}" in text
        assert f"**{findings.verdict.value}**" in text
        assert findings.tables or findings.notes
    assert write_page(paper, Scale.SMOKE, found, tmp_path / "docs").read_text() == text
    assert "san-segundo-2009.md#table-3" in write_index({paper: found}, Scale.SMOKE, tmp_path / "docs").read_text()
    with pytest.raises(SudokulabError, match=r"unknown artefact of .* 'table-9'"):
        list(reproduce(paper, "table-9", folder=tmp_path))


def test_the_command_prints_a_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sudokulab", "reproduce", "san", "table-3", "--scale", "smoke"]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path)], capture_output=True, text=True, timeout=120, env={**os.environ}
    )
    assert done.returncode == 0, done.stderr
    assert "## table-3" in done.stdout
    assert "san-segundo-2009 table-3:" in done.stderr
