"""Plots show the data, need no colour, and are reproducible."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import FillBetweenPolyCollection
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from sudokulab.errors import SudokulabError
from sudokulab.lab import plots
from sudokulab.lab.figures import style_of
from sudokulab.lab.significance import Friedman, friedman
from sudokulab.lab.statistics import success_rate
from tests.cases import for_each
from tests.lab.test_statistics import make_runs

pytestmark = pytest.mark.slow

BUDGET = 10.0
NAMES = ["annealing", "ant-colony", "graph-search", "never"]


def random_runs(solvers: list[str], num_instances: int = 6, num_runs: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    times = {
        solver: [
            [None if solver == "never" or t > BUDGET else t for t in rng.exponential(0.1 * 3**place, num_runs)]
            for _ in range(num_instances)
        ]
        for place, solver in enumerate(solvers)
    }
    return make_runs(times, BUDGET).with_columns(
        fixed_fraction=pl.col("instance").str.tail(-1).cast(pl.Int64) / num_instances
    )


def convergence(ax: Axes, runs: pl.DataFrame) -> None:
    rng = np.random.default_rng(2)
    steps = np.arange(30)
    traces = {
        solver: [(steps, 50 * 0.9**steps + rng.random(30)) for _ in range(5)]
        for solver in runs["solver"].unique().sort()
    }
    plots.plot_convergence(ax, traces)


def phase_seconds(ax: Axes, runs: pl.DataFrame) -> None:
    plots.plot_phase_transition(ax, runs, y="seconds")


def critical_difference(ax: Axes, runs: pl.DataFrame) -> None:
    plots.plot_critical_difference(ax, friedman(runs))


Plot = Callable[[Axes, pl.DataFrame], None]
CURVES: list[Plot] = [
    plots.plot_time_to_target,
    plots.plot_ecdf,
    plots.plot_profile,
    plots.plot_cactus,
    plots.plot_phase_transition,
    phase_seconds,
    convergence,
]
ROWS: list[Plot] = [plots.plot_success, plots.plot_box]


def drawn(plot: Plot, runs: pl.DataFrame) -> tuple[Figure, Axes]:
    figure, ax = plots.figure()
    plot(ax, runs)
    return figure, ax


def curve(ax: Axes, name: str) -> list[tuple[float, float]]:
    (line,) = (line for line in ax.lines if line.get_label() == name)
    return [(float(x), float(y)) for x, y in np.asarray(line.get_xydata())]


def named_lines(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if not str(line.get_label()).startswith("_")]


def legend_names(ax: Axes) -> list[str]:
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def end_names(ax: Axes) -> list[Text]:
    """Return the names at the ends of the curves, from top to bottom."""
    names = [text for text in ax.texts if text.get_text() and text.get_transform() == ax.transAxes]
    return sorted(names, key=lambda text: -text.get_position()[1])


@pytest.mark.thorough
@for_each("plot", [*CURVES, *ROWS, critical_difference])
def test_plots_are_reproducible(plot: Plot, tmp_path: Path) -> None:
    for name in "ab":
        figure, _ = drawn(plot, random_runs(NAMES[1:], 4, 3))
        plots.save(figure, tmp_path / f"{name}.png")
        plots.save(figure, tmp_path / f"{name}.svg")
    png, svg = ((tmp_path / f"a.{extension}").read_bytes() for extension in ("png", "svg"))
    assert png == (tmp_path / "b.png").read_bytes()
    assert svg == (tmp_path / "b.svg").read_bytes()
    assert png.startswith(b"\x89PNG")
    assert ElementTree.fromstring(svg).tag.endswith("svg")


@for_each("plot", CURVES)
def test_curves_have_units_on_their_axes_and_up_to_three_a_legend(plot: Plot) -> None:
    _, ax = drawn(plot, random_runs(NAMES[1:]))
    assert ax.get_xlabel()
    assert ax.get_ylabel()
    assert legend_names(ax) == [line.get_label() for line in named_lines(ax)] == NAMES[1:]


@pytest.mark.thorough
@for_each("plot", CURVES)
@for_each("num", [4, 8, 19])
def test_more_than_three_curves_are_named_at_their_ends_without_overlap(plot: Plot, num: int) -> None:
    names = [*(f"solver-{number:02}" for number in range(num - 1)), "never"]
    figure, ax = drawn(plot, random_runs(names, 4, 3))
    figure.canvas.draw()
    assert ax.get_legend() is None
    texts = end_names(ax)
    assert sorted(text.get_text().removesuffix(" (no data)") for text in texts) == sorted(names)
    boxes = [text.get_window_extent() for text in texts]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(boxes))  # within a pixel


def test_names_follow_the_height_of_the_ends_and_then_of_the_curves() -> None:
    _, ax = plots.figure()
    for name, heights in (("low", [9, 1]), ("late", [0, 5]), ("short", [4, 5]), ("early", [4, 5]), ("high", [0, 9])):
        ax.plot([0, 0.5 if name == "short" else 1], heights, label=name)
    ax.plot([], [], label="empty")
    plots.name_curves(ax)
    plots.name_curves(ax)  # replaces the names
    assert [text.get_text() for text in end_names(ax)] == ["high", "short", "early", "late", "low", "empty (no data)"]


def test_values_of_a_paper_are_open_marks_with_one_name() -> None:
    _, ax = drawn(plots.plot_phase_transition, random_runs(NAMES[1:]))
    plots.plot_paper_values(ax, [0.2, 0.5], [1.0, 0.3])
    plots.plot_paper_values(ax, [0.5], [0.6])
    assert curve(ax, "paper") == [(0.2, 1.0), (0.5, 0.3)]
    assert [text.get_text() for text in end_names(ax)].count("paper") == 1
    (squares,) = (line for line in ax.lines if line.get_label() == "paper")
    assert (squares.get_marker(), squares.get_markerfacecolor(), squares.get_linestyle()) == ("s", "none", "None")


def test_a_value_of_a_paper_has_the_colour_of_its_solver() -> None:
    _, ax = drawn(plots.plot_phase_transition, random_runs(NAMES))
    plots.plot_paper_values(ax, [0.5], [0.6], NAMES[1])
    (squares,) = (line for line in ax.lines if line.get_label() == "paper")
    style = style_of(ax, NAMES[1])
    assert (squares.get_markeredgecolor(), squares.get_marker()) == (style["color"], style["marker"])


def test_faded_curves_have_no_name() -> None:
    _, ax = drawn(plots.plot_cactus, random_runs(NAMES))
    plots.fade(ax, ["annealing", "never"])
    assert legend_names(ax) == ["ant-colony", "graph-search"]
    assert end_names(ax) == []
    (faded,) = (line for line in ax.lines if line.get_label() == "_annealing")
    assert faded.get_color() == "0.8"


def test_an_axis_is_split_into_panels() -> None:
    figure, ax = plots.figure()
    assert plots.split(ax, 3, width=8, height=2) == figure.axes
    assert figure.get_size_inches().tolist() == [8, 6]


@for_each("plot", CURVES)
def test_a_single_solver_needs_no_legend(plot: Plot) -> None:
    _, ax = drawn(plot, random_runs(["annealing"]))
    assert legend_names(ax) == []
    assert len(ax.lines) == 1


@pytest.mark.parametrize("plot", ROWS)
def test_rows_are_named_on_their_axis(plot: Plot) -> None:
    _, ax = drawn(plot, random_runs(NAMES))
    assert [label.get_text() for label in ax.get_yticklabels()] == NAMES
    assert ax.get_ylim() == (3.5, -0.5)  # first on top


@pytest.mark.thorough
@for_each("plot", [*CURVES, *ROWS])
@for_each(
    "runs",
    [
        random_runs(["never"]),
        random_runs(["a", "never"], num_instances=1, num_runs=1),
        make_runs({"a": [[0.0, 0.0]], "b": [[0.0, None]]}, None).with_columns(fixed_fraction=0.5),
        random_runs([]),
    ],
    ids=["no success", "one run", "zero seconds", "nothing"],
)
def test_sparse_data_are_drawn(plot: Plot, runs: pl.DataFrame) -> None:
    figure, _ = drawn(plot, runs)
    figure.set_layout_engine("none")  # slow, and tested below
    figure.canvas.draw()


@pytest.mark.parametrize("num", [8, 20])
def test_no_two_solvers_look_alike(num: int) -> None:
    names = [f"solver-{number:02}" for number in range(num)]
    _, ax = drawn(plots.plot_ecdf, random_runs(names))
    lines = named_lines(ax)
    assert len({(line.get_color(), line.get_linestyle(), str(line._dash_pattern)) for line in lines}) == num  # type: ignore[attr-defined]
    if num == 8:  # the marker or the line style is enough in greyscale
        assert len({line.get_color() for line in lines}) == 8
        assert len({line.get_marker() for line in lines}) == 8
        assert len({str(line._dash_pattern) for line in lines}) == 8  # type: ignore[attr-defined]


def test_a_solver_looks_the_same_on_all_axes_of_a_figure() -> None:
    figure = Figure()
    left, right = figure.subplots(1, 2)
    plots.plot_ecdf(left, random_runs(["b", "c"]))
    plots.plot_cactus(right, random_runs(["a", "c", "b"]))
    colours = [{line.get_label(): line.get_color() for line in ax.lines} for ax in (left, right)]
    assert colours[0].items() <= colours[1].items()
    assert len(set(colours[1].values())) == 3


def test_success_rates_lie_within_their_wilson_intervals() -> None:
    _, ax = drawn(plots.plot_success, make_runs({"a": [[1] * 8 + [None] * 2], "b": [[None] * 5]}))
    for row, (num_success, num_runs) in enumerate([(8, 10), (0, 5)]):
        rate, interval = success_rate(num_success, num_runs)
        data, _, bars = ax.containers[row]
        assert (data.get_xdata()[0], data.get_ydata()[0]) == (rate, row)
        assert bars[0].get_segments()[0][:, 0] == pytest.approx(interval)


def test_time_to_target_plots_successes_at_the_middle_of_their_steps() -> None:
    _, ax = drawn(plots.plot_time_to_target, make_runs({"a": [[3, 1, None, 2]]}))
    assert curve(ax, "a") == [(1, 0.125), (2, 0.375), (3, 0.625)]
    assert ax.get_xscale() == "log"


def test_an_ecdf_ends_where_its_solver_was_stopped() -> None:
    runs = make_runs({"a": [[1, 2]], "b": [[4, None]]}, BUDGET)
    _, ax = drawn(plots.plot_ecdf, runs)
    assert curve(ax, "a") == [(1, 0), (1, 0.5), (2, 1), (10, 1)]
    assert curve(ax, "b") == [(1, 0), (4, 0.5), (10, 0.5)]
    _, ax = plots.figure()
    plots.plot_ecdf(ax, runs.with_columns(num_nodes=pl.lit(7)), column="num_nodes")
    assert ax.get_xlabel() == "num nodes"


def test_a_profile_starts_at_ratio_1() -> None:
    _, ax = drawn(plots.plot_profile, make_runs({"a": [[1], [4]], "b": [[2], [2]], "c": [[None], [None]]}))
    assert ax.get_xlim() == pytest.approx((1, 2.4))
    assert curve(ax, "a") == [(1, 0), (1, 0.5), (2, 1), (2.4, 1)]
    assert curve(ax, "c") == [(1, 0), (2.4, 0)]


def test_a_cactus_counts_runs_to_the_right_and_time_upwards() -> None:
    _, ax = drawn(plots.plot_cactus, make_runs({"a": [[3], [1], [None]]}))
    assert curve(ax, "a") == [(1, 1), (2, 3)]
    assert ax.get_yscale() == "log"


def test_a_phase_transition_has_a_band_for_each_of_up_to_four_solvers() -> None:
    _, ax = drawn(plots.plot_phase_transition, random_runs(NAMES))
    assert [x for x, _ in curve(ax, "never")] == pytest.approx([place / 6 for place in range(6)])
    assert {y for _, y in curve(ax, "never")} == {0}
    assert sum(isinstance(item, FillBetweenPolyCollection) for item in ax.collections) == len(NAMES)
    _, many = drawn(plots.plot_phase_transition, random_runs([*NAMES, "tabu"]))
    assert not many.collections  # five bands would hide each other
    _, means = drawn(partial(plots.plot_phase_transition, y="mean seconds"), random_runs(NAMES))
    assert not means.collections
    assert means.get_ylabel().startswith("mean")
    with pytest.raises(SudokulabError, match="choose one of success, seconds, mean seconds"):
        plots.plot_phase_transition(ax, random_runs(NAMES), y="cost")  # type: ignore[arg-type]


def test_convergence_keeps_the_last_value_of_a_run_that_has_ended() -> None:
    _, ax = plots.figure()
    plots.plot_convergence(ax, {"a": [([0, 1], [9, 0]), ([0, 3], [7, 3]), ([2], [5])]}, "moves", "conflicts")
    assert curve(ax, "a") == [(0, 7), (1, 5), (2, 5), (3, 3)]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("moves", "conflicts")


def test_long_traces_are_thinned() -> None:
    _, ax = plots.figure()
    plots.plot_convergence(ax, {"a": [(np.arange(10**5), np.arange(10**5))], "b": []})
    points = curve(ax, "a")
    assert len(points) < 1000
    assert (points[0][0], points[-1][0]) == (0, 10**5 - 1)
    assert curve(ax, "b") == []


def test_a_critical_difference_diagram_names_all_solvers_and_joins_the_cliques() -> None:
    result = Friedman(
        9.0, 0.03, {"a": 1.5, "b": 2.0, "c": 2.9, "d": 3.6}, 14, 1.0, [("a", "b"), ("b", "c"), ("c", "d")]
    )
    _, ax = plots.figure()
    plots.plot_critical_difference(ax, result)
    texts = {text.get_text(): text for text in ax.texts}
    assert {"a (1.50)", "b (2.00)", "c (2.90)", "d (3.60)", "CD = 1.00", "mean rank", "1", "2", "3", "4"} == set(texts)
    bars = [sorted(np.asarray(line.get_xdata())) for line in ax.lines if line.get_linewidth() == 4]
    assert bars == pytest.approx(np.array([(1.46, 2.04), (1.96, 2.94), (2.86, 3.64)]))
    left, right = ax.get_xlim()
    assert left > right  # best rank on the right
    assert texts["a (1.50)"].get_position()[0] < 1 < 4 < texts["d (3.60)"].get_position()[0]


@pytest.mark.thorough
@for_each("plot", [*CURVES, *ROWS, critical_difference])
def test_no_text_is_cut_off(plot: Plot) -> None:
    names = [f"{name} with parameters" for name in "abcdefgh"]
    figure, _ = drawn(plot, random_runs(names))
    figure.canvas.draw()
    tight = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    assert tight.x0 >= 0
    assert tight.y0 >= 0
    assert tight.x1 <= width
    assert tight.y1 <= height


def test_rates_are_drawn_from_minimum_to_maximum_with_one_row_per_contender() -> None:
    _, (ax, other) = plots.stacked(2)
    plots.plot_rates(ax, {"first": {"a": [10, 1000, 20], "b": [5]}, "two": {"c": [7], "b": [6]}})
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    drawn = ax.containers[0]
    assert isinstance(drawn, ErrorbarContainer)
    medians, _, (reach,) = drawn.lines
    assert medians is not None
    assert np.asarray(medians.get_xydata()).tolist() == [[20, 0], [5, 1]]
    assert reach.get_segments()[0].tolist() == [[10, 0], [1000, 0]]
    plots.plot_rates(other, {"first": {}})  # no contender was correct


def test_the_extension_selects_the_format(tmp_path: Path) -> None:
    figure, _ = drawn(plots.plot_success, random_runs(NAMES))
    plots.save(figure, str(tmp_path / "a.PDF"))
    assert (tmp_path / "a.PDF").read_bytes().startswith(b"%PDF")
    with pytest.raises(SudokulabError, match=r"a\.jpg: unknown extension '\.jpg'; choose one of \.svg, \.png, \.pdf"):
        plots.save(figure, tmp_path / "a.jpg")
