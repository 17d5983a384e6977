#include "solvers/parts/filter.h"

#include <algorithm>
#include <array>
#include <bit>

#include "grid/search_board.h"
#include "logic/rules.h"
#include "logic/techniques/reasoner.h"
#include "solvers/parts/board_frame.h"

namespace sudokulab {
namespace {

constexpr std::array standard_order{
    Rule::naked_single, Rule::hidden_single, Rule::box_line,       Rule::line_box,         Rule::naked_pair,
    Rule::hidden_pair,  Rule::naked_triplet, Rule::hidden_triplet, Rule::naked_quadruplet, Rule::hidden_quadruplet,
};
static_assert(standard_order.size() == num_rules);

// Each filter returns the board it leaves; nothing on a contradiction or if stopped.

std::optional<SearchBoard> propagated(const Puzzle& puzzle) {
    SearchBoard board(Geometry::of(puzzle.box));
    if (!board.place_givens(puzzle.givens)) return std::nullopt;
    return board;
}

std::optional<DeductionBoard> deduced(const Puzzle& puzzle, Control& control) {
    DeductionBoard board(Geometry::of(puzzle.box));
    if (!board.place_givens(puzzle.givens)) return std::nullopt;
    while (true) {  // one deduction at a time: on large grids all of them can take seconds
        if (control.must_stop()) return std::nullopt;
        const Deduction deduction = deduce(board, standard_order, 1);
        if (deduction.is_contradiction) return std::nullopt;
        if (deduction.highest < 0) return board;
    }
}

std::optional<techniques::TechniqueBoard> reasoned(const Puzzle& puzzle,
                                                   const std::vector<techniques::Technique>& order, Control& control) {
    techniques::TechniqueBoard board(Geometry::of(puzzle.box), puzzle.givens);
    techniques::Reasoner reasoner(order);
    Control own({}, 0, 0, [&control] { return control.must_stop(); });
    while (!board.is_contradictory()) {
        const std::optional<techniques::Step> step = reasoner.next(board, own);
        if (own.must_stop()) return std::nullopt;
        if (!step) return board;
        apply(*step, board);
    }
    return std::nullopt;
}

// Shows the result of a filter other than AC3.
template <class SomeBoard>
std::optional<Grid> in_view(const std::optional<SomeBoard>& board, Control& control) {
    if (!board) return std::nullopt;
    if (control.has_viewer()) {
        control.begin_phase("filter", {"cells_fixed"});
        const Grid grid = board->grid();
        const auto num_fixed = static_cast<std::ptrdiff_t>(grid.size()) - std::count(grid.begin(), grid.end(), 0);
        control.must_stop(0, [&] { return frame_of(*board, Trace::row(num_fixed)); });
        control.end_phase(1);
    }
    return board->grid();
}

}  // namespace

Stats::value_type share_fixed(const std::optional<Grid>& fixed) {
    if (!fixed) return {"share_fixed", 0.0};
    const auto num_open = std::count(fixed->begin(), fixed->end(), 0);
    return {"share_fixed", 1.0 - static_cast<double>(num_open) / static_cast<double>(fixed->size())};
}

Domains initial_domains(const Puzzle& puzzle) {
    const Geometry& geometry = Geometry::of(puzzle.box);
    Domains domains(puzzle.givens.size(), geometry.all());
    for (std::size_t cell = 0; cell < domains.size(); ++cell) {
        if (puzzle.givens[cell] != 0) domains[cell] = std::uint64_t{1} << (puzzle.givens[cell] - 1);
    }
    return domains;
}

Grid grid_of(const Domains& domains) {
    Grid grid(domains.size(), 0);
    for (std::size_t cell = 0; cell < grid.size(); ++cell) {
        if (std::has_single_bit(domains[cell]))
            grid[cell] = static_cast<std::uint8_t>(std::countr_zero(domains[cell]) + 1);
    }
    return grid;
}

bool run_ac3(const ConstraintNetwork& network, Domains& domains, Control& control) {
    control.begin_phase("ac3", {"cells_fixed"});
    std::int64_t num_steps = 0;
    const auto frame = [&] {
        const auto is_fixed = [](std::uint64_t domain) { return std::has_single_bit(domain); };
        return Frame{.values = Trace::row(std::count_if(domains.begin(), domains.end(), is_fixed)),
                     .grid = grid_of(domains),
                     .candidates = domains};
    };
    const bool is_consistent = network.ac3(domains, [&](std::int64_t num_revisions) {
        num_steps = num_revisions;
        return control.must_stop(num_revisions, frame);
    });
    control.end_phase(num_steps + 1);
    return is_consistent;
}

std::optional<Grid> filtered_givens(const Puzzle& puzzle, const Filter& filter, Control& control) {
    if (has_clash(puzzle)) return std::nullopt;
    switch (filter.kind) {
        case Filter::Kind::cp:
            return in_view(propagated(puzzle), control);
        case Filter::Kind::ac3: {
            Domains domains = initial_domains(puzzle);
            const auto& network = ConstraintNetwork::of_sudoku(puzzle.box);
            if (!run_ac3(network, domains, control)) return std::nullopt;
            return grid_of(domains);
        }
        case Filter::Kind::rules:
            return in_view(deduced(puzzle, control), control);
        case Filter::Kind::techniques:
            return in_view(reasoned(puzzle, filter.techniques, control), control);
        default:
            return puzzle.givens;
    }
}

}  // namespace sudokulab
