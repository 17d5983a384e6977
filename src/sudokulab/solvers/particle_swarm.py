"""Particle swarm optimisation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["ParticleSwarm"]


@parameters
class ParticleSwarm(FilteringSolver):
    """Geometric particle swarm optimisation on box permutations.

    In every iteration, each particle moves to a convex combination of its position, the best position of the swarm and
    its own best position, and then mutates.

    Parameters
    ----------
    particles
        Number of particles.
    social
        Weight of the best position of the swarm.
    cognitive
        Weight of the particle's own best position. The rest of the weight, 1 − `social` − `cognitive`, belongs to its
        present position.
    mutation
        Probability of a swap in each box of a particle that has moved.
    restart_after
        Number of consecutive iterations without a better position before the swarm is scattered anew; 0 for never.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``.

    Notes
    -----
    The full papers were not available to us. Their abstracts and introductions, and a public minimal program of the
    method, give the swarm without velocities, the move by a convex combination of the three positions followed by a
    mutation, the crossover whose children lie between their parents under a distance of the search space, and its
    product over groups of cells. Their Sudoku version arranges the open digits of each row and mutates by swaps.

    We chose: the groups are the boxes, as in our other solvers; the cost is the number of digits missing from rows and
    columns. In the convex combination, a random mask names one of the three parents for every open cell, with the
    weights as probabilities; cell by cell, swaps inside the other two bring its digit there, until all three are equal.
    With two different parents, the child lies on a shortest path of swaps between them. A position that is as good as
    the particle's own best replaces it. The values of all parameters and the restarts are ours.

    Statistics: ``iterations`` (moves of the whole swarm), ``restarts``. Further trace columns: ``mean_cost`` (of the
    swarm), ``restarts``. A frame shows the cost and the grid of the best particle.

    References
    ----------
    .. [1] A. Moraglio and J. Togelius, "Geometric particle swarm optimization for the Sudoku puzzle", Genetic and
       Evolutionary Computation Conference (GECCO), 2007.
    .. [2] A. Moraglio, C. Di Chio, J. Togelius and R. Poli, "Geometric particle swarm optimization", Journal of
       Artificial Evolution and Applications, 2008.
    """

    name = "particle-swarm"
    unit = "iterations"

    particles: Annotated[int, Field(ge=1, le=10_000)] = 10
    social: Annotated[float, Field(ge=0, le=1)] = 0.05
    cognitive: Annotated[float, Field(ge=0, le=1)] = 0.9
    mutation: Annotated[float, Field(ge=0, le=1)] = 0.1
    restart_after: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 1000
    filter: Filter = "none"

    @model_validator(mode="after")
    def _check_weights(self) -> ParticleSwarm:
        if self.social + self.cognitive > 1:
            total = self.social + self.cognitive
            raise ValueError(f"social, cognitive: weights add up to {total:g}; choose weights that add up to at most 1")
        return self
