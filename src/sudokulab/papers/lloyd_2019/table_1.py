"""Table 1: the ant colony with and without best value evaporation on the sixteen named puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
import scipy  # loads its parts on first use

from sudokulab.lab.power import Rate, compare_paired_values, compare_rates, compare_with_rate, puzzle_pairs
from sudokulab.papers.lloyd_2019.common import (
    ANTS,
    ANTS_SINGLES,
    STILL_ANTS,
    STILL_SINGLES,
    Group,
    groups,
    limit_of,
    shown,
)
from sudokulab.papers.lloyd_2019.named import by_puzzle, named_puzzles
from sudokulab.papers.reproduction import Context, Findings

__all__ = ["judge_table_1", "table_1"]


def table_1(context: Context) -> Findings:
    """Compare the ant colony with and without best value evaporation on the named puzzles."""
    sets, note = named_puzzles(context)
    printed = context.printed["table-1"]
    runs = context.run(
        "table-1",
        sets,
        [STILL_ANTS, ANTS, STILL_SINGLES, ANTS_SINGLES],
        runs=context.pick(smoke=3, quick=20, published=printed["num_runs"], full=printed["num_runs"]),
        cpu_seconds=context.pick(smoke=0.1, quick=1, published=2, full=printed["seconds"]),
    )
    findings = judge_table_1(context, runs)
    findings.notes.append(note)
    return findings


def judge_table_1(context: Context, runs: pl.DataFrame) -> Findings:
    """Compare success and time with the paper's.

    Parameters
    ----------
    context
        Effort and printed numbers.
    runs
        Runs of the ant colony with both propagations, with and without evaporation, on the sets ``sabuncu`` and
        ``hard``.
    """
    findings = Findings()
    ours = _Table1.of(context, runs)
    _add_success(findings, ours)
    _add_singles(findings, ours)
    _check_success(findings, ours)
    _check_times(findings, ours, least=context.pick(smoke=0.6, quick=0.8, published=0.8, full=0.8))
    limit, seconds = limit_of(ours.runs), ours.printed["seconds"]
    findings.notes += [
        f"On the harder puzzles our ants with BVE are {ours.speed:.1f} times as fast as the paper's (median of the "
        f"ratios of mean times). By this calibration on the runs with BVE, the paper's limit of {seconds} s "
        f"corresponds to {seconds / ours.speed:.2g} s here. "
        + (
            f"The other columns use our full limit of {limit:g} s. The column *p* compares each rate with the "
            "paper's (two-sided Fisher test); with the paper's hundred runs such a test is underpowered for a single "
            "puzzle, so the verdict rests on the sums."
            if ours.is_comparable
            else f"Our limit of {limit:g} s is shorter, so the rates without BVE are not compared with the paper's."
        ),
        "The choice rule is implemented as printed (eq. 3): greedy if q > q0, the reverse of the usual rule.",
    ]
    return findings


@dataclass(frozen=True)
class _Table1:
    """Our numbers for Table 1.

    Parameters
    ----------
    printed
        The paper's Table 1.
    runs
        The runs, with the names of their puzzles in the paper's order.
    speeds
        How many times as fast as the paper's our ants with evaporation are, by puzzle.
    speed
        The median of these ratios over the harder puzzles.
    """

    printed: dict[str, Any]
    runs: pl.DataFrame
    speeds: dict[str, float]
    speed: float

    @classmethod
    def of(cls, context: Context, runs: pl.DataFrame) -> _Table1:
        printed, runs = context.printed["table-1"], by_puzzle(context, runs)
        found = groups(runs, "puzzle")
        known = [name for name in runs["puzzle"].unique(maintain_order=True) if name in printed["puzzles"]]
        speeds = {name: printed["puzzles"][name][3] / (1000 * found[name, ANTS.title].mean) for name in known}
        hard = set(runs.filter(instance_set="hard")["puzzle"])
        speed = float(np.median([speeds[name] for name in known if name in hard]))
        return cls(printed, runs, speeds, max(speed, 1e-9))

    @property
    def paper(self) -> dict[str, list[float]]:
        """The printed row of each puzzle: success and time without evaporation, and with it."""
        rows: dict[str, list[float]] = self.printed["puzzles"]
        return rows

    @cached_property
    def puzzles(self) -> list[str]:
        """The names of all puzzles."""
        return self.runs["puzzle"].unique(maintain_order=True).to_list()

    @cached_property
    def hard(self) -> list[str]:
        """The names of the harder puzzles."""
        return self.runs.filter(instance_set="hard")["puzzle"].unique(maintain_order=True).to_list()

    @property
    def is_comparable(self) -> bool:
        """Whether our limit is at least as long as the paper's on this machine."""
        return bool(self.printed["seconds"] / self.speed <= limit_of(self.runs))

    @property
    def limit(self) -> float:
        """The paper's limit on this machine, or ours if that is shorter."""
        return min(float(self.printed["seconds"]) / self.speed, limit_of(self.runs))

    @cached_property
    def found(self) -> dict[tuple[str, str], Group]:
        """Our statistics by puzzle and solver."""
        return groups(self.runs, "puzzle")

    @cached_property
    def in_time(self) -> dict[tuple[str, str], Group]:
        """The same, counting runs that took longer than `limit` as failures."""
        return groups(self.runs.with_columns(pl.col("is_success") & (pl.col("seconds") <= self.limit)), "puzzle")


