"""Puzzle collections by name: bundled with the package, in the user's folders, or downloadable.

The bundled sets were made by this package's generators; ``data/sets.toml`` lists the command for each. The user's
folders come from the environment variable ``SUDOKULAB_DATA`` (separated as in ``PATH``), from
``sudokulab instances add`` and from downloads. Each puzzle file in a folder is a collection, named after the file
without its extension. Each subfolder is a collection of all its files.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import time
import tomllib
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from platformdirs import user_data_path

from sudokulab._internal.documents import parse_json
from sudokulab._internal.files import locked, whole_file
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.formats import EXTENSIONS, is_puzzle_file, read, symbols
from sudokulab.formats.compression import uncompressed
from sudokulab.puzzle import Puzzle

__all__ = [
    "KNOWN",
    "Collection",
    "Download",
    "add_folder",
    "collections",
    "download",
    "find",
    "folders",
    "remove_folder",
]

FOLDERS_VARIABLE = "SUDOKULAB_DATA"

_MAX_DOWNLOAD_BYTES = 1 << 28
_MAX_DOWNLOAD_SECONDS = 600.0
_MAX_SILENCE_SECONDS = 30.0


@dataclass(frozen=True)
class Collection:
    """A named set of puzzles.

    Parameters
    ----------
    name
        Its name in commands.
    files
        The files with the puzzles.
    source
        ``bundled``, or the user's folder.
    title
        A short description, if known.
    commands
        For a bundled collection, the commands that made its parts.
    """

    name: str
    files: tuple[Path, ...]
    source: str
    title: str = ""
    commands: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles, file by file."""
        for file in self.files:
            yield from read(file)

    def count(self) -> int:
        """Return the number of puzzles; this reads all of them."""
        return sum(1 for _ in self)

    @property
    def sha256(self) -> str:
        """The SHA-256 checksum of the files, concatenated in order of their names."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(file.read_bytes())
        return digest.hexdigest()


def collections() -> Iterator[Collection]:
    """Yield all collections that can be used by name: bundled ones, then those in the user's folders."""
    yield from _bundled().values()
    seen = set(_bundled())
    for folder in folders():
        for collection in _in_folder(folder).values():
            if collection.name not in seen:
                seen.add(collection.name)
                yield collection


def find(name: str) -> Collection | None:
    """Return the collection with this name, or None. A file in a subfolder is named ``folder/file``."""
    if name in _bundled():
        return _bundled()[name]
    if symbols.decode(name, math.isqrt(len(name))) is not None and len(name) >= 16:
        return None  # a puzzle, not a name
    for folder in folders():
        if collection := _named(folder, name):
            return collection
    return None


def folders() -> list[Path]:
    """Return the user's existing collection folders, in search order.

    Warns if the list of added folders cannot be read.
    """
    named = [Path(part) for part in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if part]
    added: list[Path] = []
    try:
        added = _added()
    except SudokulabError as error:
        warnings.warn(str(error), stacklevel=2)
    return [folder for folder in [*named, *added, _downloads()] if os.path.isdir(folder)]


def add_folder(folder: Path) -> list[Collection]:
    """Make the collections in a folder usable by name permanently, and return them."""
    if not folder.is_dir():
        raise SudokulabError(f"{folder}: no such folder")
    found = list(_in_folder(folder).values())
    if not found:
        raise SudokulabError(f"{folder}: no puzzle files found; their extensions must be among {', '.join(EXTENSIONS)}")
    with _changing_list():
        added = _added()
        if folder.resolve() not in added:
            _remember([*added, folder.resolve()])
    return found


def remove_folder(folder: Path) -> None:
    """Remove an added folder from the list; its files are kept."""
    with _changing_list():
        added = _added()
        if folder.resolve() not in added:
            raise SudokulabError(f"{folder}: not in the list; choose one of {', '.join(map(str, added)) or 'none'}")
        _remember([path for path in added if path != folder.resolve()])


@cache
def _bundled() -> dict[str, Collection]:
    data = Path(str(resources.files("sudokulab.instances"))) / "data"
    sets = tomllib.loads((data / "sets.toml").read_text(encoding="utf-8"))
    return {
        name: Collection(
            name,
            (data / f"{name}.txt",),
            "bundled",
            entry["title"],
            tuple(f"sudokulab generate {options}" for options in entry.get("make", ())),
        )
        for name, entry in sets.items()
    }


def _in_folder(folder: Path) -> dict[str, Collection]:
    """Return the collections in a folder: its files and its subfolders.

    Files that differ only in their extension keep it in their names.
    """
    entries = [entry for entry in _entries(folder) if not entry.name.startswith(".")]
    files = [entry for entry in entries if _has_puzzles(entry)]
    stems = [uncompressed(file).stem for file in files]
    found = {}
    for file, stem in zip(files, stems, strict=True):
        name = stem if stems.count(stem) == 1 else file.name
        found[name] = Collection(name, (file,), str(folder))
    for inner in entries:
        if os.path.isdir(inner) and (parts := tuple(filter(_has_puzzles, _entries(inner)))):
            found.setdefault(inner.name, Collection(inner.name, parts, str(folder)))
    return found


