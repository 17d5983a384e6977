"""The rules are sound and are applied in order."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudokulab
from sudokulab import BoxShape, Puzzle, _core, as_array, generate, is_solution, logic, parse, read
from sudokulab._internal.native import native_puzzle
from sudokulab.logic import RULES, Level
from tests.cases import for_each
from tests.logic.reference import Candidates, applies, units
from tests.puzzles import EASY, INKALA, SEVENTEEN, random_instance, satisfiable_puzzles

pytestmark = pytest.mark.native

CODES = [rule.code for rule in RULES]
NAMES = [rule.name for rule in RULES]
# minimal puzzles that together need every rule
RULE_BY_RULE = [
    parse("21..5...........8...3.4.7.1...8.......7.69.2...53..........2.6413..8.2..6.......3"),
    parse(".3..2...18....17....4...3......534..6...4......32..8.7......67...6..5...4.793...5"),
    parse("3..61..5.9....3.7.4....79..2.5.....4......8.9..4....3......63...1.9...47...7....8"),
    parse("..3...5.6...1..24....9....3..4..1...8....9...967.24...4.....7..5..2....1.9.3...2."),
    parse("1.5.6.8.7..8..143.......5..4..9......8.7.3......4....3.....8....2..4.7..94..7..1."),
    parse(".........27....1....5...78.6...48..7..1.358....81......8.9.1.46...7.......4...2.."),
]
SMALL_BOXES = [BoxShape(2, 2), BoxShape(2, 3), BoxShape(3, 2), BoxShape(3, 3)]


def apply(step: logic.Step, candidates: Candidates, box: BoxShape) -> None:
    """Take a step. A placed digit disappears from the other cells of its units, which the step does not list."""
    size = box.size
    for cell, digit in step.eliminations:
        candidates[cell // size, cell % size, digit - 1] = False
    for cell, digit in step.placements:
        place = divmod(cell, size)
        for unit in units(box):
            if place in unit:
                for peer in unit:
                    candidates[(*peer, digit - 1)] = False
        candidates[place] = np.arange(1, size + 1) == digit


@pytest.mark.heavy
@settings(max_examples=80)
@given(satisfiable_puzzles(boxes=SMALL_BOXES, min_fraction=0.25), st.permutations(CODES))
def test_no_rule_removes_a_candidate_of_a_solution(puzzle: Puzzle, order: list[str]) -> None:
    solutions = []
    for solution in sudokulab.solutions(puzzle):
        solutions.append(solution)
        if len(solutions) == 200:
            break
    deduction = logic.deduce(puzzle, order, steps=True)
    assert not deduction.is_contradiction
    for solution in solutions:
        for row, col in np.ndindex(puzzle.size, puzzle.size):
            assert deduction.candidates[row, col, solution.givens[row, col] - 1]
        for step in deduction.steps:
            assert all(solution.cells[cell] == digit for cell, digit in step.placements)
            assert all(solution.cells[cell] != digit for cell, digit in step.eliminations)


@pytest.mark.heavy
@for_each("code", CODES)
@settings(max_examples=40)
@given(puzzle=satisfiable_puzzles(boxes=[*SMALL_BOXES, BoxShape(3, 4)], min_fraction=0.3))
def test_every_step_makes_a_change_and_reports_all_of_it(code: str, puzzle: Puzzle) -> None:
    deduction = logic.deduce(puzzle, ["NS", code], steps=True)
    candidates = logic.deduce(puzzle, []).candidates.copy()
    for step in deduction.steps:
        assert step.placements or step.eliminations
        for cell, digit in (*step.placements, *step.eliminations):
            assert candidates[cell // puzzle.size, cell % puzzle.size, digit - 1]
        apply(step, candidates, puzzle.box)
    np.testing.assert_array_equal(candidates, deduction.candidates)


def test_singles_alone_solve_an_easy_puzzle() -> None:
    deduction = logic.deduce(EASY)
    assert deduction.is_solved
    assert is_solution(deduction.puzzle.givens, EASY)
    assert {name for name, number in deduction.firings.items() if number} <= {"naked-single", "hidden-single"}
    assert sum(deduction.firings.values()) == 81 - EASY.num_givens


def test_the_hardest_puzzles_are_beyond_the_rules() -> None:
    deduction = logic.deduce(INKALA)
    assert not deduction.is_solved
    assert deduction.highest is None


@pytest.mark.heavy
@for_each("puzzle", [SEVENTEEN, INKALA, *RULE_BY_RULE])
@for_each("seed", [0, 1, 2])
def test_no_rule_fires_before_all_earlier_ones_are_exhausted(puzzle: Puzzle, seed: int) -> None:
    order = random.Random(seed).sample(CODES, len(CODES)) if seed else CODES
    deduction = logic.deduce(puzzle, order, steps=True)
    candidates = logic.deduce(puzzle, []).candidates.copy()
    placed = {divmod(cell, 9) for cell, digit in enumerate(puzzle.cells) if digit}

    def first_that_applies() -> str | None:
        return next((code for code in order if applies(code, candidates, placed, puzzle.box)), None)

    for step in deduction.steps:
        assert step.technique.code == first_that_applies()
        apply(step, candidates, puzzle.box)
        placed |= {divmod(cell, 9) for cell, _ in step.placements}
    assert first_that_applies() is None


@pytest.mark.thorough
@pytest.mark.heavy
@for_each("number", [2, 4, 6, 10])
def test_the_quick_engine_solves_the_same_9x9_puzzles_as_the_rules_one_by_one(number: int) -> None:
    puzzles = [puzzle for level in Level for puzzle in generate(25, level=level)]
    puzzles += [random_instance((3, 3), givens, seed) for givens in (20, 26, 28) for seed in range(40)]
    solved = [_core.is_solved_by_rules(native_puzzle(puzzle), list(range(number))) for puzzle in puzzles]
    assert solved == [logic.deduce(puzzle, CODES[:number]).is_solved for puzzle in puzzles]
    assert 0 < sum(solved) < len(puzzles)
    for threads in (1, 3):
        assert _core.are_solved_by_rules(as_array(puzzles), 3, 3, list(range(number)), threads).tolist() == solved


# Rules with both singles: the definitions of the other rules differ in patterns that singles cover.
@for_each("codes", [*(CODES[:number] for number in range(1, 11)), CODES[::-1], ["HT", "NS", "NQ", "HS"]])
def test_deductions_and_ratings_agree_on_the_puzzles_that_rules_solve(codes: list[str]) -> None:
    numbers = [CODES.index(code) for code in codes]
    puzzles = [EASY, SEVENTEEN, INKALA, *RULE_BY_RULE, *(random_instance((3, 3), 30, seed) for seed in range(20))]
    puzzles += [random_instance(box, box.size**2 // 3, seed) for box in SMALL_BOXES[:3] for seed in range(5)]
    solved = [logic.deduce(puzzle, codes).is_solved for puzzle in puzzles]
    assert solved == [_core.is_solved_by_rules(native_puzzle(puzzle), numbers) for puzzle in puzzles]
    ratings = logic.rate_many(puzzles, rules=codes, relabelings=0)
    unique = [(rating, is_solved) for rating, is_solved in zip(ratings, solved, strict=True) if rating.level]
    assert [rating.level is not Level.BEYOND for rating, _ in unique] == [is_solved for _, is_solved in unique]


def test_the_examples_need_every_rule() -> None:
    fired = [name for puzzle in RULE_BY_RULE for name, number in logic.deduce(puzzle).firings.items() if number]
    assert set(fired) == set(NAMES)


def test_clashing_givens_are_a_contradiction() -> None:
    deduction = logic.deduce("11" + "." * 79)
    assert deduction.is_contradiction
    assert not deduction.is_solved


def test_an_unknown_technique_is_rejected_with_a_suggestion() -> None:
    expected = (
        r"unknown technique 'naked-singel'; did you mean 'naked-single'\? \(run `sudokulab techniques` for a list\)"
    )
    with pytest.raises(sudokulab.ParameterError, match=expected):
        logic.deduce(EASY, ["NS", "naked-singel"])


@pytest.mark.parametrize("call", [logic.rate, logic.trial])
def test_ratings_and_trials_accept_only_rules(call: Callable[..., object]) -> None:
    with pytest.raises(sudokulab.ParameterError, match=r"not a rule: x-wing; choose one of NS \(naked-single\), HS"):
        call(EASY, rules="NS,x-wing")


# hand-made patterns, each for a single rule
def pattern(code: str, puzzle: Puzzle) -> logic.Step:
    (step, *_) = logic.deduce(puzzle, [code], steps=True, max_steps=1).steps
    return step


def test_a_box_line_interaction_by_hand() -> None:
    # rows 2 and 3 of box 1 are full: its 1 must be in row 1, so 1 is removed from the rest of row 1
    puzzle = parse("." * 9 + "234" + "." * 6 + "567" + "." * 6 + "." * 54)
    step = pattern("BRC", puzzle)
    assert (step.units, step.digits) == (("box 1", "row 1"), (1,))
    assert step.cells == (0, 1, 2)
    assert step.eliminations == tuple((cell, 1) for cell in range(3, 9))


def test_a_naked_pair_by_hand() -> None:
    # r1c1 and r1c2 can only hold 1 and 2: the row has 3-8 elsewhere, and 9 is in their columns
    puzzle = parse("..." + "345678" + "." * 18 + "9" + "." * 26 + ".9" + "." * 25)
    step = pattern("NP", puzzle)
    assert step.technique.title == "Naked pair"
    assert step.cells == (0, 1)
    assert step.digits == (1, 2)
    assert (2, 1) in step.eliminations
    assert (2, 2) in step.eliminations


@pytest.mark.thorough
@for_each(
    ("swap", "expected"),
    [
        (
            (),
            {
                "HS": 44.70,
                "BRC": 29.21,
                "RCB": 2.28,
                "NP": 4.81,
                "HP": 3.69,
                "NT": 0.07,
                "HT": 0.04,
                "NQ": 0.01,
                "HQ": 0,
            },
        ),
        (("BRC", "RCB"), {"BRC": 3.55, "RCB": 27.95}),
        (("NP", "HP"), {"NP": 0.33, "HP": 8.18}),
        (("NT", "HT"), {"NT": 0.01, "HT": 0.10}),
    ],
)
def test_table_2_on_a_sample(public_data: Path, swap: tuple[str, ...], expected: dict[str, float]) -> None:
    order = [dict(zip(swap, swap[::-1], strict=True)).get(code, code) for code in CODES]
    sample = [puzzle for number, puzzle in enumerate(read(public_data / "royle-17-clue.txt")) if number % 20 == 0]
    highest = []
    for puzzle in sample:
        deduction = logic.deduce(puzzle, order)
        if deduction.is_solved and deduction.highest:
            highest.append(deduction.highest.code.replace("NS", "HS"))
    for code, percent in expected.items():
        assert 100 * highest.count(code) / len(sample) == pytest.approx(percent, abs=2)  # sampling noise
    assert 100 * len(highest) / len(sample) == pytest.approx(84.81, abs=2)