def _add_success(findings: Findings, ours: _Table1) -> None:
    columns = ["puzzle", "no BVE: paper, %", "ours, %", f"ours in {ours.limit:.2g} s, %", "p", "paper, ms", "ours, ms"]
    columns += ["BVE: paper, %", "ours, %", "paper, ms", "ours, ms", "paper / ours"]
    rows: list[Sequence[object]] = []
    for puzzle in ours.puzzles:
        still, ants = ours.found[puzzle, STILL_ANTS.title], ours.found[puzzle, ANTS.title]
        said: Sequence[float | None] = ours.paper.get(puzzle, [None] * 4)
        within = ours.in_time[puzzle, STILL_ANTS.title]
        p_value = (
            compare_with_rate(within.rate, _total(ours.paper[puzzle][:1], ours.printed)).p_value
            if ours.is_comparable and puzzle in ours.paper
            else None
        )
        row = [puzzle, said[0], still.success, within.success, p_value, said[1], shown(still.mean, 1000)]
        rows.append([*row, said[2], ants.success, said[3], shown(ants.mean, 1000), ours.speeds.get(puzzle)])
    findings.add_table("Success, and mean time of successful runs", columns, rows)


def _add_singles(findings: Findings, ours: _Table1) -> None:
    specs = [STILL_SINGLES, ANTS_SINGLES]
    findings.add_table(
        "The same with propagation to the fixed point; not judged",
        ["puzzle", *(f"{spec.title}: {what}" for spec in specs for what in ("solved %", "ms"))],
        [
            [puzzle, *(cell for spec in specs for cell in ours.found[puzzle, spec.title].success_and_ms)]
            for puzzle in ours.puzzles
        ],
    )


def _check_success(findings: Findings, ours: _Table1) -> None:
    with_bve = [groups(ours.runs, "instance_set")[label, ANTS.title] for label in ("sabuncu", "hard")]
    findings.check_rate(
        "success with BVE on all puzzles",
        _sum(with_bve),
        _total([numbers[2] for numbers in ours.paper.values()], ours.printed),
    )
    for label, which in (("sabuncu", "first ten"), ("hard", "harder")) if ours.is_comparable else ():
        names = [puzzle for puzzle in ours.puzzles if (puzzle in ours.hard) == (label == "hard")]
        theirs = [numbers[0] for name, numbers in ours.paper.items() if ("sabuncu" in name) == (label == "sabuncu")]
        findings.check_rate(
            f"success without BVE on the {which} puzzles within {ours.limit:.2g} s, which correspond to the paper's "
            f"{ours.printed['seconds']} s",
            _sum([ours.in_time[puzzle, STILL_ANTS.title] for puzzle in names]),
            _total(theirs, ours.printed),
        )
    typical = float(np.mean([numbers[0] for name, numbers in ours.paper.items() if "sabuncu" not in name]))
    for puzzle in ours.hard:
        said = ours.paper[puzzle][0] if puzzle in ours.paper else typical
        findings.check_difference(
            f"fewer runs on {puzzle} succeed without BVE",
            compare_rates(
                fewer=ours.in_time[puzzle, STILL_ANTS.title].rate,
                more=ours.in_time[puzzle, ANTS.title].rate,
                expected=(said / 100, 1.0),
            ),
        )


def _check_times(findings: Findings, ours: _Table1, *, least: float) -> None:
    """Check the times; the rank correlation with the paper's must be at least `least`."""
    on_hard = ours.runs.filter("is_success", instance_set="hard")
    times = puzzle_pairs(on_hard.filter(solver=ANTS.title), on_hard.filter(solver=STILL_ANTS.title), "seconds")
    still, ants = (
        float(np.mean([numbers[place] for name, numbers in ours.paper.items() if "sabuncu" not in name]))
        for place in (1, 3)
    )
    findings.check_difference(
        f"successful runs on the harder puzzles take longer without BVE, by means of {len(times[0])} puzzles",
        compare_paired_values(*times, ratio=still / ants),
    )
    known = list(ours.speeds)
    if len(known) < 10:
        return
    means = [ours.found[puzzle, ANTS.title].mean for puzzle in known]
    rank = float(scipy.stats.spearmanr([ours.paper[puzzle][3] for puzzle in known], means)[0])
    findings.check_shape(
        f"with BVE, the times rank the puzzles as in the paper (rank correlation {rank:.2f}, at least {least})",
        rank >= least,
    )
    off = max(max(ours.speeds[puzzle] / ours.speed, ours.speed / ours.speeds[puzzle]) for puzzle in ours.hard)
    findings.check(
        "with BVE, the times of the harder puzzles relative to each other are within a factor of 2 of the paper's "
        f"(ours: {off:.2f})",
        off <= 2,
    )


def _sum(found: Sequence[Group]) -> Rate:
    return sum(group.num_solved for group in found), sum(group.number for group in found)


def _total(percentages: Sequence[float], printed: dict[str, Any]) -> Rate:
    """Return the paper's successes and runs on puzzles with these percentages of success."""
    number = printed["num_runs"]
    return round(sum(percentages) * number / 100), number * len(percentages)
