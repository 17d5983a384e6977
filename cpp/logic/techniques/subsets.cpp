#include "logic/techniques/subsets.h"

#include <algorithm>
#include <array>
#include <span>

#include "logic/techniques/combinations.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array naked_names{Technique::naked_pair, Technique::naked_triplet, Technique::naked_quad};
constexpr std::array locked_names{Technique::locked_pair, Technique::locked_triplet};
constexpr std::array hidden_names{Technique::hidden_pair, Technique::hidden_triplet, Technique::hidden_quad};

// Sets of `size` rows (cells or digits) that cover exactly `size` columns (digits or positions).
class Cover {
public:
    void clear() { num_rows_ = 0; }
    // Rows with one column are singles, and rows with more than `size` columns never fit.
    void add(int row, std::uint64_t columns, int num_columns, int size) {
        if (num_columns < 2 || num_columns > size) return;
        rows_[num_rows_] = row;
        columns_[num_rows_++] = columns;
    }

    // Calls visit(rows, columns) for each set until it returns false.
    template <class Visit>
    bool for_each(int size, Visit visit) const {
        const std::span<const std::uint64_t> all(columns_.data(), num_rows_);
        return for_each_small_union(all, size, size, [&](std::uint64_t chosen, std::uint64_t columns) {
            if (num_bits(columns) != size) return true;
            std::uint64_t rows = 0;
            for_each_bit(chosen, [&](int k) { rows |= bit(rows_[static_cast<std::size_t>(k)]); });
            return visit(rows, columns);
        });
    }

private:
    std::array<int, max_size> rows_;
    std::array<std::uint64_t, max_size> columns_;
    std::size_t num_rows_ = 0;
};

// Calls visit(unit) for boxes, columns and rows until it returns false.
template <class Visit>
bool for_each_unit(const TechniqueBoard& board, Visit visit) {
    for (const UnitKind kind : {UnitKind::box, UnitKind::column, UnitKind::row}) {
        const int first = board.first_unit(kind);
        for (int unit = first; unit < first + board.geometry().size(); ++unit) {
            if (!visit(unit)) return false;
        }
    }
    return true;
}

// Fills in the pattern of a subset of digits at positions of a unit, and removes candidates from the positions
// `affected`: there, the digits in `removed`.
void fill(const TechniqueBoard& board, int unit, std::uint64_t positions, std::uint64_t digits, std::uint64_t affected,
          std::uint64_t removed, Step& step) {
    const Geometry& geometry = board.geometry();
    step.units = {unit};
    step.cells.clear();
    step.pattern.clear();
    step.eliminations.clear();
    for_each_bit(positions, [&](int position) {
        const int cell = geometry.cell(unit, position);
        step.cells.push_back(cell);
        for_each_bit(board.candidates(cell) & digits, [&](int digit) { step.pattern.push_back({cell, digit}); });
    });
    for_each_bit(affected, [&](int position) {
        const int cell = geometry.cell(unit, position);
        for_each_bit(board.candidates(cell) & removed, [&](int digit) { step.eliminations.push_back({cell, digit}); });
    });
}

// The lowest digit outside the subset with several positions, of which one remains outside the cells of the subset.
bool place_single(const TechniqueBoard& board, int unit, std::uint64_t digits, std::uint64_t positions, Step& step) {
    const Geometry& geometry = board.geometry();
    for (int digit = 0; digit < geometry.size(); ++digit) {
        const std::uint64_t all = board.positions(unit, digit);
        const std::uint64_t left = all & ~positions;
        if ((digits >> digit & 1) != 0 || num_bits(all) < 2 || !has_one_bit(left)) continue;
        step.placements = {{geometry.cell(unit, lowest_bit(left)), digit}};
        return true;
    }
    return false;
}

// The other unit that contains all these cells of a unit, or -1.
int common_unit(const TechniqueBoard& board, int unit, const std::vector<int>& cells) {
    for (const UnitKind kind : {UnitKind::row, UnitKind::column, UnitKind::box}) {
        const int other = board.unit(kind, cells.front());
        const auto is_inside = [&](int cell) { return board.unit(kind, cell) == other; };
        if (other != unit && std::all_of(cells.begin(), cells.end(), is_inside)) return other;
    }
    return -1;
}

