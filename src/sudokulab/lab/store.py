"""Where runs are kept: one SQLite file, one row a run.

A run is written in one transaction when it is over, and the write-ahead log is synced, so that nothing is half written
and nothing that was written is lost, whenever the process is killed. Before a run begins its key is *claimed*; a claim
of a process that is no more is void. So several processes can work on one store without doing the same run twice.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.machine import Machine, machine
from sudokulab.errors import SudokulabError
from sudokulab.lab.experiment import Experiment, Run

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Outcome", "RunRecord", "Store"]

_CLAIM_SECONDS = 120  # a claim from another machine that was not renewed for so long is void
_SCHEMA = """
CREATE TABLE IF NOT EXISTS experiments (name TEXT PRIMARY KEY, definition TEXT NOT NULL, began TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS runs (
    key TEXT NOT NULL, experiment TEXT NOT NULL, instance_set TEXT NOT NULL, instance TEXT NOT NULL,
    puzzle TEXT NOT NULL, box TEXT NOT NULL, size INTEGER NOT NULL, num_givens INTEGER NOT NULL,
    solver TEXT NOT NULL, spec TEXT NOT NULL, run INTEGER NOT NULL, seed TEXT NOT NULL,
    budget_seconds REAL, budget_iterations INTEGER, budget_nodes INTEGER,
    outcome TEXT NOT NULL, is_success INTEGER NOT NULL, solution TEXT, cost REAL,
    cpu_seconds REAL NOT NULL, wall_seconds REAL NOT NULL, reported_seconds REAL,
    stats TEXT NOT NULL, error TEXT, trace BLOB, version TEXT NOT NULL, machine TEXT NOT NULL, finished TEXT NOT NULL,
    PRIMARY KEY (experiment, solver, instance, run, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS plans (
    experiment TEXT NOT NULL, solver TEXT NOT NULL, instance TEXT NOT NULL, run INTEGER NOT NULL, key TEXT NOT NULL,
    PRIMARY KEY (experiment, solver, instance, run, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claims (
    experiment TEXT NOT NULL, solver TEXT NOT NULL, instance TEXT NOT NULL, run INTEGER NOT NULL, key TEXT NOT NULL,
    host TEXT NOT NULL, process TEXT NOT NULL, renewed REAL NOT NULL,
    PRIMARY KEY (experiment, solver, instance, run, key)
) WITHOUT ROWID;
"""


class Outcome:
    """How a run ended, as the store has it."""

    SOLVED = "solved"
    UNSATISFIABLE = "unsatisfiable"
    UNSOLVED = "unsolved"
    """The budget was used up."""
    LATE = "late"
    """It answered, or gave up, only after its budget."""
    WRONG = "wrong"
    """It called a grid a solution that is none."""
    ERROR = "error"
    """It broke down with an exception."""
    CRASHED = "crashed"
    """Its process died."""
    KILLED = "killed"
    """It did not stop, and was killed."""

    SUCCESSES = (SOLVED, UNSATISFIABLE)
    FAULTS = (LATE, WRONG, ERROR, CRASHED, KILLED)


@dataclass(frozen=True)
class RunRecord:
    """What came of a run.

    Parameters
    ----------
    outcome
        One of `Outcome`.
    cpu_seconds, wall_seconds
        What it used, measured from outside the solver.
    reported_seconds
        What the solver says it used.
    solution
        The verified grid as text.
    cost, stats
        As in `Result`.
    error
        What went wrong.
    trace
        The course of the run, if it was to be kept.
    machine
        Where it was made.
    """

    outcome: str
    cpu_seconds: float
    wall_seconds: float
    reported_seconds: float | None = None
    solution: str | None = None
    cost: float | None = None
    stats: Mapping[str, int | float] = field(default_factory=dict)
    error: str | None = None
    trace: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    machine: Machine = field(default_factory=machine)

    @property
    def is_success(self) -> bool:
        """Whether there was a right answer within the budget."""
        return self.outcome in Outcome.SUCCESSES


class Store:
    """A file of runs.

    Parameters
    ----------
    path
        The file; made if it is not there.
    is_readonly
        Whether it is only read; a file that is not there is then an error.
    """

    def __init__(self, path: str | Path, *, is_readonly: bool = False) -> None:
        self.path = Path(path)
        if is_readonly and not self.path.is_file():
            raise SudokulabError(f"{path}: no such store, expected what `sudokulab run` has written")
        try:
            if is_readonly:
                mode = "mode=ro" if os.access(self.path.parent, os.W_OK) else "immutable=1"
                self._connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?{mode}", uri=True, timeout=60)
                self._connection.execute("SELECT count(*) FROM runs")
                return
            self._connection = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise SudokulabError(f"{path}: no store of runs: {error}") from None

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, experiment: Experiment, plan: Sequence[Run]) -> None:
        """Keep the definition and the plan of an experiment.

        It may go on with an earlier one of that name: with more runs, other solvers or other sets. Runs that are no
        longer in the plan stay in the store and are left out of tables. Another budget, seed or trace is refused.
        """
        definition = experiment.model_dump_json()
        row = self._connection.execute(
            "SELECT definition FROM experiments WHERE name = ?", [experiment.name]
        ).fetchone()
        if row and not _is_continuation(json.loads(row[0]), json.loads(definition)):
            raise SudokulabError(
                f"{self.path}: has another experiment named {experiment.name!r}, expected another name or another store"
            )
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO experiments VALUES (?, ?, ?) "
                "ON CONFLICT (name) DO UPDATE SET definition = excluded.definition",
                [experiment.name, definition, _now()],
            )
            connection.execute("DELETE FROM plans WHERE experiment = ?", [experiment.name])
            connection.executemany(
                "INSERT OR IGNORE INTO plans VALUES (?, ?, ?, ?, ?)", ([experiment.name, *_place(run)] for run in plan)
            )

    def num_planned(self, experiment: str) -> int:
        """Return how many runs the plan of an experiment has."""
        query = "SELECT count(*) FROM plans WHERE experiment = ?"
        return int(self._connection.execute(query, [experiment]).fetchone()[0])

    def experiments(self) -> dict[str, Experiment]:
        """Return the experiments by name, in the order in which they were begun."""
        rows = self._connection.execute("SELECT name, definition FROM experiments ORDER BY began")
        context = {"is_stored": True}  # what solvers it had need not be here
        return {name: Experiment.model_validate_json(text, context=context) for name, text in rows}

    def missing(self, experiment: str, runs: Iterable[Run]) -> list[Run]:
        """Return those of the runs that are not there yet."""
        rows = self._connection.execute(
            "SELECT solver, instance, run, key FROM runs WHERE experiment = ?", [experiment]
        ).fetchall()
        done = {tuple(row) for row in rows}
        return [run for run in runs if _place(run) not in done]

    def claim(self, experiment: str, run: Run) -> bool:
        """Take a run for this process; False if it is done, or another process has it."""
        place = [experiment, *_place(run)]
        with self._transaction() as connection:
            where = "experiment = ? AND solver = ? AND instance = ? AND run = ? AND key = ?"
            if connection.execute(f"SELECT 1 FROM runs WHERE {where}", place).fetchone():
                return False
            row = connection.execute(f"SELECT host, process, renewed FROM claims WHERE {where}", place).fetchone()
            if row and (row[0], row[1]) != (machine().host, _process()) and _is_valid(*row):
                return False
            values = [*place, machine().host, _process(), time.time()]
            connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        return True

    def renew(self) -> None:
        """Keep the claims of this process valid."""
        with self._transaction() as connection:
            values = [time.time(), machine().host, _process()]
            connection.execute("UPDATE claims SET renewed = ? WHERE host = ? AND process = ?", values)

    def release(self) -> None:
        """Give up the claims of this process."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE host = ? AND process = ?", [machine().host, _process()])

    def add(self, experiment: str, records: Sequence[tuple[Run, RunRecord]]) -> None:
        """Write runs that are over, all in one transaction."""
        with self._transaction() as connection:
            for run, record in records:
                row = _row(experiment, run, record)
                columns, marks = ", ".join(row), ", ".join("?" * len(row))
                connection.execute(f"INSERT OR IGNORE INTO runs ({columns}) VALUES ({marks})", list(row.values()))
                connection.execute(
                    "DELETE FROM claims WHERE experiment = ? AND solver = ? AND instance = ? AND run = ? AND key = ?",
                    [experiment, *_place(run)],
                )

    def runs(
        self,
        experiment: str | None = None,
        *,
        solver: str | None = None,
        instance: str | None = None,
        outcome: str | None = None,
    ) -> pl.DataFrame:
        """Return the runs as a table, with ``seconds``, ``fixed_fraction`` and the statistics as columns ``stats_…``.

        A run that calls unsatisfiable what another run of the store has solved is ``wrong``.

        Parameters
        ----------
        experiment
            Only those in the plan of this experiment.
        solver, instance, outcome
            What to keep; a solver or instance also by a pattern such as ``25x25*``.
        """
        import polars as pl

        tests: list[str] = []
        values: list[str] = []
        if experiment is not None:
            planned = "SELECT experiment, solver, instance, run, key FROM plans"
            tests += ["experiment = ?", f"(experiment, solver, instance, run, key) IN ({planned})"]
            values += [experiment]
        for column, value in (("solver", solver), ("instance", instance)):
            if value is not None:
                tests.append(f"({column} = ? OR {column} GLOB ?)")
                values += [value, value]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        columns = [name for _, name, *_ in self._connection.execute("PRAGMA table_info(runs)") if name != "trace"]
        order = " ORDER BY experiment, instance, run, solver"
        rows = self._connection.execute(f"SELECT {', '.join(columns)} FROM runs{where}{order}", values)
        table = pl.DataFrame(rows.fetchall(), schema=_schema(columns), orient="row")
        stats = [json.loads(text) for text in table["stats"]]
        names = sorted({name for one in stats for name in one})
        solved = [
            puzzle
            for (puzzle,) in self._connection.execute(
                "SELECT DISTINCT box || puzzle FROM runs WHERE outcome = ?", [Outcome.SOLVED]
            )
        ]
        is_refuted = (pl.col("outcome") == Outcome.UNSATISFIABLE) & (pl.col("box") + pl.col("puzzle")).is_in(solved)
        complete = (
            table.drop("stats")
            .with_columns(
                pl.when(is_refuted).then(pl.lit(Outcome.WRONG)).otherwise(pl.col("outcome")).alias("outcome"),
                pl.when(is_refuted)
                .then(pl.lit("another solver has solved it"))
                .otherwise(pl.col("error"))
                .alias("error"),
                pl.when(is_refuted).then(0).otherwise(pl.col("is_success")).alias("is_success"),
            )
            .with_columns(
                pl.col("is_success").cast(pl.Boolean),
                pl.col("cpu_seconds").alias("seconds"),
                (pl.col("num_givens") / (pl.col("size") * pl.col("size"))).alias("fixed_fraction"),
                *(pl.Series(f"stats_{name}", [one.get(name) for one in stats], dtype=pl.Float64) for name in names),
            )
        )
        return complete if outcome is None else complete.filter(outcome=outcome)

    def traces(self, experiment: str) -> Iterator[tuple[str, str, dict[str, NDArray[np.float64]]]]:
        """Yield solver, instance and course of each run that was traced."""
        rows = self._connection.execute(
            "SELECT solver, instance, trace FROM runs WHERE experiment = ? AND trace IS NOT NULL", [experiment]
        )
        for solver, instance, blob in rows:
            with np.load(io.BytesIO(blob)) as arrays:
                yield solver, instance, dict(arrays)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


def _row(experiment: str, run: Run, record: RunRecord) -> dict[str, Any]:
    from sudokulab import __version__

    return {
        "key": run.key,
        "experiment": experiment,
        "instance_set": run.instance_set,
        "instance": run.instance,
        "puzzle": str(run.puzzle),
        "box": str(run.puzzle.box),
        "size": run.puzzle.size,
        "num_givens": run.puzzle.num_givens,
        "solver": run.solver.title,
        "spec": run.solver.model_dump_json(),
        "run": run.number,
        "seed": str(run.seed),
        "budget_seconds": run.budget.seconds,
        "budget_iterations": run.budget.iterations,
        "budget_nodes": run.budget.nodes,
        "outcome": record.outcome,
        "is_success": record.is_success,
        "solution": record.solution,
        "cost": record.cost,
        "cpu_seconds": record.cpu_seconds,
        "wall_seconds": record.wall_seconds,
        "reported_seconds": record.reported_seconds,
        "stats": json.dumps(dict(record.stats)),
        "error": record.error,
        "trace": _packed(record.trace),
        "version": __version__,
        "machine": json.dumps(asdict(record.machine)),
        "finished": _now(),
    }


def _place(run: Run) -> tuple[str, str, int, str]:
    return run.solver.title, run.instance, run.number, run.key


def _schema(columns: list[str]) -> dict[str, Any]:
    import polars as pl

    whole = ("size", "num_givens", "run", "budget_iterations", "budget_nodes", "is_success")
    numbers = ("budget_seconds", "cost", "cpu_seconds", "wall_seconds", "reported_seconds")
    return {name: pl.Int64 if name in whole else pl.Float64 if name in numbers else pl.String for name in columns}


def _is_continuation(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Tell whether an experiment goes on with another: other runs, solvers or sets, the rest the same."""
    free = ("runs", "solvers", "instances", "title")
    return {k: v for k, v in old.items() if k not in free} == {k: v for k, v in new.items() if k not in free}


def _packed(trace: Mapping[str, NDArray[np.float64]]) -> bytes | None:
    if not trace:
        return None
    with io.BytesIO() as buffer:
        np.savez_compressed(buffer, **trace)  # type: ignore[arg-type]
        return buffer.getvalue()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _process() -> str:
    """Name this process so that a later one with the same number is told from it."""
    return f"{os.getpid()}/{_began(os.getpid())}"


def _began(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return "?"


def _is_valid(host: str, process: str, renewed: float) -> bool:
    """Tell whether the process of a claim is still there; of another machine, whether it has renewed the claim."""
    if host != machine().host:
        return time.time() - renewed < _CLAIM_SECONDS
    pid, _, began = process.partition("/")
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _began(int(pid)) == began
