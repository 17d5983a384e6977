"""The reproduced papers. Each has a subpackage with its printed numbers and one function per table or figure."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from pathlib import Path

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.lab.execution import Observer
from sudokulab.papers.all_solvers import PAPER as ALL_SOLVERS
from sudokulab.papers.jones_2007 import PAPER as JONES_2007
from sudokulab.papers.lewis_2007 import PAPER as LEWIS_2007
from sudokulab.papers.lloyd_2019 import PAPER as LLOYD_2019
from sudokulab.papers.records import Records
from sudokulab.papers.reproduction import Artefact, Check, Context, Effort, Findings, Mode, Paper, Verdict
from sudokulab.papers.san_segundo_2009 import PAPER as SAN_SEGUNDO_2009
from sudokulab.papers.soto_2013 import PAPER as SOTO_2013

__all__ = [
    "PAPERS",
    "Artefact",
    "Check",
    "Context",
    "Effort",
    "Findings",
    "Mode",
    "Paper",
    "Verdict",
    "outdated_results",
    "paper_of",
    "reproduce",
]

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
    mode: Mode = Mode.RUN,
    records: Records | None = None,
    deadline: float = inf,
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
    mode, records, deadline
        See `Context`.
    """
    wanted = [one for one in paper.artefacts if artefact in (None, one.key)]
    if not wanted:
        keys = [one.key for one in paper.artefacts]
        raise SudokulabError(unknown_name(f"artefact of {paper.key}", str(artefact), keys))
    context = Context(paper, effort, folder, workers, observer, mode, records or Records(), deadline)
    for one in wanted:
        findings = one.make(context)
        findings.is_small = effort in (Effort.SMOKE, Effort.QUICK)
        yield one, findings


def outdated_results(paper: Paper, records: Records, folder: Path) -> tuple[list[str], list[str]]:
    """Describe the recorded results of a paper that the code would no longer produce.

    Parameters
    ----------
    paper
        The paper.
    records
        Its recorded results.
    folder
        Directory for temporary files.

    Returns
    -------
    tuple
        A line for each of these results, and a line for each result that cannot be checked because its collection of
        puzzles is missing.
    """
    context = Context(paper, Effort.PUBLISHED, folder, mode=Mode.CHECK, records=records)
    for artefact in paper.artefacts:
        artefact.make(context)
    outdated = [*dict.fromkeys(context.outdated), *(f"{name}: no longer used" for name in records.unused)]
    return outdated, [*dict.fromkeys(context.unchecked)]
