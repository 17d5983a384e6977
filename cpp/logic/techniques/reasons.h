// Why a step applies to a board but not to an earlier one: the candidates removed in between.
//
// A step found inside an assumption depends on those candidates that would have prevented it. Source: Sudoku Explainer.
#pragma once

#include <vector>

#include "logic/techniques/links.h"
#include "logic/techniques/step.h"

namespace sudokulab::techniques {

class Reasons {
public:
    Reasons(const TechniqueBoard& source, const TechniqueBoard& current) : source_(source), current_(current) {}

    // For locked candidates or a fish: the digit in the base units, outside the cover.
    const std::vector<Candidate>& of_lines(const Step& step);
    // For a hidden subset: its digits, elsewhere in the unit.
    const std::vector<Candidate>& of_hidden(const Step& step);
    // For a naked subset: the other digits of its cells.
    const std::vector<Candidate>& of_naked(const Step& step);

    // For a chain, collected link by link: the candidates missing from the cell or unit that made a candidate true.
    void clear() { candidates_.clear(); }
    void add_link(const Candidate& to, Cause cause);
    const std::vector<Candidate>& candidates() const { return candidates_; }

private:
    std::uint64_t removed_positions(int unit, int digit) const {
        return source_.positions(unit, digit) & ~current_.positions(unit, digit);
    }

    const TechniqueBoard& source_;
    const TechniqueBoard& current_;
    std::vector<Candidate> candidates_;
};

// Sudoku Explainer keeps the eliminations of a step in a hash table by cell, and visits them in the order of the table.
// That order decides which reasons later conclusions get.
void sort_like_hash_table(std::vector<Candidate>& removed);

}  // namespace sudokulab::techniques
