// Human techniques, and the ratings of Sudoku Explainer and HoDoKu.
#include <nanobind/stl/tuple.h>

#include <limits>
#include <set>
#include <stdexcept>
#include <tuple>

#include "bindings/conversions.h"
#include "bindings/without_gil.h"
#include "logic/deduced.h"
#include "logic/techniques/catalogue.h"
#include "rating/explainer.h"
#include "rating/hodoku.h"

namespace sudokulab {
namespace {

using techniques::Technique;
using techniques::TechniqueBoard;

struct Explained {
    ExplainerRating rating;
    std::vector<ExplainerStep> steps;
};

struct HodokuRated {
    HodokuRating rating;
    std::vector<HodokuStep> steps;
};

void check_size(const Puzzle& puzzle) {
    if (puzzle.box.size() > 25) throw std::invalid_argument("size over 25");
}

void check_size_9(const Puzzle& puzzle) {
    if (puzzle.box.rows != 3 || puzzle.box.cols != 3) throw std::invalid_argument("expected a 9×9 puzzle");
}

void check_placed(const Puzzle& puzzle, const std::vector<std::pair<int, int>>& placed) {
    for (const auto& [cell, digit] : placed) {
        if (cell < 0 || cell >= puzzle.box.num_cells() || puzzle.givens[static_cast<std::size_t>(cell)] != 0) {
            throw std::invalid_argument("placed: expected cells that are not given");
        }
        if (digit < 1 || digit > puzzle.box.size()) throw std::invalid_argument("placed: digit out of range");
    }
    std::set<int> cells;
    for (const auto& [cell, digit] : placed) {
        if (!cells.insert(cell).second) throw std::invalid_argument("placed: expected every cell once");
    }
}

Deduced deduce_puzzle(const Puzzle& puzzle, const std::vector<std::string>& names, std::size_t max_steps,
                      const Budget& budget) {
    const std::vector<Technique> order = techniques_named(names);
    return without_gil([&] {
        Control control(budget, 0, 0, is_interrupted);
        return deduce_steps(puzzle, order, max_steps, control);
    });
}

std::vector<Deduced> deduce_many(const std::vector<Puzzle>& puzzles, const std::vector<std::string>& names,
                                 const Budget& budget, int num_threads) {
    const auto work = [order = techniques_named(names)](const Puzzle& puzzle, Control& control) {
        return deduce_steps(puzzle, order, std::numeric_limits<std::size_t>::max(), control);
    };
    return answer_each(puzzles, budget, num_threads, work);
}

Explained explain(const Puzzle& puzzle, const Budget& budget) {
    check_size(puzzle);
    return without_gil([&] {
        Explained explained;
        Control control(budget, 0, 0, is_interrupted);
        explained.rating = rate_explainer(puzzle, control, &explained.steps);
        return explained;
    });
}

std::vector<ExplainerRating> rate_explainer_many(const std::vector<Puzzle>& puzzles, const Budget& budget,
                                                 int num_threads) {
    for (const Puzzle& puzzle : puzzles) check_size(puzzle);
    return answer_each(puzzles, budget, num_threads,
                       [](const Puzzle& puzzle, Control& control) { return rate_explainer(puzzle, control); });
}

HodokuRated rate_hodoku_with_steps(const Puzzle& puzzle, const Budget& budget) {
    check_size_9(puzzle);
    return without_gil([&] {
        HodokuRated rated;
        Control control(budget, 0, 0, is_interrupted);
        rated.rating = rate_hodoku(puzzle, control, &rated.steps);
        return rated;
    });
}

std::vector<HodokuRating> rate_hodoku_many(const std::vector<Puzzle>& puzzles, const Budget& budget, int num_threads) {
    for (const Puzzle& puzzle : puzzles) check_size_9(puzzle);
    return answer_each(puzzles, budget, num_threads,
                       [](const Puzzle& puzzle, Control& control) { return rate_hodoku(puzzle, control); });
}

std::vector<techniques::Step> find_steps(const Puzzle& puzzle,
                                         const std::optional<std::vector<std::uint64_t>>& candidates,
                                         const std::string& technique, const std::vector<std::pair<int, int>>& placed,
                                         const Budget& budget) {
    check_placed(puzzle, placed);
    const Technique named = techniques_named({technique})[0];
    if (candidates && candidates->size() != puzzle.givens.size()) {
        throw std::invalid_argument("candidates: expected one mask per cell");
    }
    return without_gil([&] {
        std::vector<techniques::Step> steps;
        Puzzle filled = puzzle;
        for (const auto& [cell, digit] : placed) {
            filled.givens[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(digit);
        }
        if (has_clash(filled)) return steps;
        TechniqueBoard board(Geometry::of(puzzle.box), puzzle.givens);
        for (const auto& [cell, digit] : placed) board.place(cell, digit - 1);
        if (candidates) board.restrict_to(*candidates);
        Control control(budget, 0, 0, is_interrupted);
        techniques::find_instances(named, board, control, [&](const techniques::Step& step) {
            steps.push_back(step);
            return true;
        });
        return steps;
    });
}

std::vector<std::string> technique_names() {
    std::vector<std::string> all;
    for (const std::string_view name : techniques::all_names()) all.emplace_back(name);
    return all;
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
    nb::class_<techniques::Step>(m, "Step", "One application of a technique; digits are counted from 1.")
        .def_prop_ro("technique", [](const techniques::Step& self) { return std::string(name_of(self.technique)); })
        .def_prop_ro("variant", [](const techniques::Step& self) { return self.variant; })
        .def_prop_ro("length", [](const techniques::Step& self) { return self.length; })
        .def_prop_ro("units", [](const techniques::Step& self) { return self.units; })
        .def_prop_ro("cells", [](const techniques::Step& self) { return self.cells; })
        .def_prop_ro("pattern", [](const techniques::Step& self) { return to_pairs(self.pattern); })
        .def_prop_ro("fins", [](const techniques::Step& self) { return to_pairs(self.fins); })
        .def_prop_ro("nodes",
                     [](const techniques::Step& self) {
                         std::vector<std::vector<std::pair<int, int>>> nodes;
                         for (const auto& node : self.nodes) nodes.push_back(to_pairs(node));
                         return nodes;
                     })
        .def_prop_ro("links", [](const techniques::Step& self) { return to_triples(self.links); })
        .def_prop_ro("placements", [](const techniques::Step& self) { return to_pairs(self.placements); })
        .def_prop_ro("eliminations", [](const techniques::Step& self) { return to_pairs(self.eliminations); })
        .def_prop_ro("assumes_uniqueness", [](const techniques::Step& self) { return self.assumes_uniqueness; });
    nb::class_<ExplainerStep>(m, "ExplainerStep", "A step with its difficulty on the scale of Sudoku Explainer.")
        .def_ro("step", &ExplainerStep::step)
        .def_ro("difficulty", &ExplainerStep::difficulty, "In tenths.");
    nb::class_<Deduced>(m, "Deduced", "The result of applying techniques to a puzzle.")
        .def_ro("is_contradiction", &Deduced::is_contradiction)
        .def_ro("is_stopped", &Deduced::is_stopped)
        .def_ro("steps", &Deduced::steps)
        .def_prop_ro("grid", [](const Deduced& self) { return to_bytes(self.grid); })
        .def_ro("candidates", &Deduced::candidates);
    nb::class_<ExplainerRating>(m, "ExplainerRating", "The rating of Sudoku Explainer, in tenths.")
        .def_ro("num_solutions", &ExplainerRating::num_solutions)
        .def_ro("is_solved", &ExplainerRating::is_solved)
        .def_ro("er", &ExplainerRating::er)
        .def_ro("ep", &ExplainerRating::ep)
        .def_ro("ed", &ExplainerRating::ed);
    nb::class_<Explained>(m, "Explained", "The rating of Sudoku Explainer, and the steps it is based on.")
        .def_ro("rating", &Explained::rating)
        .def_ro("steps", &Explained::steps);
    nb::class_<HodokuStep>(m, "HodokuStep", "A step with its points on the scale of HoDoKu.")
        .def_ro("step", &HodokuStep::step)
        .def_prop_ro("level", [](const HodokuStep& self) { return std::string(name_of(self.level)); })
        .def_ro("points", &HodokuStep::points);
    nb::class_<HodokuRating>(m, "HodokuRating", "The rating of HoDoKu with its default settings.")
        .def_ro("num_solutions", &HodokuRating::num_solutions)
        .def_ro("is_solved", &HodokuRating::is_solved)
        .def_prop_ro(
            "level", [](const HodokuRating& self) { return std::string(name_of(self.level)); },
            "easy, medium, hard, unfair or extreme.")
        .def_ro("score", &HodokuRating::score);
    nb::class_<HodokuRated>(m, "HodokuRated", "The rating of HoDoKu, and the steps it is based on.")
        .def_ro("rating", &HodokuRated::rating)
        .def_ro("steps", &HodokuRated::steps);
    m.def("technique_names", &technique_names, "Return the names of all techniques.");
    m.def("deduce", &deduce_puzzle, "puzzle"_a, "techniques"_a, "max_steps"_a, "budget"_a,
          "Take the first step of the first technique that applies, until none does or max_steps is reached.");
    m.def("deduce_many", &deduce_many, "puzzles"_a, "techniques"_a, "budget"_a, "num_threads"_a,
          "Deduce as far as possible, in parallel.");
    m.def("rate_hodoku", &rate_hodoku_with_steps, "puzzle"_a, "budget"_a,
          "Rate a 9×9 puzzle on the scale of HoDoKu and return its solution path.");
    m.def("rate_hodoku_many", &rate_hodoku_many, "puzzles"_a, "budget"_a, "num_threads"_a,
          "Rate 9×9 puzzles on the scale of HoDoKu in parallel.");
    m.def("rate_explainer", &explain, "puzzle"_a, "budget"_a, "Rate a puzzle and return its solution path.");
    m.def("rate_explainer_many", &rate_explainer_many, "puzzles"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles in parallel.");
    m.def(
        "find_steps", &find_steps, "puzzle"_a, "candidates"_a, "technique"_a,
        "placed"_a = std::vector<std::pair<int, int>>(), "budget"_a = Budget(),
        "Return all instances of a technique. The candidates are masks by cell; None for those left by the givens and "
        "by the digits placed since, as pairs of cell and digit.");
}

}  // namespace sudokulab
