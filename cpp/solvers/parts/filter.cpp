#include "solvers/parts/filter.h"

#include <bit>

#include "grid/board.h"

namespace sudokulab {

Domains initial_domains(const Puzzle& puzzle) {
    const Geometry& geometry = Geometry::of(puzzle.box);
    Domains domains(puzzle.givens.size(), geometry.all());
    for (std::size_t cell = 0; cell < domains.size(); ++cell) {
        if (puzzle.givens[cell] != 0) domains[cell] = std::uint64_t{1} << (puzzle.givens[cell] - 1);
    }
    return domains;
}

bool has_clash(const Puzzle& puzzle) {
    const Geometry& geometry = Geometry::of(puzzle.box);
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        std::uint64_t seen = 0;
        for (int position = 0; position < geometry.size(); ++position) {
            const int digit = puzzle.givens[static_cast<std::size_t>(geometry.cell(unit, position))];
            if (digit == 0) continue;
            const std::uint64_t bit = std::uint64_t{1} << (digit - 1);
            if ((seen & bit) != 0) return true;
            seen |= bit;
        }
    }
    return false;
}

Grid grid_of(const Domains& domains) {
    Grid grid(domains.size(), 0);
    for (std::size_t cell = 0; cell < grid.size(); ++cell) {
        if (std::has_single_bit(domains[cell]))
            grid[cell] = static_cast<std::uint8_t>(std::countr_zero(domains[cell]) + 1);
    }
    return grid;
}

std::optional<Grid> filtered_givens(const Puzzle& puzzle, Filter filter, const std::function<bool()>& must_stop) {
    if (has_clash(puzzle)) return std::nullopt;
    if (filter == Filter::cp) {
        Board board(Geometry::of(puzzle.box));
        if (!board.place_givens(puzzle.givens)) return std::nullopt;
        return board.grid();
    }
    if (filter == Filter::ac3) {
        Domains domains = initial_domains(puzzle);
        if (!ConstraintNetwork::of_sudoku(puzzle.box).ac3(domains, must_stop)) return std::nullopt;
        return grid_of(domains);
    }
    return puzzle.givens;
}

}  // namespace sudokulab
