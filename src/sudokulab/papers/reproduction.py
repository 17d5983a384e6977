"""Reproductions: regenerate a paper's table or figure, compare it with the printed one, and judge it by a fixed rule.

An artefact is a function that performs runs and returns its findings: tables with the paper's numbers next to ours,
figures, and *checks*. A check is a statement about our numbers, written before they are known, that turns out true or
false, or undecided if it concerns a difference that our sample is too small to show. There are four kinds:

- *value*: our number agrees with a printed one, within a stated tolerance;
- *shape*: an order, a trend or a comparison;
- *claim*: a statement about all puzzles, which one counterexample refutes;
- *arithmetic*: a printed number that can be computed exactly, or that another printed number determines.

The verdict follows from the checks by one rule for all papers; the first line that applies decides:

- *findings*: there is no claim of a paper to judge;
- *cannot be checked*: the paper prints nothing that can be checked, or the required data is not available;
- *refuted*: a claim has a counterexample;
- *not judged at this scale*: the effort is smoke or quick, and a value or shape check has no test with enough power;
- *not reproduced*: a shape check fails, or a value check fails and there are no shape checks;
- *underpowered*: a shape check is undecided, or some check is undecided and no value check fails;
- *reproduced in shape*: all shape checks hold, but a value check fails;
- *paper in error*: our numbers agree, but a printed number is wrong by arithmetic or contradicts another one;
- *reproduced in shape*: all checks hold, but none is about values or all puzzles;
- *reproduced*: all checks hold.
"""

from __future__ import annotations

import json
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib import resources
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from sudokulab import formats
from sudokulab.errors import SudokulabError
from sudokulab.instances import Collection, find
from sudokulab.lab import BudgetSpec, Experiment, InstanceSet, SolverSpec, Store, run_experiment
from sudokulab.lab.execution import Observer
from sudokulab.lab.experiment import Run
from sudokulab.lab.power import MIN_POWER, SIGNIFICANCE, DifferenceTest, Rate, compare_with_rate
from sudokulab.papers.records import Records, behaviour_of, digest_of, puzzles_digest, table_of_runs
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = [
    "Artefact",
    "Check",
    "Context",
    "Effort",
    "Findings",
    "MissingCollectionError",
    "Mode",
    "Paper",
    "Puzzles",
    "Verdict",
]

T = TypeVar("T")


class Effort(Enum):
    """Amount of computation: a smoke test, a first look, the published pages, or the paper's full experiment.

    At the published effort, samples are chosen by the power of the tests; checks that remain underpowered say so.
    """

    SMOKE = "smoke"
    QUICK = "quick"
    PUBLISHED = "published"
    FULL = "full"


class Verdict(Enum):
    """Outcome of a reproduction; the module docstring states the rule."""

    REPRODUCED = "reproduced"
    SHAPE = "reproduced in shape"
    NOT_REPRODUCED = "not reproduced"
    REFUTED = "refuted"
    PAPER_IN_ERROR = "paper in error"
    UNDERPOWERED = "underpowered"
    NOT_JUDGED = "not judged at this scale"
    UNCHECKED = "cannot be checked"
    FINDINGS = "findings"


@dataclass(frozen=True)
class Check:
    """A statement about our numbers.

    Parameters
    ----------
    statement
        The claim, in words.
    holds
        Whether it is true; None if our sample is too small to decide.
    kind
        What the statement is about; see the module docstring.
    has_power
        Whether a statistical test decides the statement, with enough power for the claimed effect.
    """

    statement: str
    holds: bool | None
    kind: Literal["value", "shape", "claim", "arithmetic"]
    has_power: bool = False


