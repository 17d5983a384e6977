"""``huggingface``: a folder for the Hugging Face Hub, with Parquet files and a data card."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sudokulab.datasets.columns import SCHEMA
from sudokulab.datasets.exports.card import Card, Split, card_text
from sudokulab.datasets.exports.source import Source
from sudokulab.datasets.folder import COMPRESSION, WHOLE, opened

__all__ = ["write_huggingface"]


def write_huggingface(source: Source, output: Path, license: str | None = None) -> None:
    """Write the shards of each split with all columns, and a card in ``README.md``.

    A data set without splits becomes the split ``train``.

    Parameters
    ----------
    source
        The data set.
    output
        The folder to write to.
    license
        The license to state in the card, such as ``cc-by-4.0``.
    """
    (output / "data").mkdir()
    splits = {}
    for part in source.parts:
        name = "train" if part == WHOLE else part
        splits[name] = _write_split(source, part, output / "data", name)
    description = source.dataset.description
    title = description.get("name") or source.dataset.folder.resolve().name
    card = Card(title, str(source.box), description, splits, license)
    (output / "README.md").write_text(card_text(card), encoding="utf-8")


def _write_split(source: Source, part: str, folder: Path, name: str) -> Split:
    split = Split()
    paths = source.dataset.shards[part]
    for number, path in enumerate(paths):
        table = pa.concat_tables([SCHEMA.empty_table(), *(block.table for block in source.blocks_of(path))])
        with opened(folder / f"{name}-{number:05}-of-{len(paths):05}.parquet", "wb") as file:
            pq.write_table(table, file, compression=COMPRESSION)
        split.add(table)
    return split
