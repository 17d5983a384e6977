"""Reproductions: regenerate a paper's table or figure, compare it with the printed one, and judge it by a fixed rule.

An artefact is a function that performs runs and returns its findings: tables with the paper's numbers next to ours,
figures, and *checks*. A check is a statement about our numbers, written before they are known, that turns out true or
false. The verdict follows from the checks by one rule for all papers:

- *reproduced*: all checks hold;
- *reproduced in shape*: all shape checks (an order, a trend, a comparison) hold, but some value check fails;
- *not reproduced*: a shape check fails, or a value check fails and there are no shape checks;
- *cannot be checked*: the paper prints nothing that can be checked, or the required data is not available.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudokulab import formats
from sudokulab.instances import find
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, run_experiment
from sudokulab.lab.execution import Observer
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["Artefact", "Check", "Context", "Findings", "Paper", "Scale", "Verdict"]


class Scale(Enum):
    """Amount of computation: a smoke test, a quick but meaningful run, or the paper's full experiment."""

    SMOKE = "smoke"
    QUICK = "quick"
    FULL = "full"


class Verdict(Enum):
    """Outcome of a reproduction; the module docstring states the rule."""

    REPRODUCED = "reproduced"
    SHAPE = "reproduced in shape"
    NOT_REPRODUCED = "not reproduced"
    UNCHECKED = "cannot be checked"


@dataclass(frozen=True)
class Check:
    """A statement about our numbers.

    Parameters
    ----------
    statement
        The claim, in words.
    holds
        Whether it is true.
    is_shape
        Whether it concerns the shape (an order, a trend, a comparison) rather than values.
    """

    statement: str
    holds: bool
    is_shape: bool = False


@dataclass
class Findings:
    """Results of an artefact.

    Parameters
    ----------
    tables
        Title, column names and rows of each table.
    checks
        Statements that decide the verdict.
    notes
        Remarks for the reader: contradictions in the paper, and deviations from it with their reasons.
    figures
        Functions that draw on an axis, by figure name.
    """

    tables: list[tuple[str, Sequence[str], list[Sequence[object]]]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Callable[[Axes], None]] = field(default_factory=dict)

    def add_table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Add a table. Floats are shown with four significant digits, None as a dash."""
        self.tables.append((title, columns, list(rows)))

    def check(self, statement: str, holds: object) -> None:
        """Add a value check."""
        self.checks.append(Check(statement, bool(holds)))

    def check_shape(self, statement: str, holds: object) -> None:
        """Add a shape check."""
        self.checks.append(Check(statement, bool(holds), is_shape=True))

    @property
    def verdict(self) -> Verdict:
        """The verdict that follows from the checks."""
        if not self.checks:
            return Verdict.UNCHECKED
        if all(check.holds for check in self.checks):
            return Verdict.REPRODUCED
        shape = [check for check in self.checks if check.is_shape]
        return Verdict.SHAPE if shape and all(check.holds for check in shape) else Verdict.NOT_REPRODUCED


@dataclass(frozen=True)
class Artefact:
    """A table, a figure or a claim of a paper.

    Parameters
    ----------
    key
        Name on the command line, such as ``table-1``.
    title
        Short description of what it shows.
    make
        Function that reproduces it.
    """

    key: str
    title: str
    make: Callable[[Context], Findings]


@dataclass(frozen=True)
class Paper:
    """A paper and its reproduced artefacts.

    Parameters
    ----------
    key
        Name on the command line; with underscores, the name of its subpackage.
    reference
        Authors, title, venue and year.
    artefacts
        The reproduced tables, figures and claims.
    """

    key: str
    reference: str
    artefacts: tuple[Artefact, ...]

    @cached_property
    def printed(self) -> dict[str, Any]:
        """The paper's printed numbers, from ``printed.toml`` in its subpackage."""
        file = resources.files("sudokulab.papers") / self.key.replace("-", "_") / "printed.toml"
        return tomllib.loads(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Context:
    """Settings for reproducing an artefact.

    Parameters
    ----------
    paper
        The paper that the artefact belongs to.
    scale
        Amount of computation.
    folder
        Directory for the runs; an interrupted reproduction resumes from there.
    workers, observer
        See `run_experiment`.
    """

    paper: Paper
    scale: Scale
    folder: Path
    workers: int | None = None
    observer: Observer | None = None

    @property
    def printed(self) -> dict[str, Any]:
        """The paper's printed numbers."""
        return self.paper.printed

    def pick(self, *, smoke: Any, quick: Any, full: Any) -> Any:
        """Return the value for the current scale."""
        return {Scale.SMOKE: smoke, Scale.QUICK: quick, Scale.FULL: full}[self.scale]

    def public(self, name: str) -> list[Puzzle] | None:
        """Return the puzzles of a collection, bundled or added by the user; None if it is not available."""
        collection = find(name)
        return None if collection is None else list(collection)

    def run(
        self,
        name: str,
        sets: dict[str, Sequence[Puzzle]],
        solvers: Sequence[SolverSpec],
        *,
        runs: int = 1,
        seed: int = 0,
        **budget: Any,
    ) -> pl.DataFrame:
        """Run solvers on sets of puzzles through the lab, and return the runs as a table.

        Parameters
        ----------
        name
            Name of the experiment, unique within the paper.
        sets
            Puzzles by set name.
        solvers, runs, seed
            See `Experiment`.
        **budget
            See `BudgetSpec`.
        """
        folder = self.folder / f"{self.paper.key}-{self.scale.value}"
        folder.mkdir(parents=True, exist_ok=True)
        instances = []
        for number, (label, puzzles) in enumerate(sets.items()):
            file = folder / f"{name}-{number}.jsonl"
            formats.write(puzzles, file)
            instances.append(InstanceSet(set=file.name, label=label))
        experiment = Experiment(
            name=name,
            runs=runs,
            seed=seed,
            budget=BudgetSpec(**budget),
            instances=tuple(instances),
            solvers=tuple(solvers),
        )
        with Store(folder / "runs.sqlite") as store:
            run_experiment(experiment, store, folder=folder, workers=self.workers, observer=self.observer)
            planned = {(run.solver.title, run.instance, run.number, run.key) for run in experiment.plan(folder)}
            table = store.runs(name)
        keys = zip(table["solver"], table["instance"], table["run"], table["key"], strict=True)
        return table.filter([key in planned for key in keys])  # drop runs of an earlier plan with the same name
