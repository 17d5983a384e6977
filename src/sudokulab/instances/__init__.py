"""Puzzles: generated to a specification, random as in the papers, bundled, and from collections."""

from sudokulab.instances.collections import Collection, collections, find
from sudokulab.instances.generator import NotFoundError, generate
from sudokulab.instances.grids import Stop, fixed_fraction, past_rules, random_grid, root_grid, shuffled_root
from sudokulab.instances.recipes import Kind, Recipe
from sudokulab.instances.spec import PuzzleSpec, SpecError
from sudokulab.instances.symmetries import Symmetry

__all__ = [
    "Collection",
    "Kind",
    "NotFoundError",
    "PuzzleSpec",
    "Recipe",
    "SpecError",
    "Stop",
    "Symmetry",
    "collections",
    "find",
    "fixed_fraction",
    "generate",
    "past_rules",
    "random_grid",
    "root_grid",
    "shuffled_root",
]
