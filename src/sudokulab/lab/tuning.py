"""Parameters that suit a set of instances, found by optuna.

A trial is a set of parameters; its score is the mean PAR-2 time over the instances, measured on a worker, as runs of an
experiment are. After each instance the Wilcoxon pruner may give it up as no better than the best so far. Trials are
kept in a file of their own and gone on with.
"""

from __future__ import annotations

import hashlib
import json
import math
import types
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import tomli_w

from sudokulab._internal.suggestions import unknown_name
from sudokulab.errors import SudokulabError
from sudokulab.lab.experiment import BudgetSpec, Run, SolverSpec
from sudokulab.lab.worker import Worker, perform
from sudokulab.puzzle import Puzzle
from sudokulab.solvers import Solver
from sudokulab.solving.registry import all_solvers

__all__ = ["Choice", "Range", "Tuned", "search_space", "tune"]


@dataclass(frozen=True)
class Range:
    """Numbers from low to high, whole or not; on a logarithmic scale if they span more than two powers of ten."""

    low: float
    high: float
    is_whole: bool

    @property
    def is_logarithmic(self) -> bool:
        """Whether to search powers rather than numbers."""
        return self.low > 0 and self.high / self.low > 100


@dataclass(frozen=True)
class Choice:
    """One of a few values."""

    values: tuple[Any, ...]


Space = dict[str, Range | Choice]


@dataclass(frozen=True)
class Tuned:
    """What tuning came to.

    Parameters
    ----------
    solver
        The name of the solver.
    params
        The best parameters found.
    seconds
        Their mean PAR-2 time.
    default_seconds
        That of the default parameters, which are the first trial.
    num_trials, num_pruned
        How many sets of parameters were tried, and given up early.
    """

    solver: str
    params: Mapping[str, Any]
    seconds: float
    default_seconds: float
    num_trials: int
    num_pruned: int

    def to_toml(self) -> str:
        """Return the parameters as ``--param-file`` reads them."""
        gain = f"# {self.solver}: {self.seconds:.4g} s (PAR-2), the default parameters {self.default_seconds:.4g} s\n"
        return gain + tomli_w.dumps(dict(self.params))


def search_space(solver: type[Solver], ranges: Mapping[str, str] | None = None) -> Space:
    """Return what can be varied of a solver's parameters: numbers around their defaults, choices among their values.

    Parameters
    ----------
    solver
        Whose parameters.
    ranges
        Bounds of one's own as text: ``low..high`` for numbers, ``a,b,c`` for choices.
    """
    hints = get_type_hints(solver, include_extras=True)
    space: Space = {}
    for field in fields(solver):  # type: ignore[arg-type]
        default = None if field.default is MISSING else field.default
        found = _own_range(field.name, ranges[field.name], default) if ranges and field.name in ranges else None
        found = found or _range_of(hints[field.name], default)
        if found is not None:
            space[field.name] = found
    unknown = [name for name in ranges or {} if name not in space]
    if unknown:
        raise SudokulabError(f"{solver.name} has no parameter {unknown[0]!r}, expected one of {', '.join(space)}")
    if not space:
        raise SudokulabError(f"{solver.name} has no parameters to tune")
    return space


