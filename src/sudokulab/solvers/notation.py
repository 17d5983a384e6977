"""Parse decision heuristics such as ``DvGvmax r1r2(GmaxEP)``.

A heuristic is a list of measures; each breaks the ties of the measures before it:

====  ================================================================
L     lexicographic: the first in reading order
D     fewest candidates in the cell; inside ``r1r2(...)``, in total
E     fewest empty cells
G     most (``Gmax``) or fewest (``Gmin``) edges of the graph
P     smallest product of the numbers of candidates of empty cells
====  ================================================================

A ``v`` after a letter (``Dv``, ``Gvmax``) gives a measure variable scope: it selects a cell, and the measures without
``v`` order the values of that cell. Without any ``v``, all candidates of all cells compete. Measures inside
``r1r2(...)`` are evaluated after placing the candidate and applying the first two rules, naked and hidden singles.
Spaces are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass

from sudokulab.errors import SudokulabError

__all__ = ["Heuristic", "NotationError", "parse_heuristic"]

_MEASURES = {"L": 0, "D": 1, "E": 2, "Gmax": 3, "Gmin": 4, "P": 5}  # the core's `Measure`


class NotationError(SudokulabError, ValueError):
    """The text is not a heuristic. The message points at the character."""

    def __init__(self, text: str, position: int, wanted: str) -> None:
        super().__init__(text, position, wanted)  # unpickling passes the arguments again
        self.position = position

    def __str__(self) -> str:
        text, position, wanted = self.args
        found = repr(text[position]) if position < len(text) else "the end"
        return f"{found} at character {position + 1}; write {wanted}\n  {text}\n  {' ' * position}^"


@dataclass(frozen=True)
class Heuristic:
    """A parsed heuristic: measures before the rules are applied, each with its scope, and measures afterwards."""

    before: tuple[tuple[str, bool], ...]
    after: tuple[str, ...]

    def to_native(self) -> tuple[list[tuple[int, bool]], list[int]]:
        """Return the numbers of the measures in the core."""
        return [(_MEASURES[name], is_variable) for name, is_variable in self.before], [_MEASURES[n] for n in self.after]


def parse_heuristic(text: str) -> Heuristic:
    """Parse a heuristic.

    Examples
    --------
    >>> parse_heuristic("DvGvmax r1r2(GmaxEP)")
    Heuristic(before=(('D', True), ('Gmax', True)), after=('Gmax', 'E', 'P'))
    >>> parse_heuristic("Dx")
    Traceback (most recent call last):
        ...
    sudokulab.solvers.notation.NotationError: 'x' at character 2; write a measure (L, D, E, G, P) or r1r2(
      Dx
       ^
    """
    parser = _Parser(text)
    before: list[tuple[str, bool]] = []
    after: list[str] = []
    while (char := parser.peek()) and char != "r":
        before.append(parser.measure(can_have_scope=True, wanted="a measure (L, D, E, G, P) or r1r2("))
    if parser.peek() == "r":
        parser.expect("r1r2(")
        while parser.peek() not in ("", ")"):
            after.append(parser.measure(can_have_scope=False, wanted="a measure (L, D, E, G, P) or )")[0])
        if not after:
            parser.fail("a measure (L, D, E, G, P)")
        parser.expect(")")
    if parser.peek():
        parser.fail("nothing after the )")
    if not before and not after:
        parser.fail("a measure (L, D, E, G, P) or r1r2(")
    return Heuristic(tuple(before), tuple(after))


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def peek(self) -> str:
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1
        return self.text[self.position] if self.position < len(self.text) else ""

    def take(self, word: str) -> bool:
        self.peek()  # spaces
        if not self.text.startswith(word, self.position):
            return False
        self.position += len(word)
        return True

    def expect(self, word: str) -> None:
        for char in word:
            if not self.take(char):
                self.fail(repr(char) if char == word else f"{char!r} of {word!r}")

    def fail(self, wanted: str) -> None:
        self.peek()
        raise NotationError(self.text, self.position, wanted)

    def measure(self, *, can_have_scope: bool, wanted: str) -> tuple[str, bool]:
        letter = self.peek()
        if letter not in "LDEGP":
            self.fail(wanted)
        self.position += 1
        has_scope = can_have_scope and self.take("v")
        if letter != "G":
            return letter, has_scope
        if self.take("max"):
            return "Gmax", has_scope
        if not self.take("min"):
            self.fail("max or min after G")
        return "Gmin", has_scope
