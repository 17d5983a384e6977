#include "logic/techniques/catalogue.h"

#include <algorithm>
#include <array>

#include "logic/techniques/aligned_exclusion.h"
#include "logic/techniques/almost_locked_sets.h"
#include "logic/techniques/alternating_chains.h"
#include "logic/techniques/bug.h"
#include "logic/techniques/cell_set.h"
#include "logic/techniques/colouring.h"
#include "logic/techniques/complex_fish.h"
#include "logic/techniques/empty_rectangles.h"
#include "logic/techniques/exocet.h"
#include "logic/techniques/fireworks.h"
#include "logic/techniques/fish.h"
#include "logic/techniques/forcing_chains.h"
#include "logic/techniques/locked_candidates.h"
#include "logic/techniques/rectangles.h"
#include "logic/techniques/remote_pairs.h"
#include "logic/techniques/simple_chains.h"
#include "logic/techniques/singles.h"
#include "logic/techniques/sk_loop.h"
#include "logic/techniques/subsets.h"
#include "logic/techniques/sue_de_coq.h"
#include "logic/techniques/templates.h"
#include "logic/techniques/trial_and_error.h"
#include "logic/techniques/tridagon.h"
#include "logic/techniques/turbot_fish.h"
#include "logic/techniques/unique_loops.h"
#include "logic/techniques/wings.h"

