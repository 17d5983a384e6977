"""Hybrids that the papers name as future work: a filter before one of the other solvers.

Each is a line of configuration; the parts are those of the solvers they derive from. Where a filter fixes cells first,
the statistics have ``share_fixed``, the share of cells given or fixed.
"""

from __future__ import annotations

from typing import Literal

from sudokulab.parameters import parameters
from sudokulab.solvers.annealing import Annealing
from sudokulab.solvers.ant_colony import AntColony
from sudokulab.solvers.base import Filter
from sudokulab.solvers.genetic import Genetic
from sudokulab.solvers.hill_climbing import HillClimbing
from sudokulab.solvers.tabu import Tabu

__all__ = ["Ac3Annealing", "Ac3AntColony", "Ac3Genetic", "CpHillClimbing", "CpTabu"]


@parameters
class CpHillClimbing(HillClimbing):
    """Fix what CP can deduce, then climb; see `HillClimbing`.

    References
    ----------
    Jones, Roach and Perkins, 2007; the CP procedure is Lewis's, 2007.
    """

    name = "cp-hill-climbing"
    filter: Filter = "cp"


@parameters
class CpTabu(Tabu):
    """Fix what CP can deduce, then tabu search; see `Tabu`.

    References
    ----------
    Soto et al., 2013; the CP procedure is Lewis's, 2007.
    """

    name = "cp-tabu"
    filter: Filter = "cp"


@parameters
class Ac3Annealing(Annealing):
    """Fix what AC3 can deduce, then anneal; see `Annealing`.

    References
    ----------
    Named as future work by Soto et al., 2013.
    """

    name = "ac3-annealing"
    filter: Filter = "ac3"


@parameters
class Ac3AntColony(AntColony):
    """Let ants propagate by arc consistency, before the search and after every choice; see `AntColony`.

    References
    ----------
    Named as future work by Soto et al., 2013.
    """

    name = "ac3-ant-colony"
    propagation: Literal["singles", "ac3"] = "ac3"


@parameters
class Ac3Genetic(Genetic):
    """Fix what AC3 can deduce, then breed; see `Genetic`.

    References
    ----------
    Named as future work by Soto et al., 2013.
    """

    name = "ac3-genetic"
    filter: Filter = "ac3"
