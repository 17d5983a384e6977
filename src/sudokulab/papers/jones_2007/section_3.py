"""Section 3: the numbers of moves and states of the grid in Figure 1, and of solutions of the empty grid."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from sudokulab.formats import parse
from sudokulab.papers.analysis import num_moves, num_moves_anywhere, num_moves_saved, num_states
from sudokulab.papers.reproduction import Context, Findings

__all__ = ["judge_counts", "section_3"]

# Felgenhauer & Jarvis 2005: 9! relabellings × 72² × the number printed in the paper
_NUM_SOLUTIONS_OF_EMPTY = 6_670_903_752_021_072_936_960


def section_3(context: Context) -> Findings:
    """Count the moves and states of the grid in Figure 1."""
    return judge_counts(context.printed["section-3"])


def judge_counts(printed: Mapping[str, Any]) -> Findings:
    """Compare our counts for the paper's grid with the printed ones."""
    findings = Findings()
    puzzle = parse(printed["grid"])
    states = prod(printed["states_factors"])
    anywhere, saved = num_moves_anywhere(puzzle), num_moves_saved(puzzle)
    findings.add_table(
        "Figure 1 of the paper, and the empty grid",
        ["", "paper", "ours"],
        [
            ("givens", printed["num_givens"], puzzle.num_givens),
            ("moves: swaps of any two open cells", printed["num_moves_anywhere"], anywhere),
            ("moves: swaps inside boxes", printed["num_moves"], num_moves(puzzle)),
            ("moves saved, by the paper's second formula", printed["num_moves_anywhere"] - printed["num_moves"], saved),
            (f"states, printed as {printed['states']}", states, num_states(puzzle)),
            ("solutions of the empty grid", printed["num_solutions_of_empty"], _NUM_SOLUTIONS_OF_EMPTY),
        ],
    )
    findings.check_arithmetic("givens", printed["num_givens"], puzzle.num_givens)
    findings.check_arithmetic("swaps of any two open cells", printed["num_moves_anywhere"], anywhere)
    findings.check_arithmetic("swaps inside boxes", printed["num_moves"], num_moves(puzzle))
    findings.check_arithmetic(
        f"states ({printed['states']}, which takes the exponents of (6!)⁶ · 7! · (5!)² for factors)",
        states,
        num_states(puzzle),
    )
    findings.check_arithmetic(
        "solutions of the empty grid (the count of Felgenhauer & Jarvis without its factors 9! and 72²)",
        printed["num_solutions_of_empty"],
        _NUM_SOLUTIONS_OF_EMPTY,
    )
    findings.add_error(
        "The text introduces Σ n(n−1)/2 as the number of distinct states; its example shows that it is the number of "
        "moves."
    )
    return findings
