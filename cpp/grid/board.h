// A board: the candidates that are left, and what follows from placing a digit.
//
// Every candidate is kept in two views, the digits left in a cell and the positions left for a digit in a unit. A cell
// with one digit left (naked single) and a digit with one position left (hidden single) are seen the moment the second
// last one goes, so propagation never searches for them. A trail of what was removed lets a search take steps back
// without copying.
//
// Whoever wants to look at each step, as the rules do, places and removes `alone` and takes the singles one by one.
//
// A tolerant board goes on after a contradiction: a cell may run out of digits, and a digit of positions. That is what
// an ant walks on, whose worth is the number of cells that it can still fill.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

class Board {
public:
    using Mark = std::size_t;  // a point in the board's history to return to

    explicit Board(const Geometry& geometry, bool has_hidden_singles = true);

    // Places the givens (1..size, 0 for a blank) and all that follows. False if they contradict each other.
    bool place_givens(std::span<const std::uint8_t> givens);

    // Places a digit, or takes a candidate away, with all that follows. False on a contradiction; the board is then
    // fit for nothing but `undo`.
    bool place(int cell, int digit);
    bool remove(int cell, int digit);

    // The same without what follows: singles that appear wait in `next_naked_single` and `next_hidden_single`.
    bool place_alone(int cell, int digit) { return settle<false>(cell, digit); }
    bool remove_alone(int cell, int digit);

    struct Single {
        int cell;
        int digit;
    };
    // A single that has appeared and is not placed, if there is any; it must be placed, or asked for no more.
    std::optional<Single> next_naked_single() { return next_of(naked_); }
    std::optional<Single> next_hidden_single() { return next_of(hidden_); }

    // From here on contradictions are passed over and nothing can be undone.
    void become_tolerant();

    // Takes over the state of another board of the same geometry and options, cheaper than a copy. Not its history.
    void reset_to(const Board& other);

    Mark mark() const { return trail_.size(); }
    void undo(Mark mark);

    const Geometry& geometry() const { return *geometry_; }
    std::uint64_t candidates(int cell) const { return candidates_[static_cast<std::size_t>(cell)]; }
    int num_candidates(int cell) const { return num_candidates_[static_cast<std::size_t>(cell)]; }
    bool has(int cell, int digit) const { return candidates(cell) >> digit & 1; }
    // The positions in the unit where the digit can still stand.
    std::uint64_t positions(int unit, int digit) const {
        return positions_[static_cast<std::size_t>(unit * geometry_->size() + digit)];
    }
    bool is_placed(int cell) const { return is_placed_[static_cast<std::size_t>(cell)] != 0; }
    int num_placed() const { return num_placed_; }
    bool is_full() const { return num_placed_ == geometry_->num_cells(); }

    // The open cell with the fewest candidates, the first of them on a tie; -1 if no cell is open.
    int most_constrained_cell() const;

    // The digits placed, 1..size, 0 where the cell is open.
    std::vector<std::uint8_t> grid() const;

private:
    bool propagate();
    // Places a digit in both views, without what follows from singles that appear: those become pending.
    template <bool is_tolerant>
    bool settle(int cell, int digit);
    // Takes a candidate from the positions of one of the cell's units; false if the digit has none left there.
    bool take_position(const Geometry::CellUnits& where, std::size_t k, int digit);
    // Takes a digit from the cell alone; false if it has none left.
    template <bool is_tolerant>
    bool take_digit(int cell, int digit);

    // Singles found and not placed yet. A cell, and a digit in a unit, becomes one once on the way down: there is room
    // for all there can be.
    struct Pending {
        std::vector<std::uint32_t> singles;
        std::size_t num = 0;
    };
    std::optional<Single> next_of(Pending& pending);
    void forget_pending() { naked_.num = hidden_.num = 0; }

    static constexpr std::uint32_t placement = 1u << 31;  // a trail entry that is a placement, not an elimination

    const Geometry* geometry_;
    std::vector<std::uint64_t> candidates_;      // by cell
    std::vector<std::uint64_t> positions_;       // by unit and digit
    std::vector<std::uint16_t> num_candidates_;  // by cell
    std::vector<std::uint16_t> is_placed_;       // by cell (16 bits: a byte store may alias anything)
    std::vector<std::uint32_t> trail_;           // cell * 64 + digit, oldest first
    Pending naked_;
    Pending hidden_;
    int num_placed_ = 0;
    bool has_hidden_singles_;
    bool is_tolerant_ = false;
};

}  // namespace sudokulab
