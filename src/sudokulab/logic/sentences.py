"""Steps in words: the technique, the reason and the conclusion.

There is one function per family of techniques. A sentence needs the board before the step: a hidden single, for
example, names the digits that block the other cells.
"""

from __future__ import annotations

from collections.abc import Callable

from sudokulab.formats.coercion import PuzzleLike, as_puzzle
from sudokulab.logic.steps import Candidate, Link, Step
from sudokulab.logic.words import Words, join
from sudokulab.puzzle import Puzzle

__all__ = ["conclude", "describe"]


def describe(step: Step, board: PuzzleLike) -> str:
    """Describe in a sentence or two what a step does and why.

    Parameters
    ----------
    step
        The step.
    board
        The puzzle before the step: the givens and the digits placed so far.
    """
    words = Words(step, as_puzzle(board))
    describe_family = _BY_NAME.get(step.technique.name) or _BY_FAMILY[step.technique.family]
    return f"{step.technique.title}: {describe_family(words)}"


def conclude(step: Step) -> str:
    """Describe what a step does, without the reason."""
    return f"{step.technique.title}: {Words(step, Puzzle.empty(step.box)).conclusion}."


def _full_house(words: Words) -> str:
    (cell,), (unit,) = words.step.cells, words.step.units
    return f"{words.cell(cell)} is the last open cell of {unit}, so it must be {words.pattern_digits}."


def _hidden_single(words: Words) -> str:
    ((cell, digit),), unit = words.step.placements, words.step.units[0]
    board = words.board.cells
    others = [other for other, value in enumerate(board) if not value and other != cell and words.is_in(other, unit)]
    known = [place for place, value in enumerate(board) if value == digit]
    excluded = [other for other in others if not any(words.sees(other, place) for place in known)]
    blocked = [other for other in others if other not in excluded]
    lead = f"in {unit}, {words.digit(digit)} fits only in {words.cell(cell)}"
    reasons = []
    if blocked:
        blockers = _fewest_blockers(words, blocked, known)
        verb, plural = ("block", "s") if len(blockers) > 1 else ("blocks", "")
        which = (
            words.cells(blocked) if excluded else "the other open cells" if len(blocked) > 1 else "the other open cell"
        )
        reasons.append(f"the {words.digit(digit)}{plural} in {words.cells(blockers)} {verb} {which}")
    if excluded:
        reasons.append(f"earlier steps have excluded {words.cells(excluded)}")
    return f"{lead}, because {', and '.join(reasons)}." if reasons else f"{lead}, the only open cell."


def _fewest_blockers(words: Words, blocked: list[int], known: list[int]) -> list[int]:
    """Return known digits that block all cells; each blocks as many of the remaining cells as possible."""
    left, blockers = set(blocked), []
    while left:
        best = max(known, key=lambda place: sum(words.sees(place, other) for other in left))
        left -= {other for other in left if words.sees(best, other)}
        blockers.append(best)
    return sorted(blockers)


def _naked_single(words: Words) -> str:
    ((cell, digit),) = words.step.placements
    board = words.board.cells
    seen = sorted({board[other] for other in range(len(board)) if board[other] and words.sees(cell, other)})
    excluded = [other for other in range(1, words.size + 1) if other != digit and other not in seen]
    reasons = []
    if seen:
        verb = "occur" if len(seen) > 1 else "occurs"
        reasons.append(f"{words.digits(seen)} {verb} in its row, column or box")
    if excluded:
        reasons.append(f"earlier steps have excluded {words.digits(excluded)}")
    return f"{words.cell(cell)} can only be {words.digit(digit)}, because {', and '.join(reasons)}."


def _last_digit(words: Words) -> str:
    return f"{words.pattern_digits} is placed everywhere else, so {words.conclusion}."


def _locked_candidates(words: Words) -> str:
    base, cover = words.step.units[:2]
    return f"in {base}, {words.pattern_digits} fits only in {cover}, so {words.conclusion}."


def _naked_subset(words: Words) -> str:
    place = f"in {words.units(words.step.units)}, " if words.step.units else ""
    return f"{place}{words.pattern_cells} can only hold {words.pattern_digits}, so {words.conclusion}."


def _hidden_subset(words: Words) -> str:
    return (
        f"in {words.step.units[0]}, {words.pattern_digits} fit only in {words.pattern_cells}. No other digits can go "
        f"there, so {words.conclusion}."
    )


