// Almost locked sets (ALS): cells of one unit with one more candidate digit than cells.
//
// If a digit leaves the set, the others are locked in it. A restricted common of two sets is a digit of both whose
// cells in one set see all its cells in the other, and do not lie in both. Only one of the sets can hold it, so the
// other set is locked.
//
// - ALS-XZ: two sets with a restricted common x. Cells that see all z of both sets lose z, for every other common digit
//   z. Two restricted commons lock both sets: then each of them serves as z too, and cells outside both sets lose the
//   digits they see in the whole of one set.
// - ALS-XY-wing: a hinge set with restricted commons x and y with two wings. Cells that see all z of both wings lose z,
//   for every z other than the restricted commons.
//   No wing contains the other.
// - ALS-XY-chain: four to seven sets; adjacent ones have a restricted common, different from the one before. Cells that
//   see all z of the first and last set lose z, which is none of the restricted commons at the ends. No set occurs
//   twice. Of chains of a variant that remove the same candidates, only the first with the fewest sets is reported, the
//   shortest first.
// - Death blossom: a stem cell, and for each of its candidates a set (petal) whose cells with this digit all see the
//   stem. Cells that see all z of all petals lose z, for digits z that are not in the stem.
//
// Variant 1: the sets do not overlap (in chains: adjacent ones). Variant 2: some do.
//
// Source: HoDoKu, whose conventions are followed, including the order of sets: rows, columns, boxes, then by cells.
// Boards over 9×9 have too many sets; there, only sets of up to three cells are used, and chains have four sets.
#pragma once

#include "logic/techniques/cell_set.h"
#include "logic/techniques/step.h"
#include "search/control.h"

namespace sudokulab::techniques {

struct AlmostLockedSet {
    CellSet cells;
    std::uint64_t digits = 0;
    std::vector<CellSet> with;  // by digit: the cells of the set with this candidate
    std::vector<CellSet> seen;  // by digit: the cells outside with this candidate that see all of `with`
};

// Incomplete if the control stopped it.
std::vector<AlmostLockedSet> almost_locked_sets(const TechniqueBoard& board, const CellMap& map, int min_cells,
                                                Control& control);

// Each of these returns false if the visitor or the control stopped it. `has_overlap` includes variant 2.
bool find_als_xz(const TechniqueBoard& board, Control& control, const Visitor& visit);
bool find_als_xy_wings(const TechniqueBoard& board, bool has_overlap, Control& control, const Visitor& visit);
bool find_als_xy_chains(const TechniqueBoard& board, Control& control, const Visitor& visit);
// Chains of any length whose sets are in ascending order, without overlap: what HoDoKu looks for when it solves.
bool find_ascending_als_xy_chains(const TechniqueBoard& board, Control& control, const Visitor& visit);
bool find_death_blossoms(const TechniqueBoard& board, Control& control, const Visitor& visit);

}  // namespace sudokulab::techniques
