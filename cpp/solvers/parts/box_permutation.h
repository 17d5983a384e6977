// A full grid in which every box holds each digit once; its neighbours are the swaps inside boxes.
//
// This is the state of Jones et al., Lewis, Mantere & Koljonen and Musliu & Winter alike. Its cost, the number of
// digits missing from rows and columns, is updated from counts of each digit in each row and column. A swap changes at
// most two of each, so the cost of a neighbour follows from eight counts.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grid/geometry.h"
#include "search/rng.h"

namespace sudokulab {

class BoxPermutation {
public:
    // The fixed cells are 1..size, the open ones 0; these stay unfilled until `fill_at_random` or `fill`. No digit may
    // be fixed twice in a box.
    BoxPermutation(const Geometry& geometry, std::span<const std::uint8_t> fixed);

    // Fills the open cells of each box with its missing digits in random order.
    void fill_at_random(Rng& rng);
    // Copies all cells from a full grid with the same fixed cells, digits 1..size.
    void fill(std::span<const std::uint8_t> grid);

    int cost() const { return cost_; }
    int digit(int cell) const { return digits_[static_cast<std::size_t>(cell)] - 1; }
    const std::vector<std::uint8_t>& grid() const { return digits_; }
    const Geometry& geometry() const { return *geometry_; }

    bool is_open(int cell) const { return is_open_[static_cast<std::size_t>(cell)] != 0; }
    // The open cells of each box, boxes in reading order.
    const std::vector<std::vector<int>>& open_cells() const { return open_cells_; }
    int num_open() const { return num_open_; }
    // The digits missing from the fixed cells of a box, ascending.
    std::vector<int> missing_digits(int box) const;

    bool has_swaps() const { return !swappable_.empty(); }

    // A random open cell and another of the same box. Requires `has_swaps`.
    std::pair<int, int> random_swap(Rng& rng) const;

    // The change of cost from swapping two cells of one box.
    int delta(int first, int second) const;
    // Swaps two cells; `delta` must be the result of the function above.
    void swap(int first, int second, int delta);

    // Duplicates of the cell's digit in its row and column; nonzero if the cell is in conflict.
    int conflicts(int cell) const;

    // Calls visit(first, second) for every swap, boxes in order.
    template <class Visit>
    void for_each_swap(Visit visit) const {
        for (const auto& cells : open_cells_) {
            for (std::size_t i = 0; i < cells.size(); ++i) {
                for (std::size_t j = i + 1; j < cells.size(); ++j) visit(cells[i], cells[j]);
            }
        }
    }

private:
    struct Where {
        std::uint16_t row, col;    // times size, so that adding a digit gives the index of a count
        std::uint16_t box, index;  // the box, and the cell's index among its open cells
    };

    void recount();
    int& in_row(int cell, int digit) { return row_counts_[static_cast<std::size_t>(where(cell).row + digit)]; }
    int& in_col(int cell, int digit) { return col_counts_[static_cast<std::size_t>(where(cell).col + digit)]; }
    int in_row(int cell, int digit) const { return row_counts_[static_cast<std::size_t>(where(cell).row + digit)]; }
    int in_col(int cell, int digit) const { return col_counts_[static_cast<std::size_t>(where(cell).col + digit)]; }
    const Where& where(int cell) const { return where_[static_cast<std::size_t>(cell)]; }

    const Geometry* geometry_;
    std::vector<std::uint8_t> digits_;  // by cell, 1..size
    std::vector<std::uint8_t> is_open_;
    std::vector<Where> where_;
    std::vector<std::vector<int>> open_cells_;
    std::vector<int> swappable_;   // open cells that share their box with another
    std::vector<int> row_counts_;  // by row and digit
    std::vector<int> col_counts_;
    int num_open_ = 0;
    int cost_ = 0;
};

}  // namespace sudokulab
