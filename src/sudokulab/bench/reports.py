"""Reports of measurements: tables, remarks, plots and plain data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import permutations
from statistics import median
from typing import TYPE_CHECKING

from sudokulab.bench import large, throughput
from sudokulab.bench.throughput import Workload

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Measured", "MeasuredRates", "MeasuredTimes"]

Table = tuple[list[str], list[list[str]]]
"""The names of the columns, and the rows."""

_UNITS = {
    Workload.SOLVE: "first solution, per second",
    Workload.COUNT: "up to two, per second",
    Workload.GENERATE: "generated, per second",
    Workload.START: "seconds",
}


@dataclass(frozen=True)
class Measured(ABC):
    """The measurements on one set of puzzles, or on something without a set, such as generation."""

    name: str
    num_puzzles: int | None
    reference: str | None

    @abstractmethod
    def tables(self) -> Iterator[Table]:
        """Yield the tables to print."""

    @abstractmethod
    def contenders(self) -> list[dict[str, object]]:
        """Return all measurements per contender, as plain data."""

    @abstractmethod
    def complaints(self) -> Iterator[str]:
        """Yield a message for each wrong or missing answer."""

    @abstractmethod
    def draw(self, ax: Axes) -> None:
        """Plot the measurements."""

    def remarks(self) -> Iterator[str]:
        """Yield observations that the table does not show."""
        yield from ()


@dataclass(frozen=True)
class MeasuredRates(Measured):
    """Throughput on 9×9 puzzles."""

    rates: list[throughput.Rates]

    def tables(self) -> Iterator[Table]:
        """Yield one table per workload."""
        for workload, measured in self._by_workload().items():
            columns = ["contender", "puzzles", _UNITS[workload], "min – max", "ratio"]
            reference = self._reference(measured)
            yield columns, [[rates.contender, *self._cells(rates, reference)] for rates in measured]

    def _cells(self, rates: throughput.Rates, reference: throughput.Rates) -> list[str]:
        if rates.complaint:
            return [f"{rates.num_puzzles:,}", rates.complaint.partition(":")[0], "", ""]
        ratio = rates.ratio_to(reference)
        return [
            f"{rates.num_puzzles:,}",
            _rounded(median(rates.values)),
            f"{_rounded(min(rates.values))} – {_rounded(max(rates.values))}",
            "" if ratio is None else _ratio(ratio),
        ]

    def _by_workload(self) -> dict[Workload, list[throughput.Rates]]:
        found = {rates.workload for rates in self.rates}
        return {w: [rates for rates in self.rates if rates.workload is w] for w in Workload if w in found}

    def _reference(self, measured: Sequence[throughput.Rates]) -> throughput.Rates:
        is_there = self.reference in [rates.contender for rates in measured]
        return throughput.reference_among(measured, self.reference if is_there else None)

    def contenders(self) -> list[dict[str, object]]:
        """Return all rates."""
        return [
            asdict(rates)
            | {
                "workload": workload.value,
                "unit": "starts per second" if workload is Workload.START else "puzzles per second",
                "median": rates.median if rates.rates else None,
                "reference": self._reference(measured).contender,
                "ratio": rates.ratio_to(self._reference(measured)),
            }
            for workload, measured in self._by_workload().items()
            for rates in measured
        ]

    def complaints(self) -> Iterator[str]:
        """Yield a message for each contender with wrong or missing answers."""
        for rates in self.rates:
            if rates.complaint:
                yield f"{rates.contender}, {rates.workload.value}: {rates.complaint}"

    def draw(self, ax: Axes) -> None:
        """Plot the rates, or seconds."""
        from sudokulab.lab.plots import plot_rates

        found = self._by_workload()
        values = {
            workload.value: {rates.contender: rates.values for rates in measured if rates.rates}
            for workload, measured in found.items()
        }
        plot_rates(ax, values, "seconds" if Workload.START in found else "puzzles per second")


@dataclass(frozen=True)
class MeasuredTimes(Measured):
    """Solving times on large grids."""

    times: list[large.Times]
    budget_seconds: float

    def tables(self) -> Iterator[Table]:
        """Yield a single table."""
        columns = ["solver", "solved", "mean s", "median s", "longest s", "search s", "ratio"]
        reference = large.reference_among(self.times, self.reference)
        yield columns, [self._cells(times, reference) for times in self.times]

    def _cells(self, times: large.Times, reference: large.Times) -> list[str]:
        statistics = [f"{value:.3g}" for value in times.statistics.values()]
        ratio = times.ratio_to(reference)
        return [
            times.solver,
            f"{len(times.solved)} of {len(times.runs)}",
            *statistics,
            *[""] * (4 - len(statistics)),
            "" if ratio is None else _ratio(ratio),
        ]

    def remarks(self) -> Iterator[str]:
        """Yield a line for each pair in which one solver solves grids that the other does not."""
        for one, other in permutations(self.times, 2):
            only = sorted(one.solved - other.solved)
            if only:
                numbers = ", ".join(str(place + 1) for place in only)
                yield f"{one.solver} solves {len(only)} that {other.solver} does not: {numbers}"

    def contenders(self) -> list[dict[str, object]]:
        """Return all times."""
        reference = large.reference_among(self.times, self.reference)
        return [
            {
                "contender": times.solver,
                "is_rival": times.is_rival,
                "num_solved": len(times.solved),
                **{name: times.statistics.get(name) for name in large.STATISTICS},
                "reference": reference.solver,
                "ratio": times.ratio_to(reference),
                "runs": [asdict(run) for run in times.runs],
            }
            for times in self.times
        ]

    def complaints(self) -> Iterator[str]:
        """Yield a message for each wrong or missing answer."""
        for times in self.times:
            for number, run in enumerate(times.runs, start=1):
                if run.complaint:
                    yield f"{times.solver}, grid {number}: {run.complaint}"

    def draw(self, ax: Axes) -> None:
        """Draw a cactus plot."""
        import polars as pl

        from sudokulab.lab.plots import plot_cactus

        rows = [
            {"solver": times.solver, "instance": str(place), "run": 0, "is_success": run.is_solved}
            | {"seconds": run.seconds, "budget_seconds": self.budget_seconds}
            for times in self.times
            for place, run in enumerate(times.runs)
        ]
        plot_cactus(ax, pl.DataFrame(rows))
        ax.set(xlabel="grids solved", ylabel="seconds per grid")


def _rounded(rate: float) -> str:
    """Format a rate with its significant digits."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"
