#include "logic/techniques/complex_fish.h"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "grid/once_per_shape.h"
#include "logic/techniques/bit_set.h"

namespace sudokulab::techniques {
namespace {

constexpr int max_fins = 5;
constexpr int max_endo_fins = 2;

// The technique of a size, counted from the X-wing of the same kind.
Technique of_size(Technique x_wing, int size) { return static_cast<Technique>(static_cast<int>(x_wing) + size - 2); }

Technique name_of_fish(FishShape shape, bool has_fins, bool is_sashimi, int size) {
    switch (shape) {
        case FishShape::basic:
            return of_size(is_sashimi ? Technique::sashimi_x_wing : Technique::finned_x_wing, size);
        case FishShape::franken:
            return of_size(has_fins ? Technique::finned_franken_x_wing : Technique::franken_x_wing, size);
        case FishShape::mutant:
            break;
    }
    return of_size(has_fins ? Technique::finned_mutant_x_wing : Technique::mutant_x_wing, size);
}

// The kinds of units in a set, as a mask.
constexpr int rows_only = 1 << static_cast<int>(UnitKind::row);
constexpr int columns_only = 1 << static_cast<int>(UnitKind::column);
constexpr int boxes_only = 1 << static_cast<int>(UnitKind::box);

FishShape shape_of(int base_kinds, int cover_kinds) {
    const int base_lines = base_kinds & ~boxes_only;
    const int cover_lines = cover_kinds & ~boxes_only;
    const bool is_crossing = (base_lines == rows_only && cover_lines == columns_only) ||
                             (base_lines == columns_only && cover_lines == rows_only);
    if (!is_crossing) return FishShape::mutant;
    return ((base_kinds | cover_kinds) & boxes_only) == 0 ? FishShape::basic : FishShape::franken;
}

// The cells that each cell sees.
template <class Set>
const std::vector<Set>& peers_of(const Geometry& geometry) {
    static constinit OncePerShape<std::vector<Set>> tables;
    return tables.get(geometry.box(), [&] {
        auto peers = std::make_unique<std::vector<Set>>(static_cast<std::size_t>(geometry.num_cells()));
        for (int cell = 0; cell < geometry.num_cells(); ++cell) {
            Set& seen = (*peers)[static_cast<std::size_t>(cell)];
            for (const int unit : geometry.units(cell).unit) {
                for (int position = 0; position < geometry.size(); ++position) seen.add(geometry.cell(unit, position));
            }
            seen.remove(cell);
        }
        return peers;
    });
}

// The candidates of one digit that no placement of the digit on the whole board contains. Fish remove no others, and
// most boards have few of them. A candidate counts as removable too if the search for a placement takes too long.
template <class Set>
class RemovableCandidates {
public:
    // By row and by cell.
    RemovableCandidates(std::span<const Set> rows, const std::vector<Set>& peers, Control& control)
        : rows_(rows), peers_(peers), control_(control) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row].is_empty()) open_rows_ |= bit(static_cast<int>(row));
        }
    }

    Set find(const Set& candidates) {
        Set removable;
        Set placed;
        candidates.for_each([&](int cell) {
            if (placed.has(cell)) return;
            num_nodes_ = 0;
            placement_ = {};
            if (place(cell, candidates, open_rows_)) {
                placed |= placement_;
            } else {
                removable.add(cell);
            }
        });
        return removable;
    }

private:
    static constexpr int max_nodes = 20000;

    // Places the digit in the cell and then in the other rows; false if that is impossible or takes too long.
    bool place(int cell, const Set& open, std::uint64_t open_rows) {
        if (++num_nodes_ > max_nodes || control_.must_stop()) return false;
        const Set rest = open - peers_[static_cast<std::size_t>(cell)];
        const std::uint64_t rows_left = open_rows & ~bit(cell / static_cast<int>(rows_.size()));
        if (rows_left != 0 && !place_in_rows(rest, rows_left)) return false;
        placement_.add(cell);
        return true;
    }

    bool place_in_rows(const Set& open, std::uint64_t rows) {
        Set best;
        int fewest = Set::capacity;
        for (std::uint64_t left = rows; left != 0; left &= left - 1) {
            const Set cells = rows_[static_cast<std::size_t>(lowest_bit(left))] & open;
            const int count = cells.size();
            if (count == 0) return false;
            if (count >= fewest) continue;
            fewest = count;
            best = cells;
        }
        while (!best.is_empty()) {
            const int cell = best.first();
            best.remove(cell);
            if (place(cell, open, rows)) return true;
        }
        return false;
    }

    const std::span<const Set> rows_;
    const std::vector<Set>& peers_;
    Control& control_;
    std::uint64_t open_rows_ = 0;
    Set placement_;
    int num_nodes_ = 0;
};