@dataclass
class Findings:
    """Results of an artefact.

    Parameters
    ----------
    is_own
        Whether the artefact is ours, so that there is no paper's claim to judge.
    tables
        Title, column names and rows of each table.
    checks
        Statements that decide the verdict.
    errors
        Errors of the paper, found by reading it: contradictions, and numbers that are wrong by arithmetic.
    notes
        Remarks for the reader: deviations from the paper with their reasons.
    figures
        Functions that draw on an axis, by figure name.
    files
        Text of further files next to the page, by name.
    is_small
        Whether the samples are smaller than those of the published pages.
    """

    is_own: bool = False
    tables: list[tuple[str, Sequence[str], list[Sequence[object]]]] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    figures: dict[str, Callable[[Axes], None]] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    is_small: bool = False

    def add_table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Add a table. Floats are shown with four significant digits, None as a dash."""
        self.tables.append((title, columns, list(rows)))

    def add_error(self, text: str) -> None:
        """Add an error of the paper that does not affect the verdict."""
        self.errors.append(text)

    def check(self, statement: str, holds: object) -> None:
        """Add a value check."""
        self.checks.append(Check(statement, bool(holds), "value"))

    def check_shape(self, statement: str, holds: object) -> None:
        """Add a shape check."""
        self.checks.append(Check(statement, bool(holds), "shape"))

    def check_claim(self, statement: str, counterexample: str | None) -> None:
        """Add a claim about all puzzles, and a counterexample if there is one."""
        if counterexample is not None:
            statement += f"; counterexample: {counterexample}"
        self.checks.append(Check(statement, counterexample is None, "claim"))

    def check_arithmetic(self, what: str, printed: float, correct: float) -> None:
        """Add a printed number that can be computed exactly; if it is wrong, the paper is in error."""
        is_right = printed == correct
        self.checks.append(Check(f"{what}: the paper prints {printed:,}", is_right, "arithmetic"))
        if not is_right:
            self.errors.append(f"{what}: the paper prints {printed:,}; the correct number is {correct:,}.")

    def check_consistency(self, statement: str, holds: object, error: str) -> None:
        """Add a statement that must hold if the paper's printed numbers agree with each other.

        Parameters
        ----------
        statement, holds
            What should be true of the printed numbers, and whether it is.
        error
            The contradiction, in words; listed among the errors of the paper if the statement is false.
        """
        self.checks.append(Check(statement, bool(holds), "arithmetic"))
        if not holds:
            self.errors.append(error)

    def check_difference(self, statement: str, test: DifferenceTest) -> None:
        """Add a shape check: a difference that the paper claims, with its p-value and the power for this effect."""
        self.checks.append(Check(f"{statement} ({test})", test.holds, "shape", test.power >= MIN_POWER))

    def check_rate(self, statement: str, ours: Rate, theirs: Rate) -> None:
        """Add a value check of a success rate: it must not differ significantly from the paper's.

        Parameters
        ----------
        statement
            What the rate is of, in words.
        ours, theirs
            Successes and runs. The check is undecided if a difference of 20 points would have gone undetected.
        """
        test = compare_with_rate(ours, theirs)
        differs = test.p_value < SIGNIFICANCE
        holds = False if differs else True if test.power >= MIN_POWER else None
        shown = f"paper {100 * theirs[0] / theirs[1]:.3g} %, ours {ours[0]} of {ours[1]}; {test}"
        self.checks.append(Check(f"{statement} ({shown})", holds, "value", test.power >= MIN_POWER))

    @property
    def verdict(self) -> Verdict:
        """The verdict that follows from the checks; the module docstring states the rule."""
        failed = {check.kind for check in self.checks if check.holds is False}
        undecided = {check.kind for check in self.checks if check.holds is None}
        kinds = {check.kind for check in self.checks}
        has_power = all(check.has_power for check in self.checks if check.kind in ("value", "shape"))
        has_shape, has_values = "shape" in kinds, bool(kinds & {"value", "claim"})
        rule = (
            (self.is_own, Verdict.FINDINGS),
            (not kinds, Verdict.UNCHECKED),
            ("claim" in failed, Verdict.REFUTED),
            (self.is_small and not has_power, Verdict.NOT_JUDGED),
            ("shape" in failed or ("value" in failed and not has_shape), Verdict.NOT_REPRODUCED),
            ("shape" in undecided or (undecided and "value" not in failed), Verdict.UNDERPOWERED),
            ("value" in failed, Verdict.SHAPE),
            ("arithmetic" in failed, Verdict.PAPER_IN_ERROR),
            (has_shape and not has_values, Verdict.SHAPE),
        )
        return next((verdict for applies, verdict in rule if applies), Verdict.REPRODUCED)


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
    claim
        What the paper claims, in one short sentence; empty if the artefact has no claim of a paper.
    """

    key: str
    title: str
    make: Callable[[Context], Findings]
    claim: str = ""


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
    stats
        The statistics of runs that its units count; recorded results keep no others.
    about
        What the paper is about, in a sentence or two for the index page.
    """

    key: str
    reference: str
    artefacts: tuple[Artefact, ...]
    stats: tuple[str, ...] = ("iterations",)
    about: str = ""

    @property
    def title(self) -> str:
        """Short title: the first author and the year."""
        name, _, year = self.key.rpartition("-")
        return f"{name.replace('-', ' ').title()} {year}"

    @cached_property
    def printed(self) -> dict[str, Any]:
        """The paper's printed numbers, from ``printed.toml`` in its subpackage."""
        file = resources.files("sudokulab.papers") / self.key.replace("-", "_") / "printed.toml"
        return tomllib.loads(file.read_text(encoding="utf-8"))


