"""Generated puzzles match their specification; impossible specifications are rejected at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sudokulab import (
    BoxShape,
    Budget,
    ParameterError,
    Puzzle,
    _core,
    generate,
    generate_array,
    is_minimal,
    is_solution,
    is_unique,
    logic,
    random_grid,
)
from sudokulab._internal.native import native_puzzle
from sudokulab.instances import NotFoundError, PuzzleSpec, Symmetry, search
from sudokulab.instances.search import native_spec
from sudokulab.instances.symmetries import orbits
from sudokulab.solvers import Dlx
from tests.cases import for_each
from tests.timing import TOLERANCE_SECONDS, cpu_seconds

pytestmark = pytest.mark.native

FIGURE = """
    X...X...X .X..X..X. ..X.X.X.. ...XXX... XXXX.XXXX ...XXX... ..X.X.X.. .X..X..X. X...X...X
"""


def test_puzzles_are_minimal_and_carry_their_solution() -> None:
    puzzles = list(generate(20, seed=1))
    assert len(set(puzzles)) == 20
    for puzzle in puzzles:
        assert is_minimal(puzzle)
        assert puzzle.solution
        assert is_solution(puzzle.solution, puzzle)


def test_a_puzzle_depends_only_on_seed_and_index() -> None:
    row = list(generate(12, level="medium", seed=7, threads=1))
    assert row == list(generate(12, level="medium", seed=7, threads=2))
    assert row[5:] == list(generate(7, level="medium", seed=7, first=5))
    assert not set(row) & set(generate(12, level="medium", seed=8))


@for_each(
    "fields",
    [
        {"minimal": True},
        {"symmetry": "half-turn", "minimal": True},
        {"level": "hard"},
        {"givens": 25},
        {"box": (2, 3)},
    ],
)
def test_arrays_hold_the_same_puzzles_on_any_number_of_threads(fields: dict[str, Any]) -> None:
    made = generate_array(30, seed=4, threads=1, **fields)
    for threads in (2, 3):
        again = generate_array(30, seed=4, threads=threads, **fields)
        assert all((one == other).all() for one, other in zip(made, again, strict=True))
    resumed = generate_array(9, seed=4, first=21, **fields)
    assert (resumed.puzzles == made.puzzles[21:]).all()
    puzzles = list(generate(30, seed=4, threads=2, **fields))
    assert [puzzle.cells for puzzle in puzzles] == [row.tobytes() for row in made.puzzles]
    assert [p.solution.cells for p in puzzles if p.solution] == [row.tobytes() for row in made.solutions]


def test_arrays_may_be_empty_and_check_their_parameters() -> None:
    assert generate_array(0, box=16).puzzles.shape == (0, 256)
    with pytest.raises(ValueError, match="count: -1; choose an integer from 0"):
        generate_array(-1)
    with pytest.raises(NotFoundError):
        generate_array(1, givens=17, budget=Budget(iterations=1))


def test_indices_end_at_two_to_the_64() -> None:
    (last,) = generate(first=2**64 - 1, seed=1)
    assert is_minimal(last)
    for make in (generate, generate_array):
        with pytest.raises(ParameterError, match=r"first \+ count: 18446744073709551617; choose at most 2\*\*64"):
            make(2, first=2**64 - 1)
        for count, first in ((1, 2**64), (0, 2**64), (2**64, 0)):
            with pytest.raises(ParameterError, match="18446744073709551616; choose an integer from 0"):
                make(count, first=first)
    with pytest.raises(ParameterError, match=f"count: {2**60}; choose at most {sys.maxsize // 81} grids of 81 cells"):
        generate_array(2**60)
    with pytest.raises(MemoryError, match="Unable to allocate"):
        generate_array(sys.maxsize // 81)


def test_a_hundred_minimal_puzzles_are_confirmed_by_dancing_links() -> None:
    made = generate_array(100, minimal=True, seed=6)
    for givens, solution in zip(made.puzzles, made.solutions, strict=True):
        (found,) = Dlx().solutions(Puzzle(givens.tobytes()))
        assert found == Puzzle(solution.tobytes())
        for cell in np.flatnonzero(givens):
            fewer = givens.copy()
            fewer[cell] = 0
            assert len(list(islice(Dlx().solutions(Puzzle(fewer.tobytes())), 2))) == 2


@for_each("symmetry", ["none", "half-turn", "diagonal"])
def test_blanking_gives_the_result_of_trying_cells_one_by_one(symmetry: str) -> None:
    native = native_spec(PuzzleSpec(symmetry=symmetry))
    groups = orbits(Symmetry(symmetry), 9)
    for seed in range(5):
        full = random_grid(9, seed=seed)
        order = np.random.default_rng(seed).permutation(len(groups)).tolist()
        cells = bytearray(full.cells)
        for group in (groups[k] for k in order):
            fewer = bytearray(0 if cell in group else digit for cell, digit in enumerate(cells))
            if is_unique(Puzzle(bytes(fewer))):
                cells = fewer
        assert _core.blank_in_order(native, native_puzzle(full), order) == bytes(cells)


@for_each("order", [[0] * 81, list(range(80)), [*range(80), 81], [*range(80), 79]])
def test_blanking_in_order_needs_a_permutation(order: list[int]) -> None:
    with pytest.raises(ValueError, match="expected an order of all orbits"):
        _core.blank_in_order(native_spec(PuzzleSpec()), native_puzzle(random_grid()), order)


@for_each("box", [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 4)])
def test_every_size_and_box_shape_is_supported(box: tuple[int, int]) -> None:
    (puzzle,) = generate(box=box)
    assert puzzle.box == BoxShape(*box)
    assert is_unique(puzzle)


@for_each("symmetry", list(Symmetry))
def test_givens_have_the_requested_symmetry(symmetry: Symmetry) -> None:
    for puzzle in generate(3, symmetry=symmetry, seed=3):
        assert is_unique(puzzle)
        for orbit in orbits(symmetry, 9):
            assert len({puzzle.cells[cell] > 0 for cell in orbit}) == 1


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "very-hard", "beyond"])
def test_puzzles_have_the_requested_level(level: str) -> None:
    for puzzle in generate(3, level=level, seed=2):
        rating = logic.rate(puzzle)
        assert rating.level
        assert rating.level.value == level


@pytest.mark.parametrize(("level", "num_rules"), [("easy", 2), ("medium", 4), ("hard", 6), ("very-hard", 10)])
@pytest.mark.parametrize("symmetry", ["none", "half-turn"])
def test_every_given_of_a_puzzle_of_a_level_is_necessary(level: str, num_rules: int, symmetry: str) -> None:
    rules = [rule.code for rule in logic.RULES[:num_rules]]
    for puzzle in generate(5, level=level, symmetry=symmetry, seed=5):
        assert logic.deduce(puzzle, rules).is_solved
        for orbit in orbits(Symmetry(symmetry), 9):
            if puzzle.cells[orbit[0]]:
                fewer = bytes(0 if cell in orbit else digit for cell, digit in enumerate(puzzle.cells))
                assert not logic.deduce(Puzzle(fewer), rules).is_solved


def test_techniques_can_be_required_or_excluded() -> None:
    (puzzle,) = generate(technique="HP", seed=1)
    assert logic.deduce(puzzle).is_solved
    assert not logic.deduce(puzzle, [rule.code for rule in logic.RULES if rule.code != "HP"]).is_solved
    (puzzle,) = generate(level="medium", without=["BRC"], seed=1)
    assert logic.deduce(puzzle, ["NS", "HS", "RCB"]).is_solved


@pytest.mark.parametrize(("level", "without"), [("very-hard", "NP,HP"), ("hard", "BRC,RCB"), ("medium", "HS")])
def test_the_level_also_holds_when_rules_are_excluded(level: str, without: str) -> None:
    for puzzle in generate(2, level=level, without=without, seed=1):
        rating = logic.rate(puzzle)
        assert rating.level
        assert rating.level.value == level
        allowed = [rule.code for rule in logic.RULES if rule.code not in without.split(",")]
        assert logic.deduce(puzzle, allowed).is_solved


def test_puzzles_have_the_requested_number_of_givens() -> None:
    for givens in (22, 30, 40):
        assert [p.num_givens for p in generate(2, givens=givens)] == [givens] * 2
    (puzzle,) = generate(givens=25, minimal=True, symmetry="half-turn", seed=4)
    assert puzzle.num_givens == 25
    assert is_minimal(puzzle)


@for_each("technique", ["x-wing", "skyscraper", "unique-rectangle-1", "xy-wing"])
def test_a_required_technique_is_necessary_and_sufficient(technique: str) -> None:
    names = [one.name for one in logic.TECHNIQUES if one.is_default]
    easier = names[: names.index(technique)]
    for puzzle in generate(2, technique=technique, seed=3):
        assert is_unique(puzzle)
        assert logic.deduce(puzzle, [*easier, technique]).is_solved
        assert not logic.deduce(puzzle, easier).is_solved


def test_excluded_families_do_not_replace_a_required_technique() -> None:
    (puzzle,) = generate(technique="xy-chain", without="uniqueness", seed=1)
    path = logic.explain(puzzle, without="uniqueness")
    assert path.ending is logic.Ending.SOLVED
    assert "xy-chain" in {step.technique.name for step in path.steps}
    levels = {logic.rate(puzzle).level for puzzle in generate(10, without="uniqueness", seed=1)}
    assert logic.Level.BEYOND in levels  # alone, it excludes no puzzle


@pytest.mark.heavy
@for_each("seconds", [0.001, 0.004, 0.016, 0.064, 0.256])
def test_a_short_budget_never_yields_a_puzzle_that_does_not_need_the_technique(seconds: float) -> None:
    names = [one.name for one in logic.TECHNIQUES if one.is_default]
    easier = names[: names.index("swordfish")]
    for seed in range(8):
        try:
            (puzzle,) = generate(technique="swordfish", seed=seed, budget=Budget(seconds=seconds))
        except NotFoundError:
            continue
        assert not logic.deduce(puzzle, easier).is_solved


@for_each(("se", "low", "high"), [((7.0, 7.2), 7.0, 7.2), (2.6, 2.6, 2.6), ([4.2, 4.4], 4.2, 4.4)])
def test_puzzles_have_the_requested_rating(se: float | tuple[float, float], low: float, high: float) -> None:
    for puzzle in generate(3, se=se, seed=1):
        er = logic.rate(puzzle, scale="se").er
        assert er is not None
        assert low <= er <= high


def test_a_pattern_is_filled() -> None:
    (puzzle,) = generate(pattern=FIGURE, symmetry="full", seed=1)
    assert is_unique(puzzle)
    assert "".join("X" if digit else "." for digit in puzzle.cells) == "".join(FIGURE.split())
    (again,) = generate(pattern=puzzle, seed=2)
    assert [d > 0 for d in again.cells] == [d > 0 for d in puzzle.cells]


def test_an_exhausted_budget_reports_the_closest_puzzle() -> None:
    with pytest.raises(NotFoundError, match=r"puzzle 1 was not found in \d+ attempts; the closest has 2\d givens") as e:
        list(generate(givens=17, budget=Budget(iterations=3)))
    assert e.value.num_attempts == 3
    assert e.value.closest
    assert is_unique(e.value.closest)


def test_no_puzzle_is_called_close_to_a_rating() -> None:
    with pytest.raises(NotFoundError, match="not found in 2 attempts; allow more time, or a wider range of ratings"):
        list(generate(se=(11.0, 11.2), budget=Budget(iterations=2)))


@pytest.mark.heavy
def test_puzzles_found_before_the_budget_runs_out_are_yielded() -> None:
    found = generate(10**9, budget=Budget(seconds=2))
    first = next(found)
    assert first == next(generate())
    with pytest.raises(NotFoundError):
        list(found)


def test_the_time_limit_starts_with_the_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(search, "time", SimpleNamespace(monotonic=lambda: now))
    found = generate(budget=Budget(seconds=60))
    now = 61.0
    assert is_minimal(next(found))


@pytest.mark.parametrize("seconds", [1e-9, 0.001])
def test_without_a_complete_attempt_no_time_was_left(seconds: float) -> None:
    with pytest.raises(NotFoundError, match=r"^puzzle 1 was not found; no time was left for a complete attempt$") as e:
        next(generate(box=36, budget=Budget(seconds=seconds)))
    assert e.value.num_attempts == 0


@pytest.mark.timing
def test_large_puzzles_are_generated_quickly() -> None:
    for size, seconds in ((16, 1), (25, 30)):
        start = time.process_time()
        (puzzle,) = generate(box=size, threads=1, seed=1)
        assert time.process_time() - start < seconds
        assert is_unique(puzzle)


def test_the_attempt_limit_applies_per_puzzle_on_any_number_of_threads() -> None:
    def made(threads: int) -> list[Puzzle | int]:
        found: list[Puzzle | int] = []
        try:
            found.extend(generate(40, givens=21, seed=1, threads=threads, budget=Budget(iterations=1)))
        except NotFoundError as error:
            found.append(error.num_attempts)
        return found

    assert made(1)[-1] == 1
    assert made(1) == made(8)


def test_the_progress_bar_reaches_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    @contextmanager
    def bar(label: str, total: int, *, is_shown: bool) -> Iterator[Callable[..., None]]:
        yield lambda num_done, note="": seen.append(num_done)

    monkeypatch.setattr(search, "progress_bar", bar)
    generate_array(20, level="hard", seed=1, progress=True)
    assert seen == sorted(seen)
    assert seen[-1] == 20


@pytest.mark.timing
def test_a_time_limit_is_kept() -> None:
    def search() -> None:
        with pytest.raises(NotFoundError):
            list(generate(givens=17, threads=2, budget=Budget(seconds=0.3)))

    assert cpu_seconds(search) < 2 * (0.3 + TOLERANCE_SECONDS)


@pytest.mark.timing
def test_attempts_on_few_threads_share_one_time_limit() -> None:
    def search() -> None:
        with pytest.raises(NotFoundError):
            list(generate(1000, givens=18, threads=2, budget=Budget(seconds=0.3)))

    assert cpu_seconds(search) < 2 * (0.3 + TOLERANCE_SECONDS)
