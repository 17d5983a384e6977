"""A report: one self-contained HTML file for an experiment.

Everything in it, the sentences as well, is made from the runs, so that it cannot contradict them.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

import polars as pl

from sudokulab import __version__
from sudokulab.errors import SudokulabError
from sudokulab.lab import plots
from sudokulab.lab.experiment import Experiment
from sudokulab.lab.records import Outcome
from sudokulab.lab.statistics import Test, as_text, compare_pairs, friedman, summary
from sudokulab.lab.store import Store

__all__ = ["faults", "report"]

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .25em .8em; text-align: right; }
th { border-bottom: 2px solid #444; } td { border-bottom: 1px solid #ddd; }
th:first-child, td:first-child { text-align: left; }
figure { margin: 1.5em 0; } figcaption { color: #555; font-size: 90%; } figure svg { max-width: 100%; height: auto; }
pre { background: #f4f4f4; padding: 1em; overflow-x: auto; } .fault { color: #a2191f; }
"""


def report(store: Store, experiment: str) -> str:
    """Return the report of an experiment as an HTML document."""
    definitions = store.experiments()
    if experiment not in definitions:
        names = ", ".join(definitions) or "none"
        raise SudokulabError(f"{store.path}: no experiment named {experiment!r}, expected one of {names}")
    runs = store.runs(experiment)
    if runs.is_empty():
        raise SudokulabError(f"{store.path}: no run of {experiment!r} is over yet")
    definition = definitions[experiment]
    title = definition.title or definition.name
    parts = [
        f"<h1>{escape(title)}</h1>",
        *_overview(definition, runs, store.num_planned(experiment)),
        "<h2>Results</h2>",
        _summary_table(runs),
        *_sentences(runs),
        *_by_set(runs),
        "<h2>Figures</h2>",
        *_figures(store, definition, runs),
        "<h2>What went wrong</h2>",
        *_faults(runs),
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
        words = f"Not finished: {len(runs):,} of {num_planned:,} runs are over. What follows is of those."
        yield f'<p class="fault">{words}</p>'
    num_solvers, num_instances = runs["solver"].n_unique(), runs["instance"].n_unique()
    limits = [f"{definition.budget.seconds:g} s of CPU time"] if definition.budget.seconds is not None else []
    limits += [f"{definition.budget.iterations:,} iterations"] if definition.budget.iterations is not None else []
    limits += [f"{definition.budget.nodes:,} nodes"] if definition.budget.nodes is not None else []
    budget = f" Each run had {' or '.join(limits)}." if limits else " Runs had no limit."
    yield _paragraph(
        f"{_count(len(runs), 'run')} of {_count(num_solvers, 'solver')} on {_count(num_instances, 'instance')} from "
        f"{_count(runs['instance_set'].n_unique(), 'set')}.{budget}"
    )


def _summary_table(runs: pl.DataFrame, by: Sequence[str] = ()) -> str:
    rows = []
    for row in summary(runs, by).sort([*by, "par2"]).iter_rows(named=True):
        rows.append(
            [
                *(str(row[column]) for column in by),
                row["solver"],
                f"{row['num_success']:,} of {row['num_runs']:,}",
                f"{row['success_rate']:.1%} ({row['success_low']:.1%} – {row['success_high']:.1%})",
                f"{as_text(row['median_seconds'])} ({as_text(row['median_low'])} – {as_text(row['median_high'])})",
                as_text(row["par2"]),
                as_text(row["expected_seconds"]),
            ]
        )
    head = [*by, "solver", "solved", "success, 95 %", "median s, 95 %", "PAR-2 s", "expected s"]
    return _table([name.replace("_", " ") for name in head], rows)


def _by_set(runs: pl.DataFrame) -> Iterable[str]:
    if runs["instance_set"].n_unique() > 1:
        yield "<h3>By instance set</h3>"
        yield _summary_table(runs, ["instance_set"])


def _sentences(runs: pl.DataFrame) -> Iterable[str]:
    """Say in words what the table and the tests show."""
    rows = summary(runs).sort("par2").to_dicts()
    best = rows[0]
    if len(rows) == 1:
        yield _paragraph(f"{best['solver']} solved {best['success_rate']:.1%} of its runs.")
        return
    if not any(row["num_success"] for row in rows):
        yield _paragraph("No run was solved.")
        return
    worst = rows[-1]
    best_score, worst_score = as_text(best["par2"]), as_text(worst["par2"])
    yield _paragraph(
        f"{best['solver']} has the lowest PAR-2 score, {best_score} s, and solved {best['success_rate']:.1%} of its "
        f"runs; {worst['solver']} has the highest, {worst_score} s, and solved {worst['success_rate']:.1%}."
    )
    is_paired = runs["instance"].n_unique() > 5
    test: Test = "wilcoxon" if is_paired else "mann-whitney"
    name = "Wilcoxon's signed rank test over instances" if is_paired else "the Mann–Whitney test over runs"
    pairs = compare_pairs(runs, test=test)
    head = ["first", "second", "statistic", "p", "p, Holm", "better"]
    table = [
        [
            row["solver_a"],
            row["solver_b"],
            as_text(row["statistic"]),
            f"{row['p_value']:.2g}",
            f"{row['p_holm']:.2g}",
            row["better"] if row["is_significant"] else "not shown",
        ]
        for row in pairs.iter_rows(named=True)
    ]
    num_shown = int(pairs["is_significant"].sum())
    yield _paragraph(
        f"By {name} on PAR-2 seconds, with Holm's correction, {num_shown} of {_count(len(pairs), 'pair')} "
        f"differ{'s' if num_shown == 1 else ''} at the 5 % level."
    )
    yield _table(head, table)


def _figures(store: Store, definition: Experiment, runs: pl.DataFrame) -> Iterable[str]:
    yield _figure(lambda axis: plots.plot_success(axis, runs), "Success rate with Wilson's 95 % interval.")
    if runs["is_success"].any():
        yield _figure(lambda axis: plots.plot_time_to_target(axis, runs), "Share of runs solved by a time.")
        yield _figure(lambda axis: plots.plot_cactus(axis, runs), "Cactus plot: runs solved, by the time each needed.")
    if runs["solver"].n_unique() > 1:
        yield _figure(
            lambda axis: plots.plot_profile(axis, runs), "Performance profile (Dolan & Moré) on PAR-2 seconds."
        )
    if runs["solver"].n_unique() > 2 and runs["instance"].n_unique() > 1:
        ranks = friedman(runs)
        caption = f"Critical difference (Nemenyi) of mean ranks; Friedman's test: p = {ranks.p_value:.2g}."
        yield _figure(lambda axis: plots.plot_critical_difference(axis, ranks), caption)
    if runs["fixed_fraction"].n_unique() > 2:
        for what, caption in (("success", "Success"), ("seconds", "Median seconds")):
            yield _figure(
                lambda axis, what=what: plots.plot_phase_transition(axis, runs, y=what),  # type: ignore[misc]
                f"{caption} by the fraction of cells given.",
            )
    if definition.trace:
        yield from _traces(store, definition.name)


def _traces(store: Store, experiment: str) -> Iterable[str]:
    """Draw the course of the runs, for each column that is traced against the first one."""
    by_axes: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for solver, _, trace in store.traces(experiment):
        first, *others = trace
        for column in others:
            if trace[column].shape == trace[first].shape and trace[first].ndim == 1:
                by_axes.setdefault((first, column), {}).setdefault(solver, []).append((trace[first], trace[column]))
    for (x, y), courses in by_axes.items():
        yield _figure(
            lambda axis, x=x, y=y, courses=courses: plots.plot_convergence(axis, courses, x, y.replace("_", " ")),  # type: ignore[misc]
            f"{y.replace('_', ' ').capitalize()} over {x}: median and quartiles of the runs.",
        )


def faults(runs: pl.DataFrame) -> pl.DataFrame:
    """Return the runs that no referee would accept: not solved in time is no fault, anything else is.

    Besides the outcomes that say so, a solver's own time that is far from what was measured.
    """
    return runs.with_columns(
        pl.when(pl.col("outcome").is_in(Outcome.FAULTS))
        .then(pl.col("outcome"))
        .when(pl.col("error").is_not_null())
        .then(pl.lit("wrong about its time"))
        .alias("fault")
    ).filter(pl.col("fault").is_not_null())


def _faults(runs: pl.DataFrame) -> Iterable[str]:
    num_claims = len(runs.filter(outcome=Outcome.UNSATISFIABLE))
    if num_claims:
        said = "says" if num_claims == 1 else "say"
        yield _paragraph(f"{_count(num_claims, 'run')} {said} unsatisfiable; none is contradicted, none is verified.")
    found = faults(runs)
    if found.is_empty():
        yield _paragraph("Nothing: every run kept its budget; every grid was verified.")
        return
    yield f'<p class="fault">{_count(len(found), "run")} of {len(runs):,} cannot be taken as they are.</p>'
    counts = found.group_by("solver", "fault").agg(pl.len().alias("number"), pl.first("instance", "seed", "error"))
    rows = [
        [row["solver"], row["fault"], str(row["number"]), f"{row['instance']}, seed {row['seed']}", row["error"] or ""]
        for row in counts.sort("solver", "fault").iter_rows(named=True)
    ]
    yield _table(["solver", "what", "runs", "first of them", "what it said"], rows)


def _environment(definition: Experiment, runs: pl.DataFrame) -> Iterable[str]:
    machines = [json.loads(text) for text in runs["machine"].unique(maintain_order=True)]
    rows = [[m["host"], m["processor"], str(m["num_cores"]), m["system"], m["python"]] for m in machines]
    yield _table(["machine", "processor", "cores", "system", "Python"], rows)
    versions = ", ".join(runs["version"].unique(maintain_order=True))
    yield _paragraph(
        f"sudokulab {versions} made the runs, {__version__} this report; "
        f"the last run was over at {max(runs['finished'].to_list())}. Times are CPU times."
    )
    yield _paragraph("To repeat it, save the following as experiment.toml and run it:")
    yield f"<pre>sudokulab run experiment.toml --report report.html</pre>\n<pre>{escape(definition.to_toml())}</pre>"


def _figure(draw: Callable[[Any], None], caption: str) -> str:
    figure, axis = plots.figure()
    draw(axis)
    data = base64.b64encode(plots.to_svg(figure).encode()).decode()
    image = f'<img alt="{escape(caption)}" src="data:image/svg+xml;base64,{data}">'
    return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["".join(f"<th>{escape(name)}</th>" for name in head)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows]
    return "<table>" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
