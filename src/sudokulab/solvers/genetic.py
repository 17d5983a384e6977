"""A genetic algorithm."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from sudokulab.parameters import parameters
from sudokulab.search.budget import MAX_COUNT
from sudokulab.solvers.filters import Filter, FilteringSolver

__all__ = ["Genetic"]


@parameters
class Genetic(FilteringSolver):
    """Genetic algorithm with crossover at box borders, swap mutation inside boxes, and aging.

    This is the algorithm of Mantere and Koljonen. Individuals are box permutations. The fitness, to be minimised,
    counts the missing and the surplus digits of every row and column.

    Parameters
    ----------
    population
        Number of individuals.
    elite
        Number of fittest individuals that survive unchanged.
    crossover
        Probability that a child has two parents; otherwise it is a copy of one.
    mutation
        Probability that a child mutates.
    three_swap
        Share of the mutations that let three digits of a box change places in a circle.
    insertion
        Share of the mutations that move a digit to another open cell of its box, and the digits in between by one cell.
        All other mutations are sequences of swaps.
    ends_at_given
        Whether the cells of a swap are drawn from all cells of the box, and a given ends the sequence. Otherwise they
        are drawn from the open cells.
    max_swaps
        Largest number of swaps in one mutation; the number is drawn uniformly from 1 on.
    max_repeats
        Limit for the occurrences of a moved digit in the row and the column of its new cell, added up; at least 2,
        since the digit itself occurs in both. A change that exceeds it is undone. 0 for no limit.
    aging
        Number added to the fitness of the best individual for every generation in which it stays the best; 0 for none.
    restart_after
        Number of generations before a new population is drawn; 0 for never.
    filter
        Filter that fixes cells before the search: ``none``, ``cp``, ``ac3``, ``rules``, or techniques such as
        ``singles,x-wing``. Fixed cells count as givens.

    Notes
    -----
    Of the original paper, only the first pages were available. The steps come from two public summaries of it: [1]_,
    and student notes on papers about Sudoku. Both give a population of 21, an elite of 1, initial individuals with
    random boxes, the selection of parents, the limit of 3 occurrences, aging by 1, and a new population after 2,000
    generations. Selection goes through the ranks from the last one upwards: the child at rank i replaces the individual
    there, and its two parents are drawn uniformly from the ranks above. Only [1]_ gives the fitness, the uniform
    crossover of whole boxes, the mutation probability of 0.6 per child, the sequence of one to five swaps in one box,
    and two further mutations of the paper, by three swaps and by insertion, which it does not have itself.

    Neither source says how these two mutations work, or how often they are used. We chose: three digits of a box change
    places in a circle; a digit moves to another place among the open cells of its box, and those in between make room;
    both are undone as a whole by the limit. According to [1]_, a swap that touches a given ends the sequence.
    `three_swap`, `insertion` and `ends_at_given` have the values that agree best with Table 2 of Soto et al.;
    `docs/papers/soto-2013.md` compares them and gives the rule.

    Nor do they say which rows and columns count for the limit, whether the sequence continues after a rejected swap, or
    when an individual is still the same. We chose: the row and column of the digit's new cell; the sequence
    continues; the same grid, except that a copy starts without penalty. `crossover` is our parameter; the source always
    crosses. An iteration is a generation, by default 20 evaluations of the fitness.

    Statistics: ``iterations`` (generations), ``restarts``. Further trace columns: ``mean_cost`` (of the population),
    ``restarts``. A frame shows the cost and the grid of the fittest individual.

    References
    ----------
    T. Mantere and J. Koljonen, "Solving, rating and generating Sudoku puzzles with GA", IEEE Congress on Evolutionary
    Computation, 2007. Soto et al., 2013, compare with it in their Table 2.

    .. [1] "Sudoku com Algoritmo Genético", the documentation of a public JavaScript implementation of the paper.
    """

    name = "genetic"
    unit = "iterations"

    population: Annotated[int, Field(ge=2, le=1000)] = 21
    elite: Annotated[int, Field(ge=1, le=999)] = 1
    crossover: Annotated[float, Field(ge=0, le=1)] = 1.0
    mutation: Annotated[float, Field(ge=0, le=1)] = 0.6
    three_swap: Annotated[float, Field(ge=0, le=1)] = 0.1
    insertion: Annotated[float, Field(ge=0, le=1)] = 0.1
    ends_at_given: bool = False
    max_swaps: Annotated[int, Field(ge=1, le=1000)] = 5
    max_repeats: Annotated[int, Field(ge=0, le=128)] = 3
    aging: Annotated[int, Field(ge=0, le=1000)] = 1
    restart_after: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 2000
    filter: Filter = "none"

    @model_validator(mode="after")
    def _check_elite(self) -> Genetic:
        if self.elite >= self.population:
            raise ValueError(f"elite: {self.elite} of {self.population} individuals; choose fewer than population")
        if self.three_swap + self.insertion > 1:
            raise ValueError(f"three_swap, insertion: {self.three_swap + self.insertion:g} together; choose at most 1")
        return self
