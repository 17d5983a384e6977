#include "board.h"

#include <bit>
#include <limits>

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::uint32_t pack(int cell, int digit) { return static_cast<std::uint32_t>(cell << 6 | digit); }

bool is_single(std::uint64_t mask) { return (mask & (mask - 1)) == 0; }

}  // namespace

Board::Board(const Geometry& geometry, bool has_hidden_singles)
    : geometry_(&geometry),
      candidates_(at(geometry.num_cells()), geometry.all()),
      positions_(at(geometry.num_units() * geometry.size()), geometry.all()),
      num_candidates_(at(geometry.num_cells()), static_cast<std::uint16_t>(geometry.size())),
      is_placed_(at(geometry.num_cells()), 0),
      has_hidden_singles_(has_hidden_singles) {
    trail_.reserve(at(geometry.num_cells() * (geometry.size() + 1)));
}

bool Board::place_givens(std::span<const std::uint8_t> givens) {
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        const int digit = givens[at(cell)] - 1;
        if (digit >= 0 && !place(cell, digit)) return false;
    }
    return true;
}

void Board::become_tolerant() {
    is_tolerant_ = true;
    trail_ = {};
}

bool Board::place(int cell, int digit) {
    pending_.push_back(pack(cell, digit));
    return propagate();
}

bool Board::remove(int cell, int digit) {
    if (!eliminate(cell, digit)) {
        pending_.clear();
        return false;
    }
    return propagate();
}

bool Board::propagate() {
    while (!pending_.empty()) {
        const std::uint32_t single = pending_.back();
        pending_.pop_back();
        if (!settle(static_cast<int>(single >> 6), static_cast<int>(single & 63))) {
            pending_.clear();
            return false;
        }
    }
    return true;
}

bool Board::settle(int cell, int digit) {
    if (!has(cell, digit)) return is_tolerant_;
    if (is_placed(cell)) return true;
    is_placed_[at(cell)] = 1;
    ++num_placed_;
    if (!is_tolerant_) trail_.push_back(pack(cell, digit) | placement);

    for (std::uint64_t others = candidates(cell) & ~(std::uint64_t{1} << digit); others != 0; others &= others - 1) {
        if (!eliminate(cell, std::countr_zero(others))) return false;
    }
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) {
        const int unit = where.unit[k];
        std::uint64_t others = positions(unit, digit) & ~(std::uint64_t{1} << where.position[k]);
        for (; others != 0; others &= others - 1) {
            if (!eliminate(geometry_->cell(unit, std::countr_zero(others)), digit)) return false;
        }
    }
    return true;
}

bool Board::eliminate(int cell, int digit) {
    std::uint64_t& mask = candidates_[at(cell)];
    const std::uint64_t bit = std::uint64_t{1} << digit;
    if ((mask & bit) == 0) return true;
    mask &= ~bit;
    --num_candidates_[at(cell)];
    if (!is_tolerant_) trail_.push_back(pack(cell, digit));
    if (is_single(mask)) {
        if (mask != 0) {
            pending_.push_back(pack(cell, std::countr_zero(mask)));
        } else if (!is_tolerant_) {
            return false;
        }
    }
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) {
        const int unit = where.unit[k];
        std::uint64_t& places = positions_[at(unit * geometry_->size() + digit)];
        places &= ~(std::uint64_t{1} << where.position[k]);
        if (is_single(places) && has_hidden_singles_) {
            if (places != 0) {
                pending_.push_back(pack(geometry_->cell(unit, std::countr_zero(places)), digit));
            } else if (!is_tolerant_) {
                return false;
            }
        }
    }
    return true;
}

void Board::undo(Mark mark) {
    while (trail_.size() > mark) {
        const std::uint32_t entry = trail_.back();
        trail_.pop_back();
        const int cell = static_cast<int>((entry & ~placement) >> 6);
        const int digit = static_cast<int>(entry & 63);
        if ((entry & placement) != 0) {
            is_placed_[at(cell)] = 0;
            --num_placed_;
            continue;
        }
        candidates_[at(cell)] |= std::uint64_t{1} << digit;
        ++num_candidates_[at(cell)];
        const Geometry::CellUnits& where = geometry_->units(cell);
        for (std::size_t k = 0; k < 3; ++k) {
            positions_[at(where.unit[k] * geometry_->size() + digit)] |= std::uint64_t{1} << where.position[k];
        }
    }
}

int Board::most_constrained_cell() const {
    int best = -1;
    int fewest = std::numeric_limits<int>::max();
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        const int num = num_candidates(cell);
        if (num < fewest && num > 1) {  // after propagation a cell with one candidate is placed
            best = cell;
            fewest = num;
            if (num == 2) break;
        }
    }
    return best;
}

std::vector<std::uint8_t> Board::grid() const {
    std::vector<std::uint8_t> grid(at(geometry_->num_cells()), 0);
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        if (is_placed(cell)) grid[at(cell)] = static_cast<std::uint8_t>(std::countr_zero(candidates(cell)) + 1);
    }
    return grid;
}

}  // namespace sudokulab
