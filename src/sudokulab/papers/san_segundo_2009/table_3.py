"""Table 3: decision heuristics on random 16×16 instances (section 4.2).

The instances were never published, and the paper does not say when its generator stops removing givens: at the first
removal after which the rules no longer solve the grid, or after undoing several such removals. `failures` is the number
of such removals; only the last one is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sudokulab.instances import past_rules
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl

__all__ = ["table_3", "table_3_variants"]

_FAILURES = 15
_VARIANTS = ("DvGvmin r1r2(GminEP)", "DvGvmax r1r2(GminEP)", "D r1r2(GminEP)", "D r1r2(EP)", "r1r2(GminEP)")


def table_3(context: Context) -> Findings:
    """Compare six heuristics by search depth and backtracks on random 16×16 instances."""
    printed = context.printed["table-3"]
    heuristics = printed["heuristics"]
    number = context.pick(smoke=10, quick=200, published=200, full=printed["num_instances"])
    runs = context.run("table-3", {"16_1": _instances(range(number), _FAILURES)}, _specs(heuristics), cpu_seconds=10)
    findings = Findings()
    rows = []
    backtracks = {}
    for name, (depth, num_backtracks, _) in heuristics.items():
        mean_depth, backtracks[name] = _totals(runs, name)
        scaled = num_backtracks * number / printed["num_instances"]
        rows.append([f"`{name}`", depth, mean_depth, scaled, backtracks[name]])
    columns = ["heuristic", "paper: depth", "ours", f"paper: backtracks, scaled to {number}", "ours"]
    findings.add_table(f"{number} instances; givens removed until {_FAILURES} removals had failed", columns, rows)
    best = "DvGvmax r1r2(GmaxEP)"
    limit = heuristics[best][1] * number / printed["num_instances"]
    findings.check(f"`{best}` needs at most the paper's {limit:.0f} backtracks", backtracks[best] <= limit)
    in_order = sorted(heuristics, key=lambda name: -heuristics[name][1])
    ours = [backtracks[name] for name in in_order]
    findings.check_shape("a graph-based tie-break (DvGv…) needs fewer backtracks than Lv", ours[0] > max(ours[2:4]))
    findings.check_shape(
        "the least constraining tie-break needs fewer backtracks than the most constraining one", ours[3] < ours[2]
    )
    findings.check_shape("the six heuristics have the paper's order by backtracks", ours == sorted(ours, reverse=True))
    findings.notes.append("[The notes](../san-segundo-notes.md#table-3) discuss what agrees, what does not, and why.")
    return findings


def table_3_variants(context: Context) -> Findings:
    """Repeat Table 3 for a second sample, easier instances, and heuristics that minimise edges after filtering."""
    printed = context.printed["table-3"]
    number = context.pick(smoke=5, quick=200, published=200, full=printed["num_instances"])
    samples = {
        "15 failures": (range(number), 15),
        "15 failures, second sample": (range(number, 2 * number), 15),
        "5 failures": (range(number), 5),
        "1 failure": (range(number), 1),
    }
    heuristics = (*printed["heuristics"], *_VARIANTS)
    sets: dict[str, Sequence[Puzzle]] = {
        name: _instances(seeds, failures) for name, (seeds, failures) in samples.items()
    }
    runs = context.run("table-3-variants", sets, _specs(heuristics), cpu_seconds=10)
    rows = []
    for heuristic in heuristics:
        depth, num_backtracks, _ = printed["heuristics"].get(heuristic, (None, None, None))
        scaled = None if num_backtracks is None else num_backtracks * number / printed["num_instances"]
        ours = (value for name in sets for value in _totals(runs.filter(instance_set=name), heuristic))
        rows.append([f"`{heuristic}`", depth, scaled, *ours])
    columns = [
        "heuristic",
        "paper: depth",
        "backtracks",
        *(c for name in sets for c in (f"{name}: depth", "backtracks")),
    ]
    findings = Findings()
    findings.add_table(f"{number} instances per sample", columns, rows)
    givens = ", ".join(f"{sum(p.num_givens for p in puzzles) / number:.1f}" for puzzles in sets.values())
    findings.notes.append(f"Mean number of givens per sample: {givens}.")
    return findings


def _instances(seeds: Iterable[int], failures: int) -> list[Puzzle]:
    return [past_rules(16, extra=1, failures=failures, seed=seed) for seed in seeds]


def _specs(heuristics: Iterable[str]) -> list[SolverSpec]:
    return [SolverSpec(name="graph-search", label=name, params={"heuristic": name}) for name in heuristics]


def _totals(runs: pl.DataFrame, heuristic: str) -> tuple[float, float]:
    """Return the mean maximum depth and the total number of backtracks."""
    mine = runs.filter(solver=heuristic)
    mean_depth = mine["stats_max_depth"].mean() or 0.0
    return float(mean_depth), float(mine["stats_backtracks"].sum() or 0.0)  # type: ignore[arg-type]
