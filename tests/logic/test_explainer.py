"""The rating of Sudoku Explainer, against values computed with the program itself."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from sudokulab import Budget, ParameterError, Puzzle, _core, generate, parse, solve
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.formats.coercion import PuzzleLike
from sudokulab.logic import rate, rate_many
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, TINY

pytestmark = pytest.mark.native

GENERATED = {
    # puzzle: the hardest or rarest technique of its path, its variant, and ER
    "5.83....1....6.3.7.6.9......3..7.28...5.....32.......5....8.7...47..2.......4.62.": ("hidden-pair", 0, 2.0),
    "..4.965.2....3.......8...3.9......16.75...29..........8..715....4....3...274...5.": ("naked-single", 0, 2.6),
    "....4.5....96.....364....2..7.5..4..2....6.....31......2...8.....1.7..9...8...3.6": (
        "bug",
        1,
        5.6,
    ),
    "6....7....1.9.4.5..3.......9.2.....3..37..6.27..6....5..8.26......5...........948": (
        "bug",
        2,
        5.7,
    ),
    ".....946.1..2.8.3..9.5...8..3.......27....1.9..8....5.7....259.5.....3.7..1.....8": (
        "bug",
        3,
        6.6,
    ),
    ".1...48..6...2..........3..861..975....6.....3......2995...2.1....8.....2..5....8": (
        "bug",
        4,
        5.7,
    ),
    "...92..8.2..13..7.......4.....31...4.3..7.........5.1..72....9...9...5..18....72.": ("unique-loop", 2, 5.6),
    "1......8.86.3.49..3..8....1.5..8..4......6.9..1.7.....2.3.4.....7..9..3...45.18..": ("unique-rectangle", 2, 6.7),
    "9...3...26...1.5.4.51.....7.3..94...........3795.6.....6...38.9..2.......4...76..": ("unique-rectangle", 3, 7.2),
    "3......17.8.16..2.9....8..4............7...58..9.5.2...7.....432.397....5........": (
        "aligned-pair-exclusion",
        0,
        7.1,
    ),
    "9...1.5...57..2.6......62.....2.378....7...4.6........5...3.9...218.......9...3..": ("y-cycle", 0, 6.7),
    "..4...63.9...34.1..2.7....8.....95.35...........8.2.7..7.9.....81....7..3.6....8.": ("xy-cycle", 0, 7.2),
    "...38..6..68.7..1.......48.5.269..4....1...29.7..4....6.........39..18....5...2..": (
        "aligned-triplet-exclusion",
        0,
        7.7,
    ),
    "...1.5..7.9....5....1.7.2......3...8....8.19.....29..4.4.3.8.1..18......2......6.": ("nishio", 0, 7.8),
    "....7.64.2...8...1...3.1.5......8....7...548...62......47......1....3.9.639...7.5": (
        "cell-forcing-chains",
        0,
        8.3,
    ),
    "......95...9.8......69.2..3...3.....2.......4463.5.....3.1...961....8.3..8....7..": (
        "region-forcing-chains",
        0,
        8.3,
    ),
    ".3...64....23.1.6.....57..3..37...95......3.4...59.2...9..1.7.81.6...9....5......": ("unique-loop", 3, 8.4),
}


def rated(puzzle: PuzzleLike) -> tuple[float | None, float | None, float | None]:
    rating = rate(puzzle, scale="se")
    return rating.er, rating.ep, rating.ed


@pytest.mark.heavy
@for_each("puzzle", GENERATED)
def test_ratings_equal_those_of_the_program(puzzle: str) -> None:
    technique, variant, er = GENERATED[puzzle]
    assert rated(puzzle) == (er, 1.2, 1.2)
    steps = _core.rate_explainer(native_puzzle(parse(puzzle)), native_budget(None)).steps
    assert (technique, variant) in {(taken.step.technique, taken.step.variant) for taken in steps}


def test_easy_puzzles_need_singles_only() -> None:
    assert rated(TINY) == (1.2, 1.2, 1.2)
    assert rated(EASY) == (1.2, 1.2, 1.2)
    assert rated(SEVENTEEN) == (2.6, 1.2, 1.2)


@pytest.mark.heavy
def test_nested_chains_rate_the_hardest_puzzles() -> None:
    assert rated(INKALA) == (10.7, 10.7, 9.7)


def test_no_step_contradicts_the_solution() -> None:
    for puzzle in GENERATED:
        solution = solve(puzzle).solution
        assert solution
        explained = _core.rate_explainer(native_puzzle(parse(puzzle)), native_budget(None))
        for taken in explained.steps:
            assert all(solution.cells[cell] == digit for cell, digit in taken.step.placements)
            assert not any(solution.cells[cell] == digit for cell, digit in taken.step.eliminations)


def test_the_rating_is_the_maximum_over_the_path() -> None:
    for puzzle in GENERATED:
        explained = _core.rate_explainer(native_puzzle(parse(puzzle)), native_budget(None))
        difficulties = [taken.difficulty for taken in explained.steps]
        first_placement = next(number for number, taken in enumerate(explained.steps) if taken.step.placements)
        rating = explained.rating
        assert (rating.er, rating.ed) == (max(difficulties), difficulties[0])
        assert rating.ep == max(difficulties[: first_placement + 1])


def test_puzzles_without_exactly_one_solution_are_not_rated() -> None:
    assert rated("." * 81) == (None, None, None)
    assert rated("11" + "." * 79) == (None, None, None)


@for_each(("box", "givens"), [((2, 2), 4), ((2, 3), 10), ((3, 4), 55), ((4, 4), 130)])
def test_larger_and_smaller_grids_are_rated(box: tuple[int, int], givens: int) -> None:
    for puzzle in generate(3, box=box, givens=givens, seed=1):
        er, ep, ed = rated(puzzle)
        assert er
        assert ep
        assert ed
        assert 1.0 <= ed <= ep <= er


def test_grids_over_size_25_are_refused() -> None:
    with pytest.raises(ParameterError, match="size 36; this scale rates puzzles up to size 25"):
        rate(Puzzle.empty((6, 6)), scale="se")


def test_an_exhausted_budget_gives_no_rating() -> None:
    assert not rate(INKALA, scale="se", budget=Budget(seconds=0.001)).is_rated


def test_many_puzzles_are_rated_in_order() -> None:
    ratings = list(rate_many(GENERATED, scale="se", threads=2))
    assert [rating.er for rating in ratings] == [er for _, _, er in GENERATED.values()]


@pytest.mark.parametrize("name", ["controlled-bias-000.txt", "controlled-bias-001.txt"])
def test_a_sample_of_the_controlled_bias_collection_has_its_rating(public_data: Path, name: str) -> None:
    text = (public_data / "ratings" / name).read_text()
    lines = [line.split() for line in text.splitlines() if not line.startswith("#")]
    sample = random.Random(name).sample(lines, 200)
    ratings = rate_many((line[0] for line in sample), scale="se")
    differing = [line[0] for line, rating in zip(sample, ratings, strict=True) if rating.er != float(line[1])]
    assert len(differing) <= 2, differing
