"""The conjecture: five rules and one level of trial solve every uniquely solvable 9×9 puzzle (section 4.1).

Section 5 defines one level as "a search tree of depth 1": placing some candidate and filtering completes the grid. This
is reading (a), by which the claims are judged. Two weaker readings are shown as well: (b) elimination, where candidates
that lead to a contradiction after filtering are removed until nothing changes; (c) elimination, and then one more
candidate as in (a).
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
    for rule, rules in _FIVE_RULES.items():
        findings.check_claim(
            f"with {rule}, a search tree of depth 1 solves all puzzles with 17 givens",
            _counterexample(found["17 givens"][", ".join(rules)], "depth-one"),
        )
    for_rules = sample[: context.pick(smoke=50, quick=1000, published=5000, full=None)]
    rows = [
        (title, "; ".join(map(", ".join, smallest_rules(for_rules, reading=reading))) or None)
        for reading, title in _READINGS.items()
    ]
    num_paper = context.printed["table-2"]["num_puzzles"]
    title = f"Smallest rule sets that solve all of the first {len(for_rules):,} puzzles"
    findings.add_table(title, ["reading", "rules"], rows)
    findings.notes.append(
        "The paper defines one level as “a search tree of depth 1”, reading (a); the weaker readings are shown for "
        f"comparison. It used the {num_paper:,} puzzles known in 2009, and we do not know which of today's "
        f"{len(puzzles):,} they are. Only {100 * (1 - num_paper / len(puzzles)):.1f} % are new, so it is practically "
        "impossible that all counterexamples are."
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
    for rule, rules in _FIVE_RULES.items():
        everywhere = [trial for trials in found.values() for trial in trials[", ".join(rules)]]
        findings.check_claim(
            f"with {rule}, one level of trial solves all uniquely solvable puzzles, in any of the three readings",
            _counterexample(everywhere, "both"),  # reading (c) solves what (a) or (b) solves
        )
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


def _counterexample(trials: list[Trial], reading: Reading) -> str | None:
    """Return the first puzzle that is not solved, and the number of such puzzles."""
    unsolved = [trial.puzzle.line for trial in trials if not trial.is_solved(reading)]
    return f"`{unsolved[0]}` (the first of {len(unsolved):,})" if unsolved else None
