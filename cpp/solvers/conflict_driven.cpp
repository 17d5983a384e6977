#include "solvers/conflict_driven.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "search/threads.h"
#include "solvers/portfolio.h"

namespace sudokulab {

using namespace learning;

namespace {

constexpr double noise = 1e-2;             // larger than any other initial activity: with a seed, the order is random
constexpr double reduction_factor = 0.73;  // times the geometric mean of the first reduction and the conflicts so far

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, indexed from 1.
std::int64_t luby(std::int64_t i) {
    std::int64_t power = 1;
    while (2 * power - 1 < i) power *= 2;
    return 2 * power - 1 == i ? power : luby(i - power + 1);
}

std::pair<SearchBoard, bool> board_of(const Puzzle& puzzle) {
    SearchBoard board(Geometry::of(puzzle.box));
    const bool is_consistent = board.place_givens(puzzle.givens);
    return {std::move(board), is_consistent};
}

// Prefers variables in small groups, until conflicts provide better information.
std::vector<double> initial_activity(const Network& network, std::uint64_t seed) {
    std::vector<double> activity(network.num_variables());
    Rng rng(seed);
    for (Variable variable = 0; variable < activity.size(); ++variable) {
        if (seed != 0) activity[variable] = noise * rng.uniform();
        for (std::size_t kind = 0; kind < Network::num_kinds; ++kind) {
            activity[variable] += 1e-3 / network.num_open(network.group(variable, kind));
        }
    }
    return activity;
}

}  // namespace

ConflictDrivenSearch::ConflictDrivenSearch(const Puzzle& puzzle, Parameters parameters)
    : ConflictDrivenSearch(board_of(puzzle), parameters) {}

ConflictDrivenSearch::ConflictDrivenSearch(const std::pair<SearchBoard, bool>& prepared, Parameters parameters)
    : ConflictDrivenSearch(prepared.first, prepared.second, parameters) {}

ConflictDrivenSearch::ConflictDrivenSearch(const SearchBoard& board, bool is_consistent, Parameters parameters)
    : parameters_(parameters),
      placed_(board.grid()),
      is_consistent_(is_consistent),
      network_(board),
      clauses_(network_.num_variables()),
      analysis_(network_, clauses_),
      activity_(initial_activity(network_, parameters.seed)),
      local_search_(network_),
      last_(network_.num_variables(), 1),
      deepest_(network_.num_variables(), 0),
      next_restart_(parameters.restart_unit),
      next_reduction_(parameters.first_reduction) {}

Status ConflictDrivenSearch::next(Control& control) {
    control.set_columns({"nodes", "depth", "cells_fixed", "conflicts", "learnt", "restarts"});
    if (is_at_solution_) {
        is_at_solution_ = false;
        floor_ = network_.level();
        is_consistent_ = false;
    }
    while (true) {
        if (!is_consistent_ || !propagate()) {
            if (network_.level() > floor_) {
                learn_and_jump_back();
            } else if (!turn_last_decision()) {
                return Status::unsatisfiable;
            }
        } else if (network_.is_full()) {
            assert(is_grid_full());
            is_at_solution_ = true;
            return Status::solved;
        } else if (num_conflicts_ >= next_restart_) {
            restart();
        } else if (is_local_search_due_) {
            if (!improve_phases(control)) return Status::unknown;
        } else {
            const bool must_stop = control.must_stop(num_nodes_, [this] { return frame(); });
            if (must_stop || control.is_out_of_nodes()) return Status::unknown;
            decide(control);
        }
    }
}

bool ConflictDrivenSearch::is_grid_full() const {
    const Grid full = grid();
    return std::find(full.begin(), full.end(), 0) == full.end();
}

bool ConflictDrivenSearch::propagate() {
    while (network_.has_pending()) {
        const Literal literal = network_.next_pending();
        ++num_propagations_;
        if (!is_negative(literal) && !network_.propagate_placement(variable_of(literal))) return false;
        if (!clauses_.propagate(literal ^ 1, network_)) return false;
    }
    return true;
}

void ConflictDrivenSearch::backtrack(int level) {
    network_.backtrack(level, [&](Literal literal) {
        last_[variable_of(literal)] = is_negative(literal) ? -1 : 1;
        activity_.insert(variable_of(literal));
    });
}

void ConflictDrivenSearch::learn_and_jump_back() {
    assert(network_.level() > floor_);
    ++num_conflicts_;
    remember_depth();
    const Lesson& lesson = analysis_.learn();
    for (const Variable variable : lesson.involved) activity_.bump(variable);
    activity_.decay();
    if (exchange_ != nullptr) exchange_->offer(member_, lesson);
    backtrack(std::max(lesson.level, floor_));
    assert(network_.is_open(variable_of(lesson.literals[0])));  // and all others are still false
    const Reason reason = lesson.literals.size() == 1
                              ? Reason()
                              : Reason(Reason::clause, clauses_.add(lesson.literals, lesson.num_levels));
    is_consistent_ = network_.assign(lesson.literals[0], reason);
    if (num_conflicts_ >= next_reduction_) {
        const double scale = static_cast<double>(parameters_.first_reduction) * static_cast<double>(num_conflicts_);
        next_reduction_ = num_conflicts_ + 1 + static_cast<std::int64_t>(reduction_factor * std::sqrt(scale));
        clauses_.reduce(network_);
    }
}

// Called at the floor, when everything below the last decision has been searched. False if no decision is left.
bool ConflictDrivenSearch::turn_last_decision() {
    if (floor_ == 0) return false;
    assert(network_.level() == floor_);
    const Literal decision = network_.decision_of(floor_);
    backtrack(--floor_);
    is_consistent_ = network_.assign(decision ^ 1, Reason());
    return true;
}

// Stores the assignment before the last decision, which was free of conflicts.
void ConflictDrivenSearch::remember_depth() {
    const std::size_t depth = network_.start_of_level(network_.level());
    if (depth <= depth_) return;
    depth_ = depth;
    for (std::size_t i = 0; i < depth; ++i) {
        const Literal literal = network_.trail()[i];
        deepest_[variable_of(literal)] = is_negative(literal) ? -1 : 1;
    }
}

void ConflictDrivenSearch::restart() {
    ++num_restarts_;
    next_restart_ = num_conflicts_ + parameters_.restart_unit * luby(num_restarts_ + 1);
    depth_ = 0;
    backtrack(floor_);
    if (floor_ > 0) return;
    network_.forget_false_members();
    is_local_search_due_ = parameters_.moves_per_conflict > 0;
    if (exchange_ != nullptr) add_shared_clauses();
}

void ConflictDrivenSearch::join(Exchange& exchange, std::size_t member) {
    exchange_ = &exchange;
    member_ = member;
}

// Called at level 0, where a value is final: false literals are dropped, and clauses with a true one.
void ConflictDrivenSearch::add_shared_clauses() {
    assert(network_.level() == 0);
    for (auto& [author, num_levels, literals] : exchange_->collect(member_)) {
        const auto is_true = [&](Literal literal) { return network_.is_true(literal); };
        if (std::any_of(literals.begin(), literals.end(), is_true)) continue;
        std::erase_if(literals, [&](Literal literal) { return network_.is_false(literal); });
        if (literals.size() > 1) {
            clauses_.add(literals, num_levels);
        } else if (literals.empty() || !network_.assign(literals[0], Reason())) {
            is_consistent_ = false;
            return;
        }
    }
}

// Called at level 0. The local search gets moves for all conflicts since its last turn. If it finds a solution, the
// decisions follow its phases there without a conflict. False if it had to stop.
bool ConflictDrivenSearch::improve_phases(Control& control) {
    is_local_search_due_ = false;
    const std::int64_t num_moves = parameters_.moves_per_conflict * (num_conflicts_ - num_conflicts_before_);
    num_conflicts_before_ = num_conflicts_;
    const auto must_stop = [&] { return control.must_stop(num_nodes_, [this] { return frame(); }); };
    if (!local_search_.run(num_moves, control.rng, must_stop)) return false;
    deepest_ = local_search_.best();
    return true;
}

void ConflictDrivenSearch::decide(Control& control) {
    const Variable variable = choose();
    assert(network_.is_open(variable));
    ++num_nodes_;
    ++control.num_nodes;
    network_.begin_level();
    max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(network_.level()));
    is_consistent_ = network_.assign(positive(variable), Reason());
    control.sample([&] { return trace_row(); });
}