def _entries(folder: Path) -> list[Path]:
    """Return the entries of a folder in order; nothing if it cannot be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _has_puzzles(path: Path) -> bool:
    """Return whether a path looks like a puzzle file. Pipes and devices, which may never end, do not."""
    return is_puzzle_file(path) and os.path.isfile(path)


def _named(folder: Path, name: str) -> Collection | None:
    """Return the collection with this name in a folder, or ``inner/name`` in a subfolder."""
    inner, _, last = name.rpartition("/")
    if inner:
        where = folder / inner
        if "/" in inner or inner.startswith(".") or not os.path.isdir(where):
            return None
        found = _in_folder(where).get(last)
        return Collection(name, found.files, str(where)) if found else None
    return _in_folder(folder).get(name)


def _listing() -> Path:
    return user_data_path("sudokulab") / "folders.json"


def _added() -> list[Path]:
    """Return the added folders; raise SudokulabError if the list is corrupt."""
    if not os.path.isfile(_listing()):
        return []
    try:
        paths = parse_json(_listing().read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SudokulabError(f"{_listing()}: cannot be read ({error}); repair or remove it") from None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise SudokulabError(f"{_listing()}: not a JSON list of folders; repair or remove it")
    return [Path(path) for path in paths]


def _changing_list() -> AbstractContextManager[None]:
    """Keep other processes from changing the list of added folders."""
    _listing().parent.mkdir(parents=True, exist_ok=True)
    return locked(_listing().with_suffix(".lock"))


def _remember(paths: list[Path]) -> None:
    with whole_file(_listing()) as stream:
        json.dump([str(path) for path in paths], stream)


def _downloads() -> Path:
    return user_data_path("sudokulab") / "downloads"


@dataclass(frozen=True)
class Download:
    """A public collection that can be downloaded.

    Parameters
    ----------
    url
        The HTTPS address of the file.
    sha256
        The checksum of the file.
    title
        What it contains, and who collected it.
    """

    url: str
    sha256: str
    title: str


KNOWN: dict[str, Download] = {
    "royle-17": Download(
        "https://raw.githubusercontent.com/matthewdemczyk/CSI4900_Dancing_Links/"
        "4fc1c3bdb0a9458450cfbe2e8b57284cc2f54e77/sudoku17.txt",
        "c83ad8606f024c9517e7d84ba62791225b8b0b3372a5ade7d8535ef940c162d0",
        "49,150 puzzles with 17 givens, collected by Gordon Royle",
    ),
    "plb-20": Download(
        "https://raw.githubusercontent.com/attractivechaos/plb/"
        "ca35a7dfb2a235fa00fce58f7d1d426d69c6123a/sudoku/sudoku.txt",
        "453b467d42cbd1e61502f9823ad90091615aa0efc446b6620cc6a2eae53408ab",
        "20 hard puzzles of the programming language benchmark plb",
    ),
}
"""The public collections that can be downloaded by name."""


def download(name: str, known: dict[str, Download] | None = None) -> Collection:
    """Download a known public collection, verify its checksum, and make it usable by name.

    The file appears only after it is complete and verified.
    """
    known = KNOWN if known is None else known
    if name not in known:
        raise SudokulabError(unknown_name("public collection", name, known))
    from http.client import HTTPException

    import pooch

    entry = known[name]
    target = _downloads() / f"{name}{Path(entry.url).suffix or '.txt'}"
    try:
        pooch.retrieve(entry.url, f"sha256:{entry.sha256}", target.name, target.parent, downloader=_fetch)
    except (OSError, HTTPException) as error:
        raise SudokulabError(
            f"{entry.url} could not be downloaded ({type(error).__name__}: {error}); is this machine online? "
            "To use a file downloaded elsewhere, run `sudokulab instances add FOLDER`"
        ) from None
    except ValueError as error:
        raise SudokulabError(f"{entry.url}: the file has changed since it was registered: {error}") from None
    return Collection(name, (target,), str(target.parent), entry.title)


def _fetch(url: str, file: str, _: object) -> None:
    """Download a file for pooch; fail if it is too large or takes too long."""
    import urllib.request

    deadline = time.monotonic() + _MAX_DOWNLOAD_SECONDS
    num_bytes = 0
    with urllib.request.urlopen(url, timeout=_MAX_SILENCE_SECONDS) as answer, open(file, "wb") as target:
        while piece := answer.read1(1 << 16):
            num_bytes += len(piece)
            if num_bytes > _MAX_DOWNLOAD_BYTES:
                raise SudokulabError(f"{url}: more than {_MAX_DOWNLOAD_BYTES:,} bytes, download stopped")
            if time.monotonic() > deadline:
                raise SudokulabError(f"{url}: incomplete after {_MAX_DOWNLOAD_SECONDS:g} seconds, download stopped")
            target.write(piece)
