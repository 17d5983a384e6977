"""The conjecture: five rules and one level of trial solve every 9×9 puzzle with one solution (section 4.1).

"One level" has two readings: (a) a search tree of depth one, in which some candidate, placed and filtered, completes
the grid; (b) elimination, in which candidates that filter to a contradiction are removed until nothing changes.
"""

from __future__ import annotations

from sudokulab.logic import CONJECTURE, trial_many
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["conjecture", "one_level"]


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
