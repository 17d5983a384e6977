// Finds the canonical form of a 9×9 solution grid.
//
// The first row of the form is 123456789. Given the row that becomes the first, the row below it permutes the columns,
// and only the order of the columns decides how small it gets: a table has the best orders of every second row. The few
// choices of two rows with the smallest second row leave nothing open but to sort the other rows.
#include "grid/canonical.h"
#include "grid/second_rows.h"

namespace sudokulab {
namespace {

using Line = CanonicalLine;

constexpr std::size_t size = 9;

// The grid or its transpose, with digits from 0.
struct View {
    std::array<Line, size> lines;
    std::array<Line, size> col_of;  // by row and digit
};

class NineSearch {
public:
    explicit NineSearch(std::span<const std::uint8_t> grid) : table_(SecondRows::table()) {
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
