"""The recorded results of a paper, from which its page is made without running a solver.

``docs/papers/data`` has two files per paper: ``PAPER.parquet`` with a row per run, and ``PAPER.json`` with what was
measured without runs. A recorded run counts only as long as the code would make the same run again: on the same
puzzle, with the same parameters, seed and limits, and with a solver that still takes the same steps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sudokulab import __version__
from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab.formats import parse
from sudokulab.lab import BudgetSpec, SolverSpec
from sudokulab.lab.experiment import Run
from sudokulab.lab.records import Outcome
from sudokulab.papers.folder import pages_folder
from sudokulab.puzzle import Puzzle
from sudokulab.search.budget import Budget

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Records", "behaviour_of", "digest_of", "puzzles_digest", "table_of_runs"]

_KEYS = ("solver", "instance", "run", "puzzle", "parameters", "behaviour", "seed")
"""The columns that say which run of an experiment a row records."""
_BUDGET = {"budget_seconds": "cpu_seconds", "budget_iterations": "iterations", "budget_nodes": "nodes"}
_STEPS = {"iterations": 2000, "nodes": 50}
_PROBE = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def digest_of(*parts: object) -> str:
    """Return a short hash of plain data."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:12]


def puzzles_digest(puzzles: Iterable[Puzzle]) -> str:
    """Return a short hash of puzzles in any order."""
    return digest_of(sorted(map(_puzzle_digest, puzzles)))


def behaviour_of(spec: SolverSpec) -> str:
    """Return a short hash of what a solver does on a fixed puzzle with a fixed seed.

    It serves as the version of the solver: it changes with the steps that the algorithm takes.
    """
    return _behaviour_of(_parameters_of(spec))


@cache
def _behaviour_of(parameters: str) -> str:
    spec = SolverSpec(**json.loads(parameters), label="probe")
    if spec.command is not None:  # the program may be missing where its recorded runs are used
        return digest_of(parameters)
    solver = spec.make()
    limit = {unit: steps for unit, steps in _STEPS.items() if unit == solver.unit}
    result = solver.solve(parse(_PROBE), Budget(**limit), seed=1)  # type: ignore[arg-type]
    grid = result.solution or result.best
    return digest_of(result.status.name, result.cost, grid and grid.line, dict(result.stats))


def table_of_runs(
    runs: pl.DataFrame, experiment: str, behaviours: dict[str, str], stats: Sequence[str]
) -> pl.DataFrame:
    """Return the runs of a store as rows to record.

    Parameters
    ----------
    runs
        As from `Store.runs`.
    experiment
        The name of the experiment.
    behaviours
        The hash of each solver's behaviour, by its title.
    stats
        The statistics to keep.
    """
    import polars as pl

    parameters = {text: _parameters_of(SolverSpec.model_validate_json(text)) for text in runs["spec"].unique()}
    puzzles = [digest_of(box, line) for box, line in runs.select("box", "puzzle").rows()]
    return runs.select(
        pl.lit(experiment).alias("experiment"),
        "instance_set",
        "instance",
        pl.Series("puzzle", puzzles, pl.String),
        pl.col("size").cast(pl.Int16),
        pl.col("num_givens").cast(pl.Int16),
        "solver",
        pl.col("spec").replace_strict(parameters, return_dtype=pl.String).alias("parameters"),
        pl.col("solver").replace_strict(behaviours, return_dtype=pl.String).alias("behaviour"),
        pl.lit(__version__).alias("version"),
        pl.col("run").cast(pl.Int32),
        pl.col("seed").cast(pl.UInt64),
        *_BUDGET,
        "outcome",
        *(pl.col(name).cast(pl.Float32) for name in ("cpu_seconds", "reported_seconds")),
        *(
            pl.col(f"stats_{name}")
            if f"stats_{name}" in runs.columns
            else pl.lit(None, pl.Float64).alias(f"stats_{name}")
            for name in stats
        ),
    ).sort("experiment", "instance_set", "instance", "run", "solver")


