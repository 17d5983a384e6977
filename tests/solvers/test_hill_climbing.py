from __future__ import annotations

import pytest

from sudokulab import Budget, HillClimbing, Puzzle, _core
from sudokulab._internal.native import native_puzzle
from tests.logic.test_filtering import FIGURE_1
from tests.puzzles import EASY, INKALA, SEVENTEEN

pytestmark = pytest.mark.native


def box_cells(box: int) -> list[int]:
    top, left = box // 3 * 3, box % 3 * 3
    return [9 * (top + k // 3) + left + k % 3 for k in range(9)]


def clashes(puzzle: Puzzle, cell: int, digit: int) -> int:
    row = puzzle.cells[cell // 9 * 9 : cell // 9 * 9 + 9]
    return row.count(digit) + puzzle.cells[cell % 9 :: 9].count(digit)


def greedy_placement(puzzle: Puzzle) -> bytes:
    cells = bytearray(puzzle.cells)
    for box in range(9):
        missing = [digit for digit in range(1, 10) if digit not in {puzzle.cells[cell] for cell in box_cells(box)}]
        for cell in box_cells(box):
            if not puzzle.cells[cell]:
                digit = next((digit for digit in missing if not clashes(puzzle, cell, digit)), missing[0])
                cells[cell] = digit
                missing.remove(digit)
    return bytes(cells)


def f2(puzzle: Puzzle, cells: bytes) -> int:
    return sum(clashes(puzzle, cell, cells[cell]) for cell in range(81) if not puzzle.cells[cell])


def f1(cells: bytes) -> int:
    return sum(len(set(cells[9 * i : 9 * i + 9])) + len(set(cells[i::9])) for i in range(9))


@pytest.mark.parametrize("puzzle", [FIGURE_1, EASY, INKALA])
def test_the_greedy_placement_takes_the_next_digit_that_clashes_with_no_given(puzzle: Puzzle) -> None:
    assert _core.initial_placement(native_puzzle(puzzle), False, 0) == greedy_placement(puzzle)


def test_the_first_box_of_figure_1_by_hand() -> None:
    # missing 1 2 3 4 6 7: r1c1 takes 3 (1 and 2 are in its row), r1c2 4, r1c3 6, r2c1 1, r2c2 2, and r2c3 gets the
    # remaining 7, which is already given in its row
    grid = _core.initial_placement(native_puzzle(FIGURE_1), False, 0)
    assert [grid[cell] for cell in box_cells(0)] == [3, 4, 6, 1, 2, 7, 9, 8, 5]


@pytest.mark.parametrize("puzzle", [FIGURE_1, EASY, INKALA])
def test_post_swapping_only_removes_clashes(puzzle: Puzzle) -> None:
    before = _core.initial_placement(native_puzzle(puzzle), False, 1)
    after = _core.initial_placement(native_puzzle(puzzle), True, 1)
    assert f2(puzzle, after) <= f2(puzzle, before)
    assert all(sorted(after[cell] for cell in box_cells(box)) == list(range(1, 10)) for box in range(9))
    if puzzle is FIGURE_1:
        assert f2(puzzle, after) < f2(puzzle, before)


def test_the_statistics_report_f1_and_f2_of_the_first_state() -> None:
    result = HillClimbing(post_swap=False).solve(FIGURE_1, Budget(iterations=0))
    grid = greedy_placement(FIGURE_1)
    assert result.stats["initial_f1"] == f1(grid)
    assert result.stats["initial_clashes"] == f2(FIGURE_1, grid)


def test_a_climb_ends_after_exploring_a_plateau() -> None:
    for plateau in (3, 10):
        solver = HillClimbing(w2=0, plateau=plateau)  # the cost alone is the score
        trace = solver.solve(INKALA, Budget(iterations=2000), trace=True).trace
        climbs = [trace["cost"][trace["restarts"] == number] for number in range(int(trace["restarts"][-1]))]
        assert len(climbs) > 20
        for climb in climbs:
            assert len(climb) - int(climb.argmin()) == plateau


def test_equal_states_have_equal_scores_for_any_weights() -> None:
    # accumulated sums of such weights would differ by rounding, and a plateau would seem to rise forever
    solver = HillClimbing(w1=2.5143581472310927, w2=-1.2571790736155464)
    few, many = (solver.solve(SEVENTEEN, Budget(iterations=n), seed=20).stats["restarts"] for n in (3_000, 30_000))
    assert many > 5 * few


def test_greedy_placement_and_post_swapping_reduce_clashes() -> None:
    starts = {
        (greedy, post_swap): HillClimbing(greedy=greedy, post_swap=post_swap)
        .solve(INKALA, Budget(iterations=0))
        .stats["initial_clashes"]
        for greedy in (True, False)
        for post_swap in (True, False)
    }
    assert starts[True, True] <= starts[True, False] < starts[False, False]
