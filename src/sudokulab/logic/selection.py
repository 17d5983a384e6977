"""Choose techniques by name: lists and texts with names of techniques and families, and codes of rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError
from sudokulab.logic.techniques import FAMILIES, LARGEST_SIZE, RULES, TECHNIQUES, TECHNIQUES_BY_NAME, Technique

__all__ = [
    "Techniques",
    "chosen_techniques",
    "default_techniques",
    "rule_numbers",
    "select_techniques",
    "technique_named",
]

Techniques = Sequence[str] | str
"""Names of techniques or families, or codes of rules, in order: a list, or text such as ``singles,x-wing``."""

_BY_CODE = {rule.code: rule for rule in RULES}
_SPELLINGS = {
    "coloring": "colouring",
    "quadruplet": "quad",
    "quadruple": "quad",
    "triple": "triplet",
    "aic": "alternating-inference-chain",
}


def default_techniques(size: int) -> list[Technique]:
    """Return the techniques that `explain` tries by default on grids of a size."""
    if size > LARGEST_SIZE:
        return [
            technique
            for technique in TECHNIQUES
            if technique.is_default and (technique.code or technique.name == "full-house")
        ]
    return [technique for technique in TECHNIQUES if technique.is_default]


def chosen_techniques(techniques: Techniques | None, without: Techniques, size: int) -> list[Technique]:
    """Return the requested techniques, by default all of `default_techniques`, except for those to leave out."""
    order = default_techniques(size) if techniques is None else select_techniques(techniques)
    if not order:
        raise ParameterError("techniques: none named; write names such as singles,x-wing")
    excluded = select_techniques(without)
    return [technique for technique in order if technique not in excluded]


def technique_named(name: str) -> Technique:
    """Return a technique by its name or code.

    Raises
    ------
    ParameterError
        If there is no such technique.
    """
    return select_techniques([name], families=False)[0]


def select_techniques(names: Techniques, *, families: bool = True) -> list[Technique]:
    """Return the techniques with these names, in this order and without duplicates.

    Parameters
    ----------
    names
        Names of techniques or codes of rules, as a list or as text. Case does not matter, and words can be separated
        by blanks, hyphens or underscores.
    families
        Whether names of families are accepted, too.

    Raises
    ------
    ParameterError
        If a name is unknown.
    """
    if isinstance(names, str):
        entries = [entry for entry in names.split(",") if entry.strip()]
    else:
        entries = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in entries):
        raise ParameterError(f"techniques: {names!r}; write names such as singles,x-wing")
    return list(dict.fromkeys(technique for name in entries for technique in _named(name, families)))


def rule_numbers(rules: Techniques | None) -> list[int]:
    """Convert codes or names of rules to the core's rule numbers; None means all rules."""
    if rules is None:
        return list(range(len(RULES)))
    chosen = select_techniques(rules)
    for technique in chosen:
        if not technique.code:
            rules = ", ".join(f"{rule.code} ({rule.name})" for rule in RULES)
            raise ParameterError(f"not a rule: {technique.name}; choose one of {rules}")
    return [RULES.index(technique) for technique in chosen]


def _named(name: str, families: bool) -> Iterable[Technique]:
    if rule := _BY_CODE.get(name.strip().upper()):
        return [rule]
    key = "-".join(name.lower().replace("_", " ").replace("-", " ").split())
    spelled = "-".join(_SPELLINGS.get(word, word) for word in key.split("-"))
    if technique := TECHNIQUES_BY_NAME.get(spelled):
        return [technique]
    if families and spelled in FAMILIES:
        return [technique for technique in TECHNIQUES if technique.family == spelled]
    if spelled in FAMILIES:
        example = next(technique.name for technique in TECHNIQUES if technique.family == spelled)
        raise ParameterError(f"{spelled} is a family; choose a technique such as {example}")
    known = [*TECHNIQUES_BY_NAME, *(FAMILIES if families else ()), *_BY_CODE]
    raise ParameterError(unknown_name("technique", name.strip(), known, listed_by="sudokulab techniques"))
