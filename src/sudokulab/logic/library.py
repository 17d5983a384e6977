"""HoDoKu's regression library: boards on which a technique must remove or place certain candidates.

A case is one line of text:

    :<code>:<digits>:<givens>:<deleted>:<eliminations>:<placements>:<extra>

The code names the technique. A suffix such as ``-1`` selects a variant; with ``-x``, the technique must find nothing.
The digits are those of the pattern or, for some techniques, those that are removed. In the givens, ``+`` marks a digit
that was placed later. A candidate is written as digit, row and column: ``436`` is the 4 in r3c6. For chains, the extra
field holds the number of links; it is not checked for chains with almost locked sets, because it depends on how many
links a set counts as. Empty lines and lines that begin with ``#`` are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sudokulab import _core
from sudokulab._internal.native import native_puzzle
from sudokulab.errors import FormatError, ParameterError
from sudokulab.puzzle import NINE, Puzzle, cell_name

__all__ = ["CODES", "Case", "Named", "check", "read_cases"]

Candidates = frozenset[tuple[int, int]]
"""Pairs of cell and digit."""

SIZE = 9


@dataclass(frozen=True)
class Named:
    """The technique that a code stands for.

    Parameters
    ----------
    technique
        The name of the technique.
    variants
        The variants of its steps that count; None for all.
    has_removed_digits
        Whether the digits of a case are the removed ones, not the digits of the pattern.
    """

    technique: str
    variants: frozenset[int] | None = None
    has_removed_digits: bool = False


@dataclass(frozen=True)
class Case:
    """A case of the library.

    Parameters
    ----------
    code
        The code of the technique, with the suffix of the variant.
    digits
        The digits of the expected step; any if empty.
    puzzle
        The givens.
    placed
        The digits that were placed later.
    deleted
        The candidates removed before.
    eliminations, placements
        What the technique removes or places; both empty if it must find nothing.
    length
        The number of links of a chain, if stated.
    """

    code: str
    digits: frozenset[int]
    puzzle: Puzzle
    placed: Candidates
    deleted: Candidates
    eliminations: Candidates
    placements: Candidates
    length: int | None = None

    @property
    def must_fail(self) -> bool:
        """Whether the technique must find nothing."""
        return self.code.endswith("-x")


def _almost_locked_sets() -> Iterator[tuple[str, Named]]:
    names = ("als-xz", "als-xy-wing", "als-xy-chain", "death-blossom")
    for code, name in zip(("0901", "0902", "0903", "0904"), names, strict=True):
        yield code, Named(name, frozenset({1}), has_removed_digits=True)
    for code, name in zip(("0902-2", "0903-2", "0904-2"), names[1:], strict=True):  # sets may overlap
        yield code, Named(name, has_removed_digits=True)


def _chains() -> Iterator[tuple[str, Named]]:
    plain = ("continuous-nice-loop", "discontinuous-nice-loop", "alternating-inference-chain")
    for code, name in zip(("0706", "0707", "0708"), plain, strict=True):
        yield code, Named(name, has_removed_digits=True)
    for code, name in zip(("0709", "0710", "0711"), plain, strict=True):
        yield code, Named(f"grouped-{name}", has_removed_digits=True)
    with_sets = {"0709-2": plain[0], "0710-3": plain[1], "0710-4": plain[1], "0711-3": plain[2], "0711-4": plain[2]}
    for code, name in with_sets.items():
        yield code, Named(f"als-{name}", has_removed_digits=True)


def _fish() -> Iterator[tuple[str, Named]]:
    sizes = ("x-wing", "swordfish", "jellyfish", "squirmbag", "whale", "leviathan")
    shapes = ("", "finned-", "sashimi-", "franken-", "finned-franken-", "mutant-", "finned-mutant-")
    for shape_number, shape in enumerate(shapes):
        for size_number, size in enumerate(sizes):
            yield f"03{shape_number}{size_number}", Named(shape + size, frozenset({0}))
            yield f"03{shape_number}{size_number}1", Named(shape + size, frozenset({1}))  # siamese


def _rectangles() -> Iterator[tuple[str, Named]]:
    names = [f"unique-rectangle-{number}" for number in range(1, 7)]
    for number, name in enumerate([*names, "hidden-rectangle", "avoidable-rectangle-1", "avoidable-rectangle-2"]):
        yield f"060{number}", Named(name)
        yield f"060{number}-1", Named(name, frozenset({1}))  # without missing candidates


CODES: dict[str, Named] = {
    "0000": Named("full-house"),
    "0001": Named("last-digit"),
    "0002": Named("hidden-single"),
    "0003": Named("naked-single"),
    "0100": Named("pointing"),
    "0101": Named("claiming"),
    "0110": Named("locked-pair"),
    "0111": Named("locked-triplet"),
    "0200": Named("naked-pair", frozenset({0})),
    "0201": Named("naked-triplet", frozenset({0})),
    "0202": Named("naked-quad"),
    "0210": Named("hidden-pair"),
    "0211": Named("hidden-triplet"),
    "0212": Named("hidden-quad"),
    **dict(_fish()),
    "0400": Named("skyscraper"),
    "0401": Named("two-string-kite"),
    "0402": Named("empty-rectangle", frozenset({0})),
    "0402-1": Named("empty-rectangle"),
    "0403": Named("turbot-fish"),
    "0404": Named("dual-two-string-kite"),
    "0405": Named("dual-empty-rectangle"),
    "0500": Named("simple-colouring", frozenset({1})),
    "0501": Named("simple-colouring", frozenset({2})),
    "0502": Named("multi-colouring", frozenset({1})),
    "0503": Named("multi-colouring", frozenset({2})),
    **dict(_rectangles()),
    "0610": Named("bug+1"),
    "0701": Named("x-chain"),
    "0702": Named("xy-chain", has_removed_digits=True),
    "0703": Named("remote-pair"),
    **dict(_chains()),
    "0800": Named("xy-wing"),
    "0801": Named("xyz-wing"),
    "0802": Named("wxyz-wing"),
    "0803": Named("w-wing"),
    **dict(_almost_locked_sets()),
    "1101": Named("sue-de-coq", has_removed_digits=True),
    "1201": Named("template-set"),
    "1202": Named("template-delete"),
}
"""The techniques by code. A code with a suffix that is not listed stands for the same as without the suffix."""


def read_cases(lines: Iterable[str], source: str = "<text>") -> Iterator[tuple[int, Case]]:
    """Yield each case with its line number, counted from 1.

    Parameters
    ----------
    lines
        The lines of the library.
    source
        Its name, for errors.

    Raises
    ------
    FormatError
        If a line is not a case.
    """
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text and not text.startswith("#"):
            try:
                yield number, _parse(text)
            except ValueError as error:
                advice = "write :code:digits:givens:deleted:eliminations:placements:extra"
                raise FormatError(str(error), advice, source=source, line=number) from None


def check(case: Case) -> str | None:
    """Check a case: every step of the technique with these digits has the expected result, and there is one.

    Parameters
    ----------
    case
        The case to check.

    Returns
    -------
    str or None
        What is wrong; None if the case passes.

    Raises
    ------
    ParameterError
        If the code of the case is unknown.
    """
    named = CODES.get(case.code) or CODES.get(case.code.partition("-")[0])
    if named is None:
        raise ParameterError(f"unknown technique code: {case.code}")
    steps = [step for step in _steps(case, named.technique) if _matches(step, case, named)]
    if case.must_fail:
        return f"found {_describe(_outcome(steps[0]))}, expected nothing" if steps else None
    expected = case.eliminations, case.placements
    for step in steps:
        if _outcome(step) != expected:
            return f"found {_describe(_outcome(step))}, expected {_describe(expected)}"
    if not steps:
        return f"found nothing, expected {_describe(expected)}"
    lengths = sorted({step.length for step in steps if step.length > 0})
    limit = None if named.technique.startswith("als-") else case.length
    if limit is not None and lengths and lengths[0] > limit:  # a shorter chain will do
        return f"found chains of {', '.join(map(str, lengths))} links, expected {case.length}"
    return None


def _parse(text: str) -> Case:
    fields = text.split(":")
    if len(fields) < 7 or fields[0]:
        raise ValueError(f"found {text.count(':')} fields")
    code, digits, givens, deleted, eliminations, placements = fields[1:7]
    cells = re.findall(r"\+?[1-9]|[.0]", givens)
    if len(cells) != SIZE * SIZE or "".join(cells) != givens:
        raise ValueError(f"found {len(cells)} cells in the givens")
    length = fields[7].strip() if len(fields) > 7 else ""
    if not all(text.isdecimal() or not text for text in (digits, length)):
        raise ValueError(f"found the digits {digits!r} and the extra field {length!r}")
    return Case(
        code=code,
        digits=frozenset(map(int, digits)),
        puzzle=Puzzle(bytes(int(cell) if cell.isdecimal() else 0 for cell in cells), NINE),
        placed=frozenset((number, int(cell)) for number, cell in enumerate(cells) if cell.startswith("+")),
        deleted=_candidates(deleted),
        eliminations=_candidates(eliminations),
        placements=_candidates(placements),
        length=int(length) if length else None,
    )


def _candidates(text: str) -> Candidates:
    entries = text.split()
    if not all(re.fullmatch("[1-9]{3}", entry) for entry in entries):
        raise ValueError(f"found the candidates {text!r}")
    digits = [tuple(map(int, entry)) for entry in entries]
    return frozenset(((row - 1) * SIZE + col - 1, digit) for digit, row, col in digits)


def _steps(case: Case, technique: str) -> list[_core.Step]:
    masks = [(1 << SIZE) - 1] * SIZE**2
    for cell, digit in case.deleted:
        masks[cell] &= ~(1 << digit - 1)
    return _core.find_steps(native_puzzle(case.puzzle), masks, technique, sorted(case.placed))


def _matches(step: _core.Step, case: Case, named: Named) -> bool:
    pairs = step.eliminations or step.placements if named.has_removed_digits else step.pattern
    is_variant = named.variants is None or step.variant in named.variants
    return is_variant and (not case.digits or {digit for _, digit in pairs} == case.digits)


def _outcome(step: _core.Step) -> tuple[Candidates, Candidates]:
    # A loop that proves a candidate also removes the others of its cell; cases list what is removed.
    return frozenset(step.eliminations), frozenset(() if step.eliminations else step.placements)


def _describe(outcome: tuple[Candidates, Candidates]) -> str:
    removed, placed = outcome
    names = [f"{cell_name(cell, SIZE)}={digit}" for cell, digit in sorted(placed)]
    names += [f"{cell_name(cell, SIZE)}≠{digit}" for cell, digit in sorted(removed)]
    return " ".join(names) or "nothing"
