// Finds the canonical form of any puzzle, row by row, keeping all arrangements with the smallest rows so far.
//
// Columns and stacks that no row distinguishes stay unordered, and interchangeable rows and bands are tried once, so
// blanks and symmetries do not multiply the arrangements: the empty grid has two, one of them transposed.
#include <algorithm>

#include "grid/canonical.h"

namespace sudokulab {
namespace {

constexpr std::size_t width = max_canonical_size;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

using Line = CanonicalLine;

// The arrangements that agree on the rows placed so far, up to the order of columns and stacks not yet distinguished.
struct Arrangement {
    bool is_transposed = false;
    std::uint8_t num_labels = 0;
    std::uint16_t used_rows = 0;
    std::uint16_t group_starts = 0;                // positions at which a group of interchangeable columns begins
    std::uint16_t class_starts = 1;                // positions at which a class of interchangeable stacks begins
    Line rows{};                                   // the source of each row placed
    Line cols{};                                   // the source of each column; in any order within a group, or a class
    std::array<std::uint8_t, width + 1> labels{};  // by digit, 0 if it has not appeared yet
    std::int64_t weight = 1;                       // equivalent choices of rows and bands that were not tried
};

// The grid or its transpose, and which of its rows and bands are equal.
struct View {
    std::array<Line, width> lines{};
    std::array<std::uint64_t, width> contents{};                  // of a row, packed
    std::array<std::array<std::uint64_t, width>, width> bands{};  // the contents of their rows, sorted
};

View view_of(BoxShape box, std::span<const std::uint8_t> cells, bool is_transposed) {
    View view;
    const int size = box.size();
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const std::uint8_t digit = cells[at(is_transposed ? col * size + row : row * size + col)];
            view.lines[at(row)][at(col)] = digit;
            view.contents[at(row)] = view.contents[at(row)] << 4 | digit;
        }
    }
    for (int row = 0; row < size; ++row) view.bands[at(row / box.rows)][at(row % box.rows)] = view.contents[at(row)];
    for (int band = 0; band < box.cols; ++band) {
        std::sort(view.bands[at(band)].begin(), view.bands[at(band)].begin() + box.rows);
    }
    return view;
}

class CanonicalSearch {
public:
    CanonicalSearch(BoxShape box, std::span<const std::uint8_t> cells)
        : box_(box), size_(box.size()), views_{view_of(box, cells, false), view_of(box, cells, true)} {}

    SmallestForm run() {
        SmallestForm found;
        std::vector<Arrangement> current = starts();
        for (int row = 0; row < size_; ++row) {
            smallest_.fill(not_yet);
            next_.clear();
            for (const Arrangement& arrangement : current) extend(arrangement, row);
            std::copy_n(smallest_.begin(), size_, found.cells.begin() + row * size_);
            std::swap(current, next_);
        }
        for (const Arrangement& arrangement : current) {
            found.transformations.push_back(transformation(arrangement));
            found.num_transformations += num_arrangements(arrangement);
        }
        return found;
    }

private:
    static constexpr std::uint8_t not_yet = 255;  // larger than any digit

    std::vector<Arrangement> starts() const {
        Arrangement start;
        for (int col = 0; col < size_; ++col) start.cols[at(col)] = static_cast<std::uint8_t>(col);
        for (int col = 0; col < size_; col += box_.cols) mark(start.group_starts, col);
        std::vector<Arrangement> all{start};
        if (box_.rows == box_.cols) {
            start.is_transposed = true;
            all.push_back(start);
        }
        return all;
    }

    static void mark(std::uint16_t& starts, int position) {
        starts = static_cast<std::uint16_t>(starts | 1 << position);
    }

    // The end of the group, or class, that begins at this position.
    static int end_of(std::uint16_t starts, int position, int limit) {
        int end = position + 1;
        while (end < limit && (starts >> end & 1) == 0) ++end;
        return end;
    }

    // Places each row that may come next.
    void extend(const Arrangement& arrangement, int row) {
        view_ = &views_[arrangement.is_transposed];
        const bool is_new_band = row % box_.rows == 0;
        const int only_band = is_new_band ? -1 : arrangement.rows[at(row - 1)] / box_.rows;
        for (int band = 0; band < box_.cols; ++band) {
            if (is_new_band ? is_started(arrangement, band) : band != only_band) continue;
            const int num_bands = is_new_band ? num_equal_bands(arrangement, band) : 1;
            if (num_bands == 0) continue;
            for (int source = band * box_.rows; source < (band + 1) * box_.rows; ++source) {
                const int num_rows = num_equal_rows(arrangement, source);
                if (num_rows == 0) continue;
                line_ = &view_->lines[at(source)];
                if (is_larger(arrangement)) continue;
                Arrangement extended = arrangement;
                mark(extended.used_rows, source);
                extended.rows[at(row)] = static_cast<std::uint8_t>(source);
                extended.weight *= num_bands * num_rows;
                extend_by_stack(extended, 0);
            }
        }
    }

