"""Limited discrepancy search follows the rules of every solver, and its own."""

from limited_discrepancy import LimitedDiscrepancy

from sudokulab import Status, solve
from sudokulab.testing import check_solver

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def test_it_passes_the_checks_of_every_solver() -> None:
    check_solver("limited-discrepancy")


def test_a_run_that_is_cut_off_proves_nothing() -> None:
    assert solve(HARD, LimitedDiscrepancy, seconds=0).status is Status.UNKNOWN


def test_a_higher_first_limit_needs_fewer_rounds() -> None:
    careful = solve(HARD, "limited-discrepancy", seconds=60)
    bold = solve(HARD, LimitedDiscrepancy(first_limit=20), seconds=60)
    assert careful.is_solved
    assert bold.is_solved
    assert bold.stats["rounds"] < careful.stats["rounds"]
