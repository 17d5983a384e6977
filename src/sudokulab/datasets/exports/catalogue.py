"""The formats of exports by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from sudokulab._internal.files import whole_folder
from sudokulab._internal.progress import progress_bar
from sudokulab._internal.suggestions import unknown_name
from sudokulab.datasets.checked_rows import box_of
from sudokulab.datasets.errors import DatasetError
from sudokulab.datasets.exports.hrm import write_hrm
from sudokulab.datasets.exports.huggingface import write_huggingface
from sudokulab.datasets.exports.npz import write_npz
from sudokulab.datasets.exports.source import Source
from sudokulab.datasets.exports.steps import write_steps
from sudokulab.datasets.exports.tables import write_csv, write_kaggle_csv, write_sudoku_extreme_csv
from sudokulab.datasets.folder import Dataset, open_dataset
from sudokulab.errors import ParameterError
from sudokulab.logic.selection import Techniques

__all__ = ["FORMATS", "MANIFEST", "export"]

FORMATS: dict[str, Callable[..., None]] = {
    "npz": write_npz,
    "csv": write_csv,
    "kaggle-csv": write_kaggle_csv,
    "sudoku-extreme-csv": write_sudoku_extreme_csv,
    "hrm": write_hrm,
    "steps": write_steps,
    "huggingface": write_huggingface,
}
"""The functions that write a data set to an empty folder."""

MANIFEST = "export.json"
"""The file of every export that states its format and its data set."""

_FORMAT_OF_OPTION = {"license": "huggingface", "techniques": "steps"}


def export(
    folder: str | Path,
    to: str,
    output: str | Path | None = None,
    *,
    force: bool = False,
    license: str | None = None,
    techniques: Techniques | None = None,
    progress: bool = False,
) -> Path:
    """Export a data set to a new folder, which appears only once it is complete.

    Every row is checked on the way: its grids have the size of the others, and its solution solves its puzzle. Rows
    keep their order.

    Parameters
    ----------
    folder
        The data set, made by `make`. If it has splits, these are exported.
    to
        The format: ``npz``, ``csv``, ``kaggle-csv``, ``sudoku-extreme-csv``, ``hrm``, ``steps`` or ``huggingface``.
    output
        The folder to write. Default: next to the data set, with the format appended to its name.
    force
        Whether to replace an earlier export.
    license
        For ``huggingface``: the license that the data card states, such as ``cc-by-4.0``.
    techniques
        For ``steps``: the techniques in the order to try them; see `sudokulab.explain`.
    progress
        Whether to show a progress bar on a terminal.

    Returns
    -------
    pathlib.Path
        The folder that was written.

    Raises
    ------
    DatasetError
        If the data set is missing or corrupt, or the output exists; the message names the file and the row.
    """
    if to not in FORMATS:
        raise ParameterError(unknown_name("format", to, FORMATS))
    options = {"license": license, "techniques": techniques}
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if _FORMAT_OF_OPTION[name] != to:
            raise ParameterError(f"{name}: applies only to the format {_FORMAT_OF_OPTION[name]}")
    dataset = open_dataset(folder)
    target = Path(folder).resolve().with_name(f"{Path(folder).resolve().name}-{to}") if output is None else Path(output)
    num_rows = sum(dataset.num_rows.values())
    with whole_folder(target) as part, progress_bar("exporting", num_rows, is_shown=progress) as update:
        _check_target(target, force)
        num_done = 0

        def count(number: int) -> None:
            nonlocal num_done
            num_done += number
            update(num_done)

        FORMATS[to](Source(dataset, box_of(dataset), count), part, **given)
        _write_manifest(part / MANIFEST, dataset, to)
    return target


def _check_target(target: Path, force: bool) -> None:
    """Refuse to replace anything but an earlier export, and that only if asked to."""
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / MANIFEST).is_file():
        raise DatasetError(f"{target}: already exists and is not an export; choose another output")
    if not force:
        raise DatasetError(f"{target}: already exists; --force (force=True) replaces it")


def _write_manifest(path: Path, dataset: Dataset, to: str) -> None:
    manifest = {"format": to, "dataset": dataset.description}
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
