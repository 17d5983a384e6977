"""A Gymnasium environment in which an agent solves puzzles by placing digits and eliminating candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sudokulab._internal.extras import require
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError, PuzzleError
from sudokulab.formats.arrays import PuzzleArray, array_and_box
from sudokulab.instances.generator import generate_array
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.learn.verifier import solutions_of
from sudokulab.parameters import parameters
from sudokulab.puzzle import BoxLike, Digits, Puzzle

require("learn")

import gymnasium  # noqa: E402  # after the check, which names the extra
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary  # noqa: E402

__all__ = ["Mode", "Observation", "Rewards", "SudokuEnv"]

Mode = Literal["place", "eliminate"]
"""Whether actions only place digits, or also eliminate candidates."""

Observation = dict[str, NDArray[np.generic]]
Info = dict[str, Any]
"""``grid``: digits of shape (size, size), with 0 for a blank. ``candidates``: 0 or 1, of shape (size, size, size),
indexed by ``[row, col, digit - 1]``; a filled cell has none."""

_MODES = ("place", "eliminate")
_OPTIONS = ("index",)


@parameters
class Rewards:
    """The reward of each kind of step.

    Parameters
    ----------
    placed
        The right digit is placed.
    eliminated
        A wrong candidate is eliminated.
    error
        A wrong digit is placed, or the right candidate eliminated: the grid can no longer be solved.
    illegal
        The action is not legal, and nothing changes.
    solved
        Added to `placed` for the last digit.
    """

    placed: float = 1.0
    eliminated: float = 0.1
    error: float = -1.0
    illegal: float = -1.0
    solved: float = 10.0


class SudokuEnv(gymnasium.Env[Observation, np.int64]):
    """An environment in which each episode is a puzzle with one solution.

    Action ``cell * size + digit - 1`` places a digit in a cell; cells are counted from 0, row by row. With
    ``mode="eliminate"``, the same number plus ``size**3`` eliminates that candidate instead. An action is legal if the
    cell is blank and the digit is one of its candidates. A placed digit is no longer a candidate of its peers.

    The dictionary ``info`` has ``action_mask``, which is 1 for each legal action, ``num_errors`` and ``is_success``,
    whether the puzzle is solved. The episode terminates when the puzzle is solved, when no legal action is left and, by
    default, with the first error.

    Parameters
    ----------
    puzzles
        Puzzles with blank cells and exactly one solution each; see `PuzzleArray`. `reset` chooses one at random, or the
        one with the index ``options["index"]``. Default: `reset` generates a new puzzle.
    box
        The box shape or, without `puzzles`, the size. Default: the shape of the first puzzle, or the most square one; 9
        without `puzzles`.
    mode
        Whether actions only place digits, or also eliminate candidates.
    end_on_error
        Whether the episode terminates with the first error.
    max_steps
        The episode is truncated after this number of steps. Default: cells × size, which legal actions never exceed.
    rewards
        The reward of each kind of step.
    render_mode
        ``"ansi"``: `render` returns the grid as text.
    **fields
        Fields of `PuzzleSpec` for generated puzzles, such as ``givens=40`` or ``level="easy"``.

    Raises
    ------
    MissingExtraError
        When the module is imported without Gymnasium.
    PuzzleError
        If a puzzle is full, or does not have exactly one solution. The message has its number, counted from 1.
    ParameterError
        If a parameter is unknown or out of range.

    Examples
    --------
    >>> env = SudokuEnv(["1.....3..4.....2"])
    >>> observation, info = env.reset(seed=1)
    >>> observation["candidates"][0, 1].tolist(), env.action_space, int(info["action_mask"].sum())
    ([0, 1, 1, 0], Discrete(64), 20)
    >>> env.step(1 * 4 + 3 - 1)[1:4]  # the reward of a 3 in r1c2, and whether that ends the episode
    (1.0, False, False)
    """

    metadata: dict[str, object] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as in Gymnasium
    action_space: Discrete

    def __init__(
        self,
        puzzles: PuzzleArray | None = None,
        *,
        box: BoxLike | int | None = None,
        mode: Mode = "place",
        end_on_error: bool = True,
        max_steps: int | None = None,
        rewards: Rewards | None = None,
        render_mode: str | None = None,
        **fields: object,
    ) -> None:
        if mode not in _MODES:
            raise ParameterError(f"mode: {mode!r}; choose one of {', '.join(_MODES)}")
        if render_mode not in (None, "ansi"):
            raise ParameterError(f"render_mode: {render_mode!r}; choose 'ansi' or None")
        if max_steps is not None and not (_is_integer(max_steps) and max_steps >= 1):
            raise ParameterError(f"max_steps: {max_steps!r}; choose an integer of at least 1")
        if rewards is not None and not isinstance(rewards, Rewards):
            raise ParameterError(f"rewards: {rewards!r}; pass Rewards, such as Rewards(placed=2.0)")
        if puzzles is not None and fields:
            raise ParameterError(f"{next(iter(fields))}: only for generated puzzles; omit puzzles")
        self._source = _Generator(box, fields) if puzzles is None else _Collection(puzzles, box)
        self._end_on_error = end_on_error
        self._rewards = rewards or Rewards()
        self._has_started = self._is_running = False
        size = self._source.box.size
        self._max_steps = max_steps or size**3
        self.render_mode = render_mode
        self.action_space = Discrete(size**3 if mode == "place" else 2 * size**3)
        self.observation_space = Dict(  # type: ignore[assignment]  # declared as a space of spaces
            {"grid": Box(0, size, (size, size), np.uint8), "candidates": MultiBinary((size, size, size))}
        )

    def reset(self, *, seed: int | None = None, options: dict[str, object] | None = None) -> tuple[Observation, Info]:
        """Start an episode with another puzzle.

        Parameters
        ----------
        seed
            The same seed gives the same sequence of puzzles.
        options
            ``{"index": 3}`` selects one of the puzzles, counted from 0.

        Raises
        ------
        ParameterError
            If an option is unknown or out of range.
        """
        checked = _checked_options(options)
        super().reset(seed=seed)
        puzzle, solution = self._source.choose(self.np_random, checked)
        size = self._source.box.size
        self._solution = solution.reshape(size, size)
        self._grid = np.zeros((size, size), np.uint8)
        self._candidates = np.ones((size, size, size), np.int8)
        for cell in np.flatnonzero(puzzle).tolist():
            self._place(*divmod(cell, size), int(puzzle[cell]))
        self._num_steps = self._num_errors = 0
        self._has_started = self._is_running = True
        return self._observation(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, Info]:
        """Place a digit or eliminate a candidate; return observation, reward, terminated, truncated and info."""
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no episode is running; call reset()")
        if not self.action_space.contains(action):
            raise ParameterError(f"action: {action}; choose an integer from 0 to {self.action_space.n - 1}")
        reward = self._apply(int(action))
        self._num_steps += 1
        is_over = not self._candidates.any() or (self._end_on_error and self._num_errors > 0)
        is_truncated = not is_over and self._num_steps >= self._max_steps
        self._is_running = not (is_over or is_truncated)
        return self._observation(), reward, is_over, is_truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal; the method that MaskablePPO of sb3-contrib looks for."""
        self._check_started()
        return self._action_mask().astype(np.bool_)

    def render(self) -> str | None:
        """Return the grid as text if the render mode is ``"ansi"``."""
        self._check_started()
        return str(Puzzle(self._grid.tobytes(), self._source.box)) if self.render_mode == "ansi" else None

    def _check_started(self) -> None:
        if not self._has_started:
            raise gymnasium.error.ResetNeeded("no episode has started; call reset()")

    @property
    def _is_solved(self) -> bool:
        return np.array_equal(self._grid, self._solution)

    def _apply(self, action: int) -> float:
        """Change the grid or the candidates, and return the reward for it."""
        size = self._source.box.size
        is_elimination, candidate = divmod(action, size**3)
        cell, place = divmod(candidate, size)
        row, col = divmod(cell, size)
        if not self._candidates[row, col, place]:
            return self._rewards.illegal
        is_right = self._solution[row, col] == place + 1
        if is_elimination:
            self._candidates[row, col, place] = 0
        else:
            self._place(row, col, place + 1)
        if is_right == bool(is_elimination):
            self._num_errors += 1
            return self._rewards.error
        if is_elimination:
            return self._rewards.eliminated
        return self._rewards.placed + (self._rewards.solved if self._is_solved else 0.0)

    def _place(self, row: int, col: int, digit: int) -> None:
        box = self._source.box
        top, left = row - row % box.rows, col - col % box.cols
        self._grid[row, col] = digit
        self._candidates[row, col] = 0
        self._candidates[row, :, digit - 1] = 0
        self._candidates[:, col, digit - 1] = 0
        self._candidates[top : top + box.rows, left : left + box.cols, digit - 1] = 0

    def _observation(self) -> Observation:
        return {"grid": self._grid.copy(), "candidates": self._candidates.copy()}

    def _info(self) -> Info:
        return {
            "action_mask": self._action_mask(),
            "num_errors": self._num_errors,
            "is_success": self._is_solved,
        }

    def _action_mask(self) -> NDArray[np.int8]:
        """Return 1 for each legal action: a candidate can be placed, and it can be eliminated."""
        return np.resize(self._candidates, int(self.action_space.n))


