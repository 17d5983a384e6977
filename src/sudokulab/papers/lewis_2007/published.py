"""Lewis 2007, section 3.2: published puzzles with unique solutions (Table 1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from sudokulab.instances import generate
from sudokulab.lab.power import MIN_POWER, SIGNIFICANCE, Rate, compare_rates, compare_with_rate, p_value_of_lower_rate
from sudokulab.logic.filtering import share_fixed
from sudokulab.papers.lewis_2007.judging import HYBRID, LARGE, SA, Printed, percent, printed_rows
from sudokulab.papers.lewis_2007.limits import LIMIT_NOTE, SPECS, move_limit
from sudokulab.papers.numbers import share_of
from sudokulab.papers.reproduction import Context, Findings
from sudokulab.puzzle import Puzzle

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

__all__ = ["SetResult", "SolverResult", "add_tables", "judge_published", "stand_in", "table_1"]


_LEVELS = {"gentle": "easy", "tough": "medium", "diabolical": "hard"}
"""Our levels for the newspaper's grades; the generator of the paper's larger puzzles graded them without a rating."""
_UNITS = {"rows, columns and boxes": "rcb", "rows and columns": "rc", "rows": "r", "columns": "c", "boxes": "b"}
"""The units in which CP looks for hidden singles, in several readings."""
_FEWEST_TIMES = 5
_LEAST_RATE = 0.1
"""Mean times are compared if both solvers solve this many runs and this share of them.

