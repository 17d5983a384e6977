"""Random grids are valid and as uniform as documented; instances match the papers' descriptions."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from sudokulab import BoxShape, Puzzle, _core, count, is_solution, logic, parse, random_grid, solve
from sudokulab._internal.native import native_puzzle
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.instances import fixed_fraction, past_rules, random_grids, root_grid, shuffled_root
from sudokulab.puzzle import Digits
from tests.cases import for_each
from tests.puzzles import is_minimal_by_hand
from tests.timing import TOLERANCE_SECONDS, stopping_seconds

pytestmark = pytest.mark.native

Floats = NDArray[np.float64]

BOXES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5), (3, 7), (6, 6), (8, 8)]


@for_each("box", BOXES)
def test_random_grids_are_valid_and_reproducible(box: tuple[int, int]) -> None:
    grid = random_grid(box, seed=5)
    assert is_solution(grid.givens, Puzzle.empty(box))
    assert grid == random_grid(box, seed=5) != random_grid(box, seed=6)


@for_each("box", BOXES)
def test_the_root_grid_is_valid(box: tuple[int, int]) -> None:
    assert is_solution(root_grid(box).givens, Puzzle.empty(box))


def chi_square(observed: Counter[str], expected: dict[str, float]) -> float:
    return sum((observed[key] - number) ** 2 / number for key, number in expected.items())


def largest_chi_square(degrees: int, sigmas: float = 4) -> float:
    return degrees + sigmas * math.sqrt(2 * degrees)


@pytest.mark.heavy
def test_all_288_grids_of_order_2_are_equally_likely() -> None:
    num = 288 * 60
    seen = Counter(str(random_grid(4, seed=seed)) for seed in range(num))
    assert len(seen) == 288
    assert chi_square(seen, dict.fromkeys(seen, num / 288)) < largest_chi_square(287)


def test_rows_of_6x6_grids_occur_in_proportion_to_their_completions() -> None:
    # after relabelling the first row to 123456, the third row is one of 265, each with 62 to 576 completions
    blank = "." * 6
    thirds = ["".join(order) for order in itertools.permutations("123456") if all(map(str.__ne__, order, "123456"))]
    completions = {third: count(parse("123456" + blank + third + 3 * blank)) for third in thirds}
    assert sum(completions.values()) * math.factorial(6) == 28_200_960
    num = 8000
    seen = Counter[str]()
    for seed in range(num):
        cells = random_grid(6, seed=seed).cells
        seen["".join(str(cells.index(digit) + 1) for digit in cells[12:18])] += 1
    expected = {third: num * number * 720 / 28_200_960 for third, number in completions.items()}
    assert chi_square(seen, expected) < largest_chi_square(len(thirds) - 1)


@for_each(("size", "number", "num_descents"), [(4, 288, 2000), (6, 28_200_960, 4000), (9, 6.67e21, 6000)])
def test_descent_weights_estimate_the_number_of_grids(size: int, number: float, num_descents: int) -> None:
    empty = native_puzzle(Puzzle.empty(size))
    descents = [_core.random_descent(empty, seed) for seed in range(num_descents)]
    weights = np.array([0.0 if one is None else math.exp(one[1] - math.log(number)) for one in descents])
    assert weights.mean() == pytest.approx(1, abs=4 * weights.std() / math.sqrt(num_descents))


@for_each("box", [(2, 3), (3, 3), (5, 5)])
def test_a_row_of_grids_depends_only_on_seed_and_index(box: tuple[int, int]) -> None:
    grids = random_grids(50, box, seed=3, threads=1)
    assert grids.shape == (50, (box[0] * box[1]) ** 2)
    assert (random_grids(50, box, seed=3, threads=3) == grids).all()
    assert (random_grids(20, box, seed=3, first=30) == grids[30:]).all()
    assert grids[7].tobytes() == random_grid(box, seed=_core.derive_seed(3, 8)).cells
    assert _core.are_solutions(grids, np.zeros_like(grids), *box).all()
    assert len({grid.tobytes() for grid in grids}) == 50
    with pytest.raises(ValueError, match="count: -1; choose an integer from 0"):
        random_grids(-1)


def test_indices_of_grids_end_at_two_to_the_64() -> None:
    assert is_solution(random_grids(1, first=2**64 - 1)[0], Puzzle.empty(9))
    for number, first in ((2, 2**64 - 1), (np.uint64(5), np.uint64(2**64 - 2))):
        with pytest.raises(ParameterError, match=r"first \+ count: 184467440737095516\d\d; choose at most 2\*\*64"):
            random_grids(number, first=first)  # type: ignore[arg-type]
    for number, first in ((1, 2**64), (0, 2**64), (2**64, 0)):
        with pytest.raises(ParameterError, match=r": 18446744073709551616; choose an integer from 0 to 2\*\*64 - 1"):
            random_grids(number, first=first)


def test_indices_may_be_small_integers_of_numpy() -> None:
    grids = random_grids(np.int8(100), first=np.int8(100))  # type: ignore[arg-type]
    assert (grids == random_grids(100, first=100)).all()


def test_arrays_that_do_not_fit_into_memory_are_rejected() -> None:
    for number in (2**63, sys.maxsize // 81 + 1):
        with pytest.raises(ParameterError, match=rf"count: {number}; choose at most {sys.maxsize // 81} grids"):
            random_grids(number)
    with pytest.raises(MemoryError, match=r"cannot allocate \d+ rows of 81 bytes"):
        random_grids(sys.maxsize // 81)


@pytest.mark.timing
@pytest.mark.parametrize("threads", [1, 2])
def test_control_c_stops_millions_of_grids_at_once(threads: int) -> None:
    random_grids(1)  # builds its tables
    delay = stopping_seconds(lambda: random_grids(20_000_000, threads=threads), after=0.1)
    assert 0 < delay < threads * TOLERANCE_SECONDS


@pytest.mark.heavy
def test_9x9_grids_are_drawn_from_all_grids() -> None:
    assert _core.num_grid_classes() * 560 * 6**6 == 6_670_903_752_021_072_936_960


def small_unavoidable_sets(grids: Digits) -> Floats:
    """Return the number of unavoidable sets of four cells: two rows of a band exchange two digits in two columns."""
    bands = grids.reshape(-1, 3, 3, 9)
    numbers = np.zeros(len(grids))
    for upper, lower in ((0, 1), (0, 2), (1, 2)):
        down, up = (10 * bands[:, :, a] + bands[:, :, b] for a, b in ((upper, lower), (lower, upper)))
        numbers += (down[..., :, None] == up[..., None, :]).sum((1, 2, 3)) / 2
    return numbers


def test_9x9_grids_have_as_many_small_unavoidable_sets_as_weighted_descents() -> None:
    made = [_core.random_descent(native_puzzle(Puzzle.empty(9)), seed) for seed in range(6000)]
    descents = [one for one in made if one is not None]
    weights = np.exp(np.array([log for _, log in descents]) - 50)
    numbers = small_unavoidable_sets(np.array([list(grid) for grid, _ in descents], dtype=np.uint8))
    expected = np.average(numbers, weights=weights)
    error = math.sqrt(np.average((numbers - expected) ** 2, weights=weights**2) * (weights**2).sum()) / weights.sum()
    found = small_unavoidable_sets(random_grids(20_000, seed=1))
    assert found.mean() == pytest.approx(expected, abs=4 * error)


@pytest.mark.heavy
def test_digits_and_pairs_of_9x9_grids_are_evenly_distributed() -> None:
    grids = random_grids(30_000, seed=2)
    for first, second in ((0, 80), (3, 27), (30, 53)):  # without a common unit
        equal, other = grids[:, first] == grids[:, second], grids[:, first] != grids[:, second]
        for rows, number in ((equal, 9), (other, 72)):
            seen = Counter(map(str, grids[rows][:, [first, second]].tolist()))
            assert len(seen) == number
            assert chi_square(seen, dict.fromkeys(seen, rows.sum() / number)) < largest_chi_square(number - 1)


def test_shuffled_roots_keep_each_cell_with_the_given_probability() -> None:
    instances = [shuffled_root(9, fixed=0.3, seed=seed) for seed in range(100)]
    assert np.mean([p.num_givens for p in instances]) == pytest.approx(0.3 * 81, abs=2)
    assert len({p.num_givens for p in instances}) > 5
    assert len({p.solution for p in instances}) == 100
    for instance in instances[:10]:
        assert instance.solution
        assert is_solution(instance.solution, instance)
    assert shuffled_root((2, 3), fixed=1).box == BoxShape(2, 3)


def test_fixed_fractions_are_exact() -> None:
    for fixed in (0, 0.45, 1):
        instance = fixed_fraction(16, fixed=fixed, seed=1)
        assert instance.num_givens == round(fixed * 256)
        assert instance.solution
        assert is_solution(instance.solution, instance)
    with pytest.raises(ValueError, match="choose a fraction"):
        fixed_fraction(9, fixed=45)


def test_past_rules_instances_are_just_beyond_the_rules() -> None:
    for seed in range(5):
        instance = past_rules(9, stop="failures", extra=0, seed=seed)
        assert not logic.deduce(instance).is_solved
        assert solve(instance).is_solved
    assert past_rules(9, extra=3, seed=1).num_givens == past_rules(9, extra=0, seed=1).num_givens - 3
    few, many = (past_rules(9, failures=failures, seed=1).num_givens for failures in (5, 1))
    assert few < many


def without_each_given(puzzle: Puzzle) -> Iterator[Puzzle]:
    for cell, digit in enumerate(puzzle.cells):
        if digit:
            yield Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)


def test_past_rules_blanks_until_every_given_is_necessary_for_the_rules() -> None:
    for seed in range(3):
        minimal = past_rules(9, stop="minimal", extra=0, seed=seed)
        assert logic.deduce(minimal).is_solved
        assert not any(logic.deduce(puzzle).is_solved for puzzle in without_each_given(minimal))
        instance = past_rules(9, stop="minimal", extra=2, seed=seed)
        assert instance.num_givens == minimal.num_givens - 2
        assert not logic.deduce(instance).is_solved


def test_past_rules_finds_minimal_instances_with_one_solution() -> None:
    for seed in range(3):
        instance = past_rules(9, stop="unique", seed=seed)
        assert not logic.deduce(instance).is_solved
        assert is_minimal_by_hand(instance)
    assert past_rules(9, stop="unique", seed=1) == past_rules(9, stop="unique", seed=1)


def test_past_rules_rejects_what_it_cannot_generate() -> None:
    with pytest.raises(ValueError, match=r"stop: 'never'; choose one of failures, minimal, unique"):
        past_rules(9, stop="never")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="failures: 5 with stop='minimal'; choose 1 or more, with stop='failures'"):
        past_rules(9, stop="minimal", failures=5)
    with pytest.raises(ValueError, match="extra: 2 with stop='unique'"):
        past_rules(9, stop="unique", extra=2)
    with pytest.raises(SudokulabError, match="the rules solved all of 100 instances of size 4"):
        past_rules(4, stop="unique")
