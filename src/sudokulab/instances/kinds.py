"""Kinds of generated puzzles, and how they are chosen among all puzzles."""

from __future__ import annotations

from enum import Enum

__all__ = ["Bias", "Kind"]


class Kind(Enum):
    """The kind of a generated puzzle."""

    UNIQUE = "unique"
    """Puzzles with exactly one solution."""
    FULL = "full"
    """Random grids without blanks; see `random_grid`."""
    FIXED = "fixed"
    """An exact fraction of a random grid; see `fixed_fraction`."""
    SHUFFLED_ROOT = "shuffled-root"
    """The root grid, shuffled, with each cell kept at random; see `shuffled_root`."""
    PAST_RULES = "past-rules"
    """Blanked until the rules fail several times, then further; see `past_rules`."""


class Bias(Enum):
    """How the probability of a puzzle depends on the puzzle."""

    TOP_DOWN = "top-down"
    """In an unknown way: digits that cannot be removed stay, which favours puzzles with few givens."""
    CONTROLLED = "controlled"
    """Only through the number of givens, n: it is proportional to 1 / C(cells, n); see `sample_minimal`."""
