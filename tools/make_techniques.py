"""Write docs/reference/techniques.md and its pictures: `python -m tools.make_techniques`.

The pictures show the boards in src/sudokulab/logic/examples.jsonl. `python -m tools.make_techniques --search [NAME]...`
finds such boards for all or some techniques in generated puzzles first. After adding a technique to the catalogue, run
it with the name of the technique.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sudokulab import Budget, Puzzle, _core, generate, is_unique, logic, parse
from sudokulab._internal.native import candidate_masks, native_budget, native_puzzle
from sudokulab.drawing import to_svg
from sudokulab.logic import FAMILIES, TECHNIQUES, Step, Technique
from sudokulab.logic.pictures import picture_of_step
from sudokulab.logic.steps import step_of
from sudokulab.logic.techniques import TECHNIQUES_BY_NAME
from sudokulab.puzzle import NINE
from tools.rare_puzzles import RARE

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "src" / "sudokulab" / "logic" / "examples.jsonl"
PAGE = ROOT / "docs" / "reference" / "techniques.md"
PICTURES = ROOT / "docs" / "reference" / "techniques"

SEED = 17
MIN_PUZZLES, MAX_PUZZLES = 3000, 100_000
"""The search continues beyond the minimum for techniques without an example."""
NUM_REDUCED = 20
"""The number of ways to remove givens from each puzzle with a technique in `RARE`."""
ENOUGH = 40
"""The search for a technique ends after this many boards of each kind of `distraction`."""
BASICS = ("singles", "locked-candidates", "subsets")
ANYWHERE = ("franken-x-wing", "mutant-x-wing")
"""Techniques that never occur after the basic ones. They are searched for on all boards."""


def has_two_digits(step: Step) -> bool:
    return len(step.digits) > 1


def has_links_between_cells(step: Step) -> bool:
    """Return whether a chain of several digits has a strong link that is not inside a cell."""
    return has_two_digits(step) and any(link.is_strong and link.start[0] != link.end[0] for link in step.links)


def has_group(step: Step) -> bool:
    return any(len(node) > 1 and len({digit for _, digit in node}) == 1 for node in step.nodes)


def has_set(step: Step) -> bool:
    return any(len({digit for _, digit in node}) > 1 for node in step.nodes)


def is_in_one_unit(step: Step) -> bool:
    """Return whether the cells of a subset share only one unit; otherwise it would be a locked subset."""
    rows, columns, boxes = (set(units) for units in zip(*map(NINE.units_of, step.cells), strict=True))
    return len(boxes) > 1 or (len(rows) > 1 and len(columns) > 1)


def has_different_links(step: Step) -> bool:
    return has_two_digits(step) and len(set(step.links)) == len(step.links)


SHOWS: dict[str, Callable[[Step], bool]] = {
    "naked-pair": is_in_one_unit,
    "naked-triplet": is_in_one_unit,
    "continuous-nice-loop": has_links_between_cells,
    "discontinuous-nice-loop": has_links_between_cells,
    "alternating-inference-chain": has_links_between_cells,
    "grouped-continuous-nice-loop": has_group,
    "grouped-discontinuous-nice-loop": has_group,
    "grouped-alternating-inference-chain": has_group,
    "als-continuous-nice-loop": has_set,
    "als-discontinuous-nice-loop": has_set,
    "als-alternating-inference-chain": has_set,
    "y-cycle": has_two_digits,
    "xy-cycle": has_links_between_cells,
    "forcing-chain": has_two_digits,
    "fireworks": lambda step: len(step.digits) == 3,
    "junior-exocet": lambda step: len(step.cells) == 4,
    "nested-forcing-chains": has_different_links,
}
"""Conditions on an example: it has to show what distinguishes the technique from easier ones."""

LOCKED = ("pointing", "claiming")
FISH = ("x-wing", "swordfish", "jellyfish", "squirmbag", "whale", "leviathan")
EASIER: dict[str, tuple[str, ...]] = {
    "x-cycle": FISH,
    "xy-cycle": ("x-cycle", "y-cycle"),
    "forcing-chain": ("forcing-x-chain",),
    **{f"franken-{fish}": (*LOCKED, *FISH) for fish in FISH},
    **{f"mutant-{fish}": (*LOCKED, *FISH, f"franken-{fish}") for fish in FISH},
    **{f"finned-franken-{fish}": (*FISH, f"finned-{fish}", f"sashimi-{fish}") for fish in FISH},
    **{f"finned-mutant-{fish}": (*FISH, f"finned-franken-{fish}") for fish in FISH},
}
"""Easier techniques that must not make an elimination of the example."""

Board = tuple[Puzzle, NDArray[np.bool_]]
"""The digits placed so far, and the candidates."""


@dataclass(frozen=True)
class Example:
    """A board with a technique: the givens, the digits placed so far, and the candidates."""

    technique: Technique
    puzzle: Puzzle
    board: Puzzle
    candidates: NDArray[np.bool_]

    def steps(self) -> list[Step]:
        """Return the instances of the technique that satisfy `SHOWS` and `EASIER`."""
        name = self.technique.name
        found = self.instances(name)
        if found and name in SHOWS:
            found = [step for step in found if SHOWS[name](step)]
        if found and name in EASIER:
            removed = {gone for easier in EASIER[name] for step in self.instances(easier) for gone in step.eliminations}
            found = [step for step in found if removed.isdisjoint(step.eliminations)]
        return found

    def instances(self, name: str) -> list[Step]:
        """Return all instances of a technique on the board."""
        placed = [(cell, digit) for cell, digit in enumerate(self.board.cells) if digit and not self.puzzle.cells[cell]]
        limits = native_budget(Budget(seconds=10))
        found = _core.find_steps(native_puzzle(self.puzzle), candidate_masks(self.candidates), name, placed, limits)
        return [step_of(step, self.board.box) for step in found]

    @cached_property
    def step(self) -> Step:
        """The most instructive instance."""
        return min(self.steps(), key=self.effort)

    def effort(self, step: Step) -> tuple[int, ...]:
        """Return a key that is smallest for the most instructive step.

        Small steps are better, except of exotic techniques, where they hide the idea.
        """
        return fullness_of(step) if self.technique.family == "exotic" else size_of(step)

    def to_line(self) -> str:
        cells = self.candidates.reshape(len(self.board.cells), -1)
        candidates = " ".join("".join(map(str, np.flatnonzero(digits) + 1)) for digits in cells)
        fields = {
            "technique": self.technique.name,
            "puzzle": self.puzzle.line,
            "board": self.board.line,
            "candidates": candidates,
            "step": self.instances(self.technique.name).index(self.step),
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


def boards(puzzle: Puzzle, techniques: Sequence[str] | None = None) -> Iterator[tuple[Board, Technique | None]]:
    """Yield the open boards on the way to the solution, with the easiest technique that applies, if any."""
    explanation = logic.explain(puzzle, techniques)
    for number, candidates in enumerate(explanation.states):
        board = explanation.filled(number)
        if not board.is_full:
            easiest = explanation.steps[number].technique if number < len(explanation.steps) else None
            yield (board, candidates), easiest


def distraction(technique: Technique, easiest: Technique | None) -> int:
    """Return how much the easiest technique on a board distracts from another one: 3 for singles, 2 for basics."""
    if technique == easiest:
        return 0
    if easiest is None or easiest.family not in BASICS:
        return 1
    return 2 if easiest.family != "singles" else 3


def search(wanted: list[Technique]) -> Iterator[Example]:
    """Yield the best example of each technique.

    If possible, no easier technique applies on the board, at least no basic one, at least no single. The most
    instructive step counts, on a board that is neither nearly full nor nearly empty.
    """
    num_found: Counter[tuple[str, int]] = Counter()
    best: dict[str, tuple[tuple[int, ...], Example]] = {}
    for number, generated in enumerate(generate(MAX_PUZZLES, seed=SEED, minimal=True)):
        missing = [technique for technique in wanted if technique.name not in best]
        if number >= MIN_PUZZLES and not missing:
            break
        if number % 1000 == 0:
            names = ", ".join(technique.name for technique in missing)
            print(f"{number} puzzles; no example of {names}", file=sys.stderr, flush=True)
        puzzle = Puzzle(generated.cells, generated.box)
        for board, easiest in boards(puzzle):
            for technique in wanted if number < MIN_PUZZLES else missing:
                kind = technique.name, distraction(technique, easiest)
                is_worse = technique.name in best and best[technique.name][0][0] < kind[1]
                if is_worse or num_found[kind] == ENOUGH or not is_searched(technique, easiest):
                    continue
                example = Example(technique, puzzle, *board)
                if steps := example.steps():
                    num_found[kind] += 1
                    crowding = abs(int(example.candidates.sum()) - 150)
                    size = (kind[1], *min(map(example.effort, steps)), crowding)
                    if technique.name not in best or size < best[technique.name][0]:
                        best[technique.name] = size, example
    yield from (example for _, example in best.values())


def search_rare(technique: Technique) -> Example:
    """Return the best example of a technique that generated puzzles do not have, or only with basic ones."""
    best: tuple[tuple[int, ...], Example] | None = None
    suitable = (puzzle for puzzle in RARE[technique.name]() if has_technique(technique, puzzle))
    for number, full in enumerate(islice(suitable, ENOUGH)):
        for seed in range(NUM_REDUCED):
            puzzle = reduced(technique, full, random.Random(seed))
            for board, easiest in boards(puzzle, BASICS):
                example = Example(technique, puzzle, *board)
                rank = distraction(technique, easiest)
                if (best is None or rank <= best[0][0]) and (steps := example.steps()):
                    size = (rank, *min(map(example.effort, steps)))
                    if best is None or size < best[0]:
                        best = size, example
                        print(f"{number} puzzles; {technique.name}: {size}", file=sys.stderr, flush=True)
    assert best is not None
    return best[1]


def has_technique(technique: Technique, puzzle: Puzzle) -> bool:
    """Return whether a puzzle has a unique solution, and the technique at the start."""
    start = Example(technique, puzzle, puzzle, logic.deduce(puzzle, []).candidates)
    return bool(start.steps()) and is_unique(puzzle)


def reduced(technique: Technique, puzzle: Puzzle, rng: random.Random) -> Puzzle:
    """Return a puzzle with as few givens as `has_technique` allows, and so with few singles."""
    for cell in rng.sample(range(81), 81):
        fewer = Puzzle(puzzle.cells[:cell] + b"\0" + puzzle.cells[cell + 1 :], puzzle.box)
        if puzzle.cells[cell] and has_technique(technique, fewer):
            puzzle = fewer
    return puzzle


def is_searched(technique: Technique, easiest: Technique | None) -> bool:
    """Return whether to search for a technique on a board, given the easiest technique that applies there."""
    if technique.family in BASICS:
        return technique == easiest or not technique.is_default
    return technique.name in ANYWHERE or easiest is None or easiest.family not in BASICS


def update_examples(names: list[str]) -> None:
    wanted = [TECHNIQUES_BY_NAME[name] for name in names] or list(TECHNIQUES)
    found = [search_rare(technique) for technique in wanted if technique.name in RARE]
    if others := [technique for technique in wanted if technique.name not in RARE]:
        found += search(others)
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

This page and its pictures are generated by `python -m tools.make_techniques` from example boards in
`src/sudokulab/logic/examples.jsonl`. The boards are taken from puzzles made with `sudokulab.generate`, or from full
grids around a rare pattern; the option `--search` finds them.
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
