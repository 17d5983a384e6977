#include "logic/techniques/wings.h"

#include <algorithm>
#include <array>
#include <set>

#include "logic/techniques/combinations.h"
#include "logic/techniques/strong_links.h"

namespace sudokulab::techniques {
namespace {

bool find(const TechniqueBoard& board, bool has_z, const Visitor& visit) {
    const int num_cells = board.geometry().num_cells();
    std::vector<int> bivalue;
    for (int cell = 0; cell < num_cells; ++cell) {
        if (board.num_candidates(cell) == 2) bivalue.push_back(cell);
    }
    Step step;
    step.technique = has_z ? Technique::xyz_wing : Technique::xy_wing;
    for (int hinge = 0; hinge < num_cells; ++hinge) {
        const std::uint64_t digits = board.candidates(hinge);
        if (num_bits(digits) != (has_z ? 3 : 2)) continue;
        for (const int first : bivalue) {
            const std::uint64_t xz = board.candidates(first);
            if (num_bits(digits & ~xz) != 1 || !board.sees(hinge, first)) continue;
            for (const int second : bivalue) {
                const std::uint64_t yz = board.candidates(second);
                if (num_bits(digits | xz | yz) != 3) continue;
                if (num_bits(digits & xz & yz) != (has_z ? 1 : 0) || !board.sees(hinge, second)) continue;
                const int z = lowest_bit(xz & yz);
                step.eliminations.clear();
                for (int cell = 0; cell < num_cells; ++cell) {
                    if (board.has(cell, z) && board.sees(cell, first) && board.sees(cell, second) && cell != hinge &&
                        (!has_z || board.sees(cell, hinge))) {
                        step.eliminations.push_back({cell, z});
                    }
                }
                if (step.eliminations.empty()) continue;
                step.cells = {hinge, first, second};
                step.pattern.clear();
                for (const int cell : step.cells) {
                    for_each_bit(board.candidates(cell), [&](int digit) { step.pattern.push_back({cell, digit}); });
                }
                if (!visit(step)) return false;
            }
        }
    }
    return true;
}

// The cells of a WXYZ-wing, and the only digit whose candidates do not all see each other.
struct BentQuad {
    std::array<int, 4> cells;
    int z;
};

// Fills in z; false if more or less than one digit is free.
bool has_one_free_digit(const TechniqueBoard& board, BentQuad& quad) {
    std::uint64_t free = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) {
            if (board.sees(quad.cells[i], quad.cells[j])) continue;
            free |= board.candidates(quad.cells[i]) & board.candidates(quad.cells[j]);
        }
    }
    if (!has_one_bit(free)) return false;
    quad.z = lowest_bit(free);
    return true;
}

bool is_in_unit(const Geometry& geometry, int cell, int unit) {
    const auto& units = geometry.units(cell).unit;
    return std::find(units.begin(), units.end(), unit) != units.end();
}

bool have_common_cell(const Geometry& geometry, int unit, int other) {
    for (int position = 0; position < geometry.size(); ++position) {
        if (is_in_unit(geometry, geometry.cell(unit, position), other)) return true;
    }
    return false;
}

bool report(const TechniqueBoard& board, const BentQuad& quad, const Visitor& visit) {
    Step step;
    step.technique = Technique::wxyz_wing;
    step.cells.assign(quad.cells.begin(), quad.cells.end());
    for (const int cell : quad.cells) {
        for_each_bit(board.candidates(cell), [&](int digit) { step.pattern.push_back({cell, digit}); });
    }
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        const auto is_seen = [&](int member) { return !board.has(member, quad.z) || board.sees(cell, member); };
        const bool is_member = std::find(quad.cells.begin(), quad.cells.end(), cell) != quad.cells.end();
        if (!is_member && board.has(cell, quad.z) && std::all_of(quad.cells.begin(), quad.cells.end(), is_seen)) {
            step.eliminations.push_back({cell, quad.z});
        }
    }
    return step.eliminations.empty() || visit(step);
}

