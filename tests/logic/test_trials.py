"""One level of trial, and counterexamples to the paper's conjecture, verified without any of our code."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

import sudokulab
from sudokulab import Budget, Puzzle, logic, read
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN

pytestmark = [pytest.mark.native, pytest.mark.slow]

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [[9 * (3 * b + i) + 3 * d + j for i in range(3) for j in range(3)] for b in range(3) for d in range(3)]
UNITS = ROWS + COLS + BOXES
PEERS = [{peer for unit in UNITS if cell in unit for peer in unit} - {cell} for cell in range(81)]

Domains = list[set[int]]

SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

# whether the readings (a), (b) and (c) solve a puzzle
BY_READING = {
    "534678912672195348198342567859761423426853791713924856961.3728.287.1963.345286179": (
        True,
        False,
        True,
    ),  # two solutions
    ".....78.51..3..4....2....6.....4...16.1..3..8.34.8.....7.93..........59....471...": (False, True, True),
    "8..........36......7..9.2...5...7.......457....71...3...1....68..85...1..9....4..": (False, False, True),
}


def independent_filter(domains: Domains, pair_rule: str) -> Domains | None:
    """Apply NS, HS, BRC, RCB and one of NP and HP to their fixed point; return None on a contradiction."""
    domains = [set(domain) for domain in domains]
    while True:
        before = sum(map(len, domains))
        for cell in range(81):  # NS
            if len(domains[cell]) == 1:
                for peer in PEERS[cell]:
                    domains[peer] -= domains[cell]
        for unit in UNITS:
            places = {digit: [cell for cell in unit if digit in domains[cell]] for digit in range(1, 10)}
            for digit, cells in places.items():  # HS
                if len(cells) == 1:
                    domains[cells[0]] = {digit}
            if pair_rule == "NP":
                for one, two in combinations([cell for cell in unit if len(domains[cell]) == 2], 2):
                    if domains[one] == domains[two]:
                        for cell in set(unit) - {one, two}:
                            domains[cell] -= domains[one]
            else:
                for a, b in combinations([digit for digit in places if len(places[digit]) == 2], 2):
                    if places[a] == places[b]:
                        for cell in places[a]:
                            domains[cell] &= {a, b}
        for box in BOXES:
            for line in ROWS + COLS:
                both = set(box) & set(line)
                for digit in range(1, 10) if both else ():
                    in_box = {cell for cell in box if digit in domains[cell]}
                    in_line = {cell for cell in line if digit in domains[cell]}
                    if in_box <= both:  # BRC
                        for cell in in_line - both:
                            domains[cell].discard(digit)
                    elif in_line <= both:  # RCB
                        for cell in in_box - both:
                            domains[cell].discard(digit)
        if not all(domains) or any(
            set().union(*(domains[cell] for cell in unit)) != set(range(1, 10)) for unit in UNITS
        ):
            return None
        if sum(map(len, domains)) == before:
            return domains


def with_domain(domains: Domains, cell: int, domain: set[int]) -> Domains:
    return [*domains[:cell], domain, *domains[cell + 1 :]]


def is_complete(domains: Domains) -> bool:
    return all(len(domain) == 1 for domain in domains)


def candidates(domains: Domains) -> list[tuple[int, int]]:
    return [(cell, digit) for cell in range(81) if len(domains[cell]) > 1 for digit in sorted(domains[cell])]


def can_be_completed(domains: Domains, pair_rule: str) -> bool:
    """Return whether the grid is complete, or placing some candidate and filtering completes it."""
    placed = [independent_filter(with_domain(domains, cell, {digit}), pair_rule) for cell, digit in candidates(domains)]
    return is_complete(domains) or any(found is not None and is_complete(found) for found in placed)


def independent_trial(cells: bytes, pair_rule: str) -> tuple[bool, bool, bool]:
    """Return whether one level solves the puzzle in reading (a), (b) and (c)."""
    domains = independent_filter([{digit} if digit else set(range(1, 10)) for digit in cells], pair_rule)
    assert domains is not None
    at_depth_one = can_be_completed(domains, pair_rule)
    has_changed = True
    while has_changed and not is_complete(domains):
        has_changed = False
        for cell, digit in candidates(domains):
            if digit in domains[cell] and independent_filter(with_domain(domains, cell, {digit}), pair_rule) is None:
                has_changed = True
                domains = independent_filter(with_domain(domains, cell, domains[cell] - {digit}), pair_rule)
                assert domains is not None, "the puzzle has a solution"
    return at_depth_one, is_complete(domains), can_be_completed(domains, pair_rule)


def readings(puzzle: Puzzle, rules: Sequence[str]) -> tuple[bool, bool, bool]:
    found = logic.trial(puzzle, rules)
    return found.is_solved_at_depth_one, found.is_solved_by_elimination, found.is_solved_after_elimination


@pytest.mark.thorough
@pytest.mark.parametrize("pair_rule", ["NP", "HP"])
def test_inkalas_puzzle_refutes_the_conjecture(pair_rule: str) -> None:
    rules = (*logic.CONJECTURE[:-1], pair_rule)
    assert sudokulab.is_unique(INKALA)
    assert readings(INKALA, rules) == (False, False, False)
    assert independent_trial(INKALA.cells, pair_rule) == (False, False, False)


def test_even_ten_rules_do_not_save_the_conjecture() -> None:
    assert readings(INKALA, [rule.code for rule in logic.RULES]) == (False, False, False)


@pytest.mark.thorough
@for_each("line", BY_READING)
def test_the_readings_differ(line: str) -> None:
    puzzle = sudokulab.parse(line)
    assert readings(puzzle, logic.CONJECTURE) == BY_READING[line]
    assert independent_trial(puzzle.cells, "NP") == BY_READING[line]


def test_a_late_key_is_a_digit_of_the_solution() -> None:
    puzzle = sudokulab.parse(next(line for line, solved in BY_READING.items() if solved == (False, False, True)))
    found = logic.trial(puzzle, logic.CONJECTURE)
    solution = sudokulab.solve(puzzle).solution
    assert found.late_key
    assert solution
    assert solution.cells[found.late_key[0]] == found.late_key[1]


def test_trial_solves_puzzles_that_rules_alone_do_not() -> None:
    keys = 0
    for seed in range(10):
        puzzle = sudokulab.minimize(sudokulab.parse(SOLVED), seed=seed)
        found = logic.trial(puzzle, ["NS"])
        assert found.is_solved_by_elimination or not found.is_solved_by_rules
        if found.key:
            keys += 1
            assert not found.is_solved_by_rules
            assert sudokulab.parse(SOLVED).cells[found.key[0]] == found.key[1]
    assert keys


def test_easy_puzzles_need_no_trial() -> None:
    found = logic.trial(EASY)
    assert (found.is_solved_by_rules, found.num_eliminated) == (True, 0)


def test_a_contradiction_is_detected() -> None:
    assert logic.trial("123....4........").is_contradiction
    assert logic.trial("11" + "." * 79).is_contradiction


def test_trials_keep_their_budget() -> None:
    assert not logic.trial(INKALA, budget=Budget(seconds=0)).is_finished
    assert logic.trial(INKALA).is_finished
    with pytest.raises(ValueError, match="a trial does not count nodes"):
        logic.trial(INKALA, budget=Budget(nodes=1))


def test_the_smallest_set_of_rules_is_found() -> None:
    assert logic.smallest_rules([EASY, SEVENTEEN], reading="elimination") == [("NS",), ("HS",)]
    assert logic.smallest_rules([EASY, SEVENTEEN], reading="both") == [("NS",), ("HS",)]
    assert logic.smallest_rules(["." * 16]) == []
    with pytest.raises(ValueError, match=r"reading: 'c'; choose one of depth-one, elimination, both"):
        logic.smallest_rules([EASY], reading="c")  # type: ignore[arg-type]


def test_the_claim_holds_on_puzzles_with_17_givens_by_elimination(public_data: Path) -> None:
    sample = [puzzle for number, puzzle in enumerate(read(public_data / "royle-17-clue.txt")) if number % 50 == 0]
    for pair_rule in ("NP", "HP"):
        assert all(t.is_solved_by_elimination for t in logic.trial_many(sample, (*logic.CONJECTURE[:-1], pair_rule)))


def test_none_of_the_hardest_puzzles_is_solved_by_elimination(public_data: Path) -> None:
    sample = [
        puzzle for number, puzzle in enumerate(read(public_data / "forum-hardest-11plus.txt")) if number % 500 == 0
    ]
    assert not any(found.is_solved_by_elimination for found in logic.trial_many(sample, logic.CONJECTURE))
