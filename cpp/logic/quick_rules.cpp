#include "logic/quick_rules.h"

#include <array>
#include <bit>
#include <utility>

namespace sudokulab {
namespace {

constexpr unsigned all_digits = 0x1FF;
constexpr std::uint32_t all_lines = (1u << 18) - 1;  // of the units

struct Tables {
    std::array<std::array<std::uint8_t, 9>, 27> cells{};                      // by unit: rows, columns, boxes
    std::array<std::array<std::uint8_t, 3>, QuickBoard::num_cells> units{};   // by cell
    std::array<std::uint32_t, QuickBoard::num_cells> unit_sets{};             // the same as bits
    std::array<std::array<std::uint8_t, 20>, QuickBoard::num_cells> peers{};  // by cell
};

constexpr Tables tables = [] {
    Tables made;
    for (std::size_t k = 0; k < 9; ++k) {
        for (std::size_t i = 0; i < 9; ++i) {
            made.cells[k][i] = static_cast<std::uint8_t>(9 * k + i);
            made.cells[9 + k][i] = static_cast<std::uint8_t>(9 * i + k);
            made.cells[18 + k][i] = static_cast<std::uint8_t>(9 * (k / 3 * 3 + i / 3) + k % 3 * 3 + i % 3);
        }
    }
    for (std::size_t cell = 0; cell < QuickBoard::num_cells; ++cell) {
        const std::size_t box = cell / 27 * 3 + cell % 9 / 3;
        made.units[cell] = {static_cast<std::uint8_t>(cell / 9), static_cast<std::uint8_t>(9 + cell % 9),
                            static_cast<std::uint8_t>(18 + box)};
        for (const std::uint8_t unit : made.units[cell]) made.unit_sets[cell] |= 1u << unit;
        std::size_t number = 0;
        for (std::size_t other = 0; other < QuickBoard::num_cells; ++other) {
            const bool is_in_box = box == other / 27 * 3 + other % 9 / 3;
            if (other == cell || !(cell / 9 == other / 9 || cell % 9 == other % 9 || is_in_box)) continue;
            made.peers[cell][number++] = static_cast<std::uint8_t>(other);
        }
    }
    return made;
}();

bool is_single(unsigned digits) { return (digits & (digits - 1)) == 0; }

constexpr std::array<std::uint8_t, 512> num_digits = [] {  // without a call where machines may lack an instruction
    std::array<std::uint8_t, 512> numbers{};
    for (unsigned set = 1; set < 512; ++set) numbers[set] = static_cast<std::uint8_t>(numbers[set / 2] + set % 2);
    return numbers;
}();

}  // namespace

QuickBoard::QuickBoard(const std::uint8_t* givens) {
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
        if (givens[cell] == 0) continue;
        const unsigned digit = 1u << (givens[cell] - 1);
        for (const std::size_t unit : tables.units[cell]) {
            is_wrong_ |= (placed_[unit] & digit) != 0;
            placed_[unit] |= static_cast<std::uint16_t>(digit);
        }
        cells_[cell] = static_cast<std::uint16_t>(digit);
        singles_[num_singles_++] = static_cast<std::uint8_t>(cell);
    }
    num_placed_ = num_singles_;
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
        if (givens[cell] != 0) continue;
        const auto& [row, column, box] = tables.units[cell];
        const unsigned digits =
            all_digits & ~unsigned{placed_[row]} & ~unsigned{placed_[column]} & ~unsigned{placed_[box]};
        cells_[cell] = static_cast<std::uint16_t>(digits);
        is_wrong_ |= digits == 0;
        singles_[num_singles_] = static_cast<std::uint8_t>(cell);
        num_singles_ += is_single(digits) ? 1 : 0;
    }
}

void QuickBoard::place(std::size_t cell, unsigned digit) { restrict_to(cell, 1u << (digit - 1)); }

bool QuickBoard::is_solved_by(RuleSet rules) {
    while (true) {
        place_naked_singles();
        if (is_wrong_) return false;
        if (num_placed_ == num_cells) return true;
        const std::uint32_t changed = std::exchange(changed_, 0);
        not_interacted_ |= changed;
        not_searched_ |= changed;
        find_triads(changed);
        place_hidden_singles(changed);
        if (changed_ == 0 && rules >= RuleSet::interactions) interact();
        if (changed_ == 0 && rules >= RuleSet::pairs) find_subsets(rules == RuleSet::pairs ? 2 : 4);
        if (changed_ == 0) return false;
    }
}

void QuickBoard::restrict_to(std::size_t cell, unsigned digits) {
    const unsigned now = cells_[cell] & digits;
    if (now == cells_[cell]) return;
    changed_ |= tables.unit_sets[cell];
    cells_[cell] = static_cast<std::uint16_t>(now);
    is_wrong_ |= now == 0;
    if (now != 0 && is_single(now)) singles_[num_singles_++] = static_cast<std::uint8_t>(cell);
}

// Without branches, which would be unpredictable.
void QuickBoard::place_naked_singles() {
    std::uint32_t changed = 0;
    bool is_wrong = is_wrong_;
    std::size_t num_singles = num_singles_;
    for (; num_placed_ < num_singles && !is_wrong; ++num_placed_) {
        const std::size_t cell = singles_[num_placed_];
        const unsigned digit = cells_[cell];
        for (const std::size_t unit : tables.units[cell]) placed_[unit] |= static_cast<std::uint16_t>(digit);
        for (const std::size_t peer : tables.peers[cell]) {
            const unsigned before = cells_[peer];
            const unsigned now = before & ~digit;
            const bool has_changed = now != before;
            cells_[peer] = static_cast<std::uint16_t>(now);
            changed |= tables.unit_sets[peer] & (0u - has_changed);
            is_wrong |= now == 0;
            singles_[num_singles] = static_cast<std::uint8_t>(peer);
            num_singles += has_changed & is_single(now);
        }
    }
    num_singles_ = num_singles;
    changed_ |= changed;
    is_wrong_ = is_wrong;
}

