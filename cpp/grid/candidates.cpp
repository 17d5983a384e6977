#include "grid/candidates.h"

#include <bit>
#include <cassert>

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_single(std::uint64_t mask) { return (mask & (mask - 1)) == 0; }

}  // namespace

Candidates::Candidates(const Geometry& geometry)
    : naked_(geometry.num_cells() + 1),  // one more for the digit that a caller places
      hidden_(3 * geometry.num_cells()),
      geometry_(&geometry),
      candidates_(at(geometry.num_cells()), geometry.all()),
      positions_(at(geometry.num_units() * geometry.size()), geometry.all()),
      num_candidates_(at(geometry.num_cells()), static_cast<std::uint16_t>(geometry.size())),
      is_placed_(at(geometry.num_cells()), 0) {}

template <class SomeTrail>
bool Candidates::take_digit(int cell, int digit, SomeTrail& trail) {
    assert(has(cell, digit) && num_candidates(cell) > 0);
    std::uint64_t& mask = candidates_[at(cell)];
    mask &= ~(std::uint64_t{1} << digit);
    --num_candidates_[at(cell)];
    trail.add_removal(cell, digit);
    if (!is_single(mask)) return true;
    if (mask == 0) return false;
    naked_.push({cell, std::countr_zero(mask)});
    return true;
}

template <bool has_hidden_singles>
bool Candidates::take_position(const Geometry::CellUnits& where, std::size_t k, int digit) {
    std::uint64_t& mask = positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)];
    assert((mask >> where.position[k] & 1) != 0);  // both views have the same candidates
    mask &= ~(std::uint64_t{1} << where.position[k]);
    if (!has_hidden_singles || !is_single(mask)) return true;
    if (mask == 0) return false;
    hidden_.push({geometry_->cell(where.unit[k], std::countr_zero(mask)), digit});
    return true;
}

template <bool has_hidden_singles, class SomeTrail>
bool Candidates::settle(int cell, int digit, SomeTrail& trail) {
    if (!has(cell, digit)) return false;
    if (is_placed(cell)) return true;
    assert(num_placed_ < geometry_->num_cells());
    is_placed_[at(cell)] = 1;
    ++num_placed_;
    trail.add_placement(cell, digit);

    // All changes are made before a contradiction is reported, so that the trail is complete.
    bool is_consistent = true;
    const Geometry::CellUnits& where = geometry_->units(cell);
    const std::uint64_t others = candidates(cell) & ~(std::uint64_t{1} << digit);
    candidates_[at(cell)] = std::uint64_t{1} << digit;
    num_candidates_[at(cell)] = 1;
    for (std::uint64_t left = others; left != 0; left &= left - 1) {
        const int other = std::countr_zero(left);
        trail.add_removal(cell, other);
        for (std::size_t k = 0; k < 3; ++k) is_consistent &= take_position<has_hidden_singles>(where, k, other);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        std::uint64_t& mask = positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)];
        const std::uint64_t own = std::uint64_t{1} << where.position[k];
        std::uint64_t left = mask & ~own;
        mask = own;
        for (; left != 0; left &= left - 1) {
            const int peer = geometry_->cell(where.unit[k], std::countr_zero(left));
            const Geometry::CellUnits& peer_units = geometry_->units(peer);
            is_consistent &= take_digit(peer, digit, trail);
            is_consistent &= take_position<has_hidden_singles>(peer_units, k == 0 ? 1 : 0, digit);
            is_consistent &= take_position<has_hidden_singles>(peer_units, k == 2 ? 1 : 2, digit);
        }
    }
    assert(candidates(cell) == std::uint64_t{1} << digit);
    return is_consistent;
}

template bool Candidates::settle<true>(int cell, int digit, Trail& trail);
template bool Candidates::settle<true>(int cell, int digit, NoTrail& trail);
template bool Candidates::settle<false>(int cell, int digit, NoTrail& trail);

bool Candidates::take(int cell, int digit, Trail& trail) {
    if (!has(cell, digit)) return true;
    bool is_consistent = take_digit(cell, digit, trail);
    for (std::size_t k = 0; k < 3; ++k) is_consistent &= take_position<true>(geometry_->units(cell), k, digit);
    return is_consistent;
}

void Candidates::roll_back(Trail& trail, Trail::Mark mark) {
    assert(mark <= trail.mark());
    clear_pending();
    while (trail.mark() > mark) {
        const auto [candidate, is_placement] = trail.pop();
        const auto [cell, digit] = candidate;
        if (is_placement) {
            assert(is_placed(cell) && num_placed_ > 0);
            is_placed_[at(cell)] = 0;
            --num_placed_;
            continue;
        }
        assert(!has(cell, digit));
        candidates_[at(cell)] |= std::uint64_t{1} << digit;
        ++num_candidates_[at(cell)];
        const Geometry::CellUnits& where = geometry_->units(cell);
        for (std::size_t k = 0; k < 3; ++k) {
            positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)] |= std::uint64_t{1} << where.position[k];
        }
    }
}

void Candidates::copy_candidates(const Candidates& other) {
    assert(geometry_ == other.geometry_);
    candidates_ = other.candidates_;
    positions_ = other.positions_;
    num_candidates_ = other.num_candidates_;
    is_placed_ = other.is_placed_;
    num_placed_ = other.num_placed_;
    clear_pending();
}

std::vector<std::uint8_t> Candidates::grid() const {
    std::vector<std::uint8_t> grid(at(geometry_->num_cells()), 0);
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        if (is_placed(cell)) grid[at(cell)] = static_cast<std::uint8_t>(std::countr_zero(candidates(cell)) + 1);
    }
    return grid;
}

}  // namespace sudokulab
