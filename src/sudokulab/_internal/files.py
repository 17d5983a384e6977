"""Files that appear only when they are complete."""

from __future__ import annotations

import errno
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, TextIO, overload

__all__ = ["whole_file"]


@overload
def whole_file(path: str | Path) -> AbstractContextManager[TextIO]: ...


@overload
def whole_file(path: str | Path, *, binary: Literal[True]) -> AbstractContextManager[BinaryIO]: ...


@contextmanager  # type: ignore[misc]
def whole_file(path: str | Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file for writing that appears, or is replaced, only when all has been written.

    Until then it has a name of its own: the target may be what is being read, and must survive a failure. What is no
    file, such as ``/dev/null``, is written to as it is.
    """
    path, encoding = Path(path), None if binary else "utf-8"
    if path.exists() and not path.is_file():
        with path.open("wb" if binary else "w", encoding=encoding) as stream:
            yield stream
        return
    path = path.resolve()  # a link stays one
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with partial.open("xb" if binary else "x", encoding=encoding) as stream:
            yield stream
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