bool ConflictDrivenSearch::is_wanted(Variable variable) const {
    return (deepest_[variable] != 0 ? deepest_[variable] : last_[variable]) > 0;
}

Variable ConflictDrivenSearch::choose() {
    Variable top = activity_.pop();
    while (!network_.is_open(top)) top = activity_.pop();
    if (is_wanted(top)) return top;
    std::uint32_t smallest = network_.group(top, 0);
    for (std::size_t kind = 1; kind < Network::num_kinds; ++kind) {
        const std::uint32_t group = network_.group(top, kind);
        if (network_.num_open(group) < network_.num_open(smallest)) smallest = group;
    }
    Variable chosen = top;
    network_.visit_open(smallest, [&](Variable variable) {
        if (chosen == top && is_wanted(variable)) chosen = variable;
    });
    if (chosen != top) activity_.insert(top);
    return chosen;
}

Grid ConflictDrivenSearch::grid() const {
    Grid grid = placed_;
    for (const Literal literal : network_.trail()) {
        if (is_negative(literal)) continue;
        grid[static_cast<std::size_t>(network_.cell(variable_of(literal)))] =
            static_cast<std::uint8_t>(network_.digit(variable_of(literal)) + 1);
    }
    return grid;
}

TraceRow ConflictDrivenSearch::trace_row() const {
    const auto is_placement = [](Literal literal) { return !is_negative(literal); };
    const auto num_blank = std::count(placed_.begin(), placed_.end(), 0);
    const auto num_placed = std::count_if(network_.trail().begin(), network_.trail().end(), is_placement);
    const auto num_cells = static_cast<std::ptrdiff_t>(placed_.size());
    return Trace::row(num_nodes_, network_.level(), num_cells - num_blank + num_placed, num_conflicts_,
                      clauses_.num_kept(), num_restarts_);
}

