// How a choice is propagated by the ant colony and by backtracking.
#pragma once

namespace sudokulab {

enum class Propagation {
    peers,    // the two rules of Lloyd & Amos (2019), on the peers of each fixed cell: see peer_board.h
    singles,  // naked and hidden singles until none is left: see grid/search_board.h and ant_board.h
    ac3,      // arc consistency on disequalities, i.e. naked singles only: see ant_board.h
};

}  // namespace sudokulab
