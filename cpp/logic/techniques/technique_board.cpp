#include "logic/techniques/technique_board.h"

#include <cassert>

namespace sudokulab::techniques {

TechniqueBoard::TechniqueBoard(const Geometry& geometry)
    : geometry_(&geometry),
      candidates_(static_cast<std::size_t>(geometry.num_cells()), geometry.all()),
      num_candidates_(static_cast<std::size_t>(geometry.num_cells()), static_cast<std::uint8_t>(geometry.size())),
      positions_(static_cast<std::size_t>(geometry.num_units() * geometry.size()), geometry.all()),
      values_(static_cast<std::size_t>(geometry.num_cells()), 0),
      is_given_(static_cast<std::size_t>(geometry.num_cells()), false),
      num_open_(static_cast<std::size_t>(geometry.num_units()), static_cast<std::uint8_t>(geometry.size())),
      num_placed_(static_cast<std::size_t>(geometry.size()), 0),
      placed_(static_cast<std::size_t>(geometry.num_units()), 0),
      num_open_cells_(geometry.num_cells()) {}

TechniqueBoard::TechniqueBoard(const Geometry& geometry, std::span<const std::uint8_t> givens)
    : TechniqueBoard(geometry) {
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        const int digit = givens[static_cast<std::size_t>(cell)] - 1;
        if (digit < 0) continue;
        place(cell, digit);
        is_given_[static_cast<std::size_t>(cell)] = true;
    }
}

void TechniqueBoard::restrict_to(std::span<const std::uint64_t> candidates) {
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        for_each_bit(this->candidates(cell) & ~candidates[static_cast<std::size_t>(cell)],
                     [&](int digit) { remove(cell, digit); });
    }
}

void TechniqueBoard::remove(int cell, int digit) {
    if (!has(cell, digit)) return;
    assert(is_open(cell) && num_candidates(cell) > 0);
    std::uint64_t& left = candidates_[static_cast<std::size_t>(cell)];
    left &= ~bit(digit);
    --num_candidates_[static_cast<std::size_t>(cell)];
    bool is_last = left == 0;
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) {
        std::uint64_t& positions = positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)];
        positions &= ~bit(where.position[k]);
        is_last |= positions == 0 && (placed(where.unit[k]) >> digit & 1) == 0;
    }
    is_contradictory_ |= is_last;
}

void TechniqueBoard::place(int cell, int digit) {
    assert(is_open(cell) && num_open_cells_ > 0);
    for_each_bit(candidates(cell) & ~bit(digit), [&](int other) { remove(cell, other); });
    candidates_[static_cast<std::size_t>(cell)] = 0;
    num_candidates_[static_cast<std::size_t>(cell)] = 0;
    values_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(digit + 1);
    --num_open_cells_;
    ++num_placed_[static_cast<std::size_t>(digit)];
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) {
        positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)] &= ~bit(where.position[k]);
        placed_[where.unit[k]] |= bit(digit);
        assert(num_open_[where.unit[k]] > 0);
        --num_open_[where.unit[k]];
    }
    for (const int unit : where.unit) {
        for_each_bit(positions(unit, digit), [&](int position) { remove(geometry_->cell(unit, position), digit); });
    }
}

}  // namespace sudokulab::techniques
