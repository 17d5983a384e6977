"""A genetic algorithm."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from sudokulab.budget import MAX_COUNT
from sudokulab.parameters import parameters
from sudokulab.solvers.base import Filter, NativeSolver

__all__ = ["Genetic"]


@parameters
class Genetic(NativeSolver):
    """Genetic algorithm with crossover at box borders, swap mutation inside boxes, and elitism.

    Parameters
    ----------
    population
        Number of individuals.
    elite
        Number of fittest individuals that survive unchanged.
    crossover
        Probability that a child has two parents; otherwise it is a copy of one.
    mutation
        Probability of a swap in each box of a child.
    restart_after
        Number of consecutive generations without a better individual before a new population is drawn; 0 for never.
    filter
        Filter that fixes cells before the search: ``none``, ``cp`` or ``ac3``.

    Notes
    -----
    The original paper, by Mantere and Koljonen, was not available. The solver follows the descriptions by Soto et al.
    and others: individuals are box permutations, the population is small with elitism, crossover cuts only at box
    borders, mutation swaps cells inside boxes, and fitness depends on rows and columns. We chose: fitness is the number
    of digits missing from rows and columns; parents are selected by tournaments of two; each box of a child comes from
    either parent with equal probability; the values of all parameters; restarts. Limit the number of generations with
    ``Budget(iterations=…)``.

    Statistics: ``iterations`` (generations), ``restarts``.

    References
    ----------
    T. Mantere and J. Koljonen, "Solving, rating and generating Sudoku puzzles with GA", IEEE Congress on Evolutionary
    Computation, 2007. Soto et al., 2013, compare with it in their Table 2.
    """

    name = "genetic"
    unit = "iterations"

    population: Annotated[int, Field(ge=2, le=1000)] = 21
    elite: Annotated[int, Field(ge=1, le=999)] = 1
    crossover: Annotated[float, Field(ge=0, le=1)] = 0.5
    mutation: Annotated[float, Field(ge=0, le=1)] = 0.12
    restart_after: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 2000
    filter: Filter = "none"

    @model_validator(mode="after")
    def _check_elite(self) -> Genetic:
        if self.elite >= self.population:
            raise ValueError(f"elite: {self.elite} of {self.population} individuals; expected fewer than population")
        return self
