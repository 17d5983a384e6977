#include "logic/rules.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "logic/quick_rules.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Removes candidates, and remembers what came of it.
class Remover {
public:
    explicit Remover(DeductionBoard& board) : board_(board) {}

    void remove(int cell, int digit) {
        if (!board_.has(cell, digit)) return;
        has_removed_ = true;
        is_consistent_ &= board_.remove(cell, digit);
    }

    Progress progress() const {
        if (!is_consistent_) return Progress::contradiction;
        return has_removed_ ? Progress::made : Progress::none;
    }

private:
    DeductionBoard& board_;
    bool has_removed_ = false;
    bool is_consistent_ = true;
};

Progress place(DeductionBoard& board, const std::optional<Candidate>& single) {
    if (!single) return Progress::none;
    assert(!board.is_placed(single->cell));
    return board.place(single->cell, single->digit) ? Progress::made : Progress::contradiction;
}

// BRC and RCB: if all positions of a digit in one unit lie in another, it is removed from the rest of the other.
Progress interaction(DeductionBoard& board, bool is_from_box) {
    const Geometry& geometry = board.geometry();
    for (const Geometry::Intersection& both : geometry.intersections()) {
        const int from = is_from_box ? both.box : both.line;
        const int to = is_from_box ? both.line : both.box;
        const std::uint64_t inside_from = is_from_box ? both.in_box : both.in_line;
        const std::uint64_t inside_to = is_from_box ? both.in_line : both.in_box;
        for (int digit = 0; digit < geometry.size(); ++digit) {
            if ((board.positions(from, digit) & ~inside_from) != 0) continue;
            std::uint64_t outside = board.positions(to, digit) & ~inside_to;
            if (outside == 0) continue;
            Remover remover(board);
            for (; outside != 0; outside &= outside - 1) {
                remover.remove(geometry.cell(to, std::countr_zero(outside)), digit);
            }
            return remover.progress();
        }
    }
    return Progress::none;
}

// Chooses `left` more items so that the union of all chosen masks has as many members as there are items, and visits
// each such choice until the visitor returns true.
template <class Visit>
bool choose_subset(std::span<const std::uint64_t> masks, std::span<const int> items, int size, int left,
                   std::uint64_t in_union, std::uint64_t chosen, Visit visit) {
    if (left == 0) return visit(chosen, in_union);
    for (std::size_t i = 0; i + at(left) <= items.size(); ++i) {
        const std::uint64_t wider = in_union | masks[at(items[i])];
        if (std::popcount(wider) > size) continue;
        if (choose_subset(masks, items.subspan(i + 1), size, left - 1, wider, chosen | std::uint64_t{1} << items[i],
                          visit)) {
            return true;
        }
    }
    return false;
}

// NP, NT, NQ and HP, HT, HQ. For a naked subset, the items are cells and the members digits; for a hidden one, the
// reverse.
Progress subset(DeductionBoard& board, int size, bool is_naked) {
    const Geometry& geometry = board.geometry();
    std::array<std::uint64_t, max_size> masks;
    std::array<int, max_size> items;
    for (int unit = 0; unit < geometry.num_units(); ++unit) {
        std::size_t num_items = 0;
        std::size_t num_open = 0;
        for (int item = 0; item < geometry.size(); ++item) {
            const std::uint64_t mask =
                is_naked ? board.candidates(geometry.cell(unit, item)) : board.positions(unit, item);
            const bool is_single = (mask & (mask - 1)) == 0;
            if (is_single) continue;
            ++num_open;
            if (std::popcount(mask) > size) continue;
            masks[at(item)] = mask;
            items[num_items++] = item;
        }
        if (num_items < at(size) || num_open <= at(size)) continue;
        Progress progress = Progress::none;
        choose_subset(masks, std::span<const int>(items.data(), num_items), size, size, 0, 0,
                      [&](std::uint64_t chosen, std::uint64_t members) {
                          const std::uint64_t positions = is_naked ? chosen : members;
                          const std::uint64_t digits = is_naked ? members : chosen;
                          Remover remover(board);
                          for (int position = 0; position < geometry.size(); ++position) {
                              const int cell = geometry.cell(unit, position);
                              const bool is_inside = (positions >> position & 1) != 0;
                              if (is_inside == is_naked) continue;
                              std::uint64_t away = board.candidates(cell) & (is_naked ? digits : ~digits);
                              if (is_naked && board.is_placed(cell)) continue;
                              for (; away != 0; away &= away - 1) remover.remove(cell, std::countr_zero(away));
                          }
                          progress = remover.progress();
                          return progress != Progress::none;
                      });
        if (progress != Progress::none) return progress;
    }
    return Progress::none;
}

}  // namespace

Progress apply(Rule rule, DeductionBoard& board) {
    switch (rule) {
        case Rule::naked_single:
            return place(board, board.next_naked_single());
        case Rule::hidden_single:
            return place(board, board.next_hidden_single());
        case Rule::box_line:
            return interaction(board, true);
        case Rule::line_box:
            return interaction(board, false);
        case Rule::naked_pair:
            return subset(board, 2, true);
        case Rule::hidden_pair:
            return subset(board, 2, false);
        case Rule::naked_triplet:
            return subset(board, 3, true);
        case Rule::hidden_triplet:
            return subset(board, 3, false);
        case Rule::naked_quadruplet:
            return subset(board, 4, true);
        default:
            return subset(board, 4, false);
    }
}

Deduction deduce(DeductionBoard& board, std::span<const Rule> rules, std::size_t max_steps) {
    Deduction deduction;
    std::size_t num_steps = 0;
    std::size_t place = 0;
    while (place < rules.size() && !board.is_full() && num_steps < max_steps) {
        const Progress progress = apply(rules[place], board);
        if (progress == Progress::none) {
            ++place;
            continue;
        }
        ++deduction.num_firings[static_cast<std::size_t>(rules[place])];
        deduction.highest = std::max(deduction.highest, static_cast<int>(place));
        if (progress == Progress::contradiction) {
            deduction.is_contradiction = true;
            break;
        }
        ++num_steps;
        place = 0;
    }
    return deduction;
}

bool is_solved_by(BoxShape box, std::span<const std::uint8_t> givens, std::span<const Rule> rules) {
    if (box.rows == 3 && box.cols == 3) {
        if (const std::optional<RuleSet> set = rule_set_of(rules)) return is_solved_quickly(givens.data(), *set);
    }
    DeductionBoard board(Geometry::of(box));
    return board.place_givens(givens) && !deduce(board, rules).is_contradiction && board.is_full();
}

}  // namespace sudokulab
