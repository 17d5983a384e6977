// The board of tree searches: every change is propagated until no single is left, and can be undone.
#pragma once

#include <cstdint>
#include <span>

#include "grid/candidates.h"

namespace sudokulab {

class SearchBoard : public Candidates {
public:
    using Mark = Trail::Mark;

    explicit SearchBoard(const Geometry& geometry) : Candidates(geometry), trail_(geometry) {}

    // Places the givens (1..size, 0 for a blank) and propagates. False if they contradict each other.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Places a digit, or removes a candidate, and propagates. False on a contradiction; after that, only `undo` and
    // `reset_to` may be called.
    bool place(int cell, int digit);
    bool remove(int cell, int digit);

    // Copies the state of another board of the same geometry, without its history. Cheaper than a full copy.
    void reset_to(const SearchBoard& other);

    Mark mark() const { return trail_.mark(); }
    void undo(Mark mark) { roll_back(trail_, mark); }

    // The open cell with the fewest candidates, the first one on a tie; -1 if no cell is open.
    int most_constrained_cell() const;

private:
    bool propagate();

    Trail trail_;
};

}  // namespace sudokulab
