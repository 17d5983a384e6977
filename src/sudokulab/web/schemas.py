"""The bodies of requests and responses."""

from __future__ import annotations

import secrets
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from sudokulab._internal.suggestions import unknown_name
from sudokulab.instances.spec import PuzzleSpec
from sudokulab.instances.spec import Seed as PuzzleSeed
from sudokulab.search.budget import MAX_COUNT

__all__ = [
    "MAX_SECONDS",
    "CheckRequest",
    "CheckResponse",
    "ConvertRequest",
    "ConvertResponse",
    "DescribedSolver",
    "DescribedTechnique",
    "ExplainRequest",
    "ExplainResponse",
    "GenerateFieldsResponse",
    "GenerateRequest",
    "GenerateResponse",
    "PresetsResponse",
    "PuzzleBody",
    "RateRequest",
    "RateResponse",
    "ReadRequest",
    "ReadResponse",
    "RunCommand",
    "RunStart",
    "SheetRequest",
    "SolveRequest",
    "SolveResponse",
    "SolversResponse",
    "StepBody",
    "TechniquesResponse",
]

MAX_SECONDS = 60
"""The longest time that a request can ask for."""
MAX_PUZZLES = 1000
"""The most puzzles that one request can read."""
MAX_GENERATED = 100
MAX_PER_SHEET = 60

_EXAMPLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


