#include "logic/techniques/aligned_exclusion.h"

#include <algorithm>
#include <array>

namespace sudokulab::techniques {
namespace {

class Finder {
public:
    Finder(const TechniqueBoard& board, int size, Control& control, const Visitor& visit)
        : board_(board),
          size_(static_cast<std::size_t>(size)),
          num_words_(static_cast<std::size_t>(board.geometry().num_cells() + 63) / 64),
          control_(control),
          visit_(visit),
          common_(num_words_) {
        step_.technique = size == 2 ? Technique::aligned_pair_exclusion : Technique::aligned_triplet_exclusion;
    }

    bool find() {
        collect();
        if (cells_.size() < size_) return true;
        for (std::size_t j = 1; j < cells_.size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                if (control_.must_stop()) return false;
                base_[0] = cells_[i];
                base_[1] = cells_[j];
                if (has_common(2) && !(size_ == 2 ? examine() : add_third())) return false;
            }
        }
        return true;
    }

private:
    // The excluders of a cell, as a set of cells; none if it is no base cell.
    const std::uint64_t* excluders(int cell) const { return &excluders_[static_cast<std::size_t>(cell) * num_words_]; }

    void collect() {
        const Geometry& geometry = board_.geometry();
        excluders_.assign(static_cast<std::size_t>(geometry.num_cells()) * num_words_, 0);
        for (int cell = 0; cell < geometry.num_cells(); ++cell) {
            if (board_.num_candidates(cell) < 2) continue;
            std::uint64_t* own = &excluders_[static_cast<std::size_t>(cell) * num_words_];
            bool sees_single = false;
            bool has_excluder = false;
            for (const int unit : geometry.units(cell).unit) {
                for (int position = 0; position < geometry.size(); ++position) {
                    const int other = geometry.cell(unit, position);
                    const int count = board_.num_candidates(other);
                    if (other == cell || count == 0 || count > static_cast<int>(size_)) continue;
                    sees_single |= count == 1;
                    has_excluder = true;
                    own[static_cast<std::size_t>(other) >> 6] |= bit(other & 63);
                }
            }
            if (sees_single) {
                std::fill(own, own + num_words_, 0);
            } else if (has_excluder) {
                cells_.push_back(cell);
            }
        }
        is_base_.assign(static_cast<std::size_t>(geometry.num_cells()), 0);
        for (const int cell : cells_) is_base_[static_cast<std::size_t>(cell)] = 1;
    }

    // Whether the first base cells have at least two common excluders, which are collected.
    bool has_common(std::size_t num_base) {
        int num_common = 0;
        for (std::size_t word = 0; word < num_words_; ++word) {
            std::uint64_t all = ~std::uint64_t{0};
            for (std::size_t k = 0; k < num_base; ++k) all &= excluders(base_[k])[word];
            common_[word] = all;
            if (all != 0) num_common += (all & (all - 1)) != 0 ? 2 : 1;
        }
        return num_common >= 2;
    }

    bool add_third() {
        for (const int first : {base_[0], base_[1]}) {
            for (std::size_t word = 0; word < num_words_; ++word) {
                std::uint64_t thirds = excluders(first)[word];
                if (first == base_[1]) thirds &= ~excluders(base_[0])[word];
                for (; thirds != 0; thirds &= thirds - 1) {
                    const int third = static_cast<int>(word) * 64 + lowest_bit(thirds);
                    if (third == base_[0] || third == base_[1] || is_base_[static_cast<std::size_t>(third)] == 0)
                        continue;
                    if (control_.must_stop()) return false;
                    base_[2] = third;
                    if (has_common(3) && !examine()) return false;
                }
            }
        }
        return true;
    }

    bool examine() {
        for (std::size_t k = 1; k < size_; ++k) {
            for (std::size_t other = 0; other < k; ++other) {
                sees_[k + other - 1] = board_.sees(base_[k], base_[other]);
            }
        }
        digits_.clear();
        for_each_excluder([&](int cell) { digits_.push_back(board_.candidates(cell)); });
        step_.eliminations.clear();
        for (std::size_t k = 0; k < size_; ++k) {
            for_each_bit(board_.candidates(base_[k]), [&](int digit) {
                if (!is_possible(k, digit)) step_.eliminations.push_back({base_[k], digit});
            });
        }
        if (step_.eliminations.empty()) return true;
        step_.cells.assign(base_.begin(), base_.begin() + static_cast<std::ptrdiff_t>(size_));
        step_.pattern.clear();
        for (const int cell : step_.cells) add_candidates(cell, step_.pattern);
        step_.nodes.clear();
        for_each_excluder([&](int cell) { add_candidates(cell, step_.nodes.emplace_back()); });
        return visit_(step_);
    }

    // Calls visit(cell) for each common excluder.
    template <class Visit>
    void for_each_excluder(Visit visit) const {
        for (std::size_t word = 0; word < num_words_; ++word) {
            for_each_bit(common_[word], [&](int k) { visit(static_cast<int>(word) * 64 + k); });
        }
    }

    void add_candidates(int cell, std::vector<Candidate>& candidates) const {
        for_each_bit(board_.candidates(cell), [&](int digit) { candidates.push_back({cell, digit}); });
    }

    bool all_excluders_keep_a_digit(std::uint64_t digits) const {
        return std::all_of(digits_.begin(), digits_.end(), [&](std::uint64_t own) { return (own & ~digits) != 0; });
    }

    // Whether some combination with this digit in the base cell k is not excluded.
    bool is_possible(std::size_t k, int digit) const {
        const std::size_t second = k == 0 ? 1 : 0;
        std::uint64_t choices = allowed(second, k, digit);
        for (; choices != 0; choices &= choices - 1) {
            const int other = lowest_bit(choices);
            const std::uint64_t digits = bit(digit) | bit(other);
            if (!all_excluders_keep_a_digit(digits)) continue;
            if (size_ == 2) return true;
            const std::size_t third = 3 - k - second;
            std::uint64_t last = allowed(third, k, digit) & allowed(third, second, other);
            for (; last != 0; last &= last - 1) {
                if (all_excluders_keep_a_digit(digits | bit(lowest_bit(last)))) return true;
            }
        }
        return false;
    }

    // The candidates of base cell k that are compatible with a digit in another base cell.
    std::uint64_t allowed(std::size_t k, std::size_t other, int digit) const {
        const std::uint64_t candidates = board_.candidates(base_[k]);
        return sees_[k + other - 1] ? candidates & ~bit(digit) : candidates;
    }

    const TechniqueBoard& board_;
    const std::size_t size_;
    const std::size_t num_words_;  // of a set of cells
    Control& control_;
    const Visitor& visit_;
    std::vector<int> cells_;     // that can be base cells
    std::vector<char> is_base_;  // by cell
    std::vector<std::uint64_t> excluders_;
    std::array<int, 3> base_{};
    std::array<bool, 3> sees_{};         // base cells that see each other: 0 and 1, 0 and 2, 1 and 2
    std::vector<std::uint64_t> common_;  // excluders of all base cells, as a set of cells
    std::vector<std::uint64_t> digits_;  // the candidates of each of them
    Step step_;
};

}  // namespace

bool find_aligned_exclusions(const TechniqueBoard& board, int size, Control& control, const Visitor& visit) {
    return Finder(board, size, control, visit).find();
}

}  // namespace sudokulab::techniques
