"""Recipes of data sets, as plain data."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sudokulab._internal.suggestions import unknown_name
from sudokulab.datasets.errors import DatasetError
from sudokulab.instances.recipes import Recipe as PuzzleRecipe
from sudokulab.logic.techniques import LARGEST_SIZE
from sudokulab.parameters import describe_errors

__all__ = ["Part", "Portion", "RatingName", "Recipe", "load_recipe"]

RatingName = Literal["se", "technique", "rules", "trial", "search"]
"""A rating: of Sudoku Explainer, the hardest technique, the level by the ten rules, the depth of trial and error, or
the nodes of a search."""

_MAX_ROWS = 2**40


@dataclass(frozen=True)
class Portion:
    """Consecutive puzzles of one recipe: `count` of them, from index `first` on."""

    recipe: PuzzleRecipe
    first: int
    count: int


class Part(BaseModel):
    """Puzzles of one kind.

    Parameters
    ----------
    count
        Number of puzzles.
    balance
        A parameter and its values, such as ``{"level": ["easy", "hard"]}`` or ``{"se": [[1.0, 1.5], [6.5, 7.1]]}``.
        Each value gets an equal share of the puzzles; the first ones get one more if the number is not divisible.
    **wishes
        The parameters of ``sudokulab generate``; see `sudokulab.instances.recipes.Recipe`. Without a seed, each part
        has its own, derived from that of the data set.
    """

    model_config = ConfigDict(frozen=True, extra="allow")

    count: Annotated[int, Field(ge=1, le=_MAX_ROWS, strict=True)]
    balance: dict[str, Annotated[list[Any], Field(min_length=1)]] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.balance is not None and len(self.balance) != 1:
            raise ValueError("balance: expected one parameter and a list of its values")
        for name in self.balance or ():
            if name in self.wishes:
                raise ValueError(f"{name}: given twice, by itself and in balance")
        try:
            self.recipes(0)
        except ValidationError as error:
            raise ValueError("; ".join(describe_errors(error))) from None
        return self

    @property
    def wishes(self) -> dict[str, Any]:
        """The parameters of the puzzles, as they were given."""
        return dict(self.model_extra or {})

    def recipes(self, seed: int) -> list[tuple[PuzzleRecipe, int]]:
        """Return the recipes of the puzzles with their numbers; one recipe unless the part is balanced."""
        if self.balance is None:
            return [(PuzzleRecipe(**{"seed": seed, **self.wishes}), self.count)]
        ((name, values),) = self.balance.items()
        least, num_larger = divmod(self.count, len(values))
        return [
            (
                PuzzleRecipe(**{"seed": _derived(seed, number), **self.wishes, name: value}),
                least + (number < num_larger),
            )
            for number, value in enumerate(values)
        ]


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
            raise ValueError("parts: expected at least one")
        shapes = {portion.recipe.shape for portion in self.portions()}
        if len(shapes) > 1:
            words = " and ".join(sorted(map(str, shapes)))
            raise ValueError(f"parts with {words} boxes, expected one shape: make one data set for each")
        recipes = [portion.recipe for portion in self.portions()]
        if any(recipe in recipes[:number] for number, recipe in enumerate(recipes)):
            raise ValueError("parts: two of them make the same puzzles; give them different seeds")
        (shape,) = shapes
        for rating in {"se", "technique"} & set(self.ratings):
            if shape.size > LARGEST_SIZE:
                raise ValueError(
                    f"ratings: {rating} works up to size {LARGEST_SIZE}, the puzzles have size {shape.size}"
                )
        return self

    @property
    def hash(self) -> str:
        """A hash of everything that determines the rows."""
        data = self.model_dump(mode="json", exclude={"name"})
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
        """Yield the puzzles in order, as one portion per kind."""
        for number, part in enumerate(self.parts):
            for recipe, count in part.recipes(_derived(self.seed, number)):
                yield Portion(recipe, 0, count)

    def shard(self, number: int) -> Iterator[Portion]:
        """Yield the puzzles of a shard, counted from 0."""
        begin, end = number * self.shard_size, (number + 1) * self.shard_size
        for portion in self.portions():
            first, last = max(begin, 0), min(end, portion.count)
            if first < last:
                yield Portion(portion.recipe, first, last - first)
            begin, end = begin - portion.count, end - portion.count


def load_recipe(source: Mapping[str, Any] | str | Path) -> Recipe:
    """Make a recipe from its fields, or read it from a TOML file.

    Raises
    ------
    DatasetError
        If a field is invalid; the message has one line per problem.
    """
    if isinstance(source, Mapping):
        return _recipe(source, "the recipe")
    try:
        with Path(source).open("rb") as stream:
            return _recipe(tomllib.load(stream), str(source))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DatasetError(f"{source}: invalid TOML: {error}") from None


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