template <class Set>
class FishSearch {
public:
    FishSearch(const TechniqueBoard& board, int size, FishShape shape, bool has_fins, Control& control,
               const Visitor& visit)
        : board_(board),
          size_(size),
          shape_(shape),
          has_fins_(has_fins),
          control_(control),
          visit_(visit),
          peers_(peers_of<Set>(board.geometry())) {}

    bool find(int digit) {
        // A basic fish whose base contains every row or column of the digit removes nothing.
        const int num_lines = board_.geometry().size() - board_.num_placed(digit);
        if (shape_ == FishShape::basic && num_lines <= size_) return true;
        load(digit);
        if (removable_.is_empty()) return true;
        if (shape_ == FishShape::mutant) return search(~0, ~0);
        const int boxes = shape_ == FishShape::franken ? boxes_only : 0;
        return search(rows_only | boxes, columns_only | boxes) && search(columns_only | boxes, rows_only | boxes);
    }

private:
    using UnitSet = BitSet<2>;  // at most 75 units

    // A finished fish on the current base.
    struct Fish {
        std::vector<int> cover;
        Set fins;
        Set eliminations;
        Technique technique;
    };

    const Set& unit(int number) const { return units_[static_cast<std::size_t>(number)]; }
    const Set& peers(int cell) const { return peers_[static_cast<std::size_t>(cell)]; }
    int kind_mask(int number) const { return 1 << number / board_.geometry().size(); }
    bool is_allowed(int number, int kinds) const { return (kind_mask(number) & kinds) != 0; }

    void load(int digit) {
        const Geometry& geometry = board_.geometry();
        digit_ = digit;
        Set candidates;
        units_.assign(static_cast<std::size_t>(geometry.num_units()), {});
        for (int row = 0; row < geometry.size(); ++row) {
            for_each_bit(board_.positions(row, digit), [&](int position) {
                const int cell = geometry.cell(row, position);
                candidates.add(cell);
                for (const int number : geometry.units(cell).unit) units_[static_cast<std::size_t>(number)].add(cell);
            });
        }
        const auto num_rows = static_cast<std::size_t>(geometry.size());
        removable_ = RemovableCandidates<Set>(std::span(units_).first(num_rows), peers_, control_).find(candidates);
    }

    bool search(int base_kinds, int cover_kinds) {
        allowed_base_ = base_kinds;
        allowed_cover_ = cover_kinds;
        base_.clear();
        return extend_base(0, {}, {}, removable_);
    }

    // Adds base units in ascending order. `targets` are the candidates that see all endo fins.
    bool extend_base(int first, const Set& cells, const Set& endo_fins, const Set& targets) {
        if (control_.must_stop()) return false;
        if (static_cast<int>(base_.size()) == size_) return search_covers(cells, endo_fins, targets);
        for (int number = first; number < board_.geometry().num_units(); ++number) {
            if (!is_allowed(number, allowed_base_) || unit(number).size() < 2) continue;
            const Set doubled = cells & unit(number);
            const Set all_endo_fins = endo_fins | doubled;
            if (all_endo_fins.size() > (has_fins_ ? max_endo_fins : 0)) continue;
            Set left = targets;
            doubled.for_each([&](int cell) { left &= peers(cell); });
            if (left.is_empty()) continue;
            base_.push_back(number);
            const bool is_running = extend_base(number + 1, cells | unit(number), all_endo_fins, left);
            base_.pop_back();
            if (!is_running) return false;
        }
        return true;
    }

    bool search_covers(const Set& cells, const Set& endo_fins, const Set& targets) {
        cells_ = cells;
        cover_.clear();
        found_.clear();
        UnitSet excluded;
        for (const int number : base_) excluded.add(number);
        for (int number = 0; number < board_.geometry().num_units(); ++number) {
            if (!is_allowed(number, allowed_cover_) || !unit(number).meets(cells)) excluded.add(number);
        }
        return extend_cover(cells, {}, excluded, endo_fins, targets) && report_siamese();
    }

    // Covers the first open base candidate in every possible way, or makes it a fin. `doubled` are the candidates in
    // two cover units. A unit that was tried or refused becomes excluded, so that every cover is found once.
    bool extend_cover(const Set& open, const Set& doubled, UnitSet excluded, const Set& fins, const Set& targets) {
        if (control_.must_stop()) return false;
        if (static_cast<int>(cover_.size()) == size_) {
            const Set new_fins = open - fins;
            if (fins.size() + new_fins.size() > (has_fins_ ? max_fins : 0)) return true;
            Set left = targets;
            new_fins.for_each([&](int cell) { left &= peers(cell); });
            return report(doubled, fins | new_fins, left);
        }
        if (open.is_empty()) return complete_cover(doubled, excluded, fins, targets);
        const int cell = open.first();
        for (const int number : board_.geometry().units(cell).unit) {
            if (excluded.has(number)) continue;
            excluded.add(number);
            if (!choose_cover(number, open, doubled, excluded, fins, targets)) return false;
        }
        Set all_fins = fins;
        all_fins.add(cell);
        const Set left = fins.has(cell) ? targets : targets & peers(cell);
        if (all_fins.size() > (has_fins_ ? max_fins : 0) || left.is_empty()) return true;
        Set rest = open;
        rest.remove(cell);
        return extend_cover(rest, doubled, excluded, all_fins, left);
    }

