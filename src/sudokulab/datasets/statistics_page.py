"""The page of the statistics of minimal puzzles: text, tables and figures."""

from __future__ import annotations

from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sudokulab._internal.files import whole_file
from sudokulab.datasets.statistics import PUBLISHED, Estimate, MinimalStatistics
from sudokulab.lab.figures import figure, finish, save

__all__ = ["write_page"]

_OURS, _OTHER = "#0072B2", "0.45"
_MIN_RATED = 5  # puzzles, for a mean rating in the figure


def write_page(statistics: MinimalStatistics, path: str | Path, command: str) -> list[Path]:
    """Write the page and its figures, in the folder ``figures`` beside it, and return their paths.

    Parameters
    ----------
    statistics
        The estimates, with ratings.
    path
        The page, a Markdown file.
    command
        The command that made it, for the page.
    """
    page = Path(path)
    folder = page.parent / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {
        "minimal-givens.svg": _draw_givens(statistics),
        "minimal-ratings.svg": _draw_ratings(statistics),
        "minimal-rating-by-givens.svg": _draw_rating_by_givens(statistics),
    }
    for name, one in drawn.items():
        save(one, folder / name)
    template = files("sudokulab.datasets").joinpath("statistics.md").read_text(encoding="utf-8")
    with whole_file(page) as stream:
        stream.write(template.format_map(_values(statistics, command)))
    return [page, *(folder / name for name in drawn)]


def _values(statistics: MinimalStatistics, command: str) -> dict[str, str]:
    """Return what the template's fields stand for."""
    seconds = statistics.cpu_seconds or 0.0
    return {
        "command": command,
        "num_sampled": f"{statistics.num_sampled:,}",
        "num_orders": f"{statistics.num_orders:,}",
        "num_grids": f"{statistics.num_grids:,}",
        "orders_per_puzzle": f"{statistics.num_orders / statistics.num_sampled:,.0f}",
        "cpu_minutes": f"{seconds / 60:.0f}",
        "cpu_ms": f"{1000 * seconds / statistics.num_sampled:.0f}",
        "per_second": f"{statistics.num_sampled / seconds:.0f}",
        "comparison": "\n".join(_comparison(statistics)),
        "by_givens": "\n".join(_by_givens(statistics)),
        "collection_size": f"{PUBLISHED.collection_size:,}",
        "published_er": f"{PUBLISHED.sampled_er:.2f}",
        "sampled_er": _text(statistics.sampled_er, 2),
        "mean_er": _text(statistics.mean_er, 2),
    }


def _comparison(statistics: MinimalStatistics) -> list[str]:
    """Return the lines of the table of ours and published values."""
    total, published = statistics.total, PUBLISHED.total
    sampled, mean = statistics.sampled_er, statistics.mean_er
    assert sampled is not None
    assert mean is not None
    return [
        "| | ours | published | difference in standard errors |",
        "| --- | ---: | ---: | ---: |",
        _row(
            "number of minimal puzzles",
            f"{_number(total)} ± {100 * total.error / total.value:.1f} %",
            f"{_number(published, 4)} ± {100 * published.error / published.value:.3f} %",
            total.deviation_from(published),
        ),
        _compared("mean number of givens", statistics.mean_givens, PUBLISHED.mean_givens, 3),
        _row("its standard deviation", f"{statistics.sd_givens:.3f}", f"{PUBLISHED.sd_givens}", None),
        *(_compared(f"share with {n} givens (%)", *_percents(statistics, n), 1) for n in PUBLISHED.shares),
        _compared("mean rating of the sample, not corrected", sampled, PUBLISHED.sampled_er, 2),
        _compared("the same for published puzzles", sampled, PUBLISHED.collection_er, 2),
        _compared("mean rating of all minimal puzzles", mean, PUBLISHED.collection_corrected_er, 2),
    ]


def _percents(statistics: MinimalStatistics, givens: int) -> tuple[Estimate, float]:
    """Return our share and the published one."""
    share = next((row.share for row in statistics.by_givens if row.givens == givens), Estimate(0.0, 0.0))
    return Estimate(100 * share.value, 100 * share.error), 100 * PUBLISHED.shares[givens]


def _compared(name: str, ours: Estimate, published: Estimate | float, digits: int) -> str:
    other = _text(published, digits) if isinstance(published, Estimate) else f"{published:.{digits}f}"
    return _row(name, _text(ours, digits), other, ours.deviation_from(published) if ours.error else None)


