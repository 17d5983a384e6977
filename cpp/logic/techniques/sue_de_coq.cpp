#include "logic/techniques/sue_de_coq.h"

#include <algorithm>

#include "logic/techniques/cell_set.h"
#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

class Finder {
public:
    Finder(const TechniqueBoard& board, Control& control, const Visitor& visit)
        : board_(board),
          map_(board),
          control_(control),
          visit_(visit),
          max_cells_(board.geometry().size() <= 9 ? board.geometry().size() : 4) {
        step_.technique = Technique::sue_de_coq;
    }

    bool find() {
        const int size = board_.geometry().size();
        for (int line = 0; line < 2 * size; ++line) {
            for (int box = 2 * size; box < 3 * size; ++box) {
                line_ = line;
                box_ = box;
                const CellSet shared = map_.unit(line) & map_.unit(box) & map_.open();
                const bool is_finished = for_each_choice(shared, 2, [&](const CellSet& cells, std::uint64_t digits) {
                    cross_ = cells;
                    cross_digits_ = digits;
                    const int surplus = num_bits(digits) - cells.size();
                    return surplus < 2 || choose_line(surplus);
                });
                if (!is_finished) return false;
            }
        }
        return true;
    }

private:
    struct Part {
        CellSet cells;
        std::uint64_t digits;
        int share;  // of the surplus digits
    };

    // Calls visit(cells, digits) for each choice of at least `min` of the cells, until it returns false or the control
    // stops it.
    template <class Visit>
    bool for_each_choice(const CellSet& from, int min, Visit visit) const {
        std::vector<int> cells;
        from.for_each([&](int cell) { cells.push_back(cell); });
        const int count = static_cast<int>(cells.size());
        for (int size = min; size <= std::min(count, max_cells_); ++size) {
            const bool is_finished = for_each_combination(count, size, [&](std::uint64_t chosen) {
                if (control_.must_stop()) return false;
                CellSet set;
                std::uint64_t digits = 0;
                for_each_bit(chosen, [&](int k) {
                    set.add(cells[static_cast<std::size_t>(k)]);
                    digits |= board_.candidates(cells[static_cast<std::size_t>(k)]);
                });
                return visit(set, digits);
            });
            if (!is_finished) return false;
        }
        return true;
    }

    // How many of the surplus digits the cells take up; they need a cell of their own for each foreign digit.
    int taken(const CellSet& cells, std::uint64_t digits) const {
        return cells.size() - num_bits(digits & ~cross_digits_);
    }

    bool choose_line(int surplus) {
        collect_box_parts(surplus);
        if (box_parts_.empty()) return true;
        const CellSet cells = (map_.unit(line_) & map_.open()) - cross_;
        return for_each_choice(cells, 1, [&](const CellSet& chosen, std::uint64_t digits) {
            const int share = taken(chosen, digits);
            if ((digits & cross_digits_) == 0 || share < 1 || share >= surplus) return true;
            return choose_box(chosen, digits, surplus - share);
        });
    }

    // The choices of cells in the box that take up at least one surplus digit and leave one to the line.
    void collect_box_parts(int surplus) {
        box_parts_.clear();
        for_each_choice((map_.unit(box_) & map_.open()) - cross_, 1, [&](const CellSet& chosen, std::uint64_t digits) {
            const int share = taken(chosen, digits);
            if ((digits & cross_digits_) != 0 && share >= 1 && share < surplus) {
                box_parts_.push_back({chosen, digits, share});
            }
            return true;
        });
    }

    bool choose_box(const CellSet& in_line, std::uint64_t line_digits, int surplus) {
        for (const Part& part : box_parts_) {
            if (part.share != surplus || (part.digits & line_digits & cross_digits_) != 0) continue;
            if (part.cells.meets(in_line)) continue;
            if (!report(in_line, line_digits, part.cells, part.digits)) return false;
        }
        return true;
    }

    bool report(const CellSet& in_line, std::uint64_t line_digits, const CellSet& in_box, std::uint64_t box_digits) {
        const std::uint64_t both = line_digits & box_digits;
        step_.eliminations.clear();
        eliminate(map_.unit(box_) - in_box - cross_, ((cross_digits_ | box_digits) & ~line_digits) | both);
        eliminate(map_.unit(line_) - in_line - cross_, ((cross_digits_ | line_digits) & ~box_digits) | both);
        if (step_.eliminations.empty()) return true;
        step_.units = {line_, box_};
        step_.cells.clear();
        step_.pattern.clear();
        step_.nodes.clear();
        for (const CellSet& part : {cross_, in_line, in_box}) {
            std::vector<Candidate>& node = step_.nodes.emplace_back();
            part.for_each([&](int cell) {
                step_.cells.push_back(cell);
                for_each_bit(board_.candidates(cell), [&](int digit) { node.push_back({cell, digit}); });
            });
            step_.pattern.insert(step_.pattern.end(), node.begin(), node.end());
        }
        return visit_(step_);
    }

    // Once each: the rest of the intersection belongs to the line and the box.
    void eliminate(const CellSet& cells, std::uint64_t digits) {
        cells.for_each([&](int cell) {
            for_each_bit(board_.candidates(cell) & digits,
                         [&](int digit) { add_once(step_.eliminations, {cell, digit}); });
        });
    }

    const TechniqueBoard& board_;
    const CellMap map_;
    Control& control_;
    const Visitor& visit_;
    const int max_cells_;  // per part
    int line_ = 0;
    int box_ = 0;
    CellSet cross_;  // the chosen cells of the intersection
    std::uint64_t cross_digits_ = 0;
    std::vector<Part> box_parts_;
    Step step_;
};

}  // namespace

bool find_sue_de_coqs(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find();
}

}  // namespace sudokulab::techniques
