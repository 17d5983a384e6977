"""The general CSP method, and Sudoku as a special case."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sudokulab import Puzzle, SudokulabError, _core, count, enumerate, logic, parse
from sudokulab._internal.native import native_puzzle
from sudokulab.papers.csp import BinaryCsp, SearchStats, queens
from tests.puzzles import random_instance


def attack(columns: tuple[int, ...]) -> bool:
    pairs = itertools.combinations(range(len(columns)), 2)
    return any(columns[i] == columns[j] or abs(columns[i] - columns[j]) == j - i for i, j in pairs)


@pytest.mark.parametrize("heuristic", ["Lv", "Dv", "DvGvmin Gmax", "DvGvmax r1r2(GmaxEP)", "Ev P", "Pv r1r2(GminD)"])
def test_eight_queens_have_92_solutions(heuristic: str) -> None:
    solutions = list(queens(8).solutions(heuristic))
    assert len(solutions) == len(set(solutions)) == 92
    assert not any(attack(solution) for solution in solutions)


def test_many_queens_are_placed_almost_without_backtracking() -> None:  # docs/csp.md places a hundred
    stats = SearchStats()
    solution = next(queens(40).solutions("DvGvmin Gmax", stats))
    assert not attack(solution)
    assert stats.backtracks < 40
    assert stats.max_depth == 40


def test_three_queens_have_no_solution() -> None:
    assert list(queens(3).solutions()) == []


def sudoku(puzzle: Puzzle) -> BinaryCsp:
    """Return the open cells of a puzzle as a binary CSP."""
    candidates, box = logic.deduce(puzzle, []).candidates, puzzle.box
    cells = [(row, col) for row, col in np.ndindex(puzzle.size, puzzle.size) if not puzzle.givens[row, col]]
    domains = [(np.flatnonzero(candidates[cell]) + 1).tolist() for cell in cells]

    def are_peers(a: tuple[int, int], b: tuple[int, int]) -> bool:
        same_box = (a[0] // box.rows, a[1] // box.cols) == (b[0] // box.rows, b[1] // box.cols)
        return a[0] == b[0] or a[1] == b[1] or same_box

    pairs = [
        ((i, digit), (j, digit))
        for i, j in itertools.combinations(range(len(cells)), 2)
        if are_peers(cells[i], cells[j])
        for digit in set(domains[i]) & set(domains[j])
    ]
    return BinaryCsp(domains, pairs)


def test_the_4x4_example_of_the_paper_has_16_edges_and_two_solutions() -> None:
    figure_1 = parse("1234" + "43.." + "2143" + "34..")
    csp = sudoku(figure_1)
    assert csp.count_edges() == 16  # the paper counts 32 ordered pairs
    assert len(list(csp.solutions())) == count(figure_1) == 2


@pytest.mark.parametrize(("box", "num_givens"), [((2, 2), 5), ((2, 3), 16), ((3, 3), 45)])
def test_graph_search_counts_the_same_edges(box: tuple[int, int], num_givens: int) -> None:
    for seed in range(3):
        puzzle = random_instance(box, num_givens, seed)
        csp = sudoku(puzzle)
        assert csp.count_edges() == _core.count_edges(native_puzzle(puzzle))
        found = {tuple(solution) for solution in itertools.islice(csp.solutions(), 500)}
        if len(found) < 500:
            blanks = [cell for cell, digit in zip(range(len(puzzle.cells)), puzzle.cells, strict=True) if not digit]
            assert found == {tuple(s.cells[cell] for cell in blanks) for s in enumerate(puzzle)}


def test_invalid_problems_are_rejected() -> None:
    with pytest.raises(SudokulabError, match="duplicate value 'a' in the domain of variable 0"):
        BinaryCsp(["aa", "bc"], [])
    with pytest.raises(SudokulabError, match="in `inconsistent` is not a variable and a value of its domain"):
        BinaryCsp(["ab", "bc"], [((0, "a"), (1, "x"))])
    with pytest.raises(SudokulabError, match="belong to the same variable"):
        BinaryCsp(["ab", "bc"], [((0, "a"), (0, "b"))])
    assert list(BinaryCsp([], []).solutions()) == [()]
    assert queens(4) == queens(4)


def test_thousands_of_variables_are_supported() -> None:
    (solution,) = itertools.islice(BinaryCsp(["a"] * 2000, []).solutions("Lv"), 1)
    assert len(solution) == 2000


def test_a_heuristic_without_variable_scope_is_rejected() -> None:
    with pytest.raises(ValueError, match="no measure with variable scope"):
        queens(4).solutions("Gmax")
