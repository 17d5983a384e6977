// Blanks the cells of a full grid, orbit by orbit, as long as the puzzle stays sound. For 9×9 see `BulkBlanking`.
//
// Blanking can only lose soundness, so the longest sound prefix is found by bisection; after it, orbits are tried one
// by one.
#pragma once

#include <span>
#include <vector>

#include "generation/generator.h"
#include "grid/search_board.h"
#include "solvers/auto.h"

namespace sudokulab {

class Blanking {
public:
    using Orbit = std::vector<int>;

    Blanking(const PuzzleSpec& spec, Grid solution, Control& control);

    // False if stopped.
    bool run();

    // Restores a few blank orbits and blanks others in their place. False if stopped.
    bool change();

    void return_to(const Grid& givens);

    // Whether every given is known to be necessary: each was tried by itself, and every trial was decided.
    bool is_surely_minimal() const {
        return is_exhausted_ && !spec_.solved_by && spec_.orbits.size() == puzzle_.givens.size();
    }

    const Puzzle& puzzle() const { return puzzle_; }

private:
    int least() const { return spec_.num_givens.value_or(0); }
    void set(int cell, bool is_given);
    void blank(const Orbit& orbit);
    void restore(const Orbit& orbit);

    bool blank_one_by_one(std::span<const Orbit* const> orbits);
    std::size_t longest_sound_beginning(std::span<const Orbit* const> orbits);
    bool is_sound();
    bool is_sound_without(const Orbit& orbit);
    bool is_unsolvable();
    bool is_easy_enough();

    const PuzzleSpec& spec_;
    const bool is_proved_by_rules_;  // certain rules must solve the puzzle, which proves that the solution is unique
    const Grid solution_;
    Control& control_;
    const Auto solver_;
    Puzzle puzzle_;
    int num_givens_ = 0;
    bool is_exhausted_ = true;
    const SearchBoard blank_;
    SearchBoard board_;  // of the current check
};

}  // namespace sudokulab
