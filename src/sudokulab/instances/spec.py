"""The specification of generated puzzles: one table of fields.

The keywords of `generate`, the options of ``sudokulab generate``, the fields of data-set recipes and of the lab's
instance sets, the schema of the HTTP API and the form of the web page are all derived from this table.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache, partial
from typing import Annotated, Any, Self

import numpy as np
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic.config import JsonDict

from sudokulab._internal.arguments import is_integer
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError, PuzzleError
from sudokulab.instances.feasibility import check_feasible, rating_in_tenths
from sudokulab.instances.grids import Stop, check_stop
from sudokulab.instances.kinds import Bias, Kind
from sudokulab.instances.symmetries import Symmetry
from sudokulab.logic.selection import select_techniques
from sudokulab.logic.techniques import Level
from sudokulab.parameters import describe_errors
from sudokulab.puzzle import MAX_SIZE, BoxShape, Puzzle

__all__ = ["PuzzleSpec", "Seed", "SpecError", "field_schemas"]

_LOWEST_ER, _HIGHEST_ER = 1.0, 12.0
_MAX_NAME = 100
_MAX_NAMES = 200  # of techniques in a list
_MAX_PATTERN = 10_000  # characters, with blanks between the cells
_UNIQUE = (Kind.UNIQUE,)
_FRACTION = (Kind.FIXED, Kind.SHUFFLED_ROOT)
_PAST_RULES = (Kind.PAST_RULES,)


class SpecError(ParameterError):
    """A specification that no puzzle can meet. The message names the field, its value and what to change."""


def _plain(value: object) -> object:
    return value.item() if isinstance(value, np.generic) else value


def _choice(kind: type[Enum]) -> BeforeValidator:
    """Return a validator that accepts the values of an enumeration in any case."""

    def member(value: object) -> Enum:
        try:
            return kind(value.strip().lower() if isinstance(value, str) else value)
        except ValueError:
            note = "; variants such as killer are not supported" if kind is Kind else ""
            known = [member.value for member in kind]
            raise ValueError(unknown_name("value", str(value)[:_MAX_NAME], known) + note) from None

    return BeforeValidator(member)


def _box(value: BoxShape | tuple[int, int] | str) -> BoxShape:
    try:
        return BoxShape.of_size(int(value)) if is_integer(value) else BoxShape.of(value)
    except PuzzleError as error:
        raise ValueError(str(error)) from None


def _positions(pattern: object) -> object:
    """Return a pattern as text with ``X`` for each given and ``.`` for each blank."""
    if isinstance(pattern, Puzzle):
        return "".join("X" if digit else "." for digit in pattern.cells)
    if not isinstance(pattern, str):
        return pattern
    if len(pattern) > _MAX_PATTERN:
        raise ValueError(f"{len(pattern):,} characters; write at most {_MAX_PATTERN:,}")
    return "".join("." if char in ".0" else "X" for char in "".join(pattern.split()))


def _names(value: object, *, families: bool) -> tuple[str, ...]:
    """Return names of techniques, given as a list or as text with commas."""
    if not isinstance(value, str) and not (isinstance(value, Sequence) and all(isinstance(one, str) for one in value)):
        raise ValueError(f"{value!r}; write names of techniques such as singles,x-wing")
    names = [name.strip() for name in (value.split(",") if isinstance(value, str) else value)]
    if len(names) > _MAX_NAMES:
        raise ValueError(f"{len(names):,} names; write at most {_MAX_NAMES}")
    if any(len(name) > _MAX_NAME for name in names):
        raise ValueError(f"a name has more than {_MAX_NAME} characters; shorten it")
    select_techniques(names := [name for name in names if name], families=families)
    return tuple(dict.fromkeys(names))


def _rating_range(value: object) -> tuple[float, float]:
    """Return the lowest and the highest rating, given as a number, as two numbers or as text such as ``7.0-7.2``."""
    ends: object = re.split(r"-|–|,|\.\.", value) if isinstance(value, str) else value
    if not isinstance(ends, Sequence):
        ends = [ends]
    try:
        low, high = map(float, ends if len(ends) == 2 else [*ends, *ends])
        least, most = rating_in_tenths(low, high)
    except (OverflowError, TypeError, ValueError):
        least, most = 1, 0
    if not 10 * _LOWEST_ER <= least <= most <= 10 * _HIGHEST_ER:
        known = f"from {_LOWEST_ER} to {_HIGHEST_ER} in steps of 0.1"
        raise ValueError(f"{value!r}; choose a number or a range such as 7.0-7.2, {known}")
    return low, high


_PLAIN = BeforeValidator(_plain)
Whole = Annotated[int, Field(strict=True), _PLAIN]
Natural = Annotated[int, Field(strict=True, ge=0), _PLAIN]
Positive = Annotated[int, Field(strict=True, ge=1), _PLAIN]
Share = Annotated[float, Field(strict=True, ge=0, le=1), _PLAIN]
Flag = Annotated[bool, Field(strict=True), _PLAIN]
Box = Annotated[
    BoxShape,
    PlainValidator(_box),
    PlainSerializer(str, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "maxLength": 8}),
]
Rating = Annotated[
    tuple[float, float],
    BeforeValidator(_rating_range),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string"},
                {"type": "number"},
                {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            ],
        }
    ),
]
Techniques = Annotated[tuple[str, ...], BeforeValidator(partial(_names, families=False))]
TechniquesOrFamilies = Annotated[tuple[str, ...], BeforeValidator(partial(_names, families=True))]
Seed = Annotated[int, Field(strict=True, ge=0, lt=2**64), _PLAIN]
"""A random seed: the same seed gives the same puzzles."""


def _field(
    title: str,
    description: str,
    default: object = None,
    *,
    kinds: Sequence[Kind] = tuple(Kind),
    needed_by: Sequence[Kind] = (),
    meanings: Mapping[Enum | str, str] | None = None,
    examples: Sequence[object] = (),
    is_derived: bool = False,
) -> Any:
    """Return a row of the table.

    Parameters
    ----------
    title
        A label of few words.
    description
        One sentence, or two.
    default
        The value of a field that is not given.
    kinds, needed_by
        The kinds of puzzles that the field applies to, and those that cannot do without it.
    meanings
        What each value means, which ends the description.
    examples
        Typical values.
    is_derived
        Whether the default is derived from other fields.
    """
    values: JsonDict = {
        value.value if isinstance(value, Enum) else value: text for value, text in (meanings or {}).items()
    }
    extra: JsonDict = {"kinds": [kind.value for kind in kinds], "needed_by": [kind.value for kind in needed_by]}
    if values:
        extra["meanings"] = values
    return Field(
        title=title,
        description=" ".join([description, *(f"{value}: {text}." for value, text in values.items())]),
        json_schema_extra=extra,
        examples=list(examples) or None,
        **({"default_factory": lambda: None} if is_derived else {"default": default}),
    )


class PuzzleSpec(BaseModel):
    """A specification of generated puzzles: plain data, checked on construction.

    Raises
    ------
    SpecError
        If a field is unknown or out of range, or no puzzle can meet the specification.

    Examples
    --------
    >>> spec = PuzzleSpec(level="hard", symmetry="half-turn")
    >>> spec.kind, spec.box
    (<Kind.UNIQUE: 'unique'>, BoxShape(rows=3, cols=3))
    >>> PuzzleSpec(givens=16)
    Traceback (most recent call last):
        ...
    sudokulab.instances.spec.SpecError: givens: 16; choose 17 to 81: no 9×9 puzzle with fewer is unique
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Annotated[Kind, _choice(Kind)] = _field(
        "Kind",
        "Kind of puzzle (default: unique, or fixed if only a fraction is given).",
        meanings={
            Kind.UNIQUE: "exactly one solution",
            Kind.FULL: "a random grid without blanks",
            Kind.FIXED: "a fraction of a random grid (Lloyd & Amos)",
            Kind.SHUFFLED_ROOT: "the shuffled root grid, each cell kept at random (Lewis)",
            Kind.PAST_RULES: "blanked until the rules fail (San Segundo)",
        },
        is_derived=True,
    )
    size: Whole = _field("Size", f"Size of the grid: number of digits, 4 to {MAX_SIZE}. Default: 9.", is_derived=True)
    box: Box = _field("Boxes", "Box shape, for sizes with several (e.g. 3x4).", examples=["3x4"], is_derived=True)
    level: Annotated[Level, _choice(Level)] | None = _field(
        "Level (rules)", "Required level, by the ten rules.", kinds=_UNIQUE
    )
    givens: Natural | None = _field("Givens", "Number of givens. Default: as few as blanking reaches.", kinds=_UNIQUE)
    fixed: Share | None = _field(
        "Fraction of givens",
        "Fraction of cells that are givens.",
        kinds=(*_UNIQUE, *_FRACTION),
        needed_by=_FRACTION,
        examples=[0.45],
    )
    minimal: Flag = _field("Minimal", "Require that every given is necessary.", False, kinds=_UNIQUE)
    symmetry: Annotated[Symmetry, _choice(Symmetry)] = _field(
        "Symmetry", "Symmetry of the positions of the givens.", Symmetry.NONE, kinds=_UNIQUE
    )
    pattern: Annotated[str, BeforeValidator(_positions)] | None = _field(
        "Pattern of givens",
        "Positions of the givens: . or 0 for each blank cell, X for a given.",
        kinds=_UNIQUE,
    )
    technique: Techniques = _field(
        "Required techniques",
        "Required techniques, such as swordfish or NP,HT: the puzzle cannot be solved without any one of them.",
        (),
        kinds=_UNIQUE,
    )
    without: TechniquesOrFamilies = _field(
        "Excluded techniques", "Techniques or families to exclude, such as uniqueness.", (), kinds=_UNIQUE
    )
    se: Rating | None = _field(
        "Sudoku Explainer",
        "Rating of Sudoku Explainer (ER): a number or a range, such as 7.0-7.2.",
        kinds=_UNIQUE,
        examples=["7.0-7.2"],
    )
    bias: Annotated[Bias, _choice(Bias)] = _field(
        "Bias",
        "How puzzles are chosen.",
        Bias.TOP_DOWN,
        kinds=_UNIQUE,
        meanings={
            Bias.TOP_DOWN: "fast (the default)",
            Bias.CONTROLLED: "minimal puzzles, equally likely among those with the same number of givens",
        },
    )
    stop: Stop | None = _field(
        "Stop",
        "When blanking stops.",
        kinds=_PAST_RULES,
        meanings={
            "failures": "when the rules have failed several times (the default)",
            "minimal": "when every given is necessary for the rules",
            "unique": "when every given is also necessary for a unique solution",
        },
    )
    failures: Positive | None = _field("Failures", "Number of failures of the rules. Default: 15.", kinds=_PAST_RULES)
    extra: Natural | None = _field("Extra blanks", "Number of further cells to blank. Default: 1.", kinds=_PAST_RULES)

    def __init__(self, **fields: object) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise SpecError(". ".join(describe_errors(error))) from None

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, data: object) -> object:
        for name in data if isinstance(data, Mapping) else ():
            if name not in cls.model_fields:
                raise ValueError(unknown_name("field", str(name)[:_MAX_NAME], cls.model_fields))
        if isinstance(data, Mapping) and isinstance(pattern := data.get("pattern"), Puzzle):
            return {"box": pattern.box, **data}
        return data

    @model_validator(mode="after")
    def _derive(self) -> Self:
        """Fill in the fields that follow from others, so that no caller sees None."""
        kind = self.kind or (Kind.UNIQUE if self.fixed is None else Kind.FIXED)
        box = self.box or _box_of_size(9 if self.size is None else self.size)
        if self.size not in (None, box.size):
            raise ValueError(f"size: {self.size}, but {box} boxes need size {box.size}; remove one of the two")
        vars(self).update(kind=kind, box=box, size=box.size)  # unlike assignment, allowed in a frozen model
        return self

    @model_validator(mode="after")
    def _check(self) -> Self:
        self._check_kind()
        if self.kind is Kind.UNIQUE:
            check_feasible(self)
        if self.kind is Kind.PAST_RULES:
            check_stop(self.stop, self.failures, self.extra)
        return self

    def _check_kind(self) -> None:
        kind = self.kind.value
        for name, info in PuzzleSpec.model_fields.items():
            row: Any = info.json_schema_extra
            value = getattr(self, name)
            if kind in row["needed_by"] and value is None:
                raise ValueError(f"{name}: missing; kind {kind} needs it")
            if kind not in row["kinds"] and value != info.default:
                plain = value.value if isinstance(value, Enum) else value
                raise ValueError(
                    f"{name}: {plain!r}; remove it, because it applies to kind {' or '.join(row['kinds'])}, not {kind}"
                )

    @property
    def num_givens(self) -> int | None:
        """The required number of givens; None if any number will do."""
        if self.pattern is not None:
            return self.pattern.count("X")
        return self.givens if self.fixed is None else round(self.fixed * self.size**2)


