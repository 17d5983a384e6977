// Rules, ratings, trial and error.
#include "bindings/conversions.h"
#include "bindings/puzzle_rows.h"
#include "bindings/without_gil.h"
#include "bindings/zeroed_arrays.h"
#include "logic/one_level_trial.h"
#include "logic/rules.h"
#include "rating/depth.h"
#include "rating/effort.h"

namespace sudokulab {
namespace {

std::vector<Rating> rate_many(const std::vector<Puzzle>& puzzles, const std::vector<int>& rules, int num_relabelings,
                              std::uint64_t seed, const Budget& budget, int num_threads) {
    const auto work = [order = rules_of(rules), num_relabelings](const Puzzle& puzzle, Control& control) {
        return rate(puzzle, order, num_relabelings, control);
    };
    return answer_each(puzzles, budget, num_threads, work, seed);
}

std::vector<Trial> trial_many(const std::vector<Puzzle>& puzzles, const std::vector<int>& rules, const Budget& budget,
                              int num_threads) {
    const auto work = [order = rules_of(rules)](const Puzzle& puzzle, Control& control) {
        return try_one_level(puzzle, order, control);
    };
    return answer_each(puzzles, budget, num_threads, work);
}

bool is_solved_by_rules(const Puzzle& puzzle, const std::vector<int>& rules) {
    const std::vector<Rule> order = rules_of(rules);
    return without_gil([&] { return is_solved_by(puzzle.box, puzzle.givens, order); });
}

Array<bool> are_solved_by_rules(const Puzzles& puzzles, int box_rows, int box_cols, const std::vector<int>& rules,
                                int num_threads) {
    constexpr std::size_t piece = 16;
    const BoxShape box{box_rows, box_cols};
    const PuzzleRows givens(puzzles, box);
    const std::vector<Rule> order = rules_of(rules);
    auto are_solved = zeros<bool>(givens.size());
    for_each_puzzle(givens.size(), piece, num_threads,
                    [&](std::size_t i) { are_solved[i] = is_solved_by(box, givens[i], order); });
    return to_array(std::move(are_solved), {givens.size()});
}

std::vector<TrialRating> rate_trial_many(const std::vector<Puzzle>& puzzles, std::size_t max_listed,
                                         const Budget& budget, int num_threads) {
    const auto work = [max_listed](const Puzzle& puzzle, Control& control) {
        return rate_trial(puzzle, max_listed, control);
    };
    return answer_each(puzzles, budget, num_threads, work);
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
    m.def("are_solved_by_rules", &are_solved_by_rules, "puzzles"_a, "box_rows"_a, "box_cols"_a, "rules"_a,
          "num_threads"_a, "Return for each puzzle whether rules fill the grid.");
    m.def("rate_trial_many", &rate_trial_many, "puzzles"_a, "max_listed"_a, "budget"_a, "num_threads"_a,
          "Return the trial-and-error depth and the backdoors of each puzzle, and list the first backdoors.");
    m.def("rate_many", &rate_many, "puzzles"_a, "rules"_a, "num_relabelings"_a, "seed"_a, "budget"_a, "num_threads"_a,
          "Rate puzzles in parallel.");
}

}  // namespace sudokulab
