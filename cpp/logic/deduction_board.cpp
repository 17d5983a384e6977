#include "logic/deduction_board.h"

namespace sudokulab {

bool DeductionBoard::place_givens(std::span<const std::uint8_t> givens) {
    bool is_consistent = true;
    for (int cell = 0; cell < geometry().num_cells(); ++cell) {
        const int digit = givens[static_cast<std::size_t>(cell)] - 1;
        if (digit >= 0) is_consistent &= place(cell, digit);
    }
    return is_consistent;
}

std::optional<Candidate> DeductionBoard::next_open(Pending& pending) {
    while (!pending.is_empty()) {
        if (!is_placed(pending.top().cell)) return pending.top();
        pending.pop();
    }
    return std::nullopt;
}

}  // namespace sudokulab
