"""The rating of HoDoKu, against values computed with the program itself, and the reasoner."""

from __future__ import annotations

import random
from collections import deque

import pytest

from sudokulab import Puzzle, _core, generate, parse, solve
from sudokulab._internal.native import native_puzzle
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, SEVENTEEN, TINY

pytestmark = [pytest.mark.native, pytest.mark.heavy]

GENERATED = {
    # puzzle: a technique of its path, and the level and score of HoDoKu 2.2
    "..5....43....9..269..3..7....923...4.8.....1.3...892....3..6..771..4....59....4..": (
        "dynamic-region-forcing-chains",
        "extreme",
        3938,
    ),
    ".6..85...8.16..4.......4.9.43.....8......8.......91.6.3.9.5.6....5..7...6.....3..": (
        "grouped-alternating-inference-chain",
        "unfair",
        958,
    ),
    "...8.....5..2..1..3.7......25..4.3.....1...4..6..7..2..7.9.6......5.1..7..9....86": (
        "continuous-nice-loop",
        "extreme",
        3398,
    ),
    "......15.32.65..74.........6..5..2..9....1....5.32...8.........4.897......9.48.67": ("swordfish", "extreme", 2310),
    ".2....6..8.7...9.....1.2..451..7...99.6....4.2.....71.75..2.........5.8...3.46...": (
        "unique-rectangle-3",
        "unfair",
        1570,
    ),
    "..3....2....1..7537..6......5..1...8.......9....4.92...2..6..1....2...7.48.7..5..": (
        "unique-rectangle-1",
        "unfair",
        1348,
    ),
    "...........8.5..9....679.1.29...73.........8....2.6....1......25..42...663...85..": ("remote-pair", "hard", 938),
    "..78.....6..79..1.93...4....21.8....8.......2....6.57....4...97.9..32..1.....93..": (
        "simple-colouring",
        "extreme",
        2130,
    ),
    ".1.........32...7...8..49.6...7.35.9..7...6..6.48.9...8.91..2...4...71.........3.": (
        "unique-rectangle-4",
        "extreme",
        3280,
    ),
    "..6....91.......82...1..4..9..78..4..2.....7.1.83.......9.7....5..24...3....6..1.": ("naked-quad", "hard", 758),
    "...4.317.....5..3...5.91...........29...1.84.2..3...5.5.6.....9.7......3.91...58.": ("x-wing", "extreme", 3190),
    "..71...5.2.45.........3...17.1....9..6.9.2.1..9....7.54...6.........85.6.2...38..": (
        "hidden-triplet",
        "hard",
        1210,
    ),
    "....87.6...4.....53.6...8.9.3.2.9....78...5.1...5....751..9...2....4.........2...": ("naked-single", "easy", 398),
    "..93.8...78...2........438.67..1...48....5.7.......9.........6324.8....9.....6...": ("full-house", "easy", 378),
    "75..984..8.4...37...3...6..9...8....1.87.4...............84...3.8...9.27....5.9..": ("full-house", "medium", 570),
    "2.6...8..43....7....83...6.54..7.1...8...........6..3.1..8........542.7.....1.24.": (
        "hidden-single",
        "medium",
        674,
    ),
}

MAX_SCORES = {"easy": 800, "medium": 1000, "hard": 1600, "unfair": 1800, "extreme": 10**9}
LEVELS = list(MAX_SCORES)


def rate(puzzle: Puzzle | str, budget: _core.Budget | None = None) -> _core.HodokuRated:
    parsed = parse(puzzle) if isinstance(puzzle, str) else puzzle
    return _core.rate_hodoku(native_puzzle(parsed), budget or _core.Budget())


@for_each("puzzle", GENERATED)
def test_levels_and_scores_equal_those_of_the_program(puzzle: str) -> None:
    technique, level, score = GENERATED[puzzle]
    rated = rate(puzzle)
    assert (rated.rating.level, rated.rating.score) == (level, score)
    assert rated.rating.is_solved
    assert technique in {step.step.technique for step in rated.steps}


def test_the_hardest_puzzles_need_brute_force() -> None:
    rated = rate(INKALA)
    assert rated.rating.level == "extreme"
    guesses = [step for step in rated.steps if step.step.technique == "trial"]
    assert {step.points for step in guesses} <= {10000}
    assert rated.rating.score >= 5000


