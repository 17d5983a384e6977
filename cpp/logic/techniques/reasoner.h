// Solves like a person: takes the first instance of the first technique that applies, again and again.
//
// Some techniques share a finder, such as the types of unique rectangles. Such a family is enumerated at most once per
// board: the first instance of each of its techniques is remembered.
//
// Of forcing chains of a kind (see forcing_chains.h), the easiest is taken whose technique is in the list, whichever
// that is; nested ones are of the lowest level at which there is a chain.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "logic/techniques/forcing_chains.h"
#include "logic/techniques/step.h"
#include "logic/techniques/technique_board.h"
#include "search/control.h"

namespace sudokulab::techniques {

// Places the digits of a step and removes its candidates.
void apply(const Step& step, TechniqueBoard& board);

class Reasoner {
public:
    // The techniques in the order they are tried.
    explicit Reasoner(const std::vector<Technique>& order);

    // The next step. None if no technique applies, or if the control stopped the search.
    std::optional<Step> next(const TechniqueBoard& board, Control& control);

private:
    // A technique of the list, and the first instance found while another technique of its family was searched.
    struct Entry {
        Technique technique;
        std::size_t family;  // the first entry of the same family
        bool is_alone;       // in its family
        std::optional<Step> first;
    };

    std::optional<Step> first_of(Entry& entry, const TechniqueBoard& board, Control& control);
    void search_family(Entry& entry, const TechniqueBoard& board, Control& control);
    std::optional<Step> first_chain(const Entry& entry, const TechniqueBoard& board, Control& control);
    ForcingChains& chains(ForcingChains::Kind kind, int level = 0);

    std::vector<Entry> entries_;
    std::vector<bool> is_searched_;  // by entry: whether its family was searched on the current board
    std::map<std::pair<ForcingChains::Kind, int>, ForcingChains> chains_;  // by kind and level, kept between boards
};

}  // namespace sudokulab::techniques
