// The canonical form of a puzzle or grid: its lexicographically smallest equivalent, read row by row with 0 for a
// blank.
//
// Equivalent puzzles result from permuting the rows within bands, the columns within stacks, the bands and the stacks,
// from transposing where boxes are square, and from relabelling the digits. In the smallest one, digits are numbered in
// the order of their first appearance, so an arrangement of rows and columns determines the labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

inline constexpr std::size_t max_canonical_size = 9;

using CanonicalLine = std::array<std::uint8_t, max_canonical_size>;
using CanonicalCells = std::array<std::uint8_t, max_canonical_size * max_canonical_size>;

// Transpose first if `is_transposed`; then the cell at (i, j) is the one at (rows[i], cols[j]), and digits[d - 1]
// replaces digit d. Smaller sizes leave the last entries unused.
struct Transformation {
    bool is_transposed = false;
    CanonicalLine rows{};
    CanonicalLine cols{};
    CanonicalLine digits{};
};

struct Canonical {
    CanonicalCells cells{};
    Transformation transformation;

    // The arrangements of rows and columns, with or without transposing, that map the puzzle to itself after some
    // relabelling of the digits.
    std::int64_t num_automorphisms = 0;
};

// The box must have at least two rows and two columns, and at most `max_canonical_size` cells.
bool has_canonical_form(BoxShape box);

// The smallest equivalent of a puzzle. The cells are 1..size, 0 for a blank, row by row. They may break the rules.
Canonical canonical_form(BoxShape box, std::span<const std::uint8_t> cells);

// The smallest image of a puzzle under the transformations that make its solution smallest.
Canonical canonical_form_through(BoxShape box, std::span<const std::uint8_t> cells,
                                 std::span<const std::uint8_t> solution);

CanonicalCells transformed(BoxShape box, std::span<const std::uint8_t> cells, const Transformation& transformation);

// A bijection of 64-bit words without structure: the finaliser of SplitMix64.
constexpr std::uint64_t mix(std::uint64_t word) {
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word = (word ^ word >> 27) * 0x94d049bb133111eb;
    return word ^ word >> 31;
}

// FNV-1a with 64 bits of the rows and columns of a box and the cells, one byte each, then `mix`, because the last bytes
// hardly change the first bits. Never change it: people store it.
std::uint64_t hash_of(BoxShape box, std::span<const std::uint8_t> cells);

// The two searches. Both find the smallest cells and the transformations that lead there: all of them for a solution
// grid; for other puzzles, one of those that differ only in interchangeable rows or columns.
struct SmallestForm {
    CanonicalCells cells{};
    std::vector<Transformation> transformations;
    std::int64_t num_transformations = 0;
};

SmallestForm smallest_form(BoxShape box, std::span<const std::uint8_t> cells);
SmallestForm smallest_nine(std::span<const std::uint8_t> grid);  // a 9×9 solution grid

}  // namespace sudokulab
