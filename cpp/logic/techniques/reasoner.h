// Solves like a person: takes the first instance of the first technique that applies, again and again.
#pragma once

#include <optional>
#include <vector>

#include "logic/techniques/board.h"
#include "logic/techniques/forcing_chains.h"
#include "logic/techniques/step.h"
#include "search/control.h"

namespace sudokulab::techniques {

// Places the digits of a step and removes its candidates.
void apply(const Step& step, OpenBoard& board);

class Reasoner {
public:
    // The techniques in the order they are tried.
    explicit Reasoner(std::vector<Technique> order);

    // The next step. None if no technique applies, or if the control stopped the search.
    std::optional<Step> next(const OpenBoard& board, Control& control);

private:
    std::optional<Step> first_of(Technique technique, const OpenBoard& board, Control& control);

    std::vector<Technique> order_;
};

}  // namespace sudokulab::techniques
