// One application of a technique: plain data, from which sentences and pictures are derived.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "grid/candidates.h"

namespace sudokulab::techniques {

enum class Technique : std::uint8_t {
    full_house,
    hidden_single,
    naked_single,
    pointing,
    claiming,
    naked_pair,
    naked_triplet,
    naked_quad,
    hidden_pair,
    hidden_triplet,
    hidden_quad,
    x_wing,
    swordfish,
    jellyfish,
    xy_wing,
    xyz_wing,
    unique_rectangle,
    unique_loop,
    bug,
    aligned_pair_exclusion,
    aligned_triplet_exclusion,
    x_cycle,
    y_cycle,
    xy_cycle,
    forcing_x_chain,
    forcing_chain,
    nishio,
    cell_forcing_chains,
    region_forcing_chains,
    contradiction_forcing_chains,
    double_forcing_chains,
    dynamic_cell_forcing_chains,
    dynamic_region_forcing_chains,
    nested_forcing_chains,
    last_digit,
    locked_pair,
    locked_triplet,
    squirmbag,
    whale,
    leviathan,
    finned_x_wing,
    finned_swordfish,
    finned_jellyfish,
    finned_squirmbag,
    finned_whale,
    finned_leviathan,
    sashimi_x_wing,
    sashimi_swordfish,
    sashimi_jellyfish,
    sashimi_squirmbag,
    sashimi_whale,
    sashimi_leviathan,
    franken_x_wing,
    franken_swordfish,
    franken_jellyfish,
    franken_squirmbag,
    franken_whale,
    franken_leviathan,
    finned_franken_x_wing,
    finned_franken_swordfish,
    finned_franken_jellyfish,
    finned_franken_squirmbag,
    finned_franken_whale,
    finned_franken_leviathan,
    mutant_x_wing,
    mutant_swordfish,
    mutant_jellyfish,
    mutant_squirmbag,
    mutant_whale,
    mutant_leviathan,
    finned_mutant_x_wing,
    finned_mutant_swordfish,
    finned_mutant_jellyfish,
    finned_mutant_squirmbag,
    finned_mutant_whale,
    finned_mutant_leviathan,
    skyscraper,
    two_string_kite,
    dual_two_string_kite,
    turbot_fish,
    empty_rectangle,
    dual_empty_rectangle,
    simple_colouring,
    multi_colouring,
    remote_pair,
    w_wing,
    wxyz_wing,
    unique_rectangle_1,
    unique_rectangle_2,
    unique_rectangle_3,
    unique_rectangle_4,
    unique_rectangle_5,
    unique_rectangle_6,
    hidden_rectangle,
    avoidable_rectangle_1,
    avoidable_rectangle_2,
    bug_plus_1,
    x_chain,
    xy_chain,
    continuous_nice_loop,
    discontinuous_nice_loop,
    alternating_inference_chain,
    grouped_continuous_nice_loop,
    grouped_discontinuous_nice_loop,
    grouped_alternating_inference_chain,
    als_continuous_nice_loop,
    als_discontinuous_nice_loop,
    als_alternating_inference_chain,
    als_xz,
    als_xy_wing,
    als_xy_chain,
    death_blossom,
    sue_de_coq,
    template_set,
    template_delete,
    junior_exocet,
    tridagon,
    fireworks,
    sk_loop,
    trial,
};

// An implication between two candidates. A strong link says that one of the two is true, a weak link that one is false.
struct Link {
    Candidate from;
    Candidate to;
    bool is_strong;
};

struct Step {
    Technique technique{};
    // Loops and graves: the type, 1 to 4. Naked subsets: 1 for locked ones. Forcing chains: the level of nesting. Fish:
    // 1 for siamese ones. Empty rectangles: 1 for those with two candidates in the box. Colouring: 1 or 2, the kind.
    // Rectangles: 2 if candidates of the rectangle are missing, otherwise 1. Almost locked sets: 2 if they overlap,
    // otherwise 1. Exocets: the number of targets with two cells. Otherwise 0.
    int variant = 0;
    std::vector<int> units;  // of the pattern; for locked candidates and fish, the base units before the cover units
    std::vector<int> cells;  // of the pattern, each once
    std::vector<Candidate> pattern;  // each once
    std::vector<Candidate> fins;     // of fish; part of the pattern
    // Alternating chains: the nodes in order, each with the candidates it consists of; of a set, the digit that leaves
    // it comes first. Almost locked sets and Sue de Coq: the sets of cells. Rectangles of type 3: the subset. Aligned
    // exclusions: the excluders. Colouring: the two colours of each connected set. Exocets: the bases, then each
    // target. Tridagons: the guardians. SK loops: the pairs.
    std::vector<std::vector<Candidate>> nodes;
    std::vector<Link> links;  // of nodes: between one candidate each
    // Chains: the number of assumptions and conclusions, counted once per chain, including nested chains. Remote pairs
    // and alternating chains: the number of links, within cells and between them. Loops, graves and rectangles of type
    // 3: the size of the subset. Exocets and fireworks: the number of digits. Tridagons: the number of guardians. SK
    // loops: the number of links, counted once per digit. Trials: the number of digits tried.
    int length = 0;
    std::vector<Candidate> placements;
    std::vector<Candidate> eliminations;
    bool assumes_uniqueness = false;
};

// Adds a candidate unless it is there.
void add_once(std::vector<Candidate>& candidates, const Candidate& candidate);

// Keeps each cell and each candidate of the pattern once, where it comes first. Parts of a pattern may have them in
// common.
void remove_repeats(Step& step);

// Sudoku Explainer 1.2.1 overlooks some instances of subsets, fish, unique loops and graves, and its rating depends on
// that.
enum class Coverage : std::uint8_t { all, explainer };

// Receives the instances of a technique one by one; returns whether to continue.
using Visitor = std::function<bool(const Step&)>;

}  // namespace sudokulab::techniques