The paper ascribes the two longer times of the hybrid to success rates below 5 %.
"""


class SolverResult(NamedTuple):
    """The runs of a solver on a set of Table 1."""

    num_success: int
    num_runs: int
    seconds: float | None
    """Mean of the successful runs."""
    deviation: float | None
    moves: float | None

    @property
    def rate(self) -> Rate:
        """Successes and runs."""
        return self.num_success, self.num_runs


class SetResult(NamedTuple):
    """Our numbers for a row of Table 1."""

    fixed: float
    fixed_by_cp: float
    completed_by_cp: float
    annealing: SolverResult
    hybrid: SolverResult

    @property
    def ratio(self) -> float | None:
        """Ratio of the mean times, annealing to hybrid; None with too few successful runs."""
        for result in (self.annealing, self.hybrid):
            if result.num_success < max(_FEWEST_TIMES, _LEAST_RATE * result.num_runs):
                return None
        assert self.annealing.seconds is not None
        assert self.hybrid.seconds is not None
        return self.annealing.seconds / self.hybrid.seconds


def table_1(context: Context) -> Findings:
    """Run both solvers on uniquely solvable puzzles: stand-ins for the published ones, except for 17 givens."""
    findings = Findings()
    paper = printed_rows(context.printed)

    set_of = cache(partial(stand_in, context))

    def sets() -> dict[str, list[Puzzle]]:
        return {name: set_of(name) for name in paper}

    measured = context.measure(
        "table-1", lambda: {name: _measure(own) for name, own in sets().items() if own}, lambda: _flat(sets())
    )
    found: dict[str, SetResult] = {}
    for kind in (3, 17, 4, 5):
        chosen = {
            name: partial(set_of, name) for name, row in paper.items() if _kind(name, row) == kind and name in measured
        }
        if chosen:
            _, num_runs = _sample(kind, context)
            limit = move_limit(3 if kind == 17 else kind, context)
            runs = context.run(f"table-1-{kind}", chosen, SPECS, runs=num_runs, iterations=limit)
            found |= {name: _result(measured[name], runs.filter(instance_set=name)) for name in chosen}
    found = {name: found[name] for name in paper if name in found}
    add_tables(findings, found, paper)
    judge_published(findings, found, context.printed)
    findings.figures["success"] = partial(_draw_success, found, paper)
    findings.notes += [
        LIMIT_NOTE,
        "Stand-ins: our generator makes uniquely solvable puzzles with the paper's number of givens, of the levels "
        f"{', '.join(_LEVELS.values())} for the newspaper's {', '.join(_LEVELS)}. The tests of the rates count runs, "
        "so a difference from the paper may also come from the puzzles.",
    ]
    if "17 givens" in found:
        _explain_17(findings, measured, paper, found["17 givens"])
    else:
        findings.notes.append(
            "The puzzles with 17 givens are missing; `sudokulab instances download royle-17` downloads them."
        )
    return findings


def _kind(name: str, row: dict[str, Any]) -> int:
    """Return the order of a set, or 17 for the puzzles with 17 givens."""
    return 17 if name == "17 givens" else int(row["order"])


def _sample(kind: int, context: Context) -> tuple[int, int]:
    """Return the number of puzzles in a set of a kind, and of runs on each.

    The published effort has as many puzzles as the paper. At orders 3 and 4 it also has as many runs.
    """
    sizes: dict[int, tuple[int, int]] = context.pick(
        smoke={3: (2, 1), 4: (2, 1), 5: (2, 1), 17: (6, 1)},
        quick={3: (10, 2), 4: (4, 1), 5: (1, 1), 17: (40, 1)},
        published={3: (10, 10), 4: (10, 10), 5: (10, 2), 17: (1000, 1)},
        full={3: (10, 10), 4: (10, 10), 5: (10, 10), 17: (1000, 10)},
    )
    return sizes[kind]


def stand_in(context: Context, name: str) -> list[Puzzle]:
    """Return the puzzles of a set: generated ones, each set with its own seed, except for 17 givens."""
    rows = printed_rows(context.printed)
    row, seed = rows[name], list(rows).index(name)
    number, _ = _sample(_kind(name, row), context)
    if name == "17 givens":
        collection = context.first_of("royle-17-clue", "royle-17")
        puzzles = (context.public(collection) if collection else None) or []
        return puzzles[:: max(1, len(puzzles) // number)][:number]
    order, givens, level = row["order"], round(row["fixed"] * row["order"] ** 4), _LEVELS.get(name)
    return list(generate(number, box=order**2, givens=givens, level=level, seed=seed, progress=False))


def _flat(sets: Mapping[str, Sequence[Puzzle]]) -> list[Puzzle]:
    return [puzzle for own in sets.values() for puzzle in own]


def _measure(puzzles: Sequence[Puzzle]) -> dict[str, Any]:
    """Return what CP does on a set: shares of cells, of completed puzzles, and by units if the puzzles are 9×9."""
    shares = [share_fixed(puzzle) for puzzle in puzzles]
    by_units = {
        name: fmean(_fix(puzzle, kinds) / 81 for puzzle in puzzles[:100]) if puzzles[0].size == 9 else None
        for name, kinds in _UNITS.items()
    }
    return {
        "number": len(puzzles),
        "fixed": fmean(puzzle.num_givens / len(puzzle.cells) for puzzle in puzzles),
        "fixed_by_cp": fmean(shares),
        "completed_by_cp": fmean(share == 1 for share in shares),
        "fixed_by_units": by_units,
    }


def _result(measured: Mapping[str, Any], runs: pl.DataFrame) -> SetResult:
    results = []
    for solver in (SA, HYBRID):
        own = runs.filter(solver=solver)
        solved = own.filter("is_success")
        numbers = [solved["seconds"].mean(), solved["seconds"].std(ddof=0), solved["stats_iterations"].mean()]
        results.append(SolverResult(len(solved), len(own), *numbers))  # type: ignore[arg-type]
    return SetResult(*(measured[name] for name in ("fixed", "fixed_by_cp", "completed_by_cp")), *results)


def add_tables(findings: Findings, found: Mapping[str, SetResult], paper: Mapping[str, dict[str, Any]]) -> None:
    """Add our rates and times next to the paper's."""
    shown = ("fixed", "fixed by CP", f"{SA}: success", f"{HYBRID}: success")
    columns = ["puzzles", "runs per solver", *(text for name in shown for text in (f"{name}, paper", "ours"))]
    rows = []
    for name, ours in found.items():
        values = {"fixed": ours.fixed, "fixed by CP": ours.fixed_by_cp}
        values |= {"SA success": share_of(ours.annealing.rate), "hybrid success": share_of(ours.hybrid.rate)}
        pairs = [value for key in values for value in (paper[name][key], values[key])]
        rows.append([name, ours.annealing.num_runs, *pairs])
    findings.add_table("Cells fixed and success rates", columns, rows)

    columns = ["puzzles", f"{SA}: s, paper", "ours", "million moves", f"{HYBRID}: s, paper", "ours", "million moves"]
    columns += [f"{SA} / {HYBRID}, paper", "ours", "million moves per s, paper"]
    rows = []
    for name, ours in found.items():
        theirs = paper[name]
        cells: list[object] = [name]
        for key, own in (("SA", ours.annealing), ("hybrid", ours.hybrid)):
            cells += [_with_deviation(theirs[f"{key} s"], theirs[f"{key} sd"])]
            cells += [_with_deviation(own.seconds, own.deviation), None if own.moves is None else own.moves / 1e6]
        speed = None if ours.annealing.moves is None else ours.annealing.moves / 1e6 / theirs["SA s"]
        rows.append([*cells, theirs["SA s"] / theirs["hybrid s"], ours.ratio, speed])
    findings.add_table(
        "Times of the successful runs, mean and standard deviation. The last column is the speed of the paper's "
        "program if it needed our number of moves",
        columns,
        rows,
    )