    bool is_started(const Arrangement& arrangement, int band) const {
        return (arrangement.used_rows >> (band * box_.rows) & ((1 << box_.rows) - 1)) != 0;
    }

    // The number of bands with the same rows that could come next; 0 if this is not the first of them.
    int num_equal_bands(const Arrangement& arrangement, int band) const {
        int num = 0;
        for (int other = 0; other < box_.cols; ++other) {
            if (is_started(arrangement, other) || view_->bands[at(other)] != view_->bands[at(band)]) continue;
            if (other < band) return 0;
            ++num;
        }
        return num;
    }

    // The same for the rows of a band.
    int num_equal_rows(const Arrangement& arrangement, int row) const {
        if (arrangement.used_rows >> row & 1) return 0;
        int num = 0;
        const int first = row / box_.rows * box_.rows;
        for (int other = first; other < first + box_.rows; ++other) {
            if ((arrangement.used_rows >> other & 1) || view_->contents[at(other)] != view_->contents[at(row)])
                continue;
            if (other < row) return 0;
            ++num;
        }
        return num;
    }

    // Whether the leading columns whose order is fixed make the row too large. This rejects most rows of full grids.
    bool is_larger(const Arrangement& arrangement) const {
        for (int position = 0; position < size_; ++position) {
            const int stack = position / box_.cols;
            const bool is_in_order = end_of(arrangement.class_starts, stack, box_.rows) == stack + 1 &&
                                     end_of(arrangement.group_starts, position, size_) == position + 1;
            const int own = value(arrangement, position);
            if (!is_in_order || own == new_digit || own < smallest_[at(position)]) return false;
            if (own > smallest_[at(position)]) return true;
        }
        return false;
    }

    // The value of a column in the current row, with any digit that has no label yet above all labels.
    int value(const Arrangement& arrangement, int position) const {
        const std::uint8_t digit = (*line_)[arrangement.cols[at(position)]];
        if (digit == 0) return 0;
        const int label = arrangement.labels[digit];
        return label != 0 ? label : new_digit;
    }
    static constexpr int new_digit = 15;

    // Whether the row can still be one of the smallest with this value next; a smaller row discards those found so far.
    bool accept(int position, int value) {
        if (value > smallest_[at(position)]) return false;
        if (value < smallest_[at(position)]) {
            smallest_[at(position)] = static_cast<std::uint8_t>(value);
            std::fill(smallest_.begin() + position + 1, smallest_.end(), not_yet);
            next_.clear();
        }
        return true;
    }

    // Four bits per column: the values of a stack in their smallest order, up to the first new digit.
    std::uint32_t profile(const Arrangement& arrangement, int stack) const {
        std::array<int, width> values{};
        const int first = stack * box_.cols;
        const int last = first + box_.cols;
        for (int begin = first; begin < last;) {
            const int end = end_of(arrangement.group_starts, begin, last);
            for (int position = begin; position < end; ++position) {
                int place = position - first;
                const int new_value = value(arrangement, position);
                for (; place > begin - first && values[at(place - 1)] > new_value; --place) {
                    values[at(place)] = values[at(place - 1)];
                }
                values[at(place)] = new_value;
            }
            begin = end;
        }
        std::uint32_t packed = 0;
        bool is_cut = false;
        for (int k = 0; k < box_.cols; ++k) {
            is_cut = is_cut || values[at(k)] == new_digit;
            packed = packed << 4 | static_cast<std::uint32_t>(is_cut ? new_digit : values[at(k)]);
        }
        return packed;
    }

    // Moves the stacks with the smallest values to the front of their class. Stacks with equal values stay
    // interchangeable, unless they hold new digits: their order decides the labels, so each is tried first.
    void extend_by_stack(Arrangement& arrangement, int stack) {
        if (stack == box_.rows) {
            next_.push_back(arrangement);
            return;
        }
        const int end = end_of(arrangement.class_starts, stack, box_.rows);
        std::array<std::uint32_t, width> profiles{};
        for (int other = stack; other < end; ++other) profiles[at(other)] = profile(arrangement, other);
        const std::uint32_t best = *std::min_element(profiles.begin() + stack, profiles.begin() + end);
        if ((best & 15) == new_digit) {
            for (int other = stack; other < end; ++other) {
                if (profiles[at(other)] != best) continue;
                Arrangement branch = arrangement;
                swap_stacks(branch, stack, other);
                if (stack + 1 < end) mark(branch.class_starts, stack + 1);
                extend_by_group(branch, stack * box_.cols);
            }
            return;
        }
        int num_tied = 0;
        for (int other = stack; other < end; ++other) {
            if (profiles[at(other)] != best) continue;
            std::swap(profiles[at(stack + num_tied)], profiles[at(other)]);
            swap_stacks(arrangement, stack + num_tied, other);
            if (!sort_stack(arrangement, stack + num_tied)) return;
            ++num_tied;
        }
        if (stack + num_tied < end) mark(arrangement.class_starts, stack + num_tied);
        extend_by_stack(arrangement, stack + num_tied);
    }

