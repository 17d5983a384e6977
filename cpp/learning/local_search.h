// Local search for a full grid with few conflicts. Its digits become the phases of the search that learns.
//
// Every open cell has a digit. The cost is the number of pairs of equal digits that share a row, column or box. A move
// changes the digit of a cell that has a conflict. The best move is made even if it raises the cost, and the cell
// cannot get its old digit back for a while: the tabu search for graph colouring of Hertz & de Werra (1987), with the
// tabu tenure of Galinier & Hao (1999).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "learning/network.h"
#include "search/rng.h"

namespace sudokulab::learning {

class LocalSearch {
public:
    explicit LocalSearch(const Network& network) : network_(network) {}

    // Makes a number of moves, fewer if they lead to a solution. The first run starts from random digits, later ones
    // where the last one ended. The network must be at level 0, with nothing to propagate. False if `must_stop`, which
    // is polled, returned true.
    bool run(std::int64_t num_moves, Rng& rng, const std::function<bool()>& must_stop);
    // The grid with the fewest conflicts in the last run, by variable: 1 for its digits, -1 for all others.
    const std::vector<std::int8_t>& best() const { return best_; }

    std::int64_t num_moves() const { return num_moves_; }

private:
    struct Range {
        Variable begin, end;
    };

    // The fewest conflicts of the digits that a cell can change to, and the number of digits that have as few.
    struct Least {
        std::int16_t conflicts;
        std::uint16_t number;
    };
    struct Lowest {
        Least allowed, with_tabu;
    };

    void prepare();
    void start(Rng& rng);
    void move(std::int64_t best_cost, Rng& rng);
    // Of the cell of a variable. A move changes it for few cells, so it is stored.
    const Lowest& lowest(Variable chosen);
    void forbid(Variable variable, std::int64_t tenure);
    void release_expired();
    // Changes the conflicts and flags of a variable.
    void set(Variable variable, int conflicts);
    void choose(Variable variable);
    void drop(Variable variable);
    // Calls `visit` with each open variable of the same digit in the row, column or box.
    template <class Visit>
    void visit_rivals(Variable variable, Visit visit) const;
    void add_clash(Variable variable);
    void remove_clash(Variable variable);

    const Network& network_;
    // Filled before the first move: most searches end earlier.
    std::vector<Range> cells_;              // by variable: the variables of its cell, which are consecutive
    std::vector<std::uint64_t> off_lines_;  // by variable: the bits of its box group outside its row and column
    std::vector<std::int8_t> chosen_;       // by variable: 1 for the digit of its cell, else -1
    std::vector<std::int8_t> best_;
    std::vector<std::int16_t> conflicts_;          // by variable: number of its rivals that are chosen, and flags
    std::vector<Lowest> lowest_;                   // by first variable of a cell; a number of 0 if unknown
    std::vector<std::int64_t> tabu_until_;         // by variable: the number of a move
    std::vector<std::vector<Variable>> expiring_;  // by move, cyclic: the variables that are then no longer tabu
    std::vector<Variable> clashes_;                // the chosen variables with conflicts
    std::vector<std::size_t> places_;              // by variable: its index in `clashes_`, if it is there
    std::int64_t cost_ = 0;
    std::int64_t num_moves_ = 0;
};

}  // namespace sudokulab::learning
