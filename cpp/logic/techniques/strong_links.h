// The strong links of a digit in units: two positions left.
#pragma once

#include <vector>

#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

struct StrongLink {
    int unit;
    int first;  // the cells
    int second;

    int other(int cell) const { return cell == first ? second : first; }
};

// All units with two positions for a digit, by number. Two cells that share two units can be linked twice.
std::vector<StrongLink> strong_links(const TechniqueBoard& board, int digit);

// The candidates of the digit that see both cells, by cell.
std::vector<Candidate> seen_by_both(const TechniqueBoard& board, int digit, int cell, int other);

// A step about one digit whose pattern is a chain: links from cell to cell, alternately strong and weak, starting with
// a strong one.
Step chain_step(Technique technique, int digit, const std::vector<int>& cells);

}  // namespace sudokulab::techniques
