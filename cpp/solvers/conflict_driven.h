// Conflict-driven search for large grids: a search that learns a clause from every dead end (learning/), specialised
// for problems in which every constraint is "exactly one of these".
//
// Decisions are placements. The search selects the variable that was involved in most of the recent conflicts and looks
// up its value in the deepest assignment so far. If it was true, it is placed; if not, the variable that was true in
// its smallest group is. Restarts are rare and follow Luby's sequence. On random instances with a solution, this is far
// better than frequent restarts, or alternating between both: the search stays close to the fullest grid it has
// reached. At each restart, the best grid of a local search replaces it.
//
// Solutions are enumerated without storing them (Gebser et al. 2007): after a solution the last decision is flipped,
// and from then on no backjump goes below it.
#pragma once

#include <memory>
#include <utility>

#include "learning/activity.h"
#include "learning/analysis.h"
#include "learning/clauses.h"
#include "learning/exchange.h"
#include "learning/local_search.h"
#include "learning/network.h"
#include "search/solver.h"

namespace sudokulab {

struct ConflictDrivenParameters {
    int restart_unit = 2048;       // conflicts, times Luby's sequence
    int first_reduction = 150;     // conflicts before clauses are dropped for the first time
    int moves_per_conflict = 100;  // of the local search that provides phases at restarts; 0: none
    std::uint64_t seed = 0;        // of the order of the first decisions; 0: small groups first
};

class ConflictDrivenSearch : public Search {
public:
    using Parameters = ConflictDrivenParameters;

    explicit ConflictDrivenSearch(const Puzzle& puzzle, Parameters parameters = {});
    // Searches below a board prepared by the caller; `is_consistent` is what the board's last step returned.
    ConflictDrivenSearch(const SearchBoard& board, bool is_consistent, Parameters parameters = {});

    // Shares clauses with other searches of the same puzzle, as a member of their exchange.
    void join(learning::Exchange& exchange, std::size_t member);

    Status next(Control& control) override;
    Grid grid() const override;
    Stats stats() const override;
    TraceRow trace_row() const override;
    Frame frame() const override;

private:
    ConflictDrivenSearch(const std::pair<SearchBoard, bool>& prepared, Parameters parameters);

    bool propagate();
    bool is_grid_full() const;
    void backtrack(int level);
    void learn_and_jump_back();
    bool turn_last_decision();
    void remember_depth();
    void restart();
    void add_shared_clauses();
    bool improve_phases(Control& control);
    void decide(Control& control);
    bool is_wanted(learning::Variable variable) const;
    learning::Variable choose();

    Parameters parameters_;
    Grid placed_;  // before the search
    bool is_consistent_;
    learning::Network network_;
    learning::Clauses clauses_;
    learning::Analysis analysis_;
    learning::Activity activity_;
    learning::LocalSearch local_search_;
    learning::Exchange* exchange_ = nullptr;
    std::size_t member_ = 0;
    std::vector<std::int8_t> last_;     // by variable: its last value, 1 or -1
    std::vector<std::int8_t> deepest_;  // by variable: its value in the latest deepest assignment that had it, else 0
    std::size_t depth_ = 0;             // size of the deepest assignment since the last restart
    bool is_local_search_due_ = false;
    std::int64_t num_conflicts_before_ = 0;  // the last local search
    int floor_ = 0;  // no backjump goes below: these decisions are only removed by flipping them
    bool is_at_solution_ = false;
    std::int64_t next_restart_;
    std::int64_t next_reduction_;
    std::int64_t num_nodes_ = 0;  // decisions
    std::int64_t num_conflicts_ = 0;
    std::int64_t num_propagations_ = 0;
    std::int64_t num_restarts_ = 0;
    std::int64_t max_depth_ = 0;
};

class ConflictDriven : public CompleteSolver {
public:
    explicit ConflictDriven(ConflictDrivenParameters parameters = {}) : parameters_(parameters) {}

    std::unique_ptr<Search> search(const Puzzle& puzzle) const override {
        return std::make_unique<ConflictDrivenSearch>(puzzle, parameters_);
    }
    std::unique_ptr<Search> search_in_parallel(const Puzzle& puzzle, int num_threads) const override;

private:
    ConflictDrivenParameters parameters_;
};

}  // namespace sudokulab
