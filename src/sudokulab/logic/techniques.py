"""The catalogue of human techniques, in the order in which `explain` tries them.

A technique is a row of `TECHNIQUES`. The native core finds its instances (`cpp/logic/techniques`, one family per file);
`sudokulab.logic.sentences` phrases the sentence that explains a step. The ten rules of San Segundo & Jiménez are
techniques with a code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum

__all__ = [
    "FAMILIES",
    "LARGEST_SIZE",
    "RULES",
    "TECHNIQUES",
    "TECHNIQUES_BY_NAME",
    "Level",
    "Technique",
]


class Level(Enum):
    """How hard a puzzle is for a person, by the ten rules: the scale of every level that does not name another."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very-hard"
    BEYOND = "beyond"
    """The rules do not solve the puzzle."""


@dataclass(frozen=True)
class Technique:
    """A human technique.

    Parameters
    ----------
    name
        The name, such as ``x-wing``.
    title
        The name as people write it, such as ``X-wing``.
    family
        The family, a key of `FAMILIES`.
    idea
        The idea in one or two sentences.
    code
        The code of the rule in the paper of San Segundo & Jiménez, such as ``NS``; empty for other techniques.
    level
        The level of puzzles that need the rule; `Level.BEYOND` for other techniques.
    is_default
        Whether `explain` tries the technique by default.
    """

    name: str
    title: str
    family: str
    idea: str
    code: str = ""
    level: Level = Level.BEYOND
    is_default: bool = True

    @property
    def assumes_uniqueness(self) -> bool:
        """Whether the technique relies on the puzzle having only one solution."""
        return self.family == "uniqueness"

    def to_dict(self) -> dict[str, object]:
        """Return the technique as JSON-compatible data."""
        return {**asdict(self), "level": self.level.value, "assumes_uniqueness": self.assumes_uniqueness}


FAMILIES: dict[str, str] = {
    "singles": "One digit or one cell is left.",
    "locked-candidates": "A digit is confined to the intersection of a box and a line.",
    "subsets": "As many cells as digits, in one unit.",
    "fish": "As many base units as cover units, for one digit.",
    "single-digit": "Short chains of one digit.",
    "wings": "A few cells with two to four candidates.",
    "colouring": "Two colours for the candidates of a digit, of which one is true.",
    "uniqueness": "Patterns that would allow a second solution.",
    "chains": "Candidates connected by alternating strong and weak links.",
    "almost-locked-sets": "Sets of n cells with n + 1 candidates.",
    "exclusion": "Combinations of digits that cannot occur together.",
    "exotic": "Large patterns that occur in very hard puzzles.",
    "templates": "All complete placements of a digit.",
    "forcing-chains": "Several assumptions that lead to a contradiction or to the same conclusion.",
    "trial": "Trial and error.",
}
"""The families of techniques. The name of a family stands for all its techniques."""

LARGEST_SIZE = 25
"""The largest grids on which all techniques work. On larger ones, only singles and the ten rules do."""

_FISH = ("X-wing", "swordfish", "jellyfish", "squirmbag", "whale", "leviathan")
_FISH_SIZES = ("two", "three", "four", "five", "six", "seven")
_FISH_SHAPES = {
    "": "In {n} rows, a digit fits only in {n} columns, or the other way round. Each of these columns takes the digit "
    "in one of the rows, so the digit is removed from the rest of the columns.",
    "finned": "A fish of {n} units, except for some extra positions, the fins. Either a fin is true or the fish is "
    "intact, so candidates that the fish removes and that see all fins are removed.",
    "sashimi": "A finned fish of {n} units in which some unit has only one position besides the fins.",
    "franken": "A fish of {n} units in which boxes take part besides lines.",
    "finned franken": "A franken fish of {n} units with fins.",
    "mutant": "A fish of {n} units with any mixture of rows, columns and boxes on both sides.",
    "finned mutant": "A mutant fish of {n} units with fins.",
}


