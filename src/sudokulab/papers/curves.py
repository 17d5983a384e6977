"""Curves of success rates and times, which several papers show together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sudokulab.papers.numbers import interval_of_mean

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["draw_success_and_time"]


def draw_success_and_time(
    axis: Axes, *, runs: pl.DataFrame, x: str, label: str, paper: Mapping[str, tuple[float, float, float]] | None = None
) -> None:
    """Draw the success rates of solvers above the mean times of their successful runs, with 95 % intervals.

    Parameters
    ----------
    axis
        The only axis of a figure.
    runs, x, label
        The runs, the column that is plotted against, and its name.
    paper
        The paper's x, success rate and mean seconds, by solver.
    """
    from sudokulab.lab import plots
    from sudokulab.lab.figures import style_of

    upper, lower = plots.split(axis, 2)
    plots.plot_phase_transition(upper, runs, x, "success")
    plots.plot_phase_transition(lower, runs, x, "mean seconds")
    solved = runs.filter("is_success").group_by("solver", x, maintain_order=True).agg("seconds").sort(x)
    for (solver,), own in solved.group_by("solver", maintain_order=True):
        low, high = zip(*(interval_of_mean(seconds) for seconds in own["seconds"].to_list()), strict=True)
        lower.fill_between(own[x], low, high, color=style_of(lower, str(solver))["color"], alpha=0.15, linewidth=0)
    for solver, (place, rate, seconds) in (paper or {}).items():
        plots.plot_paper_values(upper, [place], [rate], solver)
        plots.plot_paper_values(lower, [place], [seconds], solver)
    upper.set_xlabel("")
    lower.set_xlabel(label)
    lower.set_xlim(upper.get_xlim())
