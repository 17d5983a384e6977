#include "logic/techniques/remote_pairs.h"

#include <algorithm>

#include "logic/techniques/strong_links.h"

namespace sudokulab::techniques {
namespace {

// The shortest chains from a cell to all others with the same two candidates: the previous cell of each, the start for
// the start itself, and -1 where no chain leads.
std::vector<int> shortest_chains(const TechniqueBoard& board, int start) {
    const int num_cells = board.geometry().num_cells();
    std::vector<int> previous(static_cast<std::size_t>(num_cells), -1);
    std::vector<int> queue{start};
    previous[static_cast<std::size_t>(start)] = start;
    for (std::size_t k = 0; k < queue.size(); ++k) {
        const int cell = queue[k];
        for (int next = 0; next < num_cells; ++next) {
            if (board.candidates(next) != board.candidates(start) || !board.sees(cell, next)) continue;
            if (previous[static_cast<std::size_t>(next)] >= 0) continue;
            previous[static_cast<std::size_t>(next)] = cell;
            queue.push_back(next);
        }
    }
    return previous;
}

std::vector<Candidate> eliminations(const TechniqueBoard& board, const std::vector<int>& chain) {
    std::vector<Candidate> removed;
    for_each_bit(board.candidates(chain.front()), [&](int digit) {
        std::vector<int> cells;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            for (std::size_t j = i + 3; j < chain.size(); j += 2) {
                for (const Candidate& seen : seen_by_both(board, digit, chain[i], chain[j])) cells.push_back(seen.cell);
            }
        }
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        for (const int cell : cells) removed.push_back({cell, digit});
    });
    return removed;
}

bool removes_by_ends(const TechniqueBoard& board, const std::vector<int>& chain) {
    bool removes = false;
    for_each_bit(board.candidates(chain.front()),
                 [&](int digit) { removes |= !seen_by_both(board, digit, chain.front(), chain.back()).empty(); });
    return removes;
}

Step step_of(const TechniqueBoard& board, const std::vector<int>& chain) {
    Step step;
    step.technique = Technique::remote_pair;
    step.cells = chain;
    step.length = 2 * static_cast<int>(chain.size()) - 1;
    const std::uint64_t digits = board.candidates(chain.front());
    const int first = lowest_bit(digits);
    const int second = lowest_bit(digits & (digits - 1));
    for (std::size_t k = 0; k < chain.size(); ++k) {
        const Candidate entry{chain[k], k % 2 == 0 ? first : second};
        const Candidate exit{chain[k], k % 2 == 0 ? second : first};
        if (k > 0) step.links.push_back({step.pattern.back(), entry, false});
        step.links.push_back({entry, exit, true});
        step.pattern.insert(step.pattern.end(), {entry, exit});
    }
    step.eliminations = eliminations(board, chain);
    return step;
}

}  // namespace

bool find_remote_pairs(const TechniqueBoard& board, const Visitor& visit) {
    const int num_cells = board.geometry().num_cells();
    for (int start = 0; start < num_cells; ++start) {
        if (board.num_candidates(start) != 2) continue;
        const std::vector<int> previous = shortest_chains(board, start);
        for (int end = start + 1; end < num_cells; ++end) {
            if (previous[static_cast<std::size_t>(end)] < 0) continue;
            std::vector<int> chain{end};
            while (chain.back() != start) chain.push_back(previous[static_cast<std::size_t>(chain.back())]);
            if (chain.size() < 4 || chain.size() % 2 != 0) continue;
            std::reverse(chain.begin(), chain.end());
            if (removes_by_ends(board, chain) && !visit(step_of(board, chain))) return false;
        }
    }
    return true;
}

}  // namespace sudokulab::techniques