def _with_deviation(seconds: float | None, deviation: float | None) -> str | None:
    if seconds is None or seconds != seconds:
        return None
    return f"{seconds:.3g} ± {deviation:.2g}"


def _draw_success(found: Mapping[str, SetResult], paper: Mapping[str, dict[str, Any]], ax: Axes) -> None:
    """Draw the success rates with their 95 % intervals, and the paper's, one row per set."""
    from sudokulab.lab import plots
    from sudokulab.lab.statistics import success_rate

    places: list[tuple[float, float]] = []
    for shift, name, color, mark in ((-0.17, SA, "#D55E00", "o"), (0.17, HYBRID, "#0072B2", "^")):
        results = [ours.annealing if name == SA else ours.hybrid for ours in found.values()]
        rows = [row + shift for row in range(len(found))]
        for row, result in zip(rows, results, strict=True):
            ax.plot(success_rate(*result.rate)[1], [row, row], color=color, linewidth=1)
        ax.plot([share_of(result.rate) for result in results], rows, mark, color=color, label=name)
        key = "SA success" if name == SA else "hybrid success"
        places += [(paper[one][key], row) for one, row in zip(found, rows, strict=True)]
    ax.set_yticks(range(len(found)), list(found))
    ax.set_ylim(len(found) - 0.5, -0.5)
    ax.set_xlabel("success rate")
    ax.grid(axis="x", alpha=0.3)
    rates, heights = zip(*places, strict=True)
    plots.plot_paper_values(ax, rates, heights)


def _explain_17(
    findings: Findings, measured: Mapping[str, Any], paper: Mapping[str, dict[str, Any]], ours: SetResult
) -> None:
    """Compare the paper's shares of fixed cells with CP that looks for hidden singles only in some units."""
    chosen = [name for name, row in paper.items() if row["order"] == 3]
    rows = [[units, *(measured[name]["fixed_by_units"][units] for name in chosen)] for units in _UNITS]
    rows.append(["the paper", *(paper[name]["fixed by CP"] for name in chosen)])
    title = "Share of cells fixed by CP, by the units searched for hidden singles"
    findings.add_table(title, ["units", *chosen], rows)
    theirs, number = paper["17 givens"], measured["17 givens"]["number"]
    completed = round(ours.completed_by_cp * number), number
    printed = round(theirs["hybrid success"] * theirs["instances"]), theirs["instances"]
    findings.check_consistency(
        "17 givens: the hybrid solves at least the puzzles that its CP, as written, completes without any search",
        p_value_of_lower_rate(fewer=printed, more=completed) >= SIGNIFICANCE,
        f"The five steps of CP, as written, complete {100 * ours.completed_by_cp:.0f} % of the puzzles with 17 "
        "givens without any search, so the hybrid cannot solve fewer; the paper prints "
        f"{100 * theirs['hybrid success']:.0f} %. We do not know the reason.",
    )


def _fix(puzzle: Puzzle, kinds: str) -> int:
    """Return the number of cells of a 9×9 fixed by naked singles and by hidden singles in the given kinds of units."""
    number: dict[str, Callable[[int], int]] = {
        "r": lambda cell: cell // 9,
        "c": lambda cell: cell % 9,
        "b": lambda cell: cell // 27 * 3 + cell % 9 // 3,
    }
    digits = list(puzzle.cells)
    while True:
        seen = {(kind, of(cell), digits[cell]) for cell in range(81) for kind, of in number.items()}
        options = {
            cell: [d for d in range(1, 10) if not any((kind, of(cell), d) in seen for kind, of in number.items())]
            for cell in range(81)
            if not digits[cell]
        }
        single = next(((cell, found[0]) for cell, found in options.items() if len(found) == 1), None)
        for kind in kinds if single is None else "":
            places: dict[tuple[int, int], list[int]] = {}
            for cell, found in options.items():
                for digit in found:
                    places.setdefault((number[kind](cell), digit), []).append(cell)
            single = next(((cells[0], digit) for (_, digit), cells in places.items() if len(cells) == 1), single)
        if single is None:
            return sum(map(bool, digits))
        digits[single[0]] = single[1]


