"""Lloyd & Amos 2019: an ant colony with best value evaporation (BVE), compared with three other solvers."""

from sudokulab.papers.lloyd_2019.general import figure_9, figures_5_6_7, row_45
from sudokulab.papers.lloyd_2019.named import figure_4, named_unique
from sudokulab.papers.lloyd_2019.propagation import figure_3, figure_8
from sudokulab.papers.lloyd_2019.table_1 import table_1
from sudokulab.papers.reproduction import Artefact, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "lloyd-2019",
    'H. Lloyd and M. Amos, "Solving Sudoku with Ant Colony Optimization", IEEE Transactions on Games, 2019',
    (
        Artefact(
            "figure-3",
            "Value sets of the puzzle of Figure 1 after the initial propagation",
            figure_3,
            claim="The initial propagation leaves the printed value sets",
        ),
        Artefact(
            "named-unique",
            "Number of solutions of the sixteen named puzzles",
            named_unique,
            claim="Each of the sixteen named puzzles has a unique solution",
        ),
        Artefact(
            "figure-4",
            "Times of four solvers on sixteen named puzzles",
            figure_4,
            claim="On the named puzzles, the ant colony is mostly ten times as fast as ILS and competitive with DLX",
        ),
        Artefact(
            "figures-5-6-7",
            "Time and success by percentage of fixed cells, for three sizes",
            figures_5_6_7,
            claim="Puzzles are hardest with 40–50 % of the cells fixed, the 25×25 ones with 45 % most of all",
        ),
        Artefact(
            "figure-8",
            "Trivial instances and value-set sizes after propagation",
            figure_8,
            claim="Propagation alone solves no instance below 40, 50 and 55 % for the three sizes",
        ),
        Artefact(
            "table-1",
            "The ant colony with and without best value evaporation on the named puzzles",
            table_1,
            claim="Without best value evaporation, the ant colony fails in most runs on the harder puzzles",
        ),
        Artefact(
            "figure-9",
            "25×25 without best value evaporation",
            figure_9,
            claim="At 25×25 and 45 %, success drops from 92 to 58 % without best value evaporation",
        ),
        Artefact(
            "row-45",
            "Five solvers at the hardest point: 25×25, 45 % fixed",
            row_45,
            claim="At 25×25 and 45 %, the ant colony solves 92 %, the other solvers 14, 53 and 14 %",
        ),
    ),
    about="Ants fill in a puzzle digit by digit and propagate each choice. Best value evaporation (BVE) keeps the "
    "colony from settling on one attempt. The paper compares it with ILS, DLX and backtracking (BS), on named puzzles "
    "and on random instances of three sizes.",
)
