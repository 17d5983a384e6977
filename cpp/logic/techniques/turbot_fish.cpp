#include "logic/techniques/turbot_fish.h"

#include <algorithm>
#include <array>

#include "logic/techniques/strong_links.h"

namespace sudokulab::techniques {
namespace {

UnitKind kind_of_unit(const TechniqueBoard& board, int unit) {
    return static_cast<UnitKind>(unit / board.geometry().size());
}

// Visits the chain from one free end to the other, if it removes something.
bool report(const TechniqueBoard& board, Technique technique, int digit, const std::array<int, 4>& cells,
            const std::vector<int>& units, const Visitor& visit) {
    std::vector<Candidate> eliminations = seen_by_both(board, digit, cells.front(), cells.back());
    if (eliminations.empty()) return true;
    Step step = chain_step(technique, digit, {cells.begin(), cells.end()});
    step.units = units;
    step.eliminations = std::move(eliminations);
    return visit(step);
}

// Calls visit(link, other, end, other_end) for every pair of links and each choice of one end from both, until it
// returns false.
template <class Visit>
bool for_each_joint(const std::vector<StrongLink>& links, Visit visit) {
    for (std::size_t i = 0; i < links.size(); ++i) {
        for (std::size_t j = i + 1; j < links.size(); ++j) {
            for (const int end : {links[i].first, links[i].second}) {
                for (const int other_end : {links[j].first, links[j].second}) {
                    if (!visit(links[i], links[j], end, other_end)) return false;
                }
            }
        }
    }
    return true;
}

// Without the second link between two cells that share two units.
std::vector<StrongLink> distinct_links(const TechniqueBoard& board, int digit) {
    std::vector<StrongLink> links;
    for (const StrongLink& link : strong_links(board, digit)) {
        const auto is_same = [&](const StrongLink& other) {
            return other.first == link.first && other.second == link.second;
        };
        if (std::none_of(links.begin(), links.end(), is_same)) links.push_back(link);
    }
    return links;
}

bool is_kite(const TechniqueBoard& board, const StrongLink& row, const StrongLink& column, int end, int other_end) {
    if (kind_of_unit(board, row.unit) != UnitKind::row || kind_of_unit(board, column.unit) != UnitKind::column) {
        return false;
    }
    const int box = board.unit(UnitKind::box, end);
    return end != other_end && board.unit(UnitKind::box, other_end) == box &&
           board.unit(UnitKind::box, row.other(end)) != box &&
           board.unit(UnitKind::box, column.other(other_end)) != box;
}

bool find_kites(const TechniqueBoard& board, int digit, const Visitor& visit) {
    return for_each_joint(strong_links(board, digit),
                          [&](const StrongLink& row, const StrongLink& column, int end, int other_end) {
                              return !is_kite(board, row, column, end, other_end) ||
                                     report(board, Technique::two_string_kite, digit,
                                            {row.other(end), end, other_end, column.other(other_end)},
                                            {row.unit, column.unit, board.unit(UnitKind::box, end)}, visit);
                          });
}

}  // namespace

bool find_skyscrapers(const TechniqueBoard& board, const Visitor& visit) {
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        const bool is_finished = for_each_joint(
            strong_links(board, digit), [&](const StrongLink& line, const StrongLink& other, int end, int other_end) {
                const UnitKind kind = kind_of_unit(board, line.unit);
                if (kind == UnitKind::box || kind_of_unit(board, other.unit) != kind) return true;
                const UnitKind crossing = kind == UnitKind::row ? UnitKind::column : UnitKind::row;
                const int free_end = line.other(end);
                const int other_free_end = other.other(other_end);
                if (board.unit(crossing, end) != board.unit(crossing, other_end)) return true;
                if (board.unit(crossing, free_end) == board.unit(crossing, other_free_end)) return true;
                return report(board, Technique::skyscraper, digit, {free_end, end, other_end, other_free_end},
                              {line.unit, other.unit, board.unit(crossing, end)}, visit);
            });
        if (!is_finished) return false;
    }
    return true;
}

bool find_two_string_kites(const TechniqueBoard& board, const Visitor& visit) {
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        if (!find_kites(board, digit, visit)) return false;
    }
    return true;
}

bool find_dual_two_string_kites(const TechniqueBoard& board, const Visitor& visit) {
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        std::vector<Step> kites;
        find_kites(board, digit, [&](const Step& step) {
            kites.push_back(step);
            return true;
        });
        for (std::size_t i = 0; i < kites.size(); ++i) {
            for (std::size_t j = i + 1; j < kites.size(); ++j) {
                // The row of one kite passes through the same cell of the box as the column of the other.
                const Step& other = kites[j];
                if (kites[i].cells[1] != other.cells[2] || kites[i].cells[2] != other.cells[1]) continue;
                if (kites[i].eliminations.front().cell == other.eliminations.front().cell) continue;
                Step step = kites[i];
                step.technique = Technique::dual_two_string_kite;
                step.units.insert(step.units.end(), other.units.begin(), other.units.end());
                step.cells.insert(step.cells.end(), other.cells.begin(), other.cells.end());
                step.pattern.insert(step.pattern.end(), other.pattern.begin(), other.pattern.end());
                step.links.insert(step.links.end(), other.links.begin(), other.links.end());
                remove_repeats(step);
                step.eliminations.push_back(other.eliminations.front());
                if (!visit(step)) return false;
            }
        }
    }
    return true;
}

bool find_turbot_fish(const TechniqueBoard& board, const Visitor& visit) {
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        const bool is_finished = for_each_joint(
            distinct_links(board, digit), [&](const StrongLink& link, const StrongLink& other, int end, int other_end) {
                const int free_end = link.other(end);
                const int other_free_end = other.other(other_end);
                if (!board.sees(end, other_end) || free_end == other_end || other_free_end == end ||
                    free_end == other_free_end) {
                    return true;
                }
                return report(board, Technique::turbot_fish, digit, {free_end, end, other_end, other_free_end},
                              {link.unit, other.unit}, visit);
            });
        if (!is_finished) return false;
    }
    return true;
}

}  // namespace sudokulab::techniques
