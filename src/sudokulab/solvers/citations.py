"""BibTeX of the package and of the papers of its solvers, which are in ``papers.bib``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import resources

import sudokulab
from sudokulab.solvers.registry import SolverLike, make_solver

__all__ = ["bibtex"]

_YEAR = 2026
"""The year of ``date-released`` in CITATION.cff."""


def bibtex(solvers: Iterable[SolverLike] = ()) -> str:
    """Return the BibTeX entries of the package and of the papers of some solvers and their filters.

    Parameters
    ----------
    solvers
        Solvers: names such as ``"cp+annealing"``, classes or instances. Solvers of others have no entries here.

    Examples
    --------
    >>> print(bibtex(["dlx"]).splitlines()[0])
    @software{sudokulab,
    """
    named = {part for solver in solvers for part in make_solver(solver).name.split("+")}
    papers = resources.files(__package__).joinpath("papers.bib").read_text("utf-8").strip().split("\n\n")
    return "\n\n".join([_package(), *(paper for paper in papers if named & _keywords(paper))]) + "\n"


def _package() -> str:
    return (
        "@software{sudokulab,\n"
        "  author = {{The Sudokulab developers}},\n"
        "  title = {Sudokulab: solve, rate, generate and compare Sudoku},\n"
        f"  version = {{{sudokulab.__version__}}},\n"
        f"  year = {{{_YEAR}}},\n"
        "  license = {MIT}\n"
        "}"
    )


def _keywords(paper: str) -> set[str]:
    found = re.search(r"keywords = \{(.*)\}", paper)
    return set(found[1].split(", ")) if found else set()
