"""``sudokulab tour``: a tour of twenty seconds around one puzzle."""

from __future__ import annotations

import shutil
import statistics
import sys
import time
import tomllib
from contextlib import nullcontext
from importlib import resources
from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console
from rich.live import Live
from rich.table import Table

from sudokulab.cli.common import command
from sudokulab.cli.tables import print_table
from sudokulab.drawing import draw
from sudokulab.instances import find, generate
from sudokulab.logic import draw_step, explain, rate
from sudokulab.puzzle import Puzzle
from sudokulab.questions import is_unique, solve
from sudokulab.search.budget import Budget
from sudokulab.search.result import Result
from sudokulab.solvers import SOLVERS
from sudokulab.solvers.base import Solver
from sudokulab.solvers.registry import make_solver

__all__ = ["tour"]

_PUZZLE = "AI Escargot"
_NUM_HEATS = 20
_NUM_TIMED = 1000
_NUM_PUBLISHED_RUNS = 100  # as many as in Table 1 of Lloyd and Amos
_RACERS: dict[str, tuple[Solver, str]] = {
    "graph-search": (make_solver("graph-search"), "San Segundo & Jiménez 2009"),
    "ant-colony": (make_solver("ant-colony"), "Lloyd & Amos 2019"),
    "hill-climbing": (make_solver("hill-climbing"), "Jones et al. 2007"),
    "ac3-tabu": (make_solver("ac3-tabu"), "Soto et al. 2013"),
    "cp-annealing": (make_solver("cp-annealing"), "Lewis 2007"),
}
"""The algorithms of the five papers by name."""


@command
def tour(
    cpu_seconds: Annotated[float, typer.Option(min=0, help="CPU time of each run of the race, in seconds.")] = 5.0,
) -> None:
    """Take a 20-second tour: solve, rate, generate, race.

    Each stop names the next command to try.

    Example: sudokulab tour
    """
    puzzle = next(puzzle for puzzle in find("famous") or () if puzzle.name == _PUZZLE)
    _say(
        f"Sudokulab solves, rates, explains and generates Sudoku. It runs {len(SOLVERS)} solvers, including the "
        "solvers of five papers, under the same limits.",
    )
    _solve(puzzle)
    _rate(puzzle)
    _explain(puzzle)
    _generate()
    _race(puzzle, Budget(seconds=cpu_seconds, is_cpu_time=True))
    _compare_with_paper(puzzle)
    _point_onwards()


def _solve(puzzle: Puzzle) -> None:
    _stop(f"A hard puzzle: {puzzle.name} ({puzzle.comment})", f"solve {puzzle.line}")
    result = solve(puzzle)
    start = time.perf_counter()
    for _ in range(_NUM_TIMED):
        solve(puzzle)
    microseconds = 1e6 * (time.perf_counter() - start) / _NUM_TIMED
    if sys.stdout.isatty():
        Console().print(Columns([draw(puzzle), draw(puzzle, result.solution)], padding=(0, 4)))
    elif result.solution is not None:
        _say(f"{puzzle.line}\n{result.solution.line}")
    number = "one solution" if is_unique(puzzle) else "several solutions"
    _say(f"Solved in {microseconds:.0f} µs (mean of {_NUM_TIMED:,} calls). It has {number}.")


def _rate(puzzle: Puzzle) -> None:
    _stop("How hard it is, on three scales", f"rate {puzzle.line} --scale se")
    print_table(
        ["scale", "rating"],
        [
            ("rules", rate(puzzle)),
            ("se (Sudoku Explainer, 1 to 12)", rate(puzzle, scale="se")),
            ("hodoku", rate(puzzle, scale="hodoku")),
        ],
    )


def _explain(puzzle: Puzzle) -> None:
    found = explain(puzzle)
    names = {step.technique.name for step in found.steps}
    title = f"Human techniques solve it in {len(found.steps)} steps, with {len(names)} techniques. The first step"
    _stop(title, f"explain {puzzle.line}")
    if sys.stdout.isatty():
        Console().print(draw_step(found), soft_wrap=True)
    _say(found.sentences[0])


