#include "logic/techniques/colouring.h"

#include <algorithm>
#include <array>

#include "logic/techniques/strong_links.h"

namespace sudokulab::techniques {
namespace {

using Cells = std::vector<int>;

// A connected set of strong links.
struct Colours {
    std::array<Cells, 2> cells;  // by colour, ascending
    std::vector<StrongLink> links;
};

std::vector<Colours> colour(const TechniqueBoard& board, int digit) {
    std::vector<StrongLink> links = strong_links(board, digit);
    std::vector<int> colour_of(static_cast<std::size_t>(board.geometry().num_cells()), -1);
    std::vector<Colours> sets;
    while (!links.empty()) {
        int start = board.geometry().num_cells();
        for (const StrongLink& link : links) start = std::min(start, link.first);
        Colours set;
        Cells open{start};
        colour_of[static_cast<std::size_t>(start)] = 0;
        while (!open.empty()) {
            const int cell = open.back();
            open.pop_back();
            const int own = colour_of[static_cast<std::size_t>(cell)];
            set.cells[static_cast<std::size_t>(own)].push_back(cell);
            std::erase_if(links, [&](const StrongLink& link) {
                if (link.first != cell && link.second != cell) return false;
                set.links.push_back(link);
                int& other = colour_of[static_cast<std::size_t>(link.other(cell))];
                if (other < 0) {
                    other = 1 - own;
                    open.push_back(link.other(cell));
                }
                return true;
            });
        }
        for (Cells& cells : set.cells) std::sort(cells.begin(), cells.end());
        sets.push_back(std::move(set));
    }
    return sets;
}

bool sees(const TechniqueBoard& board, int cell, const Cells& cells) {
    return std::any_of(cells.begin(), cells.end(), [&](int other) { return board.sees(cell, other); });
}

bool sees(const TechniqueBoard& board, const Cells& cells, const Cells& others) {
    return std::any_of(cells.begin(), cells.end(), [&](int cell) { return sees(board, cell, others); });
}

// Reports the cells of one or two sets, and removes the targets.
class Reporter {
public:
    Reporter(const TechniqueBoard& board, Technique technique, const Visitor& visit)
        : board_(board), technique_(technique), visit_(visit) {}

    bool report(int digit, int kind, const std::vector<const Colours*>& sets, Cells targets) const {
        if (targets.empty()) return true;
        Step step;
        step.technique = technique_;
        step.variant = kind;
        for (const Colours* set : sets) {
            for (const Cells& cells : set->cells) {
                std::vector<Candidate>& colour = step.nodes.emplace_back();
                for (const int cell : cells) colour.push_back({cell, digit});
                step.cells.insert(step.cells.end(), cells.begin(), cells.end());
                step.pattern.insert(step.pattern.end(), colour.begin(), colour.end());
            }
            for (const StrongLink& link : set->links) {
                step.links.push_back({{link.first, digit}, {link.second, digit}, true});
            }
        }
        std::sort(targets.begin(), targets.end());
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        for (const int cell : targets) step.eliminations.push_back({cell, digit});
        return visit_(step);
    }

    // Adds the candidates that see both.
    void add_seen_by_both(int digit, const Cells& cells, const Cells& others, Cells& targets) const {
        for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
            if (board_.has(cell, digit) && sees(board_, cell, cells) && sees(board_, cell, others)) {
                targets.push_back(cell);
            }
        }
    }

private:
    const TechniqueBoard& board_;
    const Technique technique_;
    const Visitor& visit_;
};

}  // namespace

bool find_simple_colouring(const TechniqueBoard& board, const Visitor& visit) {
    const Reporter reporter(board, Technique::simple_colouring, visit);
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        for (const Colours& set : colour(board, digit)) {
            Cells wrapped;
            for (const Cells& cells : set.cells) {
                if (sees(board, cells, cells)) wrapped.insert(wrapped.end(), cells.begin(), cells.end());
            }
            if (!reporter.report(digit, 2, {&set}, wrapped)) return false;
            Cells trapped;
            reporter.add_seen_by_both(digit, set.cells[0], set.cells[1], trapped);
            if (!reporter.report(digit, 1, {&set}, trapped)) return false;
        }
    }
    return true;
}

bool find_multi_colouring(const TechniqueBoard& board, const Visitor& visit) {
    const Reporter reporter(board, Technique::multi_colouring, visit);
    // The cells of a colour of the first set that sees both colours of the second.
    const auto false_cells = [&](const Colours& set, const Colours& other) {
        Cells cells;
        for (const Cells& own : set.cells) {
            if (sees(board, own, other.cells[0]) && sees(board, own, other.cells[1])) {
                cells.insert(cells.end(), own.begin(), own.end());
            }
        }
        return cells;
    };
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        const std::vector<Colours> sets = colour(board, digit);
        for (std::size_t i = 0; i < sets.size(); ++i) {
            for (std::size_t j = i + 1; j < sets.size(); ++j) {
                const Colours& set = sets[i];
                const Colours& other = sets[j];
                if (!reporter.report(digit, 2, {&set, &other}, false_cells(set, other))) return false;
                if (!reporter.report(digit, 2, {&other, &set}, false_cells(other, set))) return false;
                Cells targets;
                for (std::size_t k = 0; k < 2; ++k) {
                    for (std::size_t l = 0; l < 2; ++l) {
                        if (!sees(board, set.cells[k], other.cells[l])) continue;
                        reporter.add_seen_by_both(digit, set.cells[1 - k], other.cells[1 - l], targets);
                    }
                }
                if (!reporter.report(digit, 1, {&set, &other}, targets)) return false;
            }
        }
    }
    return true;
}

}  // namespace sudokulab::techniques
