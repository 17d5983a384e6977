#include "logic/techniques/templates.h"

#include <algorithm>
#include <optional>

#include "logic/techniques/cell_set.h"

namespace sudokulab::techniques {
namespace {

// The cells of a digit that are in some or in all of its templates.
struct Cells {
    CellSet some;
    CellSet all;
};

class Finder {
public:
    Finder(const TechniqueBoard& board, Control& control)
        : geometry_(board.geometry()), map_(board), control_(control) {
        for (int digit = 0; digit < geometry_.size(); ++digit) allowed_.push_back(map_.of(digit));
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (!board.is_open(cell)) allowed_[static_cast<std::size_t>(board.value(cell) - 1)].add(cell);
        }
    }

    bool find(const Visitor& visit) {
        if (!cover_all()) return !control_.must_stop();  // otherwise the board has no solution
        Step step;
        step.technique = Technique::template_set;
        for (int digit = 0; digit < geometry_.size(); ++digit) {
            step.placements = to_candidates(covered_[static_cast<std::size_t>(digit)].all & map_.open(), digit);
            if (!report(step, digit, visit)) return false;
        }
        step.technique = Technique::template_delete;
        step.placements.clear();
        for (int digit = 0; digit < geometry_.size(); ++digit) {
            step.eliminations = to_candidates(map_.of(digit) - covered_[static_cast<std::size_t>(digit)].some, digit);
            if (!report(step, digit, visit)) return false;
        }
        return true;
    }

private:
    static std::vector<Candidate> to_candidates(const CellSet& cells, int digit) {
        std::vector<Candidate> candidates;
        cells.for_each([&](int cell) { candidates.push_back({cell, digit}); });
        return candidates;
    }

    bool report(Step& step, int digit, const Visitor& visit) const {
        if (step.placements.empty() && step.eliminations.empty()) return true;
        step.pattern = to_candidates(covered_[static_cast<std::size_t>(digit)].some & map_.open(), digit);
        step.cells.clear();
        for (const Candidate& candidate : step.pattern) step.cells.push_back(candidate.cell);
        return visit(step);
    }

    // Covers every digit, and withdraws cells taken by one digit from the others, until nothing changes. False if a
    // digit has no template or the control stopped the search.
    bool cover_all() {
        covered_.resize(allowed_.size());
        std::vector<bool> is_current(allowed_.size(), false);
        while (true) {
            const auto next = std::find(is_current.begin(), is_current.end(), false);
            if (next == is_current.end()) return true;
            const auto digit = static_cast<std::size_t>(next - is_current.begin());
            const std::optional<Cells> covered = cover(allowed_[digit]);
            if (!covered || control_.must_stop()) return false;
            covered_[digit] = *covered;
            is_current[digit] = true;
            for (std::size_t other = 0; other < allowed_.size(); ++other) {
                if (other == digit || !allowed_[other].meets(covered->all)) continue;
                allowed_[other] -= covered->all;
                is_current[other] = false;
            }
        }
    }

    std::optional<Cells> cover(const CellSet& allowed) const {
        Cells covered;
        covered.all = allowed;
        allowed.for_each([&](int cell) {
            if (covered.some.has(cell)) return;
            const std::optional<CellSet> found = complete(allowed - map_.peers(cell), CellSet{});
            if (!found) return;
            covered.some |= *found;
            covered.all &= *found;
        });
        if (covered.some.is_empty()) return std::nullopt;
        CellSet common = covered.all;
        common.for_each([&](int cell) {
            if (!covered.all.has(cell)) return;
            CellSet without = allowed;
            without.remove(cell);
            if (const std::optional<CellSet> found = complete(without, CellSet{})) covered.all &= *found;
        });
        return covered;
    }

    // A template within the allowed cells, if there is one; `chosen` holds its cells in the finished rows.
    std::optional<CellSet> complete(const CellSet& allowed, const CellSet& chosen) const {
        if (control_.must_stop()) return std::nullopt;
        int best = -1;
        int fewest = geometry_.size() + 1;
        CellSet best_cells;
        for (int row = 0; row < geometry_.size(); ++row) {
            if (map_.unit(row).meets(chosen)) continue;
            const CellSet cells = map_.unit(row) & allowed;
            if (cells.size() >= fewest) continue;
            best = row;
            fewest = cells.size();
            best_cells = cells;
        }
        if (best < 0) return chosen;
        std::optional<CellSet> found;
        best_cells.for_each([&](int cell) {
            if (found) return;
            CellSet extended = chosen;
            extended.add(cell);
            found = complete(allowed - map_.peers(cell), extended);
        });
        return found;
    }

    const Geometry& geometry_;
    const CellMap map_;
    Control& control_;
    std::vector<CellSet> allowed_;  // by digit
    std::vector<Cells> covered_;    // by digit
};

}  // namespace

bool find_templates(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control).find(visit);
}

}  // namespace sudokulab::techniques
