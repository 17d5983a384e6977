"""The controlled-bias generator samples minimal puzzles with the probabilities that its definition implies."""

from __future__ import annotations

import random
from collections import Counter
from math import comb, factorial
from typing import Any

import numpy as np
import pytest
import scipy.stats

from sudokulab import Puzzle, _core, generate, generate_array, is_minimal, is_unique, random_grid
from sudokulab._internal.native import native_puzzle
from sudokulab.instances import Bias, MinimalSample, PuzzleSpec, SpecError, sample_minimal
from tests.cases import for_each
from tests.instances.small_grids import NUM_GRIDS, minimal_sets, relabelled

pytestmark = pytest.mark.native


@pytest.fixture(scope="module")
def small_sample() -> MinimalSample:
    return sample_minimal(600, 4, seed=3)


def expected_orders(sample: MinimalSample) -> dict[tuple[tuple[int, ...], int], float]:
    """Return how many orders of the sample should have a puzzle, by relabelled grid and number of givens."""
    return {
        (grid, n): factorial(4) * len(sets) * sample.num_orders / (NUM_GRIDS * comb(16, n))
        for grid, by_givens in minimal_sets().items()
        for n, sets in by_givens.items()
    }


def test_brute_force_finds_the_known_number_of_minimal_4x4_puzzles() -> None:
    numbers = Counter[int]()
    for by_givens in minimal_sets().values():
        numbers.update({n: factorial(4) * len(sets) for n, sets in by_givens.items()})
    assert numbers == {4: 25_728, 5: 58_368, 6: 1_536}


@pytest.mark.heavy
def test_every_sampled_4x4_puzzle_is_minimal(small_sample: MinimalSample) -> None:
    for cells, solution in zip(small_sample.puzzles, small_sample.solutions, strict=True):
        subset = sum(1 << int(cell) for cell in np.flatnonzero(cells))
        grid = relabelled(tuple(solution.tolist()))
        assert subset in minimal_sets()[grid][subset.bit_count()]
        assert (cells[cells > 0] == solution[cells > 0]).all()


def test_outcomes_on_4x4_have_their_exact_probabilities(small_sample: MinimalSample) -> None:
    expected = expected_orders(small_sample)
    givens = np.count_nonzero(small_sample.puzzles, axis=1).tolist()
    grids = [relabelled(tuple(solution.tolist())) for solution in small_sample.solutions]
    observed = Counter(zip(grids, givens, strict=True))
    assert not set(observed) - set(expected)
    usual = [outcome for outcome in expected if expected[outcome] >= 10]
    rare = small_sample.num_orders - sum(expected[outcome] for outcome in usual)
    seen = [observed[outcome] for outcome in usual]
    test = scipy.stats.chisquare(
        [*seen, small_sample.num_orders - sum(seen)], [*(expected[outcome] for outcome in usual), rare]
    )
    assert test.pvalue > 0.01


def test_minimal_4x4_puzzles_with_the_same_number_of_givens_are_equally_likely(small_sample: MinimalSample) -> None:
    # each set of four cells has its own number of minimal puzzles
    possible = Counter(subset for by_givens in minimal_sets().values() for subset in by_givens[4])
    is_own = np.count_nonzero(small_sample.puzzles, axis=1) == 4
    subsets = [sum(1 << int(cell) for cell in np.flatnonzero(cells)) for cells in small_sample.puzzles[is_own]]
    rows = {subset: sum(4 ** (subset >> 4 * row & 15).bit_count() for row in range(4)) for subset in possible}
    seen = Counter(rows[subset] for subset in subsets)
    weights = Counter[int]()
    for subset, number in possible.items():
        weights[rows[subset]] += number
    expected = [len(subsets) * number / weights.total() for number in weights.values()]
    assert scipy.stats.chisquare([seen[row] for row in weights], expected).pvalue > 0.01


@for_each("seed", range(12))
def test_an_order_that_passes_through_a_minimal_puzzle_finds_it(seed: int) -> None:
    (puzzle,) = generate(minimal=True, seed=seed)
    assert puzzle.solution
    cells = random.Random(seed).sample(range(81), 81)
    order = [cell for cell in cells if not puzzle.cells[cell]] + [cell for cell in cells if puzzle.cells[cell]]
    assert _core.minimal_in_order(native_puzzle(puzzle.solution), order) == puzzle.cells


