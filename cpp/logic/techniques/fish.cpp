#include "logic/techniques/fish.h"

#include <array>

#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array names{Technique::x_wing,    Technique::swordfish, Technique::jellyfish,
                           Technique::squirmbag, Technique::whale,     Technique::leviathan};

class Finder {
public:
    Finder(const TechniqueBoard& board, int size, Coverage coverage, Control& control, const Visitor& visit)
        : board_(board), size_(size), control_(control), visit_(visit) {
        step_.technique = names[static_cast<std::size_t>(size - 2)];
        const int min_missing = coverage == Coverage::explainer ? 2 * size : size + 1;
        for (int digit = 0; digit < board.geometry().size(); ++digit) {
            if (board.num_placed(digit) + min_missing <= board.geometry().size()) open_ |= bit(digit);
        }
    }

    bool find(UnitKind base, UnitKind cover) {
        first_base_ = board_.first_unit(base);
        first_cover_ = board_.first_unit(cover);
        collect_lines();
        return for_each_combination(num_lines_, size_, [&](std::uint64_t chosen) {
            if (control_.must_stop()) return false;
            std::uint64_t digits = open_;
            for_each_bit(chosen, [&](int k) { digits &= fitting_[static_cast<std::size_t>(k)]; });
            for (; digits != 0; digits &= digits - 1) {
                if (!check(chosen, lowest_bit(digits))) return false;
            }
            return true;
        });
    }

private:
    // The lines that can be in a base.
    void collect_lines() {
        num_lines_ = 0;
        for (int line = 0; line < board_.geometry().size(); ++line) {
            std::uint64_t digits = 0;
            for_each_bit(open_, [&](int digit) {
                const int count = num_bits(board_.positions(first_base_ + line, digit));
                if (count >= 2 && count <= size_) digits |= bit(digit);
            });
            if (digits == 0) continue;
            lines_[static_cast<std::size_t>(num_lines_)] = line;
            fitting_[static_cast<std::size_t>(num_lines_++)] = digits;
        }
    }

    bool check(std::uint64_t chosen, int digit) {
        std::uint64_t base = 0;
        std::uint64_t cover = 0;
        for_each_bit(chosen, [&](int k) {
            const int line = lines_[static_cast<std::size_t>(k)];
            base |= bit(line);
            cover |= board_.positions(first_base_ + line, digit);
        });
        return num_bits(cover) != size_ || report(digit, base, cover);
    }

    bool report(int digit, std::uint64_t base, std::uint64_t cover) {
        const Geometry& geometry = board_.geometry();
        step_.eliminations.clear();
        for_each_bit(cover, [&](int line) {
            const int unit = first_cover_ + line;
            for_each_bit(board_.positions(unit, digit) & ~base,
                         [&](int position) { step_.eliminations.push_back({geometry.cell(unit, position), digit}); });
        });
        if (step_.eliminations.empty()) return true;
        step_.units.clear();
        step_.cells.clear();
        step_.pattern.clear();
        for_each_bit(base, [&](int line) {
            step_.units.push_back(first_base_ + line);
            for_each_bit(board_.positions(first_base_ + line, digit), [&](int position) {
                step_.cells.push_back(geometry.cell(first_base_ + line, position));
                step_.pattern.push_back({step_.cells.back(), digit});
            });
        });
        for_each_bit(cover, [&](int line) { step_.units.push_back(first_cover_ + line); });
        return visit_(step_);
    }

    const TechniqueBoard& board_;
    const int size_;
    Control& control_;
    const Visitor& visit_;
    std::uint64_t open_ = 0;  // the digits missing from enough lines
    int first_base_ = 0;
    int first_cover_ = 0;
    int num_lines_ = 0;
    std::array<int, max_size> lines_;
    std::array<std::uint64_t, max_size> fitting_;  // by line: the digits with 2 to `size` positions
    Step step_;
};

}  // namespace

bool find_fish(const TechniqueBoard& board, int size, Coverage coverage, Control& control, const Visitor& visit) {
    Finder finder(board, size, coverage, control, visit);
    return finder.find(UnitKind::column, UnitKind::row) && finder.find(UnitKind::row, UnitKind::column);
}

}  // namespace sudokulab::techniques
