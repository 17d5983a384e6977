"""The package and the papers of its solvers can be cited."""

from __future__ import annotations

import inspect
import re
import unicodedata
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import sudokulab
from sudokulab.external import Cadical, CpSat
from sudokulab.papers.catalogue import PAPERS
from sudokulab.solvers import SOLVERS
from sudokulab.solvers.citations import bibtex
from tests.commands import run

ROOT = Path(__file__).parent.parent.parent


def plain(text: str) -> str:
    """Return a text without accents, LaTeX markup and line breaks, in lower case."""
    text = re.sub(r"\\v |[{}\\\'\"]", "", unicodedata.normalize("NFD", text))
    return " ".join(re.sub(r"[\u0300-\u036f]", "", text).lower().split())


@pytest.mark.parametrize("solver", [*SOLVERS.values(), Cadical, CpSat], ids=lambda solver: solver.name)
def test_every_paper_in_the_documentation_of_a_solver_has_an_entry(solver: type[sudokulab.Solver]) -> None:
    references = (inspect.getdoc(solver) or "").partition("References")[2]
    titles = re.findall(r'"([^"]+)"', references)
    entries = plain(bibtex([solver]))
    assert titles or solver.name == "auto"
    for title in titles:
        assert f"title = {plain(title)}," in entries, title


def test_filters_are_cited_with_their_solver() -> None:
    assert "lewis2007combination" in bibtex(["cp+ant-colony"])
    assert "lewis2007combination" not in bibtex(["ant-colony"])


def test_entries_have_unique_keys_and_balanced_braces() -> None:
    text = bibtex(SOLVERS)
    keys = re.findall(r"^@\w+\{([\w-]+),$", text, re.MULTILINE)
    assert len(keys) == len(set(keys)) == text.count("\n@") + 1
    assert text.count("{") == text.count("}")


def test_the_entry_of_the_package_agrees_with_citation_cff() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    entry = bibtex()
    assert entry.count("@") == 1
    assert f"title = {{{cited['title']}}}" in entry
    assert f"author = {{{{{cited['authors'][0]['name']}}}}}" in entry
    assert f"version = {{{cited['version']}}}" in entry
    assert f"year = {{{cited['date-released'].year}}}" in entry
    assert f"license = {{{cited['license']}}}" in entry
    assert {"abstract", "keywords", "message", "type"} <= set(cited)


def test_citation_cff_refers_to_the_five_papers_as_the_solvers_do() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    entries = bibtex(SOLVERS).split("\n\n")
    reproduced = plain(" ".join(paper.reference for key, paper in PAPERS.items() if key != "all-solvers"))
    assert len(cited["references"]) == len(PAPERS) - 1 == 5
    for paper in cited["references"]:
        assert plain(paper["title"]) in reproduced
        (entry,) = (one for one in entries if f"title = {plain(paper['title'])}," in plain(one))
        for author in paper["authors"]:
            assert plain(f"{author['family-names']}, {author['given-names']}") in plain(entry)
        fields = {"year": paper["year"], "doi": paper.get("doi"), "volume": paper.get("volume")}
        fields["pages"] = f"{paper['start']}--{paper['end']}" if "start" in paper else None
        for name, value in fields.items():
            assert (f"{name} = {{{value}}}" in entry) == (value is not None), (paper["title"], name)
            assert (f"  {name} = " in entry) == (value is not None), (paper["title"], name)


def test_the_command_prints_both() -> None:
    assert run("cite", "ant-colony").stdout == bibtex(["ant-colony"])
    assert "unknown solver 'ants'" in run("cite", "ants").stderr
