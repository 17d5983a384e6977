"""External solvers: SAT and CP solvers from the extra ``peers``, and any program run by its command line."""

from __future__ import annotations

from sudokulab.external.peers import Cadical, CpSat, PeerSolver
from sudokulab.external.programs import CommandSolver

__all__ = ["PEER_SOLVERS", "Cadical", "CommandSolver", "CpSat", "PeerSolver"]

PEER_SOLVERS: dict[str, type[PeerSolver]] = {solver.name: solver for solver in (Cadical, CpSat)}
"""Peers by name; listed and tested only if their libraries are installed."""
