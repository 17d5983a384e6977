#include "logic/techniques/unique_loops.h"

#include <algorithm>
#include <array>

#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array kinds{UnitKind::box, UnitKind::row, UnitKind::column};

// All loops from one start cell, depth first.
class LoopSearch {
public:
    LoopSearch(const TechniqueBoard& board, Coverage coverage, Control& control)
        : board_(board),
          coverage_(coverage),
          control_(control),
          visits_(static_cast<std::size_t>(board.geometry().num_units()), 0) {}

    // Calls visit(loop) for each loop on the two candidates of the cell, until it returns false or the control stops
    // it.
    template <class Visit>
    bool for_each(int start, Visit visit) {
        pair_ = board_.candidates(start);
        cells_.clear();
        for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
            if ((board_.candidates(cell) & pair_) == pair_) cells_.push_back(cell);
        }
        if (cells_.size() < 4) return true;
        loop_.clear();
        return extend(start, 2, 0, -1, visit);
    }

private:
    // Even and odd visits of a unit are counted in the two low bits; a unit must not be visited twice in one parity.
    bool can_visit(int cell) const {
        const auto parity = static_cast<std::uint8_t>(1 << (loop_.size() & 1));
        for (const int unit : board_.geometry().units(cell).unit) {
            if ((visits_[static_cast<std::size_t>(unit)] & parity) != 0) return false;
        }
        return true;
    }

    void flip(int cell, std::size_t index) {
        const auto parity = static_cast<std::uint8_t>(1 << (index & 1));
        for (const int unit : board_.geometry().units(cell).unit) visits_[static_cast<std::size_t>(unit)] ^= parity;
    }

    bool is_balanced() const {
        return std::all_of(visits_.begin(), visits_.end(),
                           [](std::uint8_t visits) { return visits == 0 || visits == 3; });
    }

    template <class Visit>
    bool extend(int cell, int num_extra_cells, std::uint64_t extra, int last_kind, Visit& visit) {
        if (control_.must_stop()) return false;
        flip(cell, loop_.size());
        loop_.push_back(cell);
        bool is_running = true;
        for (int k = 0; k < 3 && is_running; ++k) {
            if (k == last_kind) continue;
            const int unit = board_.unit(kinds[static_cast<std::size_t>(k)], cell);
            for (const int next : cells_) {
                if (!is_running) break;
                if (board_.unit(kinds[static_cast<std::size_t>(k)], next) != unit) continue;
                if (next == loop_.front()) {
                    if (loop_.size() >= 4 && is_balanced()) is_running = visit(loop_);
                    continue;
                }
                if (std::find(loop_.begin(), loop_.end(), next) != loop_.end()) continue;
                const std::uint64_t candidates = board_.candidates(next);
                const std::uint64_t all_extra = extra | (candidates & ~pair_);
                if (coverage_ == Coverage::explainer) extra = all_extra;
                if (!can_visit(next)) continue;
                const bool is_plain = candidates == pair_;
                if (is_plain || has_one_bit(all_extra) || num_extra_cells > 0) {
                    is_running = extend(next, num_extra_cells - (is_plain ? 0 : 1), all_extra, k, visit);
                }
            }
        }
        loop_.pop_back();
        flip(cell, loop_.size());
        return is_running;
    }

    const TechniqueBoard& board_;
    const Coverage coverage_;
    Control& control_;
    std::vector<std::uint8_t> visits_;  // by unit
    std::uint64_t pair_ = 0;
    std::vector<int> cells_;  // that have both digits
    std::vector<int> loop_;
};

class Finder {
public:
    Finder(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit)
        : board_(board), geometry_(board.geometry()), coverage_(coverage), control_(control), visit_(visit) {}

    bool find() {
        LoopSearch search(board_, coverage_, control_);
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (board_.num_candidates(cell) != 2) continue;
            pair_ = board_.candidates(cell);
            if (!search.for_each(cell, [&](const std::vector<int>& loop) { return examine(loop); })) return false;
        }
        return true;
    }

