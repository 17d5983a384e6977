#include "solvers/backtracking.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "solvers/parts/board_frame.h"

namespace sudokulab {

template <class SomeBoard>
BasicBacktrackingSearch<SomeBoard>::BasicBacktrackingSearch(const Puzzle& puzzle)
    : board_(Geometry::of(puzzle.box)), is_fresh_(board_.place_givens(puzzle.givens)) {}

template <class SomeBoard>
BasicBacktrackingSearch<SomeBoard>::BasicBacktrackingSearch(SomeBoard board, bool is_consistent)
    : board_(std::move(board)), is_fresh_(is_consistent) {}

template <class SomeBoard>
Status BasicBacktrackingSearch<SomeBoard>::next(Control& control) {
    control.set_columns({"nodes", "depth", "cells_fixed"});
    while (true) {
        if (is_fresh_) {
            is_fresh_ = false;
            if (board_.is_full()) return Status::solved;
            open_decision();
        }
        const bool must_stop = control.must_stop(num_nodes_, [this] { return frame(); });
        drop_exhausted_decisions();
        if (decisions_.empty()) return Status::unsatisfiable;
        if (must_stop || control.is_out_of_nodes()) return Status::unknown;
        try_next_candidate(control);
    }
}

template <class SomeBoard>
void BasicBacktrackingSearch<SomeBoard>::open_decision() {
    const int cell = board_.most_constrained_cell();
    assert(cell >= 0 && !board_.is_placed(cell));
    decisions_.push_back({.mark = board_.mark(), .cell = cell, .untried = board_.candidates(cell)});
    max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(decisions_.size()));
}

template <class SomeBoard>
void BasicBacktrackingSearch<SomeBoard>::drop_exhausted_decisions() {
    while (!decisions_.empty() && decisions_.back().untried == 0) {
        decisions_.pop_back();
        ++num_backtracks_;
    }
}

template <class SomeBoard>
void BasicBacktrackingSearch<SomeBoard>::try_next_candidate(Control& control) {
    Decision& decision = decisions_.back();
    assert(decision.untried != 0);
    if (decision.digit != none) ++num_backtracks_;
    board_.undo(decision.mark);
    const int digit = std::countr_zero(decision.untried);
    assert((board_.candidates(decision.cell) >> digit & 1) != 0);
    decision.untried &= decision.untried - 1;
    decision.digit = digit;
    ++num_nodes_;
    ++control.num_nodes;
    is_fresh_ = board_.place(decision.cell, digit);
    control.sample([&] { return trace_row(); });
}

template <class SomeBoard>
Frame BasicBacktrackingSearch<SomeBoard>::frame() const {
    Frame frame = frame_of(board_, trace_row());
    for (std::size_t i = 0; i < depth(); ++i) {
        frame.decisions.emplace_back(decisions_[i].cell, decisions_[i].digit + 1);
    }
    return frame;
}

template <class SomeBoard>
Stats BasicBacktrackingSearch<SomeBoard>::stats() const {
    return {{"nodes", num_nodes_}, {"backtracks", num_backtracks_}, {"max_depth", max_depth_}};
}

template class BasicBacktrackingSearch<SearchBoard>;
template class BasicBacktrackingSearch<PeerBoard>;

}  // namespace sudokulab
