#include "logic/techniques/strong_links.h"

namespace sudokulab::techniques {

std::vector<StrongLink> strong_links(const TechniqueBoard& board, int digit) {
    const Geometry& geometry = board.geometry();
    std::vector<StrongLink> links;
    if (board.num_placed(digit) == geometry.size()) return links;
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        const std::uint64_t positions = board.positions(unit, digit);
        const std::uint64_t second = positions & (positions - 1);
        if (!has_one_bit(second)) continue;
        links.push_back({unit, geometry.cell(unit, lowest_bit(positions)), geometry.cell(unit, lowest_bit(second))});
    }
    return links;
}

std::vector<Candidate> seen_by_both(const TechniqueBoard& board, int digit, int cell, int other) {
    std::vector<Candidate> seen;
    for (int row = 0; row < board.geometry().size(); ++row) {
        for_each_bit(board.positions(row, digit), [&](int position) {
            const int target = board.geometry().cell(row, position);
            if (board.sees(target, cell) && board.sees(target, other)) seen.push_back({target, digit});
        });
    }
    return seen;
}

Step chain_step(Technique technique, int digit, const std::vector<int>& cells) {
    Step step;
    step.technique = technique;
    step.cells = cells;
    for (const int cell : cells) step.pattern.push_back({cell, digit});
    for (std::size_t k = 1; k < cells.size(); ++k) {
        step.links.push_back({step.pattern[k - 1], step.pattern[k], k % 2 == 1});
    }
    return step;
}

}  // namespace sudokulab::techniques
