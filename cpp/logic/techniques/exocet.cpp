#include "logic/techniques/exocet.h"

#include <array>

namespace sudokulab::techniques {
namespace {

constexpr int size = 9;

// Whether two lines with these places can hold the digit in different places.
bool has_two(int one, int other) { return one != 0 && other != 0 && num_bits(one | other) >= 2; }

bool has_three(int one, int other, int third) {
    return has_two(one, other) && has_two(one, third) && has_two(other, third) && num_bits(one | other | third) >= 3;
}

// Rows, or columns in the place of rows.
class Finder {
public:
    Finder(const OpenBoard& board, bool has_rows, const Visitor& visit)
        : board_(board), has_rows_(has_rows), visit_(visit) {
        step_.technique = Technique::junior_exocet;
        for (int line = 0; line < size; ++line) {
            for (int position = 0; position < size; ++position) {
                for_each_bit(digits(cell(line, position)), [&](int digit) {
                    places_[static_cast<std::size_t>(position)][static_cast<std::size_t>(digit)] |= 1 << line;
                });
            }
        }
    }

    bool find() {
        for (int line = 0; line < size; ++line) {
            for (int stack = 0; stack < 3; ++stack) {
                for (int spare = 3 * stack + 2; spare >= 3 * stack; --spare) {
                    if (!find_at(line, stack, spare)) return false;
                }
            }
        }
        return true;
    }

private:
    struct Target {
        int cell;
        int line;
        int position;
        std::array<int, 2> mirror;  // in the box of the other target
        std::uint64_t digits;       // that it can hold
    };

    int cell(int line, int position) const { return has_rows_ ? line * size + position : position * size + line; }

    // The candidates of a cell, or its placed digit.
    std::uint64_t digits(int cell) const {
        return board_.is_open(cell) ? board_.candidates(cell) : bit(board_.value(cell) - 1);
    }

    // The lines of the S cells in a cross-line that can hold the digit.
    int s_cells(int position, int digit) const {
        return places_[static_cast<std::size_t>(position)][static_cast<std::size_t>(digit)] & ~(7 << first_line_);
    }

    bool find_at(int line, int stack, int spare) {
        line_ = line;
        first_line_ = line / 3 * 3;
        spare_ = spare;
        const int first = 3 * stack + (spare == 3 * stack ? 1 : 0);
        const int second = 3 * stack + (spare == 3 * stack + 2 ? 1 : 2);
        base_ = {cell(line, first), cell(line, second)};
        base_digits_ = board_.candidates(base_[0]) | board_.candidates(base_[1]);
        if (!board_.is_open(base_[0]) || !board_.is_open(base_[1])) return true;
        if (num_bits(base_digits_) < 3 || num_bits(base_digits_) > 4) return true;
        const std::array<int, 2> stacks{stack == 0 ? 1 : 0, stack == 2 ? 1 : 2};
        for (int k = 0; k < 6 * 6; ++k) {
            Target one{};
            Target other{};
            if (!set_target(one, stacks[0], k / 6) || !set_target(other, stacks[1], k % 6)) continue;
            set_mirror(one, other);
            set_mirror(other, one);
            if (is_covered(one.position, other.position) && !report(one, other)) return false;
        }
        return true;
    }

    // Whether the cell, the number 0 to 5 outside the base line in its box, can be a target.
    bool set_target(Target& target, int stack, int number) const {
        target.line = first_line_ + number / 3 + (number / 3 >= line_ - first_line_ ? 1 : 0);
        target.position = 3 * stack + number % 3;
        target.cell = cell(target.line, target.position);
        target.digits = board_.candidates(target.cell) & base_digits_;
        return target.digits != 0 && (digits(cell(third_line(target), target.position)) & base_digits_) == 0;
    }

    // The line of the band that has neither the bases nor the target.
    int third_line(const Target& target) const { return 3 * first_line_ + 3 - line_ - target.line; }

    void set_mirror(Target& target, const Target& other) const {
        const int first = other.position / 3 * 3;
        std::size_t count = 0;
        for (int position = first; position < first + 3; ++position) {
            if (position != other.position) target.mirror[count++] = cell(third_line(target), position);
        }
    }

