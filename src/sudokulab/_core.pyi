"""The native core. Not a public interface: use the package around it."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


class Puzzle:
    """A puzzle as the core sees it."""

    def __init__(self, box_rows: int, box_cols: int, givens: bytes) -> None: ...

class Budget:
    """Limits of a run; None means no limit."""

    def __init__(self, seconds: float | None = None, iterations: int | None = None, nodes: int | None = None, is_cpu_time: bool = False) -> None: ...

class Result:
    """What a run came to, before anyone has verified it."""

    @property
    def status(self) -> str: ...

    @property
    def grid(self) -> bytes | None: ...

    @property
    def cost(self) -> float | None: ...

    @property
    def stats(self) -> dict[str, int | float]: ...

    @property
    def trace(self) -> dict[str, Annotated[NDArray[numpy.float64], dict(writable=False)]]: ...

    @property
    def seconds(self) -> float: ...

    @property
    def error(self) -> str: ...

class Solver:
    """A set of parameters that can solve puzzles, from many threads at once."""

    def solve(self, puzzle: Puzzle, budget: Budget, seed: int, trace_capacity: int) -> Result: ...

    def solve_many(self, puzzles: Sequence[Puzzle], seeds: Sequence[int], budget: Budget, num_threads: int) -> list[Result]: ...

class CompleteSolver(Solver):
    """A solver that can also count and enumerate."""

    def count(self, puzzle: Puzzle, limit: int, budget: Budget) -> tuple[int, bool]:
        """
        The number of solutions up to the limit, and whether the budget sufficed to be sure of it.
        """

class Enumeration:
    """The solutions of a puzzle, one after the other."""

    def __init__(self, solver: CompleteSolver, puzzle: Puzzle, budget: Budget) -> None: ...

    def next(self) -> str:
        """Look for another solution; the status of doing so."""

    def grid(self) -> bytes:
        """The solution that `next` found."""

def derive_seed(seed: int, index: int) -> int:
    """The seed of one run of a batch."""

def redundant_givens(puzzle: Puzzle, budget: Budget) -> tuple[int | None, list[int] | None]:
    """
    The number of solutions up to 2, None if the budget ran out; if it is 1, the cells whose given is not needed.
    """

def minimize(puzzle: Puzzle, budget: Budget, seed: int) -> tuple[int | None, bytes | None]:
    """
    The number of solutions up to 2, None if the budget ran out; if it is 1, the givens of a minimal puzzle.
    """

class SwapSearch(Solver):
    """A solver on box permutations, with a filter before it."""

class Ac3Tabu(Solver):
    def __init__(self, tabu_size: int, candidates: int, restart_after: int) -> None: ...

class Annealing(SwapSearch):
    def __init__(self, cooling: float, sampling_moves: int, moves_factor: float, reheat_after: int, filter: str) -> None: ...

class AntColony(Solver):
    def __init__(self, ants: int, q0: float, rho: float, xi: float, evaporation: float, propagation: str) -> None: ...

class Auto(CompleteSolver):
    def __init__(self) -> None: ...

class Backtracking(CompleteSolver):
    def __init__(self) -> None: ...

class ConflictDriven(CompleteSolver):
    def __init__(self, restart_unit: int, first_reduction: int) -> None: ...

class Dlx(CompleteSolver):
    def __init__(self) -> None: ...

class Genetic(SwapSearch):
    def __init__(self, population: int, elite: int, crossover: float, mutation: float, restart_after: int, filter: str) -> None: ...

class GraphSearch(CompleteSolver):
    def __init__(self, before: Sequence[tuple[int, bool]], after: Sequence[int], rules: Sequence[int]) -> None: ...

class HillClimbing(SwapSearch):
    def __init__(self, w1: float, w2: float, greedy: bool, post_swap: bool, plateau: int, filter: str) -> None: ...

class IteratedLocalSearch(SwapSearch):
    def __init__(self, tabu_size: int, local_iterations: int, perturbation: float, refill_nodes: int, acceptance: float, filter: str) -> None: ...

class Tabu(SwapSearch):
    def __init__(self, tabu_size: int, candidates: int, restart_after: int, filter: str) -> None: ...

class Step:
    """One application of a rule; digits from 1."""

    @property
    def rule(self) -> int: ...

    @property
    def unit(self) -> int: ...

    @property
    def other_unit(self) -> int: ...

    @property
    def cells(self) -> list[int]: ...

    @property
    def digits(self) -> list[int]: ...

    @property
    def placements(self) -> list[tuple[int, int]]: ...

    @property
    def eliminations(self) -> list[tuple[int, int]]: ...

class Deduced:
    """What the rules make of a puzzle."""

    @property
    def is_contradiction(self) -> bool: ...

    @property
    def firings(self) -> list[int]: ...

    @property
    def highest(self) -> int: ...

    @property
    def steps(self) -> list[Step]: ...

    @property
    def grid(self) -> bytes: ...

    @property
    def candidates(self) -> list[int]: ...

class Rating:
    """How hard a puzzle is."""

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
    """What one level of trial and error comes to."""

    @property
    def is_contradiction(self) -> bool: ...

    @property
    def is_solved_by_rules(self) -> bool: ...

    @property
    def key(self) -> tuple[int, int] | None: ...

    @property
    def is_solved_by_elimination(self) -> bool: ...

    @property
    def num_eliminated(self) -> int: ...

    @property
    def is_finished(self) -> bool: ...

def trial_many(puzzles: Sequence[Puzzle], rules: Sequence[int], budget: Budget, num_threads: int) -> list[Trial]:
    """One level of trial and error on each puzzle."""

def rate_many(puzzles: Sequence[Puzzle], rules: Sequence[int], num_relabelings: int, seed: int, budget: Budget, num_threads: int) -> list[Rating]:
    """Rate puzzles side by side."""

def deduce(puzzle: Puzzle, rules: Sequence[int], max_steps: int) -> Deduced:
    """
    Apply rules in order until nothing changes. With 0 no steps are kept; otherwise so many, and no more are made.
    """

class PuzzleSpec:
    """What a puzzle must be like."""

    def __init__(self, empty: Puzzle, orbits: Sequence[Sequence[int]], is_pattern: bool, num_givens: int | None, is_minimal: bool, solved_by: Sequence[int] | None, not_solved_by: Sequence[Sequence[int]]) -> None: ...

class Attempt:
    """What an attempt at a specification came to."""

    @property
    def is_met(self) -> bool: ...

    @property
    def givens(self) -> bytes: ...

    @property
    def solution(self) -> bytes: ...

    @property
    def num_unmet(self) -> int: ...

    @property
    def distance(self) -> int: ...

def attempt_many(spec: PuzzleSpec, seeds: Sequence[int], budget: Budget, num_threads: int) -> list[Attempt]:
    """One attempt at the specification for each seed."""

def random_grid(empty: Puzzle, seed: int) -> bytes:
    """A random full grid."""

def descent_log_weight(empty: Puzzle, seed: int) -> float | None:
    """
    The logarithm of the inverse probability of the grid that a random descent met; None if it met none.
    """

def solve_array(puzzles: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int, limit: int, has_solutions: bool, num_threads: int, instructions: str) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], Annotated[NDArray[numpy.uint32], dict(shape=(None,))], bool]:
    """
    The first solution of each puzzle, zeros if there is none; the numbers of solutions up to the limit; and whether the judge has accepted all solutions.
    """

max_guesses: int = 10000

def solve_lines(text: bytes, budget: Budget, num_threads: int, columns: Sequence[tuple[str, str]], writes_rows: bool) -> tuple[bytes, list[tuple[int, int, int, int, str]], int, bool]:
    """
    Solve 9×9 puzzles, one per line or, with (role, key) of the columns, one per row of CSV. Return the solutions as lines, or as rows of puzzle, solution, name and comment; (number, begin, end, position of the answer, answer) of each other line; the number of lines; whether the judge accepted all solutions.
    """

def are_solutions(grids: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], givens: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], box_rows: int, box_cols: int) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """Which grids, one a row, solve the puzzles beside them."""

def is_solution(grid: bytes, givens: bytes, box_rows: int, box_cols: int) -> bool:
    """Whether a grid solves a puzzle."""

def instructions() -> list[str]:
    """What the bulk engine can use on this machine, the best last."""

class PeerLibrary:
    """A function of a shared library that solves 9×9 puzzles."""

    def __init__(self, path: str, symbol: str) -> None: ...

    def solve(self, lines: Annotated[NDArray[numpy.uint8], dict(shape=(None, 82), order='C', device='cpu', writable=False)], limit: int, solutions: Annotated[NDArray[numpy.uint8], dict(shape=(None, 82), order='C', device='cpu')], counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Fill in the first solution of each line, as the library writes it, and the numbers of solutions up to the limit.
        """

