// Backtracking with propagation and minimum remaining values: the BS of Lloyd & Amos (2019).
//
// Singles are propagated exhaustively (board.h); then the open cell with the fewest candidates, the first one on a tie,
// tries each of its candidates in ascending order. The paper names the heuristic and the propagation, and leaves the
// order of ties and values open.
#pragma once

#include <vector>

#include "grid/board.h"
#include "search/solver.h"

namespace sudokulab {

class BacktrackingSearch : public Search {
public:
    explicit BacktrackingSearch(const Puzzle& puzzle);
    // Searches below a board prepared by the caller; `is_consistent` is what the board's last step returned.
    BacktrackingSearch(Board board, bool is_consistent);

    Status next(Control& control) override;
    Grid grid() const override { return board_.grid(); }
    Stats stats() const override;
    TraceRow trace_row() const override { return Trace::row(num_nodes_, decisions_.size(), board_.num_placed()); }

private:
    struct Decision {
        Board::Mark mark;  // the board before any candidate was tried
        int cell;
        std::uint64_t untried;
        bool is_tried = false;
    };

    void open_decision();
    void drop_exhausted_decisions();
    void try_next_candidate(Control& control);

    Board board_;
    bool is_fresh_;  // the board is consistent and not branched on yet
    std::vector<Decision> decisions_;
    std::int64_t num_nodes_ = 0;       // candidates tried
    std::int64_t num_backtracks_ = 0;  // candidates undone
    std::int64_t max_depth_ = 0;       // maximum number of open decisions
};

class Backtracking : public CompleteSolver {
public:
    std::unique_ptr<Search> search(const Puzzle& puzzle) const override {
        return std::make_unique<BacktrackingSearch>(puzzle);
    }
};

}  // namespace sudokulab
