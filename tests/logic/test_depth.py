"""Trial-and-error depth and backdoors, against a slow implementation in Python and public classifications."""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

import sudokulab
from sudokulab import Budget, Puzzle, _core, parse, read
from sudokulab._internal.native import native_puzzle
from sudokulab.logic import rate
from sudokulab.logic.depth import TrialRating, rate_trial_many
from tests.puzzles import EASY, IMPOSSIBLE_4, INKALA, SEVENTEEN, TINY
from tests.timing import TOLERANCE_SECONDS, stopping_seconds

pytestmark = [pytest.mark.native, pytest.mark.heavy]

LOKI = parse("57....9..........8.1.........168..4......28.9..2.9416.....2.....6.9.82.4...41.6..")
"""The first puzzle known to need T&E(3)."""
TWO_SOLUTIONS = parse("534678912672195348198342567859761423426853791713924856961.3728.287.1963.345286179")
NEAR_THE_END = parse("57..4.9..4...6...821...94....168..4264.1.28.9..2.9416...4.26.9..6.9.82.4.2.41.68.")
"""The same with more givens: depth 2, but few enough candidates for the slow implementation."""

Domains = tuple[frozenset[int], ...]


@cache
def units_of(box: tuple[int, int]) -> list[list[int]]:
    rows, cols = box
    size = rows * cols
    names = [(r, c, r // rows * rows + c // cols) for r in range(size) for c in range(size)]
    return [[cell for cell, name in enumerate(names) if name[kind] == k] for kind in range(3) for k in range(size)]


@cache
def neighbours_of(box: tuple[int, int]) -> list[set[int]]:
    units = units_of(box)
    return [set().union(*(u for u in units if cell in u)) - {cell} for cell in range(math.prod(box) ** 2)]


def with_singles(domains: Domains, box: tuple[int, int]) -> Domains | None:
    """Apply naked and hidden singles until nothing changes; return None on a contradiction."""
    work = [set(domain) for domain in domains]
    is_spread = [False] * len(work)
    while True:
        waiting = [cell for cell, domain in enumerate(work) if len(domain) == 1 and not is_spread[cell]]
        for cell in waiting:
            is_spread[cell] = True
            for other in neighbours_of(box)[cell]:
                work[other] -= work[cell]
        if not all(work):
            return None
        if waiting:
            continue
        found = False
        for unit in units_of(box):
            for digit in range(1, math.prod(box) + 1):
                places = [cell for cell in unit if digit in work[cell]]
                if not places:
                    return None
                if len(places) == 1 and len(work[places[0]]) > 1:
                    work[places[0]] = {digit}
                    found = True
        if not found:
            return tuple(map(frozenset, work))


def with_trials(domains: Domains, box: tuple[int, int], depth: int) -> Domains | None:
    """Apply T&E(depth) by its definition; return None on a contradiction."""
    now = with_singles(domains, box)
    if depth == 0 or now is None:
        return now
    has_changed = True
    while has_changed:
        has_changed = False
        for cell in range(len(now)):
            for digit in sorted(now[cell]):
                if len(now[cell]) == 1 or digit not in now[cell]:
                    continue
                if with_trials(replaced(now, cell, {digit}), box, depth - 1) is None:
                    reduced = with_singles(replaced(now, cell, now[cell] - {digit}), box)
                    if reduced is None:
                        return None
                    now, has_changed = reduced, True
    return now


def replaced(domains: Domains, cell: int, domain: set[int] | frozenset[int]) -> Domains:
    return (*domains[:cell], frozenset(domain), *domains[cell + 1 :])


def domains_of(puzzle: Puzzle) -> Domains:
    return tuple(frozenset({digit} if digit else range(1, puzzle.size + 1)) for digit in puzzle.cells)


def is_solved(domains: Domains | None) -> bool:
    return domains is not None and all(len(domain) == 1 for domain in domains)


def slow_depth(puzzle: Puzzle, highest: int) -> int | None:
    depths = range(highest + 1)
    return next((n for n in depths if is_solved(with_trials(domains_of(puzzle), puzzle.box, n))), None)


def slow_backdoors(puzzle: Puzzle, largest: int) -> list[tuple[int, ...]]:
    solution = sudokulab.solve(puzzle).solution
    assert solution
    start = with_singles(domains_of(puzzle), puzzle.box)
    assert start
    blanks = [cell for cell, domain in enumerate(start) if len(domain) > 1]
    for size in range(largest + 1):
        found = []
        for cells in combinations(blanks, size):
            domains = start
            for cell in cells:
                domains = replaced(domains, cell, {solution.cells[cell]})
            if is_solved(with_singles(domains, puzzle.box)):
                found.append(cells)
        if found:
            return found
    return []


def minimal_puzzles(box: tuple[int, int], number: int) -> list[Puzzle]:
    return [sudokulab.minimize(sudokulab.random_grid(box, seed=seed), seed=seed) for seed in range(number)]


SMALL_PUZZLES = [*minimal_puzzles((2, 3), 50), *minimal_puzzles((2, 4), 8), *minimal_puzzles((4, 2), 4)]


def test_depths_agree_with_the_definition() -> None:
    puzzles = [TINY, EASY, SEVENTEEN, *SMALL_PUZZLES, *minimal_puzzles((3, 3), 5)]
    assert [rating.depth for rating in rate_trial_many(puzzles)] == [slow_depth(puzzle, 2) for puzzle in puzzles]
    assert {rating.depth for rating in rate_trial_many(puzzles)} == {0, 1}


@pytest.mark.thorough
def test_depth_two_agrees_with_the_definition() -> None:
    added = [cell for cell in range(81) if NEAR_THE_END.cells[cell] and not LOKI.cells[cell]]
    for number in range(4):
        left_out = added[::3][:number]
        puzzle = Puzzle(bytes(0 if k in left_out else digit for k, digit in enumerate(NEAR_THE_END.cells)))
        assert rate(puzzle, scale="trial").depth == slow_depth(puzzle, 2) == 2


def test_hard_puzzles_need_depth_two_and_the_hardest_three() -> None:
    assert rate(INKALA, scale="trial").depth == 2
    assert rate(LOKI, scale="trial").depth == 3


def test_extreme_puzzles_have_the_depth_of_their_collection(public_data: Path) -> None:
    lines = (public_data / "ratings" / "extreme-5000.txt").read_text(encoding="utf-8").splitlines()
    sample = [line.split()[0] for line in lines if not line.startswith("#")][::250]
    assert {rating.depth for rating in rate_trial_many(sample)} == {2}  # "TE2", as classified by D. Berthier


@pytest.mark.thorough
def test_backdoors_agree_with_the_definition() -> None:
    puzzles = [TINY, EASY, SEVENTEEN, NEAR_THE_END, *SMALL_PUZZLES]
    for rating in rate_trial_many(puzzles, max_listed=1000):
        expected = slow_backdoors(rating.puzzle, 2)
        assert list(rating.backdoors) == expected, rating.puzzle
        assert (rating.backdoor_size, rating.num_backdoors) == (len(expected[0]), len(expected))


@pytest.mark.thorough
def test_pairs_of_cells_agree_with_the_definition() -> None:
    rating = rate(INKALA, scale="trial", max_listed=1000)
    assert list(rating.backdoors) == slow_backdoors(INKALA, 2)
    assert rating.backdoor_size == 2


def test_a_puzzle_without_pairs_has_triples(public_data: Path) -> None:
    with read(public_data / "forum-hardest-1106.txt") as puzzles:
        rating = next(rating for rating in rate_trial_many(puzzles, max_listed=3) if rating.backdoor_size == 3)
    solution = sudokulab.solve(rating.puzzle).solution
    assert solution
    for cells in rating.backdoors:
        domains = domains_of(rating.puzzle)
        for placed, cell in enumerate(cells):
            assert not is_solved(with_singles(domains, rating.puzzle.box)), placed
            domains = replaced(domains, cell, {solution.cells[cell]})
        assert is_solved(with_singles(domains, rating.puzzle.box))


def test_singles_need_no_trial() -> None:
    assert rate(EASY, scale="trial", max_listed=5) == TrialRating(EASY, 1, 0, 0, 1, ((),))


def test_equivalent_puzzles_have_the_same_rating() -> None:
    for puzzle in (SEVENTEEN, INKALA, LOKI):
        ratings = rate_trial_many([puzzle.shuffle(seed) for seed in range(3)])
        assert len({(r.depth, r.backdoor_size, r.num_backdoors) for r in ratings}) == 1


def test_only_puzzles_with_one_solution_are_rated() -> None:
    for puzzle, number in (
        (IMPOSSIBLE_4, 0),
        (parse("11" + "." * 79), 0),
        (Puzzle.empty("3x3"), 2),
        (TWO_SOLUTIONS, 2),
    ):
        assert rate(puzzle, scale="trial") == TrialRating(puzzle, number, None, None, None)


def test_backdoors_are_listed_on_request() -> None:
    assert rate(INKALA, scale="trial").backdoors == ()
    some, more = rate(INKALA, scale="trial", max_listed=2), rate(INKALA, scale="trial", max_listed=5)
    assert (len(some.backdoors), len(more.backdoors), some.num_backdoors) == (2, 5, more.num_backdoors)
    assert more.backdoors[:2] == some.backdoors


def test_ratings_are_json_data() -> None:
    assert rate(INKALA, scale="trial", max_listed=1).to_dict() == {
        "solutions": 1,
        "depth": 2,
        "backdoor_size": 2,
        "num_backdoors": 7,
        "backdoors": [["r1c3", "r5c2"]],
        "finished": True,
    }


def test_larger_grids_are_rated_within_a_budget() -> None:
    puzzle = sudokulab.minimize(sudokulab.random_grid((3, 4), seed=1), seed=1)
    rating = rate(puzzle, scale="trial")
    assert (rating.depth, rating.is_finished) == (slow_depth(puzzle, 1), True)
    hopeless = rate(Puzzle.empty("5x5"), scale="trial", budget=Budget(seconds=0))
    assert not hopeless.is_finished
    assert (hopeless.num_solutions, hopeless.depth, hopeless.backdoor_size) == (None, None, None)


def test_a_short_budget_gives_partial_ratings() -> None:
    ratings = [rate(LOKI, scale="trial", max_listed=9, budget=Budget(seconds=k / 1000)) for k in range(20)]
    assert not ratings[0].is_finished
    for rating in ratings:
        assert rating.depth in (None, 3)
        assert (rating.num_backdoors, len(rating.backdoors)) in ((None, 0), (51, 9))
        assert rating.is_finished == (rating.depth is not None)


def test_threads_do_not_change_ratings() -> None:
    puzzles = [*SMALL_PUZZLES[:20], INKALA, SEVENTEEN]
    assert list(rate_trial_many(puzzles, threads=1)) == list(rate_trial_many(puzzles, threads=4))


@pytest.mark.timing
@pytest.mark.parametrize("num_threads", [1, 2])
def test_ratings_can_be_interrupted(num_threads: int) -> None:
    puzzles = [native_puzzle(LOKI)] * 1000
    delay = stopping_seconds(lambda: _core.rate_trial_many(puzzles, 0, _core.Budget(), num_threads))
    assert 0 < delay < num_threads * TOLERANCE_SECONDS


def test_invalid_parameters_are_rejected() -> None:
    with pytest.raises(ValueError, match=r"max_listed: -1; choose an integer from 0"):
        rate(TINY, scale="trial", max_listed=-1)
    with pytest.raises(ValueError, match="a rating does not count nodes"):
        rate(TINY, scale="trial", budget=Budget(nodes=1))