def compiler() -> str:
    """What compiled this."""

class ConstraintNetwork:
    """Binary constraints over domains of at most 64 values."""

    def __init__(self, num_variables: int) -> None: ...

    def add_constraint(self, first: int, second: int, supports: Sequence[int], reverse: Sequence[int]) -> None:
        """
        For each value of the one variable the bit set of the other's values that go with it, and back.
        """

    def revise(self, arc: int, domains: Sequence[int]) -> list[int]:
        """
        The domains after Revise3 on an arc: 2k is the k-th constraint, 2k + 1 its reverse.
        """

    def ac3(self, domains: Sequence[int]) -> tuple[bool, list[int]]:
        """Whether the network is arc consistent, and the domains then."""

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
    """The last few features, forgotten in the order in which they came."""

    def __init__(self, num_features: int, capacity: int) -> None: ...

    def add(self, feature: int) -> None: ...

    def contains(self, feature: int) -> bool: ...

    def clear(self) -> None: ...

def spin_roulette(weights: Sequence[float], seed: int, num_spins: int) -> list[int]:
    """Indices drawn with probability proportional to their weight."""

def initial_placement(puzzle: Puzzle, has_post_swap: bool, seed: int) -> bytes:
    """The first initial state of the hill climber."""

def ac3(puzzle: Puzzle) -> list[int]:
    """The domains of a puzzle after AC3, as bit sets."""

def filtered_givens(puzzle: Puzzle, filter: str) -> bytes:
    """The givens and all that a filter fixes besides."""

def count_edges(puzzle: Puzzle) -> int:
    """
    The edges of the auxiliary graph of a puzzle, with nothing deduced but the givens' peers.
    """
