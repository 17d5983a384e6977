"""The report of an experiment: one self-contained HTML file.

All tables, figures and sentences are generated from the runs, so they cannot contradict them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from numpy.typing import NDArray

from sudokulab import __version__
from sudokulab.errors import SudokulabError
from sudokulab.formats.base import counted
from sudokulab.lab import plots
from sudokulab.lab.anytime import EFFORTS, area_over_curve, progress_of, targets_of
from sudokulab.lab.comparison import Comparison
from sudokulab.lab.display import as_text, pair_table, summary_table
from sudokulab.lab.experiment import Experiment
from sudokulab.lab.records import Outcome
from sudokulab.lab.significance import friedman
from sudokulab.lab.store import Store

__all__ = ["ReportFigure", "report", "report_figures", "trace_figures"]

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .25em .8em; text-align: right; }
th { border-bottom: 2px solid #444; } td { border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5em 0; } figcaption { color: #555; font-size: 90%; } figure svg { max-width: 100%; height: auto; }
pre { background: #f4f4f4; padding: 1em; overflow-x: auto; } .fault { color: #a2191f; }
"""


class ReportFigure(NamedTuple):
    """A figure of a report: its key, its caption, and a function that draws it on an axis."""

    key: str
    caption: str
    draw: Callable[[Axes], None]

    def to_svg(self) -> str:
        """Return the figure as an SVG document."""
        figure, axis = plots.figure()
        self.draw(axis)
        return plots.to_svg(figure)


def report(store: Store, experiment: str) -> str:
    """Return the report of an experiment as an HTML document.

    The solvers need not be installed.
    """
    definitions = store.experiments()
    if experiment not in definitions:
        names = ", ".join(definitions) or "none"
        raise SudokulabError(f"{store.path}: no experiment named {experiment!r}; choose one of {names}")
    runs = store.runs(experiment)
    if runs.is_empty():
        raise SudokulabError(f"{store.path}: no run of {experiment!r} has finished yet")
    definition = definitions[experiment]
    comparison = Comparison.of(runs)
    title = definition.title or definition.name
    parts = [
        f"<h1>{escape(title)}</h1>",
        *_overview(definition, runs, store.num_planned(experiment)),
        "<h2>Results</h2>",
        _table(*summary_table(runs)),
        *_sentences(comparison),
        *_tests(comparison),
        *_by_set(runs),
        *(_anytime(store, definition.name) if definition.trace else ()),
        "<h2>Figures</h2>",
        *map(_figure, report_figures(comparison)),
        *(map(_figure, trace_figures(store, definition.name)) if definition.trace else ()),
        "<h2>Errors</h2>",
        *_errors(comparison),
        "<h2>Environment and repetition</h2>",
        *_environment(definition, runs),
    ]
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n"
    )


def _overview(definition: Experiment, runs: pl.DataFrame, num_planned: int) -> Iterable[str]:
    if len(runs) < num_planned:
        words = f"Incomplete: {len(runs):,} of {num_planned:,} runs have finished. This report covers only those."
        yield f'<p class="fault">{words}</p>'
    num_solvers, num_instances = runs["solver"].n_unique(), runs["instance"].n_unique()
    limits = definition.budget
    units = {"s of CPU time": limits.cpu_seconds, "iterations": limits.iterations, "nodes": limits.nodes}
    words = " or ".join(f"{limit:,g} {unit}" for unit, limit in units.items() if limit is not None)
    yield _paragraph(
        f"{counted(len(runs), 'run')} of {counted(num_solvers, 'solver')} on {counted(num_instances, 'instance')} from "
        f"{counted(runs['instance_set'].n_unique(), 'set')}. Budget of each run: {words or 'unlimited'}."
    )


def _by_set(runs: pl.DataFrame) -> Iterable[str]:
    if runs["instance_set"].n_unique() > 1:
        yield "<h3>By instance set</h3>"
        yield _table(*summary_table(runs, ["instance_set"]))


