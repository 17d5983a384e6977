#include "logic/techniques/bug.h"

#include <algorithm>
#include <array>

#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array kinds{UnitKind::box, UnitKind::row, UnitKind::column};

bool is_regular(std::uint64_t positions) { return positions == 0 || num_bits(positions) == 2; }

class Finder {
public:
    Finder(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit)
        : board_(board), geometry_(board.geometry()), coverage_(coverage), control_(control), visit_(visit) {}

    bool find() {
        if (!collect_extra() || !is_grave_without_extra()) return true;
        step_.technique = Technique::bug;
        step_.assumes_uniqueness = true;
        for (const Extra& own : extra_) {
            step_.cells.push_back(own.cell);
            for_each_bit(own.digits, [&](int digit) { step_.pattern.push_back({own.cell, digit}); });
        }
        if (extra_.size() == 1) return report_type_1();
        const bool is_pair = extra_.size() == 2;
        if (has_one_bit(all_)) return report_type_2() && (!is_pair || report_type_4());
        if (common_.empty()) return true;
        return (!is_pair || report_type_4()) && report_type_3();
    }

private:
    struct Extra {
        int cell;
        std::uint64_t digits;
    };

    // Adds an extra candidate and keeps the cells that see all cells with extra candidates.
    void add(int cell, int digit) {
        const auto known =
            std::find_if(extra_.begin(), extra_.end(), [&](const Extra& extra) { return extra.cell == cell; });
        if (known != extra_.end()) {
            known->digits |= bit(digit);
        } else {
            extra_.push_back({cell, bit(digit)});
        }
        if (extra_.size() == 1 && common_.empty()) {
            for (int other = 0; other < geometry_.num_cells(); ++other) {
                if (board_.sees(cell, other)) common_.push_back(other);
            }
        }
        std::erase_if(common_, [&](int other) { return !board_.sees(cell, other); });
    }

    bool has_conclusion() const { return extra_.size() < 2 || has_one_bit(all_) || !common_.empty(); }

    // Finds the extra candidates. False if the board has none, or if no type of grave applies.
    bool collect_extra() {
        std::vector<int> undecided;  // cells of irregular units, while they all concern the same digit
        int only_digit = -1;
        bool is_one_digit = true;
        for (const UnitKind kind : kinds) {
            const int first = board_.first_unit(kind);
            for (int unit = first; unit < first + geometry_.size(); ++unit) {
                for (int digit = 0; digit < geometry_.size(); ++digit) {
                    const std::uint64_t positions = board_.positions(unit, digit);
                    if (is_regular(positions)) continue;
                    std::vector<int> cells;
                    for_each_bit(positions, [&](int position) {
                        const int cell = geometry_.cell(unit, position);
                        if (board_.num_candidates(cell) >= 3) cells.push_back(cell);
                    });
                    if (cells.empty()) return false;
                    if (only_digit < 0) only_digit = digit;
                    is_one_digit &= only_digit == digit;
                    if (is_one_digit) undecided.insert(undecided.end(), cells.begin(), cells.end());
                    if (cells.size() > 1) continue;  // another unit shows which one is extra
                    all_ |= bit(digit);
                    add(cells[0], digit);
                    if (!has_conclusion()) return false;
                }
            }
        }
        if (is_one_digit && coverage_ == Coverage::all) add_undecided(undecided, only_digit);
        return !extra_.empty();
    }

    // If all irregular units concern one digit, the cells that no unit decided are extra as well.
    void add_undecided(std::vector<int>& cells, int digit) {
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        for (const int cell : cells) {
            const bool is_known =
                std::any_of(extra_.begin(), extra_.end(), [&](const Extra& extra) { return extra.cell == cell; });
            if (!is_known) add(cell, digit);
        }
    }

    bool is_grave_without_extra() const {
        TechniqueBoard rest = board_;
        for (const Extra& own : extra_) for_each_bit(own.digits, [&](int digit) { rest.remove(own.cell, digit); });
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (rest.is_open(cell) && rest.num_candidates(cell) != 2) return false;
        }
        for (int unit = 0; unit < geometry_.num_units(); ++unit) {
            for (int digit = 0; digit < geometry_.size(); ++digit) {
                if (!is_regular(rest.positions(unit, digit))) return false;
            }
        }
        return true;
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

    bool report_type_1() {
        add_eliminations(extra_[0].cell, ~all_);
        return report(1);
    }