@dataclass
class Records:
    """The recorded results of a paper.

    Parameters
    ----------
    runs
        One row per run; None without runs.
    measured
        What was measured without runs: the value by name, and the hash of the puzzles it was measured on.
    collections
        Which collections of puzzles were available.
    used
        The experiments and measurements that have been asked for; not stored.
    """

    runs: pl.DataFrame | None = None
    measured: dict[str, dict[str, Any]] = field(default_factory=dict)
    collections: dict[str, bool] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    @classmethod
    def load(cls, paper: str, folder: Traversable | None = None) -> Self:
        """Read the results of a paper from a folder; empty if there are none."""
        import polars as pl

        folder = folder or pages_folder() / "data"
        runs, measured = folder / f"{paper}.parquet", folder / f"{paper}.json"
        others = json.loads(measured.read_text(encoding="utf-8")) if measured.is_file() else {}
        return cls(pl.read_parquet(runs.read_bytes()) if runs.is_file() else None, **others)

    def save(self, paper: str, folder: Path | None = None) -> None:
        """Write the results of a paper to a folder, by default that of the pages."""
        folder = folder or Path(str(pages_folder())) / "data"
        folder.mkdir(parents=True, exist_ok=True)
        if self.runs is not None:
            with whole_bytes(folder / f"{paper}.parquet") as stream:
                self.runs.write_parquet(stream, compression="zstd", compression_level=19)
        with whole_file(folder / f"{paper}.json") as text:
            others = {
                "collections": dict(sorted(self.collections.items())),
                "measured": dict(sorted(self.measured.items())),
            }
            text.write(json.dumps(others, indent=1, ensure_ascii=False) + "\n")

    @property
    def unused(self) -> list[str]:
        """The experiments and measurements that have not been asked for."""
        experiments = set() if self.runs is None else set(self.runs["experiment"])
        return sorted((experiments | self.measured.keys()) - self.used)

    def drop_unused(self) -> None:
        """Remove what has not been asked for."""
        import polars as pl

        self.measured = {name: one for name, one in self.measured.items() if name in self.used}
        if self.runs is not None:
            self.runs = self.runs.filter(pl.col("experiment").is_in(sorted(self.used)))

    def of(self, experiment: str) -> pl.DataFrame | None:
        """Return the runs of an experiment, with the columns ``is_success`` and ``seconds``; None without any."""
        import polars as pl

        if self.runs is None:
            return None
        runs = self.runs.filter(experiment=experiment)
        if not len(runs):
            return None
        return runs.with_columns(
            pl.col("cpu_seconds", "reported_seconds").cast(pl.Float64),
            is_success=pl.col("outcome").is_in(Outcome.SUCCESSES),
        ).with_columns(seconds=pl.col("cpu_seconds"))

    def replace(self, experiment: str, runs: pl.DataFrame) -> None:
        """Set the runs of an experiment."""
        import polars as pl

        others = [] if self.runs is None else [self.runs.filter(pl.col("experiment") != experiment)]
        self.runs = pl.concat([*others, runs], how="diagonal").sort(
            "experiment", "instance_set", "instance", "run", "solver"
        )

    def current(
        self, experiment: str, plan: Sequence[Run], budget: BudgetSpec, behaviours: dict[str, str]
    ) -> pl.DataFrame | None:
        """Return the rows of an experiment that record runs of a plan; None without any."""
        import polars as pl

        if self.runs is None:
            return None
        rows = [
            (
                run.solver.title,
                run.instance,
                run.number,
                _puzzle_digest(run.puzzle),
                _parameters_of(run.solver),
                behaviours[run.solver.title],
                run.seed,
            )
            for run in plan
        ]
        planned = pl.DataFrame(rows, {name: self.runs.schema[name] for name in _KEYS}, orient="row")
        runs = self.runs.filter(experiment=experiment).join(planned, on=_KEYS, how="semi")
        for column, limit in _BUDGET.items():
            runs = runs.filter(pl.col(column).eq_missing(pl.lit(getattr(budget, limit))))
        return runs if len(runs) else None

    def summary_of_sets(self) -> tuple[list[str], list[tuple[object, ...]]]:
        """Return the columns and rows of a table of the instance sets: runs, instances and a hash of the instances."""
        columns = ["experiment", "set", "runs", "instances", "hash of the puzzles"]
        rows: list[tuple[object, ...]] = []
        for (experiment, label), runs in self._groups("experiment", "instance_set"):
            puzzles = runs["puzzle"].unique().sort().to_list()
            rows.append((experiment, label, len(runs), len(puzzles), digest_of(puzzles)))
        return columns, rows

    def summary_of_solvers(self) -> tuple[list[str], list[tuple[object, ...]]]:
        """Return the columns and rows of a table of the experiments: limits, and hashes of parameters and solvers."""
        columns = ["experiment", "limit", "solvers", "hash of the parameters", "hash of the solvers", "version"]
        rows: list[tuple[object, ...]] = []
        for (experiment,), runs in self._groups("experiment"):
            limits = {name: runs[column][0] for column, name in _BUDGET.items()}
            solvers, parameters, behaviours, versions = (
                runs[column].unique().sort().to_list() for column in ("solver", "parameters", "behaviour", "version")
            )
            shown = ", ".join(f"{limit:,g} {name.replace('_', ' ')}" for name, limit in limits.items() if limit)
            hashes = digest_of(parameters), digest_of(behaviours)
            rows.append((experiment, shown, len(solvers), *hashes, ", ".join(versions)))
        return columns, rows

    def _groups(self, *columns: str) -> Iterator[tuple[tuple[Any, ...], pl.DataFrame]]:
        if self.runs is not None:
            yield from self.runs.group_by(*columns, maintain_order=True)

    def differences(self, experiment: str, current: pl.DataFrame | None, ignored: Collection[str] = ()) -> list[str]:
        """Say how many recorded runs of an experiment are not among the current ones, and which solvers made them.

        Parameters
        ----------
        experiment, current
            The name of the experiment, and its current runs.
        ignored
            Instance sets that are not compared.
        """
        import polars as pl

        if self.runs is None:
            return []
        runs = self.runs.filter(~pl.col("instance_set").is_in(list(ignored)), experiment=experiment)
        outdated = runs if current is None else runs.join(current, on=_KEYS, how="anti")
        if not len(outdated):
            return []
        solvers = ", ".join(outdated["solver"].unique().sort())
        sets = ", ".join(outdated["instance_set"].unique().sort())
        return [f"{experiment}: {len(outdated):,} of {len(runs):,} runs, made by {solvers} on {sets}"]


def _puzzle_digest(puzzle: Puzzle) -> str:
    return digest_of(str(puzzle.box), puzzle.line)


def _parameters_of(spec: SolverSpec) -> str:
    """Return a solver and its parameters as text, without its label."""
    return json.dumps(spec.model_dump(mode="json", exclude_defaults=True, exclude={"label"}), sort_keys=True)