void QuickBoard::find_triads(std::uint32_t units) {
    for (std::uint32_t left = units & all_lines; left != 0; left &= left - 1) {
        const auto line = static_cast<std::size_t>(std::countr_zero(left));
        for (std::size_t j = 0; j < 3; ++j) {
            Places places;
            for (std::size_t i = 3 * j; i < 3 * j + 3; ++i) places += {cells_[tables.cells[line][i]], 0};
            triads_[line][j] = places;
        }
    }
}

void QuickBoard::place_hidden_singles(std::uint32_t units) {
    for (std::uint32_t left = units; left != 0; left &= left - 1) {
        const auto unit = static_cast<std::size_t>(std::countr_zero(left));
        Places places;
        if (unit < 18) {
            for (const Places& triad : triads_[unit]) places += triad;
        } else {
            const std::size_t box = unit - 18;
            for (std::size_t row = box / 3 * 3; row < box / 3 * 3 + 3; ++row) places += triads_[row][box % 3];
        }
        place_once(unit, places);
    }
}

void QuickBoard::place_once(std::size_t unit, const Places& places) {
    is_wrong_ |= places.any != all_digits;
    const unsigned hidden = places.any & ~places.several & ~placed_[unit];
    if (hidden == 0) return;
    for (const std::size_t cell : tables.cells[unit]) {
        if ((cells_[cell] & hidden) != 0) restrict_to(cell, hidden);
    }
}

// If all places of a digit in a line, or in a box, are in one triad, it has no other place in the box, or the line.
void QuickBoard::interact() {
    const std::uint32_t stale = std::exchange(not_interacted_, 0);
    for (std::size_t line = 0; line < 18; ++line) {
        if ((stale >> (line / 3 * 3) & 7) == 0) continue;          // its band or stack has not changed
        const std::size_t second = line / 3 * 3 + (line + 1) % 3;  // the other lines of the band or stack
        const std::size_t third = line / 3 * 3 + (line + 2) % 3;
        for (std::size_t j = 0; j < 3; ++j) {
            const unsigned in_line = triads_[line][(j + 1) % 3].any | triads_[line][(j + 2) % 3].any;
            const unsigned in_box = triads_[second][j].any | triads_[third][j].any;
            const unsigned here = triads_[line][j].any;
            const unsigned not_in_box = here & ~in_line & in_box;
            const unsigned not_in_line = here & ~in_box & in_line;
            if (not_in_box != 0) {
                for (std::size_t i = 3 * j; i < 3 * j + 3; ++i) {
                    restrict_to(tables.cells[second][i], ~not_in_box);
                    restrict_to(tables.cells[third][i], ~not_in_box);
                }
            }
            if (not_in_line != 0) {
                for (std::size_t i = 3 * j + 3; i < 3 * j + 9; ++i) {
                    restrict_to(tables.cells[line][i % 9], ~not_in_line);
                }
            }
        }
    }
}

// Naked subsets up to a size; a hidden one is the complement of a naked one among the open cells of its unit.
void QuickBoard::find_subsets(int largest) {
    while (not_searched_ != 0) {
        const auto& unit = tables.cells[static_cast<std::size_t>(std::countr_zero(not_searched_))];
        not_searched_ &= not_searched_ - 1;
        std::array<std::uint8_t, 9> open;
        int num_open = 0;
        for (const std::uint8_t cell : unit) {
            if (!is_single(cells_[cell])) open[static_cast<std::size_t>(num_open++)] = cell;
        }
        if (num_open < 4) continue;
        std::array<std::uint16_t, 512> digits;  // of every set of open cells
        digits[0] = 0;
        const unsigned all = (1u << num_open) - 1;
        for (unsigned chosen = 1; chosen < all; ++chosen) {
            const auto lowest = static_cast<std::size_t>(std::countr_zero(chosen));
            digits[chosen] = digits[chosen & (chosen - 1)] | cells_[open[lowest]];
            const int size = num_digits[chosen];
            const bool is_allowed = size <= largest || num_open - size <= largest;
            if (!is_allowed || num_digits[digits[chosen]] != size) continue;
            for (std::size_t i = 0; i < static_cast<std::size_t>(num_open); ++i) {
                if ((chosen >> i & 1) == 0 && (cells_[open[i]] & digits[chosen]) != 0) {
                    restrict_to(open[i], ~unsigned{digits[chosen]});
                }
            }
            if (changed_ != 0) return;
        }
    }
}

std::optional<RuleSet> rule_set_of(std::span<const Rule> rules) {
    static constexpr std::array<std::size_t, 4> sizes{2, 4, 6, num_rules};  // each contains the first rules
    std::uint32_t bits = 0;
    for (const Rule rule : rules) bits |= 1u << static_cast<unsigned>(rule);
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        if (bits == (1u << sizes[k]) - 1) return static_cast<RuleSet>(k);
    }
    return std::nullopt;
}

bool is_solved_quickly(const std::uint8_t* givens, RuleSet rules) { return QuickBoard(givens).is_solved_by(rules); }

}  // namespace sudokulab
