#include "logic/techniques/locked_candidates.h"

#include <algorithm>

namespace sudokulab::techniques {
namespace {

// The positions in the unit of kind `kind` around a cell that also lie in the cell's unit of kind `other`. One of the
// two kinds is a box.
std::uint64_t shared_positions(const TechniqueBoard& board, UnitKind kind, UnitKind other, int cell) {
    if (kind == UnitKind::box) return board.geometry().line_in_box(cell, static_cast<std::size_t>(other));
    const BoxShape box = board.geometry().box();
    const int width = kind == UnitKind::row ? box.cols : box.rows;
    return (bit(width) - 1) << board.position(kind, cell) / width * width;
}

class Finder {
public:
    Finder(const TechniqueBoard& board, bool is_direct, const Visitor& visit)
        : board_(board), is_direct_(is_direct), visit_(visit) {}

    bool find(UnitKind base, UnitKind cover) {
        const Geometry& geometry = board_.geometry();
        step_.technique = base == UnitKind::box ? Technique::pointing : Technique::claiming;
        const int first = board_.first_unit(base);
        for (int unit = first; unit < first + geometry.size(); ++unit) {
            collect(unit, base, cover);
            for (const Locked& own : locked_) {
                if (!report(own.digit, unit, own.other, board_.positions(unit, own.digit), own.removed)) return false;
            }
        }
        return true;
    }

private:
    // A digit confined to the intersection with another unit, which loses the digit elsewhere.
    struct Locked {
        int other;
        int digit;
        std::uint64_t removed;  // positions in the other unit
    };

    // Finds the locked digits of a unit, ordered by the other unit.
    void collect(int unit, UnitKind base, UnitKind cover) {
        const Geometry& geometry = board_.geometry();
        locked_.clear();
        for (int digit = 0; digit < geometry.size(); ++digit) {
            const std::uint64_t positions = board_.positions(unit, digit);
            if (num_bits(positions) < 2) continue;
            const int cell = geometry.cell(unit, lowest_bit(positions));
            if ((positions & ~shared_positions(board_, base, cover, cell)) != 0) continue;
            const int other = board_.unit(cover, cell);
            const std::uint64_t removed = board_.positions(other, digit) & ~shared_positions(board_, cover, base, cell);
            if (removed != 0) locked_.push_back({other, digit, removed});
        }
        std::stable_sort(locked_.begin(), locked_.end(),
                         [](const Locked& one, const Locked& another) { return one.other < another.other; });
    }

    bool report(int digit, int unit, int other, std::uint64_t positions, std::uint64_t removed) {
        if (is_direct_ && !has_single(digit, unit, other, removed)) return true;
        const Geometry& geometry = board_.geometry();
        step_.units = {unit, other};
        step_.cells.clear();
        step_.pattern.clear();
        step_.eliminations.clear();
        for_each_bit(positions, [&](int position) {
            step_.cells.push_back(geometry.cell(unit, position));
            step_.pattern.push_back({step_.cells.back(), digit});
        });
        for_each_bit(removed,
                     [&](int position) { step_.eliminations.push_back({geometry.cell(other, position), digit}); });
        if (!is_direct_) return visit_(step_);
        for (const Candidate& single : singles_) {
            step_.placements = {single};
            if (!visit_(step_)) return false;
        }
        return true;
    }

    // Collects the singles left by the eliminations in units parallel to the base unit, in the order of the units.
    bool has_single(int digit, int unit, int other, std::uint64_t removed) {
        const Geometry& geometry = board_.geometry();
        const auto base = static_cast<UnitKind>(unit / geometry.size());
        const auto cover = static_cast<UnitKind>(other / geometry.size());
        std::uint64_t thirds = 0;
        for_each_bit(removed, [&](int position) {
            thirds |= bit(board_.unit(base, geometry.cell(other, position)) - board_.first_unit(base));
        });
        singles_.clear();
        for_each_bit(thirds, [&](int index) {
            const int third = board_.first_unit(base) + index;
            std::uint64_t left = 0;
            for_each_bit(board_.positions(third, digit), [&](int position) {
                if (board_.unit(cover, geometry.cell(third, position)) != other) left |= bit(position);
            });
            if (has_one_bit(left)) singles_.push_back({geometry.cell(third, lowest_bit(left)), digit});
        });
        return !singles_.empty();
    }

    const TechniqueBoard& board_;
    const bool is_direct_;
    const Visitor& visit_;
    Step step_;
    std::vector<Locked> locked_;
    std::vector<Candidate> singles_;
};

bool find(const TechniqueBoard& board, bool is_direct, const Visitor& visit) {
    Finder finder(board, is_direct, visit);
    return finder.find(UnitKind::box, UnitKind::column) && finder.find(UnitKind::box, UnitKind::row) &&
           finder.find(UnitKind::column, UnitKind::box) && finder.find(UnitKind::row, UnitKind::box);
}

}  // namespace

bool find_locked_candidates(const TechniqueBoard& board, const Visitor& visit) { return find(board, false, visit); }

bool find_direct_locked_candidates(const TechniqueBoard& board, const Visitor& visit) {
    return find(board, true, visit);
}

}  // namespace sudokulab::techniques
