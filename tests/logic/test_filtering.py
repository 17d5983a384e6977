"""CP and AC3, compared with slow but obvious implementations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from sudokulab import BoxShape, Puzzle, _core, is_solution, parse
from sudokulab._internal.native import native_puzzle
from sudokulab.logic import ConstraintNetwork, ac3, cp, share_fixed
from sudokulab.papers.analysis import num_moves, num_moves_anywhere, num_moves_saved, num_states
from tests.puzzles import EASY, INKALA, full_grid, satisfiable_puzzles

pytestmark = pytest.mark.native

FIGURE_1 = parse("...512.........76.985.....3......421..19.38..257......5.....192.64.........758...")


def units_of(puzzle: Puzzle) -> list[list[int]]:
    cells = np.arange(len(puzzle.cells)).reshape(puzzle.size, puzzle.size)
    rows, cols = puzzle.box
    boxes = [
        cells[r : r + rows, c : c + cols].ravel()
        for r in range(0, puzzle.size, rows)
        for c in range(0, puzzle.size, cols)
    ]
    return [list(unit) for unit in (*cells, *cells.T, *boxes)]


def five_steps(puzzle: Puzzle) -> bytes:
    """Follow Lewis's procedure literally: fix one cell, then return to step 1."""
    cells, units = bytearray(puzzle.cells), units_of(puzzle)

    def lists() -> dict[int, set[int]]:
        return {
            cell: set(range(1, puzzle.size + 1)) - {cells[peer] for unit in units if cell in unit for peer in unit}
            for cell in range(len(cells))
            if not cells[cell]
        }

    def find_one() -> tuple[int, int] | None:
        candidates = lists()  # step 1
        for cell, digits in candidates.items():  # step 2
            if len(digits) == 1:
                return cell, digits.pop()
        for unit in units:  # steps 3 and 4
            for cell in unit:
                others = set().union(*(candidates.get(other, set()) for other in unit if other != cell))
                alone = candidates.get(cell, set()) - others
                if alone:
                    return cell, alone.pop()
        return None  # step 5

    while fixed := find_one():
        cells[fixed[0]] = fixed[1]
    return bytes(cells)


@settings(max_examples=20)
@given(satisfiable_puzzles(boxes=[BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 3)], min_fraction=0.2))
def test_cp_gives_the_result_of_the_five_steps(puzzle: Puzzle) -> None:
    assert cp(puzzle).cells == five_steps(puzzle)


def test_cp_solves_puzzles_that_need_only_singles() -> None:
    assert is_solution(cp(EASY).givens, EASY)
    assert share_fixed(EASY) == 1
    assert share_fixed(INKALA) == INKALA.num_givens / 81


def test_a_contradictory_puzzle_is_returned_unchanged() -> None:
    puzzle = parse("123....4........")  # r1c4 must be 4 but cannot
    assert puzzle.clashes() == []
    assert cp(puzzle) == puzzle


def test_revise3_on_the_network_of_the_paper() -> None:
    network = ConstraintNetwork([{0, 1, 2}] * 3)
    network.add(0, 1, lambda a, b: a < b)
    network.add(1, 2, lambda a, b: a == b)
    assert network.revise(0, 1)
    assert network.domains[0] == {0, 1}  # x2 has no value greater than 2
    assert network.revise(1, 0)
    assert network.domains[1] == {1, 2}  # x1 has no value smaller than 0
    assert not network.revise(1, 2)
    assert network.revise(2, 1)
    assert network.domains == [{0, 1}, {1, 2}, {1, 2}]
    assert network.ac3()
    assert network.domains == [{0, 1}, {1, 2}, {1, 2}]


def test_several_constraints_can_apply_to_one_pair() -> None:
    network = ConstraintNetwork([{1, 2}, {1, 2, 3}, {1}])
    network.add(0, 1, lambda a, b: 6 // a > b)  # evaluated only for values in the domains: 0 would raise
    network.add(0, 1, lambda a, b: a != b)
    network.add(1, 2, lambda a, b: a == b)
    assert network.revise(1, 2)
    assert network.domains[1] == {1}
    assert network.revise(0, 1)
    assert network.domains[0] == {2}


def test_ac3_detects_a_wiped_out_domain() -> None:
    network = ConstraintNetwork([{1}, {1}])
    network.add(0, 1, lambda a, b: a != b)
    assert not network.ac3()
    assert set() in network.domains


def naked_singles(puzzle: Puzzle) -> list[set[int]]:
    """Enforce arc consistency on disequalities in a naive way."""
    domains = [{digit} if digit else set(range(1, puzzle.size + 1)) for digit in puzzle.cells]
    units, has_changed = units_of(puzzle), True
    while has_changed:
        has_changed = False
        for unit in units:
            for cell in unit:
                for peer in unit:
                    if peer != cell and len(domains[peer]) == 1 and domains[peer] & domains[cell]:
                        domains[cell] = domains[cell] - domains[peer]
                        has_changed = True
    return domains


@settings(max_examples=20)
@given(satisfiable_puzzles(boxes=[BoxShape(2, 2), BoxShape(3, 2), BoxShape(3, 3), BoxShape(3, 4)]))
def test_ac3_on_disequalities_equals_naked_singles(puzzle: Puzzle) -> None:
    domains = ac3(puzzle).reshape(-1, puzzle.size)
    assert [set((np.flatnonzero(domain) + 1).tolist()) for domain in domains] == naked_singles(puzzle)


def test_the_moves_and_states_of_figure_1() -> None:
    assert FIGURE_1.num_givens == 28
    assert num_moves(FIGURE_1) == 131
    assert num_moves_anywhere(FIGURE_1) == 1378
    assert num_moves_saved(FIGURE_1) == 1378 - 131 == 1247
    assert num_states(FIGURE_1) == 720**6 * 5040 * 120**2
    assert num_states(full_grid((3, 3))) == 1
    assert num_states(Puzzle.empty(9)) == 362880**9


def test_missing_or_invalid_domains_are_rejected() -> None:
    network = ConstraintNetwork([{0, 1}] * 3)
    network.add(0, 2, lambda a, b: a != b)
    network.domains.pop()
    for work in (network.ac3, lambda: network.revise(0, 2)):
        with pytest.raises(ValueError, match="2 domains for 3 variables; pass one each"):
            work()
    network.domains.append({99})
    with pytest.raises(ValueError, match=r"domain of variable 2: \{99\}; use values from 0 to 63"):
        network.ac3()


def test_the_core_validates_its_arguments() -> None:
    network = _core.ConstraintNetwork(2)
    every = [2**64 - 1] * 64
    for work in (
        lambda: network.ac3([1]),
        lambda: network.revise(0, [1, 1]),
        lambda: network.add_constraint(0, 2, every, every),
        lambda: network.add_constraint(0, 1, every[:5], every),
        lambda: _core.is_solved_by_rules(native_puzzle(FIGURE_1), [10]),
        lambda: _core.is_solved_by_rules(native_puzzle(FIGURE_1), [-1]),
        lambda: _core.are_solved_by_rules(np.zeros((1, 81), np.uint8), 3, 3, [10], 1),
        lambda: _core.GraphSearch([(6, False)], [], [0], "remove", "ties", "first", "d-way", "edges"),
        lambda: _core.GraphSearch([(0, False)], [], [0], "keep", "ties", "first", "d-way", "edges"),
        lambda: _core.TabuList(3, 1).add(3),
        lambda: _core.spin_roulette([], 0, 1),
    ):
        with pytest.raises(ValueError, match=r"expected|no such"):
            work()
