#include "solvers/parts/filter.h"

#include <array>
#include <bit>

#include "grid/board.h"
#include "logic/rules.h"
#include "logic/techniques/reasoner.h"

namespace sudokulab {
namespace {

constexpr std::array standard_order{
    Rule::naked_single, Rule::hidden_single, Rule::box_line,       Rule::line_box,         Rule::naked_pair,
    Rule::hidden_pair,  Rule::naked_triplet, Rule::hidden_triplet, Rule::naked_quadruplet, Rule::hidden_quadruplet,
};
static_assert(standard_order.size() == num_rules);

std::optional<Grid> deduced_givens(const Puzzle& puzzle, const std::function<bool()>& must_stop) {
    DeductionBoard board(Geometry::of(puzzle.box));
    if (!board.place_givens(puzzle.givens)) return std::nullopt;
    while (true) {  // one deduction at a time: on large grids all of them can take seconds
        if (must_stop && must_stop()) return std::nullopt;
        const Deduction deduction = deduce(board, standard_order, 1);
        if (deduction.is_contradiction) return std::nullopt;
        if (deduction.highest < 0) return board.grid();
    }
}

std::optional<Grid> reasoned_givens(const Puzzle& puzzle, const std::vector<techniques::Technique>& order,
                                    const std::function<bool()>& must_stop) {
    techniques::OpenBoard board(Geometry::of(puzzle.box), puzzle.givens);
    techniques::Reasoner reasoner(order);
    Control control({}, 0, 0, must_stop ? must_stop : [] { return false; });
    while (!board.is_contradictory()) {
        const std::optional<techniques::Step> step = reasoner.next(board, control);
        if (control.must_stop()) return std::nullopt;
        if (!step) return board.grid();
        apply(*step, board);
    }
    return std::nullopt;
}

}  // namespace

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

std::optional<Grid> filtered_givens(const Puzzle& puzzle, const Filter& filter,
                                    const std::function<bool()>& must_stop) {
    if (has_clash(puzzle)) return std::nullopt;
    if (filter.kind == Filter::Kind::cp) {
        Board board(Geometry::of(puzzle.box));
        if (!board.place_givens(puzzle.givens)) return std::nullopt;
        return board.grid();
    }
    if (filter.kind == Filter::Kind::ac3) {
        Domains domains = initial_domains(puzzle);
        if (!ConstraintNetwork::of_sudoku(puzzle.box).ac3(domains, must_stop)) return std::nullopt;
        return grid_of(domains);
    }
    if (filter.kind == Filter::Kind::rules) return deduced_givens(puzzle, must_stop);
    if (filter.kind == Filter::Kind::techniques) return reasoned_givens(puzzle, filter.techniques, must_stop);
    return puzzle.givens;
}

}  // namespace sudokulab
