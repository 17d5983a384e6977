"""The conjecture: five rules and one level of trial solve every uniquely solvable 9×9 puzzle (section 4.1).

The paper describes one level in two ways, which allow three readings. Section 5 calls it "a search tree of depth 1":
(a) placing some candidate and filtering completes the grid. In section 4.1, all candidates are tested and the filter is
applied once more: (b) elimination, where candidates that lead to a contradiction after filtering are removed until
nothing changes. Reading (c) is elimination, and then one more candidate as in (a); it solves what (a) or (b) solves.

The claim about the puzzles with 17 givens and the conjecture about all puzzles are judged alike: they fail if they fail
in all three readings, that is in (c). What fails in the strictest reading alone, (a), is reported as a finding.
"""

from __future__ import annotations

from sudokulab.logic import CONJECTURE, Reading, Trial, smallest_rules, trial_many
from sudokulab.logic.techniques import RULES
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["conjecture", "one_level", "try_one_level"]

_FIVE_RULES = {rule: (*CONJECTURE[:-1], rule) for rule in ("NP", "HP")}
_RULE_SETS = {**{", ".join(rules): rules for rules in _FIVE_RULES.values()}, "all ten": tuple(r.code for r in RULES)}
_READINGS: dict[Reading, str] = {
    "depth-one": "(a) tree of depth 1",
    "elimination": "(b) elimination",
    "both": "(c) both",
}


def one_level(context: Context) -> Findings:
    """Test one level of trial on the puzzles with 17 givens."""
    findings = Findings()
    puzzles = context.public("royle-17-clue") or context.public("royle-17")
    if puzzles is None:
        findings.notes.append("The puzzles with 17 givens are missing.")
        return findings
    sample = puzzles[: context.pick(smoke=50, quick=5000, published=None, full=None)]
    found = try_one_level(findings, {"17 givens": sample})
    _judge(findings, found, "puzzles with 17 givens")
    for_rules = sample[: context.pick(smoke=50, quick=1000, published=5000, full=None)]
    rows = [
        (title, "; ".join(map(", ".join, smallest_rules(for_rules, reading=reading))) or None)
        for reading, title in _READINGS.items()
    ]
    num_paper = context.printed["table-2"]["num_puzzles"]
    title = f"Smallest rule sets that solve all of the first {len(for_rules):,} puzzles"
    findings.add_table(title, ["reading", "rules"], rows)
    unsolved = [len(_unsolved(found["17 givens"][", ".join(rules)], "depth-one")) for rules in _FIVE_RULES.values()]
    findings.notes.append(
        "Section 4.1 tests all candidates and filters once more; section 5 calls this “a search tree of depth 1”. "
        f"Read strictly, as (a), the latter leaves {' or '.join(map(str, unsolved))} puzzles unsolved "
        f"({' or '.join(_FIVE_RULES)}). The paper used the {num_paper:,} puzzles known in 2009; we do not know which "
        f"of today's {len(puzzles):,} they are."
    )
    return findings


def conjecture(context: Context) -> Findings:
    """Test one level of trial on the hardest puzzles available, and list counterexamples."""
    findings = Findings()
    sets = {"famous": context.public("famous") or [], "our hardest": context.public("hardest") or []}
    for name in ("forum-hardest-1106", "forum-hardest-11plus"):
        if puzzles := context.public(name):
            sets[name] = puzzles[: context.pick(smoke=20, quick=500, published=1000, full=None)]
    number = context.pick(smoke=20, quick=None, published=None, full=None)
    found = try_one_level(findings, {name: puzzles[:number] for name, puzzles in sets.items()})
    _judge(findings, found, "uniquely solvable puzzles")
    findings.notes.append("[The notes](san-segundo-notes.md#the-conjecture) summarise the results.")
    return findings


def try_one_level(findings: Findings, sets: dict[str, list[Puzzle]]) -> dict[str, dict[str, list[Trial]]]:
    """Count the puzzles that one level of trial solves in each reading.

    Parameters
    ----------
    findings
        Receives the table.
    sets
        Puzzles by set name.

    Returns
    -------
    dict
        The trials by set name and by title of the rule set.
    """
    found = {
        name: {title: list(trial_many(puzzles, rules)) for title, rules in _RULE_SETS.items()}
        for name, puzzles in sets.items()
    }
    rows = [
        [
            *(name, title, len(trials), sum(trial.is_solved_by_rules for trial in trials)),
            *(sum(trial.is_solved(reading) for trial in trials) for reading in _READINGS),
        ]
        for name, by_rules in found.items()
        for title, trials in by_rules.items()
    ]
    findings.add_table("", ["puzzles", "rules", "number", "solved by rules alone", *_READINGS.values()], rows)
    return found


def _judge(findings: Findings, found: dict[str, dict[str, list[Trial]]], what: str) -> None:
    """Add the claim, which fails only if it fails in all readings; reading (c) solves what (a) or (b) solves."""
    for rule, rules in _FIVE_RULES.items():
        unsolved = _unsolved([trial for trials in found.values() for trial in trials[", ".join(rules)]], "both")
        findings.check_claim(
            f"with {rule}, one level of trial solves all {what}, at least in reading (c)",
            f"`{unsolved[0].puzzle.line}` (the first of {len(unsolved):,})" if unsolved else None,
        )


def _unsolved(trials: list[Trial], reading: Reading) -> list[Trial]:
    return [trial for trial in trials if not trial.is_solved(reading)]
