"""Deduction rules, and ratings, hints and trials based on them."""

from __future__ import annotations

from sudokulab.logic.hints import Ending, Explanation, describe, explain, hint
from sudokulab.logic.pictures import draw_step, svg_of_step
from sudokulab.logic.rating import Rating, rate, rate_many
from sudokulab.logic.rules import RULES, Deduction, Level, Rule, Step, deduce
from sudokulab.logic.trials import CONJECTURE, Reading, Trial, smallest_rules, trial, trial_many

__all__ = [
    "CONJECTURE",
    "RULES",
    "Deduction",
    "Ending",
    "Explanation",
    "Level",
    "Rating",
    "Reading",
    "Rule",
    "Step",
    "Trial",
    "deduce",
    "describe",
    "draw_step",
    "explain",
    "hint",
    "rate",
    "rate_many",
    "smallest_rules",
    "svg_of_step",
    "trial",
    "trial_many",
]
