"""Parameters are validated by name and range before anything runs."""

from __future__ import annotations

import pytest

from sudokulab.errors import ParameterError
from sudokulab.solvers import SOLVERS, AntColony, Genetic, ParticleSwarm, make_solver
from tests.cases import for_each

OUT_OF_RANGE = [
    ("annealing", "cooling", 1.0, "a number above 0 and below 1"),
    ("annealing", "cooling", 0.0, "a number above 0 and below 1"),
    ("annealing", "sampling_moves", 1, "an integer from 2 to 1,000,000"),
    ("annealing", "reheat_after", 0, "an integer of at least 1"),
    ("cp-annealing", "filter", "magic", "none, cp, ac3, rules, or techniques such as singles,x-wing"),
    ("ant-colony", "ants", 0, "an integer from 1 to 1,000"),
    ("ant-colony", "q0", 1.5, "a number from 0 to 1"),
    ("ant-colony", "rho", -0.1, "a number from 0 to 1"),
    ("ant-colony", "evaporation", 2, "a number from 0 to 1"),
    ("hill-climbing", "cutoff", 0, "an integer from 1 to 1,000"),
    ("tabu", "tabu_size", -1, "an integer from 0 to 1,000,000"),
    ("ac3-tabu", "candidates", 0, "an integer from 1 to 1,000"),
    ("genetic", "mutation", 1.1, "a number from 0 to 1"),
    ("genetic", "population", 1, "an integer from 2 to 1,000"),
    ("iterated-local-search", "reset_factor", 1.5, "a number from 0 to 1"),
    ("particle-swarm", "particles", 0, "an integer from 1 to 10,000"),
]


@for_each(("solver", "parameter", "value", "complaint"), OUT_OF_RANGE)
def test_values_out_of_range_are_rejected(solver: str, parameter: str, value: object, complaint: str) -> None:
    with pytest.raises(ParameterError) as caught:
        make_solver(solver, **{parameter: value})
    assert str(caught.value) == f"{parameter}: {value!r}; choose {complaint}"


def test_an_elite_as_large_as_the_population_is_rejected() -> None:
    with pytest.raises(ParameterError, match="elite: 5 of 5 individuals"):
        Genetic(population=5, elite=5)


def test_weights_above_one_are_rejected() -> None:
    with pytest.raises(
        ParameterError, match=r"social, cognitive: weights add up to 1.2; choose weights that add up to at most 1"
    ):
        ParticleSwarm(social=0.7, cognitive=0.5)


@for_each("name", SOLVERS)
def test_unknown_parameters_are_rejected(name: str) -> None:
    with pytest.raises(
        ParameterError, match=f"(unknown parameter of {name} '|{name} has no parameters; remove )no_such_parameter"
    ):
        make_solver(name, no_such_parameter=1)


def test_a_misspelled_parameter_gets_a_suggestion() -> None:
    with pytest.raises(ParameterError, match=r"unknown parameter of ant-colony 'ant'; did you mean 'ants'\?"):
        make_solver("ant-colony", ant=3)


def test_parameters_are_passed_by_name() -> None:
    with pytest.raises(ParameterError, match=r"AntColony takes parameters by name: AntColony\(ants=…\)"):
        AntColony(10)  # type: ignore[call-arg]


def test_text_values_are_converted() -> None:
    assert make_solver("ant-colony", ants="3", q0="0.5") == make_solver("ant-colony", ants=3, q0=0.5)


def test_the_defaults_are_the_values_of_the_papers() -> None:
    assert make_solver("ant-colony", ants=10, q0=0.9, rho=0.9, xi=0.1, evaporation=0.005) == make_solver("ant-colony")
    assert make_solver("annealing", cooling=0.99, sampling_moves=100, reheat_after=20) == make_solver("annealing")
    assert make_solver("hill-climbing", w1=1, w2=-1, cutoff=10) == make_solver("hill-climbing")
