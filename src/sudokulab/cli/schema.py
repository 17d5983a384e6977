"""The JSON of all commands: the fields of each object, with their types and meanings.

``python -m tools.make_json`` writes docs/reference/json.md from these tables. A type is a basic one, the name of an
object in `OBJECTS`, or ``list of``, ``map of`` (an object with any keys) or ``or null`` around another type.
"""

from __future__ import annotations

__all__ = ["BASIC_TYPES", "COMMANDS", "OBJECTS", "VERSION", "Fields", "fields_of"]

VERSION = 1
"""Increased when a field is removed, or changes its type or meaning."""

BASIC_TYPES = ("integer", "number", "boolean", "text", "candidate", "object")

Fields = dict[str, tuple[str, str]]
"""The type and the meaning of each field."""

_VERSION: Fields = {"version": ("integer", f"{VERSION}; see above")}
_HEAD: Fields = {
    **_VERSION,
    "row": ("integer", "the number of the puzzle in the input, from 1; unreadable puzzles count"),
    "id": ("text", "the name of the puzzle, or else its number"),
}
_PUZZLE: Fields = {**_HEAD, "puzzle": ("text or null", "one character per cell, `.` for a blank")}
_ERROR: Fields = {"error": ("text or null", "why the puzzle is unreadable, or why there is no answer")}
_STEP: Fields = {
    "technique": ("text", "the name of the technique"),
    "variant": ("integer", "a number for techniques with variants, such as types of rectangles"),
    "units": ("list of text", "rows, columns and boxes, such as `box 1`"),
    "cells": ("list of text", "the cells of the pattern, such as `r1c2`"),
    "digits": ("list of integer", "the digits of the pattern"),
    "candidates": ("list of candidate", "the candidates of the pattern"),
    "fins": ("list of candidate", "the fins of a fish"),
    "nodes": ("list of list of candidate", "the nodes of a chain"),
    "links": ("list of link", "the links of a chain"),
    "length": ("integer", "the length of a chain"),
    "placements": ("list of candidate", "the digits that the step places"),
    "eliminations": ("list of candidate", "the candidates that the step removes"),
    "uniqueness": ("boolean", "whether the step relies on the puzzle having one solution"),
    "sentence": ("text", "the step in words"),
}
_EXPLANATION: Fields = {
    **_PUZZLE,
    "ending": (
        "text",
        "`solved`, `open` (more steps follow), `stuck`, `no solution`, `several solutions`, `stopped` or `unknown` "
        "(out of time), or `unreadable`",
    ),
    "steps": ("list of step", "the steps; of `hint`, at most one"),
    **_ERROR,
}


def _rating(fields: Fields) -> Fields:
    return {
        **_PUZZLE,
        "status": ("text", "`rated`, `not rated` or `unreadable`"),
        "solutions": ("integer or null", "0, 1, or 2 for several"),
        **fields,
        **_ERROR,
    }


