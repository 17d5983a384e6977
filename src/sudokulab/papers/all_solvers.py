"""Comparison of all solvers under common time limits, which none of the papers offers.

The sets range from easy 9×9 puzzles to 36×36 grids. On each set all solvers have the same limit, so a solver is better
if it solves more instances, or as many in less time. There is no paper to reproduce: the checks are statements about
our runs that turn out true or false, written down before the runs were made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from sudokulab.external import RIVALS
from sudokulab.lab import SolverSpec
from sudokulab.papers.reproduction import Artefact, Context, Findings, Paper
from sudokulab.solvers import SOLVERS
from sudokulab.solvers.registry import DEFAULT_SOLVER, all_solvers

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from sudokulab.lab.significance import Friedman

__all__ = ["PAPER"]

NINE_SETS = ("easy", "hard", "hardest", "famous")
LARGE_SETS = ("16x16-0.45", "25x25-0.45", "36x36-0.450")
COMBINATIONS = [
    *(SolverSpec(name=name) for name in ("cp+hill-climbing", "cp+tabu", "ac3+genetic", "ac3+particle-swarm")),
    SolverSpec(name="ant-colony", params={"propagation": "ac3"}, label="ant-colony-ac3"),
    SolverSpec(name="ac3+annealing"),
]
"""Combinations that the papers propose as future work."""

OURS = [name for name in SOLVERS if name != DEFAULT_SOLVER]  # the default only selects an engine
COMBINED = [spec.title for spec in COMBINATIONS]
LEARNERS = ["conflict-driven", *RIVALS]
TREES = [name for name in OURS if SOLVERS[name].is_complete and name not in LEARNERS]
METAHEURISTICS = [*(name for name in OURS if not SOLVERS[name].is_complete), *COMBINED]
_FLOOR_SECONDS = 1e-3  # below this, call overhead dominates
FAMILIES = {"metaheuristics": METAHEURISTICS, "tree searches": TREES, "learners": LEARNERS}


def table(context: Context) -> Findings:
    """Run every solver on every set."""
    runs = _runs(context)
    findings = Findings(is_own=True)
    rows = _summaries(runs)
    sets = [name for name in (*NINE_SETS, *LARGE_SETS) if any(key[1] == name for key in rows)]
    solvers = [name for name in (*OURS, *COMBINED, *RIVALS) if any(key[0] == name for key in rows)]
    limits = {name: runs.filter(instance_set=name)["budget_seconds"][0] for name in sets}
    numbers = {name: runs.filter(instance_set=name)["instance"].n_unique() for name in sets}
    shown: dict[str, Callable[[dict[str, Any]], Any]] = {
        "Solved, %": lambda row: 100 * row["success_rate"],
        "Median seconds of successful runs": lambda row: row["median_solved_seconds"],
        "PAR-2: mean seconds, counting a failure as twice the limit": lambda row: row["par2"],
    }
    for title, value in shown.items():
        columns = ["solver", *(f"{name} ({numbers[name]}, {limits[name]:g} s)" for name in sets)]
        findings.add_table(title, columns, [[s, *(value(rows[s, name]) for name in sets)] for s in solvers])
    _judge_table(findings, runs)
    findings.notes += _notes(runs)
    if missing := [name for name in RIVALS if name not in solvers]:
        findings.notes.append(f"Not installed: {', '.join(missing)} (`pip install 'sudokulab[rivals]'`).")
    return findings


def ranking(context: Context) -> Findings:
    """Rank all solvers on all instances."""
    from sudokulab.lab.significance import friedman

    runs = _runs(context)
    found = friedman(runs)
    findings = Findings(is_own=True)
    findings.add_table(
        f"Mean ranks by PAR-2 on {found.num_instances} instances, critical difference {found.critical_difference:.2f}",
        ["solver", "family", "mean rank"],
        [[name, _family_of(name), rank] for name, rank in found.mean_ranks.items()],
    )
    _judge_ranking(findings, found.mean_ranks, found.p_value)
    findings.figures["critical-difference"] = partial(_draw_ranks, found)
    findings.figures["cactus"] = partial(_draw_cactus, runs)
    findings.notes.append(
        "Ranks do not show how far apart two solvers are, and most instances are 9×9. The sections *table* and "
        "*growth* say more."
    )
    return findings


def growth(context: Context) -> Findings:
    """Compare the success rates of the solver families across sizes."""
    runs = _runs(context)
    findings = Findings(is_own=True)
    rates = _rates_by_size(runs)
    sizes = sorted({size for _, size in rates})
    families = [name for name in FAMILIES if any(key[0] == name for key in rates)]
    columns = ["size", *(text for name in families for text in (f"{name}: mean %", "best %", "best solver"))]
    rows = [[f"{size}×{size}", *(v for name in families for v in _spread(rates[name, size]))] for size in sizes]
    findings.add_table("Solved, by family", columns, rows)
    _judge_growth(findings, rates)
    findings.figures["growth"] = partial(_draw_growth, rates)
    return findings


def _runs(context: Context) -> pl.DataFrame:
    """Run all solvers; the artefacts share these runs."""
    import polars as pl

    numbers: Mapping[str, int | None] = context.pick(
        smoke=dict.fromkeys((*NINE_SETS, *LARGE_SETS), 1) | {"hard": 2},
        quick=dict.fromkeys((*NINE_SETS, *LARGE_SETS), 3),
        published=dict.fromkeys((*NINE_SETS, *LARGE_SETS), 6) | {"36x36-0.450": 3},
        full=dict.fromkeys((*NINE_SETS, *LARGE_SETS)),
    )
    # the full effort uses the limits of Lloyd and Amos
    groups = [
        ("9x9", NINE_SETS, context.pick(smoke=0.03, quick=0.5, published=0.5, full=5)),
        ("16x16", LARGE_SETS[:1], context.pick(smoke=0.03, quick=1, published=1, full=20)),
        ("larger", LARGE_SETS[1:], context.pick(smoke=0.05, quick=2, published=2, full=120)),
    ]
    specs = [SolverSpec(name=name) for name in all_solvers() if name in OURS or name in RIVALS] + COMBINATIONS
    tables = []
    for name, labels, seconds in groups:
        sets = {label: (context.public(label) or [])[: numbers[label]] for label in labels}
        tables.append(context.run(name, sets, specs, cpu_seconds=seconds))
    return pl.concat(tables, how="diagonal")


def _family_of(name: str) -> str:
    return next((family for family, names in FAMILIES.items() if name in names), "other")


def _summaries(runs: pl.DataFrame) -> dict[tuple[str, str], dict[str, object]]:
    from sudokulab.lab.statistics import summary

    return {(row["solver"], row["instance_set"]): row for row in summary(runs, ("instance_set",)).to_dicts()}


def _par2_of(runs: pl.DataFrame) -> dict[str, float]:
    """Return the PAR-2 of each solver over all runs, best first."""
    from sudokulab.lab.statistics import summary

    return dict(sorted(((row["solver"], row["par2"]) for row in summary(runs).to_dicts()), key=lambda pair: pair[1]))


def _solved_by(runs: pl.DataFrame) -> dict[str, int]:
    import polars as pl

    counts = runs.group_by("solver").agg(pl.col("is_success").sum())
    return {row["solver"]: int(row["is_success"]) for row in counts.to_dicts()}


def _judge_table(findings: Findings, runs: pl.DataFrame) -> None:
    nine = runs.filter(size=9)
    par2, solved = _par2_of(nine), _solved_by(nine)
    number = nine["instance"].n_unique()
    complete = [name for name in par2 if name not in METAHEURISTICS]
    findings.check_shape(
        f"every complete solver solves all {number} 9×9 puzzles", all(solved[name] == number for name in complete)
    )
    slowest = max(TREES, key=lambda name: par2[name])
    quickest = min(METAHEURISTICS, key=lambda name: par2[name])
    findings.check_shape(
        f"on 9×9, every tree search has a lower PAR-2 than every metaheuristic ({slowest} {par2[slowest]:.2g} s, "
        f"{quickest} {par2[quickest]:.2g} s)",
        par2[slowest] < par2[quickest],
    )
    large = _solved_by(runs.filter(size=25))
    rivals = ("backtracking", "dlx")
    findings.check_shape(
        "at 25×25, ant-colony solves more than the tree searches that propagate at most singles "
        f"({large['ant-colony']}; {', '.join(f'{name} {large[name]}' for name in rivals)})",
        all(large["ant-colony"] > large[name] for name in rivals),
    )
    everything = _solved_by(runs)
    if "cadical" in everything:
        best = max(
            (name for name in everything if name in (*TREES, *METAHEURISTICS)), key=lambda name: everything[name]
        )
        findings.check_shape(
            f"CaDiCaL solves at least as many as any solver from the papers ({everything['cadical']}; {best} "
            f"{everything[best]})",
            everything["cadical"] >= everything[best],
        )


def _judge_ranking(findings: Findings, mean_ranks: Mapping[str, float], p_value: float) -> None:
    first, *_, last = mean_ranks
    findings.check_shape(f"the solvers differ (Friedman test, p = {p_value:.2g}, below 0.05)", p_value < 0.05)
    findings.check_shape(f"a complete solver has the best mean rank ({first})", first not in METAHEURISTICS)
    findings.check_shape(f"a metaheuristic has the worst mean rank ({last})", last in METAHEURISTICS)


Rates = dict[tuple[str, int], dict[str, float]]
"""Success rate of each solver, by family and size."""


def _rates_by_size(runs: pl.DataFrame) -> Rates:
    import polars as pl

    rates: Rates = {}
    means = runs.group_by("solver", "size").agg(pl.col("is_success").mean()).sort("solver", "size")
    for solver, size, rate in means.iter_rows():
        rates.setdefault((_family_of(solver), size), {})[solver] = rate
    return rates


def _spread(rates: dict[str, float]) -> tuple[float, float, str]:
    """Return the mean and the best rate in percent, and the solvers with the best rate."""
    best = max(rates.values())
    return 100 * sum(rates.values()) / len(rates), 100 * best, ", ".join(s for s in rates if rates[s] == best and best)


def _judge_growth(findings: Findings, rates: Rates) -> None:
    sizes = sorted({size for _, size in rates})
    families = {family for family, _ in rates}
    means = [_spread(rates["metaheuristics", size])[0] for size in sizes]
    findings.check_shape(
        f"the mean success rate of the metaheuristics falls with the size ({', '.join(f'{m:.0f} %' for m in means)})",
        means == sorted(means, reverse=True) and means[0] > means[-1],
    )
    if "learners" not in families:
        return
    for size in sizes:
        learner, other = (_spread(rates[family, size])[1] for family in ("learners", "metaheuristics"))
        findings.check_shape(
            f"{size}×{size}: the best learner solves at least as many as the best metaheuristic "
            f"({learner:.0f} and {other:.0f} %)",
            learner >= other,
        )


def _draw_ranks(found: Friedman, ax: Axes) -> None:
    from sudokulab.lab import plots

    if figure := ax.get_figure(root=True):
        figure.set_size_inches(10, 5)  # room for the names
    plots.plot_critical_difference(ax, found)


def _draw_cactus(runs: pl.DataFrame, ax: Axes) -> None:
    """Draw one cactus plot per family, with the other families as a grey background."""
    from sudokulab.lab import plots

    solvers = set(runs["solver"])
    families = {family: names for family, names in FAMILIES.items() if solvers.intersection(names)}
    for panel, (family, names) in zip(plots.split(ax, len(families), width=8), families.items(), strict=True):
        plots.plot_cactus(panel, runs)
        plots.fade(panel, solvers.difference(names))
        panel.set_title(family, loc="left")


def _draw_growth(rates: Rates, ax: Axes) -> None:
    from sudokulab.lab import plots

    sizes = sorted({size for _, size in rates})
    styles = {
        "learners": ("#009E73", "^", 5),
        "tree searches": ("#0072B2", "s", 3),
        "metaheuristics": ("#D55E00", "o", 1.5),
    }
    for family, (colour, marker, width) in styles.items():  # thin lines on top, so that none is hidden
        if (family, sizes[0]) in rates:
            mean, best, _ = zip(*(_spread(rates[family, size]) for size in sizes), strict=True)
            style: dict[str, Any] = {"color": colour, "marker": marker, "linewidth": width}
            ax.plot(sizes, best, "-", label=f"{family}: best", **style)
            ax.plot(sizes, mean, "--", label=f"{family}: mean", **style)
    ax.set_xticks(sizes, [f"{size}×{size}" for size in sizes])
    ax.set_ylabel("solved, %")
    ax.set_ylim(-3, 103)
    ax.grid(alpha=0.3)
    plots.name_curves(ax)


def _notes(runs: pl.DataFrame) -> list[str]:
    """Describe for each set how the metaheuristics compare with the other families."""
    notes = []
    for label in (name for name in (*NINE_SETS, *LARGE_SETS) if name in runs["instance_set"]):
        own = runs.filter(instance_set=label)
        solved, par2, number = _solved_by(own), _par2_of(own), own["instance"].n_unique()
        best = {
            family: next(name for name in par2 if name in names)
            for family, names in FAMILIES.items()
            if not par2.keys().isdisjoint(names)
        }
        meta, tree = best["metaheuristics"], best["tree searches"]
        full = [name for name in METAHEURISTICS if solved[name] == number]
        none = [name for name in METAHEURISTICS if not solved[name]]
        text = (
            f"**{label}**: {len(full)} of {len(METAHEURISTICS)} metaheuristics can solve all {number} instances, "
            f"{len(none)} cannot solve any. "
            f"The best metaheuristic, `{meta}`, solves {solved[meta]} (PAR-2 {par2[meta]:.2g} s); "
            f"the best tree search, `{tree}`, solves {solved[tree]} (PAR-2 {par2[tree]:.2g} s)"
        )
        if "learners" in best:
            learner = best["learners"]
            text += f"; the best learner, `{learner}`, solves {solved[learner]} (PAR-2 {par2[learner]:.2g} s)"
        rivals = [name for family, name in best.items() if family != "metaheuristics"]
        notes.append(f"{text}. {_judgement(solved, par2, meta, rivals)}")
    return notes


def _judgement(solved: dict[str, int], par2: dict[str, float], meta: str, rivals: list[str]) -> str:
    """Compare the best solvers. Better means solving more, or as many in less than half the PAR-2 (at least 1 ms)."""

    def is_better(one: str, other: str) -> bool:
        seconds = [max(par2[name], _FLOOR_SECONDS) for name in (one, other)]
        return (-solved[one], 2 * seconds[0]) < (-solved[other], seconds[1])

    if not max(solved.values()):
        return "No solver solves anything within the limit."
    worse = " and ".join(f"`{name}`" for name in rivals if is_better(meta, name))
    better = " and ".join(f"`{name}`" for name in rivals if is_better(name, meta))
    if better:
        return f"The best metaheuristic is beaten by {better}{f', but beats {worse}' if worse else ''}."
    if all(is_better(meta, name) for name in rivals):
        return f"A metaheuristic is the best solver: `{meta}`."
    return f"No solver clearly beats the best metaheuristic{f', which beats {worse}' if worse else ''}."


PAPER = Paper(
    "all-solvers",
    "All solvers on all sets: where metaheuristics help, and where they do not",
    (
        Artefact("table", "Success and time by solver and set", table),
        Artefact("ranking", "Friedman ranks of all solvers", ranking),
        Artefact("growth", "Success rate by size", growth),
    ),
    about="The comparison that none of the papers offers: every solver under the same limit of CPU time, from easy 9×9 "
    "puzzles to 36×36 grids. The checks are our own statements.",
)
