#include "rating/explainer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "logic/techniques/aligned_exclusion.h"
#include "logic/techniques/bug.h"
#include "logic/techniques/fish.h"
#include "logic/techniques/forcing_chains.h"
#include "logic/techniques/locked_candidates.h"
#include "logic/techniques/simple_chains.h"
#include "logic/techniques/singles.h"
#include "logic/techniques/subsets.h"
#include "logic/techniques/unique_loops.h"
#include "logic/techniques/wings.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

using namespace techniques;

double loop_difficulty(const Step& step) {
    const std::size_t size = step.cells.size();
    double difficulty = 4.5;
    if (size >= 10) difficulty += 0.3;
    if (size >= 8) {
        difficulty += 0.2;
    } else if (size >= 6) {
        difficulty += 0.1;
    }
    return step.variant == 3 ? difficulty + (step.length - 1) * 0.1 : difficulty;
}

double forcing_difficulty(const Step& step) {
    const bool is_static =
        step.technique == Technique::cell_forcing_chains || step.technique == Technique::region_forcing_chains;
    const double base = step.technique == Technique::nishio ? 7.5 : is_static ? 8.0 : 8.5 + 0.5 * step.variant;
    return base + chain_length_difficulty(step.length);
}

// The difficulty of a step. A step that places a digit after locked candidates or a hidden subset counts as direct.
double difficulty_of(const Step& step, const Geometry& geometry) {
    const bool is_direct = !step.placements.empty();
    switch (step.technique) {
        case Technique::full_house:
            return 1.0;
        case Technique::hidden_single:
            return step.units[0] >= 2 * geometry.size() ? 1.2 : 1.5;  // in a box, or in a line
        case Technique::naked_single:
            return 2.3;
        case Technique::pointing:
            return is_direct ? 1.7 : 2.6;
        case Technique::claiming:
            return is_direct ? 1.9 : 2.8;
        case Technique::naked_pair:
            return 3.0;
        case Technique::x_wing:
            return 3.2;
        case Technique::hidden_pair:
            return is_direct ? 2.0 : 3.4;
        case Technique::naked_triplet:
            return 3.6;
        case Technique::swordfish:
            return 3.8;
        case Technique::hidden_triplet:
            return is_direct ? 2.5 : 4.0;
        case Technique::xy_wing:
            return 4.2;
        case Technique::xyz_wing:
            return 4.4;
        case Technique::unique_rectangle:
        case Technique::unique_loop:
            return loop_difficulty(step);
        case Technique::naked_quad:
            return 5.0;
        case Technique::jellyfish:
            return 5.2;
        case Technique::hidden_quad:
            return 5.4;
        case Technique::bug:
            return step.variant == 1 ? 5.6 : step.variant == 3 ? 5.7 + (step.length - 1) * 0.1 : 5.7;
        case Technique::aligned_pair_exclusion:
            return 6.2;
        case Technique::aligned_triplet_exclusion:
            return 7.5;
        case Technique::x_cycle:
        case Technique::y_cycle:
        case Technique::xy_cycle:
        case Technique::forcing_x_chain:
        case Technique::forcing_chain:
            return chain_difficulty(step.technique, step.length);
        case Technique::nishio:
        case Technique::cell_forcing_chains:
        case Technique::region_forcing_chains:
        case Technique::contradiction_forcing_chains:
        case Technique::double_forcing_chains:
        case Technique::dynamic_cell_forcing_chains:
        case Technique::dynamic_region_forcing_chains:
        case Technique::nested_forcing_chains:
            return forcing_difficulty(step);
        default:  // not a technique of Sudoku Explainer
            return 0;
    }
}

int in_tenths(double difficulty) { return static_cast<int>((difficulty + 0.05) * 10); }

// Sudoku Explainer removes no candidates in a step that places a digit.
void apply(const Step& step, TechniqueBoard& board) {
    for (const Candidate& placed : step.placements) board.place(placed.cell, placed.digit);
    if (!step.placements.empty()) return;
    for (const Candidate& removed : step.eliminations) board.remove(removed.cell, removed.digit);
}

bool take_easiest(const std::optional<Step>& step, const Visitor& visit) { return !step || visit(*step); }

// Finds the step that Sudoku Explainer takes.
class Explainer {
public:
    explicit Explainer(const Geometry& geometry) : geometry_(geometry) {}

