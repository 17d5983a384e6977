"""All solvers of the package by name."""

from __future__ import annotations

from sudokulab.solvers.ac3_tabu import Ac3Tabu
from sudokulab.solvers.annealing import Annealing, CpAnnealing
from sudokulab.solvers.ant_colony import AntColony
from sudokulab.solvers.auto import Auto
from sudokulab.solvers.backtracking import Backtracking
from sudokulab.solvers.base import Solver
from sudokulab.solvers.conflict_driven import ConflictDriven
from sudokulab.solvers.dlx import Dlx
from sudokulab.solvers.genetic import Genetic
from sudokulab.solvers.graph_search import GraphSearch
from sudokulab.solvers.hill_climbing import HillClimbing
from sudokulab.solvers.iterated_local_search import IteratedLocalSearch
from sudokulab.solvers.particle_swarm import ParticleSwarm
from sudokulab.solvers.tabu import Tabu

__all__ = ["SOLVERS"]

SOLVERS: dict[str, type[Solver]] = {
    solver.name: solver
    for solver in (
        Auto,
        ConflictDriven,
        Backtracking,
        Dlx,
        GraphSearch,
        HillClimbing,
        Tabu,
        Ac3Tabu,
        Genetic,
        ParticleSwarm,
        AntColony,
        IteratedLocalSearch,
        Annealing,
        CpAnnealing,
    )
}
