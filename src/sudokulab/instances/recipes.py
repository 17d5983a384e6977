"""Recipes for puzzles of any kind, as plain data; used by the command line and by experiments."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from sudokulab import _core
from sudokulab._internal.progress import track
from sudokulab.errors import SudokulabError
from sudokulab.formats.line import write_line
from sudokulab.instances.generator import NotFoundError, generate, generate_blocks
from sudokulab.instances.grids import Stop, check_stop, fixed_fraction, past_rules, random_grid, shuffled_root
from sudokulab.instances.spec import Bias, PuzzleSpec
from sudokulab.instances.symmetries import Symmetry
from sudokulab.logic.techniques import Level
from sudokulab.puzzle import BoxShape, Puzzle
from sudokulab.questions import as_strings
from sudokulab.search.budget import Budget

__all__ = ["Kind", "Recipe"]


_WISHES = ("minimal", "symmetry", "pattern", "level", "technique", "without", "se", "bias")
"""The parameters of a recipe that `PuzzleSpec` has, too, besides the number of givens."""


class Kind(Enum):
    """The kind of puzzle."""

    UNIQUE = "unique"
    """Puzzles with exactly one solution, to a specification; see `generate`."""
    FULL = "full"
    """Random grids without blanks; see `random_grid`."""
    FIXED = "fixed"
    """An exact fraction of a random grid; see `fixed_fraction`."""
    SHUFFLED_ROOT = "shuffled-root"
    """The root grid, shuffled, with each cell kept at random; see `shuffled_root`."""
    PAST_RULES = "past-rules"
    """Blanked until the rules fail several times, then further; see `past_rules`."""


class Recipe(BaseModel):
    """A recipe for puzzles; rejected immediately if no puzzle can meet it.

    Parameters
    ----------
    kind
        Default: unique puzzles, or `Kind.FIXED` if only a fraction is given.
    size, box
        The size (default: 9), or the box shape as text such as ``3x4``.
    fixed
        The fraction of cells that are givens.
    unique
        Whether the solution must be unique, even with `fixed`.
    givens, minimal, symmetry, pattern, level, technique, without, se, bias
        Parameters of unique puzzles; see `PuzzleSpec`.
    stop, failures, extra
        Parameters of `Kind.PAST_RULES`; see `past_rules`.
    seed
        The same seed gives the same puzzles.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind | None = None
    size: int | None = None
    box: str | None = None
    fixed: Annotated[float, Field(ge=0, le=1)] | None = None
    unique: bool = False
    givens: int | None = None
    minimal: bool = False
    symmetry: Symmetry = Symmetry.NONE
    pattern: str | None = None
    level: Level | None = None
    technique: str = ""
    without: str = ""
    se: float | tuple[float, float] | None = None
    bias: Bias = Bias.TOP_DOWN
    stop: Stop | None = None
    failures: Annotated[int, Field(ge=1)] | None = None
    extra: Annotated[int, Field(ge=0)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 0

    @field_validator("pattern")
    @classmethod
    def _strip(cls, pattern: str | None) -> str | None:
        return None if pattern is None else "".join(pattern.split())

    @model_validator(mode="after")
    def _check(self) -> Self:
        try:
            if self.chosen_kind is Kind.UNIQUE:
                self.spec()
                return self
            self.shape  # noqa: B018  # raises if it is invalid
        except SudokulabError as error:
            raise ValueError(str(error)) from None
        defaults = type(self).model_fields
        for name in ("unique", "givens", *_WISHES):
            if getattr(self, name) != defaults[name].default:
                raise ValueError(f"{name} applies only to unique puzzles, not to kind {self.chosen_kind.value}")
        needs_fixed = self.chosen_kind in (Kind.FIXED, Kind.SHUFFLED_ROOT)
        if needs_fixed != (self.fixed is not None):
            wanted = "needs fixed, a fraction from 0 to 1" if needs_fixed else "does not take fixed"
            raise ValueError(f"kind {self.chosen_kind.value} {wanted}")
        if self.chosen_kind is Kind.PAST_RULES:
            check_stop(self.stop, self.failures, self.extra)
        return self

    @property
    def chosen_kind(self) -> Kind:
        """The kind, with the default applied."""
        if self.kind is not None:
            return self.kind
        return Kind.FIXED if self.fixed is not None and not self.unique else Kind.UNIQUE

    @property
    def shape(self) -> BoxShape:
        """The box shape."""
        if self.box is None:
            return BoxShape.of_size(9 if self.size is None else self.size)
        shape = BoxShape.parse(self.box)
        if self.size is not None and self.size != shape.size:
            raise SudokulabError(f"size {self.size} with {shape} boxes, expected size {shape.size}")
        return shape

    def puzzles(
        self,
        count: int,
        *,
        first: int = 0,
        threads: int | None = None,
        budget: Budget | None = None,
        progress: bool = False,
    ) -> Iterator[Puzzle]:
        """Generate `count` puzzles starting at index `first`; see `generate`."""
        if self.chosen_kind is Kind.UNIQUE:
            spec = self.spec()
            return generate(count, spec, seed=self.seed, first=first, threads=threads, budget=budget, progress=progress)
        seeds = (_core.derive_seed(self.seed, number + 1) for number in range(first, first + count))
        deadline = time.monotonic() + budget.seconds if budget and budget.seconds is not None else math.inf
        found = self._until(deadline, seeds)
        return track(found, "generating", count) if progress else found

    def lines(
        self, count: int, *, threads: int | None = None, budget: Budget | None = None, progress: bool = False
    ) -> Iterator[str]:
        """Generate the same puzzles as text, one per line without its solution, in blocks as soon as they are found."""
        if self.chosen_kind is Kind.UNIQUE and self.shape == BoxShape.of_size(self.shape.size):
            spec = self.spec()
            for made in generate_blocks(count, spec, seed=self.seed, threads=threads, budget=budget, progress=progress):
                yield "".join(f"{text}\n" for text in as_strings(made.puzzles))
            return
        for puzzle in self.puzzles(count, threads=threads, budget=budget, progress=progress):
            yield f"{write_line(replace(puzzle, solution=None))}\n"

    def _until(self, deadline: float, seeds: Iterable[int]) -> Iterator[Puzzle]:
        for number, seed in enumerate(seeds):
            if time.monotonic() >= deadline:
                raise NotFoundError(f"time limit reached after {number:,} puzzles", None, 0)
            yield self._random(seed)

    def spec(self) -> PuzzleSpec:
        """Return the specification of unique puzzles."""
        givens = self.givens
        if self.fixed is not None:
            if givens is not None:
                raise SudokulabError("givens and fixed both set the number of givens, expected only one of them")
            givens = round(self.fixed * self.shape.size**2)
        wishes: dict[str, Any] = {name: getattr(self, name) for name in _WISHES}
        return PuzzleSpec(box=self.shape, givens=givens, **wishes)

    def _random(self, seed: int) -> Puzzle:
        match self.chosen_kind:
            case Kind.FULL:
                return random_grid(self.shape, seed=seed)
            case Kind.SHUFFLED_ROOT:
                return shuffled_root(self.shape, fixed=self.fixed or 0.0, seed=seed)
            case Kind.PAST_RULES:
                return past_rules(self.shape, stop=self.stop, failures=self.failures, extra=self.extra, seed=seed)
            case _:
                return fixed_fraction(self.shape, fixed=self.fixed or 0.0, seed=seed)
