#include "logic/techniques/fish.h"

#include <array>

#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array names{Technique::x_wing,    Technique::swordfish, Technique::jellyfish,
                           Technique::squirmbag, Technique::whale,     Technique::leviathan};

bool report(const OpenBoard& board, int digit, int first_base, int first_cover, std::uint64_t base, std::uint64_t cover,
            Step& step, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    step.eliminations.clear();
    for_each_bit(cover, [&](int line) {
        const int unit = first_cover + line;
        for_each_bit(board.positions(unit, digit) & ~base,
                     [&](int position) { step.eliminations.push_back({geometry.cell(unit, position), digit}); });
    });
    if (step.eliminations.empty()) return true;
    step.units.clear();
    step.cells.clear();
    step.pattern.clear();
    for_each_bit(base, [&](int line) {
        step.units.push_back(first_base + line);
        for_each_bit(board.positions(first_base + line, digit), [&](int position) {
            step.cells.push_back(geometry.cell(first_base + line, position));
            step.pattern.push_back({step.cells.back(), digit});
        });
    });
    for_each_bit(cover, [&](int line) { step.units.push_back(first_cover + line); });
    return visit(step);
}

}  // namespace

bool find_fish(const OpenBoard& board, int size, Coverage coverage, Control& control, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    Step step;
    step.technique = names[static_cast<std::size_t>(size - 2)];
    const int min_missing = coverage == Coverage::explainer ? 2 * size : size + 1;
    std::uint64_t open = 0;
    for (int digit = 0; digit < geometry.size(); ++digit) {
        if (board.num_placed(digit) + min_missing <= geometry.size()) open |= bit(digit);
    }
    for (const UnitKind kind : {UnitKind::column, UnitKind::row}) {
        const int first_base = board.first_unit(kind);
        const int first_cover = board.first_unit(kind == UnitKind::row ? UnitKind::column : UnitKind::row);
        std::array<int, max_size> lines;
        std::array<std::uint64_t, max_size> fitting;  // by line: the digits with 2 to `size` positions
        int num_lines = 0;
        for (int line = 0; line < geometry.size(); ++line) {
            std::uint64_t digits = 0;
            for_each_bit(open, [&](int digit) {
                const int count = num_bits(board.positions(first_base + line, digit));
                if (count >= 2 && count <= size) digits |= bit(digit);
            });
            if (digits == 0) continue;
            lines[static_cast<std::size_t>(num_lines)] = line;
            fitting[static_cast<std::size_t>(num_lines++)] = digits;
        }
        const bool is_finished = for_each_combination(num_lines, size, [&](std::uint64_t chosen) {
            if (control.must_stop()) return false;
            std::uint64_t digits = open;
            for_each_bit(chosen, [&](int k) { digits &= fitting[static_cast<std::size_t>(k)]; });
            for (; digits != 0; digits &= digits - 1) {
                const int digit = lowest_bit(digits);
                std::uint64_t base = 0;
                std::uint64_t cover = 0;
                for_each_bit(chosen, [&](int k) {
                    const int line = lines[static_cast<std::size_t>(k)];
                    base |= bit(line);
                    cover |= board.positions(first_base + line, digit);
                });
                if (num_bits(cover) == size &&
                    !report(board, digit, first_base, first_cover, base, cover, step, visit)) {
                    return false;
                }
            }
            return true;
        });
        if (!is_finished) return false;
    }
    return true;
}

}  // namespace sudokulab::techniques