def _sentences(comparison: Comparison) -> Iterable[str]:
    """Summarise the table in words."""
    yield _paragraph(comparison.basis.note)
    if comparison.basis.measure == "cost":
        rows = comparison.summary.sort("median_cost", nulls_last=True).to_dicts()
        yield _paragraph(f"{rows[0]['solver']} has the lowest median cost, {as_text(rows[0]['median_cost'])}.")
        return
    rows = comparison.summary.sort("par2").to_dicts()
    best, worst = rows[0], rows[-1]
    if len(rows) == 1:
        yield _paragraph(f"{best['solver']} solved {best['success_rate']:.1%} of its runs.")
    elif any(row["num_success"] for row in rows):
        yield _paragraph(
            f"{best['solver']} has the lowest PAR-2 score, {as_text(best['par2'])} s, and solved "
            f"{best['success_rate']:.1%} of its runs; {worst['solver']} has the highest, {as_text(worst['par2'])} s, "
            f"and solved {worst['success_rate']:.1%}."
        )


def _tests(comparison: Comparison) -> Iterable[str]:
    tests = comparison.tests
    if tests.is_empty():
        return
    num_significant = int(tests["is_significant"].sum())
    yield _paragraph(
        f"{comparison.pairs.test_title}, with Holm's correction: {num_significant} of {counted(len(tests), 'pair')} "
        f"{'differs' if num_significant == 1 else 'differ'} at the 5 % level. {comparison.pairs.effect_note}"
    )
    yield _table(*pair_table(comparison.pairs))
    if comparison.pairs.limit_note:
        yield _paragraph(comparison.pairs.limit_note)


def report_figures(comparison: Comparison) -> Iterator[ReportFigure]:
    """Yield the figures of a comparison."""
    runs, basis = comparison.runs, comparison.basis
    yield ReportFigure("success", "Success rate with Wilson's 95 % interval.", partial(plots.plot_success, runs=runs))
    if runs["is_success"].any():
        caption = "Share of runs solved within a time."
        yield ReportFigure("time-to-target", caption, partial(plots.plot_time_to_target, runs=runs))
        caption = "Cactus plot: runs solved, by the time each took."
        yield ReportFigure("cactus", caption, partial(plots.plot_cactus, runs=runs))
        if runs["solver"].n_unique() > 1:
            caption = "Performance profile (Dolan & Moré) on PAR-2 seconds."
            yield ReportFigure("profile", caption, partial(plots.plot_profile, runs=runs))
    if len(basis.solvers) > 2 and runs["instance"].n_unique() > 1:
        ranks = friedman(runs.filter(pl.col("solver").is_in(basis.solvers)), basis.measure)
        what = "final costs" if basis.measure == "cost" else "PAR-2 seconds"
        caption = f"Critical difference (Nemenyi) of mean ranks by {what}; Friedman's test: p = {ranks.p_value:.2g}."
        yield ReportFigure("ranks", caption, partial(plots.plot_critical_difference, friedman=ranks))
    if runs["fixed_fraction"].n_unique() > 2:
        caption = "Success rate by the fraction of given cells."
        yield ReportFigure("phase-success", caption, partial(plots.plot_phase_transition, runs=runs, y="success"))
        caption = "Median time by the fraction of given cells."
        yield ReportFigure("phase-seconds", caption, partial(plots.plot_phase_transition, runs=runs, y="seconds"))


def trace_figures(store: Store, experiment: str) -> Iterator[ReportFigure]:
    """Yield the anytime curves, then a figure of each traced column over the steps, and the best cost over efforts."""
    progress = progress_of(store, experiment)
    targets = targets_of(progress)
    for effort in ("evaluations", "seconds"):
        if not progress[effort].is_null().all():
            goals = counted(len(targets), "target cost")
            caption = f"Share of the pairs of a run and one of {goals} that were reached, by {_names(effort)}."
            draw_curve = partial(plots.plot_targets, progress=progress, targets=targets, effort=effort)
            yield ReportFigure(f"targets-{effort}", caption, draw_curve)
    by_axes: dict[tuple[str, str], dict[str, list[tuple[NDArray[np.float64], NDArray[np.float64]]]]] = {}
    for run in store.traces(experiment):
        trace = {name: column for name, column in run.trace.items() if column.ndim == 1}
        steps = next(iter(trace), "")
        pairs = [(steps, name) for name in trace if name not in (steps, *EFFORTS)]
        pairs += [(effort, "best_cost") for effort in EFFORTS if effort != steps]
        for x, y in pairs:
            if x in trace and y in trace:
                by_axes.setdefault((x, y), {}).setdefault(run.solver, []).append((trace[x], trace[y]))
    for number, ((x, y), traces) in enumerate(by_axes.items(), start=1):
        title = y.replace("_", " ")
        caption = f"{title.capitalize()} over {_names(x)}: median and quartiles of the runs."
        draw = partial(plots.plot_convergence, traces=traces, x_label=_names(x), y_label=title)
        yield ReportFigure(f"trace-{number}", caption, draw)


