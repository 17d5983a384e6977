"""The conjecture: five rules and one level of trial solve every uniquely solvable 9×9 puzzle (section 4.1).

"One level" has two readings: (a) a search tree of depth one: placing some candidate and filtering completes the grid;
(b) elimination: candidates that lead to a contradiction after filtering are removed until nothing changes.
"""

from __future__ import annotations

from sudokulab.logic import CONJECTURE, smallest_rules, trial_many
from sudokulab.logic.rules import RULES
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["conjecture", "one_level", "try_one_level"]

_FIVE_RULES = (CONJECTURE, (*CONJECTURE[:-1], "HP"))
_ALL_TEN = tuple(rule.name for rule in RULES)


def one_level(context: Context) -> Findings:
    """Test one level of trial on the puzzles with 17 givens."""
    findings = Findings()
    puzzles = context.public("royle-17-clue") or context.public("royle-17")
    if puzzles is None:
        findings.notes.append("The puzzles with 17 givens are missing.")
        return findings
    sample = puzzles[: context.pick(smoke=50, quick=5000, published=5000, full=None)]
    try_one_level(findings, {"17 givens": sample})
    smallest = {
        "a tree of depth 1": smallest_rules(sample),
        "elimination": smallest_rules(sample, reading="elimination"),
    }
    rows = [(reading, "; ".join(map(", ".join, found)) or None) for reading, found in smallest.items()]
    findings.add_table("Smallest rule sets that solve all puzzles", ["reading", "rules"], rows)
    return findings


def conjecture(context: Context) -> Findings:
    """Test one level of trial on the hardest puzzles available, and list counterexamples."""
    findings = Findings()
    sets = {"famous": context.public("famous") or [], "our hardest": context.public("hardest") or []}
    number = context.pick(smoke=20, quick=None, published=None, full=None)
    for name in ("forum-hardest-1106", "forum-hardest-11plus"):
        if puzzles := context.public(name):
            sets[name] = puzzles[: context.pick(smoke=20, quick=1000, published=1000, full=None)]
    unsolved = try_one_level(findings, {name: puzzles[:number] for name, puzzles in sets.items()})
    findings.add_table(
        "Counterexamples: solved in neither reading, whether with NP, HP or all ten rules",
        ["puzzles", "number", "first"],
        [(name, len(puzzles), f"`{puzzles[0]}`" if puzzles else None) for name, puzzles in unsolved.items()],
    )
    findings.notes.append("[The notes](../san-segundo-notes.md#the-conjecture) summarise the results at full scale.")
    return findings


def try_one_level(findings: Findings, sets: dict[str, list[Puzzle]]) -> dict[str, list[Puzzle]]:
    """Count the puzzles that one level of trial solves, and check the five rules of the conjecture.

    Parameters
    ----------
    findings
        Receives the table and the checks.
    sets
        Puzzles by set name.

    Returns
    -------
    dict
        The puzzles of each set that remain unsolved in both readings, even with all ten rules.
    """
    rows = []
    unsolved = dict(sets)
    for name, puzzles in sets.items():
        for rules in (*_FIVE_RULES, _ALL_TEN):
            found = list(trial_many(puzzles, rules))
            by_rules = sum(one.is_solved_by_rules for one in found)
            depth_one = sum(one.is_solved_at_depth_one for one in found)
            elimination = sum(one.is_solved_by_elimination for one in found)
            title = "all ten" if rules == _ALL_TEN else ", ".join(rules)
            rows.append([name, title, len(found), by_rules, depth_one, elimination])
            solved_by_one = {one.puzzle for one in found if one.is_solved_at_depth_one or one.is_solved_by_elimination}
            unsolved[name] = [puzzle for puzzle in unsolved[name] if puzzle not in solved_by_one]
            if rules in _FIVE_RULES:
                solved = max(depth_one, elimination)
                findings.check(
                    f"with {rules[-1]}, one level solves all puzzles of the set '{name}' in at least one reading",
                    solved == len(found),
                )
    columns = ["puzzles", "rules", "number", "solved by rules alone", "by a tree of depth 1", "by elimination"]
    findings.add_table("", columns, rows)
    return unsolved
