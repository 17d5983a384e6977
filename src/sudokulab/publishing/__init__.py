"""Files to show and print: sheets of puzzles, booklets of solution paths, animations of runs."""

from sudokulab.publishing.animation import Animation, animate
from sudokulab.publishing.booklets import booklet
from sudokulab.publishing.sheets import PAPERS, sheet

__all__ = ["PAPERS", "Animation", "animate", "booklet", "sheet"]
