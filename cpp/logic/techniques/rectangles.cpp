#include "logic/techniques/rectangles.h"

#include <algorithm>
#include <array>
#include <set>

#include "logic/techniques/cell_set.h"
#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

// The corners: the first two in one box and one line, the last two opposite to them.
using Corners = std::array<int, 4>;

// Calls visit(corners) for each rectangle in two boxes that starts in the cell, until it returns false.
template <class Visit>
bool for_each_rectangle(const TechniqueBoard& board, int first, Visit visit) {
    const Geometry& geometry = board.geometry();
    const int box = board.unit(UnitKind::box, first);
    for (int k = 0; k < geometry.size(); ++k) {
        const int second = geometry.cell(box, k);
        if (second == first) continue;
        const bool is_row = board.unit(UnitKind::row, second) == board.unit(UnitKind::row, first);
        if (!is_row && board.unit(UnitKind::column, second) != board.unit(UnitKind::column, first)) continue;
        const UnitKind across = is_row ? UnitKind::column : UnitKind::row;
        for (int position = 0; position < geometry.size(); ++position) {
            const int third = geometry.cell(board.unit(across, first), position);
            if (board.unit(UnitKind::box, third) == box) continue;
            if (!visit(Corners{first, second, third, geometry.cell(board.unit(across, second), position)}))
                return false;
        }
    }
    return true;
}

class Finder {
public:
    Finder(const TechniqueBoard& board, const Visitor& visit)
        : board_(board), geometry_(board.geometry()), map_(board), visit_(visit) {
        step_.assumes_uniqueness = true;
    }

    bool find_rectangles(Control& control) {
        for (int first = 0; first < geometry_.num_cells(); ++first) {
            pair_ = board_.candidates(first);
            if (num_bits(pair_) != 2) continue;
            const bool is_finished = for_each_rectangle(board_, first, [&](const Corners& corners) {
                bool is_complete = true;
                for (const int cell : corners) {
                    if (!can_hold(cell, pair_)) return true;
                    is_complete &= (board_.candidates(cell) & pair_) == pair_;
                }
                if (!is_new(corners, pair_)) return true;
                step_.variant = is_complete ? 1 : 2;
                return check(corners, control);
            });
            if (!is_finished) return false;
        }
        return true;
    }

    bool find_avoidable() {
        step_.variant = 1;
        for (int first = 0; first < geometry_.num_cells(); ++first) {
            if (!is_solved(first)) continue;
            const bool is_finished = for_each_rectangle(board_, first, [&](const Corners& corners) {
                if (!is_solved(corners[1])) return true;
                pair_ = bit(board_.value(first) - 1) | bit(board_.value(corners[1]) - 1);
                return check_avoidable(corners);
            });
            if (!is_finished) return false;
        }
        return true;
    }

private:
    bool is_solved(int cell) const { return !board_.is_open(cell) && !board_.is_given(cell); }

    // Whether the cell is open and no placed digit excludes any of these digits from it.
    bool can_hold(int cell, std::uint64_t digits) const {
        if (!board_.is_open(cell)) return false;
        std::uint64_t placed = 0;
        for (const int unit : geometry_.units(cell).unit) placed |= board_.placed(unit);
        return (placed & digits) == 0;
    }

    bool is_new(Corners corners, std::uint64_t pair) {
        std::sort(corners.begin(), corners.end());
        return known_.insert({corners, pair}).second;
    }

    bool is_in_line(int one, int other) const {
        return board_.unit(UnitKind::row, one) == board_.unit(UnitKind::row, other) ||
               board_.unit(UnitKind::column, one) == board_.unit(UnitKind::column, other);
    }

    void eliminate(int cell, std::uint64_t digits) {
        for_each_bit(board_.candidates(cell) & digits, [&](int digit) { step_.eliminations.push_back({cell, digit}); });
    }
    void eliminate(const CellSet& cells, std::uint64_t digits) {
        cells.for_each([&](int cell) { eliminate(cell, digits); });
    }

    bool report(Technique technique) {
        bool is_wanted = true;
        if (!step_.eliminations.empty()) {
            step_.technique = technique;
            is_wanted = visit_(step_);
            step_.eliminations.clear();
        }
        return is_wanted;
    }

