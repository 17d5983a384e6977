#include "grid/board.h"

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
      naked_{std::vector<std::uint32_t>(at(geometry.num_cells() + 1))},
      hidden_{std::vector<std::uint32_t>(at(3 * geometry.num_cells()))},
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

void Board::reset_to(const Board& other) {
    candidates_ = other.candidates_;
    positions_ = other.positions_;
    num_candidates_ = other.num_candidates_;
    is_placed_ = other.is_placed_;
    num_placed_ = other.num_placed_;
    trail_.clear();
    forget_pending();
}

bool Board::place(int cell, int digit) {
    naked_.singles[naked_.num++] = pack(cell, digit);
    return propagate();
}

bool Board::remove_alone(int cell, int digit) {
    if (!has(cell, digit)) return true;
    bool is_consistent = take_digit<false>(cell, digit);
    for (std::size_t k = 0; k < 3; ++k) is_consistent &= take_position(geometry_->units(cell), k, digit);
    return is_consistent;
}

bool Board::remove(int cell, int digit) {
    if (remove_alone(cell, digit)) return propagate();
    forget_pending();
    return false;
}

bool Board::propagate() {
    while (naked_.num + hidden_.num > 0) {
        Pending& pending = naked_.num > 0 ? naked_ : hidden_;
        const std::uint32_t single = pending.singles[--pending.num];
        const int cell = static_cast<int>(single >> 6);
        const int digit = static_cast<int>(single & 63);
        if (is_tolerant_) {
            settle<true>(cell, digit);
        } else if (!settle<false>(cell, digit)) {
            forget_pending();
            return false;
        }
    }
    return true;
}

std::optional<Board::Single> Board::next_of(Pending& pending) {
    while (pending.num > 0) {
        const std::uint32_t single = pending.singles[pending.num - 1];
        const int cell = static_cast<int>(single >> 6);
        if (!is_placed(cell)) return Single{cell, static_cast<int>(single & 63)};
        --pending.num;
    }
    return std::nullopt;
}

template <bool is_tolerant>
bool Board::take_digit(int cell, int digit) {
    std::uint64_t& mask = candidates_[at(cell)];
    mask &= ~(std::uint64_t{1} << digit);
    --num_candidates_[at(cell)];
    if constexpr (!is_tolerant) trail_.push_back(pack(cell, digit));
    if (!is_single(mask)) return true;
    if (mask == 0) return false;
    naked_.singles[naked_.num++] = pack(cell, std::countr_zero(mask));
    return true;
}

bool Board::take_position(const Geometry::CellUnits& where, std::size_t k, int digit) {
    std::uint64_t& mask = positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)];
    mask &= ~(std::uint64_t{1} << where.position[k]);
    if (!is_single(mask) || !has_hidden_singles_) return true;
    if (mask == 0) return false;
    hidden_.singles[hidden_.num++] = pack(geometry_->cell(where.unit[k], std::countr_zero(mask)), digit);
    return true;
}

template <bool is_tolerant>
bool Board::settle(int cell, int digit) {
    if (!has(cell, digit)) return is_tolerant;
    if (is_placed(cell)) return true;
    is_placed_[at(cell)] = 1;
    ++num_placed_;
    if constexpr (!is_tolerant) trail_.push_back(pack(cell, digit) | placement);

    // Everything is taken before a contradiction is reported, so that the trail tells the whole of it.
    bool is_consistent = true;
    const Geometry::CellUnits& where = geometry_->units(cell);
    const std::uint64_t others = candidates(cell) & ~(std::uint64_t{1} << digit);
    candidates_[at(cell)] = std::uint64_t{1} << digit;
    num_candidates_[at(cell)] = 1;
    for (std::uint64_t left = others; left != 0; left &= left - 1) {
        const int other = std::countr_zero(left);
        if constexpr (!is_tolerant) trail_.push_back(pack(cell, other));
        for (std::size_t k = 0; k < 3; ++k) is_consistent &= take_position(where, k, other);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        std::uint64_t& mask = positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)];
        const std::uint64_t own = std::uint64_t{1} << where.position[k];
        std::uint64_t left = mask & ~own;
        mask = own;
        for (; left != 0; left &= left - 1) {
            const int peer = geometry_->cell(where.unit[k], std::countr_zero(left));
            const Geometry::CellUnits& peer_units = geometry_->units(peer);
            is_consistent &= take_digit<is_tolerant>(peer, digit);
            is_consistent &= take_position(peer_units, k == 0 ? 1 : 0, digit);
            is_consistent &= take_position(peer_units, k == 2 ? 1 : 2, digit);
        }
    }
    return is_consistent;
}

void Board::undo(Mark mark) {
    forget_pending();
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
            positions_[static_cast<std::size_t>(where.row_of_unit[k] + digit)] |= std::uint64_t{1} << where.position[k];
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
