"""What a reproduction is: a paper's table or figure, made again, set beside what was printed, and judged by a rule.

An artefact is a function that makes runs and returns its findings: tables with the paper's numbers beside ours,
figures, and *checks*. A check is a statement about our numbers that is written down before they are known and comes
out true or false. The verdict follows from the checks by one rule for all papers:

- *reproduced*: every check holds;
- *reproduced in shape*: every check of shape (an order, a trend, a comparison) holds, but not every check of value;
- *not reproduced*: a check of shape fails, or there are only checks of value and one of them fails;
- *cannot be checked*: the paper prints nothing that can be checked, or what it takes is not at hand.
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
    """How much is run: to see that it works, to see what comes out, or what the paper ran."""

    SMOKE = "smoke"
    QUICK = "quick"
    FULL = "full"


class Verdict(Enum):
    """What a reproduction comes to; see the module's head for the rule."""

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
        What must hold, in words.
    holds
        Whether it does.
    is_shape
        Whether it is about the shape (an order, a trend, a comparison) rather than about values.
    """

    statement: str
    holds: bool
    is_shape: bool = False


@dataclass
class Findings:
    """What an artefact comes to.

    Parameters
    ----------
    tables
        Each a title, the names of its columns and its rows.
    checks
        What decides the verdict.
    notes
        What a reader has to know: where the paper contradicts itself, what differs from it and why.
    figures
        By file name, what draws them on an axis.
    """

    tables: list[tuple[str, Sequence[str], list[Sequence[object]]]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Callable[[Axes], None]] = field(default_factory=dict)

    def add_table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Add a table; numbers are shown as they are, floats with four digits, None as a dash."""
        self.tables.append((title, columns, list(rows)))

    def check(self, statement: str, holds: object) -> None:
        """Add a check of values."""
        self.checks.append(Check(statement, bool(holds)))

    def check_shape(self, statement: str, holds: object) -> None:
        """Add a check of the shape."""
        self.checks.append(Check(statement, bool(holds), is_shape=True))

    @property
    def verdict(self) -> Verdict:
        """What follows from the checks."""
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
        Its name on the command line, such as ``table-1``.
    title
        What it shows.
    make
        Makes it again.
    """

    key: str
    title: str
    make: Callable[[Context], Findings]


@dataclass(frozen=True)
class Paper:
    """A paper and what is reproduced of it.

    Parameters
    ----------
    key
        Its name on the command line, and of its folder.
    reference
        Authors, title, where and when.
    artefacts
        What is reproduced.
    """

    key: str
    reference: str
    artefacts: tuple[Artefact, ...]

    @cached_property
    def printed(self) -> dict[str, Any]:
        """The numbers that the paper prints, from ``printed.toml`` in its folder."""
        file = resources.files("sudokulab.papers") / self.key.replace("-", "_") / "printed.toml"
        return tomllib.loads(file.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Context:
    """What an artefact is made with.

    Parameters
    ----------
    paper
        Whose artefact it is.
    scale
        How much to run.
    folder
        Where runs are kept, so that a reproduction that was interrupted goes on.
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
        """The numbers that the paper prints."""
        return self.paper.printed

    def pick(self, *, smoke: Any, quick: Any, full: Any) -> Any:
        """Return what belongs to the scale."""
        return {Scale.SMOKE: smoke, Scale.QUICK: quick, Scale.FULL: full}[self.scale]

    def public(self, name: str) -> list[Puzzle] | None:
        """Return the puzzles of a public collection that the user has added; None if it is not there."""
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
        """Make runs of solvers on sets of puzzles, through the lab, and return them as a table.

        Parameters
        ----------
        name
            Of the experiment, unique in the paper.
        sets
            Puzzles by the name of their set.
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
        return table.filter([key in planned for key in keys])  # not those of an earlier plan of the same name
