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
    """Breed grids whose boxes are right: cross at box borders, mutate by swaps inside boxes, keep the fittest.

    Parameters
    ----------
    population
        The number of individuals.
    elite
        The individuals that survive unchanged.
    crossover
        The probability that a child has two parents; else it is a copy of one.
    mutation
        The probability of a swap in each box of a child.
    restart_after
        Generations in a row without a better individual before a new population is drawn; 0 for never.
    filter
        What is fixed before the search: nothing, or what CP or AC3 can deduce.

    Notes
    -----
    The original paper is not at hand; this follows what Soto et al. and the literature report of it: box permutations
    as individuals, a small population with elitism, crossover that cuts at box borders only, swap mutation inside
    boxes, fitness on rows and columns. Chosen here: the fitness is the number of digits missing from rows and columns;
    parents win tournaments of two; each box of a child comes from either parent with equal chance; the values of all
    parameters; restarts. Limit the generations with ``Budget(iterations=…)``.

    Statistics: ``iterations`` (generations), ``restarts``.

    References
    ----------
    T. Mantere and J. Koljonen, "Solving, rating and generating Sudoku puzzles with GA", IEEE Congress on Evolutionary
    Computation, 2007; the peer in Table 2 of Soto et al., 2013.
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
            raise ValueError(f"elite: {self.elite} of {self.population} individuals, expected fewer than population")
        return self
