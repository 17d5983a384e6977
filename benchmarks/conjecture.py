"""The conjecture of San Segundo & Jiménez: few rules and one level of trial solve every 9×9 with one solution.

    python benchmarks/conjecture.py FILE... [--smallest]

For each file: how many puzzles the rules NS, HS, BRC, RCB and one of NP and HP solve, alone and with one level of trial
in both readings, and the first counter-examples. ``--smallest`` looks for the smallest sets of rules that solve all of
it.
"""

from __future__ import annotations

import argparse

from rich.console import Console
from rich.table import Table

from sudokulab import logic, read


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--smallest", action="store_true")
    args = parser.parse_args()
    console = Console()
    table = Table("file", "pair rule", "puzzles", "rules alone", "(a) depth one", "(b) elimination")
    for file in args.files:
        for pair in ("NP", "HP", "all ten"):
            rules = None if pair == "all ten" else (*logic.CONJECTURE[:-1], pair)
            trials = list(logic.trial_many(read(file), rules))
            by_rules = sum(found.is_solved_by_rules for found in trials)
            at_depth = sum(found.is_solved_at_depth_one for found in trials)
            failed = [found.puzzle for found in trials if not found.is_solved_by_elimination]
            numbers = (len(trials), by_rules, at_depth, len(trials) - len(failed))
            table.add_row(file, pair, *(f"{number:,}" for number in numbers))
            for puzzle in failed[:2]:
                console.print(f"{file}, {pair}: not solved by elimination: {puzzle}")
        if args.smallest:
            for by_elimination in (False, True):
                found = logic.smallest_rules(read(file), by_elimination=by_elimination)
                console.print(f"{file}, reading {'(b)' if by_elimination else '(a)'}: smallest sets {found}")
    console.print(table)


if __name__ == "__main__":
    main()
