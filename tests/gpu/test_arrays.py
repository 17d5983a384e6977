"""Functions on arrays give the same answers on a GPU as on the CPU, wherever these are unique."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sudokulab import ParameterError, PuzzleError, as_strings, count_array, generate_array, is_unique_array, solve_array
from sudokulab.errors import WrongAnswerError
from sudokulab.learn import Verifier
from sudokulab.puzzle import NINE
from sudokulab.verify import are_solutions
from tests.cases import for_each
from tests.gpu.questions import adversarial, bundled, random_puzzles


def host(array: Any) -> Any:
    return array.get() if hasattr(array, "get") else np.asarray(array)


def check_solutions(puzzles: Any, solutions: Any) -> None:
    """Check solutions on the host: right for every puzzle that has one, zeros for the others."""
    num_solutions = count_array(puzzles, 2)
    is_one = num_solutions == 1
    assert solutions.shape == puzzles.shape
    assert solutions.dtype == np.uint8
    assert (solutions[is_one] == solve_array(puzzles)[is_one]).all()
    assert not solutions[num_solutions == 0].any()
    some = num_solutions > 0
    assert are_solutions(solutions[some], puzzles[some], NINE).all()


@for_each("make", [lambda: random_puzzles(2000, seed=5), adversarial], ids=["random", "limits"])
def test_answers_equal_those_of_the_cpu(cupy: Any, make: Any) -> None:
    puzzles = make()
    on_gpu = cupy.asarray(puzzles)
    solutions = solve_array(on_gpu)
    assert isinstance(solutions, cupy.ndarray)
    check_solutions(puzzles, host(solutions))
    check_solutions(puzzles, solve_array(puzzles, device="cuda"))
    for limit in (0, 1, 2, 7):
        expected = count_array(puzzles, limit)
        assert (host(count_array(on_gpu, limit)) == expected).all()
        counts = count_array(puzzles, limit, device="cuda")
        assert type(counts) is np.ndarray
        assert counts.dtype == np.uint32
        assert (counts == expected).all()
    assert (host(is_unique_array(on_gpu)) == is_unique_array(puzzles)).all()
    assert (is_unique_array(puzzles, device="cuda:0") == is_unique_array(puzzles)).all()


def test_text_is_solved_on_a_gpu_as_well(cupy: Any) -> None:
    lines = as_strings(bundled("easy"))
    assert as_strings(solve_array(lines, device="cuda")) == as_strings(solve_array(lines))


@for_each("kind", ["int8", "uint16", "int32", "int64", "uint64"])
def test_every_integer_type_is_accepted(cupy: Any, kind: str) -> None:
    puzzles = bundled("easy")
    array = cupy.asarray(puzzles.astype(kind))
    assert (host(solve_array(array)) == solve_array(puzzles)).all()


def test_square_and_strided_arrays_are_accepted(cupy: Any) -> None:
    puzzles = bundled("easy")
    expected = solve_array(puzzles)
    assert (host(solve_array(cupy.asarray(puzzles.reshape(-1, 9, 9)))) == expected).all()
    assert (host(solve_array(cupy.asarray(puzzles)[::-2])) == expected[::-2]).all()
    assert (host(solve_array(cupy.asarray(np.asfortranarray(puzzles)))) == expected).all()


def test_the_input_is_not_changed(cupy: Any) -> None:
    puzzles = adversarial()
    array = cupy.asarray(puzzles.copy())
    solve_array(array)
    count_array(array, 2)
    assert (host(array) == puzzles).all()


def test_empty_arrays_give_empty_answers(cupy: Any) -> None:
    empty = np.zeros((0, 81), np.uint8)
    assert solve_array(cupy.asarray(empty)).shape == (0, 81)
    assert count_array(cupy.asarray(empty), 2).shape == (0,)
    assert solve_array(empty, device="cuda").shape == (0, 81)
    assert count_array(empty, 2, device="cuda").shape == (0,)
    assert generate_array(0, device="cuda").puzzles.shape == (0, 81)


@for_each("shape", [(81,), (3, 80), (3, 16), (2, 3, 27), (2, 9, 9, 1), ()])
def test_wrong_shapes_are_explained(cupy: Any, shape: tuple[int, ...]) -> None:
    with pytest.raises(PuzzleError, match=r"has shape .*; use \(n, 81\) or \(n, 9, 9\)"):
        solve_array(cupy.asarray(np.zeros(shape, np.uint8)))


def test_wrong_types_are_explained(cupy: Any) -> None:
    with pytest.raises(PuzzleError, match="type float64; pass integers"):
        count_array(cupy.asarray(np.zeros((1, 81))), 2)


@for_each(("digit", "kind"), [(10, "uint8"), (255, "uint8"), (-1, "int64"), (266, "int32")])
def test_wrong_digits_are_explained(cupy: Any, digit: int, kind: str) -> None:
    puzzles = np.zeros((2, 81), kind)
    puzzles[1, 80] = digit
    with pytest.raises(PuzzleError, match=f"digits from {min(digit, 0)} to {max(digit, 0)}; use 0 to 9"):
        solve_array(cupy.asarray(puzzles))


def test_other_sizes_need_the_cpu(cupy: Any) -> None:
    with pytest.raises(PuzzleError, match="a GPU solves only 9×9 puzzles"):
        solve_array(["1.....3..4.....2"], device="cuda")
    with pytest.raises(PuzzleError, match="a GPU solves only 9×9 puzzles"):
        solve_array(cupy.asarray(np.zeros((1, 81), np.uint8)), box=(2, 2))


def test_searches_that_the_gpu_gives_up_are_finished_by_the_cpu(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sudokulab.gpu.kernels as kernels

    monkeypatch.setattr(kernels, "_MAX_GUESSES", 1)
    puzzles = np.concatenate([bundled("hardest"), bundled("easy"), random_puzzles(300, seed=8)])
    check_solutions(puzzles, host(solve_array(cupy.asarray(puzzles))))
    assert (host(count_array(cupy.asarray(puzzles), 50)) == count_array(puzzles, 50)).all()


def test_launches_are_split(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sudokulab.gpu.solving as solving
    import sudokulab.gpu.transfers as transfers

    monkeypatch.setattr(solving, "MAX_ITEMS", 70)
    monkeypatch.setattr(transfers, "_ROWS", 90)
    puzzles = random_puzzles(1000, seed=9)
    check_solutions(puzzles, host(solve_array(cupy.asarray(puzzles))))
    check_solutions(puzzles, solve_array(puzzles, device="cuda"))
    assert (count_array(puzzles, 2, device="cuda") == count_array(puzzles, 2)).all()


def test_wrong_solutions_are_detected(cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import sudokulab.gpu.solving as solving
    from sudokulab.gpu.kernels import engine_of

    engine = engine_of(0)

    class Wrong:
        score = engine.score

        def solve(self, puzzles: Any, limit: int, solutions: Any, counts: Any) -> None:
            engine.solve(puzzles, limit, solutions, counts)
            solutions[1, 5] = solutions[1, 5] % 9 + 1

    monkeypatch.setattr(solving, "engine_of", lambda number: Wrong())
    with pytest.raises(WrongAnswerError, match="GPU"):
        solve_array(cupy.asarray(bundled("easy")))


@for_each("first", [0, 12345])
def test_generated_puzzles_are_those_of_the_cpu(cupy: Any, first: int) -> None:
    made = generate_array(300, minimal=True, seed=3, first=first, device="cuda")
    expected = generate_array(300, minimal=True, seed=3, first=first)
    assert isinstance(made.puzzles, cupy.ndarray)
    assert (host(made.puzzles) == expected.puzzles).all()
    assert (host(made.solutions) == expected.solutions).all()


def test_other_specifications_need_the_cpu(cupy: Any) -> None:
    for fields in ({"symmetry": "half-turn"}, {"box": 4}, {"givens": 30}, {"level": "easy"}):
        with pytest.raises(ParameterError, match="only requirement is minimal"):
            generate_array(1, device="cuda", **fields)


def test_scores_equal_those_of_the_cpu(cupy: Any) -> None:
    puzzles = bundled("hardest")
    verifier = Verifier(puzzles)
    rng = np.random.default_rng(1)
    rows = rng.integers(0, len(puzzles), 500)
    predictions = verifier.solutions[rows].astype(np.int64)
    predictions[::2] = np.where(rng.random((250, 81)) < 0.9, predictions[::2], rng.integers(-3, 300, (250, 81)))
    predictions[::7] = puzzles[rows[::7]]
    expected = verifier.score(predictions, rows)
    found = verifier.score(cupy.asarray(predictions), rows)
    for name in ("is_complete", "is_valid", "keeps_givens", "num_correct", "num_correct_blanks", "num_blanks"):
        assert (host(getattr(found, name)) == getattr(expected, name)).all(), name
    assert found.accuracy == expected.accuracy
    assert found.cell_accuracy == expected.cell_accuracy


@for_each("box", [(2, 2), (2, 3), (3, 2), (4, 4), (2, 5)])
def test_scores_of_other_sizes_equal_those_of_the_cpu(cupy: Any, box: tuple[int, int]) -> None:
    from sudokulab.instances import random_grids

    grids = random_grids(20, box)
    puzzles = np.where(np.random.default_rng(2).random(grids.shape) < 0.5, grids, 0)
    verifier = Verifier(puzzles, grids, box=box)
    predictions = grids.copy()
    predictions[::3, 0] = predictions[::3, 1]
    expected, found = verifier.score(predictions), verifier.score(cupy.asarray(predictions))
    assert (host(found.is_valid) == expected.is_valid).all()
    assert (host(found.num_correct) == expected.num_correct).all()


def test_predictions_in_any_memory_layout_are_scored(cupy: Any) -> None:
    verifier = Verifier(bundled("easy"))
    grids = verifier.solutions
    for predictions in (
        np.asfortranarray(grids),
        np.moveaxis(np.ascontiguousarray(np.moveaxis(grids.reshape(-1, 9, 9), 0, 2)), 2, 0),
        np.repeat(grids, 2, axis=0)[::2],
    ):
        assert verifier.score(cupy.asarray(predictions)).accuracy == 1


def test_verifiers_accept_puzzles_and_rows_on_a_gpu(cupy: Any) -> None:
    made = generate_array(20, minimal=True, device="cuda")
    verifier = Verifier(made.puzzles, made.solutions)
    assert type(verifier.puzzles) is np.ndarray
    rows = cupy.asarray(np.arange(19, -1, -1))
    assert verifier.score(made.solutions[::-1], rows).accuracy == 1


def test_wrong_predictions_are_explained(cupy: Any) -> None:
    verifier = Verifier(bundled("easy"))
    with pytest.raises(ParameterError, match="type float32; pass integers"):
        verifier.score(cupy.asarray(np.zeros((100, 81), np.float32)))
    with pytest.raises(ParameterError, match=r"shape \(100, 80\)"):
        verifier.score(cupy.asarray(np.zeros((100, 80), np.uint8)))
    with pytest.raises(ParameterError, match="3 predictions for 100 puzzles"):
        verifier.score(cupy.asarray(np.zeros((3, 81), np.uint8)))
