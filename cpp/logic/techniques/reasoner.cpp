#include "logic/techniques/reasoner.h"

#include "logic/techniques/catalogue.h"

namespace sudokulab::techniques {

void apply(const Step& step, OpenBoard& board) {
    for (const Candidate& placed : step.placements) board.place(placed.cell, placed.digit);
    for (const Candidate& removed : step.eliminations) {
        if (board.has(removed.cell, removed.digit)) board.remove(removed.cell, removed.digit);
    }
}

Reasoner::Reasoner(std::vector<Technique> order) : order_(std::move(order)) {}

std::optional<Step> Reasoner::next(const OpenBoard& board, Control& control) {
    for (const Technique technique : order_) {
        if (control.must_stop()) return std::nullopt;
        if (std::optional<Step> step = first_of(technique, board, control)) return step;
    }
    return std::nullopt;
}

std::optional<Step> Reasoner::first_of(Technique technique, const OpenBoard& board, Control& control) {
    std::optional<Step> first;
    find_instances(technique, board, control, [&](const Step& step) {
        first = step;
        return false;
    });
    return first;
}

}  // namespace sudokulab::techniques
