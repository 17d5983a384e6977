// The judge: is a grid a solution? It trusts no solver and shares no code with them, not even the geometry.
#pragma once

#include <cstdint>

namespace sudokulab {

// Both arrays hold (box_rows · box_cols)² digits, row by row; a given of 0 is a blank.
bool is_solution(const std::uint8_t* grid, const std::uint8_t* givens, int box_rows, int box_cols);

}  // namespace sudokulab