def _parameters_section() -> str:
    """Return the table as the section of a docstring."""
    rows = (f"    {name}\n        {info.description}\n" for name, info in PuzzleSpec.model_fields.items())
    return f"    Parameters\n    ----------\n{''.join(rows)}\n"


PuzzleSpec.__doc__ = (PuzzleSpec.__doc__ or "").replace("    Raises\n", f"{_parameters_section()}    Raises\n", 1)


def _box_of_size(size: int) -> BoxShape:
    try:
        return BoxShape.of_size(size)
    except PuzzleError:
        raise ValueError(
            f"size: {size}; choose 4 to {MAX_SIZE}, but not a prime: boxes need at least two rows and two columns"
        ) from None


@cache
def field_schemas(cls: type[BaseModel] = PuzzleSpec) -> dict[str, dict[str, Any]]:
    """Return the row of each field as a flat JSON schema, also of models that extend the specification.

    Besides the keys of JSON schema, rows have ``kinds`` and ``needed_by``; see `Kind`.
    """
    schema = cls.model_json_schema()
    return {name: _flat(row, schema.get("$defs", {})) for name, row in schema["properties"].items()}


def _flat(row: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references, and without the alternative of a missing value."""
    given = [one for one in row.get("anyOf", ()) if one != {"type": "null"}]
    merged = {**given[0], **row} if len(given) == 1 else dict(row)
    if len(given) == 1:
        del merged["anyOf"]
    definition = definitions.get(merged.pop("$ref", "").rpartition("/")[2], {})
    return {key: value for key, value in {**definition, **merged}.items() if value is not None}
