"""One specification of generated puzzles, and everything that is derived from its fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from typer.main import get_command

from sudokulab import BoxShape, ParameterError, Puzzle, generate, generate_array
from sudokulab.cli import app
from sudokulab.datasets import Part
from sudokulab.instances import Kind, PuzzleSpec, SpecError
from sudokulab.instances.spec import field_schemas
from sudokulab.lab.specs import Generation
from sudokulab.logic import Level
from sudokulab.web.schemas import GenerateRequest
from tests.cases import for_each

FIGURE = "X...X...X .X..X..X. ..X.X.X.. ...XXX... XXXX.XXXX ...XXX... ..X.X.X.. .X..X..X. X...X...X"

GOLDEN: list[tuple[dict[str, Any], str]] = [
    ({}, "..32...1..854......42.....6...8.67.........31..9..4..5...3.98.......5.7.....8...2"),
    ({"size": 6, "box": "3x2"}, "...2.4........14.2.3....4.........56"),
    ({"symmetry": "half-turn"}, "6.3.5...81....392..4.9..3..2......49.........36......5..7..9.6..286....34...8.5.2"),
    ({"level": "hard"}, "59..3......3.8.6...2.....79....93..21.86.4...................5.2..1.8.4....27...8"),
    ({"technique": "HP"}, "........3....5.98...419..2.6..5..3..31..2......53.4..81...6.57.......8.2...7....."),
    ({"se": 2.6}, "7.......96..3.48....5..........1.3.5..........5..78.2.9...2..3..2....5.7.7...168."),
    ({"bias": "controlled", "size": 4}, "...3.1....34...."),
    (
        {"size": 9, "fixed": 0.4, "kind": "unique"},
        "..32...1.1854......429....6...8.674....59..31.69..4..55.73.98.......5.7.....8...2",
    ),
    ({"fixed": 0.45}, "9.3....6...1839...2..416...18....724.3.798..6.7....9....7...64..253.1..7.9467...1"),
    (
        {"kind": "shuffled-root", "fixed": 0.45},
        "1.2...5.67985..2.3..52...7..5.19.7..6.....192.2.7...352.3.81.5..76.....18.9...3.4",
    ),
    ({"kind": "full"}, "943257168761839452258416379189563724432798516576124983317982645625341897894675231"),
    (
        {"kind": "past-rules", "extra": 2, "failures": 5},
        ".4.257...76........58...3.9...563.....2...51.5.6.24.8.3..98...56......9.8....5.3.",
    ),
]
"""Specifications, with the puzzle of seed 7 and index 2 that each of them has always meant."""


@for_each(("fields", "line"), GOLDEN)
def test_a_specification_always_means_the_same_puzzles(fields: dict[str, Any], line: str) -> None:
    (puzzle,) = generate(1, PuzzleSpec(**fields), seed=7, first=2)
    assert puzzle.line == line


def test_fields_are_accepted_in_every_usual_form() -> None:
    for fields in ({"size": 6, "box": "3x2"}, {"box": (3, 2)}, {"box": [3, 2]}, {"box": BoxShape(3, 2)}):
        assert PuzzleSpec(**fields) == PuzzleSpec(box="3x2")
    assert PuzzleSpec(size=np.int64(16)) == PuzzleSpec(box=16) == PuzzleSpec(box="4x4")
    assert PuzzleSpec(level="Very-Hard").level is PuzzleSpec(level=Level.VERY_HARD).level
    assert PuzzleSpec(se=7).se == (7.0, 7.0)
    assert PuzzleSpec(se="7.0-7.2") == PuzzleSpec(se=[7.0, 7.2]) == PuzzleSpec(se=(7.0, 7.2))
    assert PuzzleSpec(technique="NP, HT").technique == PuzzleSpec(technique=["NP", "HT"]).technique == ("NP", "HT")
    pattern = PuzzleSpec(pattern=FIGURE).pattern
    assert pattern == "".join(FIGURE.split())
    assert PuzzleSpec(pattern=pattern.replace("X", "5").replace(".", "0")) == PuzzleSpec(pattern=pattern)


def test_a_pattern_brings_its_box_shape() -> None:
    grid = Puzzle(bytes(range(1, 7)) * 6, BoxShape(3, 2))
    assert PuzzleSpec(pattern=grid).box == BoxShape(3, 2)


def test_derived_fields_are_never_missing() -> None:
    spec = PuzzleSpec(fixed=0.4)
    assert (spec.kind, spec.size, spec.box, spec.num_givens) == (Kind.FIXED, 9, BoxShape(3, 3), 32)
    assert PuzzleSpec(fixed=0.4, kind="unique").num_givens == 32
    assert PuzzleSpec(pattern=FIGURE).num_givens == 32


@for_each("fields", [fields for fields, _ in GOLDEN])
def test_a_specification_survives_json(fields: dict[str, Any]) -> None:
    spec = PuzzleSpec(**fields)
    assert PuzzleSpec.model_validate_json(spec.model_dump_json()) == spec
    assert PuzzleSpec.model_validate_json(spec.model_dump_json(exclude_unset=True)) == spec


@for_each(
    ("fields", "message"),
    [
        ({"givens": 16}, "givens: 16; choose 17 to 81: no 9×9 puzzle with fewer is unique"),
        ({"givens": 82}, "givens: 82; choose 17 to 81: a 9×9 grid has no more cells"),
        ({"givens": 14, "box": 16}, "givens: 14; choose 15 to 256"),
        ({"givens": 99, "box": 16, "symmetry": "half-turn"}, "givens: 99; choose 98 or 100: symmetry 'half-turn' excl"),
        ({"givens": 41, "minimal": True}, "givens: 41; choose at most 40: no minimal 9×9 with more givens is known"),
        ({"givens": 40, "fixed": 0.5, "kind": "unique"}, "givens: 40, but `fixed` also sets the number of givens"),
        ({"givens": "30"}, "givens: '30'; choose an integer"),
        ({"givens": True}, "givens: True; choose an integer"),
        ({"fixed": 1.5}, "fixed: 1.5; choose at most 1"),
        ({"fixed": 0.1, "kind": "unique"}, "fixed: 8 givens; choose 17 to 81"),
        ({"pattern": FIGURE, "symmetry": "quarter-turn", "givens": 30}, "givens: 30; remove it: the pattern has 32"),
        ({"pattern": FIGURE, "kind": "unique", "fixed": 0.5}, "fixed: 0.5; remove it: the pattern has 32 givens"),
        ({"pattern": "X" * 40 + "." * 41, "symmetry": "half-turn"}, "pattern: not symmetric under 'half-turn'"),
        ({"pattern": "X" * 45 + "." * 36}, "pattern: fill a cell in rows 7 or 8: they can be swapped"),
        ({"pattern": "XXXXXXX.." * 9}, "pattern: fill a cell in columns 8 or 9"),
        ({"pattern": ("X" + "." * 9) * 8 + "X"}, "pattern: 9 givens; choose 17 to 81"),
        ({"pattern": "X" * 81, "minimal": True}, "pattern: 81 givens; choose at most 40: no minimal 9×9"),
        ({"pattern": "X" * 80}, "pattern: 80 cells; write 81: . or 0 for each blank, X for each given"),
        ({"pattern": 3}, "pattern: 3; choose text"),
        ({"box": 4, "givens": 7, "minimal": True}, "givens: 7; choose at most 6: no minimal 4×4"),
        ({"box": 9, "size": 16}, "size: 16, but 3x3 boxes need size 9; remove one of the two"),
        ({"size": 7}, "size: 7; choose 4 to 64, but not a prime: boxes need at least two rows and two columns"),
        ({"box": "wide"}, "box: 'wide' is not a box shape; use rows and columns such as 3x4"),
        ({"givens": 81, "level": "hard"}, "givens: 81; choose fewer: a full grid needs no techniques"),
        ({"without": "NS,HS"}, "without: NS,HS; keep naked or hidden singles: no other technique fills a cell"),
        (
            {"level": "easy", "technique": "NQ"},
            "level: 'easy'; choose 'very-hard': easier puzzles never need naked-quad",
        ),
        ({"technique": "x-wing", "level": "hard"}, "level: 'hard'; choose 'beyond': easier puzzles never need x-wing"),
        ({"level": "beyond", "technique": "NP"}, "technique: naked-pair; remove it: the rules do not solve puzzles of"),
        ({"level": "medium", "without": "BRC,RCB"}, "level: 'medium' needs one of the rules BRC, RCB; remove one of"),
        ({"level": "gentle"}, "level: unknown value 'gentle' (known: easy, medium, hard, very-hard, beyond)"),
        ({"symmetry": "spiral"}, "symmetry: unknown value 'spiral' (known: none, half-turn"),
        ({"kind": "killer"}, "(known: unique, full, fixed, shuffled-root, past-rules); variants such as killer are"),
        ({"technique": "NP", "without": "NP"}, "technique: naked-pair; remove it here or in `without`"),
        ({"technique": "last-digit"}, "technique: last-digit; choose hidden single, which always does the same"),
        ({"technique": "junior-exocet", "box": 16}, "technique: junior-exocet; choose 3x3 boxes instead of 4x4"),
        ({"technique": "x-wing", "box": 36}, "technique: x-wing; choose at most size 25 instead of 36"),
        ({"technique": "XW"}, "technique: unknown technique 'XW'; did you mean 'x-wing'?"),
        ({"technique": 3}, "technique: 3; write names of techniques such as singles,x-wing"),
        ({"se": (7.2, 7.0)}, "se: (7.2, 7.0); choose a number or a range such as 7.0-7.2, from 1.0 to 12.0"),
        ({"se": (7.01, 7.09)}, "se: (7.01, 7.09); choose a number or a range"),
        ({"se": "hard"}, "se: 'hard'; choose a number or a range"),
        ({"se": (7.0, 7.1, 7.2)}, "se: (7.0, 7.1, 7.2); choose a number or a range"),
        ({"se": ()}, "se: (); choose a number or a range"),
        ({"se": 13.0}, "se: 13.0; choose a number or a range"),
        ({"se": 7.0, "box": 36}, "se: 7.0-7.0; remove it: only grids up to size 25 are rated, not 36"),
        ({"kind": "full", "level": "easy"}, "level: 'easy'; remove it, because it applies to kind unique, not full"),
        ({"fixed": 0.5, "minimal": True}, "minimal: True; remove it, because it applies to kind unique, not fixed"),
        (
            {"kind": "full", "fixed": 0.5},
            "fixed: 0.5; remove it, because it applies to kind unique or fixed or shuffled-root",
        ),
        ({"kind": "shuffled-root"}, "fixed: missing; kind shuffled-root needs it"),
        ({"stop": "unique"}, "stop: 'unique'; remove it, because it applies to kind past-rules, not unique"),
        ({"kind": "past-rules", "stop": "never"}, "stop: 'never'; choose 'failures', 'minimal' or 'unique'"),
        ({"kind": "past-rules", "failures": 0}, "failures: 0; choose at least 1"),
        ({"kind": "past-rules", "stop": "unique", "extra": 2}, "extra: 2 with stop='unique'"),
        ({"gives": 30}, "unknown field 'gives'; did you mean 'givens'?"),
        ({"givens": "many", "level": "gentle"}, "givens: 'many'; choose an integer"),
    ],
)
def test_errors_name_the_field_its_value_and_what_to_change(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        PuzzleSpec(**fields)
    assert message in str(caught.value)


def test_a_specification_or_its_fields_are_passed_but_not_both() -> None:
    with pytest.raises(ParameterError, match="givens: pass either a specification or its fields, not both"):
        generate(1, PuzzleSpec(), givens=30)
    with pytest.raises(ParameterError, match="spec: 'hard', pass a PuzzleSpec, or its fields as keywords"):
        generate(1, "hard")  # type: ignore[arg-type]


def test_arrays_hold_only_puzzles_with_one_solution() -> None:
    with pytest.raises(ParameterError, match="kind: 'fixed', use generate"):
        generate_array(1, fixed=0.5)


def test_every_field_is_described() -> None:
    for name, schema in field_schemas().items():
        assert schema["description"].endswith("."), name
        assert schema["kinds"], name
        assert name in (PuzzleSpec.__doc__ or "")


def options_of_the_command() -> set[str]:
    command: Any = get_command(app)
    generate_command = command.get_command(None, "generate")
    return {str(parameter.name) for parameter in generate_command.params}


@for_each(
    "names",
    [
        options_of_the_command,
        lambda: set(Part.model_fields),
        lambda: set(Generation.model_fields),
        lambda: set(GenerateRequest.model_json_schema()["properties"]),
    ],
)
def test_every_way_to_ask_for_puzzles_has_every_field(names: Callable[[], set[str]]) -> None:
    assert set(PuzzleSpec.model_fields) <= names()