// Each cell sees another end of the link, and is no end itself.
bool joins(const TechniqueBoard& board, const StrongLink& link, int cell, int other) {
    const auto is_end = [&](int end) { return end == link.first || end == link.second; };
    if (is_end(cell) || is_end(other)) return false;
    return (board.sees(cell, link.first) && board.sees(other, link.second)) ||
           (board.sees(cell, link.second) && board.sees(other, link.first));
}

bool find_joined(const TechniqueBoard& board, int cell, int other, int x, int z, const Visitor& visit) {
    std::vector<Candidate> eliminations = seen_by_both(board, z, cell, other);
    if (eliminations.empty()) return true;
    for (const StrongLink& link : strong_links(board, x)) {
        if (!joins(board, link, cell, other)) continue;
        const bool is_straight = board.sees(cell, link.first) && board.sees(other, link.second);
        const Candidate end{is_straight ? link.first : link.second, x};
        const Candidate other_end{link.other(end.cell), x};
        Step step;
        step.technique = Technique::w_wing;
        step.units = {link.unit};
        step.cells = {cell, end.cell, other_end.cell, other};
        step.pattern = {{cell, z}, {cell, x}, end, other_end, {other, x}, {other, z}};
        for (std::size_t k = 1; k < step.pattern.size(); ++k) {
            step.links.push_back({step.pattern[k - 1], step.pattern[k], k % 2 == 1});
        }
        step.eliminations = eliminations;
        if (!visit(step)) return false;
    }
    return true;
}

}  // namespace

bool find_wxyz_wings(const TechniqueBoard& board, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    std::vector<int> fitting;
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        const int count = board.num_candidates(cell);
        if (count >= 2 && count <= 4) fitting.push_back(cell);
    }
    std::set<std::array<int, 4>> known;
    std::vector<int> cells;
    std::vector<std::uint64_t> candidates;
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        for (int other = unit - unit % geometry.size() + geometry.size(); other < geometry.num_units(); ++other) {
            if (!have_common_cell(geometry, unit, other)) continue;
            cells.clear();
            candidates.clear();
            for (const int cell : fitting) {
                if (!is_in_unit(geometry, cell, unit) && !is_in_unit(geometry, cell, other)) continue;
                cells.push_back(cell);
                candidates.push_back(board.candidates(cell));
            }
            const auto check = [&](std::uint64_t chosen, std::uint64_t digits) {
                if (num_bits(digits) != 4) return true;
                BentQuad quad{};
                std::size_t k = 0;
                for_each_bit(chosen, [&](int index) { quad.cells[k++] = cells[static_cast<std::size_t>(index)]; });
                if (!has_one_free_digit(board, quad) || !known.insert(quad.cells).second) return true;
                return report(board, quad, visit);
            };
            if (!for_each_small_union(candidates, 4, 4, check)) return false;
        }
    }
    return true;
}

bool find_w_wings(const TechniqueBoard& board, const Visitor& visit) {
    const int num_cells = board.geometry().num_cells();
    for (int cell = 0; cell < num_cells; ++cell) {
        const std::uint64_t digits = board.candidates(cell);
        if (num_bits(digits) != 2) continue;
        for (int other = cell + 1; other < num_cells; ++other) {
            if (board.candidates(other) != digits || board.sees(cell, other)) continue;
            const int first = lowest_bit(digits);
            const int second = lowest_bit(digits & (digits - 1));
            if (!find_joined(board, cell, other, second, first, visit)) return false;
            if (!find_joined(board, cell, other, first, second, visit)) return false;
        }
    }
    return true;
}

bool find_xy_wings(const TechniqueBoard& board, const Visitor& visit) { return find(board, false, visit); }

bool find_xyz_wings(const TechniqueBoard& board, const Visitor& visit) { return find(board, true, visit); }

}  // namespace sudokulab::techniques
