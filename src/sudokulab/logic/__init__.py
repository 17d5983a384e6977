"""Logic: rules of deduction, and what they say about a puzzle."""

from __future__ import annotations

from sudokulab.logic.rules import RULES, Deduction, Level, Rule, Step, filter

__all__ = ["RULES", "Deduction", "Level", "Rule", "Step", "filter"]
