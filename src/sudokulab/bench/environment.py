"""The environment of a measurement."""

from __future__ import annotations

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sudokulab import __version__, _core
from sudokulab._internal.machine import first_core, machine
from sudokulab.questions.arrays import INSTRUCTIONS

__all__ = ["describe", "environment"]

_PEERS = ("python-sat", "ortools")


def environment() -> dict[str, object]:
    """Return everything a rate depends on besides the contender: processor, instructions, compiler, versions."""
    here = machine()
    rivals = {}
    for package in _PEERS:
        with suppress(PackageNotFoundError):
            rivals[package] = version(package)
    return {
        "processor": here.processor,
        "num_cores": here.num_cores,
        "core": first_core(),
        "instructions": list(INSTRUCTIONS),
        "system": here.system,
        "compiler": _core.compiler(),
        "python": here.python,
        "sudokulab": __version__,
        "rivals": rivals,
    }


def describe(found: dict[str, Any]) -> str:
    """Format the environment as one line."""
    pinned = "" if found["core"] is None else f", pinned to core {found['core']}"
    versions = {"sudokulab": found["sudokulab"], "Python": found["python"], **found["rivals"]}
    return "; ".join(
        [
            *([found["gpu"]] if "gpu" in found else []),
            f"{found['processor']}, {found['num_cores']} cores{pinned}",
            ", ".join(found["instructions"]),
            found["system"],
            found["compiler"],
            ", ".join(f"{name} {number}" for name, number in versions.items()),
        ]
    )