class _Collection:
    """Given puzzles with their solutions."""

    def __init__(self, puzzles: PuzzleArray, box: BoxLike | int | None) -> None:
        self._puzzles, self.box = array_and_box(puzzles, None if box is None else Puzzle.empty(box).box)
        if not len(self._puzzles):
            raise PuzzleError("pass at least one puzzle")
        for index in np.flatnonzero(self._puzzles.all(axis=1))[:1]:
            raise PuzzleError(f"puzzle {index + 1} has no blank cell")
        self._solutions = solutions_of(self._puzzles, self.box)

    def choose(self, rng: np.random.Generator, options: Mapping[str, Any]) -> tuple[Digits, Digits]:
        """Return the puzzle with the index in the options, by default a random one, and its solution."""
        number = len(self._puzzles)
        index = options["index"] if "index" in options else int(rng.integers(number))
        if not (_is_integer(index) and 0 <= index < number):
            raise ParameterError(f"index: {index!r}; choose an integer from 0 to {number - 1}")
        return self._puzzles[index], self._solutions[index]


class _Generator:
    """Puzzles generated to a specification."""

    def __init__(self, box: BoxLike | int | None, fields: dict[str, object]) -> None:
        self._spec = PuzzleSpec(**({} if box is None else {"box": box}), **fields)
        self.box = self._spec.box
        if self._spec.num_givens == self.box.size**2:
            raise ParameterError(f"givens: {self._spec.num_givens}; choose fewer: they leave no blank cell")

    def choose(self, rng: np.random.Generator, options: Mapping[str, Any]) -> tuple[Digits, Digits]:
        """Return a new puzzle and its solution."""
        if "index" in options:
            raise ParameterError(f"index: {options['index']!r}, but puzzles are generated; omit it")
        made = generate_array(1, self._spec, seed=int(rng.integers(2**63)), threads=1)
        return made.puzzles[0], made.solutions[0]


def _checked_options(options: Mapping[str, object] | None) -> Mapping[str, object]:
    """Return the options of `reset`, all of them known."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ParameterError(f"options: {options!r}; pass a dictionary, such as {{'index': 3}}")
    for name in options:
        if name not in _OPTIONS:
            raise ParameterError(unknown_name("option of reset", str(name), _OPTIONS))
    return options


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
