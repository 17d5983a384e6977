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
    bivalue_universal_grave,
    aligned_pair_exclusion,
    aligned_triplet_exclusion,
    x_cycle,
    y_cycle,
    xy_cycle,
    forcing_x_chain,
    forcing_chain,
    nishio,
    contradiction_chains,
    double_chains,
    cell_chains,
    region_chains,
};

// An implication between two candidates. A strong link says that one of the two is true, a weak link that one is false.
struct Link {
    Candidate from;
    Candidate to;
    bool is_strong;
};

struct Step {
    Technique technique{};
    // Loops and graves: the type, 1 to 4. Forcing chains: 0 for static ones, 1 for dynamic ones, and one more for every
    // nested level. Otherwise 0.
    int variant = 0;
    std::vector<int> units;  // of the pattern; for locked candidates and fish, the base units before the cover units
    std::vector<int> cells;  // of the pattern
    std::vector<Candidate> pattern;
    std::vector<Link> links;
    // Chains: the number of assumptions and conclusions, counted once per chain, including nested chains.
    // Loops and graves of type 3: the size of the subset.
    int length = 0;
    std::vector<Candidate> placements;
    std::vector<Candidate> eliminations;
    bool assumes_uniqueness = false;
};

// Sudoku Explainer 1.2.1 overlooks some unique loops and graves, and its rating depends on that.
enum class Coverage : std::uint8_t { all, explainer };

// Receives the instances of a technique one by one; returns whether to continue.
using Visitor = std::function<bool(const Step&)>;

}  // namespace sudokulab::techniques