    void set_pattern(const Corners& corners) {
        step_.cells.assign(corners.begin(), corners.end());
        step_.pattern.clear();
        for (const int cell : corners) {
            const std::uint64_t own = board_.is_open(cell) ? board_.candidates(cell) : bit(board_.value(cell) - 1);
            for_each_bit(own & pair_, [&](int digit) { step_.pattern.push_back({cell, digit}); });
        }
    }

    bool check(const Corners& corners, Control& control) {
        set_pattern(corners);
        corners_ = corners;
        rectangle_ = CellSet{};
        pairs_.clear();
        extras_.clear();
        for (const int cell : corners) {
            rectangle_.add(cell);
            ((board_.candidates(cell) & ~pair_) == 0 ? pairs_ : extras_).push_back(cell);
        }
        if (extras_.empty()) return true;
        if (extras_.size() == 1) {
            eliminate(extras_[0], pair_);
            return report(Technique::unique_rectangle_1);
        }
        if (extras_.size() == 4) return true;
        const bool is_diagonal = extras_.size() == 2 && !is_in_line(extras_[0], extras_[1]);
        if (!check_common_extra(is_diagonal)) return false;
        if (extras_.size() == 2) {
            if (!check_subsets(control)) return false;
            if (!(is_diagonal ? check_test_6() : check_test_4())) return false;
        }
        if (extras_.size() == 2 && !is_diagonal) return true;
        for (const int pair : pairs_) {
            if (!check_hidden(pair)) return false;
        }
        return true;
    }

    std::uint64_t extra_digits() const {
        std::uint64_t digits = 0;
        for (const int cell : extras_) digits |= board_.candidates(cell) & ~pair_;
        return digits;
    }

    // Tests 2 and 5.
    bool check_common_extra(bool is_diagonal) {
        const std::uint64_t extra = extra_digits();
        if (!has_one_bit(extra)) return true;
        CellSet cells;
        for (const int cell : extras_) cells.add(cell);
        eliminate(map_.common_peers(cells), extra);
        return report(extras_.size() == 2 && !is_diagonal ? Technique::unique_rectangle_2
                                                          : Technique::unique_rectangle_5);
    }

    // Test 3.
    bool check_subsets(Control& control) {
        for (const UnitKind kind : {UnitKind::row, UnitKind::column, UnitKind::box}) {
            const int unit = board_.unit(kind, extras_[0]);
            if (unit != board_.unit(kind, extras_[1])) continue;
            std::vector<int> others;
            (map_.unit(unit) & map_.open()).for_each([&](int cell) {
                if ((board_.candidates(cell) & pair_) == 0 && !rectangle_.has(cell)) others.push_back(cell);
            });
            const int count = static_cast<int>(others.size());
            for (int size = 1; size <= count; ++size) {
                const bool is_finished = for_each_combination(count, size, [&](std::uint64_t chosen) {
                    return !control.must_stop() && check_subset(kind, unit, others, chosen);
                });
                if (!is_finished) return false;
            }
        }
        return true;
    }

    bool check_subset(UnitKind kind, int unit, const std::vector<int>& others, std::uint64_t chosen) {
        std::uint64_t digits = extra_digits();
        CellSet subset;
        for (const int cell : extras_) subset.add(cell);
        for_each_bit(chosen, [&](int k) {
            digits |= board_.candidates(others[static_cast<std::size_t>(k)]);
            subset.add(others[static_cast<std::size_t>(k)]);
        });
        if (num_bits(digits) != num_bits(chosen) + 1) return true;
        const auto is_within = [&](UnitKind other) {
            return subset.is_within(map_.unit(board_.unit(other, extras_[0])));
        };
        // Such a subset was found in the line before.
        if (kind == UnitKind::box && (is_within(UnitKind::row) || is_within(UnitKind::column))) return true;
        eliminate(map_.unit(unit) - subset, digits);
        if (step_.eliminations.empty()) return true;
        step_.units = {unit};
        if (kind != UnitKind::box && is_within(UnitKind::box)) {
            const int box = board_.unit(UnitKind::box, extras_[0]);
            step_.units.push_back(box);
            eliminate(map_.unit(box) - map_.unit(unit), digits);
        }
        std::vector<Candidate>& node = step_.nodes.emplace_back();
        subset.for_each([&](int cell) {
            for_each_bit(board_.candidates(cell) & digits, [&](int digit) { node.push_back({cell, digit}); });
        });
        step_.length = num_bits(digits);
        const bool is_wanted = report(Technique::unique_rectangle_3);
        step_.length = 0;
        step_.nodes.clear();
        step_.units.clear();
        return is_wanted;
    }

