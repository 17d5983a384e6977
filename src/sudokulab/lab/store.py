"""The store of runs: one SQLite file, one row per run.

Each finished run is written in one transaction and the write-ahead log is synced, so a killed process leaves nothing
half written and loses nothing. A run is *claimed* before it starts (see `sudokulab.lab.claims`), so several processes
can share a store without executing a run twice.
"""

from __future__ import annotations

import calendar
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from sudokulab.errors import SudokulabError
from sudokulab.lab.claims import CLAIM_SECONDS, Claimant, new_claimant
from sudokulab.lab.experiment import Experiment, Run
from sudokulab.lab.messages import escaped
from sudokulab.lab.records import Outcome, RunRecord
from sudokulab.lab.schema import check, prepare
from sudokulab.lab.snapshots import copy_with_log, log_of
from sudokulab.lab.standing import RATE_SECONDS, SolverStanding, Standing
from sudokulab.lab.tables import runs_table
from sudokulab.lab.traces import pack_trace, unpack_trace

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Store", "TracedRun"]

_LOCKED_SECONDS = 60
"""How long to wait for another process that writes."""
_DAMAGE = (ValueError, TypeError, KeyError, AttributeError, OverflowError)
"""Exceptions, other than those of SQLite, that a damaged store can cause."""
_TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
_PLACE = ("solver", "instance", "run", "key")
"""The columns that identify a run of an experiment."""
_IS_PLANNED = "(experiment, solver, instance, run, key) IN (SELECT experiment, solver, instance, run, key FROM plans)"
"""Holds for runs in the current plan of their experiment; runs of earlier plans stay in the store."""


class TracedRun(NamedTuple):
    """The place, outcome and trace of a run in the store."""

    solver: str
    instance_set: str
    instance: str
    size: int
    run: int
    outcome: str
    trace: dict[str, NDArray[np.float64]]


