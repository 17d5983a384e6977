"""Predicted grids scored per second on one thread, and steps per second of the environment.

    python benchmarks/verifier.py [--number 100000]

One in twenty cells is changed at random. CPU time, the best of several rounds. Pin the process to a core
(``taskset --cpu-list 0``).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sudokulab import generate_array
from sudokulab.instances import random_grids
from sudokulab.learn import SudokuEnv, Verifier

ROUNDS = 7
SHARE_CHANGED = 0.05
NUM_STEPS = 5000


def rate(number: int, work: Callable[[], object]) -> str:
    seconds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        seconds.append(time.process_time() - start)
    return f"{number / min(seconds):12,.0f} per second"


def minibatch(size: int, number: int) -> tuple[Verifier, NDArray[np.int64], NDArray[np.int64]]:
    """Return a verifier of a thousand puzzles, predictions for them, and the rows of the puzzles."""
    rng = np.random.default_rng(size)
    solutions = random_grids(1000, size, seed=size)
    verifier = Verifier(solutions * (rng.random(solutions.shape) < 0.4), solutions)
    rows = rng.integers(len(solutions), size=number)
    right = solutions[rows].astype(np.int64)
    is_changed = rng.random(right.shape) < SHARE_CHANGED
    return verifier, np.where(is_changed, rng.integers(0, size + 1, right.shape), right), rows


def play(env: SudokuEnv) -> None:
    """Take random legal steps."""
    _, info = env.reset(seed=1)
    for _ in range(NUM_STEPS):
        _, _, is_over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        if is_over:
            _, info = env.reset()


def rate_of_scores(size: int, number: int, dtype: type[np.integer]) -> str:
    verifier, grids, rows = minibatch(size, number)
    typed = grids.astype(dtype)
    return rate(number, lambda: verifier.score(typed, rows, threads=1))


def rate_of_steps(size: int) -> str:
    env = SudokuEnv(generate_array(100, box=size).puzzles, end_on_error=False)
    return rate(NUM_STEPS, lambda: play(env))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=100_000, help="9×9 grids; fewer larger ones (default: 100,000)")
    number = parser.parse_args().number
    for size, dtype in ((9, np.uint8), (9, np.int32), (9, np.int64), (4, np.int64), (16, np.int64), (25, np.int64)):
        title = f"scores, {size}×{size}, {np.dtype(dtype).name}:"
        print(title.ljust(24), rate_of_scores(size, number * 81 // size**2, dtype))
    for size in (4, 9, 16):
        print(f"steps, {size}×{size}:".ljust(24), rate_of_steps(size))


if __name__ == "__main__":
    main()
