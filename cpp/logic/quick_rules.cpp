#include "logic/quick_rules.h"

#include <algorithm>
#include <array>
#include <bit>

namespace sudokulab {
namespace {

constexpr std::size_t num_cells = 81;
constexpr unsigned all_digits = 0x1FF;

struct Tables {
    std::array<std::array<std::uint8_t, 9>, 27> cells{};          // by unit: rows, columns, boxes
    std::array<std::array<std::uint8_t, 3>, num_cells> units{};   // by cell
    std::array<std::array<std::uint8_t, 20>, num_cells> peers{};  // by cell
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
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
        const std::size_t box = cell / 27 * 3 + cell % 9 / 3;
        made.units[cell] = {static_cast<std::uint8_t>(cell / 9), static_cast<std::uint8_t>(9 + cell % 9),
                            static_cast<std::uint8_t>(18 + box)};
        std::size_t number = 0;
        for (std::size_t other = 0; other < num_cells; ++other) {
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

// Digits with a place in some cells, and those with several.
struct Places {
    unsigned any = 0;
    unsigned several = 0;

    Places& operator+=(const Places& other) {
        several |= other.several | (any & other.any);
        any |= other.any;
        return *this;
    }
    unsigned once() const { return any & ~several; }
};

class QuickBoard {
public:
    explicit QuickBoard(const std::uint8_t* givens) {
        cells_.fill(static_cast<std::uint16_t>(all_digits));
        for (std::size_t cell = 0; cell < num_cells; ++cell) {
            if (givens[cell] != 0) restrict_to(cell, 1u << (givens[cell] - 1));
        }
    }

    bool is_solved_by(RuleSet rules) {
        while (true) {
            place_naked_singles();
            if (is_wrong_) return false;
            if (num_placed_ == num_cells) return true;
            has_changed_ = false;
            find_triads();
            place_hidden_singles();
            if (!has_changed_ && rules >= RuleSet::interactions) interact();
            if (!has_changed_ && rules >= RuleSet::pairs) find_subsets(rules == RuleSet::pairs ? 2 : 4);
            if (!has_changed_) return false;
        }
    }

private:
    void restrict_to(std::size_t cell, unsigned digits) {
        const unsigned now = cells_[cell] & digits;
        if (now == cells_[cell]) return;
        has_changed_ = true;
        cells_[cell] = static_cast<std::uint16_t>(now);
        is_wrong_ |= now == 0;
        if (now != 0 && is_single(now)) singles_[num_singles_++] = static_cast<std::uint8_t>(cell);
    }

    void place_naked_singles() {
        for (; num_placed_ < num_singles_ && !is_wrong_; ++num_placed_) {
            const std::size_t cell = singles_[num_placed_];
            const unsigned digit = cells_[cell];
            for (const std::size_t unit : tables.units[cell]) placed_[unit] |= digit;
            for (const std::size_t peer : tables.peers[cell]) {
                if ((cells_[peer] & digit) != 0) restrict_to(peer, ~digit);
            }
        }
    }

    // Three cells of a line in a box form a triad.
    void find_triads() {
        for (std::size_t line = 0; line < 18; ++line) {
            for (std::size_t j = 0; j < 3; ++j) {
                Places places;
                for (std::size_t i = 3 * j; i < 3 * j + 3; ++i) places += {cells_[tables.cells[line][i]], 0};
                triads_[line][j] = places;
            }
        }
    }

    void place_hidden_singles() {
        for (std::size_t line = 0; line < 18; ++line) {
            Places places = triads_[line][0];
            places += triads_[line][1];
            places += triads_[line][2];
            place_once(line, places);
        }
        for (std::size_t box = 0; box < 9; ++box) {
            Places places;
            for (std::size_t row = box / 3 * 3; row < box / 3 * 3 + 3; ++row) places += triads_[row][box % 3];
            place_once(18 + box, places);
        }
    }

    void place_once(std::size_t unit, const Places& places) {
        is_wrong_ |= places.any != all_digits;
        const unsigned hidden = places.once() & ~placed_[unit];
        if (hidden == 0) return;
        for (const std::size_t cell : tables.cells[unit]) {
            if ((cells_[cell] & hidden) != 0) restrict_to(cell, hidden);
        }
    }

    // If all places of a digit in a line, or in a box, are in one triad, it has no other place in the box, or the line.
    void interact() {
        for (std::size_t line = 0; line < 18; ++line) {
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
    void find_subsets(int max_size) {
        for (const auto& unit : tables.cells) {
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
                const bool is_allowed = size <= max_size || num_open - size <= max_size;
                if (!is_allowed || num_digits[digits[chosen]] != size) continue;
                for (std::size_t i = 0; i < static_cast<std::size_t>(num_open); ++i) {
                    if ((chosen >> i & 1) == 0 && (cells_[open[i]] & digits[chosen]) != 0) {
                        restrict_to(open[i], ~unsigned{digits[chosen]});
                    }
                }
                if (has_changed_) return;
            }
        }
    }

    std::array<std::uint16_t, num_cells> cells_;  // candidates
    std::array<unsigned, 27> placed_{};           // by unit: digits
    std::array<std::array<Places, 3>, 18> triads_;
    std::array<std::uint8_t, num_cells> singles_{};
    std::size_t num_singles_ = 0;
    std::size_t num_placed_ = 0;  // of the singles
    bool has_changed_ = false;
    bool is_wrong_ = false;
};

}  // namespace

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
