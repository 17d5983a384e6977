"""Tune the parameters of a solver for a set of puzzles, with optuna.

A trial is one set of parameters. Its score is the mean PAR-2 time over the puzzles, measured on a worker like the runs
of an experiment. After each puzzle, the Wilcoxon pruner may stop a trial that is no better than the best one so far.
Trials can be kept in a file and resumed.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import types
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import tomli_w

from sudokulab._internal.progress import is_terminal, progress_lines, progress_text
from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import ParameterError, SudokulabError
from sudokulab.formats.coercion import PuzzleLike, as_many, as_puzzle
from sudokulab.lab.experiment import BudgetSpec, Run, SolverSpec
from sudokulab.lab.specs import spec_of
from sudokulab.lab.worker import Worker, perform
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import Solver
from sudokulab.solvers.registry import SolverLike

if TYPE_CHECKING:
    import optuna
    from optuna.trial import FrozenTrial

__all__ = ["Choice", "Range", "Tuned", "search_space", "tune"]


@dataclass(frozen=True)
class Range:
    """Numbers from low to high, integers or reals."""

    low: float
    high: float
    is_whole: bool

    @property
    def is_logarithmic(self) -> bool:
        """Whether to search on a logarithmic scale, as for more than two orders of magnitude."""
        return self.low > 0 and self.high / self.low > 100


@dataclass(frozen=True)
class Choice:
    """A list of values."""

    values: tuple[Any, ...]


Space = dict[str, Range | Choice]
TrialObserver = Callable[[int, float | None, Mapping[str, object]], None]
"""Called after each trial with its number, its score (None if pruned) and its parameters."""


@dataclass(frozen=True)
class Tuned:
    """The result of tuning.

    Parameters
    ----------
    solver
        The name of the solver.
    params
        The best parameters.
    seconds
        Their mean PAR-2 time.
    default_seconds
        The mean PAR-2 time of the default parameters, the first trial.
    num_trials, num_pruned
        The numbers of all trials and of pruned trials.
    """

    solver: str
    params: Mapping[str, object]
    seconds: float
    default_seconds: float
    num_trials: int
    num_pruned: int

    def to_toml(self) -> str:
        """Return the parameters in the format of ``--param-file``."""
        scores = f"# {self.solver}: PAR-2 {self.seconds:.4g} s, with default parameters {self.default_seconds:.4g} s\n"
        return scores + tomli_w.dumps(dict(self.params))


def search_space(solver: type[Solver], ranges: Mapping[str, str] | None = None) -> Space:
    """Return the parameters to vary, with their ranges.

    By default, numbers range from a tenth of their default to ten times their default, and choices over all values.

    Parameters
    ----------
    solver
        The class of the solver.
    ranges
        Other ranges by parameter: ``low..high`` for numbers, ``a,b,c`` for choices.

    Raises
    ------
    ParameterError
        If there is no such parameter, a range is invalid, or the solver has no parameters.
    """
    ranges = ranges or {}
    hints = get_type_hints(solver, include_extras=True)
    space: Space = {}
    declared: Sequence[Field[object]] = fields(solver) if is_dataclass(solver) else ()
    for field in declared:
        default = None if field.default is MISSING else field.default
        if field.name in ranges:
            space[field.name] = _parsed_range(field.name, ranges[field.name], default)
        elif (found := _default_range(hints[field.name], default)) is not None:
            space[field.name] = found
    unknown = [name for name in ranges if name not in space]
    if unknown:
        raise ParameterError(unknown_name(f"parameter of {solver.name}", unknown[0], space))
    if not space:
        raise ParameterError(f"{solver.name} has no parameters to tune")
    return space


def tune(
    solver: SolverLike,
    puzzles: Iterable[PuzzleLike],
    *,
    trials: int = 50,
    cpu_seconds: float = 1.0,
    seed: int = 0,
    ranges: Mapping[str, str] | None = None,
    store: Path | None = None,
    observer: TrialObserver | None = None,
    progress: bool = False,
) -> Tuned:
    """Search for parameters with a low mean PAR-2 time.

    Parameters
    ----------
    solver
        A name, ``module:Class``, a class, or an instance, whose parameters are the first trial.
    puzzles
        The puzzles to tune on.
    trials
        The total number of trials, including those in the store.
    cpu_seconds
        The CPU time of each run.
    seed
        Random seed for the search and the runs.
    ranges
        See `search_space`.
    store
        A file for the trials; the same call resumes.
    observer
        Called after each trial; see `TrialObserver`.
    progress
        Whether to print a line with the progress to standard error every half minute, unless that is a terminal.
    """
    base = spec_of(solver)
    default = base.make()
    space = search_space(type(default), ranges)
    instances = [as_puzzle(puzzle) for puzzle in as_many(puzzles)]
    if not instances:
        raise SudokulabError("no puzzles to tune on")
    study = _open_study(str(base.name), store, len(instances), seed)
    _check_same(study, [[puzzle.line for puzzle in instances], cpu_seconds, seed, repr(space)])
    first_params = {name: getattr(default, name) for name in space}
    if not any(_is_of(trial, first_params) for trial in study.trials):
        study.enqueue_trial(first_params)
    num_left, num_new = max(0, trials - len(_finished(study))), 0
    is_logged = progress and not is_terminal()
    worker, began = Worker(), time.monotonic()

    def score(trial: optuna.Trial) -> float:
        return _score(trial, base, space, instances, BudgetSpec(cpu_seconds=cpu_seconds), seed, worker)

    def notify(_: object, trial: FrozenTrial) -> None:
        nonlocal num_new
        num_new += 1
        if observer is not None:
            observer(trial.number, None if trial.state.name == "PRUNED" else trial.value, trial.params)

    def describe() -> str:
        return progress_text(num_new, num_left, "trials", time.monotonic() - began)

    try:
        with warnings.catch_warnings(), progress_lines(describe) if is_logged else nullcontext():
            warnings.filterwarnings("ignore", "Fixed parameter")  # defaults may lie outside the given ranges
            study.optimize(score, n_trials=num_left, callbacks=[notify])
    finally:
        worker.stop()
    finished = _finished(study)
    num_pruned = sum(trial.state.name == "PRUNED" for trial in finished)
    values = (trial.value for trial in finished if _is_of(trial, first_params))
    first = next((value for value in values if value is not None), math.nan)
    return Tuned(str(base.name), study.best_params, study.best_value, first, len(finished), num_pruned)


def _open_study(name: str, store: Path | None, num_instances: int, seed: int) -> optuna.Study:
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # the pruner is stable since 3.6
        pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.1, n_startup_steps=min(5, num_instances))
    storage = None if store is None else f"sqlite:///{store}"
    study = optuna.create_study(study_name=name, storage=storage, pruner=pruner, load_if_exists=True)
    for trial in study.get_trials(states=[optuna.trial.TrialState.RUNNING]):  # left by a killed process
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
    study.sampler = optuna.samplers.TPESampler(seed=seed + len(study.trials))  # a resumed search must not repeat itself
    return study


def _score(
    trial: optuna.Trial,
    base: SolverSpec,
    space: Space,
    instances: Sequence[Puzzle],
    budget: BudgetSpec,
    seed: int,
    worker: Worker,
) -> float:
    """Return the mean PAR-2 time of a trial, or prune it."""
    import optuna

    assert budget.cpu_seconds is not None
    params = {name: _suggest(trial, name, kind) for name, kind in space.items()}
    try:
        spec = SolverSpec(name=base.name, params={**base.params, **params})
    except ValueError:
        raise optuna.TrialPruned from None  # an invalid combination of parameters
    scores = []
    for index, puzzle in enumerate(instances):
        record = perform(Run("", "", str(index), puzzle, spec, 0, seed + index, budget), worker)
        scores.append(record.cpu_seconds if record.is_success else 2 * budget.cpu_seconds)
        trial.report(scores[-1], index)
        if trial.should_prune():
            raise optuna.TrialPruned
    return sum(scores) / len(scores)


def _finished(study: optuna.Study) -> list[FrozenTrial]:
    return [trial for trial in study.trials if trial.state.is_finished()]


def _check_same(study: optuna.Study, setting: object) -> None:
    """Refuse to resume trials whose scores are not comparable."""
    digest = hashlib.sha256(json.dumps(setting).encode()).hexdigest()
    if study.user_attrs.get("tuned on", digest) != digest:
        raise SudokulabError("the store has trials with other puzzles, CPU seconds, seed or ranges; use another store")
    study.set_user_attr("tuned on", digest)


def _is_of(trial: FrozenTrial, params: Mapping[str, object]) -> bool:
    return trial.value is not None and trial.params == params


def _suggest(trial: optuna.Trial, name: str, kind: Range | Choice) -> object:
    if isinstance(kind, Choice):
        return trial.suggest_categorical(name, kind.values)
    if kind.is_whole:
        return trial.suggest_int(name, int(kind.low), int(kind.high), log=kind.is_logarithmic)
    return trial.suggest_float(name, kind.low, kind.high, log=kind.is_logarithmic)


def _parsed_range(name: str, text: str, default: Any) -> Range | Choice:
    low, dots, high = text.partition("..")
    try:
        if dots:
            if float(low) > float(high):
                raise ValueError
            return Range(float(low), float(high), isinstance(default, int))
        kind = type(default) if default is not None else str
        if kind is bool:
            return Choice(tuple(part.strip().lower() in ("true", "yes", "1") for part in text.split(",")))
        return Choice(tuple(kind(part.strip()) for part in text.split(",")))
    except ValueError:
        raise ParameterError(f"{name}: invalid range {text!r}; write low..high or values separated by commas") from None


def _default_range(hint: object, default: Any) -> Range | Choice | None:
    """Return a range from the type, the bounds and the default of a parameter."""
    bounds: list[object] = []
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        bounds = [part for extra in extras for part in getattr(extra, "metadata", [extra])]
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if hint is bool:
        return Choice((False, True))
    if get_origin(hint) is Literal:
        return Choice(get_args(hint))
    if hint not in (int, float) or default is None:
        return None
    low, high = (default / 10, default * 10) if default else (0, 1)
    if low > high:
        low, high = high, low
    for bound in bounds:
        low = max(low, getattr(bound, "ge", low), getattr(bound, "gt", low))
        high = min(high, getattr(bound, "le", high), getattr(bound, "lt", high))
    if hint is int:
        low, high = max(1 if default > 0 else 0, round(low)), max(1, round(high))
    return Range(low, high, hint is int)
