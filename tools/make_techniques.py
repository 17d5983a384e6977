"""Write docs/techniques.md and its pictures: `python tools/make_techniques.py`.

The pictures show the boards in technique_examples.jsonl. `python tools/make_techniques.py --search [NAME]...` finds
such boards for all or some techniques in generated puzzles first. After adding a technique to the catalogue, run it
with the name of the technique.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rare_puzzles import RARE
from sudokulab import Budget, Puzzle, _core, generate, is_unique, logic, parse
from sudokulab._internal.native import native_budget, native_puzzle
from sudokulab.drawing import to_svg
from sudokulab.logic import FAMILIES, TECHNIQUES, Step, Technique
from sudokulab.logic.pictures import picture_of_step
from sudokulab.logic.steps import step_of
from sudokulab.logic.techniques import TECHNIQUES_BY_NAME

ROOT = Path(__file__).parents[1]
EXAMPLES = Path(__file__).with_name("technique_examples.jsonl")
PAGE = ROOT / "docs" / "techniques.md"
PICTURES = ROOT / "docs" / "techniques"

SEED = 17
MIN_PUZZLES, MAX_PUZZLES = 3000, 100_000
"""The search continues beyond the minimum for techniques without an example."""
MAX_RARE_PUZZLES = 20_000
"""The number of puzzles for each technique in `RARE`."""
ENOUGH = 40
"""The search for a technique ends after this many boards on which it is the easiest that applies, and others."""
BASICS = ("singles", "locked-candidates", "subsets")
ANYWHERE = ("franken-x-wing", "mutant-x-wing", "leviathan", "avoidable-rectangle-2")
"""Techniques that rarely occur, or never without basic ones. They are searched for on all boards."""


@dataclass(frozen=True)
class Example:
    """A board with a technique: the givens, the digits placed so far, and the candidates."""

    technique: Technique
    puzzle: Puzzle
    board: Puzzle
    candidates: NDArray[np.bool_]

    def steps(self) -> list[Step]:
        """Return all instances of the technique."""
        placed = [(cell, digit) for cell, digit in enumerate(self.board.cells) if digit and not self.puzzle.cells[cell]]
        masks = (self.candidates.reshape(len(self.board.cells), -1) @ (1 << np.arange(self.board.size))).tolist()
        limits = native_budget(Budget(seconds=10))
        found = _core.find_steps(native_puzzle(self.puzzle), masks, self.technique.name, placed, limits)
        return [step_of(step, self.board.size) for step in found]

    @cached_property
    def step(self) -> Step:
        """The smallest instance; of rare techniques the one with the most cells, because small ones hide the idea."""
        return min(self.steps(), key=fullness_of if self.technique.name in RARE else size_of)

    def to_line(self) -> str:
        cells = self.candidates.reshape(len(self.board.cells), -1)
        candidates = " ".join("".join(map(str, np.flatnonzero(digits) + 1)) for digits in cells)
        fields = {
            "technique": self.technique.name,
            "puzzle": self.puzzle.line,
            "board": self.board.line,
            "candidates": candidates,
        }
        return json.dumps(fields) + "\n"

    @classmethod
    def of_line(cls, line: str) -> Example:
        fields = json.loads(line)
        board = parse(fields["board"])
        candidates = np.zeros((board.size**2, board.size), dtype=bool)
        for cell, digits in enumerate(fields["candidates"].split(" ")):
            candidates[cell, [int(digit) - 1 for digit in digits]] = True
        technique = TECHNIQUES_BY_NAME[fields["technique"]]
        return cls(technique, parse(fields["puzzle"]), board, candidates.reshape((board.size,) * 3))


def size_of(step: Step) -> tuple[int, ...]:
    """Return what a reader has to look at: links, candidates and fins of the pattern, conclusions."""
    conclusions = len(step.placements) + len(step.eliminations)
    return len(step.links) + len(step.candidates) + len(step.fins), step.length, conclusions


def fullness_of(step: Step) -> tuple[int, ...]:
    """Return a key that is smallest for the most cells, with the most candidates."""
    return -len(step.cells), -len(step.candidates), *size_of(step)


def examples() -> dict[str, Example]:
    """Return the stored examples by technique."""
    found = map(Example.of_line, EXAMPLES.read_text(encoding="utf-8").splitlines()) if EXAMPLES.exists() else ()
    return {example.technique.name: example for example in found}


def boards(puzzle: Puzzle) -> Iterator[tuple[Puzzle, NDArray[np.bool_], Technique]]:
    """Yield the boards on the way to the solution, with the easiest technique that applies."""
    explanation = logic.explain(puzzle)
    for number, step in enumerate(explanation.steps):
        yield explanation.filled(number), explanation.states[number], step.technique


def search(wanted: list[Technique]) -> Iterator[Example]:
    """Yield the best example of each technique.

    If possible, no easier technique applies on the board. The smallest step counts, on a board that is neither nearly
    full nor nearly empty.
    """
    num_found = {(technique.name, is_easiest): 0 for technique in wanted for is_easiest in (False, True)}
    best: dict[str, tuple[tuple[int, ...], Example]] = {}
    for number, generated in enumerate(generate(MAX_PUZZLES, seed=SEED, minimal=True)):
        missing = [technique for technique in wanted if technique.name not in best]
        if number >= MIN_PUZZLES and not missing:
            break
        if number % 100 == 0:
            names = ", ".join(technique.name for technique in missing)
            print(f"{number} puzzles; no example of {names}", file=sys.stderr, flush=True)
        puzzle = Puzzle(generated.cells, generated.box)
        for board, candidates, easiest in boards(puzzle):
            for technique in wanted if number < MIN_PUZZLES else missing:
                kind = technique.name, technique == easiest
                if num_found[kind] == ENOUGH or not is_searched(technique, easiest):
                    continue
                example = Example(technique, puzzle, board, candidates)
                if steps := example.steps():
                    num_found[kind] += 1
                    crowding = abs(int(candidates.sum()) - 150)
                    size = (int(technique != easiest), *min(map(size_of, steps)), crowding)
                    if technique.name not in best or size < best[technique.name][0]:
                        best[technique.name] = size, example
    yield from (example for _, example in best.values())


def search_rare(technique: Technique) -> Example:
    """Return the example with the most cells of a technique that generated puzzles do not have.

    Among these, boards without basic steps are preferred, then boards without singles.
    """
    best: tuple[tuple[int, ...], Example] | None = None
    for number, puzzle in enumerate(RARE[technique.name]()):
        if number >= MAX_RARE_PUZZLES and best is not None:
            break
        if not Example(technique, puzzle, puzzle, logic.deduce(puzzle, []).candidates).steps() or not is_unique(puzzle):
            continue
        for board, candidates, easiest in boards(puzzle):
            example = Example(technique, puzzle, board, candidates)
            if steps := example.steps():
                basic = 0 if easiest.family not in BASICS else 1 if easiest.family != "singles" else 2
                num_cells, *rest = min(map(fullness_of, steps))
                size = (num_cells, basic, *rest)
                if best is None or size < best[0]:
                    best = size, example
    assert best is not None
    return best[1]


def is_searched(technique: Technique, easiest: Technique) -> bool:
    """Return whether to search for a technique on a board, given the easiest technique that applies there."""
    if technique.family in BASICS:
        return TECHNIQUES.index(technique) >= TECHNIQUES.index(easiest)
    return technique.name in ANYWHERE or easiest.family not in BASICS


def update_examples(names: list[str]) -> None:
    wanted = [TECHNIQUES_BY_NAME[name] for name in names] or list(TECHNIQUES)
    found = [search_rare(technique) for technique in wanted if technique.name in RARE]
    found += search([technique for technique in wanted if technique.name not in RARE])
    stored = examples() | {example.technique.name: example for example in found}
    lines = [stored[technique.name].to_line() for technique in TECHNIQUES if technique.name in stored]
    EXAMPLES.write_text("".join(lines), encoding="utf-8")


INTRODUCTION = """\
# Techniques