    bool check_test_4() {
        CellSet both;
        for (const int cell : extras_) both.add(cell);
        const CellSet seen = map_.common_peers(both);
        for (std::uint64_t left = pair_; left != 0; left &= left - 1) {
            if (seen.meets(map_.of(lowest_bit(left)))) continue;
            for (const int cell : extras_) eliminate(cell, pair_ & ~bit(lowest_bit(left)));
            if (!report(Technique::unique_rectangle_4)) return false;
        }
        return true;
    }

    bool check_test_6() {
        CellSet lines;
        for (const int cell : extras_) {
            for (const UnitKind kind : {UnitKind::row, UnitKind::column}) lines |= map_.unit(board_.unit(kind, cell));
        }
        lines -= rectangle_;
        for (std::uint64_t left = pair_; left != 0; left &= left - 1) {
            if (lines.meets(map_.of(lowest_bit(left)))) continue;
            for (const int cell : extras_) eliminate(cell, bit(lowest_bit(left)));
            if (!report(Technique::unique_rectangle_6)) return false;
        }
        return true;
    }

    bool check_hidden(int pair) {
        int opposite = -1;
        for (const int cell : corners_) {
            if (cell != pair && !is_in_line(cell, pair)) opposite = cell;
        }
        CellSet lines = map_.unit(board_.unit(UnitKind::row, opposite));
        lines |= map_.unit(board_.unit(UnitKind::column, opposite));
        lines -= rectangle_;
        for (std::uint64_t left = pair_; left != 0; left &= left - 1) {
            if (lines.meets(map_.of(lowest_bit(left)))) continue;
            eliminate(opposite, pair_ & ~bit(lowest_bit(left)));
            if (!report(Technique::hidden_rectangle)) return false;
        }
        return true;
    }

    // The digits that complete the rectangle: the third corner mirrors the second, the fourth the first.
    bool check_avoidable(const Corners& corners) {
        const std::array<int, 2> open{corners[2], corners[3]};
        const std::array<int, 2> digits{board_.value(corners[1]) - 1, board_.value(corners[0]) - 1};
        const auto is_completed = [&](std::size_t k) {
            return is_solved(open[k]) && board_.value(open[k]) == digits[k] + 1;
        };
        const auto is_almost = [&](std::size_t k) {
            return board_.num_candidates(open[k]) == 2 && board_.has(open[k], digits[k]);
        };
        const auto report_new = [&](Technique technique) {
            if (step_.eliminations.empty()) return true;
            if (!is_new(corners, pair_)) {
                step_.eliminations.clear();
                return true;
            }
            set_pattern(corners);
            return report(technique);
        };
        for (const std::size_t k : {0u, 1u}) {
            if (!is_completed(1 - k) || !is_almost(k)) continue;
            eliminate(open[k], bit(digits[k]));
            return report_new(Technique::avoidable_rectangle_1);
        }
        if (!is_almost(0) || !is_almost(1)) return true;
        const std::uint64_t extra = board_.candidates(open[0]) & ~bit(digits[0]);
        if ((board_.candidates(open[1]) & ~bit(digits[1])) != extra) return true;
        eliminate(map_.peers(open[0]) & map_.peers(open[1]), extra);
        return report_new(Technique::avoidable_rectangle_2);
    }

    const TechniqueBoard& board_;
    const Geometry& geometry_;
    const CellMap map_;
    const Visitor& visit_;
    std::uint64_t pair_ = 0;
    Corners corners_{};
    CellSet rectangle_;
    std::vector<int> pairs_;   // the corners without further candidates
    std::vector<int> extras_;  // the other corners
    std::set<std::pair<Corners, std::uint64_t>> known_;
    Step step_;
};

}  // namespace

bool find_rectangles(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, visit).find_rectangles(control);
}

bool find_avoidable_rectangles(const TechniqueBoard& board, const Visitor& visit) {
    return Finder(board, visit).find_avoidable();
}

}  // namespace sudokulab::techniques
