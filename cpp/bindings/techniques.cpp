// Human techniques, and the rating of Sudoku Explainer.
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "bindings/border.h"
#include "logic/scales/explainer.h"
#include "logic/techniques/catalogue.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

using techniques::OpenBoard;
using techniques::Technique;

// A step with its difficulty; 0 if it was not rated.
using RatedStep = ExplainerStep;

struct Explained {
    ExplainerRating rating;
    std::vector<RatedStep> steps;
};

void check_size(const Puzzle& puzzle) {
    if (puzzle.box.size() > 25) throw std::invalid_argument("size over 25");
}

void check_placed(const Puzzle& puzzle, const std::vector<std::pair<int, int>>& placed) {
    for (const auto& [cell, digit] : placed) {
        if (cell < 0 || cell >= puzzle.box.num_cells() || puzzle.givens[static_cast<std::size_t>(cell)] != 0) {
            throw std::invalid_argument("placed: expected cells that are not given");
        }
        if (digit < 1 || digit > puzzle.box.size()) throw std::invalid_argument("placed: digit out of range");
    }
}

Explained explain(const Puzzle& puzzle, const Budget& budget) {
    check_size(puzzle);
    return without_gil([&] {
        Explained explained;
        Control control(budget, 0, 0, signal_raised);
        explained.rating = rate_explainer(puzzle, control, &explained.steps);
        return explained;
    });
}

std::vector<ExplainerRating> rate_explainer_many(const std::vector<Puzzle>& puzzles, const Budget& budget,
                                                 int num_threads) {
    for (const Puzzle& puzzle : puzzles) check_size(puzzle);
    return without_gil([&] {
        std::vector<ExplainerRating> ratings(puzzles.size());
        run_parallel(puzzles.size(), num_threads, signal_raised, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, 0, 0, stop);
            ratings[i] = rate_explainer(puzzles[i], control);
        });
        return ratings;
    });
}

std::vector<RatedStep> find_steps(const Puzzle& puzzle, const std::optional<std::vector<std::uint64_t>>& candidates,
                                  const std::string& technique, const std::vector<std::pair<int, int>>& placed) {
    check_size(puzzle);
    check_placed(puzzle, placed);
    const std::optional<Technique> named = techniques::technique_named(technique);
    if (!named) throw std::invalid_argument("unknown technique: " + technique);
    if (candidates && candidates->size() != puzzle.givens.size()) {
        throw std::invalid_argument("candidates: expected one mask per cell");
    }
    return without_gil([&] {
        OpenBoard board(Geometry::of(puzzle.box), puzzle.givens);
        for (const auto& [cell, digit] : placed) board.place(cell, digit - 1);
        if (candidates) board.restrict_to(*candidates);
        std::vector<RatedStep> steps;
        techniques::find_instances(*named, board, explainer_chain_difficulty, [&](const techniques::Step& step) {
            steps.push_back({step, 0});
            return true;
        });
        return steps;
    });
}

std::vector<std::pair<int, int>> to_pairs(const std::vector<Candidate>& candidates) {
    std::vector<std::pair<int, int>> pairs;
    for (const Candidate& candidate : candidates) pairs.push_back({candidate.cell, candidate.digit + 1});
    return pairs;
}

// From, to, and whether the link is strong.
std::vector<std::tuple<std::pair<int, int>, std::pair<int, int>, bool>> to_triples(
    const std::vector<techniques::Link>& links) {
    std::vector<std::tuple<std::pair<int, int>, std::pair<int, int>, bool>> triples;
    for (const techniques::Link& link : links) {
        triples.push_back({{link.from.cell, link.from.digit + 1}, {link.to.cell, link.to.digit + 1}, link.is_strong});
    }
    return triples;
}

}  // namespace

void bind_techniques(nb::module_& m) {
    nb::class_<RatedStep>(m, "TechniqueStep", "One application of a technique; digits are counted from 1.")
        .def_prop_ro("technique", [](const RatedStep& self) { return std::string(name_of(self.step.technique)); })
        .def_prop_ro("variant", [](const RatedStep& self) { return self.step.variant; })
        .def_prop_ro("length", [](const RatedStep& self) { return self.step.length; })
        .def_prop_ro("units", [](const RatedStep& self) { return self.step.units; })
        .def_prop_ro("cells", [](const RatedStep& self) { return self.step.cells; })
        .def_prop_ro("pattern", [](const RatedStep& self) { return to_pairs(self.step.pattern); })
        .def_prop_ro("fins", [](const RatedStep& self) { return to_pairs(self.step.fins); })
        .def_prop_ro("nodes",
                     [](const RatedStep& self) {
                         std::vector<std::vector<std::pair<int, int>>> nodes;
                         for (const auto& node : self.step.nodes) nodes.push_back(to_pairs(node));
                         return nodes;
                     })
        .def_prop_ro("links", [](const RatedStep& self) { return to_triples(self.step.links); })
        .def_prop_ro("placements", [](const RatedStep& self) { return to_pairs(self.step.placements); })
        .def_prop_ro("eliminations", [](const RatedStep& self) { return to_pairs(self.step.eliminations); })
        .def_prop_ro("assumes_uniqueness", [](const RatedStep& self) { return self.step.assumes_uniqueness; })
        .def_ro("difficulty", &RatedStep::difficulty, "In tenths; 0 if the step was not rated.");
    nb::class_<ExplainerRating>(m, "ExplainerRating", "The rating of Sudoku Explainer, in tenths.")
        .def_ro("num_solutions", &ExplainerRating::num_solutions)
        .def_ro("is_solved", &ExplainerRating::is_solved)
        .def_ro("er", &ExplainerRating::er)
        .def_ro("ep", &ExplainerRating::ep)
        .def_ro("ed", &ExplainerRating::ed);
    nb::class_<Explained>(m, "Explained", "The rating of Sudoku Explainer, and the steps it is based on.")
        .def_ro("rating", &Explained::rating)
        .def_ro("steps", &Explained::steps);
    m.def("rate_explainer", &explain, "puzzle"_a, "budget"_a, "Rate a puzzle and return its solution path.");
    m.def("rate_explainer_many", &rate_explainer_many, "puzzles"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles in parallel.");
    m.def(
        "find_steps", &find_steps, "puzzle"_a, "candidates"_a, "technique"_a,
        "placed"_a = std::vector<std::pair<int, int>>(),
        "Return all instances of a technique. The candidates are masks by cell; None for those left by the givens and "
        "by the digits placed since, as pairs of cell and digit.");
}

}  // namespace sudokulab
