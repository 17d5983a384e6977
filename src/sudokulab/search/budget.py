"""Limits on the cost of a run."""

from __future__ import annotations

import math
from dataclasses import replace

from sudokulab.errors import ParameterError
from sudokulab.parameters import plain_parameters

__all__ = ["MAX_COUNT", "UNLIMITED", "Budget", "checked_budget"]

MAX_COUNT = 2**63 - 1
"""The largest number of steps or solutions that the core can count."""
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


@plain_parameters
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

    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    is_cpu_time: bool = False

    def __post_init__(self) -> None:
        if self.seconds is not None:
            object.__setattr__(self, "seconds", _checked_limit("seconds", self.seconds, float, math.inf))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", _checked_limit("iterations", self.iterations, int, MAX_COUNT))
        if self.nodes is not None:
            object.__setattr__(self, "nodes", _checked_limit("nodes", self.nodes, int, MAX_COUNT))
        if str(self.is_cpu_time).lower() not in _BOOLEANS:
            raise ParameterError(f"is_cpu_time: {self.is_cpu_time!r}; choose true or false")
        object.__setattr__(self, "is_cpu_time", _BOOLEANS[str(self.is_cpu_time).lower()])


def _checked_limit(name: str, value: float | str, kind: type[float], most: float) -> float:
    """Return a limit as a number of this kind. Text is converted."""
    try:
        limit = kind(value)
        is_valid = 0 <= limit <= most and (isinstance(value, str) or limit == value)
    except (TypeError, ValueError, OverflowError):
        is_valid = False
    if not is_valid:
        number = "an integer" if kind is int else "a number"
        raise ParameterError(f"{name}: {value!r}; choose {number} of at least 0 or none")
    return limit


def checked_budget(
    budget: Budget | None,
    solver: str,
    unit: str | None,
    seconds: float | None = None,
    iterations: int | None = None,
    nodes: int | None = None,
) -> Budget:
    """Return the budget of a run.

    Parameters
    ----------
    budget
        The limits; None for no limit.
    solver, unit
        The name of the solver, and the unit it counts in.
    seconds, iterations, nodes
        Limits given in place of a budget, or in addition to one.

    Raises
    ------
    ParameterError
        If the budget limits a unit that the solver does not count, or a limit is given twice.
    """
    if budget is None:
        if seconds is iterations is nodes is None:
            return UNLIMITED
        budget = UNLIMITED
    elif not isinstance(budget, Budget):
        raise ParameterError(f"budget: {budget!r}; pass a Budget such as Budget(seconds=5)")
    single = {"seconds": seconds, "iterations": iterations, "nodes": nodes}
    for name, limit in single.items():
        if limit is not None and getattr(budget, name) is not None:
            raise ParameterError(f"two limits: {name}={limit} and {budget}")
    budget = replace(
        budget,
        seconds=budget.seconds if seconds is None else seconds,
        iterations=budget.iterations if iterations is None else iterations,
        nodes=budget.nodes if nodes is None else nodes,
    )
    for other in ("iterations", "nodes"):
        if other != unit and getattr(budget, other) is not None:
            instead = f"{unit} or seconds" if unit else "seconds"
            raise ParameterError(f"{solver} does not count {other}; limit {instead} instead")
    return budget


UNLIMITED = Budget()
"""The budget without limits."""
