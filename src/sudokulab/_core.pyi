"""The native core. Not a public interface: use the package around it."""

from collections.abc import Sequence
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


class Viewer:
    """Decides which states of a run to show. One viewer serves one run."""

    def begin(self, cells: bytes) -> None:
        """Start a run that is not native."""

    def offer(self, step: int, seconds: float, names: Sequence[str], values: Sequence[float], cells: bytes) -> bool:
        """
        Offer a state of a run that is not native; return whether the run must stop.
        """

    def end(self, seconds: float, cells: bytes) -> None:
        """
        End a run that is not native with its result; no cells if there is none.
        """

    @property
    def is_stopped(self) -> bool:
        """Whether the run has been cancelled."""

    @property
    def seconds_waited(self) -> float:
        """How long the search has waited for the viewer."""

class Recorder(Viewer):
    """Keeps evenly spaced frames."""

    def __init__(self, capacity: int) -> None: ...

    def take(self) -> list[tuple[int, float, dict[str, float], bytes, bytes, bytes, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], str]]:
        """Return the frames, oldest first."""

class LiveView(Viewer):
    """Passes frames of a running search to other threads."""

    def __init__(self, capacity: int) -> None: ...

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def step(self, count: int) -> None: ...

    def set_speed(self, steps_per_frame: int, frames_per_second: float) -> None: ...

    def stop(self) -> None: ...

    def take(self) -> list[tuple[int, float, dict[str, float], bytes, bytes, bytes, tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], str]]:
        """Return the new frames, oldest first."""

class Results:
    """An iterator over the results of a batch."""

    def __iter__(self) -> Results: ...

    def __next__(self) -> Any: ...

    @property
    def are_valid(self) -> bool:
        """Whether the judge accepts all solutions."""

def read_nines(values: list[Any], puzzle_class: object, box: object) -> list[Any]:
    """
    Return the values, with puzzles in place of plain 9×9 texts: 81 symbols, or 81 digits as bytes.
    """

@overload
def decode_nines(values: list[Any]) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, 81))], list[int]]:
    """
    Return the cells of plain 9×9 texts, and the indices of all other values, whose cells are arbitrary.
    """

@overload
def decode_nines(symbols: Annotated[NDArray[numpy.uint8], dict(shape=(None, 81), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, 81))], list[int]]:
    """The same for an array of symbols, one text per row."""

def invalid_results(results: list[Any], solved: object) -> list[int]:
    """
    Return the indices of the results with the status `solved` that have no valid solution.
    """

class Puzzle:
    """A puzzle in its native form."""

    def __init__(self, box_rows: int, box_cols: int, givens: bytes) -> None: ...

class Budget:
    """Limits of a run; None means no limit."""

    def __init__(self, seconds: float | None = None, iterations: int | None = None, nodes: int | None = None, is_cpu_time: bool = False) -> None: ...

