#include "generation/generator.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "generation/blanking.h"
#include "generation/bulk_blanking.h"
#include "generation/checks.h"
#include "generation/minimal.h"
#include "generation/pattern_search.h"
#include "generation/random_grid.h"
#include "logic/scales/explainer.h"
#include "logic/solvable.h"

namespace sudokulab {
namespace {

bool is_rated_between(const Puzzle& puzzle, const std::pair<int, int>& range, Control& control) {
    const ExplainerRating rating = rate_explainer(puzzle, control);
    return rating.is_solved && range.first <= rating.er && rating.er <= range.second;
}

std::optional<int> num_redundant(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    if (!spec.is_minimal) return 0;
    const auto redundant = redundant_givens(puzzle, control);
    return redundant ? std::optional(static_cast<int>(redundant->size())) : std::nullopt;
}

Attempt attempt(const PuzzleSpec& spec, Control& control) {
    if (spec.is_pattern) {
        PatternSearch search(spec, control);
        if (!search.run()) return {};
        return judge(spec, search.puzzle(), search.solution(), num_unmet_techniques(spec, search.puzzle(), control),
                     num_redundant(spec, search.puzzle(), control), control);
    }
    const std::optional<Grid> solution = random_grid(spec.box, control);
    if (!solution) return {};
    Blanking blanking(spec, *solution, control);
    const auto judged = [&] {
        const auto number = blanking.is_surely_minimal() ? 0 : num_redundant(spec, blanking.puzzle(), control);
        const int num_unmet = num_unmet_techniques(spec, blanking.puzzle(), control);
        return judge(spec, blanking.puzzle(), *solution, num_unmet, number, control);
    };
    if (!blanking.run()) return {};
    Attempt best = judged();
    // a puzzle with the wrong number of givens, or redundant ones, is changed step by step while that improves it
    for (int patience = max_changes; best.distance > 0 && patience > 0 && blanking.change(); --patience) {
        Attempt changed = judged();
        if (std::pair(changed.distance, changed.num_unmet) > std::pair(best.distance, best.num_unmet)) {
            blanking.return_to(best.givens);
            continue;
        }
        if (changed.distance < best.distance) patience = max_changes;
        best = std::move(changed);
    }
    return best;
}

// Questions of several puzzles, as a job of the bulk engine.
class Questions {
public:
    explicit Questions(std::size_t capacity)
        : puzzles_(capacity * bulk_cells), known_(puzzles_), others_(puzzles_), counts_(capacity) {}

    void set(std::size_t k, const BulkBlanking& blanking) {
        std::copy_n(blanking.question(), bulk_cells, &puzzles_[k * bulk_cells]);
        std::copy_n(blanking.solution(), bulk_cells, &known_[k * bulk_cells]);
    }

    // False if stopped.
    bool ask(std::size_t number, Control& control) {
        BulkJob job{.puzzles = puzzles_.data(),
                    .known = known_.data(),
                    .num_puzzles = number,
                    .limit = 1,
                    .solutions = others_.data(),
                    .counts = counts_.data()};
        auto stop = [&control] { return control.must_stop(); };
        job.stop_by(stop);
        run_bulk(best_instructions(), job);
        return !control.must_stop();
    }

    // Another solution, or null if there is none.
    const std::uint8_t* other(std::size_t k) const { return counts_[k] == 0 ? nullptr : &others_[k * bulk_cells]; }

private:
    std::vector<std::uint8_t> puzzles_;
    std::vector<std::uint8_t> known_;
    std::vector<std::uint8_t> others_;
    std::vector<std::uint32_t> counts_;
};

// The attempts of some seeds, and the questions of those that are not done.
class SideBySide {
public:
    SideBySide(const PuzzleSpec& spec, std::span<const std::uint64_t> seeds, Control& control)
        : spec_(spec), seeds_(seeds), control_(control), attempts_(seeds.size()) {}

    std::vector<Attempt> run() {
        for (fill(); !growing_.empty() && !control_.must_stop(); fill()) {
            for (std::size_t k = 0; k < growing_.size(); ++k) questions_.set(k, growing_[k].blanking);
            if (!questions_.ask(growing_.size(), control_)) break;
            for (std::size_t k = 0; k < growing_.size(); ++k)
                growing_[k].blanking.answer(questions_.other(k), control_);
        }
        return std::move(attempts_);
    }

private:
    static constexpr std::size_t max_together = 512;  // enough that lanes idle at the end of a job matter little

