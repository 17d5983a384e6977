// The board of Lloyd & Amos (2019, section 3.1), shared by their ant colony and their backtracking search.
//
// When a cell is fixed, two rules are applied to each of its peers: (1) the values fixed in the peer's own units leave
// its value set; (2) a value of the peer that has no other place in one of its units is fixed. Cells fixed by a rule
// are handled in the same way, before the remaining peers. Cells that are not peers of a fixed cell are not examined,
// so hidden singles can remain. The only contradiction is a cell without values; a value without a place in a unit goes
// unnoticed. Propagation continues after a contradiction, because ants do.
//
// Rule 2 uses the current value sets, which rule 1 may not have reached yet, so the result depends on the order of the
// peers. The paper leaves the order open; we use that of the authors' program: for each position j in a unit, the cell
// at j in the box, in the column and in the row. Rule 2 tries the row, the column and the box in turn, and skips a unit
// in which the cell is the only place of several values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

class PeerBoard {
public:
    using Mark = std::size_t;

    explicit PeerBoard(const Geometry& geometry);

    // Fixes the givens (1..size, 0 for a blank) in reading order. False if they contradict each other.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Fixes a digit in an open cell and propagates. False if a cell ran out of values.
    bool place(int cell, int digit);

    // Copies the state of another board of the same geometry, without its history.
    void reset_to(const PeerBoard& other);

    Mark mark() const { return changes_.size(); }
    void undo(Mark mark);

    const Geometry& geometry() const { return *geometry_; }
    std::uint64_t candidates(int cell) const { return candidates_[static_cast<std::size_t>(cell)]; }
    bool is_placed(int cell) const { return is_placed_[static_cast<std::size_t>(cell)] != 0; }
    int num_placed() const { return num_placed_; }
    bool is_full() const { return num_placed_ == geometry_->num_cells(); }
    // The open cell with the fewest candidates, the first one on a tie; -1 if no cell is open.
    int most_constrained_cell() const;
    // The placed digits, 1..size, and 0 in open cells.
    std::vector<std::uint8_t> grid() const;

private:
    struct Change {
        int cell;
        std::uint64_t removed;
        bool is_placement;
    };
    struct Visit {
        int cell;      // just fixed
        int num_seen;  // peers passed, three for each position
    };
    static constexpr int none = -1;

    // The next open peer of the visit's cell, or `none`.
    int next_peer(Visit& visit) const;
    // Applies both rules to a cell; returns the digit to fix, or `none`.
    int apply_rules(int cell);
    void fix(int cell, int digit);
    void remove(int cell, std::uint64_t digits, bool is_placement);
    void close(int cell);

    const Geometry* geometry_;
    std::vector<std::uint64_t> candidates_;  // by cell
    std::vector<std::uint16_t> is_placed_;   // by cell (16 bits: a store of bytes may alias anything)
    std::vector<std::uint64_t> open_;        // by unit: the positions of its cells with several values
    std::vector<std::uint64_t> fixed_;       // by unit: its fixed digits
    std::vector<std::uint64_t> single_;      // by unit: its digits with one place
    std::vector<std::uint16_t> num_places_;  // by unit and digit
    int num_placed_ = 0;
    int num_empty_ = 0;  // cells without values
    std::vector<Change> changes_;
    std::vector<Visit> visits_;  // cells whose peers are being examined, innermost last
};

}  // namespace sudokulab