    void swap_stacks(Arrangement& arrangement, int one, int other) const {
        if (one == other) return;
        for (int k = 0; k < box_.cols; ++k) {
            std::swap(arrangement.cols[at(one * box_.cols + k)], arrangement.cols[at(other * box_.cols + k)]);
        }
    }

    // Sorts the columns of a stack without new digits within their groups, and splits groups of different values.
    bool sort_stack(Arrangement& arrangement, int stack) {
        const int last = (stack + 1) * box_.cols;
        for (int begin = stack * box_.cols; begin < last;) {
            const int end = end_of(arrangement.group_starts, begin, last);
            for (int position = begin + 1; position < end; ++position) {
                for (int k = position; k > begin && value(arrangement, k - 1) > value(arrangement, k); --k) {
                    std::swap(arrangement.cols[at(k - 1)], arrangement.cols[at(k)]);
                }
            }
            for (int position = begin; position < end; ++position) {
                const int own = value(arrangement, position);
                if (!accept(position, own)) return false;
                if (position > begin && own != value(arrangement, position - 1)) {
                    mark(arrangement.group_starts, position);
                }
            }
            begin = end;
        }
        return true;
    }

    // Moves the columns with the smallest value to the front of their group; tries each of several new digits first.
    void extend_by_group(Arrangement& arrangement, int position) {
        const int stack = position / box_.cols;
        const int end = end_of(arrangement.group_starts, position, (stack + 1) * box_.cols);
        int best = new_digit;
        for (int k = position; k < end; ++k) best = std::min(best, value(arrangement, k));
        std::uint32_t tried = 0;
        for (int k = position; k < end; ++k) {
            const std::uint8_t digit = (*line_)[arrangement.cols[at(k)]];
            if (value(arrangement, k) != best || (tried >> digit & 1)) continue;
            tried |= 1u << digit;
            Arrangement branch = arrangement;
            if (best == new_digit) branch.labels[digit] = ++branch.num_labels;
            place_digit(branch, digit, position, end);
        }
    }

    // Moves the columns with this digit to the front of their group and continues after them.
    void place_digit(Arrangement& arrangement, std::uint8_t digit, int position, int end) {
        const int label = digit == 0 ? 0 : arrangement.labels[digit];
        int next = position;
        for (int k = position; k < end; ++k) {
            if ((*line_)[arrangement.cols[at(k)]] != digit) continue;
            if (!accept(next, label)) return;
            std::swap(arrangement.cols[at(next)], arrangement.cols[at(k)]);
            ++next;
        }
        if (next < end) mark(arrangement.group_starts, next);
        if (next % box_.cols == 0) {
            extend_by_stack(arrangement, next / box_.cols);
        } else {
            extend_by_group(arrangement, next);
        }
    }

    // The number of arrangements of rows and columns that this one represents.
    std::int64_t num_arrangements(const Arrangement& arrangement) const {
        std::int64_t num = arrangement.weight;
        const auto multiply = [&](std::uint16_t starts, int limit) {
            for (int begin = 0; begin < limit;) {
                const int end = end_of(starts, begin, limit);
                for (int k = 2; k <= end - begin; ++k) num *= k;
                begin = end;
            }
        };
        multiply(arrangement.group_starts, size_);
        multiply(arrangement.class_starts, box_.rows);
        return num;
    }

    Transformation transformation(const Arrangement& arrangement) const {
        Transformation found{arrangement.is_transposed, arrangement.rows, arrangement.cols, {}};
        int num_labels = arrangement.num_labels;
        for (int digit = 1; digit <= size_; ++digit) {
            const int label = arrangement.labels[at(digit)];  // absent digits follow in ascending order
            found.digits[at(digit - 1)] = static_cast<std::uint8_t>(label != 0 ? label : ++num_labels);
        }
        return found;
    }

    const BoxShape box_;
    const int size_;
    const std::array<View, 2> views_;
    const View* view_ = nullptr;     // of the arrangement that is extended
    const Line* line_ = nullptr;     // the row that extends it
    Line smallest_{};                // the smallest next row found so far
    std::vector<Arrangement> next_;  // the arrangements with this row
};

}  // namespace

SmallestForm smallest_form(BoxShape box, std::span<const std::uint8_t> cells) {
    return CanonicalSearch(box, cells).run();
}

}  // namespace sudokulab
