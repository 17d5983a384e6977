#include "solvers/parts/box_permutation.h"

#include <algorithm>
#include <cassert>

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

BoxPermutation::BoxPermutation(const Geometry& geometry, std::span<const std::uint8_t> fixed)
    : geometry_(&geometry),
      digits_(fixed.begin(), fixed.end()),
      is_open_(fixed.size(), 0),
      where_(fixed.size()),
      open_cells_(at(geometry.size())),
      row_counts_(fixed.size(), 0),
      col_counts_(fixed.size(), 0) {
    const int size = geometry.size();
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        const int box = geometry.units(cell).unit[2] - 2 * size;
        auto& open = open_cells_[at(box)];
        where_[at(cell)] = {static_cast<std::uint16_t>(cell / size * size),
                            static_cast<std::uint16_t>(cell % size * size), static_cast<std::uint16_t>(box),
                            static_cast<std::uint16_t>(open.size())};
        if (fixed[at(cell)] != 0) continue;
        is_open_[at(cell)] = 1;
        open.push_back(cell);
        ++num_open_;
    }
    for (const auto& open : open_cells_) {
        if (open.size() > 1) swappable_.insert(swappable_.end(), open.begin(), open.end());
    }
}

std::vector<int> BoxPermutation::missing_digits(int box) const {
    std::uint64_t missing = geometry_->all();
    for (int position = 0; position < geometry_->size(); ++position) {
        const int cell = geometry_->cell(2 * geometry_->size() + box, position);
        if (!is_open(cell)) missing &= ~(std::uint64_t{1} << digit(cell));
    }
    std::vector<int> digits;
    for (int value = 0; value < geometry_->size(); ++value) {
        if ((missing >> value & 1) != 0) digits.push_back(value);
    }
    return digits;
}

void BoxPermutation::fill_at_random(Rng& rng) {
    for (int box = 0; box < geometry_->size(); ++box) {
        std::vector<int> digits = missing_digits(box);
        rng.shuffle(std::span(digits));
        const auto& cells = open_cells_[at(box)];
        assert(digits.size() == cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) digits_[at(cells[i])] = static_cast<std::uint8_t>(digits[i] + 1);
    }
    recount();
}

void BoxPermutation::fill(std::span<const std::uint8_t> grid) {
    assert(grid.size() == digits_.size());
    std::copy(grid.begin(), grid.end(), digits_.begin());
    recount();
}

void BoxPermutation::recount() {
    std::fill(row_counts_.begin(), row_counts_.end(), 0);
    std::fill(col_counts_.begin(), col_counts_.end(), 0);
    for (int cell = 0; cell < geometry_->num_cells(); ++cell) {
        ++in_row(cell, digit(cell));
        ++in_col(cell, digit(cell));
    }
    cost_ = static_cast<int>(std::count(row_counts_.begin(), row_counts_.end(), 0) +
                             std::count(col_counts_.begin(), col_counts_.end(), 0));
}

std::pair<int, int> BoxPermutation::random_swap(Rng& rng) const {
    assert(has_swaps());
    const int first = swappable_[rng.below(static_cast<std::uint32_t>(swappable_.size()))];
    const Where& place = where(first);
    assert(place.index < open_cells_[place.box].size() && open_cells_[place.box][place.index] == first);
    const auto& cells = open_cells_[place.box];
    std::uint32_t other = rng.below(static_cast<std::uint32_t>(cells.size() - 1));
    if (other >= place.index) ++other;
    return {first, cells[other]};
}

int BoxPermutation::delta(int first, int second) const {
    assert(where(first).box == where(second).box);
    const int a = digit(first);
    const int b = digit(second);
    int change = 0;
    if (where(first).row != where(second).row) {
        change +=
            (in_row(first, a) == 1) - (in_row(first, b) == 0) + (in_row(second, b) == 1) - (in_row(second, a) == 0);
    }
    if (where(first).col != where(second).col) {
        change +=
            (in_col(first, a) == 1) - (in_col(first, b) == 0) + (in_col(second, b) == 1) - (in_col(second, a) == 0);
    }
    return change;
}

void BoxPermutation::swap(int first, int second, int delta) {
    assert(is_open(first) && is_open(second) && delta == this->delta(first, second));
    const int a = digit(first);
    const int b = digit(second);
    --in_row(first, a);
    ++in_row(first, b);
    --in_row(second, b);
    ++in_row(second, a);
    --in_col(first, a);
    ++in_col(first, b);
    --in_col(second, b);
    ++in_col(second, a);
    std::swap(digits_[at(first)], digits_[at(second)]);
    cost_ += delta;
    assert(cost_ >= 0);
}

int BoxPermutation::conflicts(int cell) const { return in_row(cell, digit(cell)) + in_col(cell, digit(cell)) - 2; }

}  // namespace sudokulab
