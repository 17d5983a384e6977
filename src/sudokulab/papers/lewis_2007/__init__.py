"""Lewis 2007: simulated annealing, alone and after a constraint programming (CP) procedure.

The paper limits the CPU time of an unpublished program on a 2006 processor. Ours is about twenty times as fast. We
therefore limit the moves, to as many as that program could try: see `limits`.
"""

from __future__ import annotations

from functools import partial

from sudokulab.papers.lewis_2007.published import table_1
from sudokulab.papers.lewis_2007.random_grids import figure_2, figure_3, readings, signed_rank
from sudokulab.papers.reproduction import Artefact, Paper

__all__ = ["PAPER"]

PAPER = Paper(
    "lewis-2007",
    'R. Lewis, "On the combination of constraint programming and stochastic search: the Sudoku case", 2007',
    (
        Artefact("readings", "What an improvement is, before a reset of the temperature", readings),
        Artefact(
            "figure-2",
            "Cells fixed by the CP procedure alone",
            figure_2,
            "CP fixes nothing up to p = 0.2 and completes nearly all puzzles from p = 0.75",
        ),
        *(
            Artefact(
                f"figure-3-order-{order}",
                f"Success and time of annealing and the hybrid by p, order {order}",
                partial(figure_3, order),
                claim,
            )
            for order, claim in (
                (3, "Order 3: both solve everything, the hybrid in less time"),
                (4, "Order 4: success dips in the centre, less so for the hybrid"),
                (5, "Order 5: success dips further, less so for the hybrid"),
            )
        ),
        Artefact(
            "signed-rank",
            "The hybrid has a significantly higher success rate",
            signed_rank,
            "The hybrid has a significantly higher success rate",
        ),
        Artefact(
            "table-1",
            "Uniquely solvable puzzles",
            table_1,
            "Published puzzles: the hybrid solves more, usually in less time",
        ),
    ),
    about="Simulated annealing swaps digits inside boxes, alone and after a constraint programming (CP) procedure that "
    "fills in what follows from the givens. The paper compares both on random instances of orders 3 to 5 and on "
    "published puzzles.",
)