    bool report_type_2() {
        for (const int cell : common_) add_eliminations(cell, all_);
        return report(2);
    }

    // The unit of this kind that contains all cells with extra candidates, or -1.
    int shared_unit(UnitKind kind) const {
        const int unit = board_.unit(kind, extra_[0].cell);
        const bool is_shared = std::all_of(extra_.begin(), extra_.end(),
                                           [&](const Extra& extra) { return board_.unit(kind, extra.cell) == unit; });
        return is_shared ? unit : -1;
    }

    bool report_type_3() {
        for (const UnitKind kind : kinds) {
            const int unit = shared_unit(kind);
            if (unit < 0) continue;
            std::vector<int> cells;
            for (const int cell : common_) {
                if (board_.unit(kind, cell) == unit) cells.push_back(cell);
            }
            step_.units = {unit};
            const int largest = std::min(static_cast<int>(cells.size()), geometry_.size() - 3);
            for (int size = 2; size <= largest; ++size) {
                if (!report_subsets(cells, size)) return false;
            }
        }
        return true;
    }

    bool report_subsets(const std::vector<int>& cells, int size) {
        return for_each_combination(static_cast<int>(cells.size()), size - 1, [&](std::uint64_t chosen) {
            if (control_.must_stop()) return false;
            std::uint64_t digits = 0;
            bool is_subset = num_bits(all_) >= 2;
            for_each_bit(chosen, [&](int k) {
                const std::uint64_t candidates = board_.candidates(cells[static_cast<std::size_t>(k)]);
                is_subset &= num_bits(candidates) >= 2;
                digits |= candidates;
            });
            if (!is_subset || num_bits(digits) != size || (all_ & ~digits) != 0) return true;
            for (std::size_t k = 0; k < cells.size(); ++k) {
                if ((chosen >> k & 1) == 0) add_eliminations(cells[k], digits);
            }
            step_.length = size;
            return report(3);
        });
    }

    bool report_type_4() {
        const Extra& first = extra_[0];
        const Extra& second = extra_[1];
        const std::uint64_t common = board_.candidates(first.cell) & board_.candidates(second.cell) & ~all_;
        if (!has_one_bit(common)) return true;
        for (const UnitKind kind : kinds) {
            const int unit = shared_unit(kind);
            if (unit < 0) continue;
            step_.units = {unit};
            for (const Extra& own : extra_) add_eliminations(own.cell, ~own.digits & ~common);
            if (!report(4)) return false;
        }
        return true;
    }

    const TechniqueBoard& board_;
    const Geometry& geometry_;
    const Coverage coverage_;
    Control& control_;
    const Visitor& visit_;
    std::vector<Extra> extra_;  // in the order they are found
    std::uint64_t all_ = 0;     // the extra digits of all cells
    std::vector<int> common_;   // the cells that see all cells with extra candidates
    Step step_;
};

}  // namespace

bool find_graves(const TechniqueBoard& board, Coverage coverage, Control& control, const Visitor& visit) {
    return Finder(board, coverage, control, visit).find();
}

bool find_bug_plus_1(const TechniqueBoard& board, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    int extra_cell = -1;
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (!board.is_open(cell) || board.num_candidates(cell) == 2) continue;
        if (board.num_candidates(cell) != 3 || extra_cell >= 0) return true;
        extra_cell = cell;
    }
    if (extra_cell < 0) return true;
    const auto& own = geometry.units(extra_cell).unit;
    std::uint64_t extra = board.candidates(extra_cell);
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        std::uint64_t triple = 0;
        for (int digit = 0; digit < geometry.size(); ++digit) {
            const int count = num_bits(board.positions(unit, digit));
            if (count == 3) {
                triple |= bit(digit);
            } else if (count != 0 && count != 2) {
                return true;
            }
        }
        if (unit == own[0] || unit == own[1] || unit == own[2]) {
            extra &= triple;
        } else if (triple != 0) {
            return true;
        }
    }
    if (!has_one_bit(extra)) return true;
    Step step;
    step.technique = Technique::bug_plus_1;
    step.assumes_uniqueness = true;
    step.cells = {extra_cell};
    step.pattern = {{extra_cell, lowest_bit(extra)}};
    for_each_bit(board.candidates(extra_cell) & ~extra,
                 [&](int digit) { step.eliminations.push_back({extra_cell, digit}); });
    return visit(step);
}

}  // namespace sudokulab::techniques
