"""San Segundo & Jiménez 2009: ten rules, one level of trial, graph-based heuristics."""

from sudokulab.papers.reproduction import Artefact, Paper
from sudokulab.papers.san_segundo_2009.bigger_grids import bigger_grids
from sudokulab.papers.san_segundo_2009.conjecture import conjecture, one_level
from sudokulab.papers.san_segundo_2009.readings import table_3_closest, table_3_readings
from sudokulab.papers.san_segundo_2009.table_2 import table_2, table_2_ours
from sudokulab.papers.san_segundo_2009.table_3 import table_3

__all__ = ["PAPER"]

PAPER = Paper(
    "san-segundo-2009",
    'P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009',
    (
        Artefact(
            "table-2",
            "Puzzles with 17 givens by the highest rule needed",
            table_2,
            claim="Ten rules solve 84.81 % of the puzzles with 17 givens, whatever their order",
        ),
        Artefact("table-2-ours", "Table 2 for generated minimal puzzles", table_2_ours),
        Artefact(
            "one-level",
            "One level of trial on the puzzles with 17 givens",
            one_level,
            claim="Five rules and one level of trial solve all puzzles with 17 givens",
        ),
        Artefact(
            "conjecture",
            "One level of trial on the hardest puzzles",
            conjecture,
            claim="Five rules and one level of trial solve every uniquely solvable 9×9 puzzle",
        ),
        Artefact(
            "table-3",
            "Six decision heuristics on random 16×16 instances",
            table_3,
            claim="Graph-based heuristics need few backtracks, and a least constraining tie-break fewer than a most "
            "constraining one",
        ),
        Artefact("table-3-readings", "Table 3 in all readings of the search and of the generator", table_3_readings),
        Artefact("table-3-closest", "Table 3 in the closest readings, on other instances", table_3_closest),
        Artefact("bigger-grids", "Four heuristics on 25×25 and 36×36 grids (section 5)", bigger_grids),
    ),
    stats=("max_depth", "max_unforced", "backtracks", "rejected"),
    about="Ten rules of filtering classify puzzles, one level of trial is conjectured to solve all 9×9 puzzles, and "
    "heuristics from a graph of compatible values guide a search on 16×16 instances.",
)
