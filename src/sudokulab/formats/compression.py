"""Compressed files: gzip, zip and Zstandard.

Compression is recognised by the first bytes of a file when reading and by its extension when writing. Both directions
stream: memory use does not depend on the size of the file, compressed or not.
"""

from __future__ import annotations

import gzip
import importlib
import io
import os
import shutil
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, TextIO, cast

from sudokulab._internal.files import whole_bytes, whole_file
from sudokulab.errors import MissingExtraError, SudokulabError
from sudokulab.formats.recognition import refuse_foreign, refuse_office

__all__ = [
    "SUFFIXES",
    "DamagedFileError",
    "Part",
    "compressed_bytes",
    "compressed_text",
    "extension_of",
    "open_parts",
    "position_in",
    "uncompressed",
]

_MAGIC = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"PK\x05\x06": "zip", b"\x28\xb5\x2f\xfd": "zstd"}
_BY_SUFFIX = {".gz": "gzip", ".zip": "zip", ".zst": "zstd"}
SUFFIXES = tuple(_BY_SUFFIX)
"""The extensions of compressed files."""

_PIECE_BYTES = 1 << 16
_GZIP_LEVEL = 6
_DAMAGE: tuple[type[Exception], ...] = (
    *(EOFError, OSError, NotImplementedError, RuntimeError, ValueError),  # such as a seek to nowhere
    *(struct.error, zlib.error, zipfile.BadZipFile),
)


class DamagedFileError(SudokulabError):
    """A compressed file is damaged, incomplete or encrypted."""


@dataclass(frozen=True)
class Part:
    """A file of puzzles: a plain or compressed file, or a file in an archive.

    Parameters
    ----------
    name
        The name for errors and for the choice of a format; ``archive.zip/file`` in an archive.
    stream
        The uncompressed bytes.
    """

    name: str
    stream: io.BufferedReader


def uncompressed(path: str | Path) -> Path:
    """Return a path without the extension of its compression: ``x.csv`` for ``x.csv.gz``."""
    path = Path(path)
    return path.with_suffix("") if path.suffix.lower() in _BY_SUFFIX else path


def extension_of(path: str | Path) -> str:
    """Return the extension in lower case, looking through the compression: ``.csv`` for ``x.CSV.gz``."""
    return uncompressed(path).suffix.lower()


def open_parts(file: BinaryIO, name: str, extensions: Collection[str]) -> Iterator[Part]:
    """Yield the files of puzzles in a file: one, unless it is an archive of several.

    Parameters
    ----------
    file
        The bytes as they are stored. Closed with the parts.
    name
        The name for errors.
    extensions
        The extensions of the files to read in an archive of several.

    Raises
    ------
    SudokulabError
        If the file is not text, or an archive that cannot be read. A file that turns out to be damaged later raises it
        while it is read, after everything before the damage.
    """
    buffered = _buffered(file)
    try:
        kind = _kind_of(buffered.peek(4))
        if kind == "zip":
            yield from _open_zip(buffered, name, extensions)
        else:
            stream = _unpacked(_DECOMPRESSORS[kind](buffered), name, kind, buffered) if kind else buffered
            yield _text_part(name, stream, kind)
    except (OSError, SudokulabError):
        buffered.close()
        raise


def _text_part(name: str, stream: io.BufferedReader, kind: str | None) -> Part:
    """Return a part after a look at its first bytes: it must be neither foreign nor compressed twice."""
    refuse_foreign(stream.peek(), name)
    if kind and (inner := _kind_of(stream.peek(4))):
        raise SudokulabError(f"{name}: a {inner} file inside a {kind} file; extract it and try again")
    return Part(name, stream)


def _buffered(file: BinaryIO) -> io.BufferedReader:
    return file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))


def _kind_of(head: bytes) -> str | None:
    return next((kind for magic, kind in _MAGIC.items() if head.startswith(magic)), None)


def _open_zip(file: io.BufferedReader, name: str, extensions: Collection[str]) -> Iterator[Part]:
    seekable = file if file.seekable() else _spooled(file)
    with seekable:
        try:
            archive = zipfile.ZipFile(seekable)
            refuse_office(archive, name)
        except _DAMAGE as error:
            raise _damaged(name, "zip", error) from None
        with archive:
            yield from _members(archive, seekable, name, extensions)


def _members(archive: zipfile.ZipFile, file: BinaryIO, name: str, extensions: Collection[str]) -> Iterator[Part]:
    members = [member for member in archive.infolist() if not _is_hidden(member)]
    if len(members) > 1:
        members = [member for member in members if extension_of(member.filename) in extensions]
    if not members:
        raise SudokulabError(f"{name}: the zip file contains no puzzles; add files with {', '.join(extensions)}")
    for member in members:
        inner = f"{name}/{member.filename}"
        try:
            opened = cast(zipfile.ZipExtFile, archive.open(member))
        except _DAMAGE as error:
            raise _damaged(inner, "zip", error) from None
        yield _text_part(inner, _unpacked(opened, inner, "zip", file), "zip")


