// Rules, ratings, one level of trial and error.
#include "bindings/border.h"
#include "logic/rating.h"
#include "logic/rules.h"
#include "logic/trial.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

// The result of applying rules to a puzzle.
struct Deduced {
    Deduction deduction;
    std::vector<Step> steps;
    Grid grid;
    std::vector<std::uint64_t> candidates;
};

Deduced deduce_puzzle(const Puzzle& puzzle, const std::vector<int>& rules, std::size_t max_steps) {
    return without_gil([&] {
        Deduced deduced;
        DeductionBoard board(Geometry::of(puzzle.box));
        if (board.place_givens(puzzle.givens)) {
            deduced.deduction = deduce(board, rules_of(rules), max_steps > 0 ? &deduced.steps : nullptr,
                                       max_steps > 0 ? max_steps : SIZE_MAX);
        } else {
            deduced.deduction.is_contradiction = true;
        }
        deduced.grid = board.grid();
        for (int cell = 0; cell < board.geometry().num_cells(); ++cell)
            deduced.candidates.push_back(board.candidates(cell));
        return deduced;
    });
}

std::vector<Rating> rate_many(const std::vector<Puzzle>& puzzles, const std::vector<int>& rules, int num_relabelings,
                              std::uint64_t seed, const Budget& budget, int num_threads) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] {
        std::vector<Rating> ratings(puzzles.size());
        run_parallel(puzzles.size(), num_threads, signal_raised, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, seed, 0, stop);  // the same seed for every puzzle, so ratings are independent
            ratings[i] = rate(puzzles[i], order, num_relabelings, control);
        });
        return ratings;
    });
}

std::vector<Trial> trial_many(const std::vector<Puzzle>& puzzles, const std::vector<int>& rules, const Budget& budget,
                              int num_threads) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] {
        std::vector<Trial> trials(puzzles.size());
        run_parallel(puzzles.size(), num_threads, signal_raised, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, 0, 0, stop);
            trials[i] = try_one_level(puzzles[i], order, control);
        });
        return trials;
    });
}

std::vector<std::int64_t> to_list(const std::array<std::int64_t, num_rules>& firings) {
    return {firings.begin(), firings.end()};
}

std::optional<std::pair<int, int>> to_pair(const std::optional<Candidate>& single) {
    if (!single) return std::nullopt;
    return std::pair(single->cell, single->digit + 1);
}

std::vector<std::pair<int, int>> to_pairs(const std::vector<Candidate>& singles) {
    std::vector<std::pair<int, int>> pairs;
    for (const Candidate& single : singles) pairs.push_back({single.cell, single.digit + 1});
    return pairs;
}

}  // namespace

void bind_logic(nb::module_& m) {
    nb::class_<Step>(m, "Step", "One application of a rule; digits are counted from 1.")
        .def_prop_ro("rule", [](const Step& step) { return static_cast<int>(step.rule); })
        .def_ro("unit", &Step::unit)
        .def_ro("other_unit", &Step::other_unit)
        .def_ro("cells", &Step::cells)
        .def_prop_ro("digits",
                     [](const Step& step) {
                         std::vector<int> digits = step.digits;
                         for (int& value : digits) ++value;
                         return digits;
                     })
        .def_prop_ro("placements", [](const Step& step) { return to_pairs(step.placements); })
        .def_prop_ro("eliminations", [](const Step& step) { return to_pairs(step.eliminations); });
    nb::class_<Deduced>(m, "Deduced", "The result of applying rules to a puzzle.")
        .def_prop_ro("is_contradiction", [](const Deduced& self) { return self.deduction.is_contradiction; })
        .def_prop_ro("firings", [](const Deduced& self) { return to_list(self.deduction.num_firings); })
        .def_prop_ro("highest", [](const Deduced& self) { return self.deduction.highest; })
        .def_ro("steps", &Deduced::steps)
        .def_prop_ro("grid", [](const Deduced& self) { return to_bytes(self.grid); })
        .def_ro("candidates", &Deduced::candidates);
    nb::class_<Rating>(m, "Rating", "The difficulty of a puzzle.")
        .def_ro("num_solutions", &Rating::num_solutions)
        .def_ro("is_solved", &Rating::is_solved)
        .def_prop_ro("firings", [](const Rating& self) { return to_list(self.deduction.num_firings); })
        .def_prop_ro("highest", [](const Rating& self) { return self.deduction.highest; })
        .def_ro("mean_nodes", &Rating::mean_nodes)
        .def_ro("deviation", &Rating::deviation);
    nb::class_<Trial>(m, "Trial", "The result of one level of trial and error.")
        .def_ro("is_contradiction", &Trial::is_contradiction)
        .def_ro("is_solved_by_rules", &Trial::is_solved_by_rules)
        .def_prop_ro("key", [](const Trial& self) { return to_pair(self.key); })
        .def_prop_ro("late_key", [](const Trial& self) { return to_pair(self.late_key); })
        .def_ro("is_solved_by_elimination", &Trial::is_solved_by_elimination)
        .def_ro("num_eliminated", &Trial::num_eliminated)
        .def_ro("is_finished", &Trial::is_finished);
    m.def("trial_many", &trial_many, "puzzles"_a, "rules"_a, "budget"_a, "num_threads"_a,
          "Apply one level of trial and error to each puzzle.");
    m.def("rate_many", &rate_many, "puzzles"_a, "rules"_a, "num_relabelings"_a, "seed"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles in parallel.");
    m.def("deduce", &deduce_puzzle, "puzzle"_a, "rules"_a, "max_steps"_a,
          "Apply rules in order until nothing changes. With max_steps = 0 record no steps; otherwise stop after "
          "max_steps and record them.");
}

}  // namespace sudokulab
