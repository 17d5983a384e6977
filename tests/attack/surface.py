"""The public names of the package, for tests that must not forget one."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import sudokulab

PACKAGES = (
    *("sudokulab", "sudokulab.convert", "sudokulab.datasets", "sudokulab.drawing", "sudokulab.equivalence"),
    *("sudokulab.external", "sudokulab.formats", "sudokulab.search", "sudokulab.instances", "sudokulab.lab"),
    *("sudokulab.learn", "sudokulab.logic", "sudokulab.parameters", "sudokulab.solvers", "sudokulab.questions"),
    "sudokulab.testing",
)
"""The packages whose names are documented."""


def modules() -> Iterator[ModuleType]:
    """Yield all modules of the package, except those that need a package that is not installed."""
    for info in pkgutil.walk_packages(sudokulab.__path__, "sudokulab."):
        if info.name.endswith(".__main__"):
            continue
        try:
            yield importlib.import_module(info.name)
        except ImportError as error:
            if (error.name or "").partition(".")[0] != "cupy":
                raise


def public_names() -> dict[str, Any]:
    """Return the public objects by their shortest public name, without modules."""
    found: dict[str, Any] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if not inspect.ismodule(value) and not any(value is other for other in found.values()):
                found[f"{package}.{name}".removeprefix("sudokulab.")] = value
    return found


def errors() -> set[type[BaseException]]:
    """Return all exceptions that the package defines."""
    return {
        value
        for module in modules()
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, BaseException) and value.__module__.startswith("sudokulab")
    }
