"""Sudoku as a SAT formula in DIMACS CNF format, and the decoder for a SAT solver's answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import TextIO

import numpy as np

from sudokulab._internal.suggestions import unknown_name
from sudokulab.convert.answers import integers, lines_of, solved
from sudokulab.convert.candidates import Numbers, constraints, given_candidates
from sudokulab.errors import NoSolutionError, ParameterError, SudokulabError
from sudokulab.formats.base import one_line
from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.logic.steps import deduce
from sudokulab.puzzle import Puzzle, cell_name

__all__ = ["ENCODINGS", "Cnf", "cnf", "decode_cnf", "write_cnf"]

ENCODINGS = ("minimal", "extended", "optimised")

Clause = tuple[int, ...]


@dataclass(frozen=True)
class Cnf:
    """A formula: clauses, and groups of variables of which at most one may hold.

    Each pair within a group is a clause too. Pairs make up most of a formula (33 million for 64×64), so they are
    generated on demand.

    Parameters
    ----------
    num_variables
        Variables are numbered from 1 to this.
    at_least_one
        Clauses of positive literals. A given is a unit clause; an empty clause makes the formula unsatisfiable.
    at_most_one
        Groups of variables.
    """

    num_variables: int
    at_least_one: tuple[Clause, ...]
    at_most_one: tuple[Clause, ...]

    @property
    def num_clauses(self) -> int:
        """The number of clauses, including the pairs."""
        return len(self.at_least_one) + sum(comb(len(group), 2) for group in self.at_most_one)

    @property
    def clauses(self) -> Iterator[Clause]:
        """All clauses, generated one by one."""
        pairs = (combinations([-variable for variable in group], 2) for group in self.at_most_one)
        return chain(self.at_least_one, chain.from_iterable(pairs))

    def write(self, stream: TextIO) -> None:
        """Write the formula in the DIMACS format."""
        stream.write(f"p cnf {self.num_variables} {self.num_clauses}\n")
        stream.writelines(" ".join(map(str, (*clause, 0))) + "\n" for clause in self.at_least_one)
        for group in self.at_most_one:
            literals = [f"-{variable}" for variable in group]
            stream.write("".join(f"{first} {second} 0\n" for first, second in combinations(literals, 2)))


def cnf(puzzle: PuzzleLike, encoding: str = "extended") -> Cnf:
    """Return the formula whose models are the solutions of a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle to encode. If its givens contradict each other, the formula has no model.
    encoding
        ``minimal``: each cell has at least one digit; each digit occurs at most once in each row, column and box.
        ``extended``: also, each cell has at most one digit, and each digit occurs at least once in each unit. In both,
        row r, column c with digit d is the variable (r - 1) · size² + (c - 1) · size + d, and each given is a clause.
        ``optimised``: the extended encoding over the remaining candidates, numbered in the same order without gaps;
        decided cells and digits have neither variables nor clauses.

    Notes
    -----
    Kwon and Jain drop only what the givens decide directly. We also place naked and hidden singles until nothing
    changes, so a puzzle that singles solve becomes a formula without clauses.

    References
    ----------
    I. Lynce and J. Ouaknine, "Sudoku as a SAT problem", 2006 (minimal, extended). G. Kwon and H. Jain, "Optimized CNF
    encoding for Sudoku puzzles", 2006 (optimised).

    Examples
    --------
    >>> from sudokulab import parse
    >>> for encoding in ENCODINGS:
    ...     formula = cnf(parse("1.....3..4......"), encoding)
    ...     print(formula.num_variables, formula.num_clauses)
    64 307
    64 451
    15 64
    """
    puzzle = as_puzzle(puzzle)
    decided, variables = _variables(puzzle, encoding)
    number = np.zeros(puzzle.size**3, dtype=np.int64)
    number[variables] = np.arange(1, len(variables) + 1)
    groups = constraints(puzzle.box)
    groups = groups[~np.isin(groups, given_candidates(decided)).any(axis=1)]
    exactly_one = tuple(tuple(variable for variable in group if variable) for group in number[groups].tolist())
    if () in exactly_one:
        return Cnf(len(variables), ((),), ())
    if encoding == "optimised":
        return Cnf(len(variables), exactly_one, exactly_one)
    givens = tuple((variable,) for variable in number[given_candidates(puzzle)].tolist())
    num_cells = len(puzzle.cells)
    if encoding == "minimal":
        return Cnf(len(variables), givens + exactly_one[:num_cells], exactly_one[num_cells:])
    return Cnf(len(variables), givens + exactly_one, exactly_one)


def write_cnf(puzzle: PuzzleLike, stream: TextIO, encoding: str = "extended") -> None:
    """Write the formula of a puzzle in the DIMACS format, with comments that explain its variables."""
    puzzle = as_puzzle(puzzle)
    formula = cnf(puzzle, encoding)
    stream.writelines(f"c {comment}\n" for comment in _comments(puzzle, encoding))
    formula.write(stream)


def decode_cnf(puzzle: PuzzleLike, answer: Iterable[int] | str | None, encoding: str = "extended") -> Puzzle:
    r"""Decode a SAT solver's answer into the solved grid.

    Parameters
    ----------
    puzzle
        The puzzle that was encoded.
    answer
        A model as literals, or the solver's output as text: ``s SATISFIABLE`` with lines ``v 1 -2 … 0``, or MiniSat's
        ``SAT`` with ``1 -2 … 0``. None, which Python interfaces return if there is no model, means no solution.
    encoding
        The encoding that was used.

    Raises
    ------
    NoSolutionError
        If the answer states that there is no solution.
    SudokulabError
        If the answer cannot be read, is incomplete, or is not a solution.

    Examples
    --------
    >>> from sudokulab import parse
    >>> decode_cnf(parse("1.....3..4.....2"), "s SATISFIABLE\nv 0\n", "optimised").line
    '1324423124133142'
    """
    puzzle = as_puzzle(puzzle)
    decided, variables = _variables(puzzle, encoding)
    literals = set(_literals(answer))
    cells = bytearray(decided.cells)
    for literal in sorted(literals):
        if abs(literal) > len(variables):
            raise SudokulabError(
                f"variable {abs(literal)} in the answer, but the {encoding} encoding has {len(variables)} variables: "
                "pass the answer to this puzzle in this encoding"
            )
        if literal < 0:
            continue
        if -literal in literals:
            raise SudokulabError(f"the answer has both {literal} and -{literal}")
        cell, digit = divmod(int(variables[literal - 1]), puzzle.size)
        if cells[cell]:
            name = cell_name(cell, puzzle.size)
            raise SudokulabError(f"the answer has two digits for {name}, {cells[cell]} and {digit + 1}")
        cells[cell] = digit + 1
    return solved(puzzle, cells)


def _variables(puzzle: Puzzle, encoding: str) -> tuple[Puzzle, Numbers]:
    """Return the digits placed before encoding, and the candidates that become variables, in order."""
    if encoding not in ENCODINGS:
        raise ParameterError(unknown_name("encoding", str(encoding), ENCODINGS))
    nothing = Puzzle.empty(puzzle.box)
    if encoding != "optimised":
        return nothing, np.arange(puzzle.size**3)
    found = deduce(puzzle, ["NS", "HS"])
    if found.is_contradiction:
        return nothing, np.arange(0)
    is_open = found.puzzle.givens == 0
    return found.puzzle, np.flatnonzero(found.candidates & is_open[:, :, np.newaxis])


def _comments(puzzle: Puzzle, encoding: str) -> Iterator[str]:
    size = puzzle.size
    yield f"Sudoku as SAT, {encoding} encoding, written by sudokulab"
    yield f"puzzle {puzzle.line} box {puzzle.box} {one_line(puzzle.name)}".rstrip()
    if encoding != "optimised":
        yield f"row r, column c holds digit d: variable (r - 1) * {size * size} + (c - 1) * {size} + d"
        return
    decided, variables = _variables(puzzle, encoding)
    yield f"decided {decided.line}"
    yield "open cells, with variable=digit:"
    cells, digits = np.divmod(variables, size)
    for cell in np.unique(cells).tolist():
        pairs = (f"{place + 1}={digits[place] + 1}" for place in np.flatnonzero(cells == cell))
        yield f"{cell_name(cell, size)} {' '.join(pairs)}"


def _literals(answer: Iterable[int] | str | None) -> list[int]:
    if answer is None:
        raise NoSolutionError("the answer says that there is no solution")
    if not isinstance(answer, str):
        return [literal for literal in integers(answer) if literal]
    words = chain.from_iterable(line[1:] if line[0] == "v" else line for line in lines_of(answer))
    literals = integers(words)
    if not literals:
        raise SudokulabError("the answer has no values; pass lines such as 'v 1 -2 … 0'")
    if 0 not in literals:
        raise SudokulabError("the answer is truncated: the final 0 is missing")
    return literals[: literals.index(0)]
