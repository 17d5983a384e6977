#include "logic/techniques/catalogue.h"

#include <algorithm>
#include <array>

#include "logic/techniques/aligned_exclusion.h"
#include "logic/techniques/bug.h"
#include "logic/techniques/fish.h"
#include "logic/techniques/forcing_chains.h"
#include "logic/techniques/locked_candidates.h"
#include "logic/techniques/singles.h"
#include "logic/techniques/subsets.h"
#include "logic/techniques/unique_loops.h"
#include "logic/techniques/wings.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array<std::string_view, 31> names{
    "full_house",
    "hidden_single",
    "naked_single",
    "pointing",
    "claiming",
    "naked_pair",
    "naked_triplet",
    "naked_quad",
    "hidden_pair",
    "hidden_triplet",
    "hidden_quad",
    "x_wing",
    "swordfish",
    "jellyfish",
    "xy_wing",
    "xyz_wing",
    "unique_rectangle",
    "unique_loop",
    "bivalue_universal_grave",
    "aligned_pair_exclusion",
    "aligned_triplet_exclusion",
    "x_cycle",
    "y_cycle",
    "xy_cycle",
    "forcing_x_chain",
    "forcing_chain",
    "nishio",
    "contradiction_chains",
    "double_chains",
    "cell_chains",
    "region_chains",
};

void visit_easiest(ForcingChains chains, const OpenBoard& board, const Visitor& visit) {
    Control control({}, 0, 0, [] { return false; });
    if (const std::optional<Step> step = chains.find_easiest(board, control)) visit(*step);
}

}  // namespace

std::string_view name_of(Technique technique) { return names[static_cast<std::size_t>(technique)]; }

std::optional<Technique> technique_named(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Technique>(found - names.begin());
}

void find_instances(Technique technique, const OpenBoard& board, ChainDifficulty difficulty, const Visitor& visit) {
    // Several techniques share a finder.
    const Visitor visit_own = [&](const Step& step) { return step.technique != technique || visit(step); };
    const auto size_after = [&](Technique smallest) {
        return 2 + static_cast<int>(technique) - static_cast<int>(smallest);
    };
    switch (technique) {
        case Technique::full_house:
            find_full_houses(board, visit);
            return;
        case Technique::hidden_single:
            find_hidden_singles(board, visit);
            return;
        case Technique::naked_single:
            find_naked_singles(board, visit);
            return;
        case Technique::pointing:
        case Technique::claiming:
            find_locked_candidates(board, visit_own);
            return;
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad:
            find_naked_subsets(board, size_after(Technique::naked_pair), visit);
            return;
        case Technique::hidden_pair:
        case Technique::hidden_triplet:
        case Technique::hidden_quad:
            find_hidden_subsets(board, size_after(Technique::hidden_pair), visit);
            return;
        case Technique::x_wing:
        case Technique::swordfish:
        case Technique::jellyfish:
            find_fish(board, size_after(Technique::x_wing), visit);
            return;
        case Technique::xy_wing:
            find_xy_wings(board, visit);
            return;
        case Technique::xyz_wing:
            find_xyz_wings(board, visit);
            return;
        case Technique::unique_rectangle:
        case Technique::unique_loop:
            find_unique_loops(board, Coverage::all, visit_own);
            return;
        case Technique::bivalue_universal_grave:
            find_graves(board, Coverage::all, visit);
            return;
        case Technique::aligned_pair_exclusion:
        case Technique::aligned_triplet_exclusion:
            find_aligned_exclusions(board, size_after(Technique::aligned_pair_exclusion), visit);
            return;
        case Technique::x_cycle:
        case Technique::y_cycle:
        case Technique::xy_cycle:
        case Technique::forcing_x_chain:
        case Technique::forcing_chain:
            SimpleChains(difficulty).visit_all(board, visit_own);
            return;
        case Technique::nishio:
            visit_easiest(ForcingChains(ForcingChains::Kind::nishio, 0, 0, difficulty), board, visit_own);
            return;
        case Technique::contradiction_chains:
        case Technique::double_chains:
        case Technique::cell_chains:
        case Technique::region_chains:
            visit_easiest(ForcingChains(ForcingChains::Kind::multiple, 0, 0, difficulty), board, visit_own);
            visit_easiest(ForcingChains(ForcingChains::Kind::dynamic, 0, 0, difficulty), board, visit_own);
            return;
    }
}

}  // namespace sudokulab::techniques