class Cancellation:
    """
    A token to stop searches from another thread.

    Every search, count, rating and generation that a thread starts inside ``with token:`` ends with `CancelledError` as soon as any thread calls `cancel`.
    """

    def __init__(self) -> None: ...

    def __enter__(self) -> Cancellation: ...

    def __exit__(self, *exception: object) -> None: ...

    def cancel(self) -> None:
        """Stop the searches, from any thread."""

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` has been called."""

def raise_if_cancelled() -> None:
    """Raise CancelledError if this thread has been cancelled."""

class Solver:
    """A set of parameters that can solve puzzles, in many threads at once."""

    def solve(self, puzzle: object, budget: Budget, seed: int, trace_capacity: int, viewer: Viewer | None, num_threads: int, name: str, classes: tuple[Any, ...]) -> Any:
        """
        Return the result, not yet verified. The classes are Result, Puzzle, and the statuses solved, unsatisfiable and unknown.
        """

    def solve_many(self, puzzles: tuple[Any, ...], seeds: Sequence[int], budget: Budget, num_threads: int, name: str, classes: tuple[Any, ...]) -> Results:
        """Return the results in the order of the puzzles."""

class CompleteSolver(Solver):
    """A solver that can also count and enumerate."""

    def count(self, puzzle: Puzzle, limit: int, budget: Budget) -> tuple[int, bool]:
        """
        Return the number of solutions up to the limit, and whether the budget sufficed to be sure of it.
        """

class Enumeration:
    """The solutions of a puzzle, one by one."""

    def __init__(self, solver: CompleteSolver, puzzle: Puzzle, budget: Budget) -> None: ...

    def next(self) -> str:
        """Search for the next solution and return the status."""

    def grid(self) -> bytes:
        """Return the solution that `next` found."""

def count_nine(text: object | None, limit: object | None) -> int | None:
    """
    Return the number of solutions of a plain 9×9 text, up to the limit. None if the text is not plain, or the limit is neither None nor an integer from 0.
    """

def derive_seed(seed: int, index: int) -> int:
    """Return the seed of one run of a batch."""

def derive_seeds(seed: int, first: int, number: int) -> list[int]:
    """Return the seeds of runs of a batch, from this index on."""

def redundant_givens(puzzle: Puzzle, budget: Budget) -> tuple[int | None, list[int] | None]:
    """
    Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the cells whose given is redundant.
    """

def minimize(puzzle: Puzzle, budget: Budget, seed: int) -> tuple[int | None, bytes | None]:
    """
    Return the number of solutions up to 2 (None if the budget ran out) and, if it is 1, the givens of a minimal puzzle.
    """

class SwapSearch(Solver):
    """A solver on box permutations, preceded by a filter."""

class Ac3Tabu(Solver):
    def __init__(self, tabu_size: int, candidates: int, restart_after: int) -> None: ...

class Annealing(SwapSearch):
    def __init__(self, cooling: float, sampling_moves: int, moves_factor: float, reheat_after: int, improvement: str, filter: str) -> None: ...

class AntColony(Solver):
    def __init__(self, ants: int, q0: float, rho: float, xi: float, evaporation: float, propagation: str, filter: str) -> None: ...

class Auto(CompleteSolver):
    def __init__(self) -> None: ...

class Backtracking(CompleteSolver):
    def __init__(self, propagation: str) -> None: ...

class ConflictDriven(CompleteSolver):
    def __init__(self, restart_unit: int, first_reduction: int, moves_per_conflict: int) -> None: ...

class Dlx(CompleteSolver):
    def __init__(self) -> None: ...

class Genetic(SwapSearch):
    def __init__(self, population: int, elite: int, crossover: float, mutation: float, three_swap: float, insertion: float, ends_at_given: bool, max_swaps: int, max_repeats: int, aging: int, restart_after: int, filter: str) -> None: ...

class GraphSearch(CompleteSolver):
    def __init__(self, before: Sequence[tuple[int, bool]], after: Sequence[int], rules: Sequence[int], refuted: str, tested: str, tied_cells: str, branching: str, invariant: str) -> None: ...

class HillClimbing(SwapSearch):
    def __init__(self, w1: float, w2: float, greedy: bool, post_swap: bool, variant: str, ties: str, successors: str, cutoff: int, queue_limit: int, filter: str) -> None: ...

class IteratedLocalSearch(SwapSearch):
    def __init__(self, tabu_share: float, local_iterations: int, acceptance: float, reset_factor: float, reset_decay: float, refill_nodes: int, filter: str) -> None: ...

class ParticleSwarm(SwapSearch):
    def __init__(self, particles: int, social: float, cognitive: float, mutation: float, restart_after: int, filter: str) -> None: ...

class Tabu(SwapSearch):
    def __init__(self, tabu_size: int, candidates: int, accept_worse: bool, restart_after: int, filter: str) -> None: ...

max_canonical_size: int = 9

max_equivalence_size: int = 16

def canonical_array(puzzles: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], solutions: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, box_rows: int, box_cols: int, num_threads: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.bool_], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint64]]:
    """
    Return the canonical forms of puzzles, through their solutions if given; is_transposed, rows, columns and digits of the transformations; the numbers of automorphisms; the hashes of the forms.
    """

def second_rows() -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.uint32], NDArray[numpy.uint8]]:
    """
    Return the table behind the canonical forms of 9×9 grids: triples of columns, pairs of triples, entries, and the orders of columns.
    """

def class_hash_array(puzzles: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int, num_threads: int) -> NDArray[numpy.uint64]:
    """Return a hash of each puzzle that equivalent puzzles share."""

def is_equivalent(one: Puzzle, other: Puzzle) -> bool:
    """Return whether two puzzles are equivalent."""

class Rating:
    """The difficulty of a puzzle."""

    @property
    def num_solutions(self) -> int: ...

    @property
    def is_solved(self) -> bool: ...

    @property
    def firings(self) -> list[int]: ...

    @property
    def highest(self) -> int: ...

    @property
    def mean_nodes(self) -> float | None: ...

    @property
    def deviation(self) -> float | None: ...

class Trial:
    """The result of one level of trial and error."""

    @property
    def is_contradiction(self) -> bool: ...

    @property
    def is_solved_by_rules(self) -> bool: ...

    @property
    def key(self) -> tuple[int, int] | None: ...

    @property
    def late_key(self) -> tuple[int, int] | None: ...

    @property
    def is_solved_by_elimination(self) -> bool: ...

    @property
    def num_eliminated(self) -> int: ...

    @property
    def is_finished(self) -> bool: ...

class TrialRating:
    """Trial-and-error depth and backdoors of a puzzle."""

    @property
    def num_solutions(self) -> int: ...

    @property
    def depth(self) -> int | None: ...

    @property
    def backdoor_size(self) -> int | None: ...

    @property
    def num_backdoors(self) -> int: ...

    @property
    def backdoors(self) -> list[list[int]]: ...

    @property
    def is_finished(self) -> bool: ...

def trial_many(puzzles: Sequence[Puzzle], rules: Sequence[int], budget: Budget, num_threads: int) -> list[Trial]:
    """Apply one level of trial and error to each puzzle."""

def is_solved_by_rules(puzzle: Puzzle, rules: Sequence[int]) -> bool:
    """Return whether rules fill the grid."""

def are_solved_by_rules(puzzles: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int, rules: Sequence[int], num_threads: int) -> NDArray[numpy.bool_]:
    """Return for each puzzle whether rules fill the grid."""

def rate_trial_many(puzzles: Sequence[Puzzle], max_listed: int, budget: Budget, num_threads: int) -> list[TrialRating]:
    """
    Return the trial-and-error depth and the backdoors of each puzzle, and list the first backdoors.
    """

def rate_many(puzzles: Sequence[Puzzle], rules: Sequence[int], num_relabelings: int, seed: int, budget: Budget, num_threads: int) -> list[Rating]:
    """Rate puzzles in parallel."""

class ConstraintNetwork:
    """Binary constraints over domains of at most 64 values."""

    def __init__(self, num_variables: int) -> None: ...

    def add_constraint(self, first: int, second: int, supports: Sequence[int], reverse: Sequence[int]) -> None:
        """
        Add a constraint: for each value of one variable, the bit set of compatible values of the other, in both directions.
        """

    def revise(self, arc: int, domains: Sequence[int]) -> list[int]:
        """
        Return the domains after Revise3 on an arc; arc 2k is the k-th constraint, 2k + 1 its reverse.
        """

    def ac3(self, domains: Sequence[int]) -> tuple[bool, list[int]]:
        """
        Run AC3; return whether the network is consistent, and the resulting domains.
        """

def ac3(puzzle: Puzzle) -> list[int]:
    """Return the domains of a puzzle after AC3, as bit sets."""

def peer_value_sets(puzzle: Puzzle) -> list[int]:
    """
    Return the value sets of a puzzle after propagation to the peers of fixed cells, as bit sets.
    """

def filtered_givens(puzzle: Puzzle, filter: str) -> bytes:
    """Return the givens and all cells fixed by a filter."""

def initial_placement(puzzle: Puzzle, has_post_swap: bool, seed: int) -> bytes:
    """Return the first initial state of the hill climber."""

class Step:
    """One application of a technique; digits are counted from 1."""

    @property
    def technique(self) -> str: ...

    @property
    def variant(self) -> int: ...

    @property
    def length(self) -> int: ...

    @property
    def units(self) -> list[int]: ...

    @property
    def cells(self) -> list[int]: ...

    @property
    def pattern(self) -> list[tuple[int, int]]: ...

    @property
    def fins(self) -> list[tuple[int, int]]: ...

    @property
    def nodes(self) -> list[list[tuple[int, int]]]: ...

    @property
    def links(self) -> list[tuple[tuple[int, int], tuple[int, int], bool]]: ...

    @property
    def placements(self) -> list[tuple[int, int]]: ...

    @property
    def eliminations(self) -> list[tuple[int, int]]: ...

    @property
    def assumes_uniqueness(self) -> bool: ...

class ExplainerStep:
    """A step with its difficulty on the scale of Sudoku Explainer."""

    @property
    def step(self) -> Step: ...

    @property
    def difficulty(self) -> int:
        """In tenths."""

class Deduced:
    """The result of applying techniques to a puzzle."""

    @property
    def is_contradiction(self) -> bool: ...

    @property
    def is_stopped(self) -> bool: ...

    @property
    def steps(self) -> list[Step]: ...

    @property
    def grid(self) -> bytes: ...

    @property
    def candidates(self) -> list[int]: ...

class ExplainerRating:
    """The rating of Sudoku Explainer, in tenths."""

    @property
    def num_solutions(self) -> int: ...

    @property
    def is_solved(self) -> bool: ...

    @property
    def er(self) -> int: ...

    @property
    def ep(self) -> int: ...

    @property
    def ed(self) -> int: ...

class Explained:
    """The rating of Sudoku Explainer, and the steps it is based on."""

    @property
    def rating(self) -> ExplainerRating: ...

    @property
    def steps(self) -> list[ExplainerStep]: ...

class HodokuStep:
    """A step with its points on the scale of HoDoKu."""

    @property
    def step(self) -> Step: ...

    @property
    def level(self) -> str: ...

    @property
    def points(self) -> int: ...

class HodokuRating:
    """The rating of HoDoKu with its default settings."""

    @property
    def num_solutions(self) -> int: ...

    @property
    def is_solved(self) -> bool: ...

    @property
    def level(self) -> str:
        """easy, medium, hard, unfair or extreme."""

    @property
    def score(self) -> int: ...

class HodokuRated:
    """The rating of HoDoKu, and the steps it is based on."""

    @property
    def rating(self) -> HodokuRating: ...

    @property
    def steps(self) -> list[HodokuStep]: ...

def technique_names() -> list[str]:
    """Return the names of all techniques."""

def deduce(puzzle: Puzzle, techniques: Sequence[str], max_steps: int, budget: Budget) -> Deduced:
    """
    Take the first step of the first technique that applies, until none does or max_steps is reached.
    """

def deduce_many(puzzles: Sequence[Puzzle], techniques: Sequence[str], budget: Budget, num_threads: int) -> list[Deduced]:
    """Deduce as far as possible, in parallel."""

def rate_hodoku(puzzle: Puzzle, budget: Budget) -> HodokuRated:
    """Rate a 9×9 puzzle on the scale of HoDoKu and return its solution path."""

def rate_hodoku_many(puzzles: Sequence[Puzzle], budget: Budget, num_threads: int) -> list[HodokuRating]:
    """Rate 9×9 puzzles on the scale of HoDoKu in parallel."""

def rate_explainer(puzzle: Puzzle, budget: Budget) -> Explained:
    """Rate a puzzle and return its solution path."""

def rate_explainer_many(puzzles: Sequence[Puzzle], budget: Budget, num_threads: int) -> list[ExplainerRating]:
    """Rate puzzles in parallel."""

def find_steps(puzzle: Puzzle, candidates: Sequence[int] | None, technique: str, placed: Sequence[tuple[int, int]] = [], budget: Budget = ...) -> list[Step]:
    """
    Return all instances of a technique. The candidates are masks by cell; None for those left by the givens and by the digits placed since, as pairs of cell and digit.
    """

class PuzzleSpec:
    """The requirements on a puzzle."""

    def __init__(self, empty: Puzzle, orbits: Sequence[Sequence[int]], is_pattern: bool, num_givens: int | None, is_minimal: bool, solved_by: Sequence[str] | None, not_solved_by: Sequence[Sequence[str]], er: tuple[int, int] | None, has_controlled_bias: bool) -> None: ...

def attempt_many(spec: PuzzleSpec, seed: int, indices: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], attempts: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], budget: Budget, num_threads: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """
    Make attempts at the specification, each given by the index of its puzzle and its own number. Return their givens, solutions, numbers of unmet requirements (-1 if there is no puzzle) and distances.
    """

def blanking_starts(seed: int, first: int, count: int, num_threads: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8]]:
    """
    Return the grids and the orders of cells with which the first attempts at 9×9 puzzles start, from index `first` on.
    """

def sample_minimal(empty: Puzzle, seed: int, first: int, count: int, num_threads: int) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8], NDArray[numpy.int64]]:
    """
    Return all minimal puzzles of random grids and removal orders, their solutions, and the numbers of their grids, counted from those of block `first`; block i has the seed derived for number first + i + 1.
    """

def sampling_plan(empty: Puzzle) -> tuple[int, int]:
    """
    Return the number of grids in a block of sample_minimal, and the number of removal orders of each.
    """

def random_grid(empty: Puzzle, seed: int) -> bytes:
    """Return a random full grid."""

def random_grids(empty: Puzzle, seed: int, first: int, count: int, num_threads: int) -> NDArray[numpy.uint8]:
    """
    Return random full grids as the rows of an array; row i has the seed derived for number first + i + 1.
    """

def random_descent(empty: Puzzle, seed: int) -> tuple[bytes, float] | None:
    """
    Return the grid of a random descent and the logarithm of its inverse probability; None if the descent failed.
    """

def solve_array(puzzles: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int, limit: int, has_solutions: bool, num_threads: int, instructions: str) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], bool]:
    """
    Return the first solution of each puzzle (zeros if there is none), the numbers of solutions up to the limit, and whether the judge accepted all solutions.
    """

max_guesses: int = 10000

class LineLayout:
    """Where to find the puzzles of a text, and what to write for each."""

    def __init__(self, columns: Sequence[str], delimiter: str, answer: Sequence[tuple[str, str, int, int]], keys: Sequence[str]) -> None: ...

def solve_lines(text: bytes, begin: int, first_row: int, is_last: bool, layout: LineLayout, budget: Budget, num_threads: int) -> tuple[bytes, list[tuple[int, int, int, int, int, str]], int, int, int, bool]:
    """
    Solve 9×9 puzzles, one per line, row of CSV or object. Return the answers; (number, row, begin, end, position of the answer, answer) of each other line; the numbers of bytes and lines that have been read, which is less than the text at a row that continues in the next one, and at a line that may hold several puzzles or none; the number of the last row; whether the judge accepted all solutions.
    """

def are_solutions(grids: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], givens: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """
    Return for each row of grids whether it solves the puzzle in the same row of givens.
    """

def is_solution(grid: bytes, givens: bytes, box_rows: int, box_cols: int) -> bool:
    """Return whether a grid solves a puzzle."""

def instructions() -> list[str]:
    """Return the instruction sets available to the bulk engine, best last."""

def best_instructions() -> str:
    """Return the instruction set that the bulk engine uses by default."""

def score_array(predictions: NDArray[numpy.integer], puzzles: NDArray[numpy.uint8], solutions: NDArray[numpy.uint8], rows: NDArray[numpy.int64] | None, box_rows: int, box_cols: int, num_threads: int) -> tuple[NDArray[numpy.bool_], NDArray[numpy.bool_], NDArray[numpy.bool_], NDArray[numpy.uint16], NDArray[numpy.uint16]]:
    """
    Return for each predicted grid whether it is complete, is valid and keeps the givens, and how many cells and blanks are correct. Rows are the indices of the puzzles, by default one per prediction.
    """

def compiler() -> str:
    """Return the name and version of the compiler."""

class SolverLibrary:
    """A function in a shared library that solves 9×9 puzzles."""

    def __init__(self, path: str, symbol: str) -> None: ...

    def solve(self, lines: Annotated[NDArray[numpy.uint8], dict(shape=(None, 82), order='C', device='cpu', writable=False)], limit: int, solutions: Annotated[NDArray[numpy.uint8], dict(shape=(None, 82), order='C', device='cpu')], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Write the first solution of each line, as the library formats it, and the numbers of solutions up to the limit.
        """

class BoxPermutation:
    """A full grid with every digit once in each box, and its swaps."""

    def __init__(self, puzzle: Puzzle, grid: bytes) -> None: ...

    @property
    def cost(self) -> int: ...

    @property
    def grid(self) -> bytes: ...

    def delta(self, first: int, second: int) -> int: ...

    def swap(self, first: int, second: int, delta: int) -> None: ...

class TabuList:
    """The most recent features, first in, first out."""

    def __init__(self, num_features: int, capacity: int) -> None: ...

    def add(self, feature: int) -> None: ...

    def contains(self, feature: int) -> bool: ...

    def clear(self) -> None: ...

class Portfolio(CompleteSolver):
    """Conflict-driven searches on several threads."""

    def __init__(self, num_threads: int, head_start: int = 1000, max_shared_levels: int = 2, restart_unit: int = 2048) -> None: ...

def spin_roulette(weights: Sequence[float], seed: int, num_spins: int) -> list[int]:
    """Draw indices with probability proportional to their weight."""

def cross(first: BoxPermutation, second: BoxPermutation, seed: int) -> BoxPermutation:
    """
    Return a child of the genetic algorithm: each box is from either parent.
    """

def mutate(state: BoxPermutation, three_swap: float, insertion: float, ends_at_given: bool, max_swaps: int, max_repeats: int, seed: int) -> BoxPermutation:
    """Return a mutated copy, as in the genetic algorithm."""

def perturb(state: BoxPermutation, share: float, num_nodes: int, seed: int) -> BoxPermutation:
    """Return a perturbed copy, as in iterated local search."""

def combine(first: Sequence[int], second: Sequence[int], third: Sequence[int], choices: Sequence[int]) -> list[int]:
    """
    Return the convex combination of three permutations that takes each position from the chosen parent.
    """

def count_edges(puzzle: Puzzle) -> int:
    """
    Count the edges of the auxiliary graph, after removing the givens' digits from their peers.
    """

def blank_in_order(spec: PuzzleSpec, full: Puzzle, order: Sequence[int]) -> bytes:
    """
    Return what remains of a full 9×9 grid if its orbits are blanked in order.
    """

def minimal_in_order(full: Puzzle, order: Sequence[int]) -> bytes:
    """
    Return the minimal puzzle of a full 9×9 grid whose digits are removed in order; empty if there is none.
    """

def num_grid_classes() -> int:
    """
    Return the number of 9×9 grids, divided by 560 · 6⁶, that `random_grid` chooses from.
    """

class Answerer(Solver):
    """A solver that answers every puzzle with the same grid, right or wrong."""

    def __init__(self, grid: Sequence[int]) -> None: ...
