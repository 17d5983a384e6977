"""Dancing links."""

from __future__ import annotations

from sudokulab.parameters import plain_parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Dlx"]


@plain_parameters
class Dlx(CompleteSolver):
    """Knuth's algorithm X with dancing links on the exact-cover matrix, choosing the smallest column.

    Notes
    -----
    The matrix is built directly in the state after the rows of the givens have been chosen, which does not change the
    search. Ties between columns go to the first in the order cells, row-digit, column-digit, box-digit.

    Statistics: ``nodes`` (matrix rows tried, including forced ones), ``backtracks``, ``max_depth``, and ``updates``
    (nodes unlinked, Knuth's own measure).

    References
    ----------
    D. E. Knuth, "Dancing links", in Millennial Perspectives in Computer Science, 2000, arXiv:cs/0011047.
    """

    name = "dlx"
