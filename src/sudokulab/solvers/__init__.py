"""Every solver behind one interface.

`SOLVERS` holds the package's own, `PEERS` those that the extra ``peers`` brings. Another package adds its solvers
through the entry point group ``sudokulab.solvers``, for instance in its ``pyproject.toml``::

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
from sudokulab.solvers.ac3_tabu import Ac3Tabu
from sudokulab.solvers.annealing import Annealing, CpAnnealing
from sudokulab.solvers.ant_colony import AntColony
from sudokulab.solvers.auto import Auto
from sudokulab.solvers.backtracking import Backtracking
from sudokulab.solvers.base import CompleteSolver, NativeSolver, Solver
from sudokulab.solvers.command import CommandSolver
from sudokulab.solvers.conflict_driven import ConflictDriven
from sudokulab.solvers.dlx import Dlx
from sudokulab.solvers.genetic import Genetic
from sudokulab.solvers.graph_search import GraphSearch
from sudokulab.solvers.hill_climbing import HillClimbing
from sudokulab.solvers.hybrids import Ac3Annealing, Ac3AntColony, Ac3Genetic, CpHillClimbing, CpTabu
from sudokulab.solvers.iterated_local_search import IteratedLocalSearch
from sudokulab.solvers.peers import Cadical, CpSat, Peer
from sudokulab.solvers.tabu import Tabu

__all__ = [
    "DEFAULT_SOLVER",
    "PEERS",
    "SOLVERS",
    "Ac3Annealing",
    "Ac3AntColony",
    "Ac3Genetic",
    "Ac3Tabu",
    "Annealing",
    "AntColony",
    "Auto",
    "Backtracking",
    "Cadical",
    "CommandSolver",
    "CompleteSolver",
    "ConflictDriven",
    "CpAnnealing",
    "CpHillClimbing",
    "CpSat",
    "CpTabu",
    "Dlx",
    "Genetic",
    "GraphSearch",
    "HillClimbing",
    "IteratedLocalSearch",
    "NativeSolver",
    "Peer",
    "Solver",
    "Tabu",
    "all_solvers",
    "make_solver",
]

SOLVERS: dict[str, type[Solver]] = {
    solver.name: solver
    for solver in (
        Auto,
        ConflictDriven,
        Backtracking,
        Dlx,
        GraphSearch,
        HillClimbing,
        CpHillClimbing,
        Tabu,
        CpTabu,
        Ac3Tabu,
        Genetic,
        Ac3Genetic,
        AntColony,
        Ac3AntColony,
        IteratedLocalSearch,
        Annealing,
        CpAnnealing,
        Ac3Annealing,
    )
}
DEFAULT_SOLVER = Auto.name

PEERS: dict[str, type[Peer]] = {solver.name: solver for solver in (Cadical, CpSat)}
"""Listed, and put to the tests, where what they need is installed."""


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
    peers = {name: peer for name, peer in PEERS.items() if peer.is_installed()}
    plugins = {name: solver for name, solver in _plugins().items() if name not in SOLVERS | PEERS}
    return SOLVERS | peers | plugins


def make_solver(name: str, **parameters: Any) -> Solver:
    """Make a solver by name; its parameters are checked and, where they are text, converted."""
    solver_type = SOLVERS.get(name) or PEERS.get(name) or all_solvers().get(name)
    if solver_type is None:
        raise SudokulabError(f"no solver named {name!r}, expected one of {', '.join(all_solvers())}")
    return solver_type(**parameters)
