"""No technique ever removes a candidate of a solution, or places another digit."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools import soundness
from tools.make_techniques import examples
from tools.soundness import Tally, UnsoundError, Walk, check_puzzle, solutions_of

from sudokulab import _core, generate, parse
from sudokulab._internal.native import native_budget
from sudokulab.logic import TECHNIQUES, Technique
from sudokulab.logic.selection import default_techniques
from tests.cases import for_each
from tests.logic.boards import sample_boards
from tests.puzzles import EASY, SEVENTEEN

pytestmark = [pytest.mark.native, pytest.mark.heavy]

UNIQUE = [
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    ".2.......94.1..8..8..57.3....1.3.94.........1..2...5......1..9...97.....7.326....",
    ".1...48..6...2..........3..861..975....6.....3......2995...2.1....8.....2..5....8",
]
"""Puzzles whose paths show many rectangles, loops and graves."""
RARE = {
    *("full-house", "last-digit", "locked-triplet", "dual-two-string-kite", "remote-pair", "aligned-pair-exclusion"),
    *("tridagon", "sk-loop", "finned-whale", "finned-leviathan", "sashimi-whale", "sashimi-leviathan"),
    *("franken-leviathan", "mutant-leviathan", "bug", "bug+1", "unique-rectangle-5", "unique-rectangle-6"),
    *("avoidable-rectangle-1", "avoidable-rectangle-2"),
}
"""Techniques too rare for these boards; their examples are checked."""
EXAMPLES = examples()


@pytest.mark.thorough
@for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_a_technique_spares_the_solution(technique: Technique) -> None:
    check = num_sound_on_paths if technique.assumes_uniqueness else num_sound_on_random_boards
    assert check(technique) > 0 or technique.name in RARE


def num_sound_on_random_boards(technique: Technique) -> int:
    """Check every instance on random boards; return their number."""
    num_checked = 0
    for board, solution in sample_boards(technique, range(3)):
        for step in board.steps(technique.name):
            assert step.technique == technique.name
            assert all(solution[cell] != digit for cell, digit in step.eliminations)
            assert all(solution[cell] == digit for cell, digit in step.placements)
            assert all(digit in board.cells[cell] for cell, digit in step.eliminations + step.placements)
            for part in (step.eliminations, step.placements, step.cells, step.pattern):
                assert len({*part}) == len(part)
            assert step.cells or technique.name.startswith("template")
            assert step.eliminations or step.placements
            num_checked += 1
    return num_checked


def num_sound_on_paths(technique: Technique) -> int:
    """Check every instance on every board of a few paths of puzzles with one solution; return their number."""
    num_checked = 0
    order = ["full-house", "hidden-single", "naked-single", "pointing", "claiming", "naked-pair", "x-chain", "xy-chain"]
    puzzles = [*map(parse, UNIQUE), *generate(2, box=(2, 3), seed=2)]
    for puzzle in puzzles:
        (solution,) = solutions_of(puzzle)
        walk = Walk(puzzle, solution)
        for step in _core.deduce(walk.native, order, 2**62, native_budget(None)).steps:
            for instance in walk.instances([technique]):
                assert instance.assumes_uniqueness
                walk.check(instance)
                num_checked += 1
            walk.take(step)
    return num_checked


@for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)
def test_the_example_of_a_technique_spares_the_solution(technique: Technique) -> None:
    example = EXAMPLES[technique.name]
    (solution,) = solutions_of(example.puzzle)
    steps = example.instances(technique.name)
    assert steps
    for step in steps:
        assert all(solution.cells[cell] != digit for cell, digit in step.eliminations)
        assert all(solution.cells[cell] == digit for cell, digit in step.placements)


@for_each("listing", ["none", "cheap", "all"])
def test_whole_paths_agree_with_the_solution(listing: str) -> None:
    tally = Tally()
    check_puzzle(EASY, tally, listing)
    assert tally.puzzles == 1
    assert tally.on_paths.total() == 81 - EASY.num_givens
    assert (tally.listed.total() > 0) == (listing != "none")


def test_puzzles_without_a_solution_are_skipped() -> None:
    tally = Tally()
    check_puzzle(parse("11" + "." * 79), tally, "cheap")
    assert (tally.puzzles, tally.skipped, tally.num_steps) == (0, 1, 0)


def test_puzzles_with_several_solutions_are_checked_without_uniqueness() -> None:
    puzzle = parse("12.." + "." * 12)
    tally = Tally()
    check_puzzle(puzzle, tally, "all")
    assert len(solutions_of(puzzle)) == 2
    unique = {technique.name for technique in default_techniques(4) if technique.assumes_uniqueness}
    assert not unique & {*tally.on_paths, *tally.listed}


def test_a_step_against_the_solution_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (solution,) = solutions_of(SEVENTEEN)
    wrong = solution.relabel([2, 1, *range(3, 10)])
    monkeypatch.setattr(soundness, "solutions_of", lambda _: [wrong])
    with pytest.raises(UnsoundError, match=f"solution {wrong.line}"):
        check_puzzle(SEVENTEEN, Tally(), "cheap")
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{SEVENTEEN.line}\n")
    assert soundness.main([str(path), "--steps", "100"]) == 1


def test_the_command_counts_the_checked_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{EASY.line}\n{SEVENTEEN.line}\n")
    assert soundness.main([str(path), "--steps", "1000000", "--list", "none"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("puzzles.txt: 2 puzzles (0 skipped), ")
    assert lines[1].startswith("total: 2 puzzles (0 skipped), ")
    assert len(lines) == 2 + len(TECHNIQUES)
