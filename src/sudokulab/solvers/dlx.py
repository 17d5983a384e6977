"""Dancing links."""

from __future__ import annotations

from sudokulab.parameters import parameters
from sudokulab.solvers.base import CompleteSolver

__all__ = ["Dlx"]


@parameters
class Dlx(CompleteSolver):
    """Knuth's algorithm X on the exact-cover matrix, with dancing links and his choice of the smallest column.

    Notes
    -----
    The matrix is built as it stands after the givens' rows were chosen. Ties between columns go to the first one in the
    order cells, row-digit, column-digit, box-digit.

    Statistics: ``nodes`` (matrix rows tried, forced ones included), ``backtracks``, ``max_depth``, and ``updates``
    (nodes unlinked, Knuth's own measure).

    References
    ----------
    D. E. Knuth, "Dancing links", in Millennial Perspectives in Computer Science, 2000, arXiv:cs/0011047.
    """

    name = "dlx"
