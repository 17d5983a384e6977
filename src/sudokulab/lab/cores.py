"""Cores for workers, locked so that several labs on one machine do not share a core."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

from sudokulab._internal.system import NO_FOLLOW, NOT_INHERITED, lock

__all__ = ["cores", "free_cores"]


def cores() -> Sequence[int | None]:
    """Return the cores that this process may use; a list of None if the system cannot pin processes."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return [None] * (os.cpu_count() or 1)


@contextmanager
def free_cores(number: int) -> Iterator[list[int | None]]:
    """Lock cores that no other lab on this machine uses; yields None (any core) once all are taken."""
    taken: list[int | None] = []
    locks: list[int] = []
    for core in cores():
        if core is None or len(taken) == number:
            break
        lock = _lock(core)
        if lock is not None:
            locks.append(lock)
            taken.append(core)
    try:
        yield taken + [None] * (number - len(taken))
    finally:
        for lock in locks:
            os.close(lock)


def _lock(core: int) -> int | None:
    """Lock a core and return the descriptor of the lock; None if it is taken or cannot be locked safely."""
    folder = _own_folder()
    if folder is None:
        return None
    try:
        flags = os.O_RDWR | os.O_CREAT | NO_FOLLOW | NOT_INHERITED
        descriptor = os.open(folder / f"core-{core}.lock", flags, 0o600)
    except OSError:
        return None
    try:
        lock(descriptor, wait=False)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _own_folder() -> Path | None:
    """Return a folder that only this user can write to; None if another user has created it."""
    folder = Path(gettempdir()) / f"sudokulab-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
    except OSError:
        return None
    is_private = stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o022
    return folder if is_private and status.st_uid == os.getuid() else None
