#include "logic/techniques/exocet.h"

#include <array>

namespace sudokulab::techniques {
namespace {

constexpr int size = 9;
constexpr int num_targets = 9;  // in a box, if the base line is known

// Whether two lines with these places can hold the digit in different places.
bool has_two(std::uint64_t one, std::uint64_t other) { return one != 0 && other != 0 && num_bits(one | other) >= 2; }

bool has_three(std::uint64_t one, std::uint64_t other, std::uint64_t third) {
    return has_two(one, other) && has_two(one, third) && has_two(other, third) && num_bits(one | other | third) >= 3;
}

// Rows, or columns in the place of rows.
class Finder {
public:
    Finder(const TechniqueBoard& board, bool has_rows, const Visitor& visit)
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
    struct TargetCell {
        int cell;
        std::array<int, 2> mirror;  // in the box of the other target
        std::uint64_t digits;       // the base digits it can hold
    };

    struct Target {
        int position;  // of the cross-line
        int num_cells;
        std::array<TargetCell, 2> cells;
        std::uint64_t locked;  // the digit that targets of two cells share

        std::uint64_t digits() const { return cells[0].digits | cells[1].digits; }
    };

    int cell(int line, int position) const { return has_rows_ ? line * size + position : position * size + line; }

    // The candidates of a cell, or its placed digit.
    std::uint64_t digits(int cell) const {
        return board_.is_open(cell) ? board_.candidates(cell) : bit(board_.value(cell) - 1);
    }

    // The lines of the S cells in a cross-line that can hold the digit.
    std::uint64_t s_cells(int position, int digit) const {
        const int places = places_[static_cast<std::size_t>(position)][static_cast<std::size_t>(digit)];
        return static_cast<std::uint64_t>(places & ~(7 << first_line_));
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
        for (int k = 0; k < num_targets * num_targets; ++k) {
            Target one{};
            Target other{};
            if (!set_target(one, stacks[0], k / num_targets) || !set_target(other, stacks[1], k % num_targets))
                continue;
            set_mirrors(one, other);
            set_mirrors(other, one);
            if (is_covered(one.position, other.position) && !report(one, other)) return false;
        }
        return true;
    }

    // Whether a part of the box can be a target: the cell outside the base line with this number, 0 to 5, or both such
    // cells of a cross-line, 6 to 8.
    bool set_target(Target& target, int stack, int number) const {
        target.position = 3 * stack + number % 3;
        const int upper = first_line_ + (line_ == first_line_ ? 1 : 0);
        const int lower = third_line(upper);
        target.cells[0].cell = cell(number / 3 == 1 ? lower : upper, target.position);
        target.cells[1].cell = cell(number / 3 == 1 ? upper : lower, target.position);
        target.num_cells = number < 6 ? 1 : 2;
        for (TargetCell& part : target.cells) part.digits = board_.candidates(part.cell) & base_digits_;
        if (target.num_cells == 1) {
            return target.cells[0].digits != 0 && (digits(target.cells[1].cell) & base_digits_) == 0;
        }
        target.locked = locked_digits(target);
        return target.cells[0].digits != 0 && target.cells[1].digits != 0 && num_bits(target.locked) == 1;
    }

    // The digits besides the base digits that two cells share, but no other cell of their cross-line or their box.
    std::uint64_t locked_digits(const Target& target) const {
        const int one = target.cells[0].cell;
        const int other = target.cells[1].cell;
        std::uint64_t locked = 0;
        for_each_bit(board_.candidates(one) & board_.candidates(other) & ~base_digits_, [&](int digit) {
            for (const UnitKind kind : {has_rows_ ? UnitKind::column : UnitKind::row, UnitKind::box}) {
                if (num_bits(board_.positions(board_.unit(kind, one), digit)) == 2) locked |= bit(digit);
            }
        });
        return locked;
    }

    // The line of the band that is neither the base line nor this one.
    int third_line(int line) const { return 3 * first_line_ + 3 - line_ - line; }

    void set_mirrors(Target& target, const Target& other) const {
        const int first = other.position / 3 * 3;
        for (TargetCell& part : target.cells) {
            const int line = has_rows_ ? part.cell / size : part.cell % size;
            std::size_t count = 0;
            for (int position = first; position < first + 3; ++position) {
                if (position != other.position) part.mirror[count++] = cell(third_line(line), position);
            }
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
        for_each_bit(one.digits(), [&](int first) {
            for_each_bit(other.digits() & ~bit(first), [&](int second) {
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
        keep_target(one, in_one);
        keep_target(other, in_other);
        if (step_.eliminations.empty()) return true;
        describe(one, other);
        return visit_(step_);
    }

    // Removes the digits that do not fit the S cells and the mirrors.
    void limit(Target& target, const Target& other) const {
        for (TargetCell& part : target.cells) {
            part.digits &= digits(part.mirror[0]) | digits(part.mirror[1]);
            for_each_bit(part.digits, [&](int digit) {
                if (!has_two(s_cells(spare_, digit), s_cells(other.position, digit))) part.digits &= ~bit(digit);
            });
        }
    }

    void keep(int cell, std::uint64_t kept) {
        for_each_bit(board_.candidates(cell) & ~kept, [&](int digit) { step_.eliminations.push_back({cell, digit}); });
    }

    void keep_target(const Target& target, std::uint64_t kept) {
        const auto& [one, other] = target.cells;
        if (target.num_cells == 1) {
            keep(one.cell, kept);
            const bool first = (digits(one.mirror[0]) & kept) != 0;
            const bool second = (digits(one.mirror[1]) & kept) != 0;
            if (first != second) keep(one.mirror[first ? 0 : 1], kept);
            return;
        }
        // One cell has the locked digit, the other the base digit.
        keep(one.cell, (one.digits & kept) | ((other.digits & kept) != 0 ? target.locked : 0));
        keep(other.cell, (other.digits & kept) | ((one.digits & kept) != 0 ? target.locked : 0));
    }

    void describe(const Target& one, const Target& other) {
        const int crossing = has_rows_ ? size : 0;
        step_.units = {has_rows_ ? line_ : size + line_, crossing + spare_, crossing + one.position,
                       crossing + other.position};
        step_.variant = one.num_cells + other.num_cells - 2;
        step_.length = num_bits(base_digits_);
        step_.cells = {base_[0], base_[1]};
        step_.nodes.assign(3, {});
        add_pattern(base_[0], step_.nodes[0]);
        add_pattern(base_[1], step_.nodes[0]);
        for (std::size_t k = 0; k < 2; ++k) {
            const Target& target = k == 0 ? one : other;
            for (int i = 0; i < target.num_cells; ++i) {
                step_.cells.push_back(target.cells[static_cast<std::size_t>(i)].cell);
                add_pattern(step_.cells.back(), step_.nodes[k + 1]);
            }
        }
        step_.pattern.clear();
        for (const auto& node : step_.nodes) step_.pattern.insert(step_.pattern.end(), node.begin(), node.end());
    }

    void add_pattern(int cell, std::vector<Candidate>& node) const {
        for_each_bit(board_.candidates(cell) & base_digits_, [&](int digit) { node.push_back({cell, digit}); });
    }

    const TechniqueBoard& board_;
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

bool find_junior_exocets(const TechniqueBoard& board, const Visitor& visit) {
    const BoxShape box = board.geometry().box();
    if (box.rows != 3 || box.cols != 3) return true;
    return Finder(board, true, visit).find() && Finder(board, false, visit).find();
}

}  // namespace sudokulab::techniques