namespace sudokulab::techniques {
namespace {

constexpr std::array<std::string_view, 120> names{
    "full-house",
    "hidden-single",
    "naked-single",
    "pointing",
    "claiming",
    "naked-pair",
    "naked-triplet",
    "naked-quad",
    "hidden-pair",
    "hidden-triplet",
    "hidden-quad",
    "x-wing",
    "swordfish",
    "jellyfish",
    "xy-wing",
    "xyz-wing",
    "unique-rectangle",
    "unique-loop",
    "bug",
    "aligned-pair-exclusion",
    "aligned-triplet-exclusion",
    "x-cycle",
    "y-cycle",
    "xy-cycle",
    "forcing-x-chain",
    "forcing-chain",
    "nishio",
    "cell-forcing-chains",
    "region-forcing-chains",
    "contradiction-forcing-chains",
    "double-forcing-chains",
    "dynamic-cell-forcing-chains",
    "dynamic-region-forcing-chains",
    "nested-forcing-chains",
    "last-digit",
    "locked-pair",
    "locked-triplet",
    "squirmbag",
    "whale",
    "leviathan",
    "finned-x-wing",
    "finned-swordfish",
    "finned-jellyfish",
    "finned-squirmbag",
    "finned-whale",
    "finned-leviathan",
    "sashimi-x-wing",
    "sashimi-swordfish",
    "sashimi-jellyfish",
    "sashimi-squirmbag",
    "sashimi-whale",
    "sashimi-leviathan",
    "franken-x-wing",
    "franken-swordfish",
    "franken-jellyfish",
    "franken-squirmbag",
    "franken-whale",
    "franken-leviathan",
    "finned-franken-x-wing",
    "finned-franken-swordfish",
    "finned-franken-jellyfish",
    "finned-franken-squirmbag",
    "finned-franken-whale",
    "finned-franken-leviathan",
    "mutant-x-wing",
    "mutant-swordfish",
    "mutant-jellyfish",
    "mutant-squirmbag",
    "mutant-whale",
    "mutant-leviathan",
    "finned-mutant-x-wing",
    "finned-mutant-swordfish",
    "finned-mutant-jellyfish",
    "finned-mutant-squirmbag",
    "finned-mutant-whale",
    "finned-mutant-leviathan",
    "skyscraper",
    "two-string-kite",
    "dual-two-string-kite",
    "turbot-fish",
    "empty-rectangle",
    "dual-empty-rectangle",
    "simple-colouring",
    "multi-colouring",
    "remote-pair",
    "w-wing",
    "wxyz-wing",
    "unique-rectangle-1",
    "unique-rectangle-2",
    "unique-rectangle-3",
    "unique-rectangle-4",
    "unique-rectangle-5",
    "unique-rectangle-6",
    "hidden-rectangle",
    "avoidable-rectangle-1",
    "avoidable-rectangle-2",
    "bug+1",
    "x-chain",
    "xy-chain",
    "continuous-nice-loop",
    "discontinuous-nice-loop",
    "alternating-inference-chain",
    "grouped-continuous-nice-loop",
    "grouped-discontinuous-nice-loop",
    "grouped-alternating-inference-chain",
    "als-continuous-nice-loop",
    "als-discontinuous-nice-loop",
    "als-alternating-inference-chain",
    "als-xz",
    "als-xy-wing",
    "als-xy-chain",
    "death-blossom",
    "sue-de-coq",
    "template-set",
    "template-delete",
    "junior-exocet",
    "tridagon",
    "fireworks",
    "sk-loop",
    "trial",
};

// Visits the chains of the lowest level of nesting that has any; see forcing_chains.h.
void visit_nested_chains(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    for (int level = 1; level <= max_nested_level; ++level) {
        bool has_found = false;
        ForcingChains(ForcingChains::Kind::dynamic, level).visit_all(board, control, [&](const Step& step) {
            has_found = true;
            return visit(step);
        });
        if (has_found || control.must_stop()) return;
    }
}

}  // namespace

std::span<const std::string_view> all_names() { return names; }

std::string_view name_of(Technique technique) { return names[static_cast<std::size_t>(technique)]; }

std::optional<Technique> technique_named(std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<Technique>(found - names.begin());
}

bool is_possible_on(Technique technique, const Geometry& geometry) {
    static_assert(CellSet::capacity >= 25 * 25);
    return geometry.size() <= 25 || technique <= Technique::hidden_quad || technique == Technique::last_digit;
}

void find_instances(Technique technique, const TechniqueBoard& board, Control& control, const Visitor& visit) {
    find_related(technique, board, control,
                 [&](const Step& step) { return step.technique != technique || visit(step); });
}

void find_related(Technique technique, const TechniqueBoard& board, Control& control, const Visitor& visit) {
    if (!is_possible_on(technique, board.geometry())) return;
    // A locked subset is a naked one too.
    const Visitor visit_naked = [&](const Step& step) {
        if (step.technique == technique) return visit(step);
        Step naked = step;
        naked.technique = technique;
        naked.variant = 1;
        return visit(naked);
    };
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
            find_locked_candidates(board, visit);
            return;
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad:
            find_naked_subsets(board, size_after(Technique::naked_pair), Coverage::all, visit_naked);
            return;
        case Technique::hidden_pair:
        case Technique::hidden_triplet:
        case Technique::hidden_quad:
            find_hidden_subsets(board, size_after(Technique::hidden_pair), Coverage::all, visit);
            return;
        case Technique::x_wing:
        case Technique::swordfish:
        case Technique::jellyfish:
            find_fish(board, size_after(Technique::x_wing), Coverage::all, control, visit);
            return;
        case Technique::xy_wing:
            find_xy_wings(board, visit);
            return;
        case Technique::xyz_wing:
            find_xyz_wings(board, visit);
            return;
        case Technique::unique_rectangle:
        case Technique::unique_loop:
            find_unique_loops(board, Coverage::all, control, visit);
            return;
        case Technique::bug:
            find_graves(board, Coverage::all, control, visit);
            return;
        case Technique::aligned_pair_exclusion:
        case Technique::aligned_triplet_exclusion:
            find_aligned_exclusions(board, size_after(Technique::aligned_pair_exclusion), control, visit);
            return;
        case Technique::x_cycle:
        case Technique::y_cycle:
        case Technique::xy_cycle:
        case Technique::forcing_x_chain:
        case Technique::forcing_chain:
            SimpleChains().visit_all(board, control, visit);
            return;
        case Technique::nishio:
            ForcingChains(ForcingChains::Kind::nishio).visit_all(board, control, visit);
            return;
        case Technique::cell_forcing_chains:
        case Technique::region_forcing_chains:
            ForcingChains(ForcingChains::Kind::multiple).visit_all(board, control, visit);
            return;
        case Technique::contradiction_forcing_chains:
        case Technique::double_forcing_chains:
        case Technique::dynamic_cell_forcing_chains:
        case Technique::dynamic_region_forcing_chains:
            ForcingChains(ForcingChains::Kind::dynamic).visit_all(board, control, visit);
            return;
        case Technique::nested_forcing_chains:
            visit_nested_chains(board, control, visit);
            return;
        case Technique::last_digit:
            find_last_digits(board, visit);
            return;
        case Technique::locked_pair:
        case Technique::locked_triplet:
            find_locked_subsets(board, size_after(Technique::locked_pair), visit);
            return;
        case Technique::squirmbag:
        case Technique::whale:
        case Technique::leviathan:
            find_fish(board, 3 + size_after(Technique::squirmbag), Coverage::all, control, visit);
            return;
        case Technique::finned_x_wing:
        case Technique::finned_swordfish:
        case Technique::finned_jellyfish:
        case Technique::finned_squirmbag:
        case Technique::finned_whale:
        case Technique::finned_leviathan:
            find_complex_fish(board, size_after(Technique::finned_x_wing), FishShape::basic, true, control, visit);
            return;
        case Technique::sashimi_x_wing:
        case Technique::sashimi_swordfish:
        case Technique::sashimi_jellyfish:
        case Technique::sashimi_squirmbag:
        case Technique::sashimi_whale:
        case Technique::sashimi_leviathan:
            find_complex_fish(board, size_after(Technique::sashimi_x_wing), FishShape::basic, true, control, visit);
            return;
        case Technique::franken_x_wing:
        case Technique::franken_swordfish:
        case Technique::franken_jellyfish:
        case Technique::franken_squirmbag:
        case Technique::franken_whale:
        case Technique::franken_leviathan:
            find_complex_fish(board, size_after(Technique::franken_x_wing), FishShape::franken, false, control, visit);
            return;
        case Technique::finned_franken_x_wing:
        case Technique::finned_franken_swordfish:
        case Technique::finned_franken_jellyfish:
        case Technique::finned_franken_squirmbag:
        case Technique::finned_franken_whale:
        case Technique::finned_franken_leviathan:
            find_complex_fish(board, size_after(Technique::finned_franken_x_wing), FishShape::franken, true, control,
                              visit);
            return;
        case Technique::mutant_x_wing:
        case Technique::mutant_swordfish:
        case Technique::mutant_jellyfish:
        case Technique::mutant_squirmbag:
        case Technique::mutant_whale:
        case Technique::mutant_leviathan:
            find_complex_fish(board, size_after(Technique::mutant_x_wing), FishShape::mutant, false, control, visit);
            return;
        case Technique::finned_mutant_x_wing:
        case Technique::finned_mutant_swordfish:
        case Technique::finned_mutant_jellyfish:
        case Technique::finned_mutant_squirmbag:
        case Technique::finned_mutant_whale:
        case Technique::finned_mutant_leviathan:
            find_complex_fish(board, size_after(Technique::finned_mutant_x_wing), FishShape::mutant, true, control,
                              visit);
            return;
        case Technique::skyscraper:
            find_skyscrapers(board, visit);
            return;
        case Technique::two_string_kite:
            find_two_string_kites(board, visit);
            return;
        case Technique::dual_two_string_kite:
            find_dual_two_string_kites(board, visit);
            return;
        case Technique::turbot_fish:
            find_turbot_fish(board, visit);
            return;
        case Technique::empty_rectangle:
            find_empty_rectangles(board, visit);
            return;
        case Technique::dual_empty_rectangle:
            find_dual_empty_rectangles(board, visit);
            return;
        case Technique::simple_colouring:
            find_simple_colouring(board, visit);
            return;
        case Technique::multi_colouring:
            find_multi_colouring(board, visit);
            return;
        case Technique::remote_pair:
            find_remote_pairs(board, visit);
            return;
        case Technique::w_wing:
            find_w_wings(board, visit);
            return;
        case Technique::wxyz_wing:
            find_wxyz_wings(board, visit);
            return;
        case Technique::unique_rectangle_1:
        case Technique::unique_rectangle_2:
        case Technique::unique_rectangle_3:
        case Technique::unique_rectangle_4:
        case Technique::unique_rectangle_5:
        case Technique::unique_rectangle_6:
        case Technique::hidden_rectangle:
            find_rectangles(board, control, visit);
            return;
        case Technique::avoidable_rectangle_1:
        case Technique::avoidable_rectangle_2:
            find_avoidable_rectangles(board, visit);
            return;
        case Technique::bug_plus_1:
            find_bug_plus_1(board, visit);
            return;
        case Technique::x_chain:
            find_alternating_chains(board, ChainScope::x, control, visit);
            return;
        case Technique::xy_chain:
            find_alternating_chains(board, ChainScope::xy, control, visit);
            return;
        case Technique::continuous_nice_loop:
        case Technique::discontinuous_nice_loop:
        case Technique::alternating_inference_chain:
            find_alternating_chains(board, ChainScope::candidates, control, visit);
            return;
        case Technique::grouped_continuous_nice_loop:
        case Technique::grouped_discontinuous_nice_loop:
        case Technique::grouped_alternating_inference_chain:
            find_alternating_chains(board, ChainScope::groups, control, visit);
            return;
        case Technique::als_continuous_nice_loop:
        case Technique::als_discontinuous_nice_loop:
        case Technique::als_alternating_inference_chain:
            find_alternating_chains(board, ChainScope::sets, control, visit);
            return;
        case Technique::als_xz:
            find_als_xz(board, control, visit);
            return;
        case Technique::als_xy_wing:
            find_als_xy_wings(board, true, control, visit);
            return;
        case Technique::als_xy_chain:
            find_als_xy_chains(board, control, visit);
            return;
        case Technique::death_blossom:
            find_death_blossoms(board, control, visit);
            return;
        case Technique::sue_de_coq:
            find_sue_de_coqs(board, control, visit);
            return;
        case Technique::template_set:
        case Technique::template_delete:
            find_templates(board, control, visit);
            return;
        case Technique::junior_exocet:
            find_junior_exocets(board, visit);
            return;
        case Technique::tridagon:
            find_tridagons(board, visit);
            return;
        case Technique::fireworks:
            find_fireworks(board, visit);
            return;
        case Technique::sk_loop:
            find_sk_loops(board, visit);
            return;
        case Technique::trial:
            find_trials(board, control, visit);
            return;
    }
}

}  // namespace sudokulab::techniques
