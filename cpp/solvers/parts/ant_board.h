// The board of the ants: every step is propagated, contradictions are ignored, and nothing can be undone.
//
// A cell may run out of digits, and a digit of positions. The value of a walk is the number of cells that it fills
// nevertheless.
#pragma once

#include <cstdint>
#include <span>

#include "grid/candidates.h"

namespace sudokulab {

class AntBoard : public Candidates {
public:
    AntBoard(const Geometry& geometry, bool has_hidden_singles)
        : Candidates(geometry), has_hidden_singles_(has_hidden_singles) {}

    // Places the givens (1..size, 0 for a blank) and propagates. False if they contradict each other.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Places a digit and propagates. False if there was a contradiction, which is ignored.
    bool place(int cell, int digit);

    // Copies the state of another board of the same geometry. Cheaper than a full copy.
    void reset_to(const AntBoard& other) { copy_candidates(other); }

private:
    bool has_hidden_singles_;
};

}  // namespace sudokulab
