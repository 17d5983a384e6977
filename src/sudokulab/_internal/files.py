"""Atomic writes of files and folders, and locks between processes."""

from __future__ import annotations

import errno
import os
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

__all__ = ["locked", "whole_bytes", "whole_file", "whole_folder"]

_OWN_FILES = Path("/proc/self/fd")
_STANDARD = {"stdin": "0", "stdout": "1", "stderr": "2"}
_PART = "sudokulab-part"
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
    """Yield a temporary folder to fill; it gets its name, or replaces the old folder, only once it is complete."""
    path = Path(path).resolve()
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    _remove_leftovers(path)
    part, old = (path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}.{_PART}") for _ in range(2))
    with _terminated_as_exit():
        try:
            with _new_folder(part):
                yield part
            if path.exists():
                path.rename(old)
            part.rename(path)
        except BaseException as error:
            if old.exists():
                old.rename(path)
            _name_target(error, part, path)
            raise
        finally:
            for leftover in (part, old):
                shutil.rmtree(leftover, ignore_errors=True)


@contextmanager
def _new_folder(path: Path) -> Iterator[None]:
    """Make a folder and, on POSIX, hold its lock, which shows other processes that this one is alive."""
    path.mkdir()
    if not system.IS_POSIX:
        yield
        return
    descriptor = os.open(path, os.O_RDONLY | NOT_INHERITED)
    try:
        lock(descriptor)
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
    part = path.with_name(f"{_prefix(path)}{secrets.token_hex(4)}.{_PART}")
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
    """Return the prefix of a file's temporary names, truncated because names are limited to 255 bytes."""
    return f".{os.fsdecode(os.fsencode(path.name)[:200])}."


def _remove_leftovers(path: Path) -> None:
    """Remove partial files and folders left behind by killed processes.

    Those in use are locked. On Windows, files in use are open, and folders are never removed.
    """
    names: list[str] = []
    with suppress(PermissionError):
        names = os.listdir(path.parent)
    for name in names:
        if not (name.startswith(_prefix(path)) and name.endswith(f".{_PART}")):
            continue
        with suppress(OSError):  # in use, or owned by another user
            if not system.IS_POSIX:
                os.unlink(path.parent / name)
                continue
            descriptor = os.open(path.parent / name, os.O_RDONLY | NO_FOLLOW | NON_BLOCKING | NOT_INHERITED)
            try:
                lock(descriptor, wait=False)
                is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
                (shutil.rmtree if is_folder else os.unlink)(path.parent / name)
            finally:
                os.close(descriptor)


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