class _Request(BaseModel):
    """A request. Unknown fields are errors, with the closest known one as a suggestion."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_names(cls, data: object) -> object:
        for name in data if isinstance(data, dict) else ():
            if name not in cls.model_fields:
                raise ValueError(unknown_name("field", str(name)[:100], cls.model_fields))
        return data


PuzzleText = Annotated[
    str,
    Field(
        max_length=100_000,
        description="A puzzle in any format, such as one character per cell with a dot for each blank, a grid, JSON, "
        "or a link to f-puzzles or SudokuPad.",
        examples=[_EXAMPLE],
    ),
]
BoxText = Annotated[
    str | None,
    Field(max_length=8, description='The box shape for sizes with several, such as "2x6".', examples=["3x3"]),
]
Seconds = Annotated[float, Field(gt=0, le=MAX_SECONDS, description="Time limit.")]
Seed = Annotated[int, Field(ge=0, lt=2**64, description="Random seed. The same seed repeats the run.")]
Digits = Annotated[list[int], Field(description="The digits of the grid row by row, 0 for a blank.")]
Cells = Annotated[list[int], Field(description="Cells, counted from 0 row by row.")]
Masks = Annotated[
    list[int], Field(description="The candidates of each cell as a bit mask, with bit d - 1 for the digit d.")
]
Pair = tuple[int, int]
"""A cell and a digit."""
Names = Annotated[str | None, Field(max_length=2000)]


class _PuzzleRequest(_Request):
    puzzle: PuzzleText
    box: BoxText = None


class PuzzleBody(BaseModel):
    """A puzzle."""

    puzzle: str = Field(description="The puzzle as a line of text: one character per cell, a dot for each blank.")
    givens: Digits
    box: str = Field(description="The box shape, rows x columns.", examples=["3x3"])
    size: int = Field(description="The number of digits.")
    name: str = Field(description="The name from the text; empty if there is none.")
    clashes: Cells = Field(description="The cells whose digit occurs twice in a unit.")
    solution: Digits | None = Field(None, description="The solution, if the generator or the text states it.")


class ReadRequest(_Request):
    """Text with puzzles, such as the content of a file or of the clipboard."""

    text: str = Field(description="The text, in any format.", examples=[_EXAMPLE])
    box: BoxText = None
    limit: int = Field(MAX_PUZZLES, ge=1, le=MAX_PUZZLES, description="Read at most this many puzzles.")
    seconds: Seconds = 10.0


class ReadResponse(BaseModel):
    """The puzzles of a text."""

    puzzles: list[PuzzleBody]
    format: str = Field(description="The detected format.", examples=["line"])
    errors: list[str] = Field(description="Why parts of the text could not be read.")


class ConvertRequest(_PuzzleRequest):
    """A puzzle, and the format to write it in."""

    to: str = Field(max_length=40, description="The name of a text format.", examples=["grid"])


class ConvertResponse(BaseModel):
    """A puzzle in another format."""

    text: str


class SolveRequest(_PuzzleRequest):
    """A puzzle to solve."""

    solver: str = Field("auto", max_length=100, description="The name of a solver; see /api/solvers.")
    parameters: dict[str, JsonValue] = Field(
        default_factory=dict, max_length=100, description="Parameters of the solver; see /api/solvers/{name}."
    )
    seconds: Seconds = 5.0
    seed: Seed = 0


class SolveResponse(BaseModel):
    """The result of a solver."""

    puzzle: str | None
    box: str | None
    solver: str
    status: Literal["solved", "unsatisfiable", "unknown"]
    solution: str | None = Field(description="The solution as a line of text.")
    best: str | None = Field(description="The best state of an unsolved run; null for solvers without a cost.")
    cost: float | None = Field(description="The cost of the best state, 0 for a solution.")
    seconds: float = Field(description="Time of the search.")
    seed: int
    stats: dict[str, float | int | None] = Field(description="Counters, such as iterations or nodes.")
    error: str | None = Field(description="Why the run failed.")
    givens: Digits
    grid: Digits | None = Field(description="The solution, or the best state of an unsolved run.")


class CheckRequest(_PuzzleRequest):
    """A puzzle to check."""

    seconds: Seconds = 5.0


class CheckResponse(BaseModel):
    """Whether a puzzle is sound."""

    clashes: Cells = Field(description="The cells whose digit occurs twice in a unit.")
    num_solutions: int | None = Field(description="0, 1, or 2 for several; null if the time ran out.")
    is_minimal: bool | None = Field(description="Whether every given is necessary; null unless the solution is unique.")
    redundant: Cells | None = Field(description="Cells whose given can be removed, one at a time; null if unknown.")
    solutions: list[Digits] = Field(description="Up to two solutions.")
    differences: Cells = Field(description="The cells in which the two solutions differ.")


class RateRequest(_PuzzleRequest):
    """A puzzle to rate."""

    scale: Literal["rules", "se", "hodoku", "trial"] = Field(
        "rules",
        description="rules: the hardest of ten rules needed. se: Sudoku Explainer. hodoku: HoDoKu. trial: depth of "
        "trial and error, and backdoors.",
    )
    seconds: Seconds = 10.0


class RateResponse(BaseModel):
    """The difficulty of a puzzle: the object that `sudokulab rate --json` prints. The keys depend on the scale."""

    model_config = ConfigDict(extra="allow")

    id: str
    puzzle: str
    status: Literal["rated", "not rated"]
    solutions: int | None = Field(description="0, 1, or 2 for several; null if the time ran out.")
    text: str = Field(description="The rating in words.")


class ExplainRequest(_PuzzleRequest):
    """A puzzle to explain, from its givens or from the state a player has reached."""

    board: str | None = Field(
        None, max_length=100_000, description="The givens and the player's digits, as a line of text."
    )
    candidates: Masks | None = Field(
        None,
        max_length=25**2,
        description="The candidates that the player has left, one mask per cell. 0 means that the player has marked "
        "none, so that all are possible.",
    )
    techniques: Names = Field(
        None, description="Techniques or families in the order to try them, such as singles,x-wing."
    )
    without: Names = Field(None, description="Techniques or families to leave out, such as uniqueness.")
    seconds: Seconds | None = Field(None, description="Time limit. Default: 0.8 for a hint, 20 for an explanation.")


class LinkBody(BaseModel):
    """A link of a chain, between two candidates or groups of candidates."""

    model_config = ConfigDict(populate_by_name=True)

    start: list[Pair] = Field(alias="from")
    to: list[Pair]
    is_strong: bool = Field(description="Whether at least one end is true; otherwise at most one is.")


class MarksBody(BaseModel):
    """What to draw for a step. Cells are counted from 0."""

    cells: Cells = Field(description="The cells of the pattern.")
    units: list[list[str | int]] = Field(description="The units of the pattern: the kind, then the cells.")
    candidates: list[tuple[int, int, str]] = Field(
        description="Cell, digit and role: pattern, fin, set-a, set-b and so on, eliminated or placed."
    )
    links: list[LinkBody]
    placements: list[Pair]
    eliminations: list[Pair]


class StepBody(BaseModel):
    """A step, as `sudokulab explain --json` prints it, with what a page needs to draw it."""

    model_config = ConfigDict(extra="allow")

    technique: str = Field(examples=["x-wing"])
    name: str = Field(examples=["X-wing"])
    sentence: str = Field(description="The explanation.")
    board: Digits = Field(description="The digits before the step.")
    candidates: Masks = Field(description="The candidates before the step.")
    marks: MarksBody


class ExplainResponse(BaseModel):
    """Steps towards the solution."""

    ending: str = Field(
        description="solved, open, stuck, no solution, several solutions, stopped, unknown, or mistakes.",
        examples=["open"],
    )
    steps: list[StepBody]
    closing: str = Field(description="The closing sentence; empty if more steps follow.")
    wrong_cells: Cells = Field(description="Cells in which the player's digit differs from the solution.")
    wrong_candidates: Cells = Field(description="Cells whose pencil marks lack the digit of the solution.")


class SolverBody(BaseModel):
    """A solver."""

    name: str = Field(examples=["annealing"])
    summary: str = Field(examples=["Simulated annealing with swaps inside boxes."])
    is_complete: bool = Field(description="Whether it can prove that a puzzle has no solution.")
    is_stochastic: bool = Field(description="Whether it uses the seed.")
    unit: Literal["nodes", "iterations"] | None = Field(description="The unit of its steps; null if it counts none.")
    watch_speed: float = Field(description="Steps per second at which people can follow the search.", examples=[50_000])
    parameters: dict[str, dict[str, object]] = Field(
        description="The JSON schema of each parameter, with its range in words.",
        examples=[{"cooling": {"type": "number", "default": 0.99, "range": "a number above 0 and below 1"}}],
    )


class DescribedSolver(SolverBody):
    """A solver with its whole description."""

    text: str = Field(description="What it does, its parameters, statistics and references.")


class SolversResponse(BaseModel):
    """All solvers."""

    default: str = Field(examples=["auto"])
    solvers: list[SolverBody]


class TechniqueBody(BaseModel):
    """A human technique."""

    name: str = Field(examples=["x-wing"])
    title: str = Field(examples=["X-wing"])
    family: str = Field(examples=["fish"])
    idea: str = Field(description="The idea in one or two sentences.")
    code: str = Field(description="The code of the rule in the paper of San Segundo and Jiménez; empty for others.")
    level: str = Field(description="The level of puzzles that need the rule.")
    is_default: bool = Field(description="Whether `explain` tries it by default.")
    assumes_uniqueness: bool = Field(description="Whether it relies on the puzzle having only one solution.")


class ExampleBody(BaseModel):
    """An example of a technique."""

    givens: Digits
    step: StepBody


class DescribedTechnique(TechniqueBody):
    """A technique with an example."""

    example: ExampleBody | None


class TechniquesResponse(BaseModel):
    """All techniques, in the order in which `explain` tries them."""

    families: dict[str, str] = Field(description="The families, each with its idea.")
    techniques: list[TechniqueBody]


class PresetBody(BaseModel):
    """A puzzle to start with."""

    name: str = Field(examples=["inkala-2012"])
    title: str = Field(examples=["Inkala 2012"])
    puzzle: str
    givens: Digits
    box: str
    size: int
    comment: str = Field(description="Where the puzzle comes from, if known.")
    racers: list[str] = Field(description="Solvers that make a good race on the puzzle; empty for the default ones.")


class PresetsResponse(BaseModel):
    """Puzzles to start with."""

    presets: list[PresetBody]
    racers: list[str] = Field(description="Solvers for a race on any other puzzle.", examples=[["annealing", "dlx"]])


def _random_seed() -> int:
    return secrets.randbits(32)


class GenerateRequest(PuzzleSpec):
    """A specification of puzzles, and how many to generate."""

    count: int = Field(
        1, strict=True, ge=1, le=MAX_GENERATED, title="Number of puzzles", description="Number of puzzles."
    )
    seed: PuzzleSeed = Field(
        default_factory=_random_seed,
        title="Seed",
        description="The same seed gives the same puzzles. Default: a random one.",
    )
    attempts: int | None = Field(
        None, ge=1, le=MAX_COUNT, title="Attempts", description="Stop after this many attempts at a puzzle."
    )
    seconds: Seconds = Field(20.0, title="Time limit (s)")


class GenerateFieldsResponse(BaseModel):
    """The fields of a request to generate puzzles."""

    fields: dict[str, dict[str, object]] = Field(
        description="The JSON schema of each field, with the kinds of puzzles that it applies to.",
        examples=[{"givens": {"type": "integer", "minimum": 0, "kinds": ["unique"], "needed_by": []}}],
    )


class GenerateResponse(BaseModel):
    """Generated puzzles."""

    puzzles: list[PuzzleBody]
    seed: int
    message: str | None = Field(description="Why fewer puzzles were made than requested.")


class SheetRequest(_Request):
    """Puzzles to print."""

    puzzles: list[PuzzleText] = Field(min_length=1, max_length=MAX_PER_SHEET)
    box: BoxText = None
    per_page: int = Field(6, ge=1, le=64)
    paper: Literal["a3", "a4", "a5", "letter"] = "a4"
    title: str = Field("", max_length=200)
    ratings: list[Literal["rules", "se", "hodoku"]] = Field(
        ["rules", "se"], max_length=3, description="Scales of the ratings above each puzzle."
    )
    solutions: bool = Field(True, description="Print the solutions on the last pages.")
    hints: int = Field(0, ge=0, le=20, description="Number of steps of each puzzle to explain in words.")
    format: Literal["pdf", "svg"] = Field("pdf", description="Several SVG pages come as a zip archive.")
    seconds: Seconds = 30.0


StepsPerFrame = Annotated[int, Field(ge=0, le=10**9, description="0 for full speed, or a frame every n steps.")]
FramesPerSecond = Annotated[float, Field(ge=0.1, le=60)]


class RunStart(SolveRequest):
    """The first message of a client: which run to start."""

    type: Literal["start"]
    seconds: Annotated[float, Field(gt=0, le=3600)] = 600.0
    steps_per_frame: StepsPerFrame = 0
    frames_per_second: FramesPerSecond = 30.0
    is_paused: bool = False


class RunCommand(_Request):
    """A later message of a client."""

    type: Literal["pause", "resume", "stop", "step", "speed"]
    count: int = Field(1, ge=1, le=10**9)
    steps_per_frame: StepsPerFrame = 0
    frames_per_second: FramesPerSecond = 30.0
