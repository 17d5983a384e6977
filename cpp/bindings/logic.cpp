// Rules, ratings, trial and error.
#include "bindings/border.h"
#include "logic/depth.h"
#include "logic/rating.h"
#include "logic/rules.h"
#include "logic/trial.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

std::vector<Rating> rate_many(const std::vector<Puzzle>& puzzles, const std::vector<int>& rules, int num_relabelings,
                              std::uint64_t seed, const Budget& budget, int num_threads) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] {
        std::vector<Rating> ratings(puzzles.size());
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
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
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, 0, 0, stop);
            trials[i] = try_one_level(puzzles[i], order, control);
        });
        return trials;
    });
}

bool is_solved_by_rules(const Puzzle& puzzle, const std::vector<int>& rules) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] { return is_solved_by(puzzle.box, puzzle.givens, order); });
}

std::vector<TrialRating> rate_trial_many(const std::vector<Puzzle>& puzzles, std::size_t max_listed,
                                         const Budget& budget, int num_threads) {
    return without_gil([&] {
        std::vector<TrialRating> ratings(puzzles.size());
        run_parallel(puzzles.size(), num_threads, is_interrupted, [&](std::size_t i, const Interrupted& stop) {
            Control control(budget, 0, 0, stop);
            ratings[i] = rate_trial(puzzles[i], max_listed, control);
        });
        return ratings;
    });
}

std::vector<std::int64_t> to_list(const std::array<std::int64_t, num_rules>& firings) {
    return {firings.begin(), firings.end()};
}

std::optional<std::pair<int, int>> to_pair(const std::optional<Candidate>& single) {
    if (!single) return std::nullopt;
    return std::pair(single->cell, single->digit + 1);
}

}  // namespace

void bind_logic(nb::module_& m) {
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
    nb::class_<TrialRating>(m, "TrialRating", "Trial-and-error depth and backdoors of a puzzle.")
        .def_ro("num_solutions", &TrialRating::num_solutions)
        .def_ro("depth", &TrialRating::depth)
        .def_ro("backdoor_size", &TrialRating::backdoor_size)
        .def_ro("num_backdoors", &TrialRating::num_backdoors)
        .def_ro("backdoors", &TrialRating::backdoors)
        .def_ro("is_finished", &TrialRating::is_finished);
    m.def("trial_many", &trial_many, "puzzles"_a, "rules"_a, "budget"_a, "num_threads"_a,
          "Apply one level of trial and error to each puzzle.");
    m.def("is_solved_by_rules", &is_solved_by_rules, "puzzle"_a, "rules"_a, "Return whether rules fill the grid.");
    m.def("rate_trial_many", &rate_trial_many, "puzzles"_a, "max_listed"_a, "budget"_a, "num_threads"_a,
          "Return the trial-and-error depth and the backdoors of each puzzle, and list the first backdoors.");
    m.def("rate_many", &rate_many, "puzzles"_a, "rules"_a, "num_relabelings"_a, "seed"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles in parallel.");
}

}  // namespace sudokulab
