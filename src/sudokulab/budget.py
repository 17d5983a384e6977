"""Limits on the cost of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from sudokulab.errors import ParameterError
from sudokulab.parameters import parameters

__all__ = ["MAX_COUNT", "Budget", "checked_budget"]

MAX_COUNT = 2**63 - 1
"""The largest number of steps or solutions that the core can count."""


@parameters
class Budget:
    """Limits of a run. Immutable and reusable; None means no limit.

    A solver that reaches a limit returns ``UNKNOWN``. Tree searches count nodes, metaheuristics count iterations; a
    solver rejects limits in a unit that it does not count.

    Parameters
    ----------
    seconds
        Wall time, accurate to a tenth of a second.
    iterations
        Steps of a metaheuristic, as its paper counts them.
    nodes
        Candidates tried by a tree search.
    is_cpu_time
        Whether the seconds are CPU time of the searching thread, which does not depend on the load of the machine.
        Solvers outside the native core may treat them as wall time.
    """

    seconds: Annotated[float, Field(ge=0)] | None = None
    iterations: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    nodes: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    is_cpu_time: bool = False


def checked_budget(budget: Budget | None, solver: str, unit: str | None, seconds: float | None = None) -> Budget:
    """Return the budget of a run.

    Parameters
    ----------
    budget
        The limits; None for no limit.
    solver, unit
        The name of the solver, and the unit it counts in.
    seconds
        A time limit given in place of a budget, or in addition to one.

    Raises
    ------
    ParameterError
        If the budget limits a unit that the solver does not count, or there are two time limits.
    """
    if budget is None:
        return _UNLIMITED if seconds is None else Budget(seconds=seconds)
    if not isinstance(budget, Budget):
        raise ParameterError(f"budget: {budget!r}, expected a Budget such as Budget(seconds=5)")
    for other in ("iterations", "nodes"):
        if other != unit and getattr(budget, other) is not None:
            instead = f"{unit} or seconds" if unit else "seconds"
            raise ParameterError(f"{solver} does not count {other}; limit {instead} instead")
    if seconds is None:
        return budget
    if budget.seconds is not None:
        raise ParameterError(f"two time limits: seconds={seconds:g} and {budget}")
    return replace(budget, seconds=seconds)


_UNLIMITED = Budget()