Frame ConflictDrivenSearch::frame() const {
    Frame frame{.values = trace_row(), .grid = grid()};
    frame.candidates.resize(placed_.size());
    for (std::size_t cell = 0; cell < placed_.size(); ++cell) {
        if (placed_[cell] != 0) frame.candidates[cell] = std::uint64_t{1} << (placed_[cell] - 1);
    }
    for (Variable variable = 0; variable < network_.num_variables(); ++variable) {
        if (network_.is_false(positive(variable))) continue;
        frame.candidates[static_cast<std::size_t>(network_.cell(variable))] |= std::uint64_t{1}
                                                                               << network_.digit(variable);
    }
    for (int level = 1; level <= network_.level(); ++level) {
        const Variable decision = variable_of(network_.decision_of(level));
        frame.decisions.emplace_back(network_.cell(decision), network_.digit(decision) + 1);
    }
    return frame;
}

Stats ConflictDrivenSearch::stats() const {
    return {{"nodes", num_nodes_},       {"conflicts", num_conflicts_}, {"propagations", num_propagations_},
            {"restarts", num_restarts_}, {"max_depth", max_depth_},     {"moves", local_search_.num_moves()}};
}

std::unique_ptr<Search> ConflictDriven::search_in_parallel(const Puzzle& puzzle, int num_threads) const {
    // more searches than cores would only delay each other
    const PortfolioParameters parameters{.num_threads = std::min(num_threads, num_cores()), .search = parameters_};
    return std::make_unique<PortfolioSearch>(puzzle, parameters);
}

}  // namespace sudokulab
