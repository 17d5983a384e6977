// Sets of cells, for techniques whose patterns are not bound to one unit.
#pragma once

#include <vector>

#include "logic/techniques/bit_set.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

using CellSet = BitSet<10>;  // techniques work up to 25×25

// The cells of each digit on a board, and the cells that see others.
class CellMap {
public:
    explicit CellMap(const TechniqueBoard& board);

    const CellSet& open() const { return open_; }
    // The cells with this candidate.
    const CellSet& of(int digit) const { return of_digit_[static_cast<std::size_t>(digit)]; }
    const CellSet& unit(int unit) const { return table_->units[static_cast<std::size_t>(unit)]; }
    // The other cells in the units of the cell.
    const CellSet& peers(int cell) const { return table_->peers[static_cast<std::size_t>(cell)]; }
    // The cells that see all cells of a set; every cell sees the empty set.
    CellSet common_peers(const CellSet& cells) const;

private:
    // What all boards of a shape have in common.
    struct Table {
        explicit Table(const Geometry& geometry);

        CellSet all;
        std::vector<CellSet> units;
        std::vector<CellSet> peers;  // by cell
    };
    static const Table& table_of(const Geometry& geometry);

    const Table* table_;
    CellSet open_;
    std::vector<CellSet> of_digit_;
};

}  // namespace sudokulab::techniques
