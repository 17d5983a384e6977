#include "grid/second_rows.h"

#include <algorithm>
#include <numeric>

namespace sudokulab {
namespace {

using Line = CanonicalLine;

constexpr std::size_t size = 9;

// Calls visit(order) for the 1296 orders of the columns that keep stacks together.
template <class Visit>
void visit_orders(Visit visit) {
    std::array<std::uint8_t, 3> stacks{0, 1, 2};
    do {
        Line order{};
        for (std::size_t k = 0; k < size; ++k) order[k] = static_cast<std::uint8_t>(3 * stacks[k / 3] + k % 3);
        do {
            do {
                do visit(order);
                while (std::next_permutation(order.begin() + 6, order.end()));
            } while (std::next_permutation(order.begin() + 3, order.begin() + 6));
        } while (std::next_permutation(order.begin(), order.begin() + 3));
    } while (std::next_permutation(stacks.begin(), stacks.end()));
}

}  // namespace

SecondRows::SecondRows() {
    number_triples();
    visit_orders([&](const Line& cols) {
        Order order{cols, {}};
        for (std::size_t k = 0; k < size; ++k) order.positions[cols[k]] = static_cast<std::uint8_t>(k);
        orders_.push_back(order);
    });
    const std::vector<Line> rows = possible_rows();
    number_pairs(rows);
    std::uint16_t rank = 0;
    for (const Line& row : rows) {  // ascending, so the first row of a class is the smallest
        if ((*this)[row].rank == unset) add_class(row, rank++);
    }
}

const SecondRows& SecondRows::table() {
    static const SecondRows table;
    return table;
}

std::vector<SecondRows::Line> SecondRows::possible_rows() {
    std::vector<Line> rows;
    Line row;
    std::iota(row.begin(), row.end(), std::uint8_t{0});
    do {
        bool is_possible = true;
        for (std::size_t k = 0; k < size; ++k) is_possible = is_possible && row[k] / 3u != k / 3;
        if (is_possible) rows.push_back(row);
    } while (std::next_permutation(row.begin(), row.end()));
    return rows;
}

void SecondRows::number_triples() {
    std::uint8_t num_found = 0;
    for (std::uint8_t a = 0; a < size; ++a) {
        for (auto b = static_cast<std::uint8_t>(a + 1); b < size; ++b) {
            for (auto c = static_cast<std::uint8_t>(b + 1); c < size; ++c, ++num_found) {
                std::array<std::uint8_t, 3> triple{a, b, c};
                std::uint8_t order = 0;
                do triples_[code(triple.data())] = {num_found, order++};
                while (std::next_permutation(triple.begin(), triple.end()));
            }
        }
    }
}

// Numbers the sets of columns in the first two boxes; they determine the third.
void SecondRows::number_pairs(const std::vector<Line>& rows) {
    for (auto& of_one : pairs_) of_one.fill(no_pair);
    std::uint8_t num_found = 0;
    for (const Line& row : rows) {
        std::uint8_t& pair = pairs_[triples_[code(&row[0])].set][triples_[code(&row[3])].set];
        if (pair == no_pair) pair = num_found++;
    }
}

// Records the orders that turn any row into this one.
void SecondRows::add_class(const Line& smallest, std::uint16_t rank) {
    std::vector<std::pair<std::size_t, std::uint16_t>> found;  // index of the row, order
    for (std::size_t k = 0; k < orders_.size(); ++k) {
        const Line& cols = orders_[k].cols;
        Line row{};
        for (std::size_t position = 0; position < size; ++position) row[cols[position]] = cols[smallest[position]];
        found.emplace_back(index(row), static_cast<std::uint16_t>(k));
    }
    std::sort(found.begin(), found.end());
    for (const auto& [index, order] : found) {
        Entry& entry = entries_[index];
        if (entry.rank == unset) entry = {rank, 0, static_cast<std::uint32_t>(choices_.size())};
        ++entry.num_orders;
        choices_.push_back(order);
    }
}

}  // namespace sudokulab
