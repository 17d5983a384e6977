#include "solvers/parts/filter.h"

#include <bit>

#include "grid/board.h"

namespace sudokulab {

Domains initial_domains(const Problem& problem) {
    const Geometry& geometry = Geometry::of(problem.box);
    Domains domains(problem.givens.size(), geometry.all());
    for (std::size_t cell = 0; cell < domains.size(); ++cell) {
        if (problem.givens[cell] != 0) domains[cell] = std::uint64_t{1} << (problem.givens[cell] - 1);
    }
    return domains;
}

bool has_clash(const Problem& problem) {
    const Geometry& geometry = Geometry::of(problem.box);
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        std::uint64_t seen = 0;
        for (int position = 0; position < geometry.size(); ++position) {
            const int digit = problem.givens[static_cast<std::size_t>(geometry.cell(unit, position))];
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

std::optional<Grid> filtered_givens(const Problem& problem, Filter filter, const std::function<bool()>& must_stop) {
    if (has_clash(problem)) return std::nullopt;
    if (filter == Filter::cp) {
        Board board(Geometry::of(problem.box));
        if (!board.place_givens(problem.givens)) return std::nullopt;
        return board.grid();
    }
    if (filter == Filter::ac3) {
        Domains domains = initial_domains(problem);
        if (!ConstraintNetwork::of_sudoku(problem.box).ac3(domains, must_stop)) return std::nullopt;
        return grid_of(domains);
    }
    return problem.givens;
}

}  // namespace sudokulab
