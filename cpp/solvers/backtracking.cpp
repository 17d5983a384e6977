#include "solvers/backtracking.h"

#include <algorithm>
#include <bit>

namespace sudokulab {

BacktrackingSearch::BacktrackingSearch(const Puzzle& puzzle)
    : board_(Geometry::of(puzzle.box)), is_fresh_(board_.place_givens(puzzle.givens)) {}

BacktrackingSearch::BacktrackingSearch(Board board, bool is_consistent)
    : board_(std::move(board)), is_fresh_(is_consistent) {}

Status BacktrackingSearch::next(Control& control) {
    control.trace.set_columns({"nodes", "depth", "cells_fixed"});
    while (true) {
        if (is_fresh_) {
            is_fresh_ = false;
            if (board_.is_full()) return Status::solved;
            open_decision();
        }
        drop_exhausted_decisions();
        if (decisions_.empty()) return Status::unsatisfiable;
        if (control.must_stop() || control.is_out_of_nodes()) return Status::unknown;
        try_next_candidate(control);
    }
}

void BacktrackingSearch::open_decision() {
    const int cell = board_.most_constrained_cell();
    decisions_.push_back({.mark = board_.mark(), .cell = cell, .untried = board_.candidates(cell)});
    max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(decisions_.size()));
}

void BacktrackingSearch::drop_exhausted_decisions() {
    while (!decisions_.empty() && decisions_.back().untried == 0) {
        decisions_.pop_back();
        ++num_backtracks_;
    }
}

void BacktrackingSearch::try_next_candidate(Control& control) {
    Decision& decision = decisions_.back();
    if (decision.is_tried) ++num_backtracks_;
    board_.undo(decision.mark);
    const int digit = std::countr_zero(decision.untried);
    decision.untried &= decision.untried - 1;
    decision.is_tried = true;
    ++num_nodes_;
    ++control.num_nodes;
    is_fresh_ = board_.place(decision.cell, digit);
    if (control.trace.due()) control.trace.add(trace_row());
}

Stats BacktrackingSearch::stats() const {
    return {{"nodes", num_nodes_}, {"backtracks", num_backtracks_}, {"max_depth", max_depth_}};
}

}  // namespace sudokulab
