#include "logic/techniques/singles.h"

namespace sudokulab::techniques {
namespace {

bool find_in_units(const OpenBoard& board, bool is_full_house, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    Step step;
    step.technique = is_full_house ? Technique::full_house : Technique::hidden_single;
    for (const UnitKind kind : {UnitKind::box, UnitKind::column, UnitKind::row}) {
        const int first = board.first_unit(kind);
        for (int unit = first; unit < first + geometry.size(); ++unit) {
            const int num_open = board.num_open(unit);
            if (num_open == 0 || (is_full_house && num_open > 1)) continue;
            for (std::uint64_t left = geometry.all() & ~board.placed(unit); left != 0; left &= left - 1) {
                const int digit = lowest_bit(left);
                const std::uint64_t positions = board.positions(unit, digit);
                if (!has_one_bit(positions)) continue;
                const int cell = geometry.cell(unit, lowest_bit(positions));
                step.units = {unit};
                step.cells = {cell};
                step.pattern = {{cell, digit}};
                step.placements = step.pattern;
                if (!visit(step)) return false;
            }
        }
    }
    return true;
}

}  // namespace

bool find_full_houses(const OpenBoard& board, const Visitor& visit) { return find_in_units(board, true, visit); }

bool find_last_digits(const OpenBoard& board, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    Step step;
    step.technique = Technique::last_digit;
    for (int digit = 0; digit < geometry.size(); ++digit) {
        if (board.num_placed(digit) != geometry.size() - 1) continue;
        for (int row = 0; row < geometry.size(); ++row) {
            const std::uint64_t positions = board.positions(row, digit);
            if (!has_one_bit(positions)) continue;
            const int cell = geometry.cell(row, lowest_bit(positions));
            step.cells = {cell};
            step.pattern = {{cell, digit}};
            step.placements = step.pattern;
            if (!visit(step)) return false;
        }
    }
    return true;
}

bool find_hidden_singles(const OpenBoard& board, const Visitor& visit) { return find_in_units(board, false, visit); }

bool find_naked_singles(const OpenBoard& board, const Visitor& visit) {
    Step step;
    step.technique = Technique::naked_single;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (!has_one_bit(board.candidates(cell))) continue;
        step.cells = {cell};
        step.pattern = {{cell, lowest_bit(board.candidates(cell))}};
        step.placements = step.pattern;
        if (!visit(step)) return false;
    }
    return true;
}

}  // namespace sudokulab::techniques
