"""Box shapes, cells and puzzles.

A grid of ``size`` × ``size`` *cells* is divided into *boxes* of ``rows`` × ``cols`` cells, with ``rows · cols = size``.
Rows, columns and boxes are its *units*; two cells that share a unit are *peers*. A solution has every *digit* from 1 to
``size`` exactly once in each unit. A *puzzle* is a grid with some cells filled in, its *givens*.

A row of boxes is a *band*, a column of boxes a *stack*. Cell names such as ``r1c9`` count from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from operator import index
from typing import TYPE_CHECKING, NamedTuple, Self, TypeAlias, overload

from sudokulab.errors import PuzzleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

__all__ = ["MAX_SIZE", "NINE", "BoxLike", "BoxShape", "Digits", "Puzzle", "PuzzleLike", "are_cells", "cell_name"]

MAX_SIZE = 64

_DIGITS = bytes(range(MAX_SIZE + 1))
_TAB = 9  # the smallest byte in text

Digits: TypeAlias = "NDArray[np.uint8]"
"""A grid of digits, 0 for a blank."""


class BoxShape(NamedTuple):
    """The shape of a box, which also determines the size of the grid."""

    rows: int
    cols: int

    @property
    def size(self) -> int:
        """The number of digits, and the number of rows and columns of the grid."""
        return self.rows * self.cols

    @classmethod
    def of(cls, box: BoxLike) -> Self:
        """Return the shape written as ``"3x4"`` or ``(3, 4)``: three rows, four columns."""
        if isinstance(box, str):
            return cls.parse(box)
        try:
            rows, cols = map(index, box)
        except (TypeError, ValueError):
            raise PuzzleError(f"{box!r} is not a box shape; use rows and columns such as (3, 4)") from None
        return cls(rows, cols).checked()

    @classmethod
    def of_size(cls, size: int) -> Self:
        """Return the most square shape for a size, at least as wide as high: 3×3 for 9, 2×3 for 6, 3×4 for 12."""
        heights = range(2, min(size, MAX_SIZE))
        shapes = [cls(rows, size // rows) for rows in heights if size % rows == 0 and rows * rows <= size]
        if not shapes or size > MAX_SIZE:
            raise PuzzleError(f"size {size} is not possible: a box has at least 2×2 and at most {MAX_SIZE} cells")
        return shapes[-1]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``3x4`` (or ``3×4``): three rows, four columns."""
        rows, _, cols = str(text).lower().replace("×", "x").partition("x")
        if not (rows.isdecimal() and cols.isdecimal() and len(text) < 8):
            raise PuzzleError(f"{text!r} is not a box shape; use rows and columns such as 3x4")
        return cls(int(rows), int(cols)).checked()

    def checked(self) -> Self:
        """Return the shape, or raise an error if there are no grids of it."""
        if min(self) < 2 or self.size > MAX_SIZE:
            raise PuzzleError(f"box {self.rows}×{self.cols}; choose at least 2×2 and at most {MAX_SIZE} cells")
        return self

    def units_of(self, cell: int) -> tuple[int, int, int]:
        """Return the row, the column and the box of a cell, each counted from 0."""
        row, col = divmod(cell, self.size)
        return row, col, row // self.rows * self.rows + col // self.cols

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"


NINE = BoxShape(3, 3)
"""The box shape of 9×9 grids."""

BoxLike = BoxShape | tuple[int, int] | str
"""A box shape, its rows and columns, or text such as ``"3x4"``."""

PuzzleLike: TypeAlias = "Puzzle | str | bytes | ArrayLike"
"""A puzzle, text in any format, bytes, or integers as nested lists, a flat sequence or an array, with 0 for a blank."""

_Index: TypeAlias = "int | slice | tuple[slice, int] | tuple[int | slice, slice] | NDArray[np.bool_ | np.integer]"