def _row(name: str, ours: str, published: str, deviation: float | None) -> str:
    difference = "–" if deviation is None else f"{round(deviation, 1) + 0:+.1f}"  # never -0.0
    return f"| {name} | {ours} | {published} | {difference} |"


def _by_givens(statistics: MinimalStatistics) -> list[str]:
    lines = [
        "| givens | sampled | number of minimal puzzles | error | share | mean rating |",
        "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in statistics.by_givens:
        error = f"{100 * row.number.error / row.number.value:.1f} %"
        share = f"{100 * row.share.value:.3g} %"
        rated = "–" if row.mean_er is None else _text(row.mean_er, 2)
        lines.append(f"| {row.givens} | {row.num_sampled:,} | {_number(row.number)} | {error} | {share} | {rated} |")
    return lines


def _text(estimate: Estimate | None, digits: int) -> str:
    return "–" if estimate is None else f"{estimate.value:.{digits}f} ± {estimate.error:.{digits}f}"


def _number(estimate: Estimate, digits: int = 3) -> str:
    mantissa, exponent = f"{estimate.value:.{digits}e}".split("e")
    return f"{mantissa} · 10{str(int(exponent)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def _label(ax: Axes, text: str, point: tuple[float, float], offset: tuple[float, float], colour: str) -> None:
    side: Literal["left", "right"] = "left" if offset[0] > 0 else "right"
    ax.annotate(text, point, xytext=offset, textcoords="offset points", ha=side, color=colour, fontsize=9)


def _draw_givens(statistics: MinimalStatistics) -> Figure:
    drawn, ax = figure(6.4, 3.4)
    givens = [row.givens for row in statistics.by_givens]
    sampled = [100 * row.num_sampled / statistics.num_sampled for row in statistics.by_givens]
    shares = [100 * row.share.value for row in statistics.by_givens]
    reach = [200 * row.share.error for row in statistics.by_givens]
    published = {n: 100 * share for n, share in PUBLISHED.shares.items()}
    ax.plot(givens, sampled, color=_OTHER, linestyle="--", marker=".", linewidth=1.2)
    ax.errorbar(givens, shares, reach, color=_OURS, marker="o", markersize=5, capsize=3, linewidth=1.6)
    ax.plot(*zip(*published.items(), strict=True), "s", markersize=11, mfc="none", mec="black")
    last = max(PUBLISHED.shares)
    _label(ax, "all minimal puzzles\n(± 2 standard errors)", (last, published[last]), (10, 8), _OURS)
    _label(ax, "published", (25, published[25]), (10, -6), "black")
    _label(ax, "the sample,\nnot corrected", (25, max(sampled)), (-14, -12), _OTHER)
    ax.set_ylim(0, 40)
    finish(ax, "number of givens", "share of puzzles (%)")
    return drawn


def _draw_ratings(statistics: MinimalStatistics) -> Figure:
    drawn, ax = figure(6.4, 3.4)
    curves = (
        (statistics.sampled_ratings, statistics.sampled_er, "the sample,\nnot corrected", -6.0, _OTHER, "--"),
        (statistics.ratings, statistics.mean_er, "all minimal\npuzzles", 6.0, _OURS, "-"),
    )
    for shares, mean, name, offset, colour, style in curves:
        assert mean is not None
        cumulative = list(accumulate(100 * shares[rating] for rating in sorted(shares)))
        ax.plot(sorted(shares), cumulative, color=colour, linestyle=style, drawstyle="steps-post", linewidth=1.6)
        ax.axvline(mean.value, color=colour, linestyle=style, linewidth=1)
        _label(ax, f"{name}:\nmean {mean.value:.2f}", (mean.value, 8), (offset, 0), colour)
    ax.set_ylim(0, 101)
    finish(ax, "rating of Sudoku Explainer", "puzzles up to this rating (%)")
    return drawn


def _draw_rating_by_givens(statistics: MinimalStatistics) -> Figure:
    drawn, ax = figure(6.4, 3.2)
    rows = [(row.givens, row.mean_er) for row in statistics.by_givens if row.mean_er and row.num_sampled >= _MIN_RATED]
    reach = [2 * mean.error for _, mean in rows]
    means = [mean.value for _, mean in rows]
    ax.errorbar([n for n, _ in rows], means, reach, color=_OURS, marker="o", markersize=5, capsize=3, linewidth=1.6)
    ax.text(0.03, 0.9, "± 2 standard errors", transform=ax.transAxes, color=_OURS, fontsize=9)
    finish(ax, "number of givens", "mean rating of Sudoku Explainer")
    return drawn
