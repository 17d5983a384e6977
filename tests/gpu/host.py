"""The kernels of ``sudokulab/gpu``, compiled for the host."""

from __future__ import annotations

import ctypes
import hashlib
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["UNDECIDED", "blank", "library", "num_passes", "solve"]

UNDECIDED = 2**32 - 1
_SOURCE = Path(__file__).with_name("host_engine.cpp")


@cache
def library() -> ctypes.CDLL:
    """Compile the kernels, unless another process has done so for the same sources."""
    folder = Path(str(files("sudokulab.gpu")))
    sources = b"".join(path.read_bytes() for path in (_SOURCE, *sorted(folder.glob("*.cu"))))
    target = Path(gettempdir(), f"sudokulab-kernels-{hashlib.sha256(sources).hexdigest()[:16]}.so")
    if not target.exists():
        compiler = shutil.which("g++") or shutil.which("clang++") or "c++"
        flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-shared", "-fPIC"]
        with NamedTemporaryFile(dir=target.parent, suffix=".so", delete=False) as part:
            subprocess.run([compiler, *flags, f"-I{folder}", "-o", part.name, _SOURCE], check=True)
        Path(part.name).replace(target)
    loaded = ctypes.CDLL(str(target))
    for name in ("solve_on_host", "blank_on_host"):
        getattr(loaded, name).restype = ctypes.c_ulonglong
    return loaded


def solve(
    puzzles: NDArray[np.uint8], limit: int = 1, *, max_guesses: int = 4096, chunk: int = 4
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Return the first solutions and the numbers of solutions."""
    solutions = np.zeros(puzzles.shape, np.uint8)
    counts = np.full(len(puzzles), 12345, np.uint32)  # must be overwritten
    library().solve_on_host(_at(puzzles), len(puzzles), limit, max_guesses, chunk, _at(solutions), _at(counts))
    return solutions, counts


def num_passes(puzzles: NDArray[np.uint8], limit: int) -> int:
    """Return the number of passes that the search of all puzzles takes."""
    counts = np.empty(len(puzzles), np.uint32)
    found: int = library().solve_on_host(_at(puzzles), len(puzzles), limit, UNDECIDED, 4, None, _at(counts))
    return found


def blank(grids: NDArray[np.uint8], orders: NDArray[np.uint8], *, chunk: int = 4) -> NDArray[np.uint8]:
    """Return the minimal puzzles that remain of full grids."""
    puzzles = np.full(grids.shape, 99, np.uint8)
    library().blank_on_host(_at(grids), _at(orders), len(grids), chunk, _at(puzzles))
    return puzzles


def _at(array: NDArray[Any]) -> ctypes.c_void_p:
    assert array.flags.c_contiguous
    return ctypes.c_void_p(array.ctypes.data)
