#include "logic/techniques/aligned_exclusion.h"

#include <algorithm>
#include <array>

namespace sudokulab::techniques {
namespace {

class Finder {
public:
    Finder(const OpenBoard& board, int size, const Visitor& visit)
        : board_(board), size_(static_cast<std::size_t>(size)), visit_(visit) {
        step_.technique = size == 2 ? Technique::aligned_pair_exclusion : Technique::aligned_triplet_exclusion;
    }

    bool find() {
        collect();
        if (cells_.size() < size_) return true;
        for (std::size_t j = 1; j < cells_.size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                base_[0] = cells_[i];
                base_[1] = cells_[j];
                if (!(size_ == 2 ? examine() : add_third())) return false;
            }
        }
        return true;
    }

private:
    const std::vector<int>& excluders(int cell) const { return excluders_[static_cast<std::size_t>(cell)]; }

    void collect() {
        const int num_cells = board_.geometry().num_cells();
        excluders_.resize(static_cast<std::size_t>(num_cells));
        for (int cell = 0; cell < num_cells; ++cell) {
            if (board_.num_candidates(cell) < 2) continue;
            std::vector<int>& own = excluders_[static_cast<std::size_t>(cell)];
            bool sees_single = false;
            for (int other = 0; other < num_cells; ++other) {
                const int count = board_.num_candidates(other);
                if (count == 0 || count > static_cast<int>(size_) || !board_.sees(cell, other)) continue;
                sees_single |= count == 1;
                own.push_back(other);
            }
            if (sees_single) own.clear();
            if (!own.empty()) cells_.push_back(cell);
        }
    }

    bool add_third() {
        for (const int first : {base_[0], base_[1]}) {
            for (const int third : excluders(first)) {
                if (third == base_[0] || third == base_[1] || excluders(third).empty()) continue;
                if (first == base_[1] && board_.sees(third, base_[0])) continue;  // done
                base_[2] = third;
                if (!examine()) return false;
            }
        }
        return true;
    }

    bool examine() {
        common_.clear();
        for (const int other : excluders(base_[0])) {
            if (!board_.sees(other, base_[1]) || (size_ == 3 && !board_.sees(other, base_[2]))) continue;
            common_.push_back(board_.candidates(other));
        }
        if (common_.size() < 2) return true;
        step_.eliminations.clear();
        for (std::size_t k = 0; k < size_; ++k) {
            for_each_bit(board_.candidates(base_[k]), [&](int digit) {
                if (!is_possible(k, digit)) step_.eliminations.push_back({base_[k], digit});
            });
        }
        if (step_.eliminations.empty()) return true;
        step_.cells.assign(base_.begin(), base_.begin() + static_cast<std::ptrdiff_t>(size_));
        return visit_(step_);
    }

    bool is_excluder_left(std::uint64_t digits) const {
        return std::all_of(common_.begin(), common_.end(), [&](std::uint64_t own) { return (own & ~digits) != 0; });
    }

    // Whether some combination with this digit in the base cell k is not excluded.
    bool is_possible(std::size_t k, int digit) const {
        const std::size_t second = k == 0 ? 1 : 0;
        std::uint64_t choices = allowed(second, k, digit);
        for (; choices != 0; choices &= choices - 1) {
            const int other = lowest_bit(choices);
            const std::uint64_t digits = bit(digit) | bit(other);
            if (!is_excluder_left(digits)) continue;
            if (size_ == 2) return true;
            const std::size_t third = 3 - k - second;
            std::uint64_t last = allowed(third, k, digit) & allowed(third, second, other);
            for (; last != 0; last &= last - 1) {
                if (is_excluder_left(digits | bit(lowest_bit(last)))) return true;
            }
        }
        return false;
    }

    // The candidates of base cell k that are compatible with a digit in another base cell.
    std::uint64_t allowed(std::size_t k, std::size_t other, int digit) const {
        const std::uint64_t candidates = board_.candidates(base_[k]);
        return board_.sees(base_[k], base_[other]) ? candidates & ~bit(digit) : candidates;
    }

    const OpenBoard& board_;
    const std::size_t size_;
    const Visitor& visit_;
    std::vector<int> cells_;                   // that can be base cells
    std::vector<std::vector<int>> excluders_;  // by cell; none for cells that are no base cells
    std::array<int, 3> base_{};
    std::vector<std::uint64_t> common_;  // the candidates of the common excluders
    Step step_;
};

}  // namespace

bool find_aligned_exclusions(const OpenBoard& board, int size, const Visitor& visit) {
    return Finder(board, size, visit).find();
}

}  // namespace sudokulab::techniques