@dataclass(frozen=True, repr=False)
class Puzzle:
    """An immutable, hashable puzzle. A full grid is a puzzle without blanks.

    Two puzzles are equal if their givens and box shapes are; name, comment and solution are not compared.

    Parameters
    ----------
    cells
        The puzzle as text in any format, as nested lists, as an array, or as bytes: row by row, 0 for a blank.
    box
        The box shape, such as ``"2x3"`` or ``(2, 3)``. Default: the most square one.
    name, comment
        Metadata from the puzzle's file.
    solution
        The solution from the puzzle's file, in any form that `cells` can have. It is not verified.

    Examples
    --------
    >>> puzzle = Puzzle([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
    >>> print(puzzle)
    1 . | . .
    . . | 3 .
    ----+----
    . 4 | . .
    . . | . 2
    >>> puzzle.line, str(puzzle.box), puzzle.num_givens
    ('1.....3..4.....2', '2x2', 4)
    >>> puzzle[1, 2], len(puzzle), next(iter(puzzle))
    (3, 4, (1, 0, 0, 0))
    >>> puzzle.relabel([2, 1, 4, 3]).line
    '2.....4..3.....1'
    """

    cells: bytes
    box: BoxShape = None  # type: ignore[assignment]  # filled in below, so that no user ever sees None
    name: str = field(default="", compare=False, kw_only=True)
    comment: str = field(default="", compare=False, kw_only=True)
    solution: Puzzle | None = field(default=None, compare=False, kw_only=True)

    if TYPE_CHECKING:  # the constructor converts its arguments to the types of the fields

        def __init__(
            self,
            cells: PuzzleLike,
            box: BoxLike | None = None,
            *,
            name: str = "",
            comment: str = "",
            solution: PuzzleLike | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        if type(self.cells) is not bytes or not are_cells(self.cells):
            self._take_over(self.cells)
        if self.box is not None and type(self.box) is not BoxShape:
            object.__setattr__(self, "box", BoxShape.of(self.box))
        box = _checked_box(self.box, len(self.cells))
        object.__setattr__(self, "box", box)
        _check_digits(self.cells, box.size)
        if self.solution is not None:
            cells = Puzzle(self.solution).cells
            if len(cells) != len(self.cells):
                raise PuzzleError(f"the solution has {len(cells)} cells; use {len(self.cells)}")
            object.__setattr__(self, "solution", Puzzle(cells, box))

    def _take_over(self, cells: PuzzleLike) -> None:
        """Take cells, box shape and metadata from a puzzle in another form."""
        from sudokulab.formats.coercion import as_puzzle  # a later layer

        puzzle = as_puzzle(cells, self.box)
        for name in ("cells", "box"):
            object.__setattr__(self, name, getattr(puzzle, name))
        for name in ("name", "comment", "solution"):
            object.__setattr__(self, name, getattr(self, name) or getattr(puzzle, name))

    @classmethod
    def from_array(
        cls,
        givens: ArrayLike,
        box: BoxLike | None = None,
        *,
        name: str = "",
        comment: str = "",
        solution: PuzzleLike | None = None,
    ) -> Self:
        """Make a puzzle from integers: nested lists, a flat sequence, or an array."""
        import numpy as np

        try:
            array = np.asarray(givens)
        except ValueError:
            raise PuzzleError("the rows have different lengths; pass a square or flat array") from None
        if array.ndim not in (1, 2) or (array.ndim == 2 and array.shape[0] != array.shape[1]):
            raise PuzzleError(f"the array has shape {array.shape}; pass a square or flat one")
        if array.size and not np.issubdtype(array.dtype, np.integer):
            raise PuzzleError(f"the array has type {array.dtype}; pass integers")
        if array.size and not 0 <= array.min() <= array.max() <= MAX_SIZE:
            raise PuzzleError(f"digits from {array.min()} to {array.max()}; use 0 to {MAX_SIZE}")
        return cls(array.astype(np.uint8).tobytes(), box, name=name, comment=comment, solution=solution)

    @classmethod
    def empty(cls, box: BoxLike | int = 9) -> Self:
        """Make a puzzle without givens, for a size or a box shape."""
        shape = BoxShape.of_size(box) if isinstance(box, int) else BoxShape.of(box)
        return cls(bytes(shape.size**2), shape)

    def __len__(self) -> int:
        """Return the number of rows."""
        return self.box.size

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the rows, with 0 for a blank."""
        size = self.size
        return (tuple(self.cells[start : start + size]) for start in range(0, len(self.cells), size))

    @overload
    def __getitem__(self, key: tuple[int, int]) -> int: ...

    @overload
    def __getitem__(self, key: _Index) -> Digits: ...

    def __getitem__(self, key: tuple[int, int] | _Index) -> int | Digits:
        """Return the digit at ``[row, col]``, counted from 0. Other keys work as for a numpy array."""
        try:
            found = self.givens[key]
        except IndexError:
            raise IndexError(f"{key} is outside the {self.size}×{self.size} grid") from None
        return int(found) if found.ndim == 0 else found

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[np.generic]:

        array: NDArray[np.generic] = self.givens if dtype is None else self.givens.astype(dtype)
        return array.copy() if copy else array

    def _repr_html_(self) -> str:
        """Draw the puzzle in a notebook."""
        from sudokulab.drawing import svg  # a later layer
        from sudokulab.drawing.notebooks import figure

        return figure(svg(self, self.solution))

    @property
    def size(self) -> int:
        """The number of digits, and the number of rows and columns."""
        return self.box.size

    @property
    def givens(self) -> Digits:
        """The grid as a read-only array of size × size digits, with 0 for a blank."""
        return _as_array(self.cells, self.size)

    @property
    def num_givens(self) -> int:
        """The number of filled cells."""
        return len(self.cells) - self.cells.count(0)

    @property
    def is_full(self) -> bool:
        """Whether no cell is blank."""
        return 0 not in self.cells

    @property
    def line(self) -> str:
        """The puzzle as one line of text, with one character per cell."""
        from sudokulab.formats import symbols  # a later layer

        return symbols.encode(self.cells, self.size)

    def __repr__(self) -> str:
        return f"<Puzzle {self.box} {self.line!r}{f' {self.name!r}' if self.name else ''}>"

    def __str__(self) -> str:
        """Draw the grid as text that `sudokulab.parse` can read."""
        from sudokulab.formats import grid  # a later layer

        return "\n".join(grid.framed(self))

    def clashes(self) -> list[int]:
        """Return the cells whose digit occurs twice in a unit. A puzzle with clashes has no solution."""
        return sorted({cell for unit in _units(self.box) for cell in _repeats(self.cells, unit)})

    def relabel(self, digits: Sequence[int]) -> Self:
        """Replace each digit d by ``digits[d - 1]``."""
        if sorted(digits, key=str) != sorted(range(1, self.size + 1), key=str):
            raise PuzzleError(f"{digits!r} is not a permutation of the digits 1 to {self.size}")
        table = bytes([0, *digits]).ljust(256, b"\0")
        return self._map(lambda cells: cells.translate(table))

    def transpose(self) -> Self:
        """Swap rows and columns, of the grid and of the box shape."""
        return self._map(lambda cells: _as_array(cells, self.size).T.tobytes(), BoxShape(self.box.cols, self.box.rows))

    def permute_rows(self, order: Sequence[int]) -> Self:
        """Move row ``order[i]`` to position i, counted from 0. Rows of a band must stay together."""
        _check_permutation(order, self.size, "rows", self.box.rows, "band")
        return self._map(lambda cells: _as_array(cells, self.size)[list(order)].tobytes())

    def permute_cols(self, order: Sequence[int]) -> Self:
        """Move column ``order[i]`` to position i, counted from 0. Columns of a stack must stay together."""
        _check_permutation(order, self.size, "columns", self.box.cols, "stack")
        return self._map(lambda cells: _as_array(cells, self.size)[:, list(order)].tobytes())

    def permute_bands(self, order: Sequence[int]) -> Self:
        """Move band ``order[i]`` to position i, counted from 0."""
        _check_permutation(order, self.box.cols, "bands")
        return self.permute_rows(_spread(order, self.box.rows))

    def permute_stacks(self, order: Sequence[int]) -> Self:
        """Move stack ``order[i]`` to position i, counted from 0."""
        _check_permutation(order, self.box.rows, "stacks")
        return self.permute_cols(_spread(order, self.box.cols))

    def shuffle(self, seed: int) -> Self:
        """Apply a random symmetry of the grid, including transposition if the boxes are square."""
        import numpy as np

        rng = np.random.default_rng(seed)

        def order(num_groups: int, width: int) -> list[int]:
            return [
                int(group * width + line) for group in rng.permutation(num_groups) for line in rng.permutation(width)
            ]

        rows, cols = order(self.box.cols, self.box.rows), order(self.box.rows, self.box.cols)
        digits = (rng.permutation(self.size) + 1).tolist()
        shuffled = self.permute_rows(rows).permute_cols(cols).relabel(digits)
        return shuffled.transpose() if self.box.rows == self.box.cols and rng.random() < 0.5 else shuffled

    def _map(self, change: Callable[[bytes], bytes], box: BoxShape | None = None) -> Self:
        shape = box or self.box
        solution = None if self.solution is None else Puzzle(change(self.solution.cells), shape)
        return replace(self, cells=change(self.cells), box=shape, solution=solution)


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell, such as r1c1 for cell 0."""
    return f"r{cell // size + 1}c{cell % size + 1}"


def _as_array(cells: bytes, size: int) -> Digits:
    import numpy as np

    return np.frombuffer(cells, dtype=np.uint8).reshape(size, size)


@cache
def _checked_box(box: BoxShape | None, num_cells: int) -> BoxShape:
    size = math.isqrt(num_cells)
    if size * size != num_cells:
        raise PuzzleError(f"{num_cells} cells; use a square number such as 16, 36, 81 or 256")
    if box is None:
        return BoxShape.of_size(size)
    if box.checked().size != size:
        raise PuzzleError(f"{num_cells} cells with boxes of {box.rows}×{box.cols}; use {box.size**2} cells")
    return box


def are_cells(data: bytes) -> bool:
    """Return whether bytes are the cells of a grid rather than text, which has no bytes below tab."""
    return not data or data[0] < _TAB or min(data) < _TAB or max(data) <= ord(" ")


def _check_digits(cells: bytes, size: int) -> None:
    if cells.translate(None, _DIGITS[: size + 1]):  # non-empty if any other byte occurs
        raise PuzzleError(f"digit {max(cells)} in a grid of size {size}; use 0 to {size}")


def _units(box: BoxShape) -> list[list[int]]:
    import numpy as np

    cells = np.arange(box.size**2).reshape(box.size, box.size)
    boxes = cells.reshape(box.cols, box.rows, box.rows, box.cols).swapaxes(1, 2).reshape(box.size, box.size)
    return [*cells.tolist(), *cells.T.tolist(), *boxes.tolist()]


def _repeats(cells: bytes, unit: list[int]) -> list[int]:
    digits = bytes(cells[cell] for cell in unit)
    return [cell for cell in unit if cells[cell] and digits.count(cells[cell]) > 1]


def _spread(order: Sequence[int], width: int) -> list[int]:
    return [group * width + line for group in order for line in range(width)]


def _check_permutation(order: Sequence[int], num: int, what: str, width: int = 1, group: str = "") -> None:
    try:
        is_permutation = sorted(order) == list(range(num))
    except (TypeError, ValueError):  # not comparable; the truth value of an array
        is_permutation = False
    if not is_permutation:
        raise PuzzleError(f"{order!r} is not a permutation of {num} {what}; use 0 to {num - 1} in any order")
    if any(len({line // width for line in order[i : i + width]}) > 1 for i in range(0, num, width)):
        raise PuzzleError(f"{list(order)} separates {what} of the same {group}")
