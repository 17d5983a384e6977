"""Where runs are kept: one SQLite file, one row a run.

A run is written in one transaction when it is over, and the write-ahead log is synced, so that nothing is half written
and nothing that was written is lost, whenever the process is killed. Before a run begins its key is *claimed*; a claim
of a process that is no more is void. So several processes can work on one store without doing the same run twice.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import Claimant, this_process
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.tables import runs_table
from sudokulab.lab.traces import pack_trace, unpack_trace

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Store"]

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
            if row and Claimant(row[0], row[1]).holds(row[2]):
                return False
            values = [*place, *this_process(), time.time()]
            connection.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)
        return True

    def renew(self) -> None:
        """Keep the claims of this process valid."""
        with self._transaction() as connection:
            values = [time.time(), *this_process()]
            connection.execute("UPDATE claims SET renewed = ? WHERE host = ? AND process = ?", values)

    def release(self) -> None:
        """Give up the claims of this process."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE host = ? AND process = ?", [*this_process()])

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
        columns = [name for _, name, *_ in self._connection.execute("PRAGMA table_info(runs)") if name != "trace"]
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
        order = " ORDER BY experiment, instance, run, solver"
        rows = self._connection.execute(f"SELECT {', '.join(columns)} FROM runs{where}{order}", values).fetchall()
        solved = self._connection.execute(
            "SELECT DISTINCT box || puzzle FROM runs WHERE outcome = ?", [Outcome.SOLVED]
        ).fetchall()
        table = runs_table(columns, rows, [puzzle for (puzzle,) in solved])
        return table if outcome is None else table.filter(outcome=outcome)

    def traces(self, experiment: str) -> Iterator[tuple[str, str, dict[str, NDArray[np.float64]]]]:
        """Yield solver, instance and course of each run that was traced."""
        rows = self._connection.execute(
            "SELECT solver, instance, trace FROM runs WHERE experiment = ? AND trace IS NOT NULL", [experiment]
        )
        for solver, instance, blob in rows:
            if trace := unpack_trace(blob):
                yield solver, instance, trace

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
        "trace": pack_trace(record.trace),
        "version": __version__,
        "machine": json.dumps(asdict(record.machine)),
        "finished": _now(),
    }


def _place(run: Run) -> tuple[str, str, int, str]:
    return run.solver.title, run.instance, run.number, run.key


def _is_continuation(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Tell whether an experiment goes on with another: other runs, solvers or sets, the rest the same."""
    free = ("runs", "solvers", "instances", "title")
    return {k: v for k, v in old.items() if k not in free} == {k: v for k, v in new.items() if k not in free}


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
