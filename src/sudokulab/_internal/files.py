"""Atomic writes of files and folders, and locks between processes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import signal
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, Any, BinaryIO, Literal, TextIO, cast

from sudokulab._internal import system
from sudokulab._internal.system import NO_FOLLOW, NON_BLOCKING, NOT_INHERITED, lock

__all__ = ["locked", "recover_folder", "whole_bytes", "whole_file", "whole_folder"]

_OWN_FILES = Path("/proc/self/fd")
_STANDARD = {"stdin": "0", "stdout": "1", "stderr": "2"}
_PART = "sudokulab-part"
_OLD = "sudokulab-old"
_MAX_PREFIX = 200  # bytes, because names are limited to 255
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file for writing; it appears, or replaces the old file, only once it is complete.

    The target may be the file being read, and it survives a failure or a kill. A replaced file keeps its mode, and a
    link stays a link. Devices and pipes, such as ``/dev/null`` and ``/dev/stdout``, are written in place.

    Lone surrogates, which UTF-8 cannot encode, become question marks.
    """
    with _whole(Path(path), "w") as stream:
        yield cast(TextIO, stream)


@contextmanager
def whole_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a binary file for writing; it appears, or replaces the old file, only once it is complete.

    See `whole_file`.
    """
    with _whole(Path(path), "wb") as stream:
        yield cast(BinaryIO, stream)


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder to fill; it gets its name, or replaces the old folder, only once it is complete.

    A process killed while it replaces the folder leaves the old one to `recover_folder`, which the next call does.
    """
    path = Path(path).resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    recover_folder(path)
    _remove_leftovers(path)
    part, old = _temporary(path, _PART), _temporary(path, _OLD)
    with _terminated_as_exit():
        try:
            part.mkdir()
            with _held(part):
                yield part
                _replace_folder(path, part, old)
        except BaseException as error:
            _name_target(error, part, path)
            raise
        finally:
            shutil.rmtree(part, ignore_errors=True)


def recover_folder(path: str | Path) -> None:
    """Give a folder its name back if a process was killed while it replaced the folder."""
    path = Path(path).resolve()
    for old in _leftovers(path, _OLD):
        with suppress(OSError), _held(old, wait=False):  # in use, or owned by another user
            if path.exists():
                _discard(old, path)
            else:
                old.rename(path)


def _replace_folder(path: Path, part: Path, old: Path) -> None:
    """Put a completed folder in the place of an old one, which keeps a name of its own until that is done."""
    if not path.exists():
        part.rename(path)
        return
    with _held(path):
        try:
            path.rename(old)
            part.rename(path)
        finally:
            if path.exists():
                _discard(old, path)
            else:
                old.rename(path)


def _discard(old: Path, path: Path) -> None:
    """Remove a replaced folder. It first loses its name, so that `recover_folder` never sees a part of it."""
    part = _temporary(path, _PART)
    with suppress(FileNotFoundError):
        old.rename(part)
        shutil.rmtree(part, ignore_errors=True)


@contextmanager
def _held(folder: Path, *, wait: bool = True) -> Iterator[None]:
    """On POSIX, hold the lock of a folder, which shows other processes that this one is alive."""
    if not system.IS_POSIX:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | NOT_INHERITED | NO_FOLLOW | NON_BLOCKING)
    try:
        lock(descriptor, wait=wait)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, creating it if it is missing; wait for other processes and threads."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | NOT_INHERITED | NO_FOLLOW, 0o600)
    try:
        lock(descriptor)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _whole(path: Path, mode: Literal["w", "wb"]) -> Iterator[IO[Any]]:
    if (descriptor := _open_in_place(path)) is not None:
        with _opened(descriptor, mode) as stream:
            yield stream
        return
    path = path.resolve()  # write through links instead of replacing them
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    _remove_leftovers(path)
    part = _temporary(path, _PART)
    unnamed = _open_unnamed(path.parent)
    try:
        if unnamed is not None:
            with _opened(unnamed, mode) as stream:
                yield stream
                stream.flush()
                os.link(f"{_OWN_FILES}/{unnamed}", part, src_dir_fd=unnamed)  # passes AT_SYMLINK_FOLLOW
                _put_in_place(stream, part, path)
        else:
            with _terminated_as_exit(), _opened(_open_named(part), mode) as stream:
                yield stream
                stream.flush()
                _put_in_place(stream, part, path)
    except BaseException as error:
        part.unlink(missing_ok=True)
        _name_target(error, part, path)
        raise


