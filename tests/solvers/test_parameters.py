"""Parameters are checked, by name and with their range, before anything runs."""

from __future__ import annotations

import pytest

from sudokulab import SOLVERS, Genetic, make_solver

OUT_OF_RANGE = [
    ("annealing", "cooling", 1.0, "less than 1"),
    ("annealing", "cooling", 0.0, "greater than 0"),
    ("annealing", "sampling_moves", 1, "greater than or equal to 2"),
    ("annealing", "reheat_after", 0, "greater than or equal to 1"),
    ("cp-annealing", "filter", "magic", "'none', 'cp' or 'ac3'"),
    ("ant-colony", "ants", 0, "greater than or equal to 1"),
    ("ant-colony", "q0", 1.5, "less than or equal to 1"),
    ("ant-colony", "rho", -0.1, "greater than or equal to 0"),
    ("ant-colony", "evaporation", 2, "less than or equal to 1"),
    ("hill-climbing", "plateau", 0, "greater than or equal to 1"),
    ("tabu", "tabu_size", -1, "greater than or equal to 0"),
    ("ac3-tabu", "candidates", 0, "greater than or equal to 1"),
    ("genetic", "mutation", 1.1, "less than or equal to 1"),
    ("genetic", "population", 1, "greater than or equal to 2"),
    ("iterated-local-search", "perturbation", 0, "greater than 0"),
]


@pytest.mark.parametrize(("solver", "parameter", "value", "complaint"), OUT_OF_RANGE)
def test_out_of_range(solver: str, parameter: str, value: object, complaint: str) -> None:
    with pytest.raises(ValueError, match=parameter) as caught:
        make_solver(solver, **{parameter: value})
    assert complaint in str(caught.value)


def test_an_elite_as_large_as_the_population_is_refused() -> None:
    with pytest.raises(ValueError, match="elite: 5 of 5 individuals"):
        Genetic(population=5, elite=5)


@pytest.mark.parametrize("name", SOLVERS)
def test_unknown_parameters_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no_such_parameter"):
        make_solver(name, no_such_parameter=1)


def test_text_is_converted_as_the_command_line_needs_it() -> None:
    assert make_solver("ant-colony", ants="3", q0="0.5") == make_solver("ant-colony", ants=3, q0=0.5)


def test_the_papers_values_are_the_defaults() -> None:
    assert make_solver("ant-colony", ants=10, q0=0.9, rho=0.9, xi=0.1, evaporation=0.005) == make_solver("ant-colony")
    assert make_solver("annealing", cooling=0.99, sampling_moves=100, reheat_after=20) == make_solver("annealing")
    assert make_solver("hill-climbing", w1=1, w2=-1, plateau=10) == make_solver("hill-climbing")
