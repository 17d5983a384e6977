// Several conflict-driven searches of one puzzle on as many threads: the first answer wins, and the others stop.
//
// The searches begin with different decisions, do different amounts of local search, and share the best clauses that
// they learn. On hard puzzles the time of a search varies by factors from one beginning to the next, so the first of
// several answers comes early. The first search is the one that runs on a single thread. It has a head start, because
// threads do not pay off on puzzles that it answers at once.
//
// Which search answers first depends on the scheduler, so a run after the head start cannot be repeated.
#pragma once

#include <memory>
#include <vector>

#include "learning/exchange.h"
#include "search/solver.h"
#include "solvers/conflict_driven.h"

namespace sudokulab {

struct PortfolioParameters {
    int num_threads = 1;
    std::int64_t head_start = 1000;  // nodes of the first search before the others begin
    int max_shared_levels = 2;       // clauses that join more decision levels are not shared; 0: none are
    ConflictDrivenParameters search{};
};

class PortfolioSearch : public Search {
public:
    using Parameters = PortfolioParameters;

    PortfolioSearch(const Puzzle& puzzle, const Parameters& parameters);

    // Limits on nodes and CPU time hold for each search. Records neither trace nor frames. After the first solution,
    // the search that found it continues alone.
    Status next(Control& control) override;

    // Of the search that answered; if none has, of the first.
    Grid grid() const override { return winner().grid(); }
    Stats stats() const override;
    TraceRow trace_row() const override { return winner().trace_row(); }
    Frame frame() const override { return winner().frame(); }

private:
    const ConflictDrivenSearch& winner() const { return *searches_[winner_]; }
    void begin(std::size_t index);
    Status run_alone(Control& control);
    Status run_together(Control& control);

    const Parameters parameters_;
    const Puzzle puzzle_;
    learning::Exchange exchange_;
    std::vector<std::unique_ptr<ConflictDrivenSearch>> searches_;  // null until it begins
    std::size_t winner_ = 0;
    bool is_answered_ = false;
    double stopping_seconds_ = 0;  // from the answer until all searches had stopped
};

class Portfolio : public CompleteSolver {
public:
    explicit Portfolio(const PortfolioParameters& parameters) : parameters_(parameters) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override {
        return std::make_unique<PortfolioSearch>(puzzle, parameters_);
    }

private:
    PortfolioParameters parameters_;
};

}  // namespace sudokulab
