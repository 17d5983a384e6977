"""San Segundo & Jiménez 2009: ten rules, one level of trial, graph-based heuristics."""

from __future__ import annotations

from collections import Counter

from sudokulab.instances import generate, past_rules
from sudokulab.lab import SolverSpec
from sudokulab.logic import CONJECTURE, trial_many
from sudokulab.logic.rules import RULES, deduce
from sudokulab.papers.reproduction import Artefact, Context, Findings, Paper
from sudokulab.puzzle import Puzzle

__all__ = ["PAPER"]


def table_2(context: Context) -> Findings:
    """Classify puzzles with 17 givens by the highest rule needed, in five orders of the rules."""
    printed = context.printed["table-2"]
    findings = Findings()
    puzzles = context.public("royle-17-clue") or context.public("royle-17")
    if puzzles is None:
        findings.notes.append(
            "The puzzles with 17 givens are not at hand: `sudokulab instances download royle-17` fetches them."
        )
        return findings
    step = context.pick(smoke=200, quick=5, full=1)
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
    noise = context.pick(smoke=8.0, quick=1.0, full=0.5)
    worst = max(
        abs(share[name] - 100 * number / num_paper)
        for name, numbers in printed["by_rule"].items()
        for share, number in zip(shares, numbers, strict=True)
    )
    findings.check(f"every share is within {noise:g} points of the paper's (farthest: {worst:.2f})", worst <= noise)
    findings.check_shape("the order of the rules does not change how many are solved", max(solved) == min(solved))
    hidden_first = all(
        share[rule] >= shares[0][rule] for share, rule in zip(shares[2:], ("HP", "HT", "HQ"), strict=True)
    )
    findings.check_shape("a hidden rule solves more when it stands before its naked twin", hidden_first)
    return findings


def _classify(puzzles: list[Puzzle], swap: list[str]) -> Counter[str]:
    order = [dict(zip(swap, swap[::-1], strict=True)).get(rule.name, rule.name) for rule in RULES]
    found = (deduce(puzzle, order) for puzzle in puzzles)
    highest = Counter(one.highest.name for one in found if one.is_solved and one.highest)
    highest["HS"] += highest.pop("NS", 0)
    return highest


def one_level(context: Context) -> Findings:
    """Try one candidate and filter, on the puzzles with 17 givens."""
    findings = Findings()
    puzzles = context.public("royle-17-clue") or context.public("royle-17")
    if puzzles is None:
        findings.notes.append("The puzzles with 17 givens are not at hand.")
        return findings
    _try_one_level(findings, {"17 givens": puzzles[: context.pick(smoke=50, quick=5000, full=None)]})
    return findings


def conjecture(context: Context) -> Findings:
    """Try one candidate and filter, on the hardest puzzles there are."""
    findings = Findings()
    sets = {"famous": context.public("famous") or [], "our hardest": context.public("hardest") or []}
    number = context.pick(smoke=20, quick=None, full=None)
    for name in ("forum-hardest-1106", "forum-hardest-11plus"):
        if puzzles := context.public(name):
            sets[name] = puzzles[: context.pick(smoke=20, quick=1000, full=None)]
    _try_one_level(findings, {name: puzzles[:number] for name, puzzles in sets.items()})
    findings.notes.append("[conjecture.md](../conjecture.md) has the counter-examples, verified by a second program.")
    return findings


def _try_one_level(findings: Findings, sets: dict[str, list[Puzzle]]) -> None:
    rows = []
    for name, puzzles in sets.items():
        for rules in (CONJECTURE, (*CONJECTURE[:-1], "HP")):
            found = list(trial_many(puzzles, rules))
            depth_one = sum(one.is_solved_at_depth_one for one in found)
            elimination = sum(one.is_solved_by_elimination for one in found)
            rows.append([name, ", ".join(rules), len(found), depth_one, elimination])
            solved = max(depth_one, elimination)
            findings.check(
                f"with {rules[-1]}, one level solves all of {name} in one of the readings", solved == len(found)
            )
    findings.add_table("", ["puzzles", "rules", "number", "solved by a tree of depth 1", "by elimination"], rows)


def table_3(context: Context) -> Findings:
    """Compare six heuristics by depth and backtracks on random 16×16 instances."""
    printed = context.printed["table-3"]
    heuristics = printed["heuristics"]
    number = context.pick(smoke=10, quick=200, full=printed["num_instances"])
    failures = 15
    puzzles = [past_rules(16, extra=1, failures=failures, seed=seed) for seed in range(number)]
    specs = [SolverSpec(name="graph-search", label=name, params={"heuristic": name}) for name in heuristics]
    runs = context.run("table-3", {"16_1": puzzles}, specs, seconds=10)
    findings = Findings()
    rows = []
    backtracks = {}
    for name, (depth, num_backtracks, _) in heuristics.items():
        mine = runs.filter(solver=name)
        backtracks[name] = float(mine["stats_backtracks"].sum() or 0.0)
        scaled = num_backtracks * number / printed["num_instances"]
        rows.append([f"`{name}`", depth, float(mine["stats_max_depth"].mean() or 0.0), scaled, backtracks[name]])  # type: ignore[arg-type]
    columns = ["heuristic", "paper: depth", "ours", f"paper: backtracks, of {number}", "ours"]
    findings.add_table(f"{number} instances; removals taken back until {failures} had failed", columns, rows)
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


def example(context: Context) -> Findings:
    """Solve what the generator makes with the ten rules: what a reader without the collection can see."""
    findings = Findings()
    number = context.pick(smoke=200, quick=2000, full=20_000)
    puzzles = list(generate(number, minimal=True, seed=1, progress=False))
    rows = []
    for swap in context.printed["table-2"]["swaps"][:3]:
        counts = _classify(puzzles, swap.split())
        rows.append([swap or "standard", *(100 * counts[rule.name] / number for rule in RULES[1:])])
    findings.add_table(
        f"{number:,} minimal puzzles of our own: % by highest rule", ["order", *(rule.name for rule in RULES[1:])], rows
    )
    total = [sum(row[1:]) for row in rows]
    findings.check_shape("the order does not change how many are solved", max(total) - min(total) < 1e-9)
    return findings


PAPER = Paper(
    "san-segundo-2009",
    'P. San Segundo and A. Jiménez, "Using graphs to derive CSP heuristics and its application to Sudoku", 2009',
    (
        Artefact("table-2", "Puzzles with 17 givens by the highest rule needed", table_2),
        Artefact("table-2-ours", "The same on minimal puzzles of our own", example),
        Artefact("one-level", "One level of trial solves all puzzles with 17 givens", one_level),
        Artefact("conjecture", "One level of trial solves all puzzles with one solution", conjecture),
        Artefact("table-3", "Six decision heuristics on random 16×16 instances", table_3),
    ),
)