def _generate() -> None:
    _stop("A new puzzle to order", "generate --level hard --symmetry half-turn --seed 1")
    (puzzle,) = generate(level="hard", symmetry="half-turn", seed=1)
    if sys.stdout.isatty():
        Console().print(draw(puzzle), soft_wrap=True)
    else:
        _say(puzzle.line)


def _race(puzzle: Puzzle, budget: Budget) -> None:
    """Let the solvers of the papers solve the puzzle several times, in turn, each time with another seed."""
    _stop(
        f"A race: the solvers of five papers, {_NUM_HEATS} times each",
        f"compare {puzzle.line} --runs {_NUM_HEATS} -s {','.join(_RACERS)}",
    )
    results: dict[str, list[Result]] = {name: [] for name in _RACERS}
    with Live(console=Console(), transient=True) if sys.stdout.isatty() else nullcontext() as scoreboard:
        for heat in range(1, _NUM_HEATS + 1):
            for name, (solver, _) in _RACERS.items():
                if scoreboard is not None:
                    scoreboard.update(_standing(results, name))
                results[name].append(solver.solve(puzzle, budget, seed=heat))
    ranking = sorted(results, key=lambda name: statistics.median(run.seconds for run in results[name]))
    print_table(
        ["solver", "paper", "solved", "median ms", "worst ms"],
        [(name, _RACERS[name][1], *_summary(results[name])) for name in ranking],
    )


def _standing(results: dict[str, list[Result]], running: str) -> Table:
    table = Table(box=None)
    for column in ("", "solver", "runs", "solved", "median ms"):
        table.add_column(column, justify="left" if column in ("", "solver", "runs") else "right")
    for name, runs in results.items():
        bar = "█" * len(runs) + "░" * (_NUM_HEATS - len(runs))
        solved, median, _ = _summary(runs)
        table.add_row("▶" if name == running else " ", name, bar, solved, median)
    return table


def _summary(runs: list[Result]) -> tuple[str, str, str]:
    times = [1000 * run.seconds for run in runs]
    solved = f"{sum(run.is_solved for run in runs)} of {len(runs)}"
    return (solved, f"{statistics.median(times):.1f}", f"{max(times):.1f}") if times else (solved, "", "")


def _compare_with_paper(puzzle: Puzzle) -> None:
    _stop(
        f"Beside a published number: Lloyd & Amos 2019, Table 1, ant colony on {puzzle.name}",
        "reproduce lloyd-2019 table-1 --effort smoke",
    )
    printed = resources.files("sudokulab.papers") / "lloyd_2019" / "printed.toml"
    row = tomllib.loads(printed.read_text(encoding="utf-8"))["table-1"]["puzzles"]["aiescargot"]
    solver = make_solver("ant-colony")
    runs = [solver.solve(puzzle, Budget(seconds=5, is_cpu_time=True), seed=seed) for seed in range(_NUM_PUBLISHED_RUNS)]
    share = 100 * sum(run.is_solved for run in runs) / len(runs)
    mean = 1000 * statistics.fmean(run.seconds for run in runs)
    print_table(
        ["", "runs", "solved", "mean ms"],
        [
            ("paper", _NUM_PUBLISHED_RUNS, f"{row[2]} %", f"{row[3]:.1f}"),
            ("here", len(runs), f"{share:.0f} %", f"{mean:.1f}"),
        ],
    )
    _say("Success rates can be compared directly; times depend on the machine.")


def _point_onwards() -> None:
    _say("\nWhere to go from here", "bold")
    for arguments, meaning in (
        ("serve --open", "the web page: play, watch solvers, race them"),
        ("compare hard -s auto,dlx,ant-colony --limit 5", "compare solvers on five hard puzzles, with statistics"),
        ("reproduce soto-2013 --effort smoke", "compare the tables and figures of a paper with the printed ones"),
    ):
        _say(f"  {_program()} {arguments}\n      {meaning}")


def _stop(title: str, arguments: str) -> None:
    """Print the title of a stop, and a command that does it."""
    _say(f"\n{title}", "bold")
    _say(f"  {_program()} {arguments}", "dim")


def _program() -> str:
    return "sudokulab" if shutil.which("sudokulab") else sys.argv[0]


def _say(text: str, style: str = "") -> None:
    """Print text; only a terminal gets it wrapped."""
    Console().print(text, style=style, markup=False, highlight=False, soft_wrap=not sys.stdout.isatty())
