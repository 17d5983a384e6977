"""Sentences name the technique, the reason and the conclusion."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from sudokulab import Puzzle, generate, logic, parse
from sudokulab.logic import FAMILIES, TECHNIQUES, Step, Technique
from sudokulab.logic.steps import step_of
from sudokulab.puzzle import BoxShape, cell_name
from tests.cases import for_each
from tests.logic.boards import sample_boards
from tests.puzzles import INKALA, SEVENTEEN, full_grid

pytestmark = [pytest.mark.native, pytest.mark.heavy]

SINGLES = ["full-house", "hidden-single", "naked-single"]
ONE = "....4.5....96.....364....2..7.5..4..2....6.....31......2...8.....1.7..9...8...3.6"
TWO = "6....7....1.9.4.5..3.......9.2.....3..37..6.27..6....5..8.26......5...........948"
THREE = "..4.965.2....3.......8...3.9......16.75...29..........8..715....4....3...274...5."
FOUR = ".1...48..6...2..........3..861..975....6.....3......2995...2.1....8.....2..5....8"
FIVE = "9...1.5...57..2.6......62.....2.378....7...4.6........5...3.9...218.......9...3.."
SIX = "1......8.86.3.49..3..8....1.5..8..4......6.9..1.7.....2.3.4.....7..9..3...45.18.."
FIREWORK = "1.....5.82.........4..9.7.6..3..2....26.8.9..5....92......73....8....1.....9...42"

EXAMPLES = {
    # by technique: a puzzle, and the sentence of a step of the path with singles and the technique
    "full-house": (
        "5.83....1....6.3.7.6.9......3..7.28...5.....32.......5....8.7...47..2.......4.62.",
        "Full house: r3c8 is the last open cell of box 3, so it must be 4.",
    ),
    "hidden-single": (
        "5.83....1....6.3.7.6.9......3..7.28...5.....32.......5....8.7...47..2.......4.62.",
        "Hidden single: in box 3, 9 fits only in r1c7, because the 9 in r3c4 blocks the other open cell.",
    ),
    "naked-single": (
        "5.83....1....6.3.7.6.9......3..7.28...5.....32.......5....8.7...47..2.......4.62.",
        "Naked single: r2c2 can only be 2, because 1, 3, 4, 5, 6, 7, 8 and 9 occur in its row, column or box.",
    ),
    "pointing": (ONE, "Pointing: in box 6, 9 fits only in row 5, so 9 can be removed from r5c5."),
    "claiming": (ONE, "Claiming: in row 4, 9 fits only in box 5, so 9 can be removed from r5c5."),
    "naked-quad": (
        ".3...64....23.1.6.....57..3..37...95......3.4...59.2...9..1.7.81.6...9....5......",
        "Naked quad: in column 8, r1c8, r3c8, r5c8 and r6c8 can only hold 1, 2, 7 and 8, so 1 can be "
        "removed from r9c8.",
    ),
    "hidden-pair": (
        "...1.5..7.9....5....1.7.2......3...8....8.19.....29..4.4.3.8.1..18......2......6.",
        "Hidden pair: in column 8, 5 and 7 fit only in r6c8 and r8c8. No other digits can go there, so 3 can be "
        "removed from r8c8.",
    ),
    "locked-pair": (
        "6.1...4.2...1..5....3..4....1.8.6.....23...6.....1..7.....5.923.8..7...5....4....",
        "Locked pair: in box 8 and column 4, r8c4 and r9c4 can only hold 2 and 9, so 2 can be removed from r3c4, r8c6 "
        "and r9c6, and 9 from r1c4, r3c4, r8c6 and r9c6.",
    ),
    "x-wing": (TWO, "X-wing: in columns 1 and 8, 8 fits only in rows 3 and 5, so 8 can be removed from r3c7."),
    "franken-swordfish": (
        ONE,
        "Franken swordfish: in rows 4, 5 and 9, 9 fits only in columns 5 and 6 and box 6, so 9 can be removed "
        "from r1c6.",
    ),
    "skyscraper": (
        FIVE,
        "Skyscraper: 4r4c1 = 4r2c1 − 4r2c5 = 4r6c5. In any case, 4 can be removed from r6c3.",
    ),
    "xy-wing": (
        ONE,
        "XY-wing: r1c9 (3 and 9) sees r1c4 (8 and 9) and r2c8 (3 and 8). One of these cells must be 8, so 8 can be "
        "removed from r2c5.",
    ),
    "w-wing": (
        ONE,
        "W-wing: r1c9 and r4c6 can only hold 3 and 9. In row 5, 3 fits only in r5c9 and r5c5, so one of the two cells "
        "must be 9, and 9 can be removed from r1c6.",
    ),
    "wxyz-wing": (
        THREE,
        "WXYZ-wing: r5c1, r5c5, r5c6 and r9c5 hold only 1, 4, 6 and 8, and only 8 can occur twice in them. So one of "
        "them must be 8, and 8 can be removed from r6c5.",
    ),
    "multi-colouring": (
        FIVE,
        "Multi-colouring: strong links of 4 leave two choices: either r2c1, or r4c1; and either r2c5, or r6c5. In "
        "any case, 4 can be removed from r6c3.",
    ),
    "hidden-rectangle": (
        THREE,
        "Hidden rectangle: if r8c4, r8c6, r6c4 and r6c6 held nothing but 2 and 9, these could be exchanged and the "
        "puzzle would have two solutions. Since 9 must go into the rectangle, 2 can be removed from r6c6.",
    ),
    "x-chain": (
        ONE,
        "X-chain: 8r1c4 = 8r3c4 − 8r3c7 = 8r2c8. One end of the chain is true, so 8 can be removed from r2c5.",
    ),
    "continuous-nice-loop": (
        FOUR,
        "Continuous nice loop: 5r1c5 = 5r3c6 − 6r3c6 = 6r1c5 is a closed loop, in which exactly one end of every "
        "link is true. So 7 can be removed from r1c5 and r3c6.",
    ),
    "discontinuous-nice-loop": (
        THREE,
        "Discontinuous nice loop: 8r4c5 − 8r5c5 = 8r5c6 − 8r4c5 returns to its first cell and refutes a candidate "
        "there. So 8 can be removed from r4c5.",
    ),
    "als-xz": (
        SIX,
        "ALS-XZ: A = {r3c7} and B = {r8c7} cannot both contain 4 and 6, so both are locked. So 4 can be removed from "
        "r1c7.",
    ),
    "sue-de-coq": (
        FIVE,
        "Sue de Coq: in row 4 and box 4, r4c2 and r4c3 (1, 4, 5 and 9), r4c9 (5 and 9) and r4c1 (1 and 4) have as many "
        "cells as digits together. So 4 can be removed from r6c3.",
    ),
    "aligned-pair-exclusion": (
        THREE,
        "Aligned pair exclusion: in r1c2 and r2c2, every combination with the removed digits leaves another cell "
        "without a candidate. So 8 can be removed from r2c2.",
    ),
    "template-set": (
        "21..5...........8...3.4.7.1...8.......7.69.2...53..........2.6413..8.2..6.......3",
        "Template set: every complete placement of 1 contains r2c5, so r2c5 must be 1.",
    ),
    "nishio": (FOUR, "Nishio: if r1c5 were not 6, r7c9 would be both 6 and not 6. So r1c5 must be 6."),
    "fireworks": (
        FIREWORK,
        "Fireworks: 1, 2 and 4 can leave the box of r7c3 only along its row and column, so r7c3, r7c4 and r6c3 hold "
        "them, and 5 can be removed from r7c3 and r7c4, and 6 from r7c4, and 7 from r6c3, and 8 from r6c3 and r7c4, "
        "and 9 from r7c3.",
    ),
    "trial": (
        TWO,
        "Trial and error: if r1c2 were 4, a search would find no solution. So 4 can be removed from r1c2.",
    ),
}


def sentences(puzzle: Puzzle, order: list[str], technique: str, max_steps: int = 60) -> list[str]:
    """Return the sentences of a technique on the path of a puzzle."""
    deduction = logic.deduce(puzzle, order, max_steps=max_steps)
    path = logic.Explanation(puzzle, deduction.steps, logic.Ending.OPEN, ())
    return [text for step, text in zip(path.steps, path.sentences, strict=True) if step.technique.name == technique]


@for_each("name", EXAMPLES)
def test_a_sentence_gives_the_reason(name: str) -> None:
    text, sentence = EXAMPLES[name]
    helpers = ["locked-candidates", "subsets"] if name in ("nishio", "fireworks", "trial") else []
    order = [*SINGLES, *helpers, *([name] if name not in SINGLES else [])]
    assert sentence in sentences(parse(text), order, name)


def test_every_family_has_an_exact_sentence() -> None:
    assert {technique.family for technique in TECHNIQUES if technique.name in EXAMPLES} == set(FAMILIES)


def test_a_hidden_single_names_earlier_eliminations() -> None:
    found = sentences(SEVENTEEN, [*SINGLES, "pointing", "claiming"], "hidden-single")
    assert (
        "Hidden single: in row 1, 7 fits only in r1c3, because the 7s in r3c4 and r7c8 block r1c4, r1c5 and r1c8, and "
        "earlier steps have excluded r1c2."
    ) in found


def test_digits_of_large_grids_are_letters() -> None:
    grid = full_grid((4, 4))
    cells = bytearray(grid.cells)
    for cell in (2, 4, 6, 8, 40, 41):
        cells[cell] = 0
    explanation = logic.explain(Puzzle(bytes(cells)))
    assert explanation.sentences[3] == "Full house: r3c10 is the last open cell of column 10, so it must be E."
    board = Puzzle.empty((4, 4))
    (step,) = logic.deduce(Puzzle(bytes([*range(1, 15), *[0] * 242])), "naked-pair", max_steps=1).steps
    assert logic.describe(step, board).startswith(
        "Naked pair: in box 4 and row 1, r1c15 and r1c16 can only hold F and G, so F and G can be removed from r2c13"
    )


def check_sentence(step: Step, board: Puzzle) -> None:
    sentence = logic.describe(step, board)
    assert sentence.startswith(f"{step.technique.title}: ")
    assert sentence.endswith(".")
    assert not re.search(r"  |\(\)|, ,|,\.|None|\bin ,| \.", sentence), sentence
    for cell, digit in step.placements or step.eliminations:
        named = set(re.findall(r"r\d+c\d+", sentence))
        assert cell_name(cell, board.size) in named, sentence
        assert re.search(rf"\b{symbol(digit)}\b", sentence), sentence


def symbol(digit: int) -> str:
    return "123456789ABCDEFGHIJKLMNOP"[digit - 1]


@pytest.mark.thorough
@for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_every_step_can_be_told(technique: Technique) -> None:
    for board, _ in sample_boards(technique, range(2)):
        for step in islice(board.steps(technique.name), 40):
            check_sentence(step_of(step, BoxShape(*board.shape)), Puzzle.empty(board.shape))


@pytest.mark.thorough
@for_each("box", [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4)])
def test_whole_explanations_can_be_told(box: tuple[int, int]) -> None:
    for puzzle in [*generate(3, box=box, seed=5), *([INKALA, SEVENTEEN] if box == (3, 3) else [])]:
        without = "almost-locked-sets,chains,forcing-chains,trial" if puzzle.size > 9 else ""
        explanation = logic.explain(puzzle, without=without)
        assert explanation.steps
        for number, step in enumerate(explanation.steps):
            check_sentence(step, explanation.filled(number))
