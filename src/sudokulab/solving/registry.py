"""All solvers by name: ours, the peer solvers that are installed, and those of other packages.

Another package adds its solvers through the entry point group ``sudokulab.solvers``, for instance in its
``pyproject.toml``::

    [project.entry-points."sudokulab.solvers"]
    my-solver = "my_package:MySolver"

Any other program competes as a `CommandSolver`.
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from sudokulab.errors import SudokulabError
from sudokulab.external import PEER_SOLVERS
from sudokulab.solvers import SOLVERS, Auto, Solver

__all__ = ["DEFAULT_SOLVER", "all_solvers", "make_solver"]

DEFAULT_SOLVER = Auto.name


@cache
def _plugins() -> dict[str, type[Solver]]:
    plugins: dict[str, type[Solver]] = {}
    for entry in entry_points(group="sudokulab.solvers"):
        try:
            solver = entry.load()
            if not (isinstance(solver, type) and issubclass(solver, Solver)):
                raise TypeError(f"{entry.value} is no subclass of sudokulab.solvers.Solver")
            if solver.name != entry.name:
                raise TypeError(f"{entry.value} calls itself {solver.name!r}")
        except Exception as error:  # a plug-in that is broken must not break the rest
            warnings.warn(f"solver plug-in {entry.name!r} left out: {error}", stacklevel=2)
        else:
            plugins[entry.name] = solver
    return plugins


def all_solvers() -> dict[str, type[Solver]]:
    """Return all solvers by name: the package's own, the peers that are installed, then those of plug-ins."""
    peers = {name: peer for name, peer in PEER_SOLVERS.items() if peer.is_installed()}
    plugins = {name: solver for name, solver in _plugins().items() if name not in SOLVERS | PEER_SOLVERS}
    return SOLVERS | peers | plugins


def make_solver(name: str, **parameters: Any) -> Solver:
    """Make a solver by name; its parameters are checked and, where they are text, converted."""
    solver_type = SOLVERS.get(name) or PEER_SOLVERS.get(name) or all_solvers().get(name)
    if solver_type is None:
        raise SudokulabError(f"no solver named {name!r}, expected one of {', '.join(all_solvers())}")
    return solver_type(**parameters)