def _is_hidden(member: zipfile.ZipInfo) -> bool:
    """Return whether a member is a folder, or metadata that operating systems add."""
    return member.is_dir() or any(part.startswith((".", "__MACOSX")) for part in member.filename.split("/"))


def _spooled(file: BinaryIO) -> BinaryIO:
    """Copy a pipe to a temporary file: the directory of a zip file is at its end."""
    copy = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the archive
    shutil.copyfileobj(file, copy)
    copy.seek(0)
    return cast(BinaryIO, copy)


class _Stream(Protocol):
    """What the decompressors have in common."""

    def read1(self, size: int, /) -> bytes: ...

    def close(self) -> None: ...


class _Unpacked(io.RawIOBase):
    """A decompressed stream with errors that name the file.

    A damaged file yields all bytes before the damage, then the same error for each further read.
    """

    def __init__(self, stream: _Stream, name: str, kind: str, file: BinaryIO) -> None:
        self._stream = stream
        self._name = name
        self._kind = kind
        self._file = file
        self._error: DamagedFileError | None = None

    def readable(self) -> bool:
        return True

    def fileno(self) -> int:
        """Return the descriptor of the compressed file."""
        return self._file.fileno()

    def readinto(self, buffer: Any) -> int:
        if self._error is not None:
            raise self._error
        view = memoryview(buffer).cast("B")
        num_read = 0
        try:
            while num_read < len(view) and (piece := self._stream.read1(min(len(view) - num_read, _PIECE_BYTES))):
                view[num_read : num_read + len(piece)] = piece
                num_read += len(piece)
        except _damage() as error:
            self._error = _damaged(self._name, self._kind, error)
            if not num_read:
                raise self._error from None
        return num_read

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
            if not isinstance(self._stream, zipfile.ZipExtFile):  # other members of an archive may follow
                self._file.close()
        super().close()


def _unpacked(stream: _Stream, name: str, kind: str, file: BinaryIO) -> io.BufferedReader:
    return io.BufferedReader(_Unpacked(stream, name, kind, file))


def _damaged(name: str, kind: str, error: Exception) -> DamagedFileError:
    if isinstance(error, RuntimeError) and "password" in str(error):
        return DamagedFileError(f"{name}: encrypted; extract it and read the result")
    return DamagedFileError(f"{name}: damaged or incomplete {kind} file ({str(error).rstrip('.')})")


def _zstd() -> Any:
    """Return the Zstandard library: part of Python from 3.14 on, before that an optional dependency."""
    try:
        return importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ModuleNotFoundError:
        raise MissingExtraError(".zst files need a Zstandard library: pip install 'sudokulab[zstd]'") from None


def _damage() -> tuple[type[Exception], ...]:
    """Return the exceptions that a damaged or unsupported file raises."""
    module = sys.modules.get("compression.zstd") or sys.modules.get("backports.zstd")
    return (*_DAMAGE, module.ZstdError) if module else _DAMAGE


_DECOMPRESSORS: dict[str, Callable[[BinaryIO], _Stream]] = {
    "gzip": lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    "zstd": lambda file: _zstd().ZstdFile(file),
}


@contextmanager
def compressed_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes, compressed as its extension says; see `whole_bytes`."""
    path = Path(path)
    kind = _BY_SUFFIX.get(path.suffix.lower())
    if kind == "zstd":
        _zstd()  # fail before the file is touched
    with ExitStack() as stack:
        stream = stack.enter_context(whole_bytes(path))
        yield stream if kind is None else stack.enter_context(_compressor(stream, kind, path))


@contextmanager
def compressed_text(path: str | Path) -> Iterator[TextIO]:
    """Open a file for writing text, compressed as its extension says; see `whole_file`."""
    if Path(path).suffix.lower() not in _BY_SUFFIX:
        with whole_file(path) as stream:
            yield stream
        return
    with compressed_bytes(path) as raw, io.TextIOWrapper(raw, encoding="utf-8", errors="replace") as text:
        yield text


def _compressor(stream: BinaryIO, kind: str, path: Path) -> Any:
    """Return a compressing stream; without names of users and times, so the same puzzles give the same bytes."""
    if kind == "gzip":
        return gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=_GZIP_LEVEL, mtime=0)
    if kind == "zstd":
        return _zstd().ZstdFile(stream, "w")
    return _zip_member(stream, path)


@contextmanager
def _zip_member(stream: BinaryIO, path: Path) -> Iterator[IO[bytes]]:
    inner = uncompressed(path)
    member = zipfile.ZipInfo(inner.name if inner.suffix else f"{inner.name}.txt")
    member.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(stream, "w") as archive, archive.open(member, "w", force_zip64=True) as file:
        yield file


def position_in(stream: IO[bytes]) -> int:
    """Return how many bytes of a stream, or of the compressed file behind it, have been read; 0 if it is a pipe."""
    try:
        return os.lseek(stream.fileno(), 0, os.SEEK_CUR)
    except (OSError, ValueError):
        return 0
