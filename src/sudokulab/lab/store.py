"""Where runs are kept: one SQLite file, one row per run.

Each finished run is written in one transaction, and the write-ahead log is synced, so nothing is half written or lost,
whenever the process is killed. Before a run begins it is *claimed* (see `sudokulab.lab.claims`), so that several
processes can work on one store without executing a run twice.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import Claimant, new_claimant
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.messages import printable
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.schema import check, prepare
from sudokulab.lab.snapshots import copy_with_log, log_of
from sudokulab.lab.tables import runs_table
from sudokulab.lab.traces import pack_trace, unpack_trace

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Store"]

_DAMAGE = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
"""What reading a damaged store may raise besides the errors of SQLite."""


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
        self._claimant = new_claimant()
        self._cleanup = ExitStack()
        if is_readonly and not self.path.is_file():
            raise SudokulabError(f"{path}: no such store, expected what `sudokulab run` has written")
        try:
            with self._naming_the_file():
                self._connection = self._open_readonly() if is_readonly else self._open()
        except BaseException:
            self._cleanup.close()
            raise

    def _open(self) -> sqlite3.Connection:
        connection = self._connected(str(self.path))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        prepare(connection)
        return connection

    def _open_readonly(self) -> sqlite3.Connection:
        path, mode = self.path.resolve(), "mode=ro"
        if not os.access(path.parent, os.W_OK):
            mode = "immutable=1"
            if log_of(path).exists():
                folder = Path(self._cleanup.enter_context(TemporaryDirectory(prefix="sudokulab-")))
                path, mode = copy_with_log(path, folder), "mode=rw"
        connection = self._connected(f"{path.as_uri()}?{mode}", uri=True)
        check(connection)
        return connection

    def _connected(self, database: str, *, uri: bool = False) -> sqlite3.Connection:
        connection = sqlite3.connect(database, uri=uri, timeout=60, isolation_level=None)
        self._cleanup.callback(connection.close)
        return connection

    def close(self) -> None:
        """Close the file."""
        self._cleanup.close()

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
        rows = self._select("SELECT definition FROM experiments WHERE name = ?", [experiment.name])
        with self._decoding():
            is_other = any(not _is_continuation(json.loads(old), json.loads(definition)) for (old,) in rows)
        if is_other:
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
        ((number,),) = self._select("SELECT count(*) FROM plans WHERE experiment = ?", [experiment])
        return int(number)

    def experiments(self) -> dict[str, Experiment]:
        """Return the experiments by name, in the order in which they were begun."""
        rows = self._select("SELECT name, definition FROM experiments ORDER BY began")
        context = {"is_stored": True}  # its solvers need not be installed here
        with self._decoding():
            return {str(name): Experiment.model_validate_json(text, context=context) for name, text in rows}

    def missing(self, experiment: str, runs: Iterable[Run]) -> list[Run]:
        """Return those of the runs that are not there yet."""
        done = set(self._select("SELECT solver, instance, run, key FROM runs WHERE experiment = ?", [experiment]))
        return [run for run in runs if _place(run) not in done]

    def claim(self, experiment: str, run: Run) -> bool:
        """Take a run for this store; False if it is done, or another process has it."""
        place = [experiment, *_place(run)]
        with self._transaction() as connection:
            where = "experiment = ? AND solver = ? AND instance = ? AND run = ? AND key = ?"
            if connection.execute(f"SELECT 1 FROM runs WHERE {where}", place).fetchone():
                return False
            query = f"SELECT token, place, process, renewed FROM claims WHERE {where}"
            with self._decoding():
                claims = [(Claimant(*row[:3]), float(row[3])) for row in connection.execute(query, place)]
            if any(claimant.keeps_out(self._claimant, renewed) for claimant, renewed in claims):
                return False
            values = [*place, *self._claimant, time.time()]
            connection.execute(f"INSERT OR REPLACE INTO claims VALUES ({', '.join('?' * len(values))})", values)
        return True

    def renew(self) -> None:
        """Keep the claims of this store valid: its heartbeat."""
        with self._transaction() as connection:
            connection.execute("UPDATE claims SET renewed = ? WHERE token = ?", [time.time(), self._claimant.token])

    def release(self) -> None:
        """Give up the claims of this store."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM claims WHERE token = ?", [self._claimant.token])

    def add(self, experiment: str, records: Sequence[tuple[Run, RunRecord]]) -> None:
        """Write finished runs, all in one transaction."""
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
        columns = [name for _, name, *_ in self._select("PRAGMA table_info(runs)") if name != "trace"]
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
        rows = self._select(f"SELECT {', '.join(columns)} FROM runs{where}{order}", values)
        solved = self._select("SELECT DISTINCT box || puzzle FROM runs WHERE outcome = ?", [Outcome.SOLVED])
        with self._decoding():
            table = runs_table(columns, rows, [puzzle for (puzzle,) in solved])
        return table if outcome is None else table.filter(outcome=outcome)

    def traces(self, experiment: str) -> Iterator[tuple[str, str, dict[str, NDArray[np.float64]]]]:
        """Yield solver, instance and trace of each run that was traced."""
        rows = self._select(
            "SELECT solver, instance, trace FROM runs WHERE experiment = ? AND trace IS NOT NULL", [experiment]
        )
        for solver, instance, blob in rows:
            if trace := unpack_trace(blob):
                yield solver, instance, trace

    def _select(self, query: str, values: Sequence[str] = ()) -> list[Any]:
        with self._naming_the_file():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        with self._naming_the_file():
            if connection.in_transaction:  # Ctrl-C came between a BEGIN and what would have ended it
                connection.execute("ROLLBACK")
            try:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _naming_the_file(self) -> Iterator[None]:
        """Turn errors of the database into errors that name the file."""
        try:
            yield
        except SudokulabError as error:
            is_named = str(error).startswith(str(self.path))
            raise error if is_named else SudokulabError(f"{self.path}: {error}") from None
        except sqlite3.Error as error:
            raise SudokulabError(f"{self.path}: {_explanation(error)}") from None
        except UnicodeDecodeError as error:  # SQLite quotes the damaged part in its message
            raise SudokulabError(f"{self.path}: the store is damaged: {error}") from None

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        """Report contents that make no sense as damage to the file."""
        try:
            yield
        except _DAMAGE as error:
            raise SudokulabError(f"{self.path}: the store is damaged: {printable(str(error), 200)}") from None


def _explanation(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "the disk is full; all runs stored so far are safe"
    if name.startswith("SQLITE_IOERR"):
        return f"cannot be read or written: {error}"
    if name.startswith("SQLITE_NOTADB"):
        return f"not a store of runs: {error}"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another process has locked the store for a minute"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return str(error)
    return f"the store is damaged: {printable(str(error), 200)}"


def _row(experiment: str, run: Run, record: RunRecord) -> dict[str, Any]:
    from sudokulab import __version__

    return {
        "key": run.key,
        "experiment": experiment,
        "instance_set": run.instance_set,
        "instance": run.instance,
        "puzzle": run.puzzle.line,
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