def _fish(shape: str, sizes: Iterable[int], *, is_default: bool = True) -> Iterator[Technique]:
    for size in sizes:
        title = f"{shape} {_FISH[size]}".strip()
        idea = _FISH_SHAPES[shape].replace("{n}", _FISH_SIZES[size])
        name = title.lower().replace(" ", "-")
        yield Technique(name, title[0].upper() + title[1:], "fish", idea, is_default=is_default)


def _other_fish() -> Iterator[Technique]:
    """Yield the fish that are too large or too complex to be tried by default."""
    tried = {"": {0, 1, 2}, "finned": {0, 1, 2}, "sashimi": {0, 1, 2}, "franken": {1, 2}, "finned franken": {1}}
    for shape in _FISH_SHAPES:
        yield from _fish(shape, (size for size in range(6) if size not in tried.get(shape, ())), is_default=False)


def _chains() -> Iterator[Technique]:
    kinds = {
        "": "",
        "grouped ": " Groups of candidates in a box and a line can take part.",
        "ALS ": " Almost locked sets can take part.",
    }
    for kind, words in kinds.items():
        for title, idea in (
            (
                "continuous nice loop",
                "A loop of alternating strong and weak links, so that exactly one end of every link is true.",
            ),
            (
                "discontinuous nice loop",
                "A chain of alternating strong and weak links that returns to its first cell, where it proves or "
                "refutes a candidate.",
            ),
            (
                "alternating inference chain",
                "A chain of alternating strong and weak links. One of its two ends is true, so candidates that see "
                "both are removed.",
            ),
        ):
            full = kind + title
            name = full.lower().replace(" ", "-")
            yield Technique(name, full[0].upper() + full[1:], "chains", idea + words)


def _simple_chains() -> Iterator[Technique]:
    for name, title, idea in (
        (
            "x-cycle",
            "X-cycle",
            "A loop of alternating links between positions of one digit. Exactly one end of every link is true.",
        ),
        (
            "y-cycle",
            "Y-cycle",
            "A loop whose strong links lie in cells with two candidates. Exactly one end of every link is true.",
        ),
        (
            "xy-cycle",
            "XY-cycle",
            "A loop of alternating links, in cells and units. Exactly one end of every link is true.",
        ),
        (
            "forcing-x-chain",
            "Forcing X-chain",
            "If a candidate is true, links between positions of its digit make it false, or the reverse.",
        ),
        (
            "forcing-chain",
            "Forcing chain",
            "If a candidate is true, a chain of links makes it false, or the reverse.",
        ),
    ):
        yield Technique(name, title, "chains", f"{idea} As in Sudoku Explainer.", is_default=False)


def _unique_rectangles() -> Iterator[Technique]:
    ideas = (
        "Three cells of a rectangle in two boxes hold only the same two digits. The fourth cell cannot hold either, or "
        "the two digits could be exchanged.",
        "Two cells of the rectangle hold the same extra digit. One of them takes it, so cells that see both lose it.",
        "The extra digits of two cells act as one cell and form a naked subset with other cells.",
        "One of the two digits is confined to two cells of the rectangle in a unit, so these cells lose the other.",
        "Two diagonal cells, or three cells, hold the same extra digit. Cells that see all of them lose it.",
        "One of the two digits is confined to the rectangle in both lines, so it is removed from two diagonal cells.",
    )
    for number, idea in enumerate(ideas, start=1):
        yield Technique(f"unique-rectangle-{number}", f"Unique rectangle type {number}", "uniqueness", idea)


