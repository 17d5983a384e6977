"""Table 2: puzzles by highest rule needed, for five orders of the ten rules (section 4.1)."""

from __future__ import annotations

from collections import Counter

from sudokulab.instances import generate
from sudokulab.logic.rules import RULES, deduce
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["table_2", "table_2_ours"]


def table_2(context: Context) -> Findings:
    """Classify puzzles with 17 givens by highest rule needed, for five orders of the rules."""
    printed = context.printed["table-2"]
    findings = Findings()
    puzzles = context.public("royle-17-clue") or context.public("royle-17")
    if puzzles is None:
        findings.notes.append(
            "The puzzles with 17 givens are missing; `sudokulab instances download royle-17` downloads them."
        )
        return findings
    step = context.pick(smoke=200, quick=5, published=5, full=1)
    sample = puzzles[::step]
    num_paper = printed["num_puzzles"]
    shares: list[dict[str, float]] = []
    solved: list[float] = []
    for swap in printed["swaps"]:
        counts = _classify(sample, swap.split())
        shares.append({name: 100 * counts[name] / len(sample) for name in printed["by_rule"]})
        solved.append(100 * sum(counts.values()) / len(sample))
    columns = ["highest rule, %"]
    for swap in printed["swaps"]:
        columns += ["paper", f"{' and '.join(swap.split())} swapped" if swap else "standard order"]
    rows = [
        [name, *(value for s, n in zip(shares, numbers, strict=True) for value in (100 * n / num_paper, s[name]))]
        for name, numbers in printed["by_rule"].items()
    ]
    rows.append(["solved", *(value for share in solved for value in (printed["solved_percent"], share))])
    findings.add_table(f"{len(sample):,} of {len(puzzles):,} puzzles", columns, rows)
    noise = context.pick(smoke=8.0, quick=1.0, published=1.0, full=0.5)
    worst = max(
        abs(share[name] - 100 * number / num_paper)
        for name, numbers in printed["by_rule"].items()
        for share, number in zip(shares, numbers, strict=True)
    )
    findings.check(
        f"every share is the paper's ± {noise:g} percentage points (largest difference: {worst:.2f})",
        worst <= noise,
    )
    findings.check_shape(
        "the order of the rules does not affect the number of solved puzzles", max(solved) == min(solved)
    )
    hidden_first = all(
        share[rule] >= shares[0][rule] for share, rule in zip(shares[2:], ("HP", "HT", "HQ"), strict=True)
    )
    findings.check_shape("a hidden rule solves more when applied before its naked counterpart", hidden_first)
    findings.notes.append(
        'The paper labels its last column "HS->NS"; the numbers show that the quadruples NQ and HQ are swapped.'
    )
    return findings


def table_2_ours(context: Context) -> Findings:
    """Classify generated puzzles, for users without the public collection."""
    findings = Findings()
    number = context.pick(smoke=200, quick=2000, published=2000, full=20_000)
    puzzles = list(generate(number, minimal=True, seed=1, progress=False))
    rows = []
    for swap in context.printed["table-2"]["swaps"][:3]:
        counts = _classify(puzzles, swap.split())
        rows.append([swap or "standard", *(100 * counts[rule.name] / number for rule in RULES[1:])])
    findings.add_table(
        f"{number:,} generated minimal puzzles: % by highest rule", ["order", *(rule.name for rule in RULES[1:])], rows
    )
    total = [sum(row[1:]) for row in rows]
    findings.check_shape("the order of the rules does not affect the number solved", max(total) - min(total) < 1e-9)
    return findings


def _classify(puzzles: list[Puzzle], swap: list[str]) -> Counter[str]:
    """Count the solved puzzles by highest rule needed; like the paper, count NS and HS together."""
    order = [dict(zip(swap, swap[::-1], strict=True)).get(rule.name, rule.name) for rule in RULES]
    found = (deduce(puzzle, order) for puzzle in puzzles)
    highest = Counter(one.highest.name for one in found if one.is_solved and one.highest)
    highest["HS"] += highest.pop("NS", 0)
    return highest
