"""Collections of puzzles by name: bundled with the package, in folders of the user's, or to be downloaded.

Bundled sets were made by the generators of this package; ``data/sets.toml`` has the command for each. A user's folders
come from the environment variable ``SUDOKULAB_DATA`` (several with the separator of ``PATH``), from
``sudokulab instances add`` and from downloads. In a folder each file of puzzles is a collection named for it, without
its ending; a folder inside is one too, with all its files.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from platformdirs import user_data_path

from sudokulab._internal.files import whole_file
from sudokulab.errors import SudokulabError
from sudokulab.formats import ENDINGS, read
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


@dataclass(frozen=True)
class Collection:
    """Puzzles with a name.

    Parameters
    ----------
    name
        What commands know it by.
    files
        Where the puzzles are.
    source
        ``bundled``, or the user's folder.
    title
        What it is, if that is known.
    recipes
        The arguments of ``sudokulab generate`` that made its parts, if it is bundled.
    """

    name: str
    files: tuple[Path, ...]
    source: str
    title: str = ""
    recipes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles, file by file."""
        for file in self.files:
            yield from read(file)

    def count(self) -> int:
        """Return the number of puzzles, reading all of them."""
        return sum(1 for _ in self)

    @property
    def sha256(self) -> str:
        """The checksum of the files, one after the other in order of their names."""
        digest = hashlib.sha256()
        for file in self.files:
            digest.update(file.read_bytes())
        return digest.hexdigest()


def collections() -> Iterator[Collection]:
    """Yield all collections that can be used by name: the bundled ones, then those of the user's folders."""
    yield from _bundled().values()
    seen = set(_bundled())
    for folder in folders():
        for collection in _in_folder(folder).values():
            if collection.name not in seen:
                seen.add(collection.name)
                yield collection


def find(name: str) -> Collection | None:
    """Return the collection of a name; None if there is none. A file inside a folder is ``folder/file``."""
    if name in _bundled():
        return _bundled()[name]
    for folder in folders():
        if collection := _named(folder, name):
            return collection
    return None


def folders() -> list[Path]:
    """Return the user's folders of collections, in the order in which they are searched; those that are there."""
    named = [Path(part) for part in os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep) if part]
    return [folder for folder in [*named, *_added(), _downloads()] if folder.is_dir()]


def add_folder(folder: Path) -> list[Collection]:
    """Make a folder's collections usable by name from now on, and return them."""
    if not folder.is_dir():
        raise SudokulabError(f"{folder}: no such folder")
    found = list(_in_folder(folder).values())
    if not found:
        raise SudokulabError(f"{folder}: no files of puzzles in it, expected some that end in {', '.join(ENDINGS)}")
    if folder.resolve() not in _added():
        _remember([*_added(), folder.resolve()])
    return found


def remove_folder(folder: Path) -> None:
    """Forget a folder that was added; its files stay."""
    if folder.resolve() not in _added():
        raise SudokulabError(f"{folder}: was not added, expected one of {', '.join(map(str, _added())) or 'none'}")
    _remember([path for path in _added() if path != folder.resolve()])


@cache
def _bundled() -> dict[str, Collection]:
    data = Path(str(resources.files("sudokulab.instances"))) / "data"
    sets = tomllib.loads((data / "sets.toml").read_text(encoding="utf-8"))
    return {
        name: Collection(name, (data / f"{name}.txt",), "bundled", entry["title"], tuple(entry.get("make", ())))
        for name, entry in sets.items()
    }


def _in_folder(folder: Path) -> dict[str, Collection]:
    """Return the collections of a folder: its files and the folders inside.

    Files that differ in their endings only are called by their whole names.
    """
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    files = [entry for entry in entries if entry.is_file() and entry.suffix.lower() in ENDINGS]
    stems = [file.stem for file in files]
    found = {}
    for file in files:
        name = file.stem if stems.count(file.stem) == 1 else file.name
        found[name] = Collection(name, (file,), str(folder))
    for inner in entries:
        if inner.is_dir() and (parts := tuple(f for f in sorted(inner.iterdir()) if f.suffix.lower() in ENDINGS)):
            found.setdefault(inner.name, Collection(inner.name, parts, str(folder)))
    return found


def _named(folder: Path, name: str) -> Collection | None:
    """Return the collection of a name in a folder, or of ``inner/name`` in a folder inside."""
    inner, _, last = name.rpartition("/")
    if inner:
        where = folder / inner
        if "/" in inner or inner.startswith(".") or not where.is_dir():
            return None
        found = _in_folder(where).get(last)
        return Collection(name, found.files, str(where)) if found else None
    return _in_folder(folder).get(name)


def _listing() -> Path:
    return user_data_path("sudokulab") / "folders.json"


def _added() -> list[Path]:
    return [Path(path) for path in json.loads(_listing().read_text(encoding="utf-8"))] if _listing().is_file() else []


def _remember(paths: list[Path]) -> None:
    _listing().parent.mkdir(parents=True, exist_ok=True)
    with whole_file(_listing()) as stream:
        json.dump([str(path) for path in paths], stream)


def _downloads() -> Path:
    return user_data_path("sudokulab") / "downloads"


@dataclass(frozen=True)
class Download:
    """A public collection that can be fetched.

    Parameters
    ----------
    url
        Where it is, over HTTPS.
    sha256
        The checksum of the file.
    title
        What it is, and whose.
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
"""The public collections that can be fetched by name."""


def download(name: str, known: dict[str, Download] | None = None) -> Collection:
    """Fetch a known public collection, verify its checksum, and make it usable by name.

    The file appears only when it is complete and right.
    """
    known = KNOWN if known is None else known
    if name not in known:
        names = ", ".join(known) or "none"
        raise SudokulabError(f"no public collection named {name!r} is known, expected one of {names}")
    import pooch
    import requests

    entry = known[name]
    target = _downloads() / f"{name}{Path(entry.url).suffix or '.txt'}"
    try:
        pooch.retrieve(entry.url, f"sha256:{entry.sha256}", fname=target.name, path=target.parent)
    except requests.exceptions.RequestException as error:
        raise SudokulabError(
            f"{entry.url} could not be fetched ({type(error).__name__}): is this machine online? "
            "A file fetched by other means is used after `sudokulab instances add FOLDER`"
        ) from None
    except ValueError as error:
        raise SudokulabError(f"{entry.url}: not the file that is known by that name: {error}") from None
    return Collection(name, (target,), str(target.parent), entry.title)
