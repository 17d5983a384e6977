#include "logic/techniques/empty_rectangles.h"

namespace sudokulab::techniques {
namespace {

// The digit in a box, confined to a row and a column.
struct Rectangle {
    int digit;
    int box;
    int row;
    int column;
    std::vector<int> cells;
};

// Whether all cells lie in one of the lines, and each line has a cell that the other does not have.
bool is_confined(const TechniqueBoard& board, const Rectangle& rectangle) {
    bool has_row = false;
    bool has_column = false;
    for (const int cell : rectangle.cells) {
        const bool is_in_row = board.unit(UnitKind::row, cell) == rectangle.row;
        const bool is_in_column = board.unit(UnitKind::column, cell) == rectangle.column;
        if (!is_in_row && !is_in_column) return false;
        has_row |= is_in_row && !is_in_column;
        has_column |= is_in_column && !is_in_row;
    }
    return has_row && has_column;
}

bool report(const TechniqueBoard& board, const Rectangle& rectangle, int start, int end, int target, int link_unit,
            const Visitor& visit) {
    const int digit = rectangle.digit;
    Step step;
    step.technique = Technique::empty_rectangle;
    step.variant = rectangle.cells.size() == 2 ? 1 : 0;
    step.units = {rectangle.box, rectangle.row, rectangle.column, link_unit};
    step.cells = rectangle.cells;
    step.cells.insert(step.cells.end(), {start, end});
    for (const int cell : step.cells) step.pattern.push_back({cell, digit});
    for (const int cell : rectangle.cells) {
        if (board.sees(cell, start)) step.links.push_back({{cell, digit}, {start, digit}, false});
    }
    step.links.push_back({{start, digit}, {end, digit}, true});
    step.eliminations = {{target, digit}};
    return visit(step);
}

// Links that start in `line` of the rectangle (a row or a column), run across it, and end in a line that meets the
// other line of the rectangle.
bool find_links(const TechniqueBoard& board, const Rectangle& rectangle, UnitKind kind, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    const UnitKind crossing = kind == UnitKind::row ? UnitKind::column : UnitKind::row;
    const int line = kind == UnitKind::row ? rectangle.row : rectangle.column;
    const int other_line = kind == UnitKind::row ? rectangle.column : rectangle.row;
    for (std::uint64_t left = board.positions(line, rectangle.digit); left != 0; left &= left - 1) {
        const int start = geometry.cell(line, lowest_bit(left));
        if (board.unit(UnitKind::box, start) == rectangle.box) continue;
        const int link_unit = board.unit(crossing, start);
        const std::uint64_t ends = board.positions(link_unit, rectangle.digit) & ~bit(board.position(crossing, start));
        if (!has_one_bit(ends)) continue;
        const int end = geometry.cell(link_unit, lowest_bit(ends));
        const int target = geometry.cell(board.unit(kind, end), other_line - board.first_unit(crossing));
        if (!board.has(target, rectangle.digit) || board.unit(UnitKind::box, target) == rectangle.box) continue;
        if (!report(board, rectangle, start, end, target, link_unit, visit)) return false;
    }
    return true;
}

bool find_in_box(const TechniqueBoard& board, int digit, int box, const Visitor& visit) {
    const Geometry& geometry = board.geometry();
    Rectangle rectangle{digit, box, 0, 0, {}};
    for_each_bit(board.positions(box, digit),
                 [&](int position) { rectangle.cells.push_back(geometry.cell(box, position)); });
    if (rectangle.cells.size() < 2) return true;
    const int corner = geometry.cell(box, 0);
    const int first_row = board.unit(UnitKind::row, corner);
    const int first_column = board.unit(UnitKind::column, corner);
    for (int row = first_row; row < first_row + geometry.box().rows; ++row) {
        for (int column = first_column; column < first_column + geometry.box().cols; ++column) {
            rectangle.row = row;
            rectangle.column = column;
            if (!is_confined(board, rectangle)) continue;
            if (!find_links(board, rectangle, UnitKind::row, visit)) return false;
            if (!find_links(board, rectangle, UnitKind::column, visit)) return false;
        }
    }
    return true;
}

// Calls visit(digit, box) for each until it returns false.
template <class Visit>
bool for_each_box(const TechniqueBoard& board, Visit visit) {
    const int first = board.first_unit(UnitKind::box);
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        for (int box = first; box < first + board.geometry().size(); ++box) {
            if (!visit(digit, box)) return false;
        }
    }
    return true;
}

}  // namespace

bool find_empty_rectangles(const TechniqueBoard& board, const Visitor& visit) {
    return for_each_box(board, [&](int digit, int box) { return find_in_box(board, digit, box, visit); });
}

bool find_dual_empty_rectangles(const TechniqueBoard& board, const Visitor& visit) {
    return for_each_box(board, [&](int digit, int box) {
        std::vector<Step> found;
        find_in_box(board, digit, box, [&](const Step& step) {
            found.push_back(step);
            return true;
        });
        for (std::size_t i = 0; i < found.size(); ++i) {
            for (std::size_t j = i + 1; j < found.size(); ++j) {
                const Step& other = found[j];
                if (found[i].eliminations.front().cell == other.eliminations.front().cell) continue;
                Step step = found[i];
                step.technique = Technique::dual_empty_rectangle;
                step.units.insert(step.units.end(), other.units.begin() + 1, other.units.end());
                step.cells.insert(step.cells.end(), other.cells.end() - 2, other.cells.end());
                step.pattern.insert(step.pattern.end(), other.pattern.end() - 2, other.pattern.end());
                remove_repeats(step);
                step.links.insert(step.links.end(), other.links.begin(), other.links.end());
                step.eliminations.push_back(other.eliminations.front());
                if (!visit(step)) return false;
            }
        }
        return true;
    });
}

}  // namespace sudokulab::techniques
