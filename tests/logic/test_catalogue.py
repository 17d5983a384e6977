"""The catalogue of techniques: complete, well formed, and found under every usual spelling."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from sudokulab import ParameterError, _core, logic
from sudokulab.logic import FAMILIES, RULES, TECHNIQUES, Technique
from sudokulab.logic.selection import chosen_techniques, default_techniques, select_techniques, technique_named
from sudokulab.logic.techniques import LARGEST_SIZE
from tests.cases import for_each

pytestmark = pytest.mark.native

BY_TECHNIQUE = for_each("technique", TECHNIQUES, ids=lambda technique: technique.name)


def names(techniques: list[Technique]) -> list[str]:
    return [technique.name for technique in techniques]


def test_the_catalogue_lists_each_technique_of_the_core_once() -> None:
    assert Counter(technique.name for technique in TECHNIQUES) == Counter(_core.technique_names())


def test_titles_and_ideas_are_unique() -> None:
    assert len({technique.title for technique in TECHNIQUES}) == len(TECHNIQUES)
    assert len({technique.idea for technique in TECHNIQUES}) == len(TECHNIQUES)


@BY_TECHNIQUE
def test_a_technique_is_well_formed(technique: Technique) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z0-9]+)*(\+1)?", technique.name)
    assert technique.title[0].isupper()
    assert technique.title == technique.title.strip()
    assert technique.family in FAMILIES
    assert technique.idea[0].isupper()
    assert technique.idea.endswith(".")
    assert "  " not in technique.idea
    assert not set("{}\n") & set(technique.idea)


def test_every_family_has_techniques_and_a_sentence() -> None:
    assert {technique.family for technique in TECHNIQUES} == set(FAMILIES)
    for name, idea in FAMILIES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert idea[0].isupper()
        assert idea.endswith(".")


@BY_TECHNIQUE
def test_a_technique_is_found_by_name_title_and_other_spellings(technique: Technique) -> None:
    spellings = {
        technique.name,
        technique.name.upper(),
        technique.name.replace("-", " "),
        technique.name.replace("-", "_"),
        f"  {technique.name} ",
        *([technique.code, technique.code.lower()] if technique.code else []),
    }
    for spelling in spellings:
        assert technique_named(spelling) is technique, spelling


@for_each(
    ("spelling", "name"),
    [
        ("X Wing", "x-wing"),
        ("x_wing", "x-wing"),
        ("X-Wing", "x-wing"),
        ("naked triple", "naked-triplet"),
        ("Hidden Triple", "hidden-triplet"),
        ("naked quadruple", "naked-quad"),
        ("hidden quadruplet", "hidden-quad"),
        ("simple coloring", "simple-colouring"),
        ("multi-coloring", "multi-colouring"),
        ("NS", "naked-single"),
        ("ns", "naked-single"),
        ("brc", "pointing"),
        ("aic", "alternating-inference-chain"),
        ("grouped AIC", "grouped-alternating-inference-chain"),
        ("Finned Swordfish", "finned-swordfish"),
        ("BUG+1", "bug+1"),
        ("als xz", "als-xz"),
    ],
)
def test_usual_spellings_are_accepted(spelling: str, name: str) -> None:
    assert technique_named(spelling).name == name
    assert names(select_techniques([spelling])) == [name]


@for_each("family", FAMILIES)
def test_a_family_stands_for_its_techniques(family: str) -> None:
    members = [technique for technique in TECHNIQUES if technique.family == family]
    assert select_techniques(family) == members
    assert select_techniques(family.upper().replace("-", " ")) == members


def test_a_list_keeps_its_order_without_duplicates() -> None:
    others = [name for name in names(select_techniques("singles")) if name != "naked-single"]
    assert others[:2] == ["full-house", "hidden-single"]
    assert names(select_techniques("x-wing, NS,singles")) == ["x-wing", "naked-single", *others]
    assert select_techniques(["x-wing", "NS"]) == select_techniques("x-wing,NS")
    assert select_techniques([]) == select_techniques("") == []


@for_each(
    ("wrong", "suggestion"),
    [
        ("x-wign", "x-wing"),
        ("swordfsh", "swordfish"),
        ("forcing-chian", "forcing-chain"),
        ("almost-locked-set", "almost-locked-sets"),
        ("uniquenes", "uniqueness"),
    ],
)
def test_an_unknown_name_gets_a_suggestion(wrong: str, suggestion: str) -> None:
    with pytest.raises(ParameterError) as caught:
        select_techniques(["NS", wrong])
    message = str(caught.value)
    assert message.startswith(f"unknown technique '{wrong}'; did you mean '{suggestion}'?")
    assert message.endswith("(run `sudokulab techniques` for a list)")


def test_a_name_like_no_other_gets_no_suggestion() -> None:
    with pytest.raises(ParameterError, match=r"^unknown technique 'qqq' \(run `sudokulab techniques` for a list\)$"):
        technique_named("qqq")


def test_a_family_is_not_a_technique() -> None:
    with pytest.raises(ParameterError, match="wings is a family; choose a technique such as xy-wing"):
        logic.steps("." * 81, "wings")


def test_people_see_full_houses_and_hidden_singles_first() -> None:
    assert names(default_techniques(9))[:3] == ["full-house", "hidden-single", "naked-single"]


def test_the_default_order_goes_from_easy_to_hard() -> None:
    order = names(default_techniques(9))
    for easier, harder in [
        ("naked-single", "pointing"),
        ("pointing", "naked-pair"),
        ("naked-pair", "hidden-pair"),
        ("hidden-pair", "naked-triplet"),
        ("hidden-quad", "x-wing"),
        ("x-wing", "swordfish"),
        ("swordfish", "jellyfish"),
        ("skyscraper", "x-chain"),
        ("xy-wing", "xy-chain"),
        ("x-chain", "alternating-inference-chain"),
        ("alternating-inference-chain", "grouped-alternating-inference-chain"),
        ("als-xz", "als-xy-chain"),
        ("als-alternating-inference-chain", "nishio"),
        ("nishio", "nested-forcing-chains"),
    ]:
        assert order.index(easier) < order.index(harder), (easier, harder)
    assert order[-1] == "trial"


def test_the_largest_grids_are_left_to_the_rules() -> None:
    assert default_techniques(LARGEST_SIZE) == default_techniques(9)
    assert set(names(default_techniques(LARGEST_SIZE + 1))) == {"full-house", *names(list(RULES))}
    with pytest.raises(ParameterError, match="x-wing: the puzzle has size 36; this technique works up to size 25"):
        logic.steps("." * 36**2, "x-wing")
    assert logic.deduce("." * 36**2, "NS,HS").firings == {"naked-single": 0, "hidden-single": 0}


def test_techniques_and_families_can_be_left_out() -> None:
    everything = default_techniques(9)
    without = chosen_techniques(None, "uniqueness,x-wing,NP", 9)
    gone = [technique for technique in everything if technique not in without]
    assert {technique.family for technique in gone} == {"uniqueness", "fish", "subsets"}
    assert [technique for technique in without if technique.assumes_uniqueness] == []
    assert not {"x-wing", "naked-pair"} & set(names(without))
    assert {"swordfish", "hidden-pair"} <= set(names(without))
    assert names(chosen_techniques("NS,x-wing,last-digit", ["NS", "last digit"], 9)) == ["x-wing"]
    with pytest.raises(ParameterError, match="did you mean 'x-wing'"):
        chosen_techniques(None, "x-wign", 9)


def test_only_techniques_of_the_family_uniqueness_assume_it() -> None:
    puzzle = "9...3...26...1.5.4.51.....7.3..94...........3795.6.....6...38.9..2.......4...76.."
    for step in logic.explain(puzzle).steps:
        assert step.assumes_uniqueness == (step.technique.family == "uniqueness")


def test_the_ten_rules_are_techniques_with_a_code() -> None:
    codes = ["NS", "HS", "BRC", "RCB", "NP", "HP", "NT", "HT", "NQ", "HQ"]
    assert [rule.code for rule in RULES] == codes
    assert sorted(technique.code for technique in TECHNIQUES if technique.code) == sorted(codes)
    assert [rule.name for rule in RULES][:4] == ["naked-single", "hidden-single", "pointing", "claiming"]
