"""Human techniques, and explanations, hints, ratings and trials based on them."""

from __future__ import annotations

from sudokulab.logic.hints import Ending, Explanation, explain, hint
from sudokulab.logic.pictures import draw_step, picture_of_step, svg_of_step
from sudokulab.logic.rating import Rating, rate, rate_many
from sudokulab.logic.sentences import describe
from sudokulab.logic.steps import Deduction, Link, Step, deduce, steps
from sudokulab.logic.techniques import FAMILIES, RULES, TECHNIQUES, Level, Technique
from sudokulab.logic.trials import CONJECTURE, Reading, Trial, smallest_rules, trial, trial_many

__all__ = [
    "CONJECTURE",
    "FAMILIES",
    "RULES",
    "TECHNIQUES",
    "Deduction",
    "Ending",
    "Explanation",
    "Level",
    "Link",
    "Rating",
    "Reading",
    "Step",
    "Technique",
    "Trial",
    "deduce",
    "describe",
    "draw_step",
    "explain",
    "hint",
    "picture_of_step",
    "rate",
    "rate_many",
    "smallest_rules",
    "steps",
    "svg_of_step",
    "trial",
    "trial_many",
]
