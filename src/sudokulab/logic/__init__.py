"""Logic: rules of deduction, and what they say about a puzzle."""

from __future__ import annotations

from sudokulab.logic.rating import Rating, rate, rate_many
from sudokulab.logic.rules import RULES, Deduction, Level, Rule, Step, filter

__all__ = ["RULES", "Deduction", "Level", "Rating", "Rule", "Step", "filter", "rate", "rate_many"]