def _fish(words: Words) -> str:
    step = words.step
    half = len(step.units) // 2
    base, cover = words.units(step.units[:half]), words.units(step.units[half:])
    lead = f"in {base}, {words.pattern_digits} fits only in {cover}"
    if not step.fins:
        return f"{lead}, so {words.conclusion}."
    fins = words.cells([cell for cell, _ in step.fins])
    which, either = (f"the fin {fins}", "the fin") if len(step.fins) == 1 else (f"the fins {fins}", "a fin")
    return f"{lead}, except for {which}. Either {either} is true or the fish is intact, so {words.conclusion}."


def _single_digit(words: Words) -> str:
    return f"{_chain(words)}. In any case, {words.conclusion}."


def _wing(words: Words) -> str:
    hinge, *ends = words.step.cells
    digits_of: dict[int, list[int]] = {}
    for cell, digit in words.step.candidates:
        digits_of.setdefault(cell, []).append(digit)
    holds = [f"{words.cell(end)} ({words.digits(sorted(digits_of[end]))})" for end in ends]
    removed = words.digits(sorted({digit for _, digit in words.step.eliminations}))
    own = f"{words.cell(hinge)} ({words.digits(sorted(digits_of[hinge]))})"
    return f"{own} sees {join(holds)}. One of these cells must be {removed}, so {words.conclusion}."


def _w_wing(words: Words) -> str:
    step = words.step
    first, end, other_end, second = step.cells
    (_, kept), (_, linked) = step.candidates[:2]
    return (
        f"{words.cells([first, second])} can only hold {words.digits(sorted([kept, linked]))}. In {step.units[0]}, "
        f"{words.digit(linked)} fits only in {words.cells([end, other_end])}, so one of the two cells must be "
        f"{words.digit(kept)}, and {words.conclusion}."
    )


def _wxyz_wing(words: Words) -> str:
    removed = words.digits(sorted({digit for _, digit in words.step.eliminations}))
    return (
        f"{words.pattern_cells} hold only {words.pattern_digits}, and only {removed} can occur twice in them. So one "
        f"of them must be {removed}, and {words.conclusion}."
    )


def _colouring(words: Words) -> str:
    colours = [words.cells([cell for cell, _ in node]) for node in words.step.nodes]
    groups = [f"either {one}, or {other}" for one, other in zip(colours[::2], colours[1::2], strict=True)]
    digit = words.pattern_digits
    return f"strong links of {digit} leave two choices: {'; and '.join(groups)}. In any case, {words.conclusion}."


def _remote_pair(words: Words) -> str:
    return (
        f"{words.pattern_cells} can only hold {words.pattern_digits}, alternating from cell to cell, so "
        f"{words.conclusion}."
    )


def _chain(words: Words) -> str:
    """Return a chain in the usual notation: ``5r1c2 = 5r1c8 − 5r4c8 = 5r4c1``."""
    step = words.step
    if not step.links:
        return words.pattern_cells
    if len(step.nodes) == len(step.links) + 1:
        names = [words.node(node) for node in step.nodes]
        return names[0] + "".join(
            f" {'=' if link.is_strong else '−'} {name}" for link, name in zip(step.links, names[1:], strict=True)
        )
    text, last = "", None
    for link in step.links:
        if link.start != last:
            text += ("; " if text else "") + words.node([link.start])
        text += _arrow(words, link)
        last = link.end
    return text


def _alternating_chain(words: Words) -> str:
    name = words.step.technique.name
    if name.endswith(("continuous-nice-loop", "-cycle")) and "discontinuous" not in name:
        return (
            f"{_chain(words)} is a closed loop, in which exactly one end of every link is true. So {words.conclusion}."
        )
    if "discontinuous" in name or name.startswith("forcing"):
        what = "proves" if words.step.placements else "refutes"
        return f"{_chain(words)} returns to its first cell and {what} a candidate there. So {words.conclusion}."
    return f"{_chain(words)}. One end of the chain is true, so {words.conclusion}."


def _uniqueness(words: Words) -> str:
    return f"{_exchange(words)} So {words.conclusion}."


def _rectangle(words: Words) -> str:
    """Describe unique rectangles by type: what follows if the rectangle must not hold two digits only."""
    step = words.step
    removed = sorted({digit for _, digit in step.eliminations})
    match step.technique.name[-1]:
        case "2" | "5":
            middle = f"One of the cells must hold {words.digits(removed)}, so"
        case "3":
            others = words.cells(dict.fromkeys(cell for cell, _ in step.nodes[0] if cell not in step.cells))
            middle = f"One of its extra digits is in the rectangle, which forms a naked subset with {others}, so"
        case "4" | "e":
            kept = [digit for digit in step.digits if digit not in removed]
            middle = f"Since {words.digits(kept)} must go into the rectangle,"
        case "6":
            middle = f"In its rows and columns, {words.digits(removed)} fits only in the rectangle, so"
        case _:
            middle = "So"
    return f"{_exchange(words)} {middle} {words.conclusion}."


