"""Export of traced runs in the format of IOHprofiler, which IOHanalyzer reads.

Each solver has a folder with a ``.info`` file for each set of instances (a *function* in IOHprofiler), which names a
``.dat`` file for each number of cells (a *dimension*). The ``.dat`` file has a block for each run: a line of column
names, a line for each fall of the best cost, and one for the end of the run.

References
----------
.. [1] C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck, "IOHprofiler: a benchmarking and profiling tool for iterative
   optimization heuristics", arXiv:1810.05281 (2018).
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

from sudokulab._internal.files import whole_folder
from sudokulab.errors import SudokulabError
from sudokulab.lab.anytime import progress_of
from sudokulab.lab.store import Store

__all__ = ["write_iohprofiler"]

_COSTS = ("function evaluation", "current f(x)", "best-so-far f(x)", "current af(x)+b", "best af(x)+b")
_FURTHER = ("iterations", "moves", "seconds")
_HEADER = " ".join(f'"{name}"' for name in (*_COSTS, *_FURTHER))


def write_iohprofiler(store: Store, experiment: str, folder: str | Path) -> list[str]:
    """Write the traced runs of an experiment into a folder, and return the names of their solvers.

    Solvers that count no evaluations are left out.

    Raises
    ------
    SudokulabError
        If no run can be exported, or the folder contains files.
    """
    folder = Path(folder)
    progress = progress_of(store, experiment).filter(pl.col("evaluations") >= 1)
    if progress.is_empty():
        advice = "set trace = true in the experiment, or add --traces to compare"
        raise SudokulabError(f"{store.path}: no run of {experiment!r} has a trace with evaluations; {advice}")
    functions = {name: number for number, name in enumerate(progress["instance_set"].unique(maintain_order=True), 1)}
    instances = {name: number for number, name in enumerate(progress["instance"].unique(maintain_order=True), 1)}
    solvers = sorted(progress["solver"].unique())
    with whole_folder(folder) as part:
        if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
            raise SudokulabError(f"{folder}: exists; choose a new folder")
        for number, solver in enumerate(solvers, 1):
            own = part / f"{number:02}-{_file_name(solver)}"
            for (instance_set,), runs in progress.filter(solver=solver).group_by("instance_set", maintain_order=True):
                _write_function(own, solver, str(instance_set), functions[str(instance_set)], runs, instances)
    return solvers


def _write_function(
    folder: Path, solver: str, name: str, number: int, runs: pl.DataFrame, instances: dict[str, int]
) -> None:
    """Write the runs of a solver on a set of instances."""
    data = f"data_f{number}_{_file_name(name)}"
    (folder / data).mkdir(parents=True, exist_ok=True)
    lines = []
    for (size,), of_size in runs.group_by("size", maintain_order=True):
        dimension = int(str(size)) ** 2
        path = f"{data}/IOHprofiler_f{number}_DIM{dimension}.dat"
        ends = []
        with open(folder / path, "w", encoding="utf-8") as stream:
            for (instance, _), run in of_size.group_by("instance", "run", maintain_order=True):
                stream.write(f"{_HEADER}\n")
                for row in run.iter_rows(named=True):
                    costs = (row["cost"], row["best_cost"]) * 2
                    further = (row[name] if row[name] is not None else 0 for name in _FURTHER)
                    values = [f"{row['evaluations']:.0f}", *(f"{value:.10g}" for value in (*costs, *further))]
                    stream.write(" ".join(values) + "\n")
                ends.append(f"{instances[str(instance)]}:{row['evaluations']:.0f}|{row['best_cost']:g}")
        lines += [
            f'suite = "sudokulab", funcId = {number}, funcName = "{_quotable(name)}", DIM = {dimension}, '
            f'maximization = "F", algId = "{_quotable(solver)}"',
            "%",
            ", ".join([path, *ends]),
        ]
    information = folder / f"IOHprofiler_f{number}_{_file_name(name)}.info"
    information.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9.-]+", "-", text).strip("-.") or "unnamed"


def _quotable(text: str) -> str:
    """Return a text without the characters that separate the entries of a header."""
    return text.replace(",", ";").replace('"', "'").replace("=", ":")
