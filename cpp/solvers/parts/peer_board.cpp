#include "solvers/parts/peer_board.h"

#include <bit>
#include <cassert>
#include <limits>

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::uint64_t bit(int digit) { return std::uint64_t{1} << digit; }

}  // namespace

PeerBoard::PeerBoard(const Geometry& geometry)
    : geometry_(&geometry),
      candidates_(at(geometry.num_cells()), geometry.all()),
      is_placed_(at(geometry.num_cells()), 0),
      open_(at(geometry.num_units()), geometry.all()),
      fixed_(at(geometry.num_units()), 0),
      single_(at(geometry.num_units()), geometry.size() == 1 ? 1 : 0),
      num_places_(at(geometry.num_units() * geometry.size()), static_cast<std::uint16_t>(geometry.size())) {
    visits_.reserve(at(geometry.num_cells()));
}

bool PeerBoard::place_givens(std::span<const std::uint8_t> givens) {
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        const int digit = givens[at(cell)] - 1;
        if (digit < 0) continue;
        if ((candidates(cell) & bit(digit)) == 0) return false;
        if (!is_placed(cell) && !place(cell, digit)) return false;
    }
    return true;
}

bool PeerBoard::place(int cell, int digit) {
    assert(visits_.empty());
    fix(cell, digit);
    while (!visits_.empty()) {
        const int peer = next_peer(visits_.back());
        if (peer == none) {
            visits_.pop_back();
            continue;
        }
        const int single = apply_rules(peer);
        if (single != none) fix(peer, single);
    }
    return num_empty_ == 0;
}

int PeerBoard::next_peer(Visit& visit) const {
    const auto& unit = geometry_->units(visit.cell).unit;  // row, column, box
    while (true) {
        const int position = visit.num_seen / 3;
        if (position == geometry_->size()) return none;
        const std::uint64_t left = (open_[unit[0]] | open_[unit[1]] | open_[unit[2]]) >> position;
        if (left == 0) return none;
        if ((left & 1) == 0) {
            visit.num_seen = 3 * (position + std::countr_zero(left));
            continue;
        }
        const std::size_t k = 2 - at(visit.num_seen % 3);
        ++visit.num_seen;
        if ((open_[unit[k]] >> position & 1) != 0) return geometry_->cell(unit[k], position);
    }
}

int PeerBoard::apply_rules(int cell) {
    const auto& [row, column, box] = geometry_->units(cell).unit;
    const std::uint64_t taken = candidates(cell) & (fixed_[row] | fixed_[column] | fixed_[box]);
    const std::uint64_t left = candidates(cell) & ~taken;
    if (std::has_single_bit(left)) return std::countr_zero(left);
    if (taken != 0) remove(cell, taken, false);
    for (const auto unit : {row, column, box}) {
        const std::uint64_t only_here = left & single_[unit];
        if (std::has_single_bit(only_here)) return std::countr_zero(only_here);
    }
    return none;
}

void PeerBoard::fix(int cell, int digit) {
    assert(!is_placed(cell) && (candidates(cell) & bit(digit)) != 0);
    for (const auto unit : geometry_->units(cell).unit) fixed_[unit] |= bit(digit);
    is_placed_[at(cell)] = 1;
    ++num_placed_;
    close(cell);
    remove(cell, candidates(cell) & ~bit(digit), true);
    visits_.push_back({cell, 0});
}

void PeerBoard::remove(int cell, std::uint64_t digits, bool is_placement) {
    assert((digits & ~candidates(cell)) == 0);
    changes_.push_back({cell, digits, is_placement});
    candidates_[at(cell)] &= ~digits;
    if (candidates(cell) == 0) {
        ++num_empty_;
        close(cell);
    }
    for (const auto unit : geometry_->units(cell).unit) {
        for (std::uint64_t rest = digits; rest != 0; rest &= rest - 1) {
            const int digit = std::countr_zero(rest);
            assert(num_places_[at(unit * geometry_->size() + digit)] > 0);
            const int num = --num_places_[at(unit * geometry_->size() + digit)];
            if (num == 1) single_[unit] |= bit(digit);
            if (num == 0) single_[unit] &= ~bit(digit);
        }
    }
}

void PeerBoard::close(int cell) {
    const Geometry::CellUnits& where = geometry_->units(cell);
    for (std::size_t k = 0; k < 3; ++k) open_[where.unit[k]] &= ~bit(where.position[k]);
}

void PeerBoard::undo(Mark mark) {
    assert(mark <= changes_.size());
    while (changes_.size() > mark) {
        const auto [cell, digits, is_placement] = changes_.back();
        changes_.pop_back();
        assert((candidates(cell) & digits) == 0 && (!is_placement || is_placed(cell)));
        if (is_placement) {
            for (const auto unit : geometry_->units(cell).unit) fixed_[unit] &= ~candidates(cell);
            is_placed_[at(cell)] = 0;
            --num_placed_;
        }
        if (candidates(cell) == 0) --num_empty_;
        candidates_[at(cell)] |= digits;
        const Geometry::CellUnits& where = geometry_->units(cell);
        for (std::size_t k = 0; k < 3; ++k) open_[where.unit[k]] |= bit(where.position[k]);
        for (const auto unit : where.unit) {
            for (std::uint64_t rest = digits; rest != 0; rest &= rest - 1) {
                const int digit = std::countr_zero(rest);
                const int num = ++num_places_[at(unit * geometry_->size() + digit)];
                if (num == 1) single_[unit] |= bit(digit);
                if (num == 2) single_[unit] &= ~bit(digit);
            }
        }
    }
}

void PeerBoard::reset_to(const PeerBoard& other) {
    assert(geometry_ == other.geometry_);
    candidates_ = other.candidates_;
    is_placed_ = other.is_placed_;
    open_ = other.open_;
    fixed_ = other.fixed_;
    single_ = other.single_;
    num_places_ = other.num_places_;
    num_placed_ = other.num_placed_;
    num_empty_ = other.num_empty_;
    changes_.clear();
}

int PeerBoard::most_constrained_cell() const {
    int best = none;
    int fewest = std::numeric_limits<int>::max();
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        const int num = std::popcount(candidates(cell));
        if (num < fewest && !is_placed(cell)) {
            best = cell;
            fewest = num;
            if (num == 2) break;
        }
    }
    return best;
}

std::vector<std::uint8_t> PeerBoard::grid() const {
    std::vector<std::uint8_t> grid(at(geometry_->num_cells()), 0);
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        if (is_placed(cell)) grid[at(cell)] = static_cast<std::uint8_t>(std::countr_zero(candidates(cell)) + 1);
    }
    return grid;
}

}  // namespace sudokulab
