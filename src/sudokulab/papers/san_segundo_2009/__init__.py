"""San Segundo & Jiménez 2009: ten rules, one level of trial, graph-based heuristics."""

from sudokulab.papers.reproduction import Artefact, Paper
from sudokulab.papers.san_segundo_2009.conjecture import conjecture, one_level
from sudokulab.papers.san_segundo_2009.table_2 import table_2, table_2_ours
from sudokulab.papers.san_segundo_2009.table_3 import table_3, table_3_variants

__all__ = ["PAPER"]

PAPER = Paper(
    "san-segundo-2009",
    'P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009',
    (
        Artefact("table-2", "Puzzles with 17 givens by the highest rule needed", table_2),
        Artefact("table-2-ours", "Table 2 for generated minimal puzzles", table_2_ours),
        Artefact("one-level", "One level of trial solves all puzzles with 17 givens", one_level),
        Artefact("conjecture", "One level of trial solves all uniquely solvable puzzles", conjecture),
        Artefact("table-3", "Six decision heuristics on random 16×16 instances", table_3),
        Artefact("table-3-variants", "Table 3 for other samples, and with edges minimised", table_3_variants),
    ),
)