COMMANDS: dict[str, Fields] = {
    "solve": {
        **_PUZZLE,
        "box": ("text or null", "the rows and columns of a box, such as `3x3`"),
        "solver": ("text", "the name of the solver"),
        "status": ("text", "`solved`, `unsatisfiable`, `unknown` (out of budget, or failed) or `unreadable`"),
        "solution": ("text or null", "the verified solution"),
        "best": ("text or null", "the best state of a metaheuristic that failed"),
        "clashes": ("list of text or null", "the givens that break the rules, such as `r1c1`"),
        "cost": ("number or null", "the cost of the best state; 0 for a solution"),
        "seconds": ("number or null", "the time of the search; for 9×9 puzzles in bulk, the average of a block"),
        "seed": ("integer or null", "the random seed of the run"),
        "stats": ("map of number or null", "the statistics of the solver"),
        **_ERROR,
    },
    "check": {
        **_PUZZLE,
        "status": ("text", "`checked` or `unreadable`"),
        "size": ("integer or null", "the number of digits"),
        "givens": ("integer or null", "the number of givens"),
        "clashes": ("list of text or null", "the givens that break the rules, such as `r1c1`"),
        "solutions": ("integer or null", "0, 1, or 2 for several; null if the time ran out"),
        "minimal": ("boolean or null", "whether all givens are needed; null if unknown, or without a unique solution"),
        "redundant": ("list of text or null", "the givens that are not needed"),
        "stated_solution": ("boolean or null", "whether the solution in the file is correct; null without one"),
        **_ERROR,
    },
    "rate": _rating(
        {
            "level": ("text or null", "`easy`, `medium`, `hard`, `very-hard` or `beyond`"),
            "highest": ("text or null", "the code of the hardest rule needed, such as `NP`"),
            "firings": ("map of integer or null", "how often each rule applied"),
            "nodes": ("number or null", "the nodes of a tree search, on average over relabelings"),
            "deviation": ("number or null", "their standard deviation"),
        }
    ),
    "rate --scale se": _rating(
        {
            "er": ("number or null", "the rating of the hardest step"),
            "ep": ("number or null", "the rating of the hardest step up to the first placement"),
            "ed": ("number or null", "the rating of the first step"),
        }
    ),
    "rate --scale hodoku": _rating(
        {
            "hodoku_level": ("text or null", "the level of HoDoKu"),
            "hodoku_score": ("integer or null", "the score of HoDoKu"),
        }
    ),
    "rate --scale trial": _rating(
        {
            "depth": ("integer or null", "the depth of trial and error that is needed"),
            "backdoor_size": ("integer or null", "the size of the smallest backdoors"),
            "num_backdoors": ("integer or null", "the number of backdoors of this size"),
            "backdoors": ("list of list of text or null", "the first of them, as many as `--backdoors` says"),
            "finished": ("boolean or null", "whether the time sufficed"),
        }
    ),
    "hint": _EXPLANATION,
    "explain": _EXPLANATION,
    "canonical": {
        **_PUZZLE,
        "box": ("text or null", "the rows and columns of a box, such as `3x3`"),
        "status": ("text", "`canonical`, `no form` or `unreadable`"),
        "form": ("text or null", "the canonical form; null with `--hash`"),
        "is_transposed": ("boolean or null", "whether rows and columns are swapped first to get the form"),
        "rows": ("list of integer or null", "the source of each row, from 0"),
        "cols": ("list of integer or null", "the source of each column, from 0"),
        "digits": ("list of integer or null", "the digits that replace 1, 2, …"),
        "num_automorphisms": ("integer or null", "the number of symmetries that map the puzzle to itself"),
        "hash": ("text or null", "the hash of the form, 16 hexadecimal digits"),
        **_ERROR,
    },
    "techniques --find": {**_HEAD, **_STEP},
    "techniques": {**_VERSION, "techniques": ("list of technique", "the techniques, in the order they are tried")},
    "solvers": {**_VERSION, "solvers": ("map of solver", "the solvers by name")},
    "bench": {
        **_VERSION,
        "environment": ("object", "the processor, the instruction sets, the compiler and all versions"),
        "sets": ("list of measured set", "the measurements by set of puzzles"),
    },
    "dataset split": {
        **_VERSION,
        "num_rows": ("map of integer", "the number of rows by split"),
        "num_groups": ("integer", "the number of groups of rows that had to stay together"),
        "leaks": ("list of leak", "what each pair of splits shares"),
        "is_clean": ("boolean", "whether no two splits share anything"),
    },
    "dataset audit": {
        **_VERSION,
        "sudokulab": ("text", "the version of Sudokulab"),
        "is_clean": ("boolean", "whether no check found a defect"),
        "num_rows": ("integer", "the number of rows"),
        "files": ("list of audited file", "the files that were read"),
        "checks": ("list of check", "the results of all checks"),
        "splits": ("map of audited split", "the distributions by split"),
    },
}
"""The fields of the objects that each command prints."""

