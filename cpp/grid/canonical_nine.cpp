// Finds the canonical form of a 9×9 solution grid.
//
// The first row of the form is 123456789. Given the row that becomes the first, the row below it permutes the columns,
// and only the order of the columns decides how small it gets: a table has the best orders of every second row. The few
// choices of two rows with the smallest second row leave nothing open but to sort the other rows.
#include <algorithm>
#include <numeric>

#include "grid/canonical.h"

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

// The second row of a grid, as the column of the first row that holds each of its digits. Reordering the columns
// conjugates this permutation; the smallest conjugate is the second row of the form, less one.
class SecondRows {
public:
    struct Order {
        Line cols;       // the source of each position
        Line positions;  // the inverse
    };

    struct Entry {
        std::uint16_t rank = unset;    // of the smallest conjugate among all of them
        std::uint16_t num_orders = 0;  // that lead there
        std::uint32_t first = 0;       // of them
    };

    SecondRows() {
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

    const Entry& operator[](const Line& row) const { return entries_[index(row)]; }
    const Order& order(std::uint32_t index) const { return orders_[choices_[index]]; }

private:
    static constexpr std::uint16_t unset = 0xffff;
    static constexpr std::uint8_t no_pair = 0xff;
    static constexpr std::size_t num_sets = 84;   // of three columns
    static constexpr std::size_t num_pairs = 56;  // of sets in the first two boxes of a row

    struct Triple {
        std::uint8_t set;    // which columns
        std::uint8_t order;  // in which order
    };

    static std::vector<Line> possible_rows() {
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

    void number_triples() {
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
    void number_pairs(const std::vector<Line>& rows) {
        for (auto& of_one : pairs_) of_one.fill(no_pair);
        std::uint8_t num_found = 0;
        for (const Line& row : rows) {
            std::uint8_t& pair = pairs_[triples_[code(&row[0])].set][triples_[code(&row[3])].set];
            if (pair == no_pair) pair = num_found++;
        }
    }

    static std::size_t code(const std::uint8_t* triple) { return triple[0] * 81u + triple[1] * 9u + triple[2]; }

    std::size_t index(const Line& row) const {
        const Triple& one = triples_[code(&row[0])];
        const Triple& other = triples_[code(&row[3])];
        const Triple& last = triples_[code(&row[6])];
        return ((pairs_[one.set][other.set] * 6u + one.order) * 6u + other.order) * 6u + last.order;
    }

    // Records the orders that turn any row into this one.
    void add_class(const Line& smallest, std::uint16_t rank) {
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

    std::array<Triple, 729> triples_{};
    std::array<std::array<std::uint8_t, num_sets>, num_sets> pairs_{};
    std::array<Entry, num_pairs * 6 * 6 * 6> entries_{};
    std::vector<Order> orders_;
    std::vector<std::uint16_t> choices_;  // orders, grouped by row
};

const SecondRows& second_rows() {
    static const SecondRows table;
    return table;
}

// The grid or its transpose, with digits from 0.
struct View {
    std::array<Line, size> lines;
    std::array<Line, size> col_of;  // by row and digit
};

class NineSearch {
public:
    explicit NineSearch(std::span<const std::uint8_t> grid) : table_(second_rows()) {
        for (std::size_t row = 0; row < size; ++row) {
            for (std::size_t col = 0; col < size; ++col) {
                const auto digit = static_cast<std::uint8_t>(grid[row * size + col] - 1);
                views_[0].lines[row][col] = views_[1].lines[col][row] = digit;
                views_[0].col_of[row][digit] = static_cast<std::uint8_t>(col);
                views_[1].col_of[col][digit] = static_cast<std::uint8_t>(row);
            }
        }
    }

    SmallestForm run() {
        smallest_.fill(~std::uint64_t{0});
        choose_pairs();
        for (const Pair& pair : pairs_) {
            for (std::uint32_t k = 0; k < pair.entry->num_orders; ++k) {
                arrange(pair, table_.order(pair.entry->first + k));
            }
        }
        SmallestForm found;
        found.cells = cells();
        found.transformations = std::move(best_);
        found.num_transformations = static_cast<std::int64_t>(found.transformations.size());
        return found;
    }

private:
    // The first two rows, and what the table says about them.
    struct Pair {
        bool is_transposed;
        std::uint8_t first;
        std::uint8_t second;
        const SecondRows::Entry* entry;
    };

    void choose_pairs() {
        for (const bool is_transposed : {false, true}) {
            const View& view = views_[is_transposed];
            for (std::uint8_t first = 0; first < size; ++first) {
                for (std::uint8_t k = 1; k < 3; ++k) {
                    const auto second = static_cast<std::uint8_t>(first / 3 * 3 + (first + k) % 3);
                    Line row;
                    for (std::size_t col = 0; col < size; ++col) {
                        row[col] = view.col_of[first][view.lines[second][col]];
                    }
                    const SecondRows::Entry& entry = table_[row];
                    if (!pairs_.empty() && entry.rank > pairs_.front().entry->rank) continue;
                    if (!pairs_.empty() && entry.rank < pairs_.front().entry->rank) pairs_.clear();
                    pairs_.push_back({is_transposed, first, second, &entry});
                }
            }
        }
    }

    // Keeps this arrangement if no other gives smaller rows.
    void arrange(const Pair& pair, const SecondRows::Order& order) {
        const View& view = views_[pair.is_transposed];
        Line labels;
        for (std::size_t col = 0; col < size; ++col) {
            labels[view.lines[pair.first][col]] = static_cast<std::uint8_t>(order.positions[col] + 1);
        }
        const Line rows = sorted_rows(pair, view, order.cols[0], labels);
        bool is_smaller = false;
        for (std::size_t k = 1; k < size; ++k) {
            std::uint64_t row = 0;
            for (const std::uint8_t col : order.cols) row = row << 4 | labels[view.lines[rows[k]][col]];
            if (!is_smaller && row > smallest_[k]) return;
            is_smaller = is_smaller || row < smallest_[k];
            smallest_[k] = row;
        }
        if (is_smaller) best_.clear();
        best_.push_back({pair.is_transposed, rows, order.cols, labels});
    }

    // The first column decides the order of the other rows: its digits are all different.
    static Line sorted_rows(const Pair& pair, const View& view, std::uint8_t first_col, const Line& labels) {
        Line row_of{};  // by label in the first column
        std::array<std::uint8_t, size> label_of{};
        for (std::uint8_t row = 0; row < size; ++row) {
            label_of[row] = labels[view.lines[row][first_col]];
            row_of[label_of[row] - 1u] = row;
        }
        const int top = pair.first / 3;
        Line rows{pair.first, pair.second, static_cast<std::uint8_t>(9 * top + 3 - pair.first - pair.second)};
        std::size_t num_placed = 3;
        int next = -1;
        for (const std::uint8_t row : row_of) {  // the band of the smallest label first
            if (row / 3 != top && next < 0) next = row / 3;
            if (row / 3 == next) rows[num_placed++] = row;
        }
        for (const std::uint8_t row : row_of) {
            if (row / 3 == 3 - top - next) rows[num_placed++] = row;
        }
        return rows;
    }

    CanonicalCells cells() const {
        CanonicalCells found{};
        for (std::size_t col = 0; col < size; ++col) found[col] = static_cast<std::uint8_t>(col + 1);
        for (std::size_t row = 1; row < size; ++row) {
            for (std::size_t col = 0; col < size; ++col) {
                found[row * size + col] = static_cast<std::uint8_t>(smallest_[row] >> (4 * (size - 1 - col)) & 15);
            }
        }
        return found;
    }

    const SecondRows& table_;
    std::array<View, 2> views_;
    std::vector<Pair> pairs_;
    std::array<std::uint64_t, size> smallest_;  // rows of the form, four bits per cell
    std::vector<Transformation> best_;
};

}  // namespace

SmallestForm smallest_nine(std::span<const std::uint8_t> grid) { return NineSearch(grid).run(); }

}  // namespace sudokulab
