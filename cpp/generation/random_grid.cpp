#include "generation/random_grid.h"

#include <bit>
#include <cmath>
#include <numeric>

#include "bulk/bulk.h"
#include "generation/uniform_grid.h"
#include "grid/search_board.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::vector<int> random_order(int number, Rng& rng) {
    std::vector<int> order(at(number));
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(std::span(order));
    return order;
}

// Matches digits to columns, each column with `room` digits, by Kuhn's augmenting paths in random order.
class RandomMatching {
public:
    RandomMatching(int num_digits, int num_columns, int room, Rng& rng)
        : room_(room), rng_(rng), columns_of_(at(num_digits)), digits_in_(at(num_columns)) {}

    void allow(int digit, int column) { columns_of_[at(digit)].push_back(column); }

    // The column of each digit. A perfect matching must exist.
    std::vector<int> match() {
        for (auto& columns : columns_of_) rng_.shuffle(std::span(columns));
        for (const int digit : random_order(static_cast<int>(columns_of_.size()), rng_)) {
            is_visited_.assign(digits_in_.size(), false);
            place(digit);
        }
        std::vector<int> column_of(columns_of_.size());
        for (std::size_t column = 0; column < digits_in_.size(); ++column) {
            for (const int digit : digits_in_[column]) column_of[at(digit)] = static_cast<int>(column);
        }
        return column_of;
    }

private:
    bool place(int digit) {
        for (const int column : columns_of_[at(digit)]) {
            if (is_visited_[at(column)]) continue;
            is_visited_[at(column)] = true;
            auto& digits = digits_in_[at(column)];
            if (digits.size() < at(room_)) {
                digits.push_back(digit);
                return true;
            }
            for (int& other : digits) {
                if (place(other)) {
                    other = digit;
                    return true;
                }
            }
        }
        return false;
    }

    int room_;
    Rng& rng_;
    std::vector<std::vector<int>> columns_of_;  // by digit: the allowed columns
    std::vector<std::vector<int>> digits_in_;   // by column: the assigned digits
    std::vector<bool> is_visited_;
};

Grid built_by_matchings(BoxShape box, Rng& rng) {
    const int size = box.size();
    Grid grid(at(box.num_cells()));
    std::vector<std::uint64_t> used(at(size), 0);  // by column: the digits of the bands above
    for (int band = 0; band < box.cols; ++band) {
        std::vector<std::uint64_t> open(at(size), 0);  // by column: its digits in this band
        for (int stack = 0; stack < box.rows; ++stack) {
            RandomMatching matching(size, box.cols, box.rows, rng);
            for (int digit = 0; digit < size; ++digit) {
                for (int col = 0; col < box.cols; ++col) {
                    if ((used[at(stack * box.cols + col)] >> digit & 1) == 0) matching.allow(digit, col);
                }
            }
            const std::vector<int> column_of = matching.match();
            for (int digit = 0; digit < size; ++digit) {
                open[at(stack * box.cols + column_of[at(digit)])] |= std::uint64_t{1} << digit;
            }
        }
        for (int col = 0; col < size; ++col) used[at(col)] |= open[at(col)];
        for (int row = band * box.rows; row < (band + 1) * box.rows; ++row) {
            RandomMatching matching(size, size, 1, rng);
            for (int col = 0; col < size; ++col) {
                for (std::uint64_t left = open[at(col)]; left != 0; left &= left - 1) {
                    matching.allow(std::countr_zero(left), col);
                }
            }
            const std::vector<int> column_of = matching.match();
            for (int digit = 0; digit < size; ++digit) {
                grid[at(row * size + column_of[at(digit)])] = static_cast<std::uint8_t>(digit + 1);
                open[at(column_of[at(digit)])] &= ~(std::uint64_t{1} << digit);
            }
        }
    }
    return grid;
}

// Lines in random order; the lines of a band or stack stay together.
std::vector<int> random_lines(int num_groups, int width, Rng& rng) {
    std::vector<int> lines;
    for (const int group : random_order(num_groups, rng)) {
        for (const int line : random_order(width, rng)) lines.push_back(group * width + line);
    }
    return lines;
}

Grid with_random_symmetry(const Grid& grid, BoxShape box, Rng& rng) {
    const int size = box.size();
    const std::vector<int> digits = random_order(size, rng);
    const std::vector<int> rows = random_lines(box.cols, box.rows, rng);
    const std::vector<int> cols = random_lines(box.rows, box.cols, rng);
    const bool is_transposed = box.rows == box.cols && rng.below(2) == 1;
    Grid other(grid.size());
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const int from = rows[at(row)] * size + cols[at(col)];
            const int to = is_transposed ? col * size + row : row * size + col;
            other[at(to)] = static_cast<std::uint8_t>(digits[at(grid[at(from)] - 1)] + 1);
        }
    }
    return other;
}

std::optional<Descent> next_descent(BoxShape box, Control& control) {
    while (!control.must_stop()) {
        if (auto descent = random_descent(box, control.rng)) return descent;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Descent> random_descent(BoxShape box, Rng& rng) {
    SearchBoard board(Geometry::of(box));
    Descent descent;
    while (!board.is_full()) {
        const int cell = board.most_constrained_cell();
        std::uint64_t candidates = board.candidates(cell);
        const int number = std::popcount(candidates);
        for (std::uint32_t skip = rng.below(static_cast<std::uint32_t>(number)); skip > 0; --skip)
            candidates &= candidates - 1;
        if (!board.place(cell, std::countr_zero(candidates))) return std::nullopt;
        descent.log_weight += std::log(number);
    }
    descent.grid = board.grid();
    return descent;
}

std::optional<Grid> random_grid(BoxShape box, Control& control) {
    Rng& rng = control.rng;
    if (has_bulk(box)) {
        Grid grid(bulk_cells);
        write_uniform_grid(rng, grid.data());
        return grid;
    }
    if (box.size() > largest_descent) return with_random_symmetry(built_by_matchings(box, rng), box, rng);
    std::optional<Descent> current = next_descent(box, control);
    for (int step = 1; step < num_mixing_steps && current; ++step) {
        std::optional<Descent> other = next_descent(box, control);
        if (!other) return std::nullopt;
        if (rng.uniform() < std::exp(other->log_weight - current->log_weight)) current = std::move(other);
    }
    if (!current) return std::nullopt;
    return with_random_symmetry(current->grid, box, rng);
}

}  // namespace sudokulab
