"""The data card of a data set: metadata in YAML for the Hugging Face Hub, then Markdown for readers."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from sudokulab import __version__
from sudokulab.datasets.columns import SCHEMA

__all__ = ["COLUMNS", "Card", "Range", "Split", "card_text"]

COLUMNS = {
    "puzzle": "one symbol per cell, row by row, `.` for a blank",
    "solution": "the solution in the same form",
    "box": "rows and columns of a box, such as `3x3`",
    "num_givens": "number of givens",
    "is_unique": "whether the puzzle has exactly one solution; missing for kinds that may have several",
    "is_minimal": "whether every given is necessary for a unique solution",
    "puzzle_class": "hash that puzzles share if they are equivalent, and hardly ever otherwise: equal "
    "up to symmetries of the grid and relabelled digits",
    "solution_class": "the same for solutions",
    "se": "rating of Sudoku Explainer (ER)",
    "hardest_technique": "hardest technique that `sudokulab explain` needs",
    "level": "level by the ten rules of San Segundo and Jiménez",
    "trial_depth": "depth of trial and error; missing above 3",
    "search_nodes": "nodes of a backtracking search",
    "seed": "seed of the generator",
    "index": "number of the puzzle among the puzzles of its seed",
    "version": "version of Sudokulab",
    "recipe": "hash of the recipe",
}
_NUMBERS = ("num_givens", "se", "trial_depth", "search_nodes")
_DTYPES = {"float": "float32", "double": "float64"}  # names that differ between Arrow and the Hub
_UNITS = ["", "K", "M", "B", "T"]


@dataclass
class Range:
    """The values of a column: their number, sum, least and greatest."""

    count: int = 0
    total: float = 0.0
    least: float = math.inf
    greatest: float = -math.inf

    def add(self, column: pa.ChunkedArray) -> None:
        """Include the values of a column that are not missing."""
        count = len(column) - column.null_count
        if count:
            ends = pc.min_max(column).as_py()
            self.count += count
            self.total += pc.sum(column).as_py()
            self.least, self.greatest = min(self.least, ends["min"]), max(self.greatest, ends["max"])


@dataclass
class Split:
    """Statistics of a split, table by table."""

    num_rows: int = 0
    num_minimal: int | None = None  # None if it is not known of any row
    ranges: dict[str, Range] = field(default_factory=lambda: {name: Range() for name in _NUMBERS})
    levels: Counter[str] = field(default_factory=Counter)

    def add(self, table: pa.Table) -> None:
        """Include the rows of a table."""
        self.num_rows += table.num_rows
        number = pc.sum(table["is_minimal"]).as_py()
        self.num_minimal = number if self.num_minimal is None else self.num_minimal + (number or 0)
        for name, values in self.ranges.items():
            values.add(table[name])
        self.levels.update(table["level"].drop_null().to_pylist())


@dataclass(frozen=True)
class Card:
    """What a data card states.

    Parameters
    ----------
    title
        The heading.
    box
        The box shape of all puzzles.
    description
        The contents of ``dataset.json``.
    splits
        The statistics of the splits by name.
    license
        The license; None if the author has not chosen one.
    """

    title: str
    box: str
    description: Mapping[str, object]
    splits: Mapping[str, Split]
    license: str | None


def card_text(card: Card) -> str:
    """Return the card as Markdown with metadata in front."""
    size = math.prod(map(int, card.box.split("x")))
    num_rows = sum(split.num_rows for split in card.splits.values())
    columns = [(f"`{field.name}`", _dtype(field.type), COLUMNS[field.name]) for field in SCHEMA]
    return f"""---
{_metadata(card, num_rows)}---

# {card.title}

{num_rows:,} Sudoku puzzles of {size}×{size} cells with boxes of {card.box}, each with its solution. Made with
Sudokulab.

```python
from datasets import load_dataset

puzzles = load_dataset("path/to/this/folder")
```

## Columns

Ratings are missing unless the recipe asks for them. Classes are missing above 16×16.

{_table(["column", "type", "meaning"], columns)}
## How it was made

`sudokulab dataset make` made the puzzles from this recipe, and `sudokulab dataset export` (version {__version__}) wrote
these files. The same recipe, seed and version give the same puzzles.

```json
{json.dumps(card.description, indent=2, ensure_ascii=False)}
```

## Checks

Each solution was checked during export: it keeps the givens and has every digit once per row, column and box.
`sudokulab dataset audit data/*.parquet` checks that every puzzle has a unique solution, and looks for duplicates and
for equivalent puzzles in different splits.

## Statistics

{_table(["split", "puzzles", "minimal"], _sizes(card))}
{_table(["split", "column", "values", "least", "mean", "greatest"], _ranges(card))}
{_levels(card)}## License

{card.license or "The author has not chosen a license yet."}
"""


def _metadata(card: Card, num_rows: int) -> str:
    lines = ["pretty_name: " + json.dumps(card.title, ensure_ascii=False)]
    lines += [f"license: {json.dumps(card.license)}"] if card.license else []
    lines += ["size_categories:", f"- {_size_category(num_rows)}", "tags:", "- sudoku", "- sudokulab"]
    lines += ["configs:", "- config_name: default", "  data_files:"]
    for name in card.splits:
        lines += [f"  - split: {name}", f"    path: data/{name}-*"]
    lines += ["dataset_info:", "  features:"]
    for column in SCHEMA:
        lines += [f"  - name: {column.name}", f"    dtype: {_dtype(column.type)}"]
    return "\n".join(lines) + "\n"


def _dtype(kind: pa.DataType) -> str:
    return _DTYPES.get(str(kind), str(kind))


def _size_category(num_rows: int) -> str:
    """Return the category of the Hub.

    Examples
    --------
    >>> [_size_category(number) for number in (999, 1_000, 250_000, 10_000_000)]
    ['n<1K', '1K<n<10K', '100K<n<1M', '10M<n<100M']
    """
    if num_rows < 1_000:
        return "n<1K"
    exponent = len(str(num_rows)) - 1
    low, high = (f"{10 ** (power % 3)}{_UNITS[power // 3]}" for power in (exponent, exponent + 1))
    return f"{low}<n<{high}"


def _sizes(card: Card) -> Iterable[tuple[object, ...]]:
    for name, split in card.splits.items():
        share = "–" if split.num_minimal is None else f"{split.num_minimal / max(1, split.num_rows):.1%}"
        yield name, f"{split.num_rows:,}", share


def _ranges(card: Card) -> Iterable[tuple[object, ...]]:
    for name, split in card.splits.items():
        for column, values in split.ranges.items():
            if values.count:
                ends = (f"{end:,.4g}" for end in (values.least, values.total / values.count, values.greatest))
                yield name, f"`{column}`", f"{values.count:,}", *ends


def _levels(card: Card) -> str:
    levels = sum((split.levels for split in card.splits.values()), Counter())
    if not levels:
        return ""
    rows = [(name, *(f"{split.levels[level]:,}" for level in levels)) for name, split in card.splits.items()]
    return _table(["split", *levels], rows) + "\n"


def _table(header: list[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
