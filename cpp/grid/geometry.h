// The geometry of a grid: the cells of each unit, and the units of each cell.
//
// Cells are numbered row by row from 0. Units are numbered rows first, then columns, then boxes in reading order.
// Digits are 0-based inside the core (bit d of a candidate mask is the digit d + 1); puzzles and grids in the interface
// hold 1..size, with 0 for a blank.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

namespace sudokulab {

using Grid = std::vector<std::uint8_t>;  // row by row, 1..size, 0 for a blank

inline constexpr int max_size = 64;  // the cells of a unit, and the candidates of a cell, fit one machine word

struct BoxShape {
    int rows = 3;
    int cols = 3;

    int size() const { return rows * cols; }
    int num_cells() const { return size() * size(); }
};

class Geometry {
public:
    // The row, column and box of a cell, and its position in each of them.
    struct CellUnits {
        std::array<std::uint16_t, 3> unit;
        std::array<std::uint16_t, 3> row_of_unit;  // unit * size: index of digit 0 in a table by unit and digit
        std::array<std::uint8_t, 3> position;
    };

    // A line (row or column) and a box that meet, with the shared positions as masks in each of them.
    struct Intersection {
        int line;
        int box;
        std::uint64_t in_line;
        std::uint64_t in_box;
    };

    // The shared geometry of this shape, created on first use and kept. Thread-safe.
    static const Geometry& of(BoxShape box);

    BoxShape box() const { return box_; }
    int size() const { return size_; }
    int num_cells() const { return size_ * size_; }
    int num_units() const { return 3 * size_; }
    int cell(int unit, int position) const {
        assert(0 <= unit && unit < num_units() && 0 <= position && position < size_);
        return cells_[static_cast<std::size_t>(unit * size_ + position)];
    }
    const CellUnits& units(int cell) const {
        assert(0 <= cell && cell < num_cells());
        return units_[static_cast<std::size_t>(cell)];
    }

    // Box by box: the rows of the box, then its columns.
    const std::vector<Intersection>& intersections() const { return intersections_; }

    // The positions in a cell's box that lie in the cell's row (k = 0) or column (k = 1).
    std::uint64_t line_in_box(int cell, std::size_t k) const {
        assert(0 <= cell && cell < num_cells() && k < 2);
        return lines_in_box_[static_cast<std::size_t>(cell)][k];
    }

    // The mask with one bit per digit, or per position in a unit.
    std::uint64_t all() const { return ~std::uint64_t{0} >> (64 - size_); }

private:
    explicit Geometry(BoxShape box);

    BoxShape box_;
    int size_;
    std::vector<std::uint16_t> cells_;  // by unit, then position
    std::vector<CellUnits> units_;      // by cell
    std::vector<Intersection> intersections_;
    std::vector<std::array<std::uint64_t, 2>> lines_in_box_;  // by cell
};

}  // namespace sudokulab
