#include "logic/techniques/tridagon.h"

#include <array>

#include "logic/techniques/cell_set.h"
#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

// The candidates of some cells besides the three digits.
struct Guardians {
    std::uint64_t digits = 0;
    int num_cells = 0;

    void add(const Guardians& others) {
        digits |= others.digits;
        num_cells += others.num_cells;
    }
    // Whether a candidate can conflict with all of them.
    bool is_useful() const { return num_cells <= 1 || num_bits(digits) <= 1; }
};

// Three cells of a box in different rows and columns, ordered by row.
struct Transversal {
    std::array<int, 3> cells;
    std::uint64_t rows;     // of the grid
    std::uint64_t columns;  // of the grid
    bool is_odd;
    Guardians guardians;
};

class Finder {
public:
    Finder(const TechniqueBoard& board, const Visitor& visit)
        : board_(board),
          map_(board),
          visit_(visit),
          shape_(board.geometry().box()),
          transversals_(static_cast<std::size_t>(shape_.size())) {
        step_.technique = Technique::tridagon;
    }

    bool find() {
        return for_each_combination(shape_.size(), 3, [&](std::uint64_t digits) {
            digits_ = digits;
            for (int box = 0; box < shape_.size(); ++box) list_transversals(box);
            return find_boxes();
        });
    }

private:
    int row(int cell) const { return cell / shape_.size(); }
    int column(int cell) const { return cell % shape_.size(); }
    // The boxes are numbered from 0. A band has as many boxes as a box has rows.
    const std::vector<Transversal>& transversals(int band, int stack) const {
        return transversals_[static_cast<std::size_t>(band * shape_.rows + stack)];
    }

    void list_transversals(int box) {
        std::vector<Transversal>& found = transversals_[static_cast<std::size_t>(box)];
        found.clear();
        std::vector<int> cells;  // in reading order, so by row
        for (int position = 0; position < shape_.size(); ++position) {
            const int cell = board_.geometry().cell(board_.first_unit(UnitKind::box) + box, position);
            if (num_bits(board_.candidates(cell) & digits_) >= 2) cells.push_back(cell);
        }
        for (std::size_t i = 0; i < cells.size(); ++i) {
            for (std::size_t j = i + 1; j < cells.size(); ++j) {
                Guardians guardians = guardians_of(cells[i]);
                guardians.add(guardians_of(cells[j]));
                if (!guardians.is_useful()) continue;
                for (std::size_t k = j + 1; k < cells.size(); ++k)
                    add_transversal({cells[i], cells[j], cells[k]}, found);
            }
        }
    }

    Guardians guardians_of(int cell) const {
        const std::uint64_t extra = board_.candidates(cell) & ~digits_;
        return {extra, extra != 0 ? 1 : 0};
    }

    void add_transversal(const std::array<int, 3>& cells, std::vector<Transversal>& found) const {
        Transversal added{cells, 0, 0, false, {}};
        for (const int cell : cells) {
            added.rows |= bit(row(cell));
            added.columns |= bit(column(cell));
            added.guardians.add(guardians_of(cell));
        }
        if (num_bits(added.rows) < 3 || num_bits(added.columns) < 3 || !added.guardians.is_useful()) return;
        const auto is_inverted = [&](std::size_t i, std::size_t j) { return column(cells[i]) > column(cells[j]); };
        added.is_odd = is_inverted(0, 1) ^ is_inverted(0, 2) ^ is_inverted(1, 2);
        found.push_back(added);
    }

    bool find_boxes() {
        for (int band = 0; band < shape_.cols; ++band) {
            for (int lower = band + 1; lower < shape_.cols; ++lower) {
                for (int stack = 0; stack < shape_.rows; ++stack) {
                    for (int right = stack + 1; right < shape_.rows; ++right) {
                        if (!combine(band, lower, stack, right)) return false;
                    }
                }
            }
        }
        return true;
    }

    bool combine(int band, int lower, int stack, int right) {
        for (const Transversal& a : transversals(band, stack)) {
            for (const Transversal& b : transversals(band, right)) {
                Guardians upper = a.guardians;
                upper.add(b.guardians);
                if (b.rows != a.rows || !upper.is_useful()) continue;
                for (const Transversal& c : transversals(lower, stack)) {
                    if (c.columns != a.columns) continue;
                    for (const Transversal& d : transversals(lower, right)) {
                        if (d.rows != c.rows || d.columns != b.columns) continue;
                        Guardians all = upper;
                        all.add(c.guardians);
                        all.add(d.guardians);
                        const bool is_impossible = a.is_odd ^ b.is_odd ^ c.is_odd ^ d.is_odd;
                        // Without guardians, the board has no solution.
                        if (!is_impossible || !all.is_useful() || all.num_cells == 0) continue;
                        if (!report({&a, &b, &c, &d}, all)) return false;
                    }
                }
            }
        }
        return true;
    }

    bool report(const std::array<const Transversal*, 4>& boxes, const Guardians& guardians) {
        step_.cells.clear();
        step_.pattern.clear();
        step_.nodes.assign(1, {});
        CellSet guarded;
        for (const Transversal* box : boxes) {
            for (const int cell : box->cells) {
                step_.cells.push_back(cell);
                for_each_bit(board_.candidates(cell), [&](int digit) {
                    step_.pattern.push_back({cell, digit});
                    if ((digits_ >> digit & 1) == 0) step_.nodes[0].push_back({cell, digit});
                });
                if ((board_.candidates(cell) & ~digits_) != 0) guarded.add(cell);
            }
        }
        step_.length = static_cast<int>(step_.nodes[0].size());
        step_.placements.clear();
        step_.eliminations.clear();
        if (step_.length == 1) {
            step_.placements = step_.nodes[0];
        } else if (guardians.num_cells == 1) {
            const int cell = guarded.first();
            for_each_bit(board_.candidates(cell) & digits_,
                         [&](int digit) { step_.eliminations.push_back({cell, digit}); });
        } else {
            const int digit = lowest_bit(guardians.digits);
            (map_.common_peers(guarded) & map_.of(digit)).for_each([&](int cell) {
                step_.eliminations.push_back({cell, digit});
            });
            if (step_.eliminations.empty()) return true;
        }
        return visit_(step_);
    }

    const TechniqueBoard& board_;
    const CellMap map_;
    const Visitor& visit_;
    const BoxShape shape_;
    std::uint64_t digits_ = 0;                            // the three digits
    std::vector<std::vector<Transversal>> transversals_;  // by box, for the three digits
    Step step_;
};

}  // namespace

bool find_tridagons(const TechniqueBoard& board, const Visitor& visit) {
    if (board.geometry().box().rows < 3 || board.geometry().box().cols < 3) return true;
    return Finder(board, visit).find();
}

}  // namespace sudokulab::techniques
