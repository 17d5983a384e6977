"""The native core. Not a public interface: use the package around it."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Problem:
    """A puzzle as the core sees it."""

    def __init__(self, box_rows: int, box_cols: int, givens: bytes) -> None: ...

class Budget:
    """Limits of a run; None means no limit."""

    def __init__(self, seconds: float | None = None, iterations: int | None = None, nodes: int | None = None) -> None: ...

class Outcome:
    """What a run came to, before anyone has verified it."""

    @property
    def status(self) -> str: ...

    @property
    def grid(self) -> bytes | None: ...

    @property
    def cost(self) -> float | None: ...

    @property
    def stats(self) -> dict[str, int | float]: ...

    @property
    def trace(self) -> dict[str, Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]]: ...

    @property
    def seconds(self) -> float: ...

    @property
    def error(self) -> str: ...

class Solver:
    """A set of parameters that can solve puzzles, from many threads at once."""

    def solve(self, problem: Problem, budget: Budget, seed: int, trace_capacity: int) -> Outcome: ...

    def solve_many(self, problems: Sequence[Problem], seeds: Sequence[int], budget: Budget, num_threads: int) -> list[Outcome]: ...

class CompleteSolver(Solver):
    """A solver that can also count and enumerate."""

    def count(self, problem: Problem, limit: int, budget: Budget) -> tuple[int, bool]:
        """
        The number of solutions up to the limit, and whether the budget sufficed to be sure of it.
        """

class Enumeration:
    """The solutions of a puzzle, one after the other."""

    def __init__(self, solver: CompleteSolver, problem: Problem, budget: Budget) -> None: ...

    def next(self) -> str:
        """Look for another solution; the status of doing so."""

    def grid(self) -> bytes:
        """The solution that `next` found."""

class Backtracking(CompleteSolver):
    def __init__(self) -> None: ...

class Dlx(CompleteSolver):
    def __init__(self) -> None: ...

def derive_seed(seed: int, index: int) -> int:
    """The seed of one run of a batch."""

def redundant_givens(problem: Problem, budget: Budget) -> list[int] | None:
    """The cells whose given is not needed; None if the budget ran out."""

def minimize(problem: Problem, budget: Budget, seed: int) -> bytes | None:
    """
    The givens of a minimal puzzle within this one; None if the budget ran out.
    """
