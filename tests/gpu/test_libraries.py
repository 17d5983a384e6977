"""Arrays of CuPy, PyTorch and JAX are used in place, on any stream; these tests need a GPU."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from sudokulab import count_array, generate_array, is_unique_array, solve_array
from sudokulab.learn import Verifier
from tests.gpu.questions import bundled, random_puzzles

pytestmark = pytest.mark.gpu


class OnlyInterface:
    """An array of a library that has no DLPack."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def test_arrays_are_not_copied(real_cupy: Any) -> None:
    from sudokulab.gpu.arrays import as_digits

    array = real_cupy.asarray(bundled("easy"))
    assert as_digits(array).data.ptr == array.data.ptr
    assert as_digits(OnlyInterface(array)).data.ptr == array.data.ptr


def test_libraries_without_dlpack_get_cupy_arrays(real_cupy: Any) -> None:
    array = real_cupy.asarray(bundled("easy"))
    other: Any = OnlyInterface(array)
    assert (solve_array(other) == solve_array(array)).all()


def test_torch_tensors_are_solved_in_place(real_cupy: Any) -> None:
    torch = pytest.importorskip("torch", reason="NO PYTORCH")
    from sudokulab.gpu.arrays import as_digits

    puzzles = random_puzzles(500, seed=3)
    tensor = torch.as_tensor(puzzles, device="cuda")
    assert as_digits(tensor).data.ptr == tensor.data_ptr()
    solutions = solve_array(tensor)
    assert isinstance(solutions, torch.Tensor)
    assert solutions.device == tensor.device
    assert (solutions.cpu().numpy() == solve_array(real_cupy.asarray(puzzles)).get()).all()
    counts = count_array(tensor, 3)
    assert counts.dtype == torch.int64
    assert (counts.cpu().numpy() == count_array(puzzles, 3)).all()
    assert (is_unique_array(tensor.long()).cpu().numpy() == is_unique_array(puzzles)).all()
    made = generate_array(10, minimal=True, device="cuda")
    assert torch.from_dlpack(made.puzzles).shape == (10, 81)


def test_torch_predictions_are_scored_in_place(real_cupy: Any) -> None:
    torch = pytest.importorskip("torch", reason="NO PYTORCH")
    verifier = Verifier(bundled("hard"))
    logits = torch.nn.functional.one_hot(torch.as_tensor(verifier.solutions, dtype=torch.long) - 1, 9).cuda()
    scores = verifier.score(logits.argmax(-1) + 1)
    assert isinstance(scores.is_valid, torch.Tensor)
    assert (scores.accuracy, scores.cell_accuracy) == (1.0, 1.0)


def test_torch_streams_are_respected(real_cupy: Any) -> None:
    torch = pytest.importorskip("torch", reason="NO PYTORCH")
    puzzles = bundled("hardest")
    expected = torch.as_tensor(solve_array(puzzles))
    source = torch.as_tensor(puzzles).pin_memory()
    for _ in range(20):
        with torch.cuda.stream(torch.cuda.Stream()):
            torch.cuda._sleep(2_000_000)  # the puzzles arrive late
            solutions = solve_array(source.cuda(non_blocking=True))
            assert torch.equal(solutions.cpu(), expected)


def test_a_tensor_that_is_deleted_early_keeps_its_memory(real_cupy: Any) -> None:
    torch = pytest.importorskip("torch", reason="NO PYTORCH")
    puzzles = torch.as_tensor(bundled("hardest"), device="cuda")
    others = torch.as_tensor(bundled("easy"), device="cuda")
    expected = solve_array(puzzles).cpu()
    for _ in range(10):
        with torch.cuda.stream(torch.cuda.Stream()):
            solutions = solve_array(puzzles)
            torch.cuda._sleep(50_000_000)
            copy = solutions.clone()  # reads the solutions late
        del solutions
        solve_array(others)  # must not write to their memory
        torch.cuda.synchronize()
        assert torch.equal(copy.cpu(), expected)


def test_calls_do_not_use_more_and_more_memory(real_cupy: Any) -> None:
    puzzles = np.tile(bundled("easy"), (5000, 1))
    for _ in range(25):
        solve_array(puzzles, device="cuda")
    assert (
        real_cupy.get_default_memory_pool().total_bytes() < 4e9
    )  # new streams in every call would take three times that


def test_jax_arrays_are_solved(real_cupy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = pytest.importorskip("jax", reason="NO JAX")
    puzzles = random_puzzles(500, seed=4)
    array = jax.numpy.asarray(puzzles)
    solutions = solve_array(array)
    assert isinstance(solutions, jax.Array)
    assert (np.asarray(solutions) == solve_array(real_cupy.asarray(puzzles)).get()).all()
    assert (np.asarray(count_array(array, 2)) == count_array(puzzles, 2)).all()
    assert (np.asarray(is_unique_array(array)) == is_unique_array(puzzles)).all()


def test_streams_do_not_disturb_each_other(real_cupy: Any) -> None:
    sets = [random_puzzles(3000, seed=seed) for seed in range(8)]
    expected = [count_array(puzzles, 2) for puzzles in sets]

    def count(puzzles: Any) -> Any:
        with real_cupy.cuda.Stream(non_blocking=True) as stream:
            counts = count_array(real_cupy.asarray(puzzles), 2)
            stream.synchronize()
            return counts.get()

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for found, right in zip(pool.map(count, sets), expected, strict=True):
                assert (found == right).all()


@pytest.mark.heavy
def test_millions_of_puzzles_from_host_memory(real_cupy: Any) -> None:
    puzzles = np.tile(random_puzzles(50_000, seed=6), (40, 1))
    solutions = solve_array(puzzles, device="cuda")
    counts = count_array(puzzles[:50_000], 2)
    is_one = np.tile(counts == 1, 40)
    assert (solutions[is_one] == np.tile(solve_array(puzzles[:50_000]), (40, 1))[is_one]).all()
    assert not solutions[np.tile(counts == 0, 40)].any()


@pytest.mark.heavy
def test_pathological_puzzles_do_not_block_the_gpu(real_cupy: Any) -> None:
    empty = np.zeros((64, 81), np.uint8)
    counts = count_array(real_cupy.asarray(empty), 20_000)
    assert (counts.get() == 20_000).all()