    std::optional<ExplainerStep> next(const TechniqueBoard& board, Control& control) {
        std::optional<ExplainerStep> found;
        const Visitor take = [&](const Step& step) {
            found = {step, in_tenths(difficulty_of(step, geometry_))};
            return false;
        };
        (void)(find_basic(board, control, take) && find_chains(board, control, take));
        return found;
    }

private:
    // Everything without chains, up to 6.2. False if a step was taken or the control stopped it.
    bool find_basic(const TechniqueBoard& board, Control& control, const Visitor& take) const {
        constexpr Coverage coverage = Coverage::explainer;
        const auto find_naked = [&](int size) { return find_naked_subsets(board, size, coverage, take); };
        const auto find_hidden = [&](int size) { return find_hidden_subsets(board, size, coverage, take); };
        const auto find_basic_fish = [&](int size) { return find_fish(board, size, coverage, control, take); };
        return find_full_houses(board, take) && find_hidden_singles(board, take) &&
               find_direct_locked_candidates(board, take) && find_direct_hidden_subsets(board, 2, take) &&
               find_naked_singles(board, take) && find_direct_hidden_subsets(board, 3, take) &&
               find_locked_candidates(board, take) && find_naked(2) && find_basic_fish(2) && find_hidden(2) &&
               find_naked(3) && find_basic_fish(3) && find_hidden(3) && find_xy_wings(board, take) &&
               find_xyz_wings(board, take) && find_easiest_loop(board, control, take) && find_naked(4) &&
               find_basic_fish(4) && find_hidden(4) && find_graves(board, coverage, control, take) &&
               find_aligned_exclusions(board, 2, control, take);
    }

    bool find_chains(const TechniqueBoard& board, Control& control, const Visitor& take) {
        if (!take_easiest(simple_chains_.find_easiest(board, control), take) ||
            !find_aligned_exclusions(board, 3, control, take)) {
            return false;
        }
        for (auto& chains : forcing_chains_) {
            if (!take_easiest(chains.find_easiest(board, control), take)) return false;
        }
        return true;
    }

    // Loops are ordered by difficulty, then type.
    static bool find_easiest_loop(const TechniqueBoard& board, Control& control, const Visitor& take) {
        std::optional<Step> easiest;
        const auto rank = [](const Step& step) { return std::pair(loop_difficulty(step), step.variant); };
        const bool is_finished = find_unique_loops(board, Coverage::explainer, control, [&](const Step& step) {
            if (!easiest || rank(step) < rank(*easiest)) easiest = step;
            return true;
        });
        return is_finished && take_easiest(easiest, take);
    }

    using Kind = ForcingChains::Kind;

    const Geometry& geometry_;
    SimpleChains simple_chains_;
    std::array<ForcingChains, 8> forcing_chains_{
        ForcingChains(Kind::nishio),     ForcingChains(Kind::multiple),   ForcingChains(Kind::dynamic),
        ForcingChains(Kind::dynamic, 1), ForcingChains(Kind::dynamic, 2), ForcingChains(Kind::dynamic, 3),
        ForcingChains(Kind::dynamic, 4), ForcingChains(Kind::dynamic, 5),
    };
};

}  // namespace

ExplainerRating rate_explainer(const Puzzle& puzzle, Control& control, std::vector<ExplainerStep>* path) {
    ExplainerRating rating;
    const Count count = Auto().count(puzzle, 2, control);
    rating.num_solutions = count.is_exact ? static_cast<int>(count.number) : -1;
    if (rating.num_solutions != 1) return rating;

    const Geometry& geometry = Geometry::of(puzzle.box);
    TechniqueBoard board(geometry, puzzle.givens);
    Explainer explainer(geometry);
    while (!board.is_solved()) {
        std::optional<ExplainerStep> taken = explainer.next(board, control);
        if (!taken || control.must_stop()) return rating;
        apply(taken->step, board);
        rating.er = std::max(rating.er, taken->difficulty);
        if (rating.ed == 0) rating.ed = taken->difficulty;
        if (rating.ep == 0 && !taken->step.placements.empty()) rating.ep = rating.er;
        if (path != nullptr) path->push_back(std::move(*taken));
    }
    rating.is_solved = true;
    return rating;
}

}  // namespace sudokulab