def _avoidable_rectangle(words: Words) -> str:
    return (
        f"none of {words.pattern_cells} is given. If they held two digits only, these could be exchanged and the "
        f"puzzle would have two solutions. So {words.conclusion}."
    )


def _exchange(words: Words) -> str:
    return (
        f"if {words.pattern_cells} held nothing but {words.pattern_digits}, these could be exchanged and the puzzle "
        "would have two solutions."
    )


def _empty_rectangle(words: Words) -> str:
    box, row, column, link_unit = words.step.units[:4]
    strong = [link for link in words.step.links if link.is_strong]
    ends = words.cells([strong[0].start[0], strong[0].end[0]])
    return (
        f"in {box}, {words.pattern_digits} fits only in {row} and {column}; in {link_unit}, only in {ends}. Wherever "
        f"it is, {words.conclusion}."
    )


def _death_blossom(words: Words) -> str:
    in_sets = {cell for node in words.step.nodes for cell, _ in node}
    stem = words.cells(dict.fromkeys(cell for cell, _ in words.step.candidates if cell not in in_sets))
    sets = join([words.cell_set(node) for node in words.step.nodes])
    return f"each candidate of the stem {stem} locks one of the sets {sets}. In any case, {words.conclusion}."


def _bug(words: Words) -> str:
    extra = join([f"{words.digit(digit)} in {words.cell(cell)}" for cell, digit in words.step.candidates], "and")
    return (
        f"without {extra}, every open cell would have two candidates, and the puzzle two solutions or none. So "
        f"{words.conclusion}."
    )


def _almost_locked_sets(words: Words) -> str:
    letters = [chr(ord("A") + number) for number in range(len(words.step.nodes))]
    sets = [f"{letter} = {words.cell_set(node)}" for letter, node in zip(letters, words.step.nodes, strict=True)]
    shared = words.digits(sorted({link.start[1] for link in words.step.links}))
    which = "both sets" if len(sets) == 2 else "neighbouring sets"
    if len(sets) == 2 and len({link.start[1] for link in words.step.links}) > 1:
        return f"{join(sets)} cannot both contain {shared}, so both are locked. So {words.conclusion}."
    return (
        f"{join(sets)} have one digit more than cells, and {which} cannot both contain {shared}. So {letters[0]} or "
        f"{letters[-1]} contains the removed digits, and {words.conclusion}."
    )


def _sue_de_coq(words: Words) -> str:
    sets = join([words.set_of(node) for node in words.step.nodes])
    return f"in {words.units(words.step.units)}, {sets} have as many cells as digits together. So {words.conclusion}."


def _exclusion(words: Words) -> str:
    return (
        f"in {words.pattern_cells}, every combination with the removed digits leaves another cell without a candidate. "
        f"So {words.conclusion}."
    )


def _templates(words: Words) -> str:
    cells = words.cells([cell for cell, _ in words.step.placements or words.step.eliminations])
    which = "every" if words.step.placements else "no"
    return f"{which} complete placement of {words.pattern_digits} contains {cells}, so {words.conclusion}."


def _forcing_chains(words: Words) -> str:
    step = words.step
    conclusion = f"So {words.conclusion}."
    cell = words.pattern_cells
    match step.technique.name:
        case "cell-forcing-chains" | "dynamic-cell-forcing-chains":
            return f"every candidate of {cell} leads to the same conclusion{_branches(words)}. {conclusion}"
        case "region-forcing-chains" | "dynamic-region-forcing-chains":
            digits = words.digits(sorted({digit for _, digit in _assumptions(step)}))
            return (
                f"every position of {digits} in {step.units[0]} leads to the same conclusion{_branches(words)}. "
                f"{conclusion}"
            )
        case "double-forcing-chains":
            (_, digit), *_ = _assumptions(step)
            return f"whether or not {cell} is {words.digit(digit)}, {words.conclusion}."
        case "nested-forcing-chains":
            place = f"the positions of a digit in {step.units[0]}" if step.units else f"the candidates of {cell}"
            return f"{place}, followed with further techniques, leave no choice. {conclusion}"
        case _:
            return f"{_contradiction(words)} {conclusion}"


