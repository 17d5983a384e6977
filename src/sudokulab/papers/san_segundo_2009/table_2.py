"""Table 2: puzzles by highest rule needed, for five orders of the ten rules (section 4.1)."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from sudokulab.instances import generate
from sudokulab.lab.power import Rate
from sudokulab.logic.steps import deduce
from sudokulab.logic.techniques import RULES
from sudokulab.papers.numbers import beside
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["table_2", "table_2_ours"]

_ALLDIFFERENT = [rule.code for rule in RULES if rule.code not in ("BRC", "RCB")]
"""Naked and hidden subsets of all sizes: of nine cells, one of two complementary subsets has at most four."""


def table_2(context: Context) -> Findings:
    """Classify puzzles with 17 givens by highest rule needed, for five orders of the rules."""
    printed = context.printed["table-2"]
    findings = Findings()
    collection = context.first_of("royle-17-clue", "royle-17")
    if collection is None:
        findings.notes.append(
            "The puzzles with 17 givens are missing; `sudokulab instances download royle-17` downloads them."
        )
        return findings
    step: int = context.pick(smoke=200, quick=5, published=1, full=1)

    def puzzles() -> list[Puzzle]:
        return context.public(collection) or []

    measured = context.measure("table-2", lambda: _measure(puzzles(), step, printed["swaps"]), puzzles)
    counts: list[Counter[str]] = [Counter(count) for count in measured["counts"]]
    seconds = measured["seconds"]
    num_puzzles, number = measured["num_puzzles"], measured["number"]
    columns = ["highest rule"]
    for header, swap in zip(printed["headers"], printed["swaps"], strict=True):
        columns += [f"paper: {header}", f"{' and '.join(swap.split())} swapped" if swap else "ours"]
    num_paper = printed["num_puzzles"]
    rows: list[list[object]] = [
        ["puzzles", *beside([num_paper] * len(counts), [number] * len(counts))],
        ["CPU time, s", *beside(printed["seconds"], seconds)],
        ["solved, %", *beside([printed["solved_percent"]] * 5, [_percent(c.total(), number) for c in counts])],
    ]
    for name, numbers in printed["by_rule"].items():
        ours = [_percent(count[name], number) for count in counts]
        rows.append([f"{name}, %", *beside([100 * number / num_paper for number in numbers], ours)])
    findings.add_table(f"{number:,} of {num_puzzles:,} puzzles", columns, rows)
    _check_sums(findings, printed)
    _judge(findings, printed, counts, number, is_whole=number == num_puzzles >= num_paper)
    _compare_with_simonis(
        findings, printed["simonis"], (counts[0].total(), number), measured["num_solved_by_alldifferent"]
    )
    findings.notes.append(
        f"The paper's {num_paper:,} puzzles are the collection of 2009, which has since grown to {num_puzzles:,}."
    )
    return findings


def table_2_ours(context: Context) -> Findings:
    """Classify generated puzzles, for users without the public collection."""
    findings = Findings(is_own=True)
    number = context.pick(smoke=200, quick=2000, published=10_000, full=20_000)
    swaps = context.printed["table-2"]["swaps"][:3]
    rows = context.measure("table-2-ours", lambda: _classify_ours(_minimal(number), swaps), lambda: _minimal(5))
    findings.add_table(
        f"{number:,} generated minimal puzzles: % by highest rule", ["order", *(rule.code for rule in RULES[1:])], rows
    )
    return findings


def _measure(puzzles: list[Puzzle], step: int, swaps: list[str]) -> dict[str, Any]:
    """Classify every `step`-th puzzle for each order of the rules."""
    sample = puzzles[::step]
    counts, seconds = [], []
    for swap in swaps:
        start = time.process_time()
        counts.append(_classify(sample, swap.split()))
        seconds.append(time.process_time() - start)
    return {
        "num_puzzles": len(puzzles),
        "number": len(sample),
        "counts": counts,
        "seconds": seconds,
        "num_solved_by_alldifferent": sum(deduce(puzzle, _ALLDIFFERENT).is_solved for puzzle in sample),
    }


def _minimal(number: int) -> list[Puzzle]:
    return list(generate(number, minimal=True, seed=1, progress=False))


def _classify_ours(puzzles: list[Puzzle], swaps: list[str]) -> list[list[object]]:
    """Return the percentages of generated puzzles by highest rule, for each order of the rules."""
    rows: list[list[object]] = []
    for swap in swaps:
        counts = _classify(puzzles, swap.split())
        rows.append([swap or "standard", *(100 * counts[rule.code] / len(puzzles) for rule in RULES[1:])])
    return rows


def _compare_with_simonis(findings: Findings, quoted: dict[str, Any], ours: Rate, num_solved: int) -> None:
    """Compare the share of solved puzzles with the one that the paper quotes from Simonis (2005)."""
    number, percent = quoted["num_puzzles"], quoted["percent"]
    findings.check_rate(
        f"the share of solved puzzles is consistent with Simonis's {percent} % of {number:,} of the puzzles",
        ours,
        (round(number * percent / 100), number),
    )
    findings.notes.append(
        "The paper says that Simonis used hyper-arc consistency of the alldifferent constraints of rows, columns and "
        "blocks. These deduce what the rules without BRC and RCB do, which solve "
        f"{_percent(num_solved, ours[1]):.2f} % of the same puzzles."
    )


def _check_sums(findings: Findings, printed: dict[str, Any]) -> None:
    for number, column in enumerate(zip(*printed["by_rule"].values(), strict=True)):
        findings.check_arithmetic(f"solved puzzles, the sum of column {number + 1}", printed["num_solved"], sum(column))
    percent = round(100 * printed["num_solved"] / printed["num_puzzles"], 2)
    findings.check_arithmetic("percentage of solved puzzles", printed["solved_percent"], percent)
    findings.add_error('The header of the last column, "HS->NS", is wrong: its numbers swap NQ and HQ.')
    findings.add_error(
        "Section 4.1 says that “the hidden rules (HP, HT, NT)” find more solutions when ordered first; NT is naked, "
        "and the third one in the table is HQ."
    )
    findings.add_error(
        "Section 3.1 gives the naked triplet the action of the hidden one, and calls quadruplets similar to singles."
    )


def _judge(
    findings: Findings, printed: dict[str, Any], counts: list[Counter[str]], number: int, *, is_whole: bool
) -> None:
    """Compare the numbers of puzzles by rule; in the swapped columns, only those of the two swapped rules.

    The paper's collection has only grown. If we classify all of today's, each of our numbers must be at least the
    paper's, and at most that plus the new puzzles.
    """
    num_new = number - printed["num_puzzles"]
    for column, (swap, count) in enumerate(zip(printed["swaps"], counts, strict=True)):
        for name in swap.split() or printed["by_rule"]:
            theirs, ours = printed["by_rule"][name][column], count[name]
            order = f"{swap.replace(' ', ' and ')} swapped" if swap else "standard order"
            what = f"{name} is the highest rule, {order}"
            if is_whole:
                span = f"the paper's {theirs:,}, plus at most the {num_new:,} new puzzles"
                findings.check(f"{what}: {span} (ours: {ours:,})", theirs <= ours <= theirs + num_new)
            else:
                findings.check_rate(what, (ours, number), (theirs, printed["num_puzzles"]))
    totals = [count.total() for count in counts]
    findings.check_shape("the order of the rules does not affect the number of solved puzzles", len(set(totals)) == 1)
    for swap, count in zip(printed["swaps"][2:], counts[2:], strict=True):
        naked, hidden = swap.split()
        findings.check_shape(
            f"{hidden} solves more puzzles if applied before {naked} ({count[hidden]} instead of {counts[0][hidden]})",
            count[hidden] > counts[0][hidden],
        )


def _classify(puzzles: list[Puzzle], swap: list[str]) -> Counter[str]:
    """Count the solved puzzles by highest rule needed; like the paper, count NS and HS together."""
    order = [dict(zip(swap, swap[::-1], strict=True)).get(rule.code, rule.code) for rule in RULES]
    found = (deduce(puzzle, order) for puzzle in puzzles)
    highest = Counter(one.highest.code for one in found if one.is_solved and one.highest)
    highest["HS"] += highest.pop("NS", 0)
    return highest


def _percent(part: int, number: int) -> float:
    return 100 * part / number
