"""``steps``: one file of step-by-step solutions per part, as JSON lines."""

from __future__ import annotations

import json
from pathlib import Path

from sudokulab.datasets.exports.source import Source
from sudokulab.logic import Ending, Explanation, explain
from sudokulab.logic.selection import Techniques
from sudokulab.puzzle import Puzzle

__all__ = ["write_steps"]

_FIELDS = ("technique", "placements", "eliminations")


def write_steps(source: Source, output: Path, techniques: Techniques | None = None) -> None:
    """Write an object per puzzle: ``puzzle``, ``solution``, ``is_solved`` and ``steps``.

    A step has the fields ``technique``, ``placements`` and ``eliminations`` of `Step.to_dict`, and ``sentence``.

    Parameters
    ----------
    source
        The data set.
    output
        The folder to write to.
    techniques
        See `sudokulab.explain`. Puzzles that these do not solve have ``is_solved`` false, and the steps up to there.
    """
    for part in source.parts:
        with (output / f"{part}.jsonl").open("w", encoding="utf-8", newline="\n") as stream:
            for block in source.blocks(part):
                solutions = block.table["solution"].to_pylist()
                for cells, solution in zip(block.puzzles, solutions, strict=True):
                    found = explain(Puzzle(cells.tobytes(), source.box), techniques)
                    stream.write(json.dumps(_record(found, solution)) + "\n")


def _record(found: Explanation, solution: str) -> dict[str, object]:
    steps = []
    for step, sentence in zip(found.steps, found.sentences, strict=False):  # the last sentence belongs to no step
        values = step.to_dict()
        steps.append({**{name: values[name] for name in _FIELDS}, "sentence": sentence})
    is_solved = found.ending is Ending.SOLVED
    return {"puzzle": found.puzzle.line, "solution": solution, "is_solved": is_solved, "steps": steps}
