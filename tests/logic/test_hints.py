from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from sudokulab import Puzzle, is_solution, logic, parse
from sudokulab.logic import Ending
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, full_grid, random_instance
from tests.timing import cpu_seconds

pytestmark = pytest.mark.native

RULES = [rule.code for rule in logic.RULES]
FIRST_SENTENCE = (
    "Hidden single: in box 4, 4 fits only in r6c2, because the 4s in r1c1, r5c7 and r9c3 block the other open cells."
)
"""Of the explanation of `SEVENTEEN`."""


def test_a_hint_is_the_first_step_of_the_explanation() -> None:
    hint, explanation = logic.hint(SEVENTEEN), logic.explain(SEVENTEEN)
    assert hint.steps == explanation.steps[:1]
    assert hint.sentences[0] == FIRST_SENTENCE


def test_a_hint_contains_one_step_only() -> None:
    assert logic.hint(EASY).sentences == [logic.explain(EASY).sentences[0]]
    assert logic.hint(EASY).ending is Ending.OPEN
    almost = parse("123434122143432.")
    last = "Full house: r4c4 is the last open cell of box 4, so it must be 1."
    assert logic.hint(almost).sentences == [last, "The puzzle is solved."]


def test_an_explanation_leads_to_the_solution() -> None:
    explanation = logic.explain(EASY)
    assert explanation.ending is Ending.SOLVED
    assert explanation.sentences[-1] == "The puzzle is solved."
    grid = explanation.states[-1].argmax(axis=2) + 1
    assert (explanation.states[-1].sum(axis=2) == 1).all()
    assert is_solution(grid, EASY)


def test_an_explanation_reports_when_no_technique_applies() -> None:
    explanation = logic.explain(INKALA, RULES)
    assert (explanation.ending, explanation.steps) == (Ending.STUCK, ())
    assert explanation.sentences == ["The techniques make no further progress here."]


@pytest.mark.thorough
@pytest.mark.heavy
@pytest.mark.parametrize("puzzle", [SEVENTEEN, INKALA])
def test_all_techniques_together_solve_every_puzzle(puzzle: Puzzle) -> None:
    explanation = logic.explain(puzzle)
    assert explanation.ending is Ending.SOLVED
    assert is_solution(explanation.states[-1].argmax(axis=2) + 1, puzzle)
    assert explanation.filled(len(explanation.steps)).is_full


def test_techniques_can_be_left_out() -> None:
    with_rectangle = parse("9...3...26...1.5.4.51.....7.3..94...........3795.6.....6...38.9..2.......4...76..")
    assert any(step.assumes_uniqueness for step in logic.explain(with_rectangle).steps)
    explanation = logic.explain(with_rectangle, without="uniqueness")
    assert explanation.ending is Ending.SOLVED
    assert not any(step.assumes_uniqueness for step in explanation.steps)


@for_each(
    ("puzzle", "ending", "words"),
    [
        ("." * 81, Ending.SEVERAL_SOLUTIONS, "The puzzle has several solutions, so no step is certain."),
        ("11" + "." * 79, Ending.NO_SOLUTION, "The puzzle has no solution."),
        ("123....4........", Ending.NO_SOLUTION, "The puzzle has no solution."),
    ],
)
def test_puzzles_without_a_unique_solution_get_no_steps(puzzle: str, ending: Ending, words: str) -> None:
    for found in (logic.hint(puzzle), logic.explain(puzzle)):
        assert (found.ending, found.steps) == (ending, ())
        assert found.sentences == [words]


def test_sentences_name_units_cells_and_digits() -> None:
    sentences = logic.explain(SEVENTEEN, RULES).sentences
    assert (
        "Naked single: r1c6 can only be 9, because 1, 3, 4, 5, 7 and 8 occur in its row, column or box, and earlier "
        "steps have excluded 2 and 6."
    ) in sentences
    assert "Pointing: in box 7, 7 fits only in column 2, so 7 can be removed from r1c2 and r5c2." in sentences


def test_pairs_are_described() -> None:
    puzzle = parse("..." + "345678" + "." * 18 + "9" + "." * 26 + ".9" + "." * 25)
    (step, *_) = logic.deduce(puzzle, ["NP"], steps=True, max_steps=1).steps
    assert logic.describe(step, puzzle).startswith(
        "Naked pair: in box 1 and row 1, r1c1 and r1c2 can only hold 1 and 2, so 1 and 2 can be removed from r1c3"
    )