class Store:
    """A file of runs.

    Parameters
    ----------
    path
        The file; created if it does not exist.
    is_readonly
        Whether to open the file read-only; it must then exist.
    """

    def __init__(self, path: str | Path, *, is_readonly: bool = False) -> None:
        self.path = Path(path)
        self._claimant = new_claimant()
        self._cleanup = ExitStack()
        if is_readonly and not self.path.is_file():
            raise SudokulabError(f"{path}: no such store; name a file written by `sudokulab run`")
        try:
            with self._naming_the_file():
                self._connection = self._open_readonly() if is_readonly else self._open()
        except BaseException:
            self._cleanup.close()
            raise

    def _open(self) -> sqlite3.Connection:
        connection = self._connected(str(self.path))
        _use_write_ahead_log(connection)
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
        connection = sqlite3.connect(database, uri=uri, timeout=_LOCKED_SECONDS, isolation_level=None)
        self._cleanup.callback(connection.close)
        return connection

    def close(self) -> None:
        """Close the file."""
        self._cleanup.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self.path}: a Store cannot be pickled or copied; open the file again")

    def begin(self, experiment: Experiment, plan: Sequence[Run]) -> None:
        """Store the definition and the plan of an experiment.

        An experiment of the same name can be extended: with more runs, other solvers or other instance sets. Runs that
        are no longer in the plan stay in the store but are left out of tables.

        Raises
        ------
        SudokulabError
            If the store has an experiment of this name with another budget, seed or trace.
        """
        definition = experiment.model_dump_json()
        old = self.experiments().get(experiment.name)
        if old is not None and not _is_extension(old, experiment):
            raise SudokulabError(
                f"{self.path}: the store has another experiment named {experiment.name!r} with a different budget, "
                "seed or trace; use another name or another store"
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
        """Return the number of runs in the plan of an experiment."""
        ((number,),) = self._select("SELECT count(*) FROM plans WHERE experiment = ?", [experiment])
        return int(number)

    def standing(self, experiment: str) -> Standing:
        """Return how far an experiment is; quick, as traces and results are not read."""
        same = " AND ".join(f"plans.{name} = runs.{name}" for name in ("experiment", *_PLACE))
        faults = ", ".join(f"'{outcome}'" for outcome in Outcome.FAULTS)
        rows = self._select(
            f"SELECT plans.solver, count(*), count(runs.key), total(is_success), total(outcome IN ({faults})), "
            f"total(cpu_seconds), max(finished) FROM plans LEFT JOIN runs ON {same} WHERE plans.experiment = ? "
            "GROUP BY plans.solver ORDER BY plans.solver",
            [experiment],
        )
        now = time.time()
        query = f"SELECT count(*) FROM claims WHERE experiment = ? AND {_IS_PLANNED} AND renewed > ?"
        ((num_claimed,),) = self._select(query, [experiment, now - CLAIM_SECONDS])
        with self._decoding():
            last = max((str(row[6]) for row in rows if row[6]), default=None)
            now = max(now, _seconds_of(last)) if last else now  # the clock may have been set back
            query = f"SELECT count(*), min(finished) FROM runs WHERE experiment = ? AND {_IS_PLANNED} AND finished > ?"
            ((num_recent, first),) = self._select(query, [experiment, _timestamp(now - RATE_SECONDS)])
            return Standing(
                tuple(
                    SolverStanding(solver, planned, done, int(success), int(faulty), seconds)
                    for solver, planned, done, success, faulty, seconds, _ in rows
                ),
                int(num_claimed),
                int(num_recent),
                max(1.0, now - _seconds_of(first)) if first else float(RATE_SECONDS),
                last,
            )

    def experiments(self) -> dict[str, Experiment]:
        """Return the experiments by name, oldest first."""
        rows = self._select("SELECT name, definition FROM experiments ORDER BY began")
        context = {"is_stored": True}  # solvers need not be installed to read a store
        with self._decoding():
            return {str(name): Experiment.model_validate_json(text, context=context) for name, text in rows}

    def missing(self, experiment: str, runs: Iterable[Run]) -> list[Run]:
        """Return the runs that are not in the store yet."""
        done = set(self._select("SELECT solver, instance, run, key FROM runs WHERE experiment = ?", [experiment]))
        return [run for run in runs if _place(run) not in done]

    def claim(self, experiment: str, run: Run) -> bool:
        """Claim a run for this process; returns False if it is done or claimed by another process."""
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
        """Renew the claims of this store."""
        with self._transaction() as connection:
            connection.execute("UPDATE claims SET renewed = ? WHERE token = ?", [time.time(), self._claimant.token])

    def release(self) -> None:
        """Release the claims of this store."""
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
        solver: str | Sequence[str] | None = None,
        instance: str | Sequence[str] | None = None,
        outcome: str | Sequence[str] | None = None,
    ) -> pl.DataFrame:
        """Return the runs as a table, with ``seconds``, ``fixed_fraction``, and statistics in columns ``stats_…``.

        A run is ``wrong`` if it reports unsatisfiable on a puzzle that another run in the store has solved.

        Parameters
        ----------
        experiment
            Return only runs in the plan of this experiment.
        solver, instance, outcome
            Return only runs that match one of these. Solver and instance can be patterns such as ``25x25*``.
        """
        columns = [name for _, name, *_ in self._select("PRAGMA table_info(runs)") if name != "trace"]
        tests: list[str] = []
        values: list[str] = []
        if experiment is not None:
            tests += ["experiment = ?", _IS_PLANNED]
            values += [experiment]
        for column, value in (("solver", solver), ("instance", instance)):
            if value is not None:
                names = [value] if isinstance(value, str) else value
                tests.append(f"({' OR '.join([f'{column} = ? OR {column} GLOB ?'] * len(names)) or 'FALSE'})")
                values += [name for name in names for _ in range(2)]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        order = " ORDER BY experiment, instance, run, solver"
        rows = self._select(f"SELECT {', '.join(columns)} FROM runs{where}{order}", values)
        solved = self._select("SELECT DISTINCT box || puzzle FROM runs WHERE outcome = ?", [Outcome.SOLVED])
        with self._decoding():
            table = runs_table(columns, rows, [puzzle for (puzzle,) in solved])
        if outcome is None:
            return table
        return table.filter(table["outcome"].is_in([outcome] if isinstance(outcome, str) else list(outcome)))

    def traces(self, experiment: str) -> Iterator[TracedRun]:
        """Yield each traced run in the plan of an experiment.

        Raises
        ------
        SudokulabError
            If a trace is damaged; the message names the run.
        """
        columns = "solver, instance_set, instance, size, run, outcome, trace"
        query = f"SELECT {columns} FROM runs WHERE experiment = ? AND trace IS NOT NULL AND {_IS_PLANNED}"
        for row in self._select(f"{query} ORDER BY solver, instance, run", [experiment]):
            run = TracedRun(*row)
            if trace := self._unpacked(row[-1], run.solver, run.instance, run.run):
                yield run._replace(trace=trace)

    def trace_of(
        self, experiment: str, solver: str, instance: str, run: int, *, key: str | None = None
    ) -> dict[str, NDArray[np.float64]]:
        """Return the trace of one run in the plan of an experiment, empty if it was not traced.

        Parameters
        ----------
        experiment, solver, instance, run
            The place of the run.
        key
            The key of the run, in case several runs share a place.

        Raises
        ------
        SudokulabError
            If the trace is damaged.
        """
        query = (
            f"SELECT trace FROM runs WHERE experiment = ? AND solver = ? AND instance = ? AND run = ? AND {_IS_PLANNED}"
        )
        values: list[str | int] = [experiment, solver, instance, run]
        if key is not None:
            query, values = f"{query} AND key = ?", [*values, key]
        rows = self._select(f"{query} ORDER BY finished DESC LIMIT 1", values)
        return self._unpacked(rows[0][0], solver, instance, run) if rows and rows[0][0] is not None else {}

    def _unpacked(self, blob: bytes, solver: str, instance: str, run: int) -> dict[str, NDArray[np.float64]]:
        try:
            return unpack_trace(blob)
        except ValueError as error:
            place = escaped(f"run {run} of {solver} on {instance}")
            problem = escaped(str(error), 200)
            raise SudokulabError(
                f"{self.path}: the store is damaged: the trace of {place} cannot be read: {problem}"
            ) from None

    def _select(self, query: str, values: Sequence[str | float] = ()) -> list[Any]:
        with self._naming_the_file():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self._connection
        with self._naming_the_file():
            if connection.in_transaction:  # left open by Ctrl-C
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
        """Turn database errors into errors that name the file."""
        try:
            yield
        except SudokulabError as error:
            is_named = str(error).startswith(str(self.path))
            raise error if is_named else SudokulabError(f"{self.path}: {error}") from None
        except sqlite3.Error as error:
            raise SudokulabError(f"{self.path}: {_explanation(error)}") from None
        except UnicodeDecodeError as error:  # SQLite quotes damaged data in its message
            raise SudokulabError(f"{self.path}: the store is damaged: {error}") from None

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        """Report invalid contents as damage to the file."""
        try:
            yield
        except _DAMAGE as error:
            raise SudokulabError(f"{self.path}: the store is damaged: {escaped(str(error), 200)}") from None


