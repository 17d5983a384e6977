"""Text encodings, and files that are not text, recognised by their first bytes."""

from __future__ import annotations

import codecs
import io
import re
import zipfile
from collections.abc import Callable
from typing import NamedTuple, TextIO

from sudokulab.errors import SudokulabError

__all__ = ["as_text", "encoding_of", "refuse_foreign", "refuse_office"]

_EXPORT = "export it as CSV and try again"
_COPY = "copy the puzzle as text and try again"
_EXTRACT = "extract it and try again"
_TYPE = "type the puzzle in, one character per cell, and try again"


class _Kind(NamedTuple):
    title: str
    advice: str
    is_match: Callable[[bytes], object]


def _starts(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda head: head.startswith(magic)


_KINDS = [
    _Kind("a PDF document", _COPY, _starts(b"%PDF-")),
    _Kind("a PNG image", _TYPE, _starts(b"\x89PNG\r\n\x1a\n")),
    _Kind("a JPEG image", _TYPE, _starts(b"\xff\xd8\xff")),
    _Kind("a GIF image", _TYPE, _starts(b"GIF87a", b"GIF89a")),
    _Kind("a BMP image", _TYPE, re.compile(rb"BM.{4}\0{4}", re.DOTALL).match),
    _Kind("a WebP image", _TYPE, re.compile(rb"RIFF.{4}WEBP", re.DOTALL).match),
    _Kind("a TIFF image", _TYPE, _starts(b"II*\0", b"MM\0*")),
    _Kind("a HEIC image", _TYPE, re.compile(rb".{4}ftyp(heic|heix|mif1|avif)", re.DOTALL).match),
    _Kind("an Excel workbook or another Office file", _EXPORT, _starts(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")),
    _Kind("an RTF document", _COPY, _starts(b"{\\rtf")),
    _Kind("a SQLite database", _EXPORT, _starts(b"SQLite format 3\0")),
    _Kind("a Feather file of the first version", "write it again with a current library", _starts(b"FEA1")),
    _Kind("an HDF5 file", _EXPORT, _starts(b"\x89HDF\r\n\x1a\n")),
    _Kind("a NumPy file", "load it with numpy.load and pass the array to solve_array", _starts(b"\x93NUMPY")),
    _Kind("a 7-Zip archive", _EXTRACT, _starts(b"7z\xbc\xaf\x27\x1c")),
    _Kind("a RAR archive", _EXTRACT, _starts(b"Rar!\x1a\x07")),
    _Kind("an xz file", _EXTRACT, _starts(b"\xfd7zXZ\0")),
    _Kind("a bzip2 file", _EXTRACT, re.compile(rb"BZh[1-9]1AY&SY").match),
    _Kind("a tar archive", _EXTRACT, lambda head: head[257:262] == b"ustar"),
    _Kind("a program", "pass a file of puzzles", _starts(b"\x7fELF", b"MZ\x90\0")),
]

_OFFICE = {
    "xl/": ("an Excel workbook", _EXPORT),
    "word/": ("a Word document", _COPY),
    "ppt/": ("a PowerPoint presentation", _COPY),
    "META-INF/container.xml": ("an EPUB book", _COPY),
}
_OPEN_DOCUMENT = {
    "spreadsheet": ("an OpenDocument spreadsheet", _EXPORT),
    "text": ("an OpenDocument text", _COPY),
    "presentation": ("an OpenDocument presentation", _COPY),
}
_MIMETYPE_BYTES = 100


def refuse_foreign(head: bytes, name: str) -> None:
    """Raise an error if a file is of a known kind that is not text.

    Parameters
    ----------
    head
        The first bytes of the file, uncompressed.
    name
        The name of the file for the error.
    """
    for kind in _KINDS:
        if kind.is_match(head):
            raise _refusal(name, kind.title, kind.advice)


def refuse_office(archive: zipfile.ZipFile, name: str) -> None:
    """Raise an error if a zip file is an office document."""
    names = archive.namelist()
    if "mimetype" in names:
        with archive.open("mimetype") as stream:
            mimetype = stream.read(_MIMETYPE_BYTES).decode("ascii", errors="replace")
        for word, (title, advice) in _OPEN_DOCUMENT.items():
            if f"opendocument.{word}" in mimetype:
                raise _refusal(name, title, advice)
    for start, (title, advice) in _OFFICE.items():
        if any(member.startswith(start) for member in names) and (
            "[Content_Types].xml" in names or "mimetype" in names
        ):
            raise _refusal(name, title, advice)


def _refusal(name: str, title: str, advice: str) -> SudokulabError:
    return SudokulabError(f"{name} is {title}; {advice}")


def encoding_of(head: bytes) -> str:
    """Return the encoding of a text: UTF-8, or UTF-16 with or without a byte order mark."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    even, odd = head[0:200:2], head[1:200:2]
    if len(odd) >= 4:
        if not any(odd) and all(even):
            return "utf-16-le"
        if not any(even) and all(odd):
            return "utf-16-be"
    return "utf-8-sig"


def as_text(stream: io.BufferedReader, *, is_exact: bool = False) -> TextIO:
    """Decode a stream of bytes in the encoding that its beginning shows.

    If it must be exact, the text has the line ends of the stream, and bytes that are not UTF-8 as surrogates.
    """
    encoding = encoding_of(stream.peek())
    errors = "surrogateescape" if is_exact and encoding.startswith("utf-8") else "replace"
    return io.TextIOWrapper(stream, encoding=encoding, errors=errors, newline="" if is_exact else None)
