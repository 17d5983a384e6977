"""A second, deliberately simple implementation of the ten rules, used to check whether a rule applies."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sudokulab import BoxShape

Candidates = NDArray[np.bool_]
Cell = tuple[int, int]
SUBSET_SIZES = {"P": 2, "T": 3, "Q": 4}


def units(box: BoxShape) -> list[list[Cell]]:
    """Return the rows, columns and boxes, in this order."""
    size = box.size
    rows = [[(row, col) for col in range(size)] for row in range(size)]
    cols = [[(row, col) for row in range(size)] for col in range(size)]
    corners = [(row, col) for row in range(0, size, box.rows) for col in range(0, size, box.cols)]
    boxes = [[(top + i, left + j) for i in range(box.rows) for j in range(box.cols)] for top, left in corners]
    return rows + cols + boxes


def applies(name: str, candidates: Candidates, placed: set[Cell], box: BoxShape) -> bool:
    """Return whether a rule would place or remove anything."""
    all_units, size = units(box), box.size
    lines, boxes = all_units[: 2 * size], all_units[2 * size :]
    match name:
        case "NS":
            return any(candidates[cell].sum() == 1 and cell not in placed for cell in np.ndindex(size, size))
        case "HS":
            places = (_places(candidates, unit, digit) for unit in all_units for digit in range(size))
            return any(len(cells) == 1 and cells[0] not in placed for cells in places)
        case "BRC":
            return _interaction(candidates, boxes, lines)
        case "RCB":
            return _interaction(candidates, lines, boxes)
        case _:
            return any(_subset(candidates, unit, SUBSET_SIZES[name[1]], name[0] == "N") for unit in all_units)


def _places(candidates: Candidates, unit: list[Cell], digit: int) -> list[Cell]:
    return [cell for cell in unit if candidates[cell][digit]]


def _interaction(candidates: Candidates, sources: list[list[Cell]], targets: list[list[Cell]]) -> bool:
    """Return whether a digit has several places in a source, all in a target. A single place is a hidden single."""
    for source in sources:
        for target in targets:
            for digit in range(len(source)):
                inside = _places(candidates, source, digit)
                if (
                    len(inside) > 1
                    and set(inside) <= set(target)
                    and set(_places(candidates, target, digit)) - set(inside)
                ):
                    return True
    return False


def _subset(candidates: Candidates, unit: list[Cell], number: int, is_naked: bool) -> bool:
    table = np.array([candidates[cell] for cell in unit])  # by cell, digit
    table = table if is_naked else table.T
    items = [item for item in range(len(unit)) if table[item].sum() > 1]
    for chosen in combinations(items, number):
        members = table[list(chosen)].any(axis=0)
        others = [item for item in items if item not in chosen]
        if members.sum() == number and table[others][:, members].any():
            return True
    return False
