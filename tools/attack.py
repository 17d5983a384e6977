"""Long stress tests (`make attack`): files, links, kills, memory, exits, clocks, clients, solvers, entry points.

    python -m tools.attack [--scale 1] [ATTACK]...

Prints the number of cases and failures of each attack, and exits with 1 if any case failed. A scale of 10 runs ten
times as many cases; for `soak`, the scale is the number of minutes.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from tests.attack import (
    test_bombs,
    test_clock,
    test_connections,
    test_core,
    test_encodings,
    test_errors,
    test_files,
    test_lab,
    test_large_fish,
    test_links,
    test_locale,
    test_neighbours,
)
from tests.datasets import test_making
from tests.lab import test_execution
from tests.puzzles import EASY

from sudokulab import formats
from sudokulab.errors import SudokulabError
from sudokulab.formats.coercion import as_puzzle
from sudokulab.lab import Store, run_experiment
from sudokulab.lab.report import report
from tools.agreement import disagreements, grids
from tools.soak import soak as watch

Case = tuple[str, bool]
"""The description of a case, and whether it passed."""

CORPUS = Path(test_core.__file__).parent / "corpus" / "readers"


def mutations(scale: int, rng: random.Random) -> Iterator[Case]:
    """Change bytes in files of every format: readers must yield puzzles or a clear error."""
    originals = {path.name: path.read_bytes()[1:] for path in sorted(CORPUS.iterdir())}
    for _ in range(20_000 * scale):
        name, data = rng.choice(list(originals.items()))
        mutated = bytearray(data * rng.randint(1, 3))
        for _ in range(rng.randint(1, 8)):
            place = rng.randrange(len(mutated))
            match rng.randrange(4):
                case 0:
                    mutated[place] = rng.randrange(256)
                case 1:
                    del mutated[place : place + rng.randint(1, 20)]
                case 2:
                    mutated[place:place] = mutated[place : place + rng.randint(1, 40)]
                case _:
                    mutated[place:place] = rng.choice([b"\r", b"\0", b"\xff", b"\n", b'"', b"<", b"9" * 90, b"{["])
            mutated = mutated or bytearray(b"x")
        yield f"{name}: {bytes(mutated)!r}", _is_read(bytes(mutated), rng.choice([None, name]))


def _is_read(data: bytes, name: str | None) -> bool:
    try:
        reader = formats.read(io.StringIO(data.decode("utf-8", "replace"), newline=None), name, keep_going=True)
        list(islice(reader, 100))
        as_puzzle(data)
    except SudokulabError:
        return True
    except Exception:
        return False
    return all(error.line >= 1 and error.column >= 1 for error in reader.errors)


def documents(scale: int, rng: random.Random) -> Iterator[Case]:
    """Change the documents inside links: readers must yield puzzles or a clear error."""
    for _ in range(10_000 * scale):
        link = test_links.mutated(rng)
        yield link, _is_read(link.encode(), None)


def kills(scale: int, rng: random.Random) -> Iterator[Case]:
    """Kill `solve -o` at a random time: the old file or the complete new one must remain."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in.txt")
        source.write_text(f"{EASY.line}\n" * 400_000)
        for _ in range(20 * scale):
            target = Path(folder, f"out.{rng.choice(['txt', 'csv', 'jsonl'])}")
            target.write_text("old\n")
            process = subprocess.Popen(
                [sys.executable, "-m", "sudokulab", "solve", str(source), "-o", str(target)],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            delay, end = rng.uniform(0.2, 2.0), rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
            time.sleep(delay)
            process.send_signal(end)
            process.wait()
            text = target.read_text()
            yield f"{end.name} after {delay:.2f} s", text == "old\n" or text.count("\n") >= 400_000


def folders(scale: int, rng: random.Random) -> Iterator[Case]:
    """Kill the export of a folder between its renames: one of the two versions must remain, and the next one work."""
    for number in range(10 * scale):
        with tempfile.TemporaryDirectory() as folder:
            step = rng.randrange(12)
            yield f"step {step}, {number}", _passes(partial(_check_killed_export, Path(folder, "export"), step))


def _check_killed_export(path: Path, step: int) -> None:
    test_files.fill(path, "old")
    test_files.killed_before_call(step, path)
    test_files.recover(path)
    assert test_files.content(path) in ("old", "new")
    test_files.replace(path, "newest")
    assert test_files.content(path) == "newest"
    assert os.listdir(path.parent) == [path.name]


def data_sets(scale: int, rng: random.Random) -> Iterator[Case]:
    """Kill `dataset make` at random times, again and again: the set that it completes at last must be the same."""
    with tempfile.TemporaryDirectory() as folder:
        recipe = Path(folder, "recipe.toml")
        recipe.write_text("seed = 1\nshard_size = 400\n[[parts]]\ncount = 4000\nminimal = true\n")
        command = [sys.executable, "-m", "sudokulab", "dataset", "make", str(recipe), "--output"]
        subprocess.run([*command, f"{folder}/whole"], capture_output=True, check=True)
        for number in range(5 * scale):
            target = Path(folder, f"killed-{number}")
            for _ in range(rng.randint(1, 4)):
                process = subprocess.Popen(
                    [*command, str(target)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                time.sleep(rng.uniform(0.3, 2.5))
                process.send_signal(rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
                process.wait()
            code = subprocess.run([*command, str(target)], capture_output=True, check=False).returncode
            is_same = code == 0 and test_making.contents(target) == test_making.contents(Path(folder, "whole"))
            yield f"kills {number}", is_same


def memory_limits(scale: int, rng: random.Random) -> Iterator[Case]:
    """Run under random memory limits: the result must be an answer or an exception, never a crash."""
    works = [
        "solve(Puzzle.empty(36), 'conflict-driven', budget=Budget(seconds=0.5))",
        "list(solve_many([Puzzle.empty(25)] * 20, 'dlx', threads=4, budget=Budget(seconds=0.2)))",
        "solve_array(np.zeros((300_000, 81), np.uint8), threads=3)",
        "list(generate(20, box=16, threads=2))",
        "logic.rate(Puzzle.empty(16), budget=Budget(seconds=0.5))",
    ]
    for _ in range(25 * scale):
        work, room = rng.choice(works), rng.randrange(1_000_000, 200_000_000)
        code = f"""
            import resource
            import numpy as np
            from sudokulab import Budget, Puzzle, generate, logic, rate, solve, solve_many
            from sudokulab.solvers import all_solvers
            from sudokulab.questions import solve_array
            all_solvers()
            used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + {room}, used + {room}))
            try:
                {work}
            except (MemoryError, RuntimeError):
                pass
        """
        yield f"{work} in {room:,} bytes", _exit_code(code) == 0


def memory(scale: int, rng: random.Random) -> Iterator[Case]:
    """Repeat each kind of call for ten seconds per unit of scale: memory must not grow after the first third."""
    works = [
        "solve(line); count(line, 2); is_unique(line)",
        "list(solve_many([line] * 20_000))",
        "solve_array([line] * 20_000); count_array([line] * 20_000, 2)",
        "solve(Puzzle.empty(25), seed=number); solve(large, seconds=0.3, threads=2)",
        "generate_array(2_000, minimal=True, first=number); list(generate(20, level='hard', first=number))",
        "random_grids(100_000, first=number)",
        "list(solve_many([line] * 50, 'tabu', seconds=0.01)); solve(line, 'ant-colony', trace=True, frames=True)",
        "rate(line); explain(line); hint(line)",
    ]
    for work in works:
        code = f"""
            import resource, time
            from sudokulab import *
            from sudokulab.instances import fixed_fraction, random_grids
            line, large = {EASY.line!r}, fixed_fraction(36, fixed=0.5, seed={rng.randrange(2**32)})
            start, number, first = time.monotonic(), 0, 0
            while (elapsed := time.monotonic() - start) < {10 * scale}:
                {work}
                number += 1
                if elapsed < {10 * scale / 3}:
                    first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first)
        """
        command = [sys.executable, "-c", textwrap.dedent(code)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        grown = int(done.stdout) if done.returncode == 0 else -1
        yield f"{work}: {grown:,} KB more {done.stderr}", 0 <= grown < 4096


def forks(scale: int, _: random.Random) -> Iterator[Case]:
    """Fork while threads are searching: every child must be able to use the core."""
    for number in range(5 * scale):
        try:
            test_core.test_a_process_forked_during_a_search_can_use_the_core()
        except (AssertionError, subprocess.TimeoutExpired):
            yield f"round {number}", False
        else:
            yield from ((f"round {number}, child {child}", True) for child in range(40))


def exits(scale: int, rng: random.Random) -> Iterator[Case]:
    """Exit the process while a daemon thread is searching."""
    for _ in range(50 * scale):
        work, delay = rng.randrange(4), rng.choice([0.0, rng.uniform(0, 0.05), rng.uniform(0, 0.5)])
        yield f"work {work}, {delay:.3f} s", _exit_code(test_core.SEARCH_AT_EXIT.format(work=work, delay=delay)) == 0


def entry_points(scale: int, rng: random.Random) -> Iterator[Case]:
    """Compare all entry points on the same grids."""
    for name, number, wrong in disagreements(grids(10_000 * scale, rng.randrange(2**32))):
        yield from ((f"{name}: {puzzle.line}", False) for puzzle in wrong)
        yield from ((name, True) for _ in range(number - len(wrong)))


def hostile_solvers(scale: int, rng: random.Random) -> Iterator[Case]:
    """Run experiments with solvers that lie, crash and forge answers: each must become one stored run with a cause."""
    names = list(test_lab.ODD)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SUDOKULAB_TEST_MARK"] = str(Path(folder, "ran"))
        for number in range(2 * scale):
            rng.shuffle(names)
            with Store(Path(folder, f"{number}.sqlite")) as store:
                run_experiment(test_lab.experiment_of(*names, trace=True), store, workers=1)
                rows = store.runs("attack").to_dicts()
                report(store, "attack")
            found = {row["solver"].partition(" ")[0]: row["outcome"] for row in rows}
            yield from ((f"{name}: {found.get(name)}", found.get(name) == test_lab.ODD[name][0]) for name in names)
        yield "solver code ran in the harness", not Path(folder, "ran").exists()


def experiments(scale: int, _: random.Random) -> Iterator[Case]:
    """Kill and restart an experiment: no run may be lost or repeated."""
    for number in range(2 * scale):
        for end in (signal.SIGKILL, signal.SIGINT):
            with tempfile.TemporaryDirectory() as folder:
                try:
                    test_execution.test_killed_at_any_moment_it_goes_on(Path(folder), end)
                except AssertionError as error:
                    yield f"{end.name} {number}: {error}", False
                else:
                    yield f"{end.name} {number}", True


def bombs(scale: int, rng: random.Random) -> Iterator[Case]:
    """Read compressed files of a gigabyte per unit of scale, of short lines a hundredth: memory must stay bounded."""
    for filling in test_bombs.FILLINGS:
        num_megabytes = (10 if filling in ("short lines", "line ends") else 1024) * scale
        for command in test_bombs.READERS:
            name = rng.choice(["x.txt.gz", "x.txt.zst", "x.txt.zip", "x.csv.gz", "x.jsonl.gz", "x.opensudoku.zst"])
            with tempfile.TemporaryDirectory() as folder:
                check = partial(test_bombs.check_bomb, Path(folder), command, name, filling, num_megabytes)
                yield f"{command} {name} of {filling}", _passes(check)


def clocks(scale: int, _: random.Random) -> Iterator[Case]:
    """Let the wall clock jump during searches, experiments and requests."""
    tests = (test_clock.test_budgets_are_kept, test_clock.test_no_budget_ends_early, test_clock.test_the_server_answers)
    with tempfile.TemporaryDirectory() as library:
        environment = test_clock.jumping_clock(Path(library))
        for number in range(scale):
            for test in tests:
                yield f"{test.__name__} {number}", _passes(partial(test, environment))
            with tempfile.TemporaryDirectory() as folder:
                run = partial(test_clock.test_experiments_finish_and_resume, environment, Path(folder))
                yield f"experiment {number}", _passes(run)


def locales(scale: int, _: random.Random) -> Iterator[Case]:
    """Compare what commands print and write with and without a decimal comma."""
    with tempfile.TemporaryDirectory() as locale:
        try:
            environment = test_locale.compiled_locale(Path(locale))
        except pytest.skip.Exception as reason:
            print(reason)
            return
        for number in range(scale):
            with tempfile.TemporaryDirectory() as folder:
                check = partial(test_locale.test_a_decimal_comma_changes_nothing, environment, Path(folder))
                yield f"round {number}", _passes(check)


def encodings(scale: int, _: random.Random) -> Iterator[Case]:
    """Run every command and its help with standard output in encodings that lack some characters."""
    test = test_encodings.test_every_command_and_its_help_run_in_every_encoding
    for number in range(scale):
        for environment in test_encodings.ENVIRONMENTS:
            with tempfile.TemporaryDirectory() as folder:
                run = partial(test, test_encodings.filled(Path(folder)), environment)
                yield f"{environment} {number}", _passes(run)


def errors(scale: int, _: random.Random) -> Iterator[Case]:
    """Read many unreadable puzzles with each command: memory must not grow with their number."""
    for number in range(scale):
        for command in test_errors.COMMANDS:
            for name in ("line.txt", "rows.csv", "objects.jsonl"):
                with tempfile.TemporaryDirectory() as folder:
                    check = partial(test_errors.check_memory, Path(folder), command, name)
                    yield f"{command} {name} {number}", _passes(check)


def connections(scale: int, _: random.Random) -> Iterator[Case]:
    """Open connections to a server and leave them unfinished: others must still be answered."""
    tests: list[Callable[[], object]] = [
        test_connections.test_more_connections_than_descriptors_keep_nobody_out,
        test_connections.test_a_full_server_drops_idle_connections,
        test_connections.test_a_full_server_keeps_the_connections_that_it_works_for,
        *(
            partial(test_connections.test_a_request_head_must_arrive_in_time, before)
            for before in test_connections.FIRST
        ),
        test_connections.test_a_body_must_arrive_in_time,
        test_connections.test_websockets_without_a_run_are_limited,
    ]
    yield from _repeated(tests, 10 * scale)


def neighbours(scale: int, _: random.Random) -> Iterator[Case]:
    """Keep a server busy with long questions: short ones must still be answered."""
    tests: list[Callable[[], object]] = [
        test_neighbours.test_short_questions_do_not_wait_for_long_ones,
        test_neighbours.test_short_questions_do_not_wait_for_links_and_long_texts,
        test_neighbours.test_short_questions_do_not_wait_for_all_of_them_together,
    ]
    yield from _repeated(tests, scale)


def _repeated(tests: list[Callable[[], object]], number: int) -> Iterator[Case]:
    for k in range(number):
        for test in tests:
            yield f"{test} {k}", _passes(test)


def large_fish(scale: int, rng: random.Random) -> Iterator[Case]:
    """Compare fish of size five and more with every placement of their digit."""
    for _ in range(50 * scale):
        seed = rng.randrange(2**32)
        names = test_large_fish.NAMES
        yield from ((f"{name}, seed {seed}", right) for name, right in test_large_fish.checked_fish(seed, names))


def soak(scale: int, rng: random.Random) -> Iterator[Case]:
    """Call all entry points for a minute per unit of scale: neither memory nor descriptors may grow."""
    yield from watch(scale, rng)


def _passes(test: Callable[[], object]) -> bool:
    try:
        test()
    except Exception:
        return False
    return True


def _exit_code(code: str) -> int:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    try:
        return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode
    except subprocess.TimeoutExpired:
        return -1


ATTACKS: dict[str, Callable[[int, random.Random], Iterator[Case]]] = {
    attack.__name__.replace("_", "-"): attack
    for attack in (
        *(
            mutations,
            documents,
            kills,
            folders,
            data_sets,
            memory,
            memory_limits,
            forks,
            exits,
            hostile_solvers,
            experiments,
            entry_points,
        ),
        *(bombs, clocks, locales, encodings, errors, connections, neighbours, large_fish, soak),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "attacks", nargs="*", metavar="ATTACK", help=f"Attacks to run: {', '.join(ATTACKS)} (default: all)."
    )
    parser.add_argument("--scale", type=int, default=1)
    parser.add_argument("--seed", type=int, default=None)
    args = parser.parse_args()
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(f"seed {seed}, process {os.getpid()}")
    num_failed = 0
    for name in args.attacks or ATTACKS:
        start, num_cases, failed = time.perf_counter(), 0, []
        for case, has_passed in ATTACKS[name](args.scale, random.Random(seed)):
            num_cases += 1
            if not has_passed:
                failed.append(case)
        seconds = time.perf_counter() - start
        print(
            f"{name:14} {num_cases:9,} cases, {len(failed)} failed ({seconds:.0f} s)",
            *failed[:5],
            sep="\n  ",
            flush=True,
        )
        num_failed += len(failed)
    sys.exit(num_failed > 0)


if __name__ == "__main__":
    main()