def _forcing_chains() -> Iterator[Technique]:
    for name, title, idea in (
        ("nishio", "Nishio", "A candidate makes the other positions of its digit contradict each other."),
        (
            "cell-forcing-chains",
            "Cell forcing chains",
            "Every candidate of a cell leads to the same conclusion.",
        ),
        (
            "region-forcing-chains",
            "Region forcing chains",
            "Every position of a digit in a unit leads to the same conclusion.",
        ),
        (
            "contradiction-forcing-chains",
            "Contradiction forcing chains",
            "An assumption makes a candidate both true and false. Conclusions may combine several earlier ones.",
        ),
        (
            "double-forcing-chains",
            "Double forcing chains",
            "A candidate leads to the same conclusion whether it is true or false.",
        ),
        (
            "dynamic-cell-forcing-chains",
            "Dynamic cell forcing chains",
            "Cell forcing chains whose conclusions may combine several earlier ones.",
        ),
        (
            "dynamic-region-forcing-chains",
            "Dynamic region forcing chains",
            "Region forcing chains whose conclusions may combine several earlier ones.",
        ),
        (
            "nested-forcing-chains",
            "Nested forcing chains",
            "Dynamic forcing chains that use other techniques, even other chains, for their conclusions.",
        ),
    ):
        yield Technique(name, title, "forcing-chains", idea)


