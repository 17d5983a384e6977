"""Grids per second on a GPU: scores, canonical forms, and solutions of batches from 1 to 1,000,000 puzzles.

    python benchmarks/gpu.py [--number 5000000] [--json rates.json]
    python benchmarks/gpu.py --draw rates.json docs/figures/gpu-batches.svg
    python benchmarks/gpu.py --parts royle-17-clue.txt forum-hardest-11plus.txt
    ncu --clock-control none -k solve_kernel --section SpeedOfLight --section InstructionStats \\
        --section ComputeWorkloadAnalysis python benchmarks/gpu.py --kernel royle-17-clue.txt

Wall time, the best of several rounds, beside the same calls on all cores of the CPU with fewer grids. Scores and forms
are of arrays in the memory of the GPU. The parts are the kernels alone, transfers, and what the CPU does. `sudokulab
bench --device cuda` measures solving, counting and generation.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from sudokulab import _core, as_array, canonical_array, generate_array, read, solve_array
from sudokulab._internal.native import checked_threads
from sudokulab.bench.device import describe_device
from sudokulab.learn import Verifier

ROUNDS = 7
NUM_ON_CPU = 200_000
NUM_GENERATED = 4_000_000
BATCHES = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]


def engine_of(number: int) -> Any:
    from sudokulab.gpu import kernels  # needs CuPy

    return kernels.engine_of(number)


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


def copies(file: str, number: int) -> Any:
    """Return about `number` puzzles on the GPU, copies of those in a file."""
    import cupy

    with read(file) as reader:
        puzzles = cupy.asarray(as_array(reader))
    return cupy.tile(puzzles, (max(1, number // len(puzzles)), 1))


def run_kernel(puzzles: Any, limit: int, solutions: Any, counts: Any) -> None:
    from sudokulab.gpu.kernels import MAX_ITEMS

    engine = engine_of(0)
    for first in range(0, len(puzzles), MAX_ITEMS):
        rows = slice(first, first + MAX_ITEMS)
        engine.solve(puzzles[rows], limit, solutions[rows], counts[rows])


def show_kernels(file: str, number: int) -> None:
    """Print the rates of the kernel that solves, without checks."""
    import cupy

    puzzles = copies(file, number)
    solutions, counts = cupy.zeros_like(puzzles), cupy.empty(len(puzzles), np.uint32)
    for limit in (1, 2):
        found = rate(len(puzzles), lambda limit=limit: run_kernel(puzzles, limit, solutions, counts))  # type: ignore[misc]
        print(f"kernel alone, {file}, up to {limit}: {found:,.0f} per second")


def show_parts(number: int) -> None:
    """Print the rates of generation on the CPU and on the GPU, and of copies in GB per second."""
    import cupy
    import cupyx

    drawn = rate(number, lambda: _core.blanking_starts(0, 0, number, checked_threads(None)))
    print(f"grids and orders drawn by the CPU: {drawn:,.0f} per second")
    grids, orders = map(cupy.asarray, _core.blanking_starts(0, 0, number, checked_threads(None)))
    puzzles = cupy.empty_like(grids)
    blanked = rate(number, lambda: engine_of(0).blank(grids, orders, puzzles))
    print(f"grids blanked by the GPU: {blanked:,.0f} per second")
    host, pinned = grids.get(), cupyx.empty_pinned(grids.shape, np.uint8)
    stream = cupy.cuda.get_current_stream()
    for name, work in {
        "to pinned memory": lambda: np.copyto(pinned, host),
        "to new memory": lambda: host.copy(),
        "to the GPU": lambda: grids.set(pinned, stream),
        "from the GPU": lambda: grids.get(stream, out=pinned),
    }.items():
        print(f"copy {name}: {rate(host.nbytes, work) / 1e9:.1f} GB per second")


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
    parser.add_argument("--parts", nargs="+", metavar="FILE", help="only measure parts, with puzzles of these files")
    parser.add_argument("--kernel", metavar="FILE", help="only run the kernel that solves, once, for a profiler")
    parser.add_argument("--draw", type=Path, nargs=2, metavar=("JSON", "FILE"), help="only draw such a file")
    args = parser.parse_args()
    if args.draw:
        draw(*args.draw)
        return
    device = describe_device(0)
    print(device)
    if args.parts:
        for file in args.parts:
            show_kernels(file, args.number)
        show_parts(min(args.number, NUM_GENERATED))
        return
    if args.kernel:
        solve_array(copies(args.kernel, 1_000_000))
        return
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