    // All base candidates are covered or fins: adds the missing units in ascending order.
    bool complete_cover(const Set& doubled, UnitSet excluded, const Set& fins, const Set& targets) {
        for (int number = 0; number < board_.geometry().num_units(); ++number) {
            if (excluded.has(number)) continue;
            excluded.add(number);
            if (!choose_cover(number, {}, doubled, excluded, fins, targets)) return false;
        }
        return true;
    }

    bool choose_cover(int number, const Set& open, const Set& doubled, const UnitSet& excluded, const Set& fins,
                      const Set& targets) {
        Set covered;
        for (const int other : cover_) covered |= unit(other);
        cover_.push_back(number);
        const bool is_running =
            extend_cover(open - unit(number), doubled | (covered & unit(number)), excluded, fins, targets);
        cover_.pop_back();
        return is_running;
    }

    bool report(const Set& doubled, const Set& fins, const Set& targets) {
        if (fins.is_empty() == has_fins_) return true;
        int base_kinds = 0;
        int cover_kinds = 0;
        Set covered;
        for (const int number : base_) base_kinds |= kind_mask(number);
        for (const int number : cover_) {
            cover_kinds |= kind_mask(number);
            covered |= unit(number);
        }
        const Set eliminations = targets & ((covered - cells_) | doubled);
        if (eliminations.is_empty() || shape_of(base_kinds, cover_kinds) != shape_) return true;
        const bool is_sashimi =
            std::any_of(base_.begin(), base_.end(), [&](int number) { return (unit(number) - fins).size() <= 1; });
        Fish fish{cover_, fins, eliminations, name_of_fish(shape_, has_fins_, is_sashimi, size_)};
        std::sort(fish.cover.begin(), fish.cover.end());
        if (!visit_(step_of(fish))) return false;
        const auto is_same = [&](const Fish& other) { return other.eliminations == eliminations; };
        if (has_fins_ && std::none_of(found_.begin(), found_.end(), is_same)) found_.push_back(std::move(fish));
        return true;
    }

    bool report_siamese() {
        for (auto first = found_.begin(); first != found_.end(); ++first) {
            for (auto second = first + 1; second != found_.end(); ++second) {
                if (second->eliminations.is_within(first->eliminations)) continue;
                if (first->eliminations.is_within(second->eliminations)) continue;
                Fish both = *first;
                both.cover.insert(both.cover.end(), second->cover.begin(), second->cover.end());
                both.fins |= second->fins;
                both.eliminations |= second->eliminations;
                both.technique = std::min(first->technique, second->technique);  // finned before sashimi
                Step step = step_of(both);
                step.variant = 1;
                if (!visit_(step)) return false;
            }
        }
        return true;
    }

    Step step_of(const Fish& fish) const {
        Step step;
        step.technique = fish.technique;
        step.units = base_;
        step.units.insert(step.units.end(), fish.cover.begin(), fish.cover.end());
        cells_.for_each([&](int cell) {
            step.cells.push_back(cell);
            step.pattern.push_back({cell, digit_});
        });
        fish.fins.for_each([&](int cell) { step.fins.push_back({cell, digit_}); });
        fish.eliminations.for_each([&](int cell) { step.eliminations.push_back({cell, digit_}); });
        return step;
    }

    const TechniqueBoard& board_;
    const int size_;
    const FishShape shape_;
    const bool has_fins_;
    Control& control_;
    const Visitor& visit_;
    const std::vector<Set>& peers_;

    int digit_ = 0;
    std::vector<Set> units_;  // by unit: the candidates of the digit
    Set removable_;

    int allowed_base_ = 0;
    int allowed_cover_ = 0;
    std::vector<int> base_;
    std::vector<int> cover_;
    Set cells_;                // of the base
    std::vector<Fish> found_;  // with different eliminations
};

template <class Set>
bool find(const TechniqueBoard& board, int size, FishShape shape, bool has_fins, Control& control,
          const Visitor& visit) {
    FishSearch<Set> fish(board, size, shape, has_fins, control, visit);
    for (int digit = 0; digit < board.geometry().size(); ++digit) {
        if (!fish.find(digit)) return false;
    }
    return true;
}

}  // namespace

bool find_complex_fish(const TechniqueBoard& board, int size, FishShape shape, bool has_fins, Control& control,
                       const Visitor& visit) {
    using Small = BitSet<2>;  // up to 11×11
    using Large = BitSet<10>;
    const bool is_small = board.geometry().num_cells() <= Small::capacity;
    return is_small ? find<Small>(board, size, shape, has_fins, control, visit)
                    : find<Large>(board, size, shape, has_fins, control, visit);
}

}  // namespace sudokulab::techniques