@for_each(
    ("rule", "puzzle", "sentence"),
    [
        (
            "RCB",
            "21..5...........8...3.4.7.1...8.......7.69.2...53..........2.6413..8.2..6.......3",
            "Claiming: in row 7, 7 fits only in box 7, so 7 can be removed from r9c2.",
        ),
        (
            "NP",
            ".3..2...18....17....4...3......534..6...4......32..8.7......67...6..5...4.793...5",
            "Naked pair: in row 1, r1c3 and r1c7 can only hold 5 and 9, so 5 can be removed from r1c1, r1c4 and r1c8, "
            "and 9 from r1c1 and r1c8.",
        ),
        (
            "HT",
            "..3...5.6...1..24....9....3..4..1...8....9...967.24...4.....7..5..2....1.9.3...2.",
            "Hidden triplet: in box 8, 1, 4 and 9 fit only in r7c5, r8c5 and r9c5. No other digits can go there, so 5, "
            "6 and 8 can be removed from r7c5 and r9c5, and 7 from r9c5.",
        ),
    ],
)
def test_every_kind_of_rule_is_described(rule: str, puzzle: str, sentence: str) -> None:
    explanation = logic.explain(puzzle, RULES)
    described = [
        logic.describe(step, explanation.filled(number))
        for number, step in enumerate(explanation.steps)
        if step.technique.code == rule
    ]
    assert sentence in described


def test_digits_are_written_as_in_the_grid() -> None:
    grid = full_grid((4, 4))
    cell = grid.cells.index(16)
    almost = Puzzle(bytes([*grid.cells[:cell], 0, *grid.cells[cell + 1 :]]))
    assert logic.hint(almost).sentences[0].endswith("so it must be G.")


def test_explanations_can_be_written_as_json() -> None:
    data = json.loads(json.dumps(logic.hint(SEVENTEEN).to_dict()))
    (step,) = data["steps"]
    assert (step["technique"], step["variant"], step["uniqueness"]) == ("hidden-single", 0, False)
    assert (step["units"], step["cells"], step["digits"]) == (["box 4"], ["r6c2"], [4])
    assert step["placements"] == [["r6c2", 4]]
    assert step["sentence"] == FIRST_SENTENCE


def test_pictures_show_givens_candidates_and_eliminations() -> None:
    explanation = logic.explain(SEVENTEEN, RULES)
    place = next(i for i, step in enumerate(explanation.steps) if step.technique.code == "BRC")
    root = ElementTree.fromstring(logic.svg_of_step(explanation, place))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    bold = [e for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("font-weight") == "bold"]
    assert len(bold) == 17
    assert len(texts) > 81
    struck = [e for e in root.iter("{http://www.w3.org/2000/svg}path") if e.get("stroke") == "#b3261e"]
    assert len(struck) == len(explanation.steps[place].eliminations)
    drawn = logic.draw_step(explanation, place).plain
    assert "1679" in drawn
    assert len(drawn.splitlines()) == 11


def test_pictures_show_only_the_digits_placed_so_far() -> None:
    explanation = logic.explain(EASY)
    for number in (0, 10):
        root = ElementTree.fromstring(logic.svg_of_step(explanation, number))
        large = [e for e in root.iter("{http://www.w3.org/2000/svg}text") if float(e.get("font-size", "0")) > 30]
        assert len(large) == EASY.num_givens + number + 1  # including the step itself
    assert explanation.filled(10).num_givens == EASY.num_givens + 10


def test_clashing_givens_are_drawn_unchanged() -> None:
    for puzzle in ("11" + "." * 79, "123456781........9" + "." * 63):
        found = logic.explain(puzzle)
        root = ElementTree.fromstring(logic.svg_of_step(found))
        bold = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("font-weight") == "bold"]
        assert bold == list(puzzle.replace(".", ""))
        first_line = logic.draw_step(found).plain.splitlines()[0]
        assert first_line.replace("│", " ").split()[:2] == list(puzzle[:2])


def test_every_size_can_be_drawn() -> None:
    for box in ((2, 2), (2, 3), (4, 4)):
        explanation = logic.explain(random_instance(box, box[0] ** 2 * box[1] ** 2 * 3 // 4, seed=2))
        assert logic.svg_of_step(explanation).startswith("<svg")
        assert logic.draw_step(explanation).plain


@pytest.mark.timing
def test_hints_are_fast() -> None:
    logic.hint(EASY)
    large = random_instance((5, 5), 400, seed=1)
    assert cpu_seconds(lambda: logic.hint(SEVENTEEN)) < 0.1
    assert cpu_seconds(lambda: logic.hint(INKALA)) < 1
    assert cpu_seconds(lambda: logic.hint(large)) < 1