    bool is_covered(int one, int other) const {
        bool is_covered = true;
        for_each_bit(base_digits_, [&](int digit) {
            is_covered &= !has_three(s_cells(spare_, digit), s_cells(one, digit), s_cells(other, digit));
        });
        return is_covered;
    }

    bool report(Target& one, Target& other) {
        limit(one, other);
        limit(other, one);
        // What remains if bases and targets hold the same two digits.
        std::array<std::uint64_t, 2> in_base{};
        std::uint64_t in_one = 0;
        std::uint64_t in_other = 0;
        for_each_bit(one.digits, [&](int first) {
            for_each_bit(other.digits & ~bit(first), [&](int second) {
                for (std::size_t k = 0; k < 2; ++k) {
                    if (!board_.has(base_[k], first) || !board_.has(base_[1 - k], second)) continue;
                    in_base[k] |= bit(first);
                    in_base[1 - k] |= bit(second);
                    in_one |= bit(first);
                    in_other |= bit(second);
                }
            });
        });
        if (in_one == 0) return true;  // the board has no solution

        step_.eliminations.clear();
        for (std::size_t k = 0; k < 2; ++k) keep(base_[k], in_base[k]);
        keep(one.cell, in_one);
        keep(other.cell, in_other);
        keep_mirror(one, in_one);
        keep_mirror(other, in_other);
        if (step_.eliminations.empty()) return true;
        describe(one, other);
        return visit_(step_);
    }

    // Removes the digits that do not fit the S cells and the mirror.
    void limit(Target& target, const Target& other) const {
        const std::uint64_t in_mirror = digits(target.mirror[0]) | digits(target.mirror[1]);
        for_each_bit(target.digits, [&](int digit) {
            const bool has_s_cells = has_two(s_cells(spare_, digit), s_cells(other.position, digit));
            if (!has_s_cells || (in_mirror >> digit & 1) == 0) target.digits &= ~bit(digit);
        });
    }

    void keep(int cell, std::uint64_t kept) {
        for_each_bit(board_.candidates(cell) & ~kept, [&](int digit) { step_.eliminations.push_back({cell, digit}); });
    }

    void keep_mirror(const Target& target, std::uint64_t kept) {
        const bool first = (digits(target.mirror[0]) & kept) != 0;
        const bool second = (digits(target.mirror[1]) & kept) != 0;
        if (first != second) keep(target.mirror[first ? 0 : 1], kept);
    }

    void describe(const Target& one, const Target& other) {
        const int crossing = has_rows_ ? size : 0;
        step_.units = {has_rows_ ? line_ : size + line_, crossing + spare_, crossing + one.position,
                       crossing + other.position};
        step_.cells = {base_[0], base_[1], one.cell, other.cell};
        step_.length = num_bits(base_digits_);
        step_.pattern.clear();
        step_.nodes.assign(3, {});
        for (std::size_t k = 0; k < 4; ++k) {
            for_each_bit(board_.candidates(step_.cells[k]) & base_digits_, [&](int digit) {
                step_.nodes[k == 0 ? 0 : k - 1].push_back({step_.cells[k], digit});
                step_.pattern.push_back({step_.cells[k], digit});
            });
        }
    }

    const OpenBoard& board_;
    const bool has_rows_;
    const Visitor& visit_;
    std::array<std::array<int, size>, size> places_{};  // the lines that can hold the digit, by position and digit
    int line_ = 0;                                      // of the bases
    int first_line_ = 0;                                // of the band
    int spare_ = 0;                                     // the cross-line of the base box
    std::array<int, 2> base_{};
    std::uint64_t base_digits_ = 0;
    Step step_;
};

}  // namespace

bool find_junior_exocets(const OpenBoard& board, const Visitor& visit) {
    const BoxShape box = board.geometry().box();
    if (box.rows != 3 || box.cols != 3) return true;
    return Finder(board, true, visit).find() && Finder(board, false, visit).find();
}

}  // namespace sudokulab::techniques
