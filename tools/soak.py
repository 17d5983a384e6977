"""Call all entry points again and again, and watch the memory and the descriptors of this process and of a server.

    python -m tools.soak [--minutes 60]

Prints a line per watched number; exits with 1 if one has grown.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.puzzles import EASY, INKALA
from websockets.sync.client import connect

from sudokulab import Puzzle, canonical, count, explain, generate, hint, parse, rate, read, solve, solve_many
from sudokulab.datasets import audit, make
from sudokulab.lab import compare
from sudokulab.publishing.sheets import sheet
from sudokulab.questions import count_array, solve_array

MOST_MEGABYTES = 16
"""What the memory of a process may grow by: allocators keep some of what was freed."""
MOST_DESCRIPTORS = 4

Samples = dict[str, list[float]]


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """Start a server; yield its address and its process ID."""
    command = [sys.executable, "-u", "-m", "sudokulab", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split(" at ")[1].split()[0].rstrip("/"), process.pid
        finally:
            process.terminate()
            process.wait()


def entry_points(folder: Path, address: str) -> list[Callable[[int], object]]:
    """Return the calls; each gets the number of the round."""
    lines = folder / "puzzles.txt"
    lines.write_text(f"{EASY.line}\n{INKALA.line}\nwrong\n" * 300)

    def ask(path: str, body: dict[str, object]) -> bytes:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{address}/api/{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            return bytes(answer.read())

    def watch(number: int) -> None:
        """Follow a run to its end."""
        start = {"type": "start", "puzzle": INKALA.line, "solver": "annealing", "seed": number, "seconds": 0.1}
        with connect(f"{address.replace('http', 'ws')}/api/runs") as messages:
            messages.send(json.dumps(start))
            assert json.loads(list(messages)[-1].splitlines()[-1])["type"] == "result"

    def make_set(number: int) -> None:
        with tempfile.TemporaryDirectory() as target:
            make({"seed": number, "shard_size": 20, "parts": [{"count": 40, "size": 4}]}, target)

    return [
        lambda number: solve(INKALA, seed=number),
        lambda number: solve(EASY, "tabu", seconds=0.05, seed=number, trace=True, frames=True),
        lambda number: solve(Puzzle.empty(25), seed=number),
        lambda _: list(solve_many([EASY.line] * 2000)),
        lambda _: solve_array([INKALA.line] * 5000),
        lambda _: count_array([EASY.line] * 5000, 2),
        lambda _: count(INKALA, 2),
        lambda _: [rate(EASY), rate(EASY, scale="se"), rate(EASY, scale="hodoku")],
        lambda _: [explain(EASY), hint(INKALA)],
        lambda number: list(generate(5, level="hard", seed=number)),
        lambda _: [puzzle.line for puzzle in read(lines, keep_going=True)],
        lambda _: [parse(str(EASY)), parse(EASY.line)],
        lambda _: canonical(EASY),
        lambda _: sheet([EASY, INKALA], folder / "sheet.pdf", ratings=[]),
        make_set,
        lambda _: audit(lines, sample=2),
        lambda number: compare(["auto", "dlx"], [EASY], runs=1, cpu_seconds=1, seed=number, workers=1),
        lambda _: ask("solve", {"puzzle": INKALA.line}),
        lambda _: ask("rate", {"puzzle": EASY.line}),
        lambda _: ask("explain", {"puzzle": EASY.line}),
        lambda number: ask("generate", {"seed": number % 1000}),
        watch,
        lambda _: ask("sheet", {"puzzles": [EASY.line], "format": "svg", "ratings": []}),
        lambda _: ask("read", {"text": lines.read_text()[:20_000]}),
    ]


def sample(samples: Samples, processes: dict[str, int]) -> None:
    page = resource.getpagesize() / (1 << 20)
    for name, pid in processes.items():
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        samples.setdefault(f"megabytes of the {name}", []).append(resident * page)
        samples.setdefault(f"descriptors of the {name}", []).append(len(os.listdir(f"/proc/{pid}/fd")))


def soak(minutes: float, rng: random.Random) -> Iterator[tuple[str, bool]]:
    """Run all entry points for some time, in random order; yield each watched number, and whether it has not grown."""
    samples: Samples = {}
    with tempfile.TemporaryDirectory() as folder, served() as (address, server):
        calls = entry_points(Path(folder), address)
        processes = {"process": os.getpid(), "server": server}
        end, number = time.monotonic() + 60 * minutes, 0
        while time.monotonic() < end or number < 9:
            rng.shuffle(calls)
            for call in calls:
                call(number)
            sample(samples, processes)
            number += 1
    for name, values in samples.items():
        third = len(values) // 3
        before, after = median(values[third : 2 * third]), median(values[2 * third :])
        limit = MOST_MEGABYTES if name.startswith("megabytes") else MOST_DESCRIPTORS
        yield f"{name}: {before:.1f}, then {after:.1f}, in {number:,} rounds", after - before < limit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    args = parser.parse_args()
    has_failed = False
    for case, has_passed in soak(args.minutes, random.Random(args.minutes)):
        print(f"{'ok' if has_passed else 'GROWN'}: {case}", flush=True)
        has_failed |= not has_passed
    sys.exit(has_failed)


if __name__ == "__main__":
    main()
