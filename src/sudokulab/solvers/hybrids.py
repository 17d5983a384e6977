"""Hybrids that the papers propose as future work: a filter combined with another solver.

Each one changes a single default of the solver it derives from. If a filter runs before the search, the statistics
include ``share_fixed``, the share of cells given or fixed.
"""

from __future__ import annotations

from sudokulab.parameters import parameters
from sudokulab.solvers.annealing import Annealing
from sudokulab.solvers.ant_colony import AntColony, AntPropagation
from sudokulab.solvers.filters import Filter
from sudokulab.solvers.genetic import Genetic
from sudokulab.solvers.hill_climbing import HillClimbing
from sudokulab.solvers.particle_swarm import ParticleSwarm
from sudokulab.solvers.tabu import Tabu

__all__ = ["Ac3Annealing", "Ac3AntColony", "Ac3Genetic", "Ac3ParticleSwarm", "CpHillClimbing", "CpTabu"]


@parameters
class CpHillClimbing(HillClimbing):
    """Hill climbing after the CP filter; see `HillClimbing`.

    References
    ----------
    Jones, Roach and Perkins, 2007. The CP procedure is from Lewis, 2007.
    """

    name = "cp-hill-climbing"
    filter: Filter = "cp"


@parameters
class CpTabu(Tabu):
    """Tabu search after the CP filter; see `Tabu`.

    References
    ----------
    Soto et al., 2013. The CP procedure is from Lewis, 2007.
    """

    name = "cp-tabu"
    filter: Filter = "cp"


@parameters
class Ac3Annealing(Annealing):
    """Simulated annealing after the AC3 filter; see `Annealing`.

    References
    ----------
    Proposed as future work by Soto et al., 2013.
    """

    name = "ac3-annealing"
    filter: Filter = "ac3"


@parameters
class Ac3AntColony(AntColony):
    """Ant colony with arc consistency before the search and after every choice; see `AntColony`.

    References
    ----------
    Proposed as future work by Soto et al., 2013.
    """

    name = "ac3-ant-colony"
    propagation: AntPropagation = "ac3"


@parameters
class Ac3Genetic(Genetic):
    """Genetic algorithm after the AC3 filter; see `Genetic`.

    References
    ----------
    Proposed as future work by Soto et al., 2013.
    """

    name = "ac3-genetic"
    filter: Filter = "ac3"


@parameters
class Ac3ParticleSwarm(ParticleSwarm):
    """Particle swarm optimisation after the AC3 filter; see `ParticleSwarm`.

    References
    ----------
    Proposed as future work by Soto et al., 2013.
    """

    name = "ac3-particle-swarm"
    filter: Filter = "ac3"
