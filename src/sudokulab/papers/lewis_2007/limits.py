"""The number of moves that a run may try, in place of the paper's CPU seconds."""

from __future__ import annotations

from sudokulab.lab import SolverSpec
from sudokulab.papers.lewis_2007.judging import HYBRID, SA
from sudokulab.papers.reproduction import Context

__all__ = ["LIMIT_NOTE", "MOVES_PER_SECOND", "SPECS", "move_limit"]

MOVES_PER_SECOND = 1_400_000
"""Estimated speed of the paper's program.

Annealing needs 0.67 ± 0.1 s for the paper's gentle puzzles, and 0.94 ± 0.14 million moves for ours: the same relative
deviation, as expected from the same algorithm. The puzzles with 17 givens give 1.0 million moves per second.
"""

SPECS = [SolverSpec(name=SA), SolverSpec(name=HYBRID)]
LIMIT_NOTE = (
    "The paper limits CPU time on a 2006 processor. Our program makes about twenty times as many moves per second, so "
    f"we limit the moves to what the paper's program could try in its time: {MOVES_PER_SECOND / 1e6:g} million per "
    "second, estimated from its times for gentle puzzles in Table 1. Success rates therefore do not depend on the "
    "machine. The times are ours."
)


def move_limit(order: int, context: Context) -> int:
    """Return the moves allowed per run."""
    share = context.pick(smoke={3: 1, 4: 0.1, 5: 0.01}[order], quick={3: 1, 4: 1, 5: 0.4}[order], published=1, full=1)
    seconds: int = context.printed["figure-3"]["seconds"][str(order)]
    return round(float(share) * seconds * MOVES_PER_SECOND)
