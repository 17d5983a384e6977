// The remaining candidates of a grid: the common part of all boards.
//
// Every candidate is stored in two views: the digits left in a cell, and the positions left for a digit in a unit. A
// cell with one digit left (naked single) and a digit with one position left (hidden single) are detected when the
// second to last candidate is removed, so no board has to search for them. They stay pending until the board handles
// them:
//
// - `SearchBoard` places them all and can undo, for tree searches;
// - `DeductionBoard` leaves them to the deduction rules;
// - `AntBoard` places them all and continues after a contradiction, for the ant colony.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

struct Candidate {
    int cell;
    int digit;

    bool operator==(const Candidate&) const = default;
};

// The changes made to a board, oldest first, so that a search can undo them without copying.
class Trail {
public:
    using Mark = std::size_t;  // a point in the history to return to

    struct Change {
        Candidate candidate;
        bool is_placement;  // otherwise a removal
    };

    explicit Trail(const Geometry& geometry) {
        entries_.reserve(static_cast<std::size_t>(geometry.num_cells() * (geometry.size() + 1)));
    }

    void add_placement(int cell, int digit) { entries_.push_back(pack(cell, digit) | placement); }
    void add_removal(int cell, int digit) { entries_.push_back(pack(cell, digit)); }
    Change pop() {
        assert(!entries_.empty());
        const std::uint32_t entry = entries_.back();
        entries_.pop_back();
        const std::uint32_t candidate = entry & ~placement;
        return {{static_cast<int>(candidate >> 6), static_cast<int>(candidate & 63)}, (entry & placement) != 0};
    }
    void clear() { entries_.clear(); }
    Mark mark() const { return entries_.size(); }

private:
    static constexpr std::uint32_t placement = 1u << 31;
    static std::uint32_t pack(int cell, int digit) {
        assert(0 <= cell && cell < max_size * max_size && 0 <= digit && digit < max_size);
        return static_cast<std::uint32_t>(cell << 6 | digit);
    }

    std::vector<std::uint32_t> entries_;
};

// For boards without undo.
struct NoTrail {
    void add_placement(int, int) {}
    void add_removal(int, int) {}
};

class Candidates {
public:
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
    // The positions left for the digit in the unit.
    std::uint64_t positions(int unit, int digit) const {
        assert(0 <= unit && unit < geometry_->num_units() && 0 <= digit && digit < geometry_->size());
        return positions_[static_cast<std::size_t>(unit * geometry_->size() + digit)];
    }
    bool is_placed(int cell) const { return is_placed_[static_cast<std::size_t>(cell)] != 0; }
    int num_placed() const { return num_placed_; }
    bool is_full() const { return num_placed_ == geometry_->num_cells(); }

    // The placed digits, 1..size, and 0 in open cells.
    std::vector<std::uint8_t> grid() const;

protected:
    // A stack of singles that are not placed yet. Each cell, and each digit in a unit, becomes a single at most once
    // between two calls of `clear`, which bounds the capacity.
    class Pending {
    public:
        explicit Pending(int capacity) : singles_(static_cast<std::size_t>(capacity)) {}

        bool is_empty() const { return num_ == 0; }
        const Candidate& top() const {
            assert(num_ > 0);
            return singles_[num_ - 1];
        }
        void push(Candidate single) {
            assert(num_ < singles_.size());
            singles_[num_++] = single;
        }
        Candidate pop() {
            assert(num_ > 0);
            return singles_[--num_];
        }
        void clear() { num_ = 0; }

    private:
        std::vector<Candidate> singles_;
        std::size_t num_ = 0;
    };

    explicit Candidates(const Geometry& geometry);

    // Places a digit, or removes a candidate, in both views; new singles become pending. False on a contradiction: a
    // cell without digits, a digit without positions in a unit, or a placed digit that is not a candidate. If hidden
    // singles are disabled, digits without positions go undetected too.
    template <bool has_hidden_singles = true, class SomeTrail>
    bool settle(int cell, int digit, SomeTrail& trail);
    bool take(int cell, int digit, Trail& trail);

    // Reverts the changes since the mark and drops the pending singles.
    void roll_back(Trail& trail, Trail::Mark mark);

    // Copies the candidates of a board of the same geometry and drops the pending singles. Cheaper than a full copy.
    void copy_candidates(const Candidates& other);

    bool has_pending() const { return !naked_.is_empty() || !hidden_.is_empty(); }
    Candidate pop_pending() { return naked_.is_empty() ? hidden_.pop() : naked_.pop(); }
    void clear_pending() {
        naked_.clear();
        hidden_.clear();
    }

    Pending naked_;
    Pending hidden_;

private:
    // Removes a digit from the view of the cell; false if none is left.
    template <class SomeTrail>
    bool take_digit(int cell, int digit, SomeTrail& trail);
    // Removes a position from the view of one of the cell's units; false if the digit has none left there.
    template <bool has_hidden_singles>
    bool take_position(const Geometry::CellUnits& where, std::size_t k, int digit);

    const Geometry* geometry_;
    std::vector<std::uint64_t> candidates_;      // by cell
    std::vector<std::uint64_t> positions_;       // by unit and digit
    std::vector<std::uint16_t> num_candidates_;  // by cell
    std::vector<std::uint16_t> is_placed_;       // by cell (16 bits: a store of bytes may alias anything)
    int num_placed_ = 0;
};

}  // namespace sudokulab
