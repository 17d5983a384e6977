"""The tables of a store."""

from __future__ import annotations

import sqlite3

from sudokulab.errors import SudokulabError

__all__ = ["VERSION", "check", "prepare"]

VERSION = 1
"""The version of the tables, ``PRAGMA user_version`` of the file."""

_TABLES = {
    "experiments": "name TEXT PRIMARY KEY, definition TEXT NOT NULL, began TEXT NOT NULL",
    "runs": """
        key TEXT NOT NULL, experiment TEXT NOT NULL, instance_set TEXT NOT NULL, instance TEXT NOT NULL,
        puzzle TEXT NOT NULL, box TEXT NOT NULL, size INTEGER NOT NULL, num_givens INTEGER NOT NULL,
        solver TEXT NOT NULL, spec TEXT NOT NULL, run INTEGER NOT NULL, seed TEXT NOT NULL,
        budget_seconds REAL, budget_iterations INTEGER, budget_nodes INTEGER,
        outcome TEXT NOT NULL, is_success INTEGER NOT NULL, solution TEXT, cost REAL,
        cpu_seconds REAL NOT NULL, wall_seconds REAL NOT NULL, reported_seconds REAL,
        stats TEXT NOT NULL, error TEXT, trace BLOB, version TEXT NOT NULL, machine TEXT NOT NULL,
        finished TEXT NOT NULL,
        PRIMARY KEY (experiment, solver, instance, run, key)""",
    "plans": """
        experiment TEXT NOT NULL, solver TEXT NOT NULL, instance TEXT NOT NULL, run INTEGER NOT NULL, key TEXT NOT NULL,
        PRIMARY KEY (experiment, solver, instance, run, key)""",
    "claims": """
        experiment TEXT NOT NULL, solver TEXT NOT NULL, instance TEXT NOT NULL, run INTEGER NOT NULL, key TEXT NOT NULL,
        token TEXT NOT NULL, place TEXT NOT NULL, process TEXT NOT NULL, renewed REAL NOT NULL,
        PRIMARY KEY (experiment, solver, instance, run, key)""",
}


def check(connection: sqlite3.Connection) -> None:
    """Refuse files that are not stores, and stores with tables of another version."""
    if "runs" not in _tables(connection):
        raise SudokulabError("not a store of runs: it has other tables")
    if (version := _version(connection)) != VERSION:
        raise SudokulabError(f"the tables have version {version}, but this release of sudokulab reads {VERSION}")


def prepare(connection: sqlite3.Connection) -> None:
    """Create the tables of a new file, in one transaction."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _tables(connection):
            check(connection)
        else:
            for name, columns in _TABLES.items():
                suffix = "" if name == "experiments" else " WITHOUT ROWID"
                connection.execute(f"CREATE TABLE {name} ({columns}){suffix}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