@for_each("puzzle", [*GENERATED, INKALA, SEVENTEEN])
def test_no_step_contradicts_the_solution(puzzle: Puzzle | str) -> None:
    solution = solve(puzzle).solution
    assert solution
    for taken in rate(puzzle).steps:
        assert all(solution.cells[cell] == digit for cell, digit in taken.step.placements)
        assert not any(solution.cells[cell] == digit for cell, digit in taken.step.eliminations)


@for_each("puzzle", GENERATED)
def test_the_score_raises_the_level_of_the_hardest_step(puzzle: str) -> None:
    rated = rate(puzzle)
    assert rated.rating.score == sum(step.points for step in rated.steps)
    level = max((step.level for step in rated.steps), key=LEVELS.index)
    while rated.rating.score > MAX_SCORES[level]:
        level = LEVELS[LEVELS.index(level) + 1]
    assert rated.rating.level == level


def test_puzzles_without_exactly_one_solution_are_not_rated() -> None:
    assert rate("." * 81).rating.num_solutions == 2
    assert rate("11" + "." * 79).rating.num_solutions == 0
    assert not rate("." * 81).rating.is_solved


def test_other_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a 9×9 puzzle"):
        rate(TINY)


def test_an_exhausted_budget_leaves_the_puzzle_unsolved() -> None:
    assert not rate(INKALA, _core.Budget(seconds=0.001)).rating.is_solved


def test_many_puzzles_are_rated_in_order() -> None:
    puzzles = [native_puzzle(parse(puzzle)) for puzzle in GENERATED]
    ratings = _core.rate_hodoku_many(puzzles, _core.Budget(), 2)
    assert [(rating.level, rating.score) for rating in ratings] == [known[1:] for known in GENERATED.values()]