// Adds the eliminations of a naked subset in the rest of a line that also contains all its cells; true if there are
// any.
bool clear_line(const TechniqueBoard& board, int box, int line, std::uint64_t digits, Step& step) {
    const Geometry& geometry = board.geometry();
    const std::size_t num_in_box = step.eliminations.size();
    for (int position = 0; position < geometry.size(); ++position) {
        const int cell = geometry.cell(line, position);
        if (board.unit(UnitKind::box, cell) == box) continue;
        for_each_bit(board.candidates(cell) & digits, [&](int digit) { step.eliminations.push_back({cell, digit}); });
    }
    step.units.push_back(line);
    return step.eliminations.size() > num_in_box;
}

bool find_hidden(const TechniqueBoard& board, int size, int min_open, bool is_direct, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    Step step;
    step.technique = hidden_names[static_cast<std::size_t>(size - 2)];
    Cover cover;
    return for_each_unit(board, [&](int unit) {
        if (board.num_open(unit) < min_open) return true;
        cover.clear();
        for_each_bit(geometry.all() & ~board.placed(unit), [&](int digit) {
            const std::uint64_t positions = board.positions(unit, digit);
            cover.add(digit, positions, num_bits(positions), size);
        });
        return cover.for_each(size, [&](std::uint64_t digits, std::uint64_t positions) {
            if (is_direct && !place_single(board, unit, digits, positions, step)) return true;
            fill(board, unit, positions, digits, positions, geometry.all() & ~digits, step);
            return step.eliminations.empty() || visit(step);
        });
    });
}

bool find_naked_in(const TechniqueBoard& board, int unit, int size, Coverage coverage, Step& step,
                   const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    const auto index = static_cast<std::size_t>(size - 2);
    const bool is_explainer = coverage == Coverage::explainer;
    if (board.num_open(unit) < (is_explainer ? 2 * size : size)) return true;
    Cover cover;
    for (int position = 0; position < geometry.size(); ++position) {
        const int cell = geometry.cell(unit, position);
        cover.add(position, board.candidates(cell), board.num_candidates(cell), size);
    }
    return cover.for_each(size, [&](std::uint64_t positions, std::uint64_t digits) {
        fill(board, unit, positions, digits, geometry.all() & ~positions, digits, step);
        step.technique = naked_names[index];
        if (!is_explainer) {
            const int other = common_unit(board, unit, step.cells);
            const bool is_box = unit >= board.first_unit(UnitKind::box);
            if (other >= 0 && !is_box) return true;  // reported with the box
            const bool clears_box = !step.eliminations.empty();
            if (other >= 0 && clear_line(board, unit, other, digits, step) && clears_box &&
                index < locked_names.size()) {
                step.technique = locked_names[index];
            }
        }
        return step.eliminations.empty() || visit(step);
    });
}

}  // namespace

bool find_naked_subsets(const TechniqueBoard& board, int size, Coverage coverage, const Visitor& visit) {
    Step step;
    return for_each_unit(board, [&](int unit) { return find_naked_in(board, unit, size, coverage, step, visit); });
}

bool find_locked_subsets(const TechniqueBoard& board, int size, const Visitor& visit) {
    const Technique locked = locked_names[static_cast<std::size_t>(size - 2)];
    const Visitor visit_locked = [&](const Step& step) { return step.technique != locked || visit(step); };
    Step step;
    const int first = board.first_unit(UnitKind::box);
    for (int box = first; box < first + board.geometry().size(); ++box) {
        if (!find_naked_in(board, box, size, Coverage::all, step, visit_locked)) return false;
    }
    return true;
}

bool find_hidden_subsets(const TechniqueBoard& board, int size, Coverage coverage, const Visitor& visit) {
    return find_hidden(board, size, coverage == Coverage::explainer ? 2 * size + 1 : size + 1, false, visit);
}

bool find_direct_hidden_subsets(const TechniqueBoard& board, int size, const Visitor& visit) {
    return find_hidden(board, size, size + 1, true, visit);
}

}  // namespace sudokulab::techniques
