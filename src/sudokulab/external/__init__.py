"""External solvers: SAT and CP solvers from the extra ``rivals``, and any program run by its command line."""

from __future__ import annotations

from sudokulab.external.programs import CommandSolver
from sudokulab.external.rivals import Cadical, CpSat, ExternalSolver

__all__ = ["RIVALS", "Cadical", "CommandSolver", "CpSat", "ExternalSolver"]

RIVALS: dict[str, type[ExternalSolver]] = {solver.name: solver for solver in (Cadical, CpSat)}
"""Rivals by name; listed and tested only if their libraries are installed."""