def _explanation(error: sqlite3.Error) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith("SQLITE_FULL"):
        return "the disk is full; all runs stored so far are safe"
    if name.startswith("SQLITE_IOERR"):
        return f"cannot read or write: {error}"
    if name.startswith("SQLITE_NOTADB"):
        return f"not a store of runs: {error}"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "another process has locked the store for a minute"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")):
        return str(error)
    return f"the store is damaged: {escaped(str(error), 200)}"


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log. SQLite itself does not wait here if another process creates the file just now."""
    deadline = time.monotonic() + _LOCKED_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _row(experiment: str, run: Run, record: RunRecord) -> dict[str, object]:
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
        "budget_seconds": run.budget.cpu_seconds,
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


def _is_extension(old: Experiment, new: Experiment) -> bool:
    """Return whether two definitions differ only in their runs, solvers, instances and title."""
    free = {name: getattr(new, name) for name in ("runs", "solvers", "instances", "title")}
    return old.model_copy(update=free) == new


def _now() -> str:
    return _timestamp(time.time())


def _timestamp(seconds: float) -> str:
    return time.strftime(_TIME_FORMAT, time.gmtime(seconds))


def _seconds_of(timestamp: str) -> float:
    return calendar.timegm(time.strptime(timestamp, _TIME_FORMAT))
