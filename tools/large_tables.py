"""Solve a large table in every form, and measure the CPU time per row and the memory.

    python -m tools.large_tables [--rows 10000000] [--folder FOLDER]

Exit code 0 if all puzzles are solved, the memory does not grow from a million rows (or a tenth of them) to all rows,
and writing or reading JSON lines takes at most three times the CPU time of text and 200 MB. Ten million rows need 6 GB
of disk.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from tests.memory import peak_megabytes

import sudokulab

__all__ = ["FORMS", "Pass", "complaints", "measure", "write_table"]

FORMS = {
    "text": ("txt", "txt"),
    "CSV": ("csv", "csv"),
    "Parquet": ("parquet", "parquet"),
    "text to JSON lines": ("txt", "jsonl"),
    "JSON lines": ("jsonl", "jsonl"),
}
"""The extensions of input and output."""

_SAMPLE = 10_000
_MOST_JSON_RATIO = 3.0
_MOST_JSON_MEGABYTES = 200.0
_GROWTH, _GROWTH_MEGABYTES = 1.1, 16.0  # the noise of peaks that do not depend on the number of rows


class Pass(NamedTuple):
    """The cost of solving a table."""

    form: str
    num_rows: int
    cpu_seconds: float
    megabytes: float

    @property
    def microseconds(self) -> float:
        """The CPU time per row."""
        return 1e6 * self.cpu_seconds / self.num_rows


def measure(form: str, num_rows: int, folder: Path) -> Pass:
    """Write a table, solve it into another file, and delete both."""
    source, target = (
        folder / f"{name}.{extension}" for name, extension in zip(("in", "out"), FORMS[form], strict=True)
    )
    write_table(source, num_rows)
    before = _children_seconds()
    done, megabytes = peak_megabytes("solve", source, "-o", target)
    seconds = _children_seconds() - before
    if done.returncode:
        raise SystemExit(f"{form}: {done.stderr}")
    source.unlink()
    target.unlink()
    return Pass(form, num_rows, seconds, megabytes)


def write_table(path: Path, num_rows: int) -> None:
    """Write puzzles with their numbers, of which no two are equal, in the format of the extension."""
    if path.suffix == ".parquet":
        schema = pa.schema({"id": pa.int64(), "puzzle": pa.string()})
        with pq.ParquetWriter(path, schema, compression="zstd") as table:
            for start, puzzles in _blocks(num_rows):
                numbers = range(start, start + len(puzzles))
                table.write_table(pa.table({"id": numbers, "puzzle": puzzles}, schema))
        return
    with path.open("w", encoding="ascii", newline="") as stream:
        if path.suffix == ".csv":
            csv.writer(stream).writerow(["id", "puzzle"])
        for start, puzzles in _blocks(num_rows):
            for number, puzzle in enumerate(puzzles, start):
                if path.suffix == ".txt":
                    stream.write(f"{puzzle}\n")
                elif path.suffix == ".csv":
                    stream.write(f"{number},{puzzle}\r\n")
                else:
                    stream.write(json.dumps({"id": number, "puzzle": puzzle}) + "\n")


def complaints(small: Sequence[Pass], large: Sequence[Pass]) -> Iterator[str]:
    """Yield what is wrong with the costs of all forms, on a smaller number of rows and on all rows."""
    for before, after in zip(small, large, strict=True):
        if after.megabytes > _GROWTH * before.megabytes + _GROWTH_MEGABYTES:
            growth = f"from {before.megabytes:.0f} MB to {after.megabytes:.0f} MB"
            yield f"{after.form}: memory grows {growth} from {before.num_rows:,} to {after.num_rows:,} rows"
    by_form = {one.form: one for one in large}
    text = by_form["text"]
    for one in (by_form["text to JSON lines"], by_form["JSON lines"]):
        ratio = one.cpu_seconds / text.cpu_seconds
        if ratio > _MOST_JSON_RATIO:
            yield f"{one.form}: {ratio:.1f} times the CPU time of text, more than {_MOST_JSON_RATIO:g}"
        if one.megabytes > _MOST_JSON_MEGABYTES:
            yield f"{one.form}: {one.megabytes:.0f} MB, more than {_MOST_JSON_MEGABYTES:.0f}"


def _blocks(num_rows: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the numbers of first rows and the puzzles from there: a sample, with its digits permuted in each block."""
    sample = sudokulab.generate_array(min(_SAMPLE, num_rows), seed=1).puzzles
    rng = np.random.default_rng(1)
    for start in range(0, num_rows, len(sample)):
        digits = np.concatenate([[0], 1 + rng.permutation(9)]).astype(np.uint8)
        yield start, sudokulab.as_strings(digits[sample[: num_rows - start]])


def _children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Measure all forms."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, help="number of rows (default: 10,000,000)")
    parser.add_argument("--folder", type=Path, help="folder for the tables (default: a temporary one)")
    options = parser.parse_args()
    passes: dict[int, list[Pass]] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for num_rows in (min(1_000_000, options.rows // 10), options.rows):
            print(f"{num_rows:,} rows")
            text: Pass | None = None
            for form in FORMS:
                one = measure(form, num_rows, Path(folder))
                text = text or one
                ratio = one.cpu_seconds / text.cpu_seconds
                print(
                    f"  {form:20} {one.microseconds:8.2f} µs per row {ratio:8.2f} {one.megabytes:6.0f} MB", flush=True
                )
                passes.setdefault(num_rows, []).append(one)
    found = list(complaints(*passes.values()))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
