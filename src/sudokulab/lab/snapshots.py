"""Copies of databases in read-only folders.

To read a write-ahead log, SQLite must create a file next to the database. In a read-only folder we read a copy instead.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from sudokulab.errors import SudokulabError

__all__ = ["State", "copy_with_log", "log_of", "state_of"]

State = tuple[tuple[int, int, int] | None, ...]
"""Inode, size and time of change of a database and of its log."""

_NUM_TRIES, _WAIT_SECONDS = 20, 0.05


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def copy_with_log(path: Path, folder: Path) -> Path:
    """Copy a consistent state of a database and its log to a folder, and return the copy."""
    copy = folder / "runs.sqlite"
    for _ in range(_NUM_TRIES):
        before = state_of(path)
        shutil.copyfile(path, copy)
        log_of(copy).unlink(missing_ok=True)
        if log_of(path).exists():
            shutil.copyfile(log_of(path), log_of(copy))
        if state_of(path) == before:
            return copy
        time.sleep(_WAIT_SECONDS)  # another process wrote to the file in the meantime
    raise SudokulabError(f"{path}: another process keeps writing to the store; try again when it has finished")


def state_of(path: Path) -> State:
    """Return the state of a database, which every write changes. An empty log counts as none: readers create it."""
    return tuple(_stamp(file) for file in (path, log_of(path)))


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)
    except FileNotFoundError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns) if status.st_size else None
