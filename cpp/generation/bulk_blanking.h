// Blanks the cells of a full 9×9 grid as `Blanking` does, but its caller searches for other solutions, for many puzzles
// at once.
//
// Orbits are visited in random order; each is blanked unless the puzzle becomes unsound. Two solutions of a puzzle
// differ in an unavoidable set of cells, at least one of which must be given. So an orbit stays given if it is the last
// one of an unavoidable set whose other orbits are blank. A group of orbits is visited by this rule, with the sets
// known so far. If the puzzle then has another solution, this yields a new set, and the group is visited again;
// otherwise the decisions are final. Trying the orbits one by one gives the same result.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bulk/bulk.h"
#include "generation/generator.h"
#include "generation/unavoidable_sets.h"
#include "logic/quick_rules.h"

namespace sudokulab {

// Draws what an attempt starts with: a random grid of 81 digits and a random order of the orbits.
void draw_start(Rng& rng, std::uint8_t* solution, std::span<std::uint8_t> order);

class BulkBlanking {
public:
    using Digits = std::array<std::uint8_t, bulk_cells>;
    using Result = Attempt;

    // Starts an attempt with a random grid and a random order of the orbits. The specification, without a pattern and
    // for 9×9 grids, must outlive it.
    BulkBlanking(const PuzzleSpec& spec, std::uint64_t seed, Control& control);
    // The same with this grid and order.
    BulkBlanking(const PuzzleSpec& spec, const Digits& solution, std::span<const std::uint8_t> order, Control& control);

    bool is_done() const { return is_done_; }

    // The question, unless the attempt is done: does this puzzle have a solution other than this one?
    const std::uint8_t* question() const { return question_.data(); }
    const std::uint8_t* solution() const { return solution_.data(); }

    // Continues to the next question or the end of the attempt, or until stopped. `other_solution` is null if there is
    // none.
    void answer(const std::uint8_t* other_solution, Control& control);

    Attempt take_result() { return std::move(best_); }

private:
    struct Stuck {
        RuleSet rules;
        QuickBoard board;
    };

    std::size_t num_orbits() const { return spec_->orbits.size(); }
    int num_cells(std::size_t position) const { return static_cast<int>(spec_->orbits[order_[position]].size()); }
    bool is_given(std::size_t position) const {
        return question_[static_cast<std::size_t>(spec_->orbits[order_[position]].front())] != 0;
    }
    void begin(std::span<const std::uint8_t> order, Control& control);
    void set_order(std::span<const std::uint8_t> order);

    void set_orbit(std::size_t position, bool is_given);
    void visit(std::size_t max_blanked, std::size_t end);
    void visit_next_group();
    void decide();
    void go_on(Control& control);
    bool is_other_solution(const std::uint8_t* grid) const;
    Set81 given_cells() const;
    bool is_solvable(Control& control) const;
    void make_solvable(Control& control);
    std::optional<std::vector<Stuck>> stuck_boards() const;
    int num_sufficient(std::vector<Stuck> boards, std::span<const std::size_t> restored) const;
    std::size_t restore_until_solvable(std::span<const std::size_t> blank, Control& control);
    std::size_t restore_until_solvable(std::span<const std::size_t> blank, QuickBoard board);
    void try_to_blank(std::size_t position, Control& control);
    void blank_unnecessary(std::vector<std::size_t> given);
    void blank_group(std::span<const std::size_t> group, QuickBoard board);
    void place(std::size_t position, QuickBoard& board) const;
    void begin_checks();
    void finish(Control& control);
    void change();
    Puzzle puzzle() const { return {spec_->box, Grid(question_.begin(), question_.end())}; }

    const PuzzleSpec* spec_;
    bool is_proved_by_rules_;       // certain rules must solve the puzzle, which proves that the solution is unique
    std::optional<RuleSet> rules_;  // if these must solve it
    Rng rng_;
    Digits solution_;
    Digits question_;
    Attempt best_;
    int patience_ = 0;  // changes left without improvement
    bool is_done_ = false;

    Digits order_{};  // orbits by position
    UnavoidableSets unavoidable_;

    // Orbits before `num_decided_` are decided, those from `end_` on are given, those in between are on trial.
    std::size_t num_decided_ = 0;
    std::size_t end_ = 0;
    Set81 given_;  // positions of the decided ones
    int num_givens_ = 0;
    bool is_exhausted_ = true;  // no orbit was left given just to keep the number of givens

    struct Trial {
        Set81 given;
        std::size_t num_blanked = 0;
        int num_givens = 0;
        bool is_exhausted = true;
    };
    Trial trial_;

    bool is_checking_ = false;  // the question is whether the last of the unchecked givens is necessary
    std::vector<int> unchecked_;
    int num_redundant_ = 0;
    std::optional<int> num_unmet_techniques_;  // if known
};

}  // namespace sudokulab
