// The canonical form of a puzzle or grid: its lexicographically smallest isomorph, read row by row with 0 for a blank.
//
// Isomorphs result from permuting the rows within bands, the columns within stacks, the bands and the stacks, from
// transposing where boxes are square, and from relabelling the digits. In the smallest isomorph, digits are numbered in
// the order of their first appearance, so an arrangement of rows and columns determines the labels.
//
// The search goes row by row and keeps all arrangements with the smallest rows so far. Columns and stacks that no row
// distinguishes stay unordered, and interchangeable rows and bands are tried once, so blanks and symmetries do not
// multiply the arrangements: the empty grid has two, one of them transposed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

inline constexpr int max_canonical_size = 9;

struct Canonical {
    std::vector<std::uint8_t> cells;

    // A transformation that leads there: transpose first if `is_transposed`; then the cell at (i, j) is the one at
    // (rows[i], cols[j]), and digits[d - 1] replaces digit d.
    bool is_transposed = false;
    std::vector<int> rows;
    std::vector<int> cols;
    std::vector<int> digits;

    // The arrangements of rows and columns, with or without transposing, that map the puzzle to itself after some
    // relabelling of the digits.
    std::int64_t num_automorphisms = 0;
};

// The box must have at least two rows and two columns, and at most `max_canonical_size` cells.
bool has_canonical_form(BoxShape box);

// The cells are 1..size, 0 for a blank, row by row. They may break the rules.
Canonical canonical_form(BoxShape box, std::span<const std::uint8_t> cells);

}  // namespace sudokulab
