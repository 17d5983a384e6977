#include "logic/techniques/fireworks.h"

#include "logic/techniques/cell_set.h"

namespace sudokulab::techniques {
namespace {

// Calls visit(mask) for every choice of `count` bits of a mask until it returns false.
template <class Visit>
bool for_each_choice(std::uint64_t mask, int count, Visit visit, std::uint64_t chosen = 0) {
    if (count == 0) return visit(chosen);
    for (; num_bits(mask) >= count; mask &= mask - 1) {
        if (!for_each_choice(mask & (mask - 1), count - 1, visit, chosen | (mask & -mask))) return false;
    }
    return true;
}

class Finder {
public:
    Finder(const TechniqueBoard& board, const Visitor& visit) : board_(board), map_(board), visit_(visit) {
        step_.technique = Technique::fireworks;
    }

    bool find() {
        return for_each_place([&](std::uint64_t digits) { return find_triples(digits); }) &&
               for_each_place([&](std::uint64_t digits) { return find_quadruples(digits); }) &&
               for_each_place([&](std::uint64_t digits) { return find_doubles(digits); });
    }

private:
    // Calls visit(fireworks) for every X, Y and Z with at least two fireworks until it returns false.
    template <class Visit>
    bool for_each_place(Visit visit) {
        const Geometry& geometry = board_.geometry();
        for (x_ = 0; x_ < geometry.num_cells(); ++x_) {
            if (!board_.is_open(x_)) continue;
            const int row = board_.unit(UnitKind::row, x_);
            const int column = board_.unit(UnitKind::column, x_);
            for (int k = 0; k < geometry.size(); ++k) {
                y_ = geometry.cell(row, k);
                if (!is_outside_box(y_)) continue;
                const std::uint64_t in_row = confined(UnitKind::row, x_, y_);
                if (num_bits(in_row) < 2) continue;
                for (int m = 0; m < geometry.size(); ++m) {
                    z_ = geometry.cell(column, m);
                    if (!is_outside_box(z_)) continue;
                    const std::uint64_t digits = in_row & confined(UnitKind::column, x_, z_);
                    w_ = geometry.cell(board_.unit(UnitKind::row, z_), board_.position(UnitKind::row, y_));
                    if (num_bits(digits) >= 2 && !visit(digits)) return false;
                }
            }
        }
        return true;
    }

    bool is_outside_box(int cell) const {
        return board_.is_open(cell) && board_.unit(UnitKind::box, cell) != board_.unit(UnitKind::box, x_);
    }

    // The open digits of a line through `cell` whose candidates are in the box of the cell or in `outside`.
    std::uint64_t confined(UnitKind kind, int cell, int outside) const {
        const int line = board_.unit(kind, cell);
        const std::size_t k = kind == UnitKind::row ? 0 : 1;
        std::uint64_t allowed = bit(board_.position(kind, outside));
        for_each_bit(board_.geometry().line_in_box(cell, k), [&](int position) {
            const int other = board_.geometry().cell(board_.unit(UnitKind::box, cell), position);
            allowed |= bit(board_.position(kind, other));
        });
        std::uint64_t digits = 0;
        for (int digit = 0; digit < board_.geometry().size(); ++digit) {
            const std::uint64_t positions = board_.positions(line, digit);
            if (positions != 0 && (positions & ~allowed) == 0) digits |= bit(digit);
        }
        return digits;
    }

    bool find_triples(std::uint64_t digits) {
        return for_each_choice(digits, 3, [&](std::uint64_t chosen) {
            start(3, {x_, y_, z_});
            for (const int cell : {x_, y_, z_}) keep(cell, chosen);
            remove_seen(chosen, {x_, y_, z_});
            return report();
        });
    }

    bool find_quadruples(std::uint64_t digits) {
        if (w_ < x_ || !board_.is_open(w_)) return true;
        const std::uint64_t others = confined(UnitKind::row, w_, z_) & confined(UnitKind::column, w_, y_);
        return for_each_choice(digits, 2, [&](std::uint64_t own) {
            return for_each_choice(others & ~own, 2, [&](std::uint64_t opposite) {
                start(4, {x_, y_, z_, w_});
                keep(x_, own);
                keep(y_, own | opposite);
                keep(z_, own | opposite);
                keep(w_, opposite);
                remove_seen(own, {x_, y_, z_});
                remove_seen(opposite, {w_, y_, z_});
                return report();
            });
        });
    }

    bool find_doubles(std::uint64_t digits) {
        const std::uint64_t chosen = board_.candidates(w_);
        if (num_bits(chosen) != 2 || (chosen & ~digits) != 0) return true;
        start(2, {x_, y_, z_, w_});
        keep(x_, chosen);
        for (const int cell : step_.cells) add_pattern(cell, chosen);
        return report();
    }

    void start(int num_digits, std::vector<int> cells) {
        step_.length = num_digits;
        step_.cells = std::move(cells);
        step_.units = {board_.unit(UnitKind::row, x_), board_.unit(UnitKind::column, x_)};
        if (num_digits == 4) {
            step_.units.push_back(board_.unit(UnitKind::row, w_));
            step_.units.push_back(board_.unit(UnitKind::column, w_));
        }
        step_.pattern.clear();
        step_.eliminations.clear();
    }

    void add_pattern(int cell, std::uint64_t digits) {
        for_each_bit(board_.candidates(cell) & digits, [&](int digit) { step_.pattern.push_back({cell, digit}); });
    }

    void keep(int cell, std::uint64_t digits) {
        for_each_bit(board_.candidates(cell) & ~digits,
                     [&](int digit) { step_.eliminations.push_back({cell, digit}); });
    }

    // Removes each digit from the cells that see all its candidates in the three cells.
    void remove_seen(std::uint64_t digits, const std::vector<int>& cells) {
        for (const int cell : cells) add_pattern(cell, digits);
        for_each_bit(digits, [&](int digit) {
            CellSet holders;
            for (const int cell : cells) {
                if (board_.has(cell, digit)) holders.add(cell);
            }
            if (holders.is_empty()) return;  // the board has no solution
            CellSet seeing = map_.common_peers(holders) & map_.of(digit);
            for (const int cell : step_.cells) seeing.remove(cell);  // `keep` removes these
            seeing.for_each([&](int cell) { step_.eliminations.push_back({cell, digit}); });
        });
    }

    bool report() { return step_.eliminations.empty() || visit_(step_); }

    const TechniqueBoard& board_;
    const CellMap map_;
    const Visitor& visit_;
    int x_ = 0;
    int y_ = 0;
    int z_ = 0;
    int w_ = 0;
    Step step_;
};

}  // namespace

bool find_fireworks(const TechniqueBoard& board, const Visitor& visit) { return Finder(board, visit).find(); }

}  // namespace sudokulab::techniques
