"""Completion of names in the shell. Each function returns the names that begin with what was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import get_args

import typer

__all__ = [
    "complete_artefact",
    "complete_collection",
    "complete_format",
    "complete_list_of",
    "complete_one_of",
    "complete_paper",
    "complete_puzzles",
    "complete_scale",
    "complete_solver",
    "complete_solvers",
    "complete_target",
    "complete_techniques",
    "complete_topic",
]


def complete_solver(typed: str) -> list[str]:
    """Complete the name of a solver."""
    return _beginning_with(typed, _solvers_after(typed))


def complete_solvers(typed: str) -> list[str]:
    """Complete the last name in a list of solvers."""
    return _last_of_list(typed, _solvers_after(typed.rpartition(",")[2]))


def complete_techniques(typed: str) -> list[str]:
    """Complete the last name in a list of techniques or families."""
    from sudokulab.logic.techniques import FAMILIES, TECHNIQUES_BY_NAME

    return _last_of_list(typed, [*FAMILIES, *TECHNIQUES_BY_NAME])


def complete_puzzles(typed: str) -> list[str]:
    """Complete the name of a collection or of a file."""
    from sudokulab.instances.collections import collections

    folder = typed[: typed.rfind("/") + 1]
    files = (f"{folder}{path.name}{'/' if path.is_dir() else ''}" for path in sorted(Path(folder or ".").glob("*")))
    return _beginning_with(typed, [*(collection.name for collection in collections()), *files])


def complete_collection(typed: str) -> list[str]:
    """Complete the name of a collection."""
    from sudokulab.instances.collections import collections

    return _beginning_with(typed, (collection.name for collection in collections()))


def complete_format(typed: str) -> list[str]:
    """Complete the name of a format."""
    from sudokulab.formats import FORMATS

    return _beginning_with(typed, FORMATS)


def complete_target(typed: str) -> list[str]:
    """Complete the name of a format or target of a conversion."""
    from sudokulab.convert import TARGETS

    return [*complete_format(typed), *_beginning_with(typed, TARGETS)]


def complete_scale(typed: str) -> list[str]:
    """Complete the name of a rating scale."""
    from sudokulab.logic.rating import Scale

    return _beginning_with(typed, get_args(Scale))


def complete_paper(typed: str) -> list[str]:
    """Complete the name of a paper."""
    from sudokulab.papers.catalogue import PAPERS

    return _beginning_with(typed, [*PAPERS, "all"])


def complete_artefact(context: typer.Context, typed: str) -> list[str]:
    """Complete the name of a table or figure of the paper that was typed before it."""
    from sudokulab.papers.catalogue import PAPERS

    chosen = context.params.get("paper") or ""
    keys = (artefact.key for key, paper in PAPERS.items() if key.startswith(chosen) for artefact in paper.artefacts)
    return _beginning_with(typed, keys)


def complete_one_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the completion of an option with few values."""

    def complete(typed: str) -> list[str]:
        return _beginning_with(typed, names)

    return complete


def complete_list_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the completion of the last value in a list."""

    def complete(typed: str) -> list[str]:
        return _last_of_list(typed, names)

    return complete


def complete_topic(typed: str) -> list[str]:
    """Complete the name of a command or of a topic of the help."""
    from sudokulab.cli import COMMANDS
    from sudokulab.cli.help import TOPICS

    return _beginning_with(typed, [*COMMANDS, *TOPICS])


def _solvers_after(typed: str) -> Iterator[str]:
    """Yield the names of solvers; after a filter and a plus sign, those that combine with it."""
    from sudokulab.solvers import FilteringSolver, all_solvers

    filter, plus, _ = typed.rpartition("+")
    for name, solver in all_solvers().items():
        if not plus or issubclass(solver, FilteringSolver):
            yield filter + plus + name


def _beginning_with(typed: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(typed)]


def _last_of_list(typed: str, names: Iterable[str]) -> list[str]:
    before, comma, last = typed.rpartition(",")
    return [before + comma + name for name in names if name.startswith(last)]
