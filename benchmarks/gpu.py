"""Grids per second on a GPU: scores, canonical forms, and solutions of batches from 1 to 1,000,000 puzzles.

    python benchmarks/gpu.py [--number 5000000] [--json rates.json]
    python benchmarks/gpu.py --draw rates.json docs/figures/gpu-batches.svg

Wall time, the best of several rounds, beside the same calls on all cores of the CPU with fewer grids. Scores and forms
are of arrays in the memory of the GPU. `sudokulab bench --device cuda` measures solving, counting and generation.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sudokulab import canonical_array, generate_array, solve_array
from sudokulab.bench.device import describe_device
from sudokulab.learn import Verifier

ROUNDS = 7
NUM_ON_CPU = 200_000
BATCHES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]


def rate(number: int, work: Callable[[], object]) -> float:
    import cupy

    work()
    seconds = []
    for _ in range(ROUNDS):
        cupy.cuda.runtime.deviceSynchronize()
        start = time.perf_counter()
        work()
        cupy.cuda.runtime.deviceSynchronize()
        seconds.append(time.perf_counter() - start)
    return number / min(seconds)


def show(title: str, call: Callable[[Any], object], on_gpu: Any, call_on_cpu: Callable[[Any], object]) -> None:
    """Print the rates of a call with an array on the GPU, and of one with its first rows on the CPU."""
    on_cpu = on_gpu[:NUM_ON_CPU].get()
    gpu = rate(len(on_gpu), lambda: call(on_gpu))
    cpu = rate(len(on_cpu), lambda: call_on_cpu(on_cpu))
    print(f"{title:36} gpu {gpu:15,.0f} per second, cpu {cpu:15,.0f} per second")


def through_solution(puzzles: Any) -> object:
    return canonical_array(puzzles, through="solution")


def rates_of_batches(puzzles: Any) -> dict[str, list[float]]:
    """Return the rates of `solve_array` for every size of a batch."""
    on_host = puzzles[: BATCHES[-1]].get()
    return {
        "GPU, its own memory": [rate(n, lambda n=n: solve_array(puzzles[:n])) for n in BATCHES],  # type: ignore[misc]
        "GPU, host memory": [rate(n, lambda n=n: solve_array(on_host[:n], device="cuda")) for n in BATCHES],  # type: ignore[misc]
        "CPU, all cores": [rate(n, lambda n=n: solve_array(on_host[:n])) for n in BATCHES],  # type: ignore[misc]
    }


def draw(source: Path, target: Path) -> None:
    from matplotlib.ticker import StrMethodFormatter

    from sudokulab.lab import figures

    found = json.loads(source.read_text())
    figure, ax = figures.figure(7.2)
    for name, rates in found["rates"].items():
        figures.draw(ax, name, found["batches"], rates)
        end = (found["batches"][-1], rates[-1])
        ax.annotate(name, end, (8, -3), textcoords="offset points", color=ax.lines[-1].get_color())
    figures.finish(ax, "minimal puzzles per call", "puzzles per second")
    if legend := ax.get_legend():
        legend.remove()  # the curves are named at their ends
    ax.set(xscale="log", yscale="log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.set_title(f"solve_array: {found['device'].partition(';')[0]}, and {found['num_cores']} cores of a CPU")
    figures.save(figure, target)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=5_000_000, help="grids (default: 5,000,000)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the rates of batches to a file")
    parser.add_argument("--draw", type=Path, nargs=2, metavar=("JSON", "FILE"), help="only draw such a file")
    args = parser.parse_args()
    if args.draw:
        draw(*args.draw)
        return
    device = describe_device(0)
    print(device)
    made = generate_array(max(args.number, BATCHES[-1]), minimal=True, device="cuda")
    puzzles, solutions = (array.get() for array in made)  # type: ignore[attr-defined]
    verifier, on_cpu = Verifier(puzzles, solutions), Verifier(puzzles[:NUM_ON_CPU], solutions[:NUM_ON_CPU])
    for kind in (np.uint8, np.int64):
        show(f"scores, {np.dtype(kind).name}", verifier.score, made.solutions.astype(kind), on_cpu.score)
    show("canonical forms of solution grids", canonical_array, made.solutions, canonical_array)
    show("of puzzles through their solutions", through_solution, made.puzzles, through_solution)
    found = rates_of_batches(made.puzzles)
    for name, rates in found.items():
        print(f"{name:20}", "".join(f"{value:15,.0f}" for value in rates), "per second")
    if args.json:
        from sudokulab._internal.machine import machine

        data = {"device": device, "num_cores": machine().num_cores, "batches": BATCHES, "rates": found}
        args.json.write_text(json.dumps(data))


if __name__ == "__main__":
    main()
