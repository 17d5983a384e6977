"""Table 3: decision heuristics on random 16×16 instances (section 4.2), in the default reading of the paper.

The instances were never published. `sudokulab.papers.san_segundo_2009.readings` compares all readings of the search and
of the generator. The default comes closest; a backtrack is any candidate that fails.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import pairwise

import numpy as np
import scipy  # loads its parts on first use

from sudokulab.instances import past_rules
from sudokulab.lab import SolverSpec
from sudokulab.lab.power import SIGNIFICANCE, DifferenceTest
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["compare_totals", "is_within_factor", "table_3"]

_FIRST_SEED = 30_000  # other instances than those that selected the default reading
_NUM_FLIPS = 10_000
_NUM_SIMULATIONS = 400


def table_3(context: Context) -> Findings:
    """Compare six heuristics by search depth, backtracks and time on random 16×16 instances."""
    printed = context.printed["table-3"]
    heuristics = printed["heuristics"]
    number = context.pick(smoke=10, quick=100, published=printed["num_instances"], full=printed["num_instances"])
    runs = context.run("table-3", {"16_1": partial(_instances, number)}, _specs(heuristics), cpu_seconds=10)
    by_heuristic = {name: runs.filter(solver=name).sort("instance") for name in heuristics}
    findings = Findings()
    scale = printed["num_instances"] / number
    backtracks = {name: mine["stats_rejected"].to_numpy() for name, mine in by_heuristic.items()}
    depths = {name: float(mine["stats_max_depth"].to_numpy().mean()) for name, mine in by_heuristic.items()}
    seconds = {name: float(mine["cpu_seconds"].sum()) for name, mine in by_heuristic.items()}
    rows = [
        [
            f"`{name}`",
            *(depth, depths[name]),
            *(num_backtracks, scale * backtracks[name].sum()),
            *(time, seconds[name] * scale),
            *(time / heuristics["Lv"][2], seconds[name] / seconds["Lv"]),
        ]
        for name, (depth, num_backtracks, time) in heuristics.items()
    ]
    pairs = ("depth", "backtracks", "s", "time / `Lv`")
    columns = ["heuristic", *(column for what in pairs for column in (f"paper: {what}", "ours"))]
    findings.add_table(f"{number} instances; backtracks and s scaled to {printed['num_instances']}", columns, rows)
    _judge_values(findings, heuristics, depths, {name: scale * float(b.sum()) for name, b in backtracks.items()})
    _judge_order(findings, heuristics, backtracks)
    fastest = min(heuristics, key=lambda name: heuristics[name][2])
    findings.check_shape(f"`{fastest}` takes the least CPU time", min(seconds, key=seconds.__getitem__) == fastest)
    _add_errors(findings)
    num_unsolved = runs.filter(runs["outcome"] != "solved").height
    if num_unsolved:
        findings.notes.append(
            f"{num_unsolved} of {runs.height} runs reached the limit of 10 s; they count as far as they got."
        )
    findings.notes.append(
        f"The paper's times are for all {printed['num_instances']} instances, in MATLAB; only ratios are comparable."
    )
    findings.notes.append(
        "[table-3-readings](#table-3-readings) compares this reading of the paper with the others; "
        "[the notes](san-segundo-notes.md#table-3) discuss them."
    )
    return findings


def _instances(number: int) -> list[Puzzle]:
    return [past_rules(16, seed=seed) for seed in range(_FIRST_SEED, _FIRST_SEED + number)]


def is_within_factor(ours: float, printed: float, factor: float) -> bool:
    """Return whether a number agrees with a printed one up to a factor."""
    return printed / factor <= ours <= printed * factor


def compare_totals(larger: np.ndarray, smaller: np.ndarray, *, ratio: float) -> DifferenceTest:
    """Test whether one heuristic needs fewer backtracks in total on the same instances, by random sign flips.

    Parameters
    ----------
    larger, smaller
        Backtracks by instance.
    ratio
        The paper's ratio of the totals. The power is estimated by resampling instances, with `smaller` scaled so that
        the totals have this ratio.
    """
    rng = np.random.default_rng(0)
    difference = larger.astype(float) - smaller
    flipped = (rng.choice([-1.0, 1.0], (_NUM_FLIPS, len(difference))) * difference).sum(axis=1)
    scale = larger.sum() / (ratio * smaller.sum()) if smaller.sum() else 0.0
    drawn = rng.choice(larger - scale * smaller, (_NUM_SIMULATIONS, len(difference)))
    spread = np.sqrt((drawn**2).sum(axis=1))
    p_values = scipy.stats.norm.sf(np.divide(drawn.sum(axis=1), spread, out=np.zeros(len(drawn)), where=spread > 0))
    return DifferenceTest(
        float((1 + np.sum(flipped >= difference.sum())) / (1 + _NUM_FLIPS)),
        float((1 + np.sum(flipped <= difference.sum())) / (1 + _NUM_FLIPS)),
        float(np.mean(p_values < SIGNIFICANCE)),
    )


def _judge_values(
    findings: Findings, heuristics: dict[str, list[float]], depths: dict[str, float], totals: dict[str, float]
) -> None:
    """Compare depths (± 25 %) and backtracks (up to a factor of 2) with the printed ones."""
    for name, (depth, num_backtracks, _) in heuristics.items():
        findings.check(f"`{name}`: mean depth is the paper's ± 25 %", abs(depths[name] / depth - 1) <= 0.25)
        findings.check(
            f"`{name}`: backtracks are the paper's up to a factor of 2",
            is_within_factor(totals[name], num_backtracks, 2),
        )


def _judge_order(findings: Findings, heuristics: dict[str, list[float]], backtracks: dict[str, np.ndarray]) -> None:
    """Test the order of the first five heuristics; the paper does not claim that the last two differ."""
    in_order = sorted(heuristics, key=lambda name: -heuristics[name][1])[:5]
    for worse, better in pairwise(in_order):
        test = compare_totals(backtracks[worse], backtracks[better], ratio=heuristics[worse][1] / heuristics[better][1])
        findings.check_difference(f"`{better}` needs fewer backtracks than `{worse}`", test)


def _add_errors(findings: Findings) -> None:
    findings.add_error(
        "Section 4.2 expects several solutions (“the bigger k the more solutions are likely to exist”); section 5 says "
        "that all instances had a unique solution and no redundant given, which leaves nothing to remove."
    )
    findings.add_error("Section 4.2 calls the last two heuristics Gmax r1r2(DP) and D r1r2(Gmax DP); Table 3 has EP.")


def _specs(heuristics: Iterable[str]) -> list[SolverSpec]:
    return [SolverSpec(name="graph-search", label=name, params={"heuristic": name}) for name in heuristics]
