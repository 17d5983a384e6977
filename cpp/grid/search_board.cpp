#include "grid/search_board.h"

#include <cassert>
#include <limits>

namespace sudokulab {

bool SearchBoard::place_givens(std::span<const std::uint8_t> givens) {
    for (int cell = 0; cell < geometry().num_cells(); ++cell) {
        const int digit = givens[static_cast<std::size_t>(cell)] - 1;
        if (digit >= 0 && !place(cell, digit)) return false;
    }
    return true;
}

bool SearchBoard::place(int cell, int digit) {
    assert(!has_pending());
    naked_.push({cell, digit});
    return propagate();
}

bool SearchBoard::remove(int cell, int digit) {
    assert(!has_pending());
    if (take(cell, digit, trail_)) return propagate();
    clear_pending();
    return false;
}

bool SearchBoard::propagate() {
    while (has_pending()) {
        const auto [cell, digit] = pop_pending();
        if (!settle(cell, digit, trail_)) {
            clear_pending();
            return false;
        }
    }
    return true;
}

void SearchBoard::reset_to(const SearchBoard& other) {
    copy_candidates(other);
    trail_.clear();
}

int SearchBoard::most_constrained_cell() const {
    int best = -1;
    int fewest = std::numeric_limits<int>::max();
    for (int cell = 0; cell < geometry().num_cells(); ++cell) {
        const int num = num_candidates(cell);
        assert(num > 1 || is_placed(cell) || geometry().size() == 1);  // after a contradiction, nobody asks
        if (num < fewest && num > 1) {
            best = cell;
            fewest = num;
            if (num == 2) break;
        }
    }
    return best;
}

}  // namespace sudokulab
