"""The reproduced papers. Each has a subpackage with its printed numbers and one function per table or figure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.lab.execution import Observer
from sudokulab.papers.all_solvers import PAPER as ALL_SOLVERS
from sudokulab.papers.jones_2007 import PAPER as JONES_2007
from sudokulab.papers.lewis_2007 import PAPER as LEWIS_2007
from sudokulab.papers.lloyd_2019 import PAPER as LLOYD_2019
from sudokulab.papers.reproduction import Artefact, Check, Context, Effort, Findings, Paper, Verdict
from sudokulab.papers.san_segundo_2009 import PAPER as SAN_SEGUNDO_2009
from sudokulab.papers.soto_2013 import PAPER as SOTO_2013

__all__ = ["PAPERS", "Artefact", "Check", "Context", "Effort", "Findings", "Paper", "Verdict", "paper_of", "reproduce"]

PAPERS: dict[str, Paper] = {
    paper.key: paper for paper in (JONES_2007, SOTO_2013, LLOYD_2019, LEWIS_2007, SAN_SEGUNDO_2009, ALL_SOLVERS)
}


def paper_of(name: str) -> Paper:
    """Return a paper by its key or by an unambiguous prefix of it."""
    matches = [paper for key, paper in PAPERS.items() if key.startswith(name)]
    if len(matches) != 1:
        raise SudokulabError(unknown_name("paper", name, PAPERS))
    return matches[0]


def reproduce(
    paper: Paper,
    artefact: str | None = None,
    *,
    effort: Effort = Effort.QUICK,
    folder: Path,
    workers: int | None = None,
    observer: Observer | None = None,
) -> Iterator[tuple[Artefact, Findings]]:
    """Reproduce all artefacts of a paper, or one, and yield each with its findings.

    Parameters
    ----------
    paper, artefact
        The paper, and the key of one artefact (default: all).
    effort
        Amount of computation.
    folder
        Directory for the runs. Repeating a call with the same folder resumes it.
    workers, observer
        See `run_experiment`.
    """
    wanted = [one for one in paper.artefacts if artefact in (None, one.key)]
    if not wanted:
        keys = [one.key for one in paper.artefacts]
        raise SudokulabError(unknown_name(f"artefact of {paper.key}", str(artefact), keys))
    context = Context(paper, effort, folder, workers, observer)
    for one in wanted:
        findings = one.make(context)
        findings.is_small = effort in (Effort.SMOKE, Effort.QUICK)
        yield one, findings
