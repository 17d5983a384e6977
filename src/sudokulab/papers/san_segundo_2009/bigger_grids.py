"""The experiment that section 5 asks for: 25×25 and 36×36 grids, with and without a unique solution."""

from __future__ import annotations

from functools import cache, partial

from sudokulab.instances import past_rules
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle
from sudokulab.questions import is_unique

__all__ = ["bigger_grids"]

_FIRST_SEED = 40_000  # instances of their own
_MAX_NODES = 5_000


def bigger_grids(context: Context) -> Findings:
    """Run the heuristics with variable scope, which the paper recommends for bigger grids."""
    findings = Findings(is_own=True)
    heuristics = [name for name in context.printed["table-3"]["heuristics"] if "v" in name]
    specs = [SolverSpec(name="graph-search", label=name, params={"heuristic": name}) for name in heuristics]
    numbers: dict[int, int] = context.pick(
        smoke={25: 6}, quick={25: 20, 36: 5}, published={25: 40, 36: 10}, full={25: 500, 36: 500}
    )
    rows: list[list[object]] = []
    for size, number in numbers.items():
        sets = {
            f"{size}×{size}, {title}": partial(_instances, size, number, has_one_solution=has_one)
            for title, has_one in (("one solution", True), ("several solutions", False))
        }
        runs = context.run(f"bigger-grids-{size}", sets, specs, nodes=_MAX_NODES)
        for (label, name), own in runs.group_by("instance_set", "solver", maintain_order=True):
            solved = own.filter(outcome="solved")
            means = (own[column].mean() for column in ("stats_max_depth", "stats_rejected", "cpu_seconds"))
            rows.append([label, f"`{name}`", len(own), len(solved), *means])
    rows.sort(key=lambda row: (str(row[0]), [f"`{name}`" for name in heuristics].index(str(row[1]))))
    columns = ["instances", "heuristic", "number", "solved", "mean depth", "backtracks", "CPU time, s"]
    findings.add_table("", columns, rows)
    findings.notes.append(
        "The paper leaves these tests to future work. The instances are made as in [table-3](#table-3): blanking stops "
        f"at the same failure of the rules. A run ends after {_MAX_NODES:,} nodes; the means are of the solved runs. "
        "The two heuristics without variable scope, which the paper calls difficult to apply to bigger grids, are left "
        "out."
    )
    return findings


def _instances(size: int, number: int, *, has_one_solution: bool) -> list[Puzzle]:
    """Return those of the first instances that have one solution, or several."""
    return [puzzle for puzzle, is_one in _by_uniqueness(size, number) if is_one == has_one_solution]


@cache
def _by_uniqueness(size: int, number: int) -> list[tuple[Puzzle, bool]]:
    puzzles = [past_rules(size, seed=seed) for seed in range(_FIRST_SEED, _FIRST_SEED + number)]
    return [(puzzle, is_unique(puzzle)) for puzzle in puzzles]