def _branches(words: Words) -> str:
    """Return the branches of static forcing chains in the notation of chains, from the assumption to the conclusion."""
    if words.step.technique.name.startswith("dynamic"):  # conclusions can depend on several earlier ones
        return ""
    branches: list[list[Link]] = []  # the links of a branch are recorded from the conclusion back to the assumption
    for link in words.step.links:
        if branches and branches[-1][0].start == link.end:
            branches[-1].insert(0, link)
        else:
            branches.append([link])
    texts = [words.node([branch[0].start]) + "".join(_arrow(words, link) for link in branch) for branch in branches]
    return f": {'; '.join(texts)}"


def _arrow(words: Words, link: Link) -> str:
    return f" {'=' if link.is_strong else '−'} {words.node([link.end])}"


def _assumptions(step: Step) -> list[Candidate]:
    """Return the candidates at which the branches of forcing chains start."""
    ends = {link.end for link in step.links}
    starts = list(dict.fromkeys(link.start for link in step.links))
    return [candidate for candidate in starts if candidate not in ends] or starts[:1] or list(step.candidates[:1])


def _contradiction(words: Words) -> str:
    step = words.step
    (cell, digit) = (step.placements or step.eliminations)[0]
    verb = "were not" if step.placements else "were"
    both = {link.end for link in step.links if link.is_strong} & {link.end for link in step.links if not link.is_strong}
    clash = sorted(both)[0] if both else None
    lead = f"if {words.cell(cell)} {verb} {words.digit(digit)},"
    if clash is None:
        return f"{lead} there would be a contradiction."
    return f"{lead} {words.cell(clash[0])} would be both {words.digit(clash[1])} and not {words.digit(clash[1])}."


def _trial(words: Words) -> str:
    if words.step.placements:
        return f"{words.conclusion}, because a search finds no solution with another digit there."
    ((cell, digit), *_) = words.step.eliminations
    return f"if {words.cell(cell)} were {words.digit(digit)}, a search would find no solution. So {words.conclusion}."


def _exocet(words: Words) -> str:
    bases, *targets = words.step.nodes
    cells = words.cells(dict.fromkeys(cell for node in targets for cell, _ in node))
    return f"the digits of the base {words.set_of(bases)} must reappear in the targets {cells}. So {words.conclusion}."


def _tridagon(words: Words) -> str:
    guarding = [candidate for node in words.step.nodes for candidate in node]
    guardians = join([words.node([candidate]) for candidate in guarding], "or")
    digits = words.digits(sorted({*words.step.digits} - {digit for _, digit in guarding}))
    which = f"the guardian {guardians}" if len(guarding) == 1 else f"one of the guardians {guardians}"
    return f"{digits} alone cannot fill {words.pattern_cells}, so {which} is true, and {words.conclusion}."


def _fireworks(words: Words) -> str:
    return (
        f"{words.pattern_digits} can leave the box of {words.cell(words.step.cells[0])} only along its row and column, "
        f"so {words.pattern_cells} hold them, and {words.conclusion}."
    )


def _sk_loop(words: Words) -> str:
    pairs = join([words.set_of(node) for node in words.step.nodes])
    return f"the groups {pairs} form a ring with as many digits as open cells. So {words.conclusion}."


_Describe = Callable[[Words], str]

_BY_NAME: dict[str, _Describe] = {
    "full-house": _full_house,
    "hidden-single": _hidden_single,
    "naked-single": _naked_single,
    "last-digit": _last_digit,
    "hidden-pair": _hidden_subset,
    "hidden-triplet": _hidden_subset,
    "hidden-quad": _hidden_subset,
    "w-wing": _w_wing,
    "wxyz-wing": _wxyz_wing,
    "remote-pair": _remote_pair,
    "empty-rectangle": _empty_rectangle,
    "death-blossom": _death_blossom,
    **{f"unique-rectangle-{number}": _rectangle for number in range(1, 7)},
    "hidden-rectangle": _rectangle,
    "avoidable-rectangle-1": _avoidable_rectangle,
    "avoidable-rectangle-2": _avoidable_rectangle,
    "bug+1": _bug,
    "bug": _bug,
    "sue-de-coq": _sue_de_coq,
    "junior-exocet": _exocet,
    "tridagon": _tridagon,
    "fireworks": _fireworks,
    "sk-loop": _sk_loop,
}

_BY_FAMILY: dict[str, _Describe] = {
    "locked-candidates": _locked_candidates,
    "subsets": _naked_subset,
    "fish": _fish,
    "single-digit": _single_digit,
    "wings": _wing,
    "colouring": _colouring,
    "uniqueness": _uniqueness,
    "chains": _alternating_chain,
    "almost-locked-sets": _almost_locked_sets,
    "exclusion": _exclusion,
    "templates": _templates,
    "forcing-chains": _forcing_chains,
    "trial": _trial,
}