TECHNIQUES: tuple[Technique, ...] = (
    Technique("full-house", "Full house", "singles", "One cell of a unit is open. It takes the missing digit."),
    Technique(
        "hidden-single",
        "Hidden single",
        "singles",
        "A digit fits in only one cell of a unit.",
        code="HS",
        level=Level.EASY,
    ),
    Technique("naked-single", "Naked single", "singles", "A cell has one candidate left.", code="NS", level=Level.EASY),
    Technique(
        "last-digit",
        "Last digit",
        "singles",
        "A digit is placed everywhere but once.",
        is_default=False,
    ),
    Technique(
        "locked-pair",
        "Locked pair",
        "subsets",
        "Two cells in the intersection of a box and a line hold only two digits, which both units lose elsewhere.",
    ),
    Technique(
        "locked-triplet",
        "Locked triplet",
        "subsets",
        "Three cells in the intersection of a box and a line hold only three digits, which both units lose elsewhere.",
    ),
    Technique(
        "pointing",
        "Pointing",
        "locked-candidates",
        "In a box, a digit fits only in one line, so it is removed from the rest of the line.",
        code="BRC",
        level=Level.MEDIUM,
    ),
    Technique(
        "claiming",
        "Claiming",
        "locked-candidates",
        "In a line, a digit fits only in one box, so it is removed from the rest of the box.",
        code="RCB",
        level=Level.MEDIUM,
    ),
    Technique(
        "naked-pair",
        "Naked pair",
        "subsets",
        "Two cells of a unit hold only two digits, so the other cells of the unit lose them.",
        code="NP",
        level=Level.HARD,
    ),
    Technique(
        "hidden-pair",
        "Hidden pair",
        "subsets",
        "Two digits fit only in two cells of a unit, so these cells lose all other digits.",
        code="HP",
        level=Level.HARD,
    ),
    Technique(
        "naked-triplet",
        "Naked triplet",
        "subsets",
        "Three cells of a unit hold only three digits, so the other cells of the unit lose them.",
        code="NT",
        level=Level.VERY_HARD,
    ),
    Technique(
        "hidden-triplet",
        "Hidden triplet",
        "subsets",
        "Three digits fit only in three cells of a unit, so these cells lose all other digits.",
        code="HT",
        level=Level.VERY_HARD,
    ),
    Technique(
        "naked-quad",
        "Naked quad",
        "subsets",
        "Four cells of a unit hold only four digits, so the other cells of the unit lose them.",
        code="NQ",
        level=Level.VERY_HARD,
    ),
    Technique(
        "hidden-quad",
        "Hidden quad",
        "subsets",
        "Four digits fit only in four cells of a unit, so these cells lose all other digits.",
        code="HQ",
        level=Level.VERY_HARD,
    ),
    *_fish("", range(3)),
    Technique(
        "skyscraper",
        "Skyscraper",
        "single-digit",
        "In two parallel lines a digit has two positions each. Two of them share a line, so one of the other two is "
        "true, and cells that see both lose the digit.",
    ),
    Technique(
        "two-string-kite",
        "Two-string kite",
        "single-digit",
        "In a row and in a column a digit has two positions each. Two of them share a box, so one of the other two is "
        "true, and the cell that sees both loses the digit.",
    ),
    Technique(
        "turbot-fish",
        "Turbot fish",
        "single-digit",
        "A digit has two positions each in two units. Two of them see each other, so one of the other two is true.",
    ),
    Technique(
        "empty-rectangle",
        "Empty rectangle",
        "single-digit",
        "In a box, a digit fits only in one row and one column. If it is not in the one, it is in the other, and a "
        "line with two positions leads to a cell that is excluded in both cases.",
    ),
    Technique(
        "dual-two-string-kite",
        "Dual two-string kite",
        "single-digit",
        "Two two-string kites in the same box that share their strings.",
        is_default=False,
    ),
    Technique(
        "dual-empty-rectangle",
        "Dual empty rectangle",
        "single-digit",
        "Two empty rectangles with the same box and the same line.",
        is_default=False,
    ),
    Technique(
        "remote-pair",
        "Remote pair",
        "chains",
        "A chain of cells with the same two candidates. Cells that see two cells of different parity lose both digits.",
    ),
    Technique(
        "xy-wing",
        "XY-wing",
        "wings",
        "A cell XY sees cells XZ and YZ. One of these is Z, so cells that see both lose Z.",
    ),
    Technique(
        "w-wing",
        "W-wing",
        "wings",
        "Two cells with the same two candidates are connected by a unit in which one digit has two positions. One of "
        "the two cells takes the other digit.",
    ),
    Technique(
        "xyz-wing",
        "XYZ-wing",
        "wings",
        "A cell XYZ sees cells XZ and YZ. One of the three is Z, so cells that see all of them lose Z.",
    ),
    Technique(
        "bug+1",
        "BUG+1",
        "uniqueness",
        "All open cells but one have two candidates. The extra candidate of that cell is true; otherwise there would "
        "be two solutions or none.",
    ),
    *_unique_rectangles(),
    Technique(
        "hidden-rectangle",
        "Hidden rectangle",
        "uniqueness",
        "One cell of a rectangle holds only two digits. If one of them is confined to the rectangle in the row and the "
        "column of the opposite cell, that cell loses the other.",
    ),
    Technique(
        "avoidable-rectangle-1",
        "Avoidable rectangle type 1",
        "uniqueness",
        "Three cells of a rectangle were placed during the solution. The fourth cannot complete an exchangeable pair.",
    ),
    Technique(
        "avoidable-rectangle-2",
        "Avoidable rectangle type 2",
        "uniqueness",
        "Two cells of a rectangle were placed during the solution. The other two share an extra digit; one of them "
        "takes it.",
    ),
    Technique(
        "simple-colouring",
        "Simple colouring",
        "colouring",
        "The positions of a digit that are connected by strong links get two colours, of which one is true.",
    ),
    Technique(
        "multi-colouring",
        "Multi-colouring",
        "colouring",
        "Two separately coloured groups of a digit see each other, so some of their colours are false.",
    ),
    *_fish("finned", range(3)),
    *_fish("sashimi", range(3)),
    Technique(
        "unique-loop",
        "Unique loop",
        "uniqueness",
        "A loop of six cells or more in which the same two digits could be exchanged, with extra digits in some cells.",
    ),
    Technique(
        "bug",
        "Bivalue universal grave",
        "uniqueness",
        "Without a few extra candidates, every open cell would have two, and the puzzle two solutions or none. Types "
        "1 to 4 as in Sudoku Explainer.",
    ),
    Technique(
        "unique-rectangle",
        "Unique rectangle",
        "uniqueness",
        "A rectangle of two digits in two boxes, with extra digits in some cells. Types 1 to 4 as in Sudoku Explainer.",
        is_default=False,
    ),
    Technique(
        "wxyz-wing",
        "WXYZ-wing",
        "wings",
        "Four cells hold four digits, and only one digit can occur twice. Cells that see all its positions lose it.",
    ),
    Technique(
        "sue-de-coq",
        "Sue de Coq",
        "almost-locked-sets",
        "The cells where a box and a line cross, with a set in the rest of each, have as many digits as cells, so "
        "every digit is locked in its unit.",
    ),
    Technique(
        "x-chain",
        "X-chain",
        "chains",
        "A chain of alternating links between positions of one digit. One of its two ends is true.",
    ),
    Technique(
        "xy-chain",
        "XY-chain",
        "chains",
        "A chain of cells with two candidates each. One of its two ends takes the digit they share.",
    ),
    *list(_chains())[:6],
    Technique(
        "als-xz",
        "ALS-XZ",
        "almost-locked-sets",
        "Two almost locked sets share a digit X that only one of them can contain. So one of them contains their other "
        "common digit Z, and cells that see every Z of both lose Z.",
    ),
    Technique(
        "als-xy-wing",
        "ALS-XY-wing",
        "almost-locked-sets",
        "Two almost locked sets are linked to a third by different digits. One of the two contains their common digit "
        "Z, and cells that see every Z of both lose Z.",
    ),
    Technique(
        "als-xy-chain",
        "ALS-XY-chain",
        "almost-locked-sets",
        "A chain of almost locked sets, each linked to the next. The first or the last contains their common digit Z, "
        "and cells that see every Z of both lose Z.",
    ),
    Technique(
        "death-blossom",
        "Death blossom",
        "almost-locked-sets",
        "Each candidate of a cell is linked to an almost locked set, so one of the sets contains their common digit Z. "
        "Cells that see every Z of all sets lose Z.",
    ),
    Technique(
        "aligned-pair-exclusion",
        "Aligned pair exclusion",
        "exclusion",
        "Of all pairs of digits in two cells, most are excluded by cells that see both. A digit in none of the others "
        "is removed.",
    ),
    *list(_chains())[6:],
    Technique(
        "tridagon",
        "Tridagon",
        "exotic",
        "Three digits in twelve cells of four boxes cannot be placed without one of a few extra candidates, the "
        "guardians, so one of the guardians is true. Also called Thor's hammer.",
    ),
    Technique(
        "junior-exocet",
        "Junior exocet",
        "exotic",
        "Two base cells force two target cells in other boxes to hold the same digits, so the targets lose all others.",
    ),
    Technique(
        "sk-loop",
        "SK loop",
        "exotic",
        "Eight pairs of cells, in the rows and columns of four placed cells in four boxes, form a ring with as many "
        "digits as cells, so every digit is locked in its place.",
    ),
    Technique(
        "fireworks",
        "Fireworks",
        "exotic",
        "Outside a box, three digits fit in only one cell of a row and one cell of a column. With the crossing cell, "
        "these cells hold the three digits. Two digits suffice if the cell that sees both ends holds only them.",
    ),
    *_fish("franken", range(1, 3)),
    *_fish("finned franken", range(1, 2)),
    *_other_fish(),
    *_simple_chains(),
    Technique(
        "aligned-triplet-exclusion",
        "Aligned triplet exclusion",
        "exclusion",
        "Of all triplets of digits in three cells, most are excluded by cells that see them. A digit in none of the "
        "others is removed.",
        is_default=False,
    ),
    Technique(
        "template-set",
        "Template set",
        "templates",
        "A cell that is part of every possible placement of a digit takes the digit.",
        is_default=False,
    ),
    Technique(
        "template-delete",
        "Template delete",
        "templates",
        "A cell that is part of no possible placement of a digit loses it.",
        is_default=False,
    ),
    *_forcing_chains(),
    Technique(
        "trial",
        "Trial and error",
        "trial",
        "A candidate is assumed and refuted by a search. The last resort.",
    ),
)
"""All techniques, in the order in which `explain` tries those it uses by default."""

_RULE_CODES = ("NS", "HS", "BRC", "RCB", "NP", "HP", "NT", "HT", "NQ", "HQ")

RULES: tuple[Technique, ...] = tuple(
    technique for code in _RULE_CODES for technique in TECHNIQUES if technique.code == code
)
"""The ten rules of San Segundo & Jiménez in the paper's order, which is also the order of the core's `Rule`."""

TECHNIQUES_BY_NAME = {technique.name: technique for technique in TECHNIQUES}
