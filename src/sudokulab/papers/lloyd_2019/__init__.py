"""Lloyd & Amos 2019: an ant colony with best value evaporation (BVE), compared with three other solvers."""

from sudokulab.papers.lloyd_2019.general import figure_8, figure_9, figures_5_6_7, row_45
from sudokulab.papers.lloyd_2019.named import figure_4, table_1
from sudokulab.papers.reproduction import Artefact, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "lloyd-2019",
    'H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019',
    (
        Artefact("figure-4", "Times of four solvers on sixteen named puzzles", figure_4),
        Artefact("figures-5-6-7", "Time and success by percentage of fixed cells, for three sizes", figures_5_6_7),
        Artefact("figure-8", "Trivial instances and value-set sizes after propagation", figure_8),
        Artefact("table-1", "The ant colony with and without best value evaporation on the named puzzles", table_1),
        Artefact("figure-9", "25×25 without best value evaporation", figure_9),
        Artefact("row-45", "Five solvers at the hardest point: 25×25, 45 % fixed", row_45),
    ),
)