def judge_published(findings: Findings, found: Mapping[str, SetResult], printed: Printed) -> None:
    """Check Table 1, row by row and as described in the text."""
    paper = printed_rows(printed)
    for name, ours in found.items():
        theirs = paper[name]
        number = theirs["instances"] * printed["table-1"]["num_runs"]
        for solver, key, result in ((SA, "SA success", ours.annealing), (HYBRID, "hybrid success", ours.hybrid)):
            findings.check_rate(f"{name}: success rate of {solver}", result.rate, (round(theirs[key] * number), number))
        if ours.ratio is not None and theirs["SA s"] == theirs["SA s"]:
            claimed = theirs["SA s"] / theirs["hybrid s"]
            findings.check(
                f"{name}: ratio of times, {SA} to {HYBRID}, within a factor of 2 (paper {claimed:.3g}, "
                f"ours {ours.ratio:.3g})",
                0.5 <= ours.ratio / claimed <= 2,
            )
    worse = _significantly_worse(found)
    findings.check_shape(
        f"on no set does {HYBRID} solve significantly fewer than {SA} (with Holm's correction)"
        f"{': ' if worse else ''}{', '.join(worse)}",
        not worse,
    )
    small = [
        name
        for name, ours in found.items()
        if compare_with_rate(ours.hybrid.rate, ours.annealing.rate).power < MIN_POWER
    ]
    if small:
        findings.notes.append(
            f"These sets have too few runs to show that {HYBRID} solves 20 points fewer than {SA} (power below "
            f"{100 * MIN_POWER:.0f} %): {'; '.join(small)}."
        )
    expected = tuple(
        sum(paper[name][key] * ours.annealing.num_runs for name, ours in found.items())
        / sum(ours.annealing.num_runs for ours in found.values())
        for key in ("SA success", "hybrid success")
    )
    fewer, more = _total(found.values(), lambda row: row.annealing), _total(found.values(), lambda row: row.hybrid)
    findings.check_difference(
        f"over all sets, {HYBRID} has the higher success rate: {percent(more)}, {SA} {percent(fewer)}",
        compare_rates(fewer=fewer, more=more, expected=(expected[0], expected[1])),
    )
    timed = {name: ours.ratio for name, ours in found.items() if ours.ratio is not None}
    longer = [name for name, ratio in timed.items() if ratio <= 1]
    findings.check_shape(
        f"where both solve at least {100 * _LEAST_RATE:.0f} %, {HYBRID} needs less time "
        f"({len(timed) - len(longer)} of {len(timed)} sets)",
        not longer,
    )
    _judge_orders(findings, found, paper)
    if "17 givens" in found:
        ours_17, theirs_17 = found["17 givens"], paper["17 givens"]
        findings.check(
            f"17 givens: CP fixes the paper's share of {theirs_17['fixed by CP']:.2f} within 0.02 "
            f"(ours: {ours_17.fixed_by_cp:.2f})",
            abs(ours_17.fixed_by_cp - theirs_17["fixed by CP"]) <= 0.02,
        )


def _significantly_worse(found: Mapping[str, SetResult]) -> list[str]:
    """Return the sets on which the hybrid solves significantly fewer, with Holm's correction for several tests."""
    p_values = {
        name: p_value_of_lower_rate(fewer=ours.hybrid.rate, more=ours.annealing.rate) for name, ours in found.items()
    }
    worse: list[str] = []
    for name in sorted(p_values, key=lambda name: p_values[name]):
        if p_values[name] * (len(p_values) - len(worse)) >= SIGNIFICANCE:
            break
        worse.append(name)
    return worse


def _judge_orders(findings: Findings, found: Mapping[str, SetResult], paper: Mapping[str, dict[str, Any]]) -> None:
    """Compare sets with each other; the paper calls the superhard puzzles of order 4 an anomaly."""

    def compare(statement: str, hard: Callable[[str], bool], easy: Callable[[str], bool]) -> None:
        sets = [[name for name in found if chosen(name)] for chosen in (hard, easy)]
        if not all(sets):
            return
        few, many = (_total((found[name] for name in names), lambda row: row.annealing) for names in sets)
        rates = [fmean(paper[name]["SA success"] for name in names) for names in sets]
        findings.check_difference(
            f"{statement}: {SA} solves {percent(few)} instead of {percent(many)}",
            compare_rates(fewer=few, more=many, expected=(rates[0], rates[1])),
        )

    def is_common(name: str) -> bool:
        return paper[name]["order"] == 3 and name != "17 givens"

    compare(
        "orders 4 and 5 are harder than order 3, except for superhard puzzles",
        lambda name: paper[name]["order"] in LARGE and "superhard" not in name,
        is_common,
    )
    compare("of the order-3 puzzles, those with 17 givens are the hardest", lambda name: name == "17 givens", is_common)


def _total(rows: Iterable[SetResult], solver: Callable[[SetResult], SolverResult]) -> Rate:
    results = [solver(row) for row in rows]
    return sum(result.num_success for result in results), sum(result.num_runs for result in results)
