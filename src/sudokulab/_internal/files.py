"""Atomic writes of files and folders, and locks between processes.

A file or folder is written under a temporary name next to its target and renamed once it is complete. A killed process
leaves its temporary file behind, which can be deleted.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from sudokulab._internal.system import NO_FOLLOW, NOT_INHERITED, lock
from sudokulab.errors import SudokulabError

__all__ = ["locked", "remove_leftovers", "whole_bytes", "whole_file", "whole_folder"]

_OWN_FILES = Path("/proc/self/fd")
_STANDARD = {"stdin": "0", "stdout": "1", "stderr": "2"}
_PART = "sudokulab-part"
_OLD = "sudokulab-old"
_LOCK = "sudokulab-lock"
_MAX_PREFIX = 200  # bytes, because names are limited to 255
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file for writing; it appears, or replaces the old file, only once it is complete.

    The target may be the file being read, and it survives a failure or a kill. A replaced file keeps its mode, and a
    link stays a link. Devices and pipes, such as ``/dev/null`` and ``/dev/stdout``, are written in place.

    Lone surrogates, which UTF-8 cannot encode, become question marks.
    """
    with _renamed(Path(path)) as file, open(file, "w", encoding="utf-8", errors="replace") as stream:
        yield stream


@contextmanager
def whole_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file for writing; it appears, or replaces the old file, only once it is complete.

    See `whole_file`.
    """
    with _renamed(Path(path)) as file, open(file, "wb") as stream:
        yield stream


@contextmanager
def _renamed(path: Path) -> Iterator[Path | int]:
    """Yield a temporary name, whose file replaces the target; for devices and pipes, yield a descriptor."""
    if (descriptor := _open_in_place(path)) is not None:
        yield descriptor
        return
    path = _checked(path)
    part = _beside(path, f"{secrets.token_hex(4)}.{_PART}")
    try:
        yield part
        with suppress(FileNotFoundError):
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        _name_target(error, path, part)
        raise


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed processes left in a folder. No other process may be writing there."""
    for part in folder.glob(f".*.{_PART}"):
        if part.is_file():
            part.unlink()


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder to fill; it gets its name, or replaces the old folder, only once it is complete.

    A folder cannot replace another one in a single step: the old one is first renamed. If the process is killed in
    between, the next call gives it its name back before it yields. A caller that must not replace a folder checks
    inside the block, when no other process can change it.

    Raises
    ------
    SudokulabError
        If another process is writing the same folder.
    """
    path = _checked(Path(path))
    part, old, lock_file = (_beside(path, suffix) for suffix in (_PART, _OLD, _LOCK))
    try:
        with _only_writer(path, lock_file):
            _recover(path, part, old)
            try:
                part.mkdir()
                yield part
                if path.exists():
                    path.rename(old)
                part.rename(path)
            finally:
                _recover(path, part, old)
    except BaseException as error:
        _name_target(error, path, part, lock_file)
        raise


def _recover(path: Path, part: Path, old: Path) -> None:
    """Remove unfinished work, and give the old folder its name back unless it has been replaced."""
    shutil.rmtree(part, ignore_errors=True)
    with suppress(FileNotFoundError):  # there is no old folder
        if path.exists():
            old.rename(part)  # so that a half removed folder is never taken for the old one
            shutil.rmtree(part, ignore_errors=True)
        else:
            old.rename(path)


@contextmanager
def _only_writer(path: Path, lock_file: Path) -> Iterator[None]:
    """Hold the lock of a folder, a file beside it; raise an error if another process holds it."""
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | NOT_INHERITED | NO_FOLLOW, 0o666)
    try:
        if not _is_locked(descriptor, lock_file):
            raise SudokulabError(f"{path}: another process is writing this folder; try again when it has finished")
        try:
            yield
        finally:
            with suppress(PermissionError):  # Windows keeps open files
                lock_file.unlink()
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int, path: Path) -> bool:
    """Lock an open file; return whether this succeeded before another process has removed the file."""
    try:
        lock(descriptor, wait=False)
        return os.path.samefile(descriptor, path)
    except (BlockingIOError, FileNotFoundError):
        return False


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, creating it if it is missing; wait for other processes and threads."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NOT_INHERITED | NO_FOLLOW, 0o600)
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _checked(path: Path) -> Path:
    """Return the target of a link, so that it is written instead of the link; raise an error without a parent."""
    path = path.resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    return path


def _beside(path: Path, suffix: str) -> Path:
    """Return a hidden name next to a file; long names are shortened to a prefix and a hash."""
    name = os.fsencode(path.name)
    if len(name) > _MAX_PREFIX:
        digest = hashlib.sha256(name).hexdigest()[:16].encode()
        name = name[: _MAX_PREFIX - len(digest)] + digest
    return path.with_name(f".{os.fsdecode(name)}.{suffix}")


def _name_target(error: BaseException, path: Path, *temporary: Path) -> None:
    """Let a system error name the file that the user wanted: a full disk names none, others a temporary one."""
    if isinstance(error, OSError) and (error.errno in _NO_SPACE or error.filename in map(str, temporary)):
        error.filename = str(path)


def _open_in_place(path: Path) -> int | None:
    """Open a device, a pipe, or a standard stream such as ``/dev/stdout``; return None for other files."""
    folder, name = path.parent.resolve(), path.name
    number = _STANDARD.get(name) if folder == Path("/dev") else name if folder == _OWN_FILES.resolve() else None
    if number is not None and number.isdecimal():
        return os.dup(int(number))  # others may be writing to the same file, so share its position
    return os.open(path, os.O_WRONLY | NOT_INHERITED) if path.exists() and not path.is_file() else None