def _name_target(error: BaseException, part: Path, path: Path) -> None:
    """Let a system error name the file that the user wanted: a full disk names none, others a temporary one."""
    if isinstance(error, OSError) and (error.errno in _NO_SPACE or error.filename == str(part)):
        error.filename = str(path)


def _open_in_place(path: Path) -> int | None:
    """Open a device, a pipe, or a standard stream such as ``/dev/stdout``; return None for other files."""
    folder, name = path.parent.resolve(), path.name
    number = _STANDARD.get(name) if folder == Path("/dev") else name if folder == _OWN_FILES.resolve() else None
    if number is not None and number.isdecimal():
        return os.dup(int(number))  # others may be writing to the same file, so share its position
    return os.open(path, os.O_WRONLY | NOT_INHERITED) if path.exists() and not path.is_file() else None


def _opened(file: int, mode: Literal["w", "wb"]) -> IO[Any]:
    return open(file, mode) if mode == "wb" else open(file, mode, encoding="utf-8", errors="replace")


def _open_unnamed(folder: Path) -> int | None:
    """Open an unnamed file, which vanishes with its process; return None if the system does not support that."""
    if not hasattr(os, "O_TMPFILE") or not _OWN_FILES.is_dir():
        return None
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_WRONLY | NOT_INHERITED, 0o666)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
            return None
        raise
    lock(descriptor)
    return descriptor


def _open_named(part: Path) -> int:
    """Open a new file and hold its lock, which shows other processes that this one is alive."""
    while True:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOT_INHERITED, 0o666)
        with suppress(BlockingIOError):
            lock(descriptor, wait=False)
            if os.fstat(descriptor).st_nlink:
                return descriptor
        os.close(descriptor)  # between the two steps, another process took it for a leftover


def _put_in_place(stream: IO[Any], part: Path, path: Path) -> None:
    """Give a completed file its name, and the mode of the file it replaces."""
    with suppress(FileNotFoundError):
        target = stream.fileno() if os.chmod in os.supports_fd else part
        os.chmod(target, stat.S_IMODE(path.stat().st_mode))
    if not system.IS_POSIX:
        stream.close()  # Windows renames no open files
    part.replace(path)


def _prefix(path: Path) -> str:
    """Return the prefix of a file's temporary names; that of a long name ends with its hash."""
    name = os.fsencode(path.name)
    if len(name) > _MAX_PREFIX:
        digest = hashlib.sha256(name).hexdigest()[:16].encode()
        name = name[: _MAX_PREFIX - len(digest)] + digest
    return f".{os.fsdecode(name)}."


def _temporary(path: Path, suffix: str) -> Path:
    return path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}.{suffix}")


def _leftovers(path: Path, suffix: str) -> list[Path]:
    """Return what this or another process has given a temporary name."""
    pattern = re.compile(rf"{re.escape(_prefix(path))}[0-9a-f]+\.{suffix}")
    with suppress(PermissionError):
        return [path.with_name(name) for name in sorted(os.listdir(path.parent)) if pattern.fullmatch(name)]
    return []


def _remove_leftovers(path: Path) -> None:
    """Remove partial files and folders left behind by killed processes.

    Those in use are locked. On Windows, files in use are open, and folders are never removed.
    """
    for part in _leftovers(path, _PART):
        with suppress(OSError):  # in use, or owned by another user
            if not system.IS_POSIX:
                os.unlink(part)
                continue
            with _held(part, wait=False):
                (shutil.rmtree if part.is_dir() else os.unlink)(part)


@contextmanager
def _terminated_as_exit() -> Iterator[None]:
    """Turn SIGTERM into an exception, so that cleanup runs; leave a handler installed by others alone."""
    is_main = threading.current_thread() is threading.main_thread()
    is_ours = is_main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if is_ours:
        signal.signal(signal.SIGTERM, _exit)
    try:
        yield
    finally:
        if is_ours:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _exit(number: int, _: FrameType | None) -> None:
    raise SystemExit(128 + number)