The techniques that `explain`, `hint` and `logic.steps` know, by family. Names of techniques and families can be used
wherever techniques are chosen: `sudokulab explain puzzle.txt --without uniqueness`. Techniques marked *on request* are
not tried by default. `sudokulab techniques` prints this list without pictures.

The pictures show the board before the step:

- Candidates of the pattern lie on a disc. Fins are ringed. Eliminated candidates are struck through, placed digits are
  bold or white on a dark disc.
- The cells of the pattern are shaded. Units are shaded lighter; of fish and locked candidates, base units are darker
  than cover units.
- Solid arrows are strong links: if the first candidate is false, the second is true. Dashed arrows are weak links: if
  the first candidate is true, the second is false. A frame contains the candidates of a group.
- Letters name sets of cells, or the colours of colouring.

This page and its pictures are generated by `python tools/make_techniques.py` from example boards in
`tools/technique_examples.jsonl`. The boards are taken from puzzles made with `sudokulab.generate`, or from full grids
around a rare pattern; the option `--search` finds them.
"""


def page() -> str:
    """Return the catalogue as Markdown."""
    text, stored = INTRODUCTION, examples()
    for family, idea in FAMILIES.items():
        techniques = [technique for technique in TECHNIQUES if technique.family == family]
        if techniques:
            text += f"\n## {family.replace('-', ' ').capitalize()}\n\n{idea}\n"
        for technique in techniques:
            text += entry(technique, stored.get(technique.name))
    return text


def entry(technique: Technique, example: Example | None) -> str:
    facts = [f"`{technique.name}`"]
    if technique.code:
        facts.append(f"rule `{technique.code}`")
    if technique.assumes_uniqueness:
        facts.append("assumes a unique solution")
    if not technique.is_default:
        facts.append("on request")
    text = f"\n### {technique.title}\n\n{' · '.join(facts)}\n\n{technique.idea}\n"
    if example is None:
        return text
    picture = f'<img src="techniques/{technique.name}.svg" width="400" alt="{technique.title}">'
    return f"{text}\n{picture}\n\n*{logic.describe(example.step, example.board)}*\n"


def picture(example: Example) -> str:
    """Return the picture of an example as SVG."""
    return to_svg(picture_of_step(example.step, example.board, example.candidates, givens=example.puzzle))


def update_page() -> None:
    PICTURES.mkdir(exist_ok=True)
    for name, example in examples().items():
        (PICTURES / f"{name}.svg").write_text(picture(example), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


def main() -> None:
    if sys.argv[1:2] == ["--search"]:
        update_examples(sys.argv[2:])
    update_page()


if __name__ == "__main__":
    main()