class Mode(Enum):
    """Where results come from."""

    RUN = "run"
    """Everything is run and measured."""
    RECORDED = "recorded"
    """Everything comes from the recorded results."""
    EXTEND = "extend"
    """What the recorded results lack is run and added to them."""
    CHECK = "check"
    """Like `RECORDED`, but results that the code would no longer produce are listed as outdated."""


class MissingCollectionError(SudokulabError):
    """Recorded results use a collection of puzzles that is not available."""


Puzzles = Sequence[Puzzle] | Callable[[], Sequence[Puzzle]]
"""Puzzles, or a function that returns them. Recorded results do not need the puzzles."""


@dataclass(frozen=True)
class Context:
    """Settings for reproducing an artefact.

    Parameters
    ----------
    paper
        The paper that the artefact belongs to.
    effort
        Amount of computation.
    folder
        Directory for the runs; an interrupted reproduction resumes from there.
    workers, observer
        See `run_experiment`.
    mode
        Where the results come from.
    records
        The recorded results; receives those of this reproduction.
    deadline
        When to stop starting runs, on the monotonic clock.
    outdated
        Receives a line for each recorded result that the code would no longer produce, if the mode is to check.
    unchecked
        Receives a line for each set or measurement that cannot be checked because its puzzles are missing.
    """

    paper: Paper
    effort: Effort
    folder: Path
    workers: int | None = None
    observer: Observer | None = None
    mode: Mode = Mode.RUN
    records: Records = field(default_factory=Records)
    deadline: float = inf
    outdated: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def printed(self) -> dict[str, Any]:
        """The paper's printed numbers."""
        return self.paper.printed

    def pick(self, *, smoke: T, quick: T, published: T, full: T) -> T:
        """Return the value for the current effort."""
        return {Effort.SMOKE: smoke, Effort.QUICK: quick, Effort.PUBLISHED: published, Effort.FULL: full}[self.effort]

    def public(self, name: str) -> list[Puzzle] | None:
        """Return the puzzles of a collection, bundled or added by the user; None if it is not available.

        Raises
        ------
        MissingCollectionError
            If the recorded results use it and it is missing.
        """
        collection = self._find(name)
        return None if collection is None else list(collection)

    def files(self, name: str) -> Sequence[Path]:
        """Return the files of a collection; see `public`."""
        collection = self._find(name)
        return () if collection is None else collection.files

    def _find(self, name: str) -> Collection | None:
        collection = find(name)
        if collection is None and self.mode is not Mode.RUN and self.records.collections.get(name):
            raise MissingCollectionError(
                f"the recorded results of {self.paper.key} use the collection {name}, which is missing; register its "
                "directory with `sudokulab instances add`"
            )
        return collection

    def has(self, name: str) -> bool:
        """Return whether a collection is available, or was when the results were recorded."""
        used = self.records.collections
        if self.mode is Mode.RUN or name not in used:
            used[name] = find(name) is not None
        return used[name]

    def first_of(self, *names: str) -> str | None:
        """Return the first collection that is available, or was when the results were recorded."""
        return next((name for name in names if self.has(name)), None)

    def measure(self, name: str, function: Callable[[], T], puzzles: Puzzles = ()) -> T:
        """Return what a function measures without runs of solvers, or what it returned when it was recorded.

        Parameters
        ----------
        name
            Name of the measurement, unique within the paper.
        function
            Returns plain data: numbers, text, lists and dictionaries with text as keys.
        puzzles
            The puzzles that it depends on; examples of them if there are many generated ones.
        """
        self.records.used.add(name)
        known = self.records.measured
        if self.mode in (Mode.RECORDED, Mode.CHECK) and name not in known:
            raise self._missing(name)
        if self.mode is not Mode.RECORDED:
            found = self._puzzles(name, puzzles)
            if found is None:
                return known[name]["value"]  # type: ignore[no-any-return]
            digest = puzzles_digest(found)
            is_current = self.mode is not Mode.RUN and name in known and known[name]["puzzles"] == digest
            if self.mode is Mode.CHECK and not is_current:
                self.outdated.append(f"{name}: measured on other puzzles")
            elif not is_current:
                known[name] = {"puzzles": digest, "value": json.loads(json.dumps(function()))}
        value: T = known[name]["value"]
        return value

    def _puzzles(self, what: str, puzzles: Puzzles) -> Sequence[Puzzle] | None:
        """Return puzzles; None if they are missing and results are only checked."""
        try:
            return puzzles() if callable(puzzles) else puzzles
        except MissingCollectionError as error:
            if self.mode is not Mode.CHECK:
                raise
            self.unchecked.append(f"{what}: {error}")
            return None

    def run(
        self,
        name: str,
        sets: Mapping[str, Puzzles],
        solvers: Sequence[SolverSpec],
        *,
        runs: int = 1,
        seed: int = 0,
        are_alternatives: bool = False,
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
        are_alternatives
            Whether the sets are different readings of the same instances, which are never counted together.
        **budget
            See `BudgetSpec`.

        Raises
        ------
        ValueError
            If two sets share a puzzle, which would count twice, unless they are alternatives.
        """
        self.records.used.add(name)
        if self.mode is not Mode.RECORDED:
            self._update(name, sets, solvers, runs, seed, BudgetSpec(**budget), are_alternatives=are_alternatives)
        found = self.records.of(name)
        if found is None:
            raise self._missing(name)
        return found

    def _update(
        self,
        name: str,
        sets: Mapping[str, Puzzles],
        solvers: Sequence[SolverSpec],
        runs: int,
        seed: int,
        budget: BudgetSpec,
        *,
        are_alternatives: bool,
    ) -> None:
        """Make the runs of an experiment that the records lack, or list the outdated ones."""
        import polars as pl

        made = {label: self._puzzles(f"{name}, {label}", puzzles) for label, puzzles in sets.items()}
        found = {label: puzzles for label, puzzles in made.items() if puzzles is not None}
        if not found:
            return
        if not are_alternatives:
            _check_disjoint(found)
        folder = self.folder / f"{self.paper.key}-{self.effort.value}"
        folder.mkdir(parents=True, exist_ok=True)
        instances = []
        for number, (label, puzzles) in enumerate(found.items()):
            file = folder / f"{name}-{number}.jsonl"
            formats.write(puzzles, file)
            instances.append(InstanceSet(set=file.name, label=label))
        behaviours = {spec.title: behaviour_of(spec) for spec in solvers}
        experiment = Experiment(
            name=f"{name} {digest_of(behaviours, budget.model_dump(), seed)}",  # no runs of another version
            runs=runs,
            seed=seed,
            budget=budget,
            instances=tuple(instances),
            solvers=tuple(solvers),
        )
        plan = _in_rounds(experiment.plan(folder))
        current = None if self.mode is Mode.RUN else self.records.current(name, plan, budget, behaviours)
        if self.mode is Mode.CHECK:
            self.outdated.extend(self.records.differences(name, current, ignored=made.keys() - found.keys()))
            return
        done = set(current.select("solver", "instance", "run").rows()) if current is not None else set()
        missing = [run for run in plan if (run.solver.title, run.instance, run.number) not in done]
        tables = [] if current is None else [current]
        if missing:
            tables.append(table_of_runs(self._execute(experiment, missing, folder), name, behaviours, self.paper.stats))
        self.records.replace(name, pl.concat(tables))

    def _execute(self, experiment: Experiment, plan: list[Run], folder: Path) -> pl.DataFrame:
        """Make runs until the deadline, but at least the first part of the plan, and return the finished ones."""
        part = len(plan) if self.deadline == inf else _PART
        with Store(folder / "runs.sqlite") as store:
            for start in range(0, len(plan), part):
                if start and time.monotonic() > self.deadline:
                    break
                some = plan[start : start + part]
                run_experiment(
                    experiment, store, folder=folder, plan=some, workers=self.workers, observer=self.observer
                )
            store.begin(experiment, plan)
            return store.runs(experiment.name)

    def _missing(self, name: str) -> SudokulabError:
        return SudokulabError(
            f"no recorded results of {name}; run `sudokulab reproduce {self.paper.key} --extend-data` first"
        )


_PART = 160
"""Runs between two looks at the clock: starting the processes of the solvers takes longer than many runs."""


def _in_rounds(plan: Sequence[Run]) -> list[Run]:
    """Return runs so that every set gets its first instance, then its second one: a prefix of it is balanced."""
    places: dict[tuple[int, str], dict[str, int]] = {}
    for run in plan:
        instances = places.setdefault((run.number, run.instance_set), {})
        instances.setdefault(run.instance, len(instances))
    return sorted(plan, key=lambda run: (run.number, places[run.number, run.instance_set][run.instance]))


def _check_disjoint(sets: Mapping[str, Sequence[Puzzle]]) -> None:
    seen: dict[Puzzle, str] = {}
    for label, puzzles in sets.items():
        for puzzle in puzzles:
            if seen.setdefault(puzzle, label) != label:
                raise ValueError(f"the sets {seen[puzzle]!r} and {label!r} share the puzzle {puzzle.line}")
