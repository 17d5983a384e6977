#include "solvers/parts/ant_board.h"

#include <cassert>

namespace sudokulab {

bool AntBoard::place_givens(std::span<const std::uint8_t> givens) {
    bool is_consistent = true;
    for (int cell = 0; cell < geometry().num_cells(); ++cell) {
        const int digit = givens[static_cast<std::size_t>(cell)] - 1;
        if (digit >= 0) is_consistent &= place(cell, digit);
    }
    return is_consistent;
}

bool AntBoard::place(int cell, int digit) {
    NoTrail trail;
    assert(!has_pending());
    bool is_consistent = true;
    naked_.push({cell, digit});
    while (has_pending()) {
        const Candidate single = pop_pending();
        is_consistent &= has_hidden_singles_ ? settle<true>(single.cell, single.digit, trail)
                                             : settle<false>(single.cell, single.digit, trail);
    }
    return is_consistent;
}

}  // namespace sudokulab
