#include "logic/techniques/board.h"

namespace sudokulab::techniques {

OpenBoard::OpenBoard(const Geometry& geometry)
    : geometry_(&geometry),
      candidates_(static_cast<std::size_t>(geometry.num_cells()), geometry.all()),
      positions_(static_cast<std::size_t>(geometry.num_units() * geometry.size()), geometry.all()),
      values_(static_cast<std::size_t>(geometry.num_cells()), 0),
      is_given_(static_cast<std::size_t>(geometry.num_cells()), false),
      num_open_(static_cast<std::size_t>(geometry.num_units()), static_cast<std::uint8_t>(geometry.size())),
      num_placed_(static_cast<std::size_t>(geometry.size()), 0),
      num_open_cells_(geometry.num_cells()) {}

OpenBoard::OpenBoard(const Geometry& geometry, std::span<const std::uint8_t> givens) : OpenBoard(geometry) {
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        const int digit = givens[static_cast<std::size_t>(cell)] - 1;
        if (digit < 0) continue;
        place(cell, digit);
        is_given_[static_cast<std::size_t>(cell)] = true;
    }
}

void OpenBoard::restrict_to(std::span<const std::uint64_t> candidates) {
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        for_each_bit(this->candidates(cell) & ~candidates[static_cast<std::size_t>(cell)],
                     [&](int digit) { remove(cell, digit); });
    }
}

void OpenBoard::remove(int cell, int digit) {
    candidates_[static_cast<std::size_t>(cell)] &= ~bit(digit);
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) {
        positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)] &= ~bit(where.position[k]);
    }
}

void OpenBoard::place(int cell, int digit) {
    for_each_bit(candidates(cell), [&](int other) { remove(cell, other); });
    values_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(digit + 1);
    --num_open_cells_;
    ++num_placed_[static_cast<std::size_t>(digit)];
    for (const int unit : geometry_->units(cell).unit) {
        --num_open_[static_cast<std::size_t>(unit)];
        for_each_bit(positions(unit, digit), [&](int position) { remove(geometry_->cell(unit, position), digit); });
    }
}

bool OpenBoard::is_contradictory() const {
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        if (is_open(cell) && candidates(cell) == 0) return true;
    }
    for (int unit = 0; unit < geometry_->num_units(); ++unit) {
        int num_digits = 0;  // placed digits have no positions
        for (int digit = 0; digit < geometry_->size(); ++digit) num_digits += positions(unit, digit) != 0 ? 1 : 0;
        if (num_digits < num_open(unit)) return true;
    }
    return false;
}

bool OpenBoard::sees(int cell, int other) const {
    if (cell == other) return false;
    const auto& units = geometry_->units(cell).unit;
    const auto& others = geometry_->units(other).unit;
    return units[0] == others[0] || units[1] == others[1] || units[2] == others[2];
}

}  // namespace sudokulab::techniques