private:
    bool examine(const std::vector<int>& loop) {
        std::vector<int> sorted = loop;
        std::sort(sorted.begin(), sorted.end());
        if (std::find(known_.begin(), known_.end(), sorted) != known_.end()) return true;
        known_.push_back(std::move(sorted));

        loop_ = &loop;
        std::vector<int> roofs;
        std::uint64_t extra = 0;
        for (const int cell : loop) {
            if (board_.num_candidates(cell) == 2) continue;
            roofs.push_back(cell);
            extra |= board_.candidates(cell) & ~pair_;
        }
        if (roofs.empty()) return true;  // the puzzle has several solutions
        start_step();
        if (roofs.size() == 1) return report_type_1(roofs[0]);
        const bool is_type_2 = has_one_bit(extra);
        if (is_type_2 && !report_type_2(roofs, lowest_bit(extra))) return false;
        if (roofs.size() != 2) return true;
        return (is_type_2 || report_type_3(roofs[0], roofs[1], extra)) && report_type_4(roofs[0], roofs[1]);
    }

    void start_step() {
        step_ = Step{};
        step_.technique = loop_->size() == 4 ? Technique::unique_rectangle : Technique::unique_loop;
        step_.assumes_uniqueness = true;
        step_.cells = *loop_;
        for (const int cell : *loop_) {
            for_each_bit(pair_, [&](int digit) { step_.pattern.push_back({cell, digit}); });
        }
    }

    void add_eliminations(int cell, std::uint64_t digits) {
        for_each_bit(board_.candidates(cell) & digits, [&](int digit) { step_.eliminations.push_back({cell, digit}); });
    }

    bool report(int variant) {
        step_.variant = variant;
        const bool is_running = step_.eliminations.empty() || visit_(step_);
        step_.eliminations.clear();
        return is_running;
    }

    bool report_type_1(int roof) {
        add_eliminations(roof, pair_);
        return report(1);
    }

    bool report_type_2(const std::vector<int>& roofs, int digit) {
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (!board_.has(cell, digit)) continue;
            const bool sees_all =
                std::all_of(roofs.begin(), roofs.end(), [&](int roof) { return board_.sees(cell, roof); });
            if (sees_all) step_.eliminations.push_back({cell, digit});
        }
        return report(2);
    }

    bool report_type_3(int first, int second, std::uint64_t extra) {
        const int smallest = coverage_ == Coverage::all ? 2 : num_bits(extra);
        for (int size = smallest; size <= geometry_.size() - 2; ++size) {
            for (const UnitKind kind : kinds) {
                const int unit = board_.unit(kind, first);
                if (unit != board_.unit(kind, second)) continue;
                const int num_open = board_.num_open(unit);
                step_.units = {unit};
                const bool is_running =
                    (2 * size > num_open || size < num_bits(extra) || report_naked(first, second, extra, size)) &&
                    (2 * size >= num_open || report_hidden(first, second, extra, size));
                step_.units.clear();
                if (!is_running) return false;
            }
        }
        return true;
    }

    // The extra digits of the two cells, as if they were in one cell, and size - 1 other cells.
    bool report_naked(int first, int second, std::uint64_t extra, int size) {
        const int unit = step_.units[0];
        const auto kind = static_cast<UnitKind>(unit / geometry_.size());
        const int own = board_.position(kind, first);
        const int other = board_.position(kind, second);
        const std::uint64_t common = extra & board_.candidates(first) & board_.candidates(second);
        return for_each_combination(geometry_.size(), size, [&](std::uint64_t positions) {
            if (control_.must_stop()) return false;
            if ((positions >> own & 1) == 0 || (positions >> other & 1) != 0) return true;
            std::uint64_t digits = common;
            bool is_subset = true;
            for_each_bit(positions & ~bit(own), [&](int position) {
                const std::uint64_t candidates = board_.candidates(geometry_.cell(unit, position));
                is_subset &= num_bits(candidates) >= 2;
                digits |= candidates;
            });
            if (!is_subset || num_bits(digits) != size || (extra & ~digits) != 0) return true;
            for_each_bit(geometry_.all() & ~positions & ~bit(other),
                         [&](int position) { add_eliminations(geometry_.cell(unit, position), digits); });
            step_.length = size;
            return report(3);
        });
    }

    // The two digits of the loop and size - 2 others, confined to the two cells, as if they were one, and size - 1
    // more.
    bool report_hidden(int first, int second, std::uint64_t extra, int size) {
        const int unit = step_.units[0];
        const auto kind = static_cast<UnitKind>(unit / geometry_.size());
        const std::uint64_t both = bit(board_.position(kind, first)) | bit(board_.position(kind, second));
        std::vector<int> others;
        for_each_bit(geometry_.all() & ~pair_ & ~extra, [&](int digit) { others.push_back(digit); });
        return for_each_combination(static_cast<int>(others.size()), size - 2, [&](std::uint64_t chosen) {
            if (control_.must_stop()) return false;
            std::uint64_t digits = pair_;
            for_each_bit(chosen, [&](int k) { digits |= bit(others[static_cast<std::size_t>(k)]); });
            std::uint64_t positions = 0;
            bool is_subset = true;
            for_each_bit(digits, [&](int digit) {
                const std::uint64_t own = board_.positions(unit, digit) & ~bit(board_.position(kind, second));
                is_subset &= own != 0;
                positions |= own;
            });
            if (!is_subset || num_bits(positions) != size) return true;
            for_each_bit(positions & ~both, [&](int position) {
                add_eliminations(geometry_.cell(unit, position), geometry_.all() & ~digits);
            });
            step_.length = num_bits(positions & ~both);
            return report(3);
        });
    }

    bool report_type_4(int first, int second) {
        std::array<int, 2> locked{-1, -1};  // by digit of the pair: the last unit without another position
        const std::array<int, 2> digits{lowest_bit(pair_), lowest_bit(pair_ & (pair_ - 1))};
        for (const UnitKind kind : kinds) {
            const int unit = board_.unit(kind, first);
            if (unit != board_.unit(kind, second)) continue;
            const std::uint64_t both = bit(board_.position(kind, first)) | bit(board_.position(kind, second));
            for (const std::size_t k : {0u, 1u}) {
                if ((board_.positions(unit, digits[k]) & ~both) == 0) locked[k] = unit;
            }
        }
        const std::size_t k = locked[0] >= 0 ? 0 : 1;
        if (locked[k] < 0) return true;
        step_.units = {locked[k]};
        for (const int cell : {first, second}) step_.eliminations.push_back({cell, digits[1 - k]});
        step_.length = 0;
        return report(4);
    }

    const TechniqueBoard& board_;
    const Geometry& geometry_;
    const Coverage coverage_;
    Control& control_;
    const Visitor& visit_;
    std::uint64_t pair_ = 0;
    const std::vector<int>* loop_ = nullptr;
    std::vector<std::vector<int>> known_;  // loops, as sorted cells
    Step step_;
};

}  // namespace

bool find_unique_loops(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit) {
    return Finder(board, coverage, control, visit).find();
}

}  // namespace sudokulab::techniques