OBJECTS: dict[str, Fields] = {
    "step": _STEP,
    "link": {
        "from": ("candidate", "the start"),
        "to": ("candidate", "the end"),
        "strong": ("boolean", "whether one of both must be true"),
    },
    "technique": {
        "name": ("text", "the name, as in `--techniques`"),
        "title": ("text", "the name in sentences"),
        "family": ("text", "the family"),
        "idea": ("text", "a description"),
        "code": ("text", "the code of a rule, such as `NP`, or an empty text"),
        "level": ("text", "the level of puzzles that need the rule"),
        "is_default": ("boolean", "whether `explain` tries it by default"),
        "assumes_uniqueness": ("boolean", "whether it relies on the puzzle having one solution"),
    },
    "solver": {
        "is_complete": ("boolean", "whether it can prove that a puzzle has no solution"),
        "is_stochastic": ("boolean", "whether it uses the seed"),
        "unit": ("text or null", "what it counts: `nodes` or `iterations`"),
        "parameters": ("map of object", "the JSON schema of each parameter"),
    },
    "measured set": {
        "name": ("text", "the name of the set"),
        "num_puzzles": ("integer or null", "the number of puzzles"),
        "contenders": ("list of object", "contenders, or timed contenders for large grids"),
    },
    "contender": {
        "contender": ("text", "the name"),
        "is_rival": ("boolean", "whether it is third-party"),
        "workload": ("text", "`solve`, `count`, `generate` or `start`"),
        "num_puzzles": ("integer", "the number of puzzles per round"),
        "rates": ("list of number", "the rate of each round"),
        "complaint": ("text", "the problem with the answers, or an empty text"),
        "unit": ("text", "`puzzles per second` or `starts per second`"),
        "median": ("number or null", "the median rate"),
        "reference": ("text", "the baseline"),
        "ratio": ("number or null", "the speed relative to the baseline"),
    },
    "timed contender": {
        "contender": ("text", "the name"),
        "is_rival": ("boolean", "whether it is third-party"),
        "num_solved": ("integer", "the number of solved grids"),
        "mean_seconds": ("number or null", "the mean time of solved grids"),
        "median_seconds": ("number or null", "the median time"),
        "longest_seconds": ("number or null", "the longest time"),
        "mean_search_seconds": ("number or null", "the mean time without encoding"),
        "reference": ("text", "the baseline"),
        "ratio": ("number or null", "the speed relative to the baseline"),
        "runs": ("list of timed run", "the runs, in the order of the grids"),
    },
    "timed run": {
        "is_solved": ("boolean", "whether the grid was solved in time"),
        "seconds": ("number", "the wall time"),
        "search_seconds": ("number", "the wall time without encoding"),
        "complaint": ("text", "the problem with the answer, or an empty text"),
    },
    "leak": {
        "first": ("text", "a split"),
        "second": ("text", "another split"),
        "num_puzzle_classes": ("integer or null", "the number of puzzle classes in both; null above 16×16"),
        "num_solution_classes": ("integer or null", "the number of solution classes in both; null above 16×16"),
        "num_neighbour_keys": ("integer or null", "the number of near neighbours; null without `--join-neighbours`"),
    },
    "audited file": {
        "file": ("text", "the path"),
        "num_rows": ("integer", "the number of rows"),
        "box": ("text", "the rows and columns of a box"),
    },
    "check": {
        "kind": ("text", "the name of the check"),
        "splits": ("list of text", "the split, or the earlier and the later one"),
        "num_rows": ("integer or null", "the number of rows found; null if the check does not apply"),
        "examples": ("list of example", "the first of them"),
        "is_defect": ("boolean", "whether this is a defect"),
    },
    "example": {
        "places": ("list of place", "the row, or the original and its repeat"),
        "puzzles": ("list of text", "the puzzles in these rows; an empty text if unreadable"),
        "problem": ("text", "why the row is unreadable, or an empty text"),
    },
    "place": {"file": ("text", "the path"), "row": ("integer", "the row, from 1 without a header")},
    "audited split": {
        "num_rows": ("integer", "the number of rows"),
        "num_readable": ("integer", "the number of readable rows"),
        "num_unique": ("integer", "the number of rows with exactly one solution"),
        "givens": ("map of integer", "the number of rows by number of givens"),
        "trivial": ("map of integer", "the number of trivial rows, by reason"),
        "difficulty": ("sample", "the ratings of a random sample"),
        "ratings": ("histogram or null", "the column of ratings"),
    },
    "sample": {
        "num_puzzles": ("integer", "the size of the sample"),
        "levels": ("map of integer", "the number of puzzles by level"),
        "se": ("map of integer", "the number of puzzles by ER of Sudoku Explainer"),
        "num_unrated": ("integer", "the number of puzzles without an ER"),
    },
    "histogram": {
        "num_rated": ("integer", "the number of rows with a rating"),
        "num_missing": ("integer", "the number of rows without one"),
        "mean": ("number", "the mean"),
        "percentiles": ("map of number", "the value below which so many percent of the ratings are"),
        "edges": ("list of number", "the bounds of the bins of a histogram"),
        "counts": ("list of integer", "the number of rows in each bin"),
    },
}
"""The fields of objects inside others."""


def fields_of(command: str) -> tuple[str, ...]:
    """Return the names of the fields that a command prints, in order."""
    return tuple(COMMANDS[command])
