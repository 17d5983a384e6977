"""The conjecture: five rules and one level of trial solve every uniquely solvable 9×9 puzzle (section 4.1).

The paper describes one level in two ways, which allow three readings. Section 5 calls it "a search tree of depth 1":
(a) placing some candidate and filtering completes the grid. In section 4.1, all candidates are tested and the filter is
applied once more: (b) elimination, where candidates that lead to a contradiction after filtering are removed until
nothing changes. Reading (c) is elimination, and then one more candidate as in (a); it solves what (a) or (b) solves.

The claim about the puzzles with 17 givens and the conjecture about all puzzles are judged alike: they fail if they fail
in all three readings, that is in (c). What fails in the strictest reading alone, (a), is reported as a finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from sudokulab.logic import CONJECTURE, Reading, smallest_rules, trial_many
from sudokulab.logic.techniques import RULES
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

__all__ = ["conjecture", "count_solved", "one_level"]

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
    collection = context.first_of("royle-17-clue", "royle-17")
    if collection is None:
        findings.notes.append("The puzzles with 17 givens are missing.")
        return findings
    number = context.pick(smoke=50, quick=5000, published=None, full=None)
    for_rules = context.pick(smoke=50, quick=1000, published=5000, full=None)

    def puzzles() -> list[Puzzle]:
        return context.public(collection) or []

    measured = context.measure("one-level", lambda: _measure_17(puzzles(), number, for_rules), puzzles)
    counts = measured["counts"]
    _add_counts(findings, counts)
    _judge(findings, counts, "puzzles with 17 givens")
    rows = [(_READINGS[reading], rules or None) for reading, rules in measured["smallest"].items()]
    num_paper = context.printed["table-2"]["num_puzzles"]
    title = f"Smallest rule sets that solve all of the first {measured['num_for_rules']:,} puzzles"
    findings.add_table(title, ["reading", "rules"], rows)
    unsolved = [one["unsolved"]["depth-one"] for one in counts if one["rules"] in map(", ".join, _FIVE_RULES.values())]
    findings.notes.append(
        "Section 4.1 tests all candidates and filters once more; section 5 calls this “a search tree of depth 1”. "
        f"Read strictly, as (a), the latter leaves {' or '.join(map(str, unsolved))} puzzles unsolved "
        f"({' or '.join(_FIVE_RULES)}). The paper used the {num_paper:,} puzzles known in 2009; we do not know which "
        f"of today's {measured['num_puzzles']:,} they are."
    )
    return findings


def _measure_17(puzzles: list[Puzzle], number: int | None, num_for_rules: int | None) -> dict[str, Any]:
    """Return the counts for the first puzzles, and the smallest sets of rules for the first `num_for_rules` of them."""
    sample = puzzles[:number]
    for_rules = sample[:num_for_rules]
    return {
        "num_puzzles": len(puzzles),
        "num_for_rules": len(for_rules),
        "counts": count_solved({"17 givens": sample}),
        "smallest": {
            reading: "; ".join(map(", ".join, smallest_rules(for_rules, reading=reading))) for reading in _READINGS
        },
    }


def conjecture(context: Context) -> Findings:
    """Test one level of trial on the hardest puzzles available, and list counterexamples."""
    findings = Findings()
    forum = [name for name in ("forum-hardest-1106", "forum-hardest-11plus") if context.has(name)]
    number = context.pick(smoke=20, quick=500, published=None, full=None)
    names = {"famous": "famous", "our hardest": "hardest", **{name: name for name in forum}}

    def sets() -> dict[str, list[Puzzle]]:
        return {title: (context.public(name) or [])[:number] for title, name in names.items()}

    def puzzles() -> list[Puzzle]:
        return [puzzle for own in sets().values() for puzzle in own]

    counts = context.measure("conjecture", lambda: count_solved(sets()), puzzles)
    _add_counts(findings, counts)
    _judge(findings, counts, "uniquely solvable puzzles")
    findings.notes.append("[The notes](san-segundo-notes.md#the-conjecture) summarise the results.")
    return findings


def count_solved(sets: Mapping[str, list[Puzzle]]) -> list[dict[str, Any]]:
    """Count the puzzles that one level of trial solves in each reading, by set and rules.

    Each entry has the numbers of ``puzzles``, of those ``solved`` by the rules alone, and of those ``unsolved`` in each
    reading, of which it names the ``first``.
    """
    counts = []
    for (name, puzzles), (title, rules) in product(sets.items(), _RULE_SETS.items()):
        trials = list(trial_many(puzzles, rules))
        unsolved = {
            reading: [trial.puzzle.line for trial in trials if not trial.is_solved(reading)] for reading in _READINGS
        }
        counts.append(
            {
                "set": name,
                "rules": title,
                "puzzles": len(trials),
                "solved": sum(trial.is_solved_by_rules for trial in trials),
                "unsolved": {reading: len(lines) for reading, lines in unsolved.items()},
                "first": {reading: next(iter(lines), None) for reading, lines in unsolved.items()},
            }
        )
    return counts


def _add_counts(findings: Findings, counts: Sequence[dict[str, Any]]) -> None:
    rows = [
        [
            *(one["set"], one["rules"], one["puzzles"], one["solved"]),
            *(one["puzzles"] - one["unsolved"][reading] for reading in _READINGS),
        ]
        for one in counts
    ]
    findings.add_table("", ["puzzles", "rules", "number", "solved by rules alone", *_READINGS.values()], rows)


def _judge(findings: Findings, counts: Sequence[dict[str, Any]], what: str) -> None:
    """Add the claim, which fails only if it fails in all readings; reading (c) solves what (a) or (b) solves."""
    for rule, rules in _FIVE_RULES.items():
        mine = [one for one in counts if one["rules"] == ", ".join(rules)]
        first = next((one["first"]["both"] for one in mine if one["unsolved"]["both"]), None)
        findings.check_claim(
            f"with {rule}, one level of trial solves all {what}, at least in reading (c)",
            first and f"`{first}` (the first of {sum(one['unsolved']['both'] for one in mine):,})",
        )
