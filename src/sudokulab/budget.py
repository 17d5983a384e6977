"""What a run may cost."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sudokulab.parameters import parameters

__all__ = ["MAX_COUNT", "Budget", "checked_budget"]

MAX_COUNT = 2**63 - 1
"""The largest number of steps or solutions that can be counted."""


@parameters
class Budget:
    """Limits of a run, immutable and reusable; None means no limit.

    A solver that stops at a limit answers ``UNKNOWN``. Tree searches count nodes, metaheuristics count iterations, and
    each refuses a limit in a unit that it does not count.

    Parameters
    ----------
    seconds
        Wall-clock time, kept to within a tenth of a second.
    iterations
        Steps of a metaheuristic, as its paper counts them.
    nodes
        Candidates tried by a tree search.
    is_cpu_time
        Whether the seconds are CPU time of the searching thread, which a busy machine does not shorten. A solver that
        is no part of the native core may take them for wall-clock time.
    """

    seconds: Annotated[float, Field(ge=0)] | None = None
    iterations: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    nodes: Annotated[int, Field(ge=0, le=MAX_COUNT)] | None = None
    is_cpu_time: bool = False


def checked_budget(budget: Budget | None, who: str, unit: str | None) -> Budget:
    """Return the budget, unlimited if there is none; refuses a limit in a unit that is not counted."""
    if budget is None:
        return _UNLIMITED
    for other in ("iterations", "nodes"):
        if other != unit and getattr(budget, other) is not None:
            instead = f"{unit} or seconds" if unit else "seconds"
            raise ValueError(f"{who} counts {unit or 'seconds'}, not {other}: limit {instead} instead")
    return budget


_UNLIMITED = Budget()
