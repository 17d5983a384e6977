"""Table 3: decision heuristics on random 16×16 instances (section 4.2).

The instances were never published, and the paper does not say when its generator stops: at the first removal that the
rules cannot undo, or after taking a few back. `failures` is the number of such removals; only the last one stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sudokulab.instances import past_rules
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl

__all__ = ["table_3"]

_FAILURES = 15


def table_3(context: Context) -> Findings:
    """Compare six heuristics by depth and backtracks on random 16×16 instances."""
    printed = context.printed["table-3"]
    heuristics = printed["heuristics"]
    number = context.pick(smoke=10, quick=200, full=printed["num_instances"])
    runs = context.run("table-3", {"16_1": _instances(range(number), _FAILURES)}, _specs(heuristics), seconds=10)
    findings = Findings()
    rows = []
    backtracks = {}
    for name, (depth, num_backtracks, _) in heuristics.items():
        mean_depth, backtracks[name] = _totals(runs, name)
        scaled = num_backtracks * number / printed["num_instances"]
        rows.append([f"`{name}`", depth, mean_depth, scaled, backtracks[name]])
    columns = ["heuristic", "paper: depth", "ours", f"paper: backtracks, of {number}", "ours"]
    findings.add_table(f"{number} instances; removals taken back until {_FAILURES} had failed", columns, rows)
    best = "DvGvmax r1r2(GmaxEP)"
    limit = heuristics[best][1] * number / printed["num_instances"]
    findings.check(f"`{best}` needs at most the paper's {limit:.0f} backtracks", backtracks[best] <= limit)
    in_order = sorted(heuristics, key=lambda name: -heuristics[name][1])
    ours = [backtracks[name] for name in in_order]
    findings.check_shape("a graph-based tie-break (DvGv…) needs fewer backtracks than Lv", ours[0] > max(ours[2:4]))
    findings.check_shape("the least constraining tie-break needs fewer than the most constraining", ours[3] < ours[2])
    findings.check_shape("backtracks fall in the paper's order of the six", ours == sorted(ours, reverse=True))
    findings.notes.append("[graph-search.md](../graph-search.md) says what agrees, what does not, and why.")
    return findings


def _instances(seeds: Iterable[int], failures: int) -> list[Puzzle]:
    return [past_rules(16, extra=1, failures=failures, seed=seed) for seed in seeds]


def _specs(heuristics: Iterable[str]) -> list[SolverSpec]:
    return [SolverSpec(name="graph-search", label=name, params={"heuristic": name}) for name in heuristics]


def _totals(runs: pl.DataFrame, heuristic: str) -> tuple[float, float]:
    """Return the mean of the maximum depth, and the backtracks of all runs."""
    mine = runs.filter(solver=heuristic)
    mean_depth = mine["stats_max_depth"].mean() or 0.0
    return float(mean_depth), float(mine["stats_backtracks"].sum() or 0.0)  # type: ignore[arg-type]