class SlowSingles:
    """Singles in the order in which they arise, one candidate at a time."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.candidates = [set(range(1, 10)) for _ in range(81)]
        self.values = [0] * 81
        self.naked: deque[int] = deque()
        self.hidden: deque[tuple[int, int]] = deque()
        for cell, digit in enumerate(puzzle.cells):
            if digit:
                self.place(cell, digit)

    @staticmethod
    def units(cell: int) -> list[list[int]]:
        row, col = divmod(cell, 9)
        top, left = row // 3 * 3, col // 3 * 3
        return [
            [row * 9 + k for k in range(9)],
            [k * 9 + col for k in range(9)],
            [(top + k // 3) * 9 + left + k % 3 for k in range(9)],
        ]

    def note_hidden(self, unit: list[int], digit: int) -> None:
        if digit in {self.values[cell] for cell in unit}:
            return
        places = [cell for cell in unit if digit in self.candidates[cell]]
        if len(places) == 1:
            self.hidden.append((places[0], digit))

    def place(self, cell: int, digit: int) -> None:
        others = sorted(self.candidates[cell] - {digit})
        self.values[cell] = digit
        self.candidates[cell] = set()
        for peer in sorted({peer for unit in self.units(cell) for peer in unit}):
            if digit not in self.candidates[peer]:
                continue
            self.candidates[peer].remove(digit)
            if len(self.candidates[peer]) == 1:
                self.naked.append(peer)
            for unit in self.units(peer):
                self.note_hidden(unit, digit)
        for other in others:
            for unit in self.units(cell):
                self.note_hidden(unit, other)

    def next(self) -> tuple[str, int, int] | None:
        for cell in self.naked:
            is_last = any(sum(self.values[other] == 0 for other in unit) == 1 for unit in self.units(cell))
            if is_last and self.values[cell] == 0:
                return "full-house", cell, min(self.candidates[cell])
        while self.naked:
            cell = self.naked.popleft()
            if self.values[cell] == 0:
                return "naked-single", cell, min(self.candidates[cell])
        while self.hidden:
            cell, digit = self.hidden.popleft()
            if self.values[cell] == 0:
                return "hidden-single", cell, digit
        return None


def test_singles_are_taken_in_the_order_in_which_they_arise() -> None:
    for puzzle in [EASY, *generate(10, givens=32, seed=3)]:
        slow = SlowSingles(puzzle)
        for taken in rate(puzzle).steps:
            expected = slow.next()
            if expected is None:
                break
            technique, cell, digit = expected
            assert (taken.step.technique, taken.step.placements) == (technique, [(cell, digit)])
            slow.place(cell, digit)


ORDER = [
    "full-house",
    "hidden-single",
    "naked-single",
    "locked-pair",
    "locked-triplet",
    "pointing",
    "claiming",
    "naked-pair",
    "naked-triplet",
    "x-wing",
    "skyscraper",
    "xy-wing",
    "unique-rectangle-2",
    "unique-rectangle-1",
    "unique-rectangle-4",
    "hidden-rectangle",
    "avoidable-rectangle-1",
    "sashimi-x-wing",
    "finned-x-wing",
    "finned-swordfish",
    "sashimi-swordfish",
    "wxyz-wing",
    "sue-de-coq",
    "discontinuous-nice-loop",
    "continuous-nice-loop",
    "alternating-inference-chain",
    "grouped-alternating-inference-chain",
    "grouped-discontinuous-nice-loop",
    "als-xz",
]


def fields(step: _core.Step) -> tuple[object, ...]:
    pattern = (step.units, step.cells, step.pattern, step.fins, step.nodes, step.links)
    return (step.technique, step.variant, step.length, *pattern, step.placements, step.eliminations)


@for_each("puzzle", list(GENERATED)[:12])
def test_the_reasoner_takes_the_first_instance_of_the_first_technique(puzzle: str) -> None:
    """Also where techniques share a search."""
    native = native_puzzle(parse(puzzle))
    masks = [0x1FF if digit == 0 else 1 << digit - 1 for digit in parse(puzzle).cells]
    placed: list[tuple[int, int]] = []
    steps = _core.deduce(native, ORDER, 1000, _core.Budget()).steps
    assert steps
    for step in steps:
        for technique in ORDER:
            found = _core.find_steps(native, masks, technique, placed)
            if found:
                assert fields(step) == fields(found[0])
                break
        else:
            raise AssertionError("no technique applies")
        placed += step.placements
        for cell, digit in step.eliminations:
            masks[cell] &= ~(1 << digit - 1)


def test_many_puzzles_are_deduced_in_order() -> None:
    puzzles = [native_puzzle(parse(puzzle)) for puzzle in GENERATED]
    for puzzle, many in zip(puzzles, _core.deduce_many(puzzles, ORDER, _core.Budget(), 2), strict=True):
        one = _core.deduce(puzzle, ORDER, 1000, _core.Budget())
        assert [fields(step) for step in many.steps] == [fields(step) for step in one.steps]
        assert (many.grid, many.candidates) == (one.grid, one.candidates)


SINGLES = ["full-house", "hidden-single", "naked-single"]


@pytest.mark.parametrize("names", [["cell-forcing-chains", "region-forcing-chains"], ["region-forcing-chains"]])
def test_the_reasoner_uses_only_the_forcing_chains_of_the_list(names: list[str]) -> None:
    used = set()
    for puzzle in GENERATED:
        deduced = _core.deduce(native_puzzle(parse(puzzle)), SINGLES + names, 1000, _core.Budget())
        used |= {step.technique for step in deduced.steps} - set(SINGLES)
    assert used == set(names)


def test_of_several_forcing_chains_the_easiest_is_taken() -> None:
    names = ["region-forcing-chains", "cell-forcing-chains"]
    num_compared = 0
    for puzzle in random.Random(1).sample(list(GENERATED), 6):
        deduced = _core.deduce(native_puzzle(parse(puzzle)), SINGLES + names, 1000, _core.Budget())
        native = native_puzzle(parse(puzzle))
        masks = [0x1FF if digit == 0 else 1 << digit - 1 for digit in parse(puzzle).cells]
        placed: list[tuple[int, int]] = []
        for step in deduced.steps:
            if step.technique in names:
                lengths = [chain.length for name in names for chain in _core.find_steps(native, masks, name, placed)]
                assert step.length == min(lengths)
                num_compared += 1
            placed += step.placements
            for cell, digit in step.eliminations:
                masks[cell] &= ~(1 << digit - 1)
    assert num_compared > 3
