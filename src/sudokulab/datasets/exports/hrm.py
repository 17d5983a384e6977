"""``hrm``: the folder of numpy arrays that the trainers of HRM and TRM read.

Each split is a folder with ``dataset.json``, which holds the metadata, and five arrays of the set ``all``. A token is 0
for padding, 1 for a blank, and the digit plus 1 otherwise. Trainers draw a group, then a puzzle of the group, then its
examples; here, each puzzle is a group of its own with one example. All puzzles share the identifier 0.

References
----------
G. Wang et al., "Hierarchical Reasoning Model", 2025, https://github.com/sapientinc/HRM.
A. Jolicoeur-Martineau, "Less is More: Recursive Reasoning with Tiny Networks", 2025,
https://github.com/SamsungSAILMontreal/TinyRecursiveModels.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.exports.npy import array_file
from sudokulab.datasets.exports.source import Source

__all__ = ["write_hrm"]

_PADDING = 0
_BLANK = 1
_IDENTIFIER = 0


def write_hrm(source: Source, output: Path) -> None:
    """Write a folder of arrays for each split.

    Raises
    ------
    DatasetError
        If the data set has no splits ``train`` and ``test``.
    """
    if not {"train", "test"} <= set(source.parts):
        folder = source.dataset.folder
        raise DatasetError(f"{folder}: hrm needs the splits train and test; `sudokulab dataset split` makes them")
    for part in source.parts:
        folder = output / part
        folder.mkdir()
        num_puzzles = _write_tokens(source, part, folder)
        boundaries = np.arange(num_puzzles + 1, dtype=np.int32)
        np.save(folder / "all__puzzle_indices.npy", boundaries)
        np.save(folder / "all__group_indices.npy", boundaries)
        np.save(folder / "all__puzzle_identifiers.npy", np.full(num_puzzles, _IDENTIFIER, np.int32))
        _write_json(folder / "dataset.json", _metadata(source.box.size, num_puzzles))
    _write_json(output / "identifiers.json", ["<blank>"])


def _write_tokens(source: Source, part: str, folder: Path) -> int:
    """Write puzzles and solutions as tokens, and return their number."""
    num_cells, num_puzzles = source.box.size**2, 0
    with (
        array_file(folder / "all__inputs.npy", np.uint8, num_cells) as inputs,
        array_file(folder / "all__labels.npy", np.uint8, num_cells) as labels,
    ):
        for block in source.blocks(part):
            inputs.append(block.puzzles + _BLANK)
            labels.append(block.solutions + _BLANK)
            num_puzzles += len(block.puzzles)
    return num_puzzles


def _metadata(size: int, num_puzzles: int) -> dict[str, object]:
    return {
        "seq_len": size**2,
        "vocab_size": size + 2,
        "pad_id": _PADDING,
        "ignore_label_id": _PADDING,
        "blank_identifier_id": _IDENTIFIER,
        "num_puzzle_identifiers": 1,
        "total_groups": num_puzzles,
        "mean_puzzle_examples": 1.0,
        "total_puzzles": num_puzzles,  # only TRM reads it
        "sets": ["all"],
    }


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")