@for_each("seed", range(12))
def test_an_order_close_to_a_minimal_puzzle_is_judged_by_the_definition(seed: int) -> None:
    chance = random.Random(seed)
    (puzzle,) = generate(minimal=True, seed=seed)
    solution = puzzle.solution
    assert solution
    cells = chance.sample(range(81), 81)
    order = [cell for cell in cells if not puzzle.cells[cell]] + [cell for cell in cells if puzzle.cells[cell]]
    place = order.index(next(cell for cell in order if puzzle.cells[cell]))
    for _ in range(20):
        a, b = chance.randrange(place - 4, place), chance.randrange(place, place + 4)
        changed = order.copy()
        changed[a], changed[b] = order[b], order[a]
        assert _core.minimal_in_order(native_puzzle(solution), changed) == by_definition(solution, changed)


def by_definition(solution: Puzzle, order: list[int]) -> bytes:
    """Remove digits one by one while the solution is unique; return the last puzzle if it is minimal."""
    cells = bytearray(solution.cells)
    for cell in order:
        cells[cell] = 0
        if not is_unique(Puzzle(bytes(cells))):
            cells[cell] = solution.cells[cell]
            break
    return bytes(cells) if is_minimal(Puzzle(bytes(cells))) else b""


def test_a_random_order_has_no_minimal_puzzle() -> None:
    for seed in range(20):
        order = random.Random(seed).sample(range(81), 81)
        assert _core.minimal_in_order(native_puzzle(random_grid(seed=seed)), order) == b""


def test_sampled_9x9_puzzles_are_minimal_and_in_the_order_of_their_grids() -> None:
    sample = sample_minimal(24, seed=4)
    assert sample.num_orders == 24 * 32_768
    assert len(sample.puzzles) > 0
    for cells, solution in zip(sample.puzzles, sample.solutions, strict=True):
        puzzle = Puzzle(cells.tobytes())
        assert is_unique(puzzle)
        assert is_minimal(puzzle)
        assert (cells[cells > 0] == solution[cells > 0]).all()
    assert (np.diff(sample.grids) >= 0).all()
    assert 0 <= sample.grids.min() <= sample.grids.max() < sample.num_grids


@pytest.mark.parametrize("size", [4, 6])
def test_a_sample_depends_only_on_seed_and_block(size: int) -> None:
    whole = sample_minimal(8, size, seed=5, threads=1)
    later = sample_minimal(3, size, seed=5, first=5, threads=2)
    assert (whole.puzzles[whole.grids >= 5 * 64] == later.puzzles).all()
    assert (whole.grids[whole.grids >= 5 * 64] == later.grids).all()


def test_a_generated_puzzle_depends_only_on_seed_and_index() -> None:
    row = list(generate(12, box=4, bias="controlled", seed=7, threads=1))
    assert row[5:] == list(generate(7, box=4, bias=Bias.CONTROLLED, seed=7, first=5, threads=2))
    assert all(map(is_minimal, row))


def test_all_ways_to_generate_accept_a_controlled_bias() -> None:
    spec = PuzzleSpec(bias="controlled")
    (puzzle,) = generate(1, spec, seed=1)
    assert is_minimal(puzzle)
    assert generate_array(1, spec, seed=1).puzzles.tobytes() == puzzle.cells


def test_other_requirements_select_among_the_sampled_puzzles() -> None:
    for puzzle in generate(5, box=4, bias="controlled", givens=6, seed=1):
        assert puzzle.num_givens == 6
        assert is_minimal(puzzle)


@for_each(
    ("fields", "message"),
    [
        (
            {"symmetry": "half-turn"},
            "bias: 'controlled'; remove symmetry 'half-turn': the positions of the givens must be random",
        ),
        ({"pattern": "X" * 81}, "bias: 'controlled'; remove the pattern: the positions"),
        ({"box": 16}, "bias: 'controlled' with 4x4 boxes; choose 2x2, 2x3, 3x2 or 3x3"),
        ({"givens": 41}, "givens: 41; choose at most 40: no minimal 9×9 with more givens is known"),
        ({"bias": "controled"}, "did you mean 'controlled'"),
    ],
)
def test_requirements_that_contradict_a_controlled_bias_are_rejected(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        PuzzleSpec(**{"bias": "controlled", **fields})
