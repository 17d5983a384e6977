"""What differs between operating systems: locks, flags and number of open files, and parts that need POSIX."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time

from sudokulab.errors import SudokulabError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

__all__ = ["IS_POSIX", "NOT_INHERITED", "NO_FOLLOW", "lock", "raise_file_limit", "require_posix"]

IS_POSIX = os.name == "posix"
"""Whether the system has process groups, signals and resource limits, and can rename and remove open files."""

NOT_INHERITED: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
"""Flags of a binary file that child processes do not inherit."""
NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
"""Flags that refuse a symbolic link."""

_RETRY_SECONDS = 0.02
_FILES = 0 if resource is None else resource.RLIMIT_NOFILE
_LOCKED_BYTE = 2**30  # Windows keeps others from reading what is locked; no file with a lock is as long


def lock(descriptor: int, *, wait: bool = True) -> None:
    """Lock an open file until it is closed; if it is locked and `wait` is false, raise BlockingIOError."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        _lock_on_windows(descriptor, wait)


def _lock_on_windows(descriptor: int, wait: bool) -> None:
    import msvcrt

    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        while True:
            try:
                os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
                return
            except OSError as error:
                if error.errno not in (errno.EACCES, errno.EDEADLK):
                    raise
                if not wait:
                    raise BlockingIOError from None
                time.sleep(_RETRY_SECONDS)
    finally:
        os.lseek(descriptor, position, os.SEEK_SET)


def raise_file_limit(wanted: int) -> int:
    """Raise the number of files that the process may have open, and return how many of those wanted it may now have."""
    if resource is None:
        return wanted
    soft, hard = (wanted if limit == resource.RLIM_INFINITY else limit for limit in resource.getrlimit(_FILES))
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # macOS has another limit
            resource.setrlimit(_FILES, (min(wanted, hard), resource.getrlimit(_FILES)[1]))
            soft = min(wanted, hard)
    return min(soft, wanted)


def require_posix(what: str) -> None:
    """Raise an error unless the system has process groups, signals and resource limits."""
    if not IS_POSIX:
        raise SudokulabError(
            f"{what} need Linux or macOS, not {sys.platform}; on Windows, use the Windows Subsystem for Linux (WSL)"
        )
