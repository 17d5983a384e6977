// Backtracking with propagation and minimum remaining values: the BS of Lloyd & Amos (2019).
//
// After propagation, the open cell with the fewest candidates tries each of them in ascending order (section 3). The
// paper leaves ties open; we take the first cell, as the authors' program does. The paper's propagation is that of
// `PeerBoard`; `SearchBoard` propagates singles exhaustively and serves `Auto`, ratings and generation.
#pragma once

#include <vector>

#include "grid/search_board.h"
#include "search/solver.h"
#include "solvers/parts/peer_board.h"
#include "solvers/parts/propagation.h"

namespace sudokulab {

template <class SomeBoard>
class BasicBacktrackingSearch : public Search {
public:
    explicit BasicBacktrackingSearch(const Puzzle& puzzle);
    // Searches below a board prepared by the caller; `is_consistent` is what the board's last step returned.
    BasicBacktrackingSearch(SomeBoard board, bool is_consistent);

    Status next(Control& control) override;
    Grid grid() const override { return board_.grid(); }
    Stats stats() const override;
    TraceRow trace_row() const override { return Trace::row(num_nodes_, depth(), board_.num_placed()); }
    Frame frame() const override;

private:
    static constexpr int none = -1;

    struct Decision {
        typename SomeBoard::Mark mark;  // the board before any candidate was tried
        int cell;
        std::uint64_t untried;
        int digit = none;  // tried last
    };

    // The number of decisions in force; the last one may not have been tried yet.
    std::size_t depth() const {
        return decisions_.size() - (!decisions_.empty() && decisions_.back().digit == none ? 1 : 0);
    }
    void open_decision();
    void drop_exhausted_decisions();
    void try_next_candidate(Control& control);

    SomeBoard board_;
    bool is_fresh_;  // the board is consistent and not branched on yet
    std::vector<Decision> decisions_;
    std::int64_t num_nodes_ = 0;       // candidates tried
    std::int64_t num_backtracks_ = 0;  // candidates undone
    std::int64_t max_depth_ = 0;       // maximum number of open decisions
};

using BacktrackingSearch = BasicBacktrackingSearch<SearchBoard>;

class Backtracking : public CompleteSolver {
public:
    explicit Backtracking(Propagation propagation) : propagation_(propagation) {}  // peers or singles

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override {
        if (propagation_ == Propagation::peers) return std::make_unique<BasicBacktrackingSearch<PeerBoard>>(puzzle);
        return std::make_unique<BacktrackingSearch>(puzzle);
    }

private:
    Propagation propagation_;
};

}  // namespace sudokulab