    struct Growing {
        std::size_t index;
        BulkBlanking blanking;
    };

    // Replaces the attempts that are done. An attempt during which the control stopped proves nothing.
    void fill() {
        for (std::size_t k = 0; k < growing_.size(); ++k) {
            while (growing_[k].blanking.is_done() && !control_.must_stop()) {
                attempts_[growing_[k].index] = growing_[k].blanking.take_best();
                if (next_ < seeds_.size()) {
                    growing_[k] = begin_next();
                } else {
                    if (k + 1 < growing_.size()) growing_[k] = std::move(growing_.back());
                    growing_.pop_back();
                    if (k == growing_.size()) break;
                }
            }
        }
        while (growing_.size() < max_together && next_ < seeds_.size() && !control_.must_stop()) {
            growing_.push_back(begin_next());
        }
    }

    Growing begin_next() {
        const std::size_t index = next_++;
        return {index, BulkBlanking(spec_, seeds_[index], control_)};
    }

    const PuzzleSpec& spec_;
    const std::span<const std::uint64_t> seeds_;
    Control& control_;
    std::vector<Attempt> attempts_;
    std::size_t next_ = 0;  // of the seeds
    std::vector<Growing> growing_;
    Questions questions_{max_together};
};

}  // namespace

std::vector<Attempt> attempt_each(const PuzzleSpec& spec, std::span<const std::uint64_t> seeds, Control& control) {
    if (has_bulk(spec.box) && !spec.is_pattern) return SideBySide(spec, seeds, control).run();
    std::vector<Attempt> attempts;
    for (const std::uint64_t seed : seeds) {
        control.rng = Rng(seed);
        attempts.push_back(control.must_stop() ? Attempt{} : attempt(spec, control));
    }
    return attempts;
}

Grid blank_in_order(const PuzzleSpec& spec, const Grid& solution, std::span<const std::uint8_t> order,
                    Control& control) {
    BulkBlanking::Digits digits;
    std::copy_n(solution.begin(), bulk_cells, digits.begin());
    BulkBlanking blanking(spec, digits, order, control);
    Questions questions(1);
    while (!blanking.is_done()) {
        questions.set(0, blanking);
        if (!questions.ask(1, control)) return {};
        blanking.answer(questions.other(0), control);
    }
    return blanking.take_best().givens;
}

int num_sufficient(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    const auto suffices = [&](const TechniqueList& order) {
        return is_solved_by(puzzle, order, control) || control.must_stop();
    };
    return static_cast<int>(std::count_if(spec.not_solved_by.begin(), spec.not_solved_by.end(), suffices));
}

int num_unmet_techniques(const PuzzleSpec& spec, const Puzzle& puzzle, Control& control) {
    const bool is_too_hard = spec.solved_by && !is_solved_by(puzzle, *spec.solved_by, control);
    return num_sufficient(spec, puzzle, control) + (is_too_hard ? 1 : 0);
}

Attempt judge(const PuzzleSpec& spec, const Puzzle& puzzle, Grid solution, int num_unmet_techniques,
              std::optional<int> num_redundant, Control& control) {
    Attempt attempt{.givens = puzzle.givens, .solution = std::move(solution), .num_unmet = num_unmet_techniques};
    const auto num_blank = std::count(puzzle.givens.begin(), puzzle.givens.end(), 0);
    const int num_givens = static_cast<int>(puzzle.givens.size()) - static_cast<int>(num_blank);
    if (spec.num_givens && num_givens != *spec.num_givens) {
        ++attempt.num_unmet;
        attempt.distance = std::abs(num_givens - *spec.num_givens);
    }
    if (spec.er && !is_rated_between(puzzle, *spec.er, control)) ++attempt.num_unmet;
    if (spec.is_minimal && num_redundant != 0) ++attempt.num_unmet;
    attempt.distance += num_redundant.value_or(0);
    return attempt;
}

}  // namespace sudokulab
