"""All solvers by name: built-in solvers, installed rivals, and plug-ins.

A package adds its solvers through the entry point group ``sudokulab.solvers``, for instance in its
``pyproject.toml``::

    [project.entry-points."sudokulab.solvers"]
    my-solver = "my_package:MySolver"

Without an entry point, a solver class is named by its module: ``my_module:MySolver``. Any other program can take part
as a `CommandSolver`.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError
from sudokulab.solvers.auto import Auto
from sudokulab.solvers.base import Solver

if TYPE_CHECKING:
    from sudokulab.external import ExternalSolver

__all__ = ["DEFAULT_SOLVER", "SolverLike", "all_solvers", "make_solver"]

DEFAULT_SOLVER = Auto.name

SolverLike: TypeAlias = Solver | type[Solver] | str
"""A solver, its class, its name, filters and a name (``cp+annealing``), or ``module:Class``."""


def all_solvers() -> dict[str, type[Solver]]:
    """Return all solvers by name: built-in solvers, installed rivals, then plug-ins."""
    own, rivals = _own_and_rivals()
    installed = {name: rival for name, rival in rivals.items() if rival.is_installed()}
    plugins = {name: solver for name, solver in _plugins().items() if name not in own | rivals}
    return own | installed | plugins


def make_solver(solver: SolverLike, /, **parameters: object) -> Solver:
    """Return a solver with these parameters.

    Parameters
    ----------
    solver
        A name (see `all_solvers`), a filter and a name (``cp+annealing``), techniques and a name
        (``singles+x-wing+annealing``), ``module:Class``, a class, or an instance. Modules are also searched in the
        current folder.
    **parameters
        The parameters to set. They are checked, and converted if they are text.

    Raises
    ------
    ParameterError
        If there is no such solver or parameter, or a value is out of range.

    Examples
    --------
    >>> make_solver("ant-colony", ants="20").ants
    20
    >>> make_solver("cp+annealing").filter
    'cp'
    """
    if isinstance(solver, Solver):
        return replace(solver, **parameters) if parameters else solver  # type: ignore[type-var]
    if isinstance(solver, str):
        filter, plus, solver = solver.rpartition("+")
        solver = _class_named(solver)
        if plus:
            return _filtering(filter.replace("+", ","), solver, parameters)
    if not _is_solver_class(solver):
        raise ParameterError(f"{solver!r} is not a solver; pass a name, a Solver class or a Solver")
    try:
        return solver(**parameters)
    except TypeError as error:  # a plug-in that is not a dataclass of `parameters`
        raise ParameterError(f"{solver.name}: {error}") from None


def _filtering(filter: str, solver: type[Solver], parameters: dict[str, object]) -> Solver:
    """Return a solver with a filter, as named by ``cp+annealing``."""
    from sudokulab.solvers.filters import FilteringSolver

    if not issubclass(solver, FilteringSolver):
        known = (name for name, other in all_solvers().items() if issubclass(other, FilteringSolver))
        raise ParameterError(f"{filter}+{solver.name}: only these solvers combine with a filter: {', '.join(known)}")
    if not filter:
        raise ParameterError(f"+{solver.name}: name a filter before the plus sign, as in cp+{solver.name}")
    if "filter" in parameters:
        raise ParameterError(f"{filter}+{solver.name} names its filter; remove the parameter filter")
    return make_solver(solver, filter=filter, **parameters)


def _class_named(name: str) -> type[Solver]:
    if ":" in name:
        return _imported(name)
    if name == DEFAULT_SOLVER:
        return Auto  # without importing all others
    own, rivals = _own_and_rivals()
    found = own.get(name) or rivals.get(name) or all_solvers().get(name)
    if found is None:
        raise ParameterError(unknown_name("solver", name, all_solvers()))
    return found


def _own_and_rivals() -> tuple[dict[str, type[Solver]], dict[str, type[ExternalSolver]]]:
    from sudokulab.external import RIVALS
    from sudokulab.solvers.catalogue import SOLVERS

    return SOLVERS, RIVALS


def _imported(name: str) -> type[Solver]:
    """Import ``module:Class``."""
    module, _, attribute = name.partition(":")
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as error:  # a module can raise anything while it is imported
        raise ParameterError(f"cannot import {name}: {type(error).__name__}: {error}") from None
    if not _is_solver_class(found):
        raise ParameterError(f"{name} is not a class derived from sudokulab.Solver")
    return found


def _is_solver_class(value: object) -> TypeGuard[type[Solver]]:
    return isinstance(value, type) and issubclass(value, Solver)


@cache
def _plugins() -> dict[str, type[Solver]]:
    from importlib.metadata import entry_points

    plugins: dict[str, type[Solver]] = {}
    for entry in entry_points(group="sudokulab.solvers"):
        try:
            solver = entry.load()
            if not _is_solver_class(solver):
                raise TypeError(f"{entry.value} is not a class derived from sudokulab.Solver")
            if solver.name != entry.name:
                raise TypeError(f"the class is named {solver.name!r}, but its entry point {entry.name!r}")
        except Exception as error:  # a broken plug-in must not break the rest
            warnings.warn(f"skipping solver plug-in {entry.name!r}: {error}", stacklevel=2)
        else:
            plugins[entry.name] = solver
    return plugins
