"""Compare solvers on puzzles with one call."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from pathlib import Path

import polars as pl
from pydantic import ValidationError

from sudokulab.errors import SudokulabError
from sudokulab.formats import line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle, one_or_many
from sudokulab.lab.display import TextTable, error_table, pair_table, summary_table
from sudokulab.lab.execution import run_experiment
from sudokulab.lab.experiment import Experiment
from sudokulab.lab.faults import errors_by_solver
from sudokulab.lab.live import live_view
from sudokulab.lab.measures import Basis
from sudokulab.lab.significance import PairTests, pair_tests
from sudokulab.lab.specs import BudgetSpec, ExperimentError, InstanceSet, SolverSpec, describe_problems, spec_of
from sudokulab.lab.statistics import cost_summary, summary
from sudokulab.lab.store import Store
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import Solver
from sudokulab.solvers.registry import SolverLike

__all__ = ["EXPERIMENT_NAME", "Comparison", "compare"]

EXPERIMENT_NAME = "comparison"
"""The name of the experiment in the store."""


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`; printing it shows the summary, the tests and the errors.

    Parameters
    ----------
    runs
        One row per run; see `Store.runs`.
    summary
        One row per solver: success rates and times (see `sudokulab.lab.statistics.summary`), or costs if no run was
        solved (see `cost_summary`).
    pairs
        The tests of all pairs of solvers.
    errors
        Late, wrong, failed and crashed runs by solver; see `sudokulab.lab.faults.errors_by_solver`.
    """

    runs: pl.DataFrame
    summary: pl.DataFrame
    pairs: PairTests
    errors: pl.DataFrame

    @property
    def tests(self) -> pl.DataFrame:
        """One row per pair of solvers, empty if there is nothing to compare; see `significance.compare_pairs`."""
        return self.pairs.table

    @property
    def basis(self) -> Basis:
        """What is compared: PAR-2 seconds, or final costs if no run was solved."""
        return self.pairs.basis

    @classmethod
    def of(cls, runs: pl.DataFrame) -> Comparison:
        """Return the statistics of a table of runs."""
        pairs = pair_tests(runs)
        by_solver = cost_summary(runs) if pairs.basis.measure == "cost" else summary(runs)
        return cls(runs, by_solver, pairs, errors_by_solver(runs))

    def __str__(self) -> str:
        return "\n\n".join(map(str, self._parts()))

    def _repr_html_(self) -> str:
        """Show the tables in a notebook."""
        return "".join(
            part._repr_html_() if isinstance(part, TextTable) else f"<p>{escape(part)}</p>" for part in self._parts()
        )

    def _parts(self) -> Iterator[str | TextTable]:
        """Yield the tables and the lines between them."""
        yield summary_table(self.runs)
        yield self.basis.note
        if len(self.tests):
            yield f"{self.pairs.test_title}:"
            yield pair_table(self.pairs)
            if self.pairs.limit_note:
                yield self.pairs.limit_note
        if len(self.errors):
            yield "Errors:"
            yield error_table(self.runs)


def compare(
    solvers: SolverLike | SolverSpec | Iterable[SolverLike | SolverSpec],
    puzzles: str | Path | Iterable[PuzzleLike],
    *,
    runs: int = 10,
    cpu_seconds: float = 5.0,
    seed: int = 0,
    limit: int | None = None,
    workers: int | None = None,
    progress: bool = False,
    store: str | Path | None = None,
    trace: bool = False,
) -> Comparison:
    """Run solvers on puzzles and compare their success rates and times.

    Every run is executed in a worker process that does not import the calling script, so a script needs no
    ``if __name__ == "__main__":`` guard. Solver classes of a script or a notebook are sent to these processes.

    Parameters
    ----------
    solvers
        Names, ``module:Class``, classes, instances, or `SolverSpec` for labels and command lines.
    puzzles
        Puzzles in any form that `sudokulab.solve` accepts, the reader of a file, or the name of a collection, a file
        or a folder.
    runs
        The number of runs of each stochastic solver on each puzzle; other solvers run once.
    cpu_seconds
        The CPU time of each run.
    seed
        Random seed; the same seed repeats the same runs.
    limit
        The maximum number of puzzles; the first ones are taken.
    workers
        The number of concurrent runs; by default one per core.
    progress
        Whether to show the progress on standard error.
    store
        A file for the runs. The same call resumes, and `sudokulab report` reads it. By default runs are not kept.
    trace
        Whether to keep the trace of each run in the store, for `sudokulab.lab.anytime`.

    Raises
    ------
    SudokulabError
        If a solver, a parameter or a puzzle is invalid.

    Examples
    --------
    >>> from sudokulab.solvers import AntColony
    >>> result = compare(["backtracking", AntColony(ants=5)], "famous", runs=2, limit=1)
    >>> result.summary["solver"].to_list()
    ['ant-colony (ants=5)', 'backtracking']
    """
    experiment = _experiment(solvers, puzzles, limit, runs, cpu_seconds, seed, trace)
    plan = experiment.plan()
    with ExitStack() as stack:
        path = store or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "runs.sqlite"
        kept = stack.enter_context(Store(path))
        missing = kept.missing(experiment.name, plan)
        view = stack.enter_context(live_view(missing)) if progress else None
        run_experiment(experiment, kept, plan=plan, workers=workers, observer=view)
        return Comparison.of(kept.runs(experiment.name))


def _experiment(
    solvers: SolverLike | SolverSpec | Iterable[SolverLike | SolverSpec],
    puzzles: str | Path | Iterable[PuzzleLike],
    limit: int | None,
    runs: int,
    cpu_seconds: float,
    seed: int,
    trace: bool,
) -> Experiment:
    given: Iterable[SolverLike | SolverSpec]
    given = [solvers] if isinstance(solvers, str | type | Solver | SolverSpec) else solvers
    try:
        return Experiment(
            name=EXPERIMENT_NAME,
            runs=runs,
            seed=seed,
            budget=BudgetSpec(cpu_seconds=cpu_seconds),
            trace=trace,
            instances=(_instances(puzzles, limit),),
            solvers=tuple(map(spec_of, given)),
        )
    except ValidationError as error:
        raise ExperimentError("\n".join(describe_problems(error))) from None


def _instances(puzzles: str | Path | Iterable[PuzzleLike], limit: int | None) -> InstanceSet:
    if isinstance(puzzles, Path) or (isinstance(puzzles, str) and not _is_puzzle(puzzles)):
        return InstanceSet(set=str(puzzles), limit=limit)
    texts = tuple(_as_text(as_puzzle(puzzle)) for puzzle in islice(one_or_many(puzzles), limit))
    if not texts:
        raise ExperimentError("no puzzles to compare on")
    return InstanceSet(label="puzzles", puzzles=texts)


def _is_puzzle(text: str) -> bool:
    try:
        as_puzzle(text)
    except SudokulabError:
        return False
    return True


def _as_text(puzzle: Puzzle) -> str:
    """Return a puzzle as one line, with its name and box shape."""
    with io.StringIO() as text:
        line.FORMAT.write([replace(puzzle, solution=None)], text)
        return text.getvalue().strip()
