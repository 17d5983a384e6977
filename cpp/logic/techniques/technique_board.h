// The candidates of the open cells, for the techniques.
//
// A placed cell has no candidates, and a placed digit has no positions in its units, so that every set a technique
// looks at contains open candidates only. `remove` does not place anything, even if a single digit remains: techniques
// report steps, and the caller decides which ones to apply.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/candidates.h"
#include "grid/geometry.h"
#include "logic/techniques/bits.h"

namespace sudokulab::techniques {

// The three kinds of units, as indices into `Geometry::CellUnits`.
enum class UnitKind : std::uint8_t { row, column, box };

class TechniqueBoard {
public:
    explicit TechniqueBoard(const Geometry& geometry);
    // The candidates left by the givens (1..size, 0 for a blank), assumed to be consistent.
    TechniqueBoard(const Geometry& geometry, std::span<const std::uint8_t> givens);
    // Keeps only these candidates of the open cells, as one mask per cell.
    void restrict_to(std::span<const std::uint64_t> candidates);

    const Geometry& geometry() const { return *geometry_; }
    std::uint64_t candidates(int cell) const {
        assert(0 <= cell && cell < geometry_->num_cells());
        return candidates_[static_cast<std::size_t>(cell)];
    }
    int num_candidates(int cell) const { return num_candidates_[static_cast<std::size_t>(cell)]; }
    bool has(int cell, int digit) const {
        assert(0 <= digit && digit < geometry_->size());
        return candidates(cell) >> digit & 1;
    }
    // The positions left for the digit in the unit; none once the digit is placed there.
    std::uint64_t positions(int unit, int digit) const {
        assert(0 <= unit && unit < geometry_->num_units() && 0 <= digit && digit < geometry_->size());
        return positions_[static_cast<std::size_t>(unit * geometry_->size() + digit)];
    }
    bool is_open(int cell) const { return values_[static_cast<std::size_t>(cell)] == 0; }
    // The placed digit, 1..size, or 0.
    int value(int cell) const { return values_[static_cast<std::size_t>(cell)]; }
    // Whether the digit was placed at the beginning.
    bool is_given(int cell) const { return is_given_[static_cast<std::size_t>(cell)]; }
    // The placed digits, 0 for open cells.
    const std::vector<std::uint8_t>& grid() const { return values_; }
    int num_open(int unit) const { return num_open_[static_cast<std::size_t>(unit)]; }
    int num_placed(int digit) const { return num_placed_[static_cast<std::size_t>(digit)]; }
    // The digits placed in the unit, as a mask.
    std::uint64_t placed(int unit) const { return placed_[static_cast<std::size_t>(unit)]; }
    bool is_solved() const { return num_open_cells_ == 0; }
    // Whether a cell has no candidate left, or a digit no position in a unit.
    bool is_contradictory() const { return is_contradictory_; }

    void place(int cell, int digit);
    void remove(int cell, int digit);

    // The unit of this kind that contains the cell.
    int unit(UnitKind kind, int cell) const { return geometry_->units(cell).unit[static_cast<std::size_t>(kind)]; }
    int position(UnitKind kind, int cell) const {
        return geometry_->units(cell).position[static_cast<std::size_t>(kind)];
    }
    // The number of the first unit of a kind; the others follow.
    int first_unit(UnitKind kind) const { return static_cast<int>(kind) * geometry_->size(); }
    // Whether two different cells share a unit.
    bool sees(int cell, int other) const {
        const auto& units = geometry_->units(cell).unit;
        const auto& others = geometry_->units(other).unit;
        return cell != other && (units[0] == others[0] || units[1] == others[1] || units[2] == others[2]);
    }

private:
    const Geometry* geometry_;
    std::vector<std::uint64_t> candidates_;     // by cell
    std::vector<std::uint8_t> num_candidates_;  // by cell
    std::vector<std::uint64_t> positions_;      // by unit and digit
    std::vector<std::uint8_t> values_;          // by cell
    std::vector<bool> is_given_;                // by cell
    std::vector<std::uint8_t> num_open_;        // by unit
    std::vector<std::uint8_t> num_placed_;      // by digit
    std::vector<std::uint64_t> placed_;         // by unit
    int num_open_cells_;
    bool is_contradictory_ = false;
};

}  // namespace sudokulab::techniques