def tune(
    solver: str,
    puzzles: Iterable[Puzzle],
    *,
    trials: int = 50,
    seconds: float = 1.0,
    seed: int = 0,
    ranges: Mapping[str, str] | None = None,
    store: Path | None = None,
    observer: Callable[[int, float | None, Mapping[str, Any]], None] | None = None,
) -> Tuned:
    """Look for parameters of a solver with a low mean PAR-2 time.

    Parameters
    ----------
    solver
        The name of the solver.
    puzzles
        What to tune on.
    trials
        How many sets of parameters to try in all, those of earlier calls included.
    seconds
        CPU seconds for each run.
    seed
        Of the search and of the runs.
    ranges
        See `search_space`.
    store
        A file to keep the trials in; the same call then goes on with them.
    observer
        Told of each trial: its number, its score (None if it was given up) and its parameters.
    """
    import optuna

    if solver not in all_solvers():
        raise SudokulabError(unknown_name("solver", solver, all_solvers()))
    solver_type = all_solvers()[solver]
    instances = list(puzzles)
    if not instances:
        raise SudokulabError("no puzzles to tune on")
    space = search_space(solver_type, ranges)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)  # there since 3.6, and made for this
        pruner = optuna.pruners.WilcoxonPruner(p_threshold=0.1, n_startup_steps=min(5, len(instances)))
    study = optuna.create_study(
        study_name=solver,
        storage=None if store is None else f"sqlite:///{store}",
        pruner=pruner,
        load_if_exists=True,
    )
    _check_same(study, [[puzzle.line for puzzle in instances], seconds, seed, repr(space)])
    for trial in study.get_trials(states=[optuna.trial.TrialState.RUNNING]):  # of a call that was killed
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
    study.sampler = optuna.samplers.TPESampler(seed=seed + len(study.trials))  # or it would repeat itself
    defaults = {field.name: field.default for field in fields(solver_type)}  # type: ignore[arg-type]
    first_params = {name: defaults[name] for name in space}
    if not any(_is_of(trial, first_params) for trial in study.trials):
        study.enqueue_trial(first_params)
    worker = Worker()

    def objective(trial: Any) -> float:
        params = {name: _suggest(trial, name, kind) for name, kind in space.items()}
        try:
            spec = SolverSpec(name=solver, params=params)
        except ValueError:
            raise optuna.TrialPruned from None  # parameters that do not go together
        scores = []
        for place, puzzle in enumerate(instances):
            run = Run("", "", str(place), puzzle, spec, 0, seed + place, BudgetSpec(seconds=seconds))
            record = perform(run, worker)
            scores.append(record.cpu_seconds if record.is_success else 2 * seconds)
            trial.report(scores[-1], place)
            if trial.should_prune():
                raise optuna.TrialPruned
        return sum(scores) / len(scores)

    def tell(_: Any, trial: Any) -> None:
        if observer is not None:
            observer(trial.number, None if trial.state.name == "PRUNED" else trial.value, trial.params)

    try:
        num_left = max(0, trials - len([trial for trial in study.trials if trial.state.is_finished()]))
        study.optimize(objective, n_trials=num_left, callbacks=[tell])
    finally:
        worker.stop()
    finished = [trial for trial in study.trials if trial.state.is_finished()]
    pruned = [trial for trial in finished if trial.state.name == "PRUNED"]
    first = next((trial.value for trial in finished if _is_of(trial, first_params)), None)
    return Tuned(
        solver, study.best_params, study.best_value, math.nan if first is None else first, len(finished), len(pruned)
    )


def _check_same(study: Any, what: object) -> None:
    """Refuse to go on with trials whose scores cannot be compared with those to come."""
    digest = hashlib.sha256(json.dumps(what).encode()).hexdigest()
    if study.user_attrs.get("tuned on", digest) != digest:
        raise SudokulabError("the store has trials on other puzzles, seconds, seed or ranges, expected another store")
    study.set_user_attr("tuned on", digest)


def _is_of(trial: Any, params: Mapping[str, Any]) -> bool:
    return trial.value is not None and trial.params == params


def _suggest(trial: Any, name: str, kind: Range | Choice) -> Any:
    if isinstance(kind, Choice):
        return trial.suggest_categorical(name, kind.values)
    if kind.is_whole:
        return trial.suggest_int(name, int(kind.low), int(kind.high), log=kind.is_logarithmic)
    return trial.suggest_float(name, kind.low, kind.high, log=kind.is_logarithmic)


def _own_range(name: str, text: str, default: Any) -> Range | Choice:
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
        raise SudokulabError(f"{name}: {text!r} is no range, expected low..high or values with commas") from None


def _range_of(hint: Any, default: Any) -> Range | Choice | None:
    """Make a range of a parameter's type, its bounds, and its default: a tenth of it to ten times it."""
    bounds: list[Any] = []
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
