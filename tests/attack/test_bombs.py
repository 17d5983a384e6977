"""Small files that unpack to large ones: every reader streams them or refuses them, in bounded memory."""

from __future__ import annotations

import gzip
import importlib
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sudokulab.formats import lz
from tests.cases import for_each
from tests.memory import peak_megabytes
from tests.puzzles import EASY

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

MEGABYTE = 1 << 20
SMALL_MEGABYTES = 192
MOST_GROWTH = 150
"""In megabytes: what a command may use more for a bomb than for one puzzle."""

FILLINGS = {"zeros": b"\0", "line ends": b"\n", "digits": b"1", "spaces": b" ", "short lines": b"x\n", "tags": b"<a "}
READERS = {
    "solve": ["solve", "--keep-going"],
    "check": ["check", "--keep-going"],
    "convert": ["convert", "--keep-going"],
    "audit": ["dataset", "audit"],
}


@contextmanager
def packed(path: Path) -> Iterator[Any]:
    """Open a compressed file for writing."""
    if path.suffix == ".gz":
        with gzip.open(path, "wb", compresslevel=1) as stream:
            yield stream
    elif path.suffix == ".zst":
        zstd: Any = importlib.import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
        with zstd.ZstdFile(path, "w") as stream:
            yield stream
    else:
        with (
            zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
            archive.open(Path(path.stem).name, "w", force_zip64=True) as stream,
        ):
            yield stream


def bomb(path: Path, filling: bytes, num_megabytes: int, head: bytes = b"") -> Path:
    piece = (filling * MEGABYTE)[:MEGABYTE]
    with packed(path) as stream:
        stream.write(head)
        for _ in range(num_megabytes):
            stream.write(piece)
    return path


@cache
def megabytes_of_one_puzzle(command: str, extension: str) -> float:
    """Return the memory that a command uses for a file with a single puzzle."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"plain{extension}")
        match extension:
            case ".parquet":
                pq.write_table(pa.table({"puzzle": [EASY.line]}), path)
            case ".npz":
                np.savez_compressed(path, puzzle=EASY.givens.reshape(1, 81))
            case _:
                path.write_text(f"{EASY.line}\n")
        return peak_megabytes(*READERS[command], str(path))[1]


def growth(command: str, path: Path, extension: str = ".txt") -> tuple[Any, float]:
    """Return the result of a command on a bomb, and how much more memory it used than on a single puzzle."""
    done, megabytes = peak_megabytes(*READERS[command], str(path))
    return done, megabytes - megabytes_of_one_puzzle(command, extension)


def check_bomb(folder: Path, command: str, name: str, filling: str, num_megabytes: int, head: bytes = b"") -> None:
    done, megabytes = growth(command, bomb(folder / name, FILLINGS[filling], num_megabytes, head))
    assert done.returncode in (1, 2), done.stderr[-500:]
    assert "Traceback" not in done.stderr
    assert megabytes < MOST_GROWTH


@linux
@pytest.mark.slow
@for_each("filling", ["zeros", "digits", "spaces", "tags"])
def test_a_bomb_takes_little_memory(tmp_path: Path, filling: str) -> None:
    check_bomb(tmp_path, "check", "x.txt.gz", filling, SMALL_MEGABYTES)


@linux
@pytest.mark.slow
@for_each("name", ["x.txt.zip", "x.txt.zst", "x.csv.gz", "x.jsonl.gz", "x.opensudoku.gz", "x.sdk.gz", "x.grid.gz"])
def test_a_bomb_of_another_format_takes_little_memory(tmp_path: Path, name: str) -> None:
    check_bomb(tmp_path, "check", name, "digits", SMALL_MEGABYTES)


@linux
@pytest.mark.slow
@for_each("name", ["x.csv.gz", "x.txt.zst", "x.jsonl.zip"])
def test_an_audited_bomb_takes_little_memory(tmp_path: Path, name: str) -> None:
    head = b"puzzle\n" if ".csv" in name else b""
    check_bomb(tmp_path, "audit", name, "digits", SMALL_MEGABYTES, head)


@linux
@pytest.mark.slow
def test_a_bomb_after_puzzles_takes_little_memory(tmp_path: Path) -> None:
    head = f"{EASY.line}\n".encode()
    for command in ("solve", "convert"):
        check_bomb(tmp_path, command, "x.txt.gz", "digits", SMALL_MEGABYTES, head)


@linux
@pytest.mark.thorough
@for_each("command", READERS)
@for_each("filling", FILLINGS)
def test_bombs_take_little_memory_in_every_command(tmp_path: Path, command: str, filling: str) -> None:
    check_bomb(tmp_path, command, "x.txt.gz", filling, 4 if filling in ("short lines", "line ends") else 256)


@linux
@pytest.mark.slow
def test_a_text_repeated_in_a_parquet_file_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    texts = pa.DictionaryArray.from_arrays(pa.array([0, *[1] * 2000]), pa.array([EASY.line, "1" * MEGABYTE]))
    pq.write_table(pa.table({"puzzle": texts}), path)
    done, megabytes = growth("audit", path, ".parquet")
    assert done.returncode == 1
    assert megabytes < MOST_GROWTH


@linux
@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.dtype("u1"), np.dtype("U1")], ids=["digits", "text"])
def test_a_wide_array_takes_little_memory(tmp_path: Path, dtype: np.dtype[Any]) -> None:
    path = tmp_path / "x.npz"
    width = 256 * MEGABYTE // dtype.itemsize
    shape = (2, width) if dtype.kind == "u" else (2,)
    wide = dtype if dtype.kind == "u" else np.dtype(f"U{width}")
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("puzzle.npy", "w") as stream,
    ):
        np.lib.format.write_array_header_1_0(
            stream, {"descr": np.lib.format.dtype_to_descr(wide), "fortran_order": False, "shape": shape}
        )
        for _ in range(512):
            stream.write(bytes(MEGABYTE))
    done, megabytes = growth("audit", path, ".npz")
    assert done.returncode == 2
    assert "has rows of 268,435,456 bytes" in done.stderr
    assert megabytes < MOST_GROWTH


@for_each("name", ["x.xz", "x.bz2", "x.7z"])
def test_other_compressions_are_refused_unread(tmp_path: Path, name: str) -> None:
    heads = {"x.xz": b"\xfd7zXZ\0", "x.bz2": b"BZh91AY&SY", "x.7z": b"7z\xbc\xaf\x27\x1c"}
    path = tmp_path / name
    path.write_bytes(heads[name] + bytes(100))
    done, _ = peak_megabytes("check", path)
    assert done.returncode == 2
    assert "extract it and try again" in done.stderr


def test_a_workbook_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "x.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/worksheets/sheet1.xml", bytes(32 * MEGABYTE))
    done, megabytes = peak_megabytes("check", path)
    assert done.returncode == 2
    assert "an Excel workbook" in done.stderr
    assert megabytes < MOST_GROWTH


def test_a_link_unpacks_to_at_most_a_megabyte() -> None:
    letters = lz.compress("1" * (4 * MEGABYTE))
    assert len(letters) < 20_000
    try:
        unpacked = lz.decompress(letters)
    except ValueError:
        return
    assert len(unpacked) <= MEGABYTE
