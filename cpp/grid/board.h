// The board of tree searches: every step is propagated until no single is left, and can be undone.
#pragma once

#include <cstdint>
#include <span>

#include "grid/candidates.h"

namespace sudokulab {

class Board : public Candidates {
public:
    using Mark = Trail::Mark;

    explicit Board(const Geometry& geometry) : Candidates(geometry), trail_(geometry) {}

    // Places the givens (1..size, 0 for a blank) and propagates. False if they contradict each other.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Places a digit, or removes a candidate, and propagates. False on a contradiction; only `undo` and `reset_to` may
    // follow then.
    bool place(int cell, int digit);
    bool remove(int cell, int digit);

    // Takes over the state of another board of the same geometry, but not its history. Cheaper than a copy.
    void reset_to(const Board& other);

    Mark mark() const { return trail_.mark(); }
    void undo(Mark mark) { roll_back(trail_, mark); }

    // The open cell with the fewest candidates, the first of them on a tie; -1 if no cell is open.
    int most_constrained_cell() const;

private:
    bool propagate();

    Trail trail_;
};

}  // namespace sudokulab
