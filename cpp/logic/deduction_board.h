// The board of the rules: nothing is propagated, so every deduction is a separate step, and can be undone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "grid/candidates.h"

namespace sudokulab {

class DeductionBoard : public Candidates {
public:
    using Mark = Trail::Mark;

    explicit DeductionBoard(const Geometry& geometry) : Candidates(geometry), trail_(geometry) {}

    // Places the givens (1..size, 0 for a blank) and removes their digits from their peers. False if they clash.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Places a digit and removes it from the peers, or removes a single candidate. False on a contradiction.
    bool place(int cell, int digit) { return settle(cell, digit, trail_); }
    bool remove(int cell, int digit) { return take(cell, digit, trail_); }

    // A single that has appeared but is not placed, the latest first. It is returned again until it is placed.
    std::optional<Candidate> next_naked_single() { return next_open(naked_); }
    std::optional<Candidate> next_hidden_single() { return next_open(hidden_); }

    Mark mark() const { return trail_.mark(); }
    // Also drops all pending singles, even those from before the mark.
    void undo(Mark mark) { roll_back(trail_, mark); }

private:
    std::optional<Candidate> next_open(Pending& pending);

    Trail trail_;
};

}  // namespace sudokulab
