"""Recipes of data sets, as plain data."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sudokulab._internal.documents import read_toml
from sudokulab._internal.native import checked_seed
from sudokulab._internal.suggestions import unknown_name
from sudokulab.datasets.errors import DatasetError
from sudokulab.instances.spec import PuzzleSpec, Seed
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.parameters import describe_errors

__all__ = ["Part", "Portion", "RatingName", "Recipe", "load_recipe"]

RatingName = Literal["se", "technique", "rules", "trial", "search"]
"""A rating: of Sudoku Explainer, the hardest technique, the level by the ten rules, the depth of trial and error, or
the nodes of a search."""

_MAX_ROWS = 2**40


@dataclass(frozen=True)
class Portion:
    """Consecutive puzzles of one specification and seed: `count` of them, from index `first` on."""

    spec: PuzzleSpec
    seed: int
    first: int
    count: int


class Part(PuzzleSpec):
    """Puzzles to one specification: the fields of `PuzzleSpec` and the following ones.

    Parameters
    ----------
    count
        Number of puzzles.
    balance
        A field and its values, such as ``{"level": ["easy", "hard"]}`` or ``{"se": [[1.0, 1.5], [6.5, 7.1]]}``. Each
        value gets an equal share of the puzzles; the first ones get one more if the number is not divisible.
    seed
        The random seed. Default: derived from the seed of the data set and the position of the part.
    """

    count: Annotated[int, Field(ge=1, le=_MAX_ROWS, strict=True)]
    balance: dict[str, Annotated[list[Any], Field(min_length=1)]] | None = None
    seed: Seed | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Check the specification, or each of a balanced part; this replaces the check of `PuzzleSpec`."""
        if self.balance is not None and len(self.balance) != 1:
            raise ValueError("balance: give one field and a list of its values")
        for name in self.balance or ():
            if name in self.model_fields_set:
                raise ValueError(f"{name}: given twice, by itself and in balance")
        list(self.portions(0))
        return self

    def portions(self, seed: int) -> Iterator[Portion]:
        """Yield the puzzles as one portion per specification; `seed` is the default seed."""
        given = {name: getattr(self, name) for name in self.model_fields_set - {"count", "balance", "seed"}}
        if self.balance is None:
            yield Portion(PuzzleSpec(**given), seed if self.seed is None else self.seed, 0, self.count)
            return
        ((name, values),) = self.balance.items()
        least, num_larger = divmod(self.count, len(values))
        for number, value in enumerate(values):
            own_seed = _derived(seed, number) if self.seed is None else self.seed
            count = least + (number < num_larger)
            if name == "seed":
                yield Portion(PuzzleSpec(**given), checked_seed(value), 0, count)
            else:
                yield Portion(PuzzleSpec(**{**given, name: value}), own_seed, 0, count)


class Recipe(BaseModel):
    """The recipe of a data set.

    Parameters
    ----------
    parts
        What it consists of, in this order.
    seed
        The same recipe and seed give the same puzzles.
    ratings
        The ratings to determine: ``se``, ``technique``, ``rules``, ``trial``, ``search``.
    shard_size
        Number of rows per shard, the unit of resuming and of work on a cluster.
    name
        A title, for reports and data cards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[Part, ...]
    seed: Annotated[int, Field(ge=0, lt=2**64, strict=True)] = 0
    ratings: tuple[RatingName, ...] = ()
    shard_size: Annotated[int, Field(ge=1, strict=True)] = 50_000
    name: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.parts:
            raise ValueError("parts: list at least one")
        shapes = {portion.spec.box for portion in self.portions()}
        if len(shapes) > 1:
            words = " and ".join(sorted(map(str, shapes)))
            raise ValueError(f"parts with {words} boxes; make one data set for each shape")
        sources = [(portion.spec, portion.seed) for portion in self.portions()]
        if any(source in sources[:number] for number, source in enumerate(sources)):
            raise ValueError("parts: two of them make the same puzzles; give them different seeds")
        (shape,) = shapes
        for rating in {"se", "technique"} & set(self.ratings):
            if shape.size > LARGEST_SIZE:
                raise ValueError(
                    f"ratings: {rating} works up to size {LARGEST_SIZE}, the puzzles have size {shape.size}"
                )
        return self

    @property
    def plain(self) -> dict[str, object]:
        """The recipe as plain data; its parts have the fields that were given."""
        parts = [part.model_dump(mode="json", exclude_unset=True) for part in self.parts]
        return {**self.model_dump(mode="json", exclude={"parts"}), "parts": parts}

    @property
    def hash(self) -> str:
        """A hash of everything that determines the rows."""
        data = {key: value for key, value in self.plain.items() if key != "name"}
        return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def num_rows(self) -> int:
        """The number of puzzles."""
        return sum(part.count for part in self.parts)

    @property
    def num_shards(self) -> int:
        """The number of shards."""
        return -(-self.num_rows // self.shard_size)

    def portions(self) -> Iterator[Portion]:
        """Yield the puzzles in order, as one portion per specification."""
        for number, part in enumerate(self.parts):
            yield from part.portions(_derived(self.seed, number))

    def shard(self, number: int) -> Iterator[Portion]:
        """Yield the puzzles of a shard, counted from 0."""
        begin, end = number * self.shard_size, (number + 1) * self.shard_size
        for portion in self.portions():
            first, last = max(begin, 0), min(end, portion.count)
            if first < last:
                yield replace(portion, first=first, count=last - first)
            begin, end = begin - portion.count, end - portion.count


def load_recipe(source: Mapping[str, object] | str | Path) -> Recipe:
    """Make a recipe from its fields, or read it from a TOML file.

    Raises
    ------
    DatasetError
        If a field is invalid; the message has one line per problem.
    """
    if isinstance(source, Mapping):
        return _recipe(source, "the recipe")
    try:
        fields = read_toml(source)
    except ValueError as error:
        raise DatasetError(str(error)) from None
    return _recipe(fields, str(source))


def _recipe(fields: Mapping[str, Any], name: str) -> Recipe:
    known = list(Recipe.model_fields)
    unknown = [f"{name}: {unknown_name('field', str(field), known)}" for field in fields if field not in known]
    try:
        if not unknown:
            return Recipe(**fields)
    except ValidationError as error:
        unknown = [f"{name}: {problem}" for problem in describe_errors(error)]
    raise DatasetError("\n".join(unknown))


def _derived(seed: int, number: int) -> int:
    """Return the seed of a part."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}".encode()).digest()[:8], "big")