def _names(effort: str) -> str:
    return "CPU time (s)" if effort == "seconds" else effort


def _anytime(store: Store, experiment: str) -> Iterable[str]:
    """Yield the area over the curve of each solver, by evaluations and by CPU time."""
    progress = progress_of(store, experiment)
    targets = targets_of(progress)
    table = area_over_curve(progress, targets, "seconds").rename({"area": "by_seconds"})
    if table.is_empty():
        return
    by_evaluations = area_over_curve(progress, targets, "evaluations").select("solver", by_evaluations="area")
    table = table.join(by_evaluations, on="solver", how="left", maintain_order="left")
    yield "<h2>Anytime results</h2>"
    yield _paragraph(
        f"Area over the curve of {counted(len(targets), 'target cost')} from {targets[0]:g} to 0: 0 if all are reached "
        "at once, 1 if none is reached. Effort is on a logarithmic scale, up to the longest run. Compare only solvers "
        "with the same cost function."
    )
    cells = [
        [solver, f"{num_runs:,}", *("–" if area is None else f"{area:.3f}" for area in areas)]
        for solver, num_runs, *areas in table.iter_rows()
    ]
    yield _table(["solver", "runs", "by CPU time", "by evaluations"], cells)


def _errors(comparison: Comparison) -> Iterable[str]:
    runs = comparison.runs
    num_claims = len(runs.filter(outcome=Outcome.UNSATISFIABLE))
    if num_claims:
        verb = "reports" if num_claims == 1 else "report"
        yield _paragraph(
            f"{counted(num_claims, 'run')} {verb} that the puzzle has no solution. "
            "No run contradicts this, but it has not been verified."
        )
    if comparison.errors.is_empty():
        yield _paragraph("None: every run kept its budget, and every solution was verified.")
        return
    yield f'<p class="fault">{comparison.errors["num_runs"].sum():,} of {counted(len(runs), "run")} had errors.</p>'
    rows = [
        [
            row["solver"],
            row["outcome"],
            f"{row['num_runs']:,}",
            f"{row['instance']}, seed {row['seed']}",
            row["message"] or "",
        ]
        for row in comparison.errors.iter_rows(named=True)
    ]
    yield _table(["solver", "outcome", "runs", "first run", "first message"], rows)


def _environment(definition: Experiment, runs: pl.DataFrame) -> Iterable[str]:
    machines = [json.loads(text) for text in runs["machine"].unique(maintain_order=True)]
    rows = [[m["host"], m["processor"], str(m["num_cores"]), m["system"], m["python"]] for m in machines]
    yield _table(["machine", "processor", "cores", "system", "Python"], rows)
    versions = ", ".join(runs["version"].unique(maintain_order=True))
    yield _paragraph(
        f"Runs by sudokulab {versions}, report by sudokulab {__version__}. "
        f"The last run finished at {max(runs['finished'].to_list())}. Times are CPU times."
    )
    yield _paragraph("To repeat the experiment, save the following as experiment.toml and run:")
    yield f"<pre>sudokulab run experiment.toml --report report.html</pre>\n<pre>{escape(definition.to_toml())}</pre>"


def _figure(drawn: ReportFigure) -> str:
    caption = escape(drawn.caption)
    data = base64.b64encode(drawn.to_svg().encode()).decode()
    image = f'<img alt="{caption}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{image}<figcaption>{caption}</figcaption></figure>"


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["".join(f"<th>{escape(name)}</th>" for name in columns)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
