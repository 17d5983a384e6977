// Forcing chains with several branches: assumptions that lead to a contradiction or to the same conclusion.
//
// - Contradiction: a candidate assumed true (or false) makes some candidate both true and false. Nishio is the same
//   with the positions of one digit only.
// - Double chains: a candidate has the same consequence whether it is true or false.
// - Cell and region chains: all candidates of a cell, or all positions of a digit in a unit, have the same consequence.
//
// Multiple chains are static (see implications.h) and know only cell and region chains; the others are dynamic. Nested
// levels add further rules to the dynamic propagation: locked candidates, hidden and naked pairs and X-wings (level 1),
// also simple chains and cycles (2), also multiple chains (3); or dynamic chains instead (4), and those of level 2 (5).
//
// The length of a chain is the number of assumptions and conclusions of all branches, plus the lengths of the different
// nested chains. Among all chains of a search the shortest wins; then double, cell, region chains and contradictions,
// in this order; then the first.
//
// Source: Sudoku Explainer, whose order is followed: cells, digits; for each candidate contradictions, double and
// region chains; then the chains of the cell. A region is examined at its first cell. Multiple chains start in cells
// with three candidates or more.
#pragma once

#include <memory>
#include <optional>

#include "logic/techniques/implications.h"
#include "logic/techniques/simple_chains.h"
#include "logic/techniques/step.h"
#include "search/control.h"

namespace sudokulab::techniques {

class ForcingChains {
public:
    enum class Kind { nishio, multiple, dynamic };

    // Only dynamic chains have a level above 0.
    explicit ForcingChains(Kind kind, int level = 0);
    ForcingChains(ForcingChains&&) noexcept;
    ~ForcingChains();

    // None if there is no chain, or if the control stopped the search.
    std::optional<Step> find_easiest(const TechniqueBoard& board, Control& control);
    // The easiest chain for every set of eliminations, from the easiest on; none if the control stopped the search.
    // False if the visitor or the control stopped it.
    bool visit_all(const TechniqueBoard& board, Control& control, const Visitor& visit);

private:
    class Search;
    std::unique_ptr<Search> search_;
};

}  // namespace sudokulab::techniques
