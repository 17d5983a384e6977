#include "logic/techniques/singles.h"

namespace sudokulab::techniques {
namespace {

// The unit is -1 for naked singles.
Step single_step(Technique technique, int unit, const Candidate& single) {
    Step step;
    step.technique = technique;
    if (unit >= 0) step.units = {unit};
    step.cells = {single.cell};
    step.pattern = {single};
    step.placements = {single};
    return step;
}

// Calls visit(unit, single) for each full house or hidden single until it returns false.
template <class Visit>
bool for_each_in_units(const TechniqueBoard& board, bool is_full_house, Visit visit) {
    const Geometry& geometry = board.geometry();
    for (const UnitKind kind : {UnitKind::box, UnitKind::column, UnitKind::row}) {
        const int first = board.first_unit(kind);
        for (int unit = first; unit < first + geometry.size(); ++unit) {
            if (is_full_house && board.num_open(unit) != 1) continue;
            for (std::uint64_t left = geometry.all() & ~board.placed(unit); left != 0; left &= left - 1) {
                const int digit = lowest_bit(left);
                const std::uint64_t positions = board.positions(unit, digit);
                if (!has_one_bit(positions)) continue;
                if (!visit(unit, Candidate{geometry.cell(unit, lowest_bit(positions)), digit})) return false;
            }
        }
    }
    return true;
}

// Calls visit(unit, single) for each naked single until it returns false.
template <class Visit>
bool for_each_naked(const TechniqueBoard& board, Visit visit) {
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (board.num_candidates(cell) != 1) continue;
        if (!visit(-1, Candidate{cell, lowest_bit(board.candidates(cell))})) return false;
    }
    return true;
}

template <class Visit>
bool for_each_single(const TechniqueBoard& board, Technique technique, Visit visit) {
    if (technique == Technique::naked_single) return for_each_naked(board, visit);
    return for_each_in_units(board, technique == Technique::full_house, visit);
}

bool find_singles(const TechniqueBoard& board, Technique technique, const Visitor& visit) {
    return for_each_single(board, technique, [&](int unit, const Candidate& single) {
        return visit(single_step(technique, unit, single));
    });
}

}  // namespace

bool find_full_houses(const TechniqueBoard& board, const Visitor& visit) {
    return find_singles(board, Technique::full_house, visit);
}

bool find_hidden_singles(const TechniqueBoard& board, const Visitor& visit) {
    return find_singles(board, Technique::hidden_single, visit);
}

bool find_naked_singles(const TechniqueBoard& board, const Visitor& visit) {
    return find_singles(board, Technique::naked_single, visit);
}

std::optional<Step> first_single(const TechniqueBoard& board, Technique technique) {
    std::optional<Step> first;
    for_each_single(board, technique, [&](int unit, const Candidate& single) {
        first = single_step(technique, unit, single);
        return false;
    });
    return first;
}

bool find_last_digits(const TechniqueBoard& board, const Visitor& visit) {
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

}  // namespace sudokulab::techniques
