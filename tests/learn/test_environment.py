"""The environment follows the rules of Sudoku and the conventions of Gymnasium."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from sudokulab import ParameterError, Puzzle, SudokulabError, generate, is_solution, is_unique, parse
from sudokulab.learn import Rewards, SudokuEnv
from sudokulab.learn.environment import Mode
from tests.cases import for_each
from tests.puzzles import EASY, INKALA, TINY

SIX = next(generate(box=6, seed=1))
TINY_SOLUTION = "1324423124133142"


def action(name: str, digit: int, size: int = 4, *, eliminates: bool = False) -> int:
    """Return the action for a cell such as r1c2."""
    row, col = (int(number) - 1 for number in name[1:].split("c"))
    return (row * size + col) * size + digit - 1 + eliminates * size**3


def started(*args: Any, **kwargs: Any) -> SudokuEnv:
    env = SudokuEnv(*args, **kwargs)
    env.reset(seed=1)
    return env


def legal_by_hand(
    env: SudokuEnv, box: tuple[int, int], removed: set[tuple[int, int, int]]
) -> set[tuple[int, int, int]]:
    """Return row, column and digit of every legal placement: no peer has the digit, and it was not eliminated."""
    grid = [list(row) for row in parse(str(env.render()))]
    size = len(grid)
    legal = set()
    for row in range(size):
        for col in range(size):
            seen = {grid[i][j] for i in range(size) for j in range(size) if i == row or j == col}
            seen |= {
                grid[i][j]
                for i in range(size)
                for j in range(size)
                if (i // box[0], j // box[1]) == (row // box[0], col // box[1])
            }
            if not grid[row][col]:
                legal |= {(row, col, digit) for digit in range(1, size + 1) if digit not in seen}
    return legal - removed


@for_each("mode", ["place", "eliminate"])
@for_each("options", [{"box": 4}, {"box": 6}, {}, {"box": "4x2"}, {"box": 16, "givens": 150}], ids=str)
def test_gymnasium_finds_nothing_to_complain_about(mode: str, options: dict[str, Any]) -> None:
    env = gymnasium.make("sudokulab/Sudoku-v0", mode=mode, render_mode="ansi", **options)
    check_env(env.unwrapped)


def test_the_environment_is_registered_by_importing_the_module() -> None:
    for imported, name in (("sudokulab.learn, ", "sudokulab/Sudoku-v0"), ("", "sudokulab.learn:sudokulab/Sudoku-v0")):
        program = f"import {imported}gymnasium; print(gymnasium.make({name!r}).unwrapped)"
        assert "SudokuEnv" in subprocess.check_output([sys.executable, "-c", program], text=True)


@for_each(
    ("statement", "is_possible"),
    [
        ("from sudokulab.learn import Verifier; Verifier(['1.....3..4.....2'])", True),
        ("from sudokulab import *; learn.Verifier", True),
        ("from sudokulab.learn import SudokuEnv", False),
        ("import sudokulab.learn.environment", False),
    ],
)
def test_only_the_environment_needs_gymnasium(statement: str, is_possible: bool) -> None:
    program = f"import sys; sys.modules['gymnasium'] = None; {statement}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode == 0) is is_possible
    assert is_possible or "gymnasium is not installed: pip install 'sudokulab[learn]'" in done.stderr


def test_the_right_digits_solve_the_puzzle() -> None:
    env = started([TINY], render_mode="ansi")
    blanks = [cell for cell, digit in enumerate(TINY.cells) if not digit]
    for cell in blanks[:-1]:
        _, reward, terminated, truncated, info = env.step(np.int64(cell * 4 + int(TINY_SOLUTION[cell]) - 1))
        assert (reward, terminated, truncated, info["is_success"]) == (1.0, False, False, False)
    observation, reward, terminated, truncated, info = env.step(np.int64(blanks[-1] * 4 + int(TINY_SOLUTION[-2]) - 1))
    assert (reward, terminated, truncated, info["is_success"], info["num_errors"]) == (11.0, True, False, True, 0)
    assert is_solution(observation["grid"], TINY)
    assert not observation["candidates"].any()
    assert str(env.render()).splitlines()[0] == "1 3 | 2 4"


@for_each("mode", ["place", "eliminate"])
@for_each("puzzle", [TINY, SIX, EASY], ids=lambda puzzle: str(puzzle.box))
def test_the_mask_allows_what_the_rules_allow(puzzle: Puzzle, mode: Mode) -> None:
    env = started([puzzle], mode=mode, end_on_error=False, render_mode="ansi")
    size, terminated = puzzle.size, False
    removed: set[tuple[int, int, int]] = set()
    env.action_space.seed(1)
    while not terminated:
        mask = env.action_masks()
        halves = mask.reshape(-1, size, size, size)
        legal = legal_by_hand(env, puzzle.box, removed)
        for half in halves:
            assert {(int(row), int(col), int(place) + 1) for row, col, place in np.argwhere(half)} == legal
        chosen = env.action_space.sample(mask.astype(np.int8))
        observation, reward, terminated, _, info = env.step(chosen)
        assert reward != Rewards().illegal or info["num_errors"]
        assert (info["action_mask"] == env.action_masks()).all()
        assert (observation["candidates"].ravel() == info["action_mask"][: size**3]).all()
        if chosen >= size**3:
            row, col, place = np.unravel_index(chosen - size**3, (size, size, size))
            removed.add((int(row), int(col), int(place) + 1))
    assert not legal_by_hand(env, puzzle.box, removed)


@pytest.mark.parametrize(
    "wrong", [action("r1c2", 2), action("r1c2", 3, eliminates=True)], ids=["wrong digit", "right candidate"]
)
def test_an_error_is_noticed_at_once(wrong: int) -> None:
    env = started([TINY], mode="eliminate", rewards=Rewards(error=-7))
    _, reward, terminated, truncated, info = env.step(np.int64(wrong))
    assert (reward, terminated, truncated, info["num_errors"], info["is_success"]) == (-7.0, True, False, 1, False)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\)"):
        env.step(np.int64(wrong))
    tolerant = started([TINY], mode="eliminate", end_on_error=False)
    assert tolerant.step(np.int64(wrong))[1:3] == (-1.0, False)


def test_an_eliminated_candidate_can_no_longer_be_placed() -> None:
    env = started([TINY], mode="eliminate")
    observation, reward, terminated, _, _ = env.step(np.int64(action("r1c2", 2, eliminates=True)))
    assert (reward, terminated) == (0.1, False)
    assert observation["candidates"][0, 1].tolist() == [0, 0, 1, 0]
    assert env.step(np.int64(action("r1c2", 2)))[1] == -1.0


@pytest.mark.parametrize("name", ["r1c1", "r1c2"])
def test_an_illegal_action_changes_nothing(name: str) -> None:
    """The first cell is given, and its digit is in the row of the second."""
    env = SudokuEnv([TINY], rewards=Rewards(illegal=-3))
    before, _ = env.reset()
    after, reward, terminated, truncated, info = env.step(np.int64(action(name, 1)))
    assert (reward, terminated, truncated, info["num_errors"]) == (-3.0, False, False, 0)
    assert all((before[key] == after[key]).all() for key in before)


def test_an_episode_is_truncated_after_the_largest_number_of_steps() -> None:
    env = started([TINY], max_steps=3)
    outcomes = [env.step(np.int64(0))[2:4] for _ in range(3)]
    assert outcomes == [(False, False), (False, False), (False, True)]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))


def test_the_same_seed_gives_the_same_episodes() -> None:
    def grids(seed: int, **kwargs: Any) -> list[bytes]:
        env = SudokuEnv(**kwargs)
        return [env.reset(seed=first)[0]["grid"].tobytes() for first in (seed, None, None)]

    puzzles = [TINY.shuffle(seed) for seed in range(50)]
    for kwargs in ({}, {"box": 4}, {"puzzles": puzzles}):
        assert grids(1, **kwargs) == grids(1, **kwargs)
        assert grids(1, **kwargs) != grids(2, **kwargs)
        assert len(set(grids(1, **kwargs))) > 1
    assert set(grids(1, puzzles=puzzles)) <= {puzzle.cells for puzzle in puzzles}


def test_generated_puzzles_meet_the_specification() -> None:
    env = SudokuEnv(box=6, givens=20)
    for seed in range(5):
        puzzle = Puzzle(env.reset(seed=seed)[0]["grid"])
        assert puzzle.num_givens == 20
        assert is_unique(puzzle)


def test_an_option_of_reset_selects_a_puzzle() -> None:
    env = SudokuEnv([EASY, INKALA])
    for index, puzzle in enumerate([EASY, INKALA]):
        assert env.reset(options={"index": index})[0]["grid"].tobytes() == puzzle.cells
    assert env.reset(options={"index": np.int64(1)})[0]["grid"].tobytes() == INKALA.cells
    with pytest.raises(ParameterError, match="index: 0, but puzzles are generated; omit it"):
        SudokuEnv().reset(options={"index": 0})


@for_each(
    ("options", "message"),
    [
        *(({"index": index}, r"index: .*; choose an integer from 0 to 1$") for index in (2, -1, 1.0, "1", True, None)),
        ({"idex": 1}, "unknown option of reset 'idex'; did you mean 'index'?"),
        ({1: 1}, r"unknown option of reset '1' \(known: index\)"),
        (1, "options: 1; pass a dictionary, such as {'index': 3}"),
        ([], r"options: \[\]; pass a dictionary"),
    ],
    ids=str,
)
def test_impossible_options_of_reset_are_rejected_and_the_episode_continues(options: Any, message: str) -> None:
    env = started([EASY, INKALA], render_mode="ansi")
    before = env.render()
    with pytest.raises(ParameterError, match=message):
        env.reset(seed=2, options=options)
    assert env.render() == before


@pytest.mark.parametrize("render_mode", ["ansi", None])
def test_nothing_can_be_seen_before_the_first_episode_but_after_the_last_one(render_mode: str | None) -> None:
    env = SudokuEnv([TINY], render_mode=render_mode)
    for see in (env.action_masks, env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"no episode has started; call reset\(\)"):
            see()
    env.reset()
    assert env.step(np.int64(action("r1c2", 2)))[2]
    assert env.action_masks().any()
    assert (env.render() is None) is (render_mode is None)


def test_an_action_out_of_range_is_rejected() -> None:
    with pytest.raises(ParameterError, match="action: 64; choose an integer from 0 to 63"):
        started([TINY]).step(np.int64(64))
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"no episode is running; call reset\(\)"):
        SudokuEnv([TINY]).step(np.int64(0))


@for_each(
    ("kwargs", "message"),
    [
        ({"mode": "guess"}, "mode: 'guess'; choose one of place, eliminate"),
        ({"render_mode": "human"}, "render_mode: 'human'; choose 'ansi' or None"),
        *(({"max_steps": value}, "max_steps: .*; choose an integer of at least 1") for value in (0, True, "3", 1.5)),
        ({"rewards": {"placed": 2}}, "rewards: {'placed': 2}; pass Rewards, such as"),
        ({"rewards": {}}, "rewards: {}; pass Rewards, such as"),
        ({"given": 30}, "unknown field 'given'; did you mean 'givens'?"),
        ({"givens": 16}, "givens: 16; choose 17 to 81"),
        ({"puzzles": [TINY], "givens": 5}, "givens: only for generated puzzles; omit puzzles"),
        ({"puzzles": [TINY, "." * 16]}, "puzzle 2 has several solutions; use puzzles with exactly one"),
        ({"puzzles": [TINY, TINY_SOLUTION]}, "puzzle 2 has no blank cell"),
        ({"box": 4, "givens": 16}, "givens: 16; choose fewer: they leave no blank cell"),
        ({"box": 4, "pattern": "X" * 16}, "givens: 16; choose fewer: they leave no blank cell"),
        ({"puzzles": []}, "pass at least one puzzle"),
        ({"puzzles": ["." * 36], "box": 9}, "puzzle 1: .* found 36 cells; use 81"),
    ],
)
def test_impossible_parameters_are_rejected_at_once(kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(SudokulabError, match=message):
        SudokuEnv(**kwargs)
