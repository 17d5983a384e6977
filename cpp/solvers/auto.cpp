#include "solvers/auto.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>

#include "search/threads.h"
#include "solvers/backtracking.h"
#include "solvers/conflict_driven.h"

namespace sudokulab {
namespace {

static_assert(ArrayJob::undecided == BulkJob::undecided);  // they share the array of counts

enum class SearchKind { backtracking, conflict_driven };

// The search for puzzles that the bulk engine does not support or did not decide.
SearchKind kind_for(BoxShape box) { return box.size() < 9 ? SearchKind::backtracking : SearchKind::conflict_driven; }

std::unique_ptr<Search> make_search(SearchKind kind, const Puzzle& puzzle) {
    if (kind == SearchKind::backtracking) return std::make_unique<BacktrackingSearch>(puzzle);
    return std::make_unique<ConflictDrivenSearch>(puzzle);
}

std::unique_ptr<Search> make_search(SearchKind kind, const SearchBoard& board, bool is_consistent) {
    if (kind == SearchKind::backtracking) return std::make_unique<BacktrackingSearch>(board, is_consistent);
    return std::make_unique<ConflictDrivenSearch>(board, is_consistent);
}

// Guesses that the bulk engine may still make under a control.
std::uint32_t guesses_left(const Control& control) {
    const std::int64_t nodes_left = std::max<std::int64_t>(0, control.budget.nodes - control.num_nodes);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(nodes_left, Auto::max_guesses));
}

// Statistics in one form, whichever engine did the work.
struct Effort {
    std::int64_t num_nodes = 0;
    std::int64_t num_backtracks = 0;
    std::int64_t max_depth = 0;
    std::int64_t num_threads = 0;  // of a portfolio

    void add(const BulkStats& bulk) {
        num_nodes += bulk.num_guesses;
        num_backtracks += bulk.num_backtracks;
        max_depth = std::max<std::int64_t>(max_depth, bulk.max_depth);
    }

    void add(const Stats& stats) {
        for (const auto& [name, value] : stats) {
            const auto* integer = std::get_if<std::int64_t>(&value);
            const std::int64_t number = integer == nullptr ? 0 : *integer;
            if (name == "nodes") num_nodes += number;
            if (name == "backtracks" || name == "conflicts") num_backtracks += number;
            if (name == "max_depth") max_depth = std::max(max_depth, number);
            if (name == "threads") num_threads = number;
        }
    }

    Stats stats() const {
        Stats stats{{"nodes", num_nodes}, {"backtracks", num_backtracks}, {"max_depth", max_depth}};
        if (num_threads > 0) stats.emplace_back("threads", num_threads);
        return stats;
    }
};

// One engine, with statistics in the form of `Auto`.
class EngineSearch : public Search {
public:
    // `spent` is the bulk engine's effort before it reached its limit.
    explicit EngineSearch(std::unique_ptr<Search> engine, const BulkStats& spent = {})
        : engine_(std::move(engine)), spent_(spent) {}

    Status next(Control& control) override { return engine_->next(control); }
    Grid grid() const override { return engine_->grid(); }
    TraceRow trace_row() const override { return engine_->trace_row(); }
    Frame frame() const override { return engine_->frame(); }
    Stats stats() const override {
        Effort effort;
        effort.add(spent_);
        effort.add(engine_->stats());
        return effort.stats();
    }

private:
    std::unique_ptr<Search> engine_;
    BulkStats spent_;
};

// A 9×9 grid: the first solution comes from the bulk engine, the others from backtracking. If the bulk engine reaches
// its limit, all come from conflict-driven search.
class BulkSearch : public Search {
public:
    using Make = std::function<std::unique_ptr<Search>(SearchKind)>;  // creates a search of the same grid

    BulkSearch(Instructions instructions, std::span<const std::uint8_t> givens, Make make)
        : instructions_(instructions), make_(std::move(make)) {
        std::copy(givens.begin(), givens.end(), givens_.begin());
    }

    BulkSearch(Instructions instructions, const SearchBoard& board, Make make)
        : instructions_(instructions), make_(std::move(make)), candidates_(bulk_cells) {
        for (std::size_t cell = 0; cell < bulk_cells; ++cell) {
            candidates_[cell] = static_cast<std::uint16_t>(board.candidates(static_cast<int>(cell)));
        }
    }

    Status next(Control& control) override {
        if (!has_begun_) {
            has_begun_ = true;
            const Status status = find_first(control);
            if (status != Status::unknown) return status;
        }
        if (is_unsatisfiable_) return Status::unsatisfiable;
        if (control.must_stop() || control.is_out_of_nodes()) return Status::unknown;
        if (!engine_) engine_ = make_(first_.empty() ? SearchKind::conflict_driven : SearchKind::backtracking);
        Status status = engine_->next(control);
        if (status == Status::solved && !first_.empty() && !is_first_skipped_ && engine_->grid() == first_) {
            is_first_skipped_ = true;
            status = engine_->next(control);
        }
        return status;
    }

    Grid grid() const override { return engine_ ? engine_->grid() : first_; }

    Stats stats() const override {
        Effort effort;
        effort.add(spent_);
        if (engine_) effort.add(engine_->stats());
        return effort.stats();
    }

    TraceRow trace_row() const override {
        if (engine_) return engine_->trace_row();
        const auto num_blank = first_.empty() ? std::count(givens_.begin(), givens_.end(), 0) : 0;
        return Trace::row(spent_.num_guesses, spent_.max_depth, static_cast<std::ptrdiff_t>(bulk_cells) - num_blank);
    }

    Frame frame() const override {
        if (engine_) return engine_->frame();
        return {.values = trace_row(), .grid = first_.empty() ? Grid(givens_.begin(), givens_.end()) : first_};
    }

private:
    // Unknown if the engine reached its limit or was stopped.
    Status find_first(Control& control) {
        control.set_columns({"nodes", "depth", "cells_fixed"});
        control.sample([&] { return trace_row(); });
        std::array<std::uint8_t, bulk_cells> solution{};
        std::uint32_t count = 0;
        BulkJob job{.puzzles = givens_.data(),
                    .candidates = candidates_.empty() ? nullptr : candidates_.data(),
                    .num_puzzles = 1,
                    .limit = 1,
                    .solutions = solution.data(),
                    .counts = &count,
                    .stats = &spent_,
                    .max_guesses = guesses_left(control)};
        auto stop = [&control] { return control.must_stop(); };
        job.stop_by(stop);
        run_bulk(instructions_, job);
        control.num_nodes += spent_.num_guesses;
        if (count == BulkJob::undecided) return Status::unknown;
        is_unsatisfiable_ = count == 0;
        if (!is_unsatisfiable_) first_.assign(solution.begin(), solution.end());
        return is_unsatisfiable_ ? Status::unsatisfiable : Status::solved;
    }

    Instructions instructions_;
    Make make_;
    std::array<std::uint8_t, bulk_cells> givens_{};
    std::vector<std::uint16_t> candidates_;  // empty: the givens alone define the grid
    BulkStats spent_;
    Grid first_;
    std::unique_ptr<Search> engine_;
    bool has_begun_ = false;
    bool is_unsatisfiable_ = false;
    bool is_first_skipped_ = false;
};

// Counts without the bulk engine, or after it has reached its limit.
Count count_patiently(const Puzzle& puzzle, std::int64_t limit, Control& control, Grid* first = nullptr) {
    const std::int64_t few = has_bulk(puzzle.box) ? std::min<std::int64_t>(limit, Auto::many) : limit;
    const Count count = count_solutions(*make_search(kind_for(puzzle.box), puzzle), few, control, first);
    if (count.number < few || few == limit) return count;
    return count_solutions(*make_search(SearchKind::backtracking, puzzle), limit, control, first);
}

// Completes the count of a puzzle that the bulk engine has counted.
Count finish_count(const Puzzle& puzzle, std::uint32_t found, std::int64_t limit, Control& control,
                   Grid* first = nullptr) {
    if (found == BulkJob::undecided) {
        if (control.must_stop() || control.is_out_of_nodes()) return {0, false};
        return count_patiently(puzzle, limit, control, first);
    }
    if (found < Auto::many || found >= limit) return {found, true};
    return count_solutions(*make_search(SearchKind::backtracking, puzzle), limit, control, first);
}

std::uint32_t bulk_limit(std::int64_t limit) {
    return static_cast<std::uint32_t>(std::min<std::int64_t>(limit, Auto::many));
}

// Counts the solutions of 9×9 puzzles, without any fallback.
void count_in_bulk(Instructions instructions, std::span<const std::uint8_t> digits, std::span<std::uint32_t> found,
                   std::span<BulkStats> stats, std::int64_t limit, Control& control) {
    BulkJob job{.puzzles = digits.data(),
                .num_puzzles = found.size(),
                .limit = bulk_limit(limit),
                .solutions = nullptr,
                .counts = found.data(),
                .stats = stats.data(),
                .max_guesses = guesses_left(control)};
    auto stop = [&control] { return control.must_stop(); };
    job.stop_by(stop);
    run_bulk(instructions, job);
    for (const BulkStats& spent : stats) control.num_nodes += spent.num_guesses;
}

// The bulk engine's answers for some of many puzzles, without any fallback.
struct BulkAnswers {
    explicit BulkAnswers(std::size_t num_puzzles)
        : digits(num_puzzles * bulk_cells),
          solutions(num_puzzles * bulk_cells),
          counts(num_puzzles, BulkJob::undecided),
          stats(num_puzzles) {}

    Result result(std::size_t k, double seconds) const {
        Result result;
        Effort effort;
        effort.add(stats[k]);
        result.stats = effort.stats();
        result.seconds = seconds;
        result.status = counts[k] == 0 ? Status::unsatisfiable : Status::solved;
        if (result.status == Status::solved) {
            const std::uint8_t* solution = solutions.data() + k * bulk_cells;
            result.grid.assign(solution, solution + bulk_cells);
            result.cost = 0;
        }
        return result;
    }

    std::vector<std::uint8_t> digits;
    std::vector<std::uint8_t> solutions;
    std::vector<std::uint32_t> counts;
    std::vector<BulkStats> stats;
};

BulkAnswers solve_in_bulk(Instructions instructions, std::span<const Puzzle> puzzles,
                          std::span<const std::size_t> indices, const Budget& budget, int num_threads,
                          const Interrupted& interrupted) {
    BulkAnswers answers(indices.size());
    for (std::size_t k = 0; k < indices.size(); ++k) {
        std::copy_n(puzzles[indices[k]].givens.data(), bulk_cells, &answers.digits[k * bulk_cells]);
    }
    const std::uint32_t max_guesses = guesses_left(Control(budget, 0, 0, {}));
    const std::size_t size = piece_size(bulk_box, indices.size(), num_threads);
    const auto run_piece = [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * size;
        BulkJob job{.puzzles = &answers.digits[begin * bulk_cells],
                    .num_puzzles = std::min(size, indices.size() - begin),
                    .limit = 1,
                    .solutions = &answers.solutions[begin * bulk_cells],
                    .counts = &answers.counts[begin],
                    .stats = &answers.stats[begin],
                    .max_guesses = max_guesses};
        job.stop_by(stop);
        run_bulk(instructions, job);
    };
    run_parallel((indices.size() + size - 1) / size, num_threads, interrupted, run_piece);
    return answers;
}

}  // namespace

std::unique_ptr<Search> Auto::search(const Puzzle& puzzle) const {
    if (!has_bulk(puzzle.box)) return std::make_unique<EngineSearch>(make_search(kind_for(puzzle.box), puzzle));
    return std::make_unique<BulkSearch>(instructions_, puzzle.givens,
                                        [puzzle](SearchKind kind) { return make_search(kind, puzzle); });
}

std::unique_ptr<Search> Auto::search_in_parallel(const Puzzle& puzzle, int num_threads) const {
    if (has_bulk(puzzle.box) || kind_for(puzzle.box) != SearchKind::conflict_driven) return search(puzzle);
    return std::make_unique<EngineSearch>(ConflictDriven().search_in_parallel(puzzle, num_threads));
}

std::unique_ptr<Search> Auto::search(const SearchBoard& board, bool is_consistent) const {
    const BoxShape box = board.geometry().box();
    if (!has_bulk(box) || !is_consistent) {
        return std::make_unique<EngineSearch>(make_search(kind_for(box), board, is_consistent));
    }
    return std::make_unique<BulkSearch>(instructions_, board,
                                        [board](SearchKind kind) { return make_search(kind, board, true); });
}

Count Auto::count(const Puzzle& puzzle, std::int64_t limit, Control& control) const {
    if (limit <= 0) return {};
    if (!has_bulk(puzzle.box)) return count_patiently(puzzle, limit, control);
    std::uint32_t found = 0;
    BulkStats spent;
    count_in_bulk(instructions_, puzzle.givens, std::span(&found, 1), std::span(&spent, 1), limit, control);
    return finish_count(puzzle, found, limit, control);
}

std::vector<Count> Auto::count_each(BoxShape box, std::span<const Grid> puzzles, std::int64_t limit,
                                    Control& control) const {
    std::vector<Count> counts(puzzles.size());
    if (limit <= 0) return counts;
    if (!has_bulk(box)) {
        for (std::size_t i = 0; i < puzzles.size(); ++i) counts[i] = count_patiently({box, puzzles[i]}, limit, control);
        return counts;
    }
    std::vector<std::uint8_t> digits;
    digits.reserve(puzzles.size() * bulk_cells);
    for (const Grid& puzzle : puzzles) digits.insert(digits.end(), puzzle.begin(), puzzle.end());
    std::vector<std::uint32_t> found(puzzles.size());
    std::vector<BulkStats> stats(puzzles.size());
    count_in_bulk(instructions_, digits, found, stats, limit, control);
    for (std::size_t i = 0; i < puzzles.size(); ++i) {
        counts[i] = finish_count({box, puzzles[i]}, found[i], limit, control);
    }
    return counts;
}

void Auto::solve_array(const ArrayJob& job, const Interrupted& stop) const {
    const bool is_bulk = has_bulk(job.box);
    const std::uint32_t max_guesses_each = guesses_left(Control(job.budget, 0, 0, {}));
    if (is_bulk) {
        BulkJob bulk{.puzzles = job.puzzles,
                     .num_puzzles = job.num_puzzles,
                     .limit = bulk_limit(job.limit),
                     .solutions = job.solutions,
                     .counts = job.counts,
                     .stats = job.stats,
                     .max_guesses = max_guesses_each};
        bulk.stop_by(stop);
        run_bulk(instructions_, bulk);
        if (job.stats != nullptr) return;
    }
    const std::size_t num_cells = job.num_cells();
    for (std::size_t i = 0; i < job.num_puzzles; ++i) {
        const bool is_done =
            is_bulk && job.counts[i] != BulkJob::undecided && (job.counts[i] < many || job.counts[i] >= job.limit);
        if (is_done) continue;
        if (stop()) {
            job.counts[i] = ArrayJob::undecided;
            continue;
        }
        const std::uint8_t* digits = job.puzzles + i * num_cells;
        const Puzzle puzzle{job.box, Grid(digits, digits + num_cells)};
        if (!are_digits(puzzle.givens, job.box)) {  // another thread has modified the array
            job.counts[i] = 0;
            continue;
        }
        Control control(job.budget, 0, 0, stop);
        if (is_bulk && job.counts[i] == BulkJob::undecided) control.num_nodes = max_guesses_each;
        Grid first;
        const Count count = is_bulk ? finish_count(puzzle, job.counts[i], job.limit, control, &first)
                                    : count_patiently(puzzle, job.limit, control, &first);
        job.counts[i] = count.is_exact ? static_cast<std::uint32_t>(count.number) : ArrayJob::undecided;
        if (job.solutions != nullptr && !first.empty()) {
            std::copy(first.begin(), first.end(), job.solutions + i * num_cells);
        }
    }
}

std::vector<Result> Auto::solve_many(std::span<const Puzzle> puzzles, std::span<const std::uint64_t> seeds,
                                     const Budget& budget, int num_threads, const Interrupted& interrupted) const {
    std::vector<Result> results(puzzles.size());
    std::vector<BulkStats> spent(puzzles.size());  // by the bulk engine, on puzzles it did not decide
    std::vector<std::size_t> in_bulk;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < puzzles.size(); ++i) (has_bulk(puzzles[i].box) ? in_bulk : others).push_back(i);

    const auto start = Control::Clock::now();
    const BulkAnswers answers = solve_in_bulk(instructions_, puzzles, in_bulk, budget, num_threads, interrupted);
    const std::chrono::duration<double> seconds = Control::Clock::now() - start;
    for (std::size_t k = 0; k < in_bulk.size(); ++k) {
        if (answers.counts[k] == BulkJob::undecided) {
            spent[in_bulk[k]] = answers.stats[k];
            others.push_back(in_bulk[k]);
        } else {
            results[in_bulk[k]] = answers.result(k, seconds.count() / static_cast<double>(in_bulk.size()));
        }
    }
    run_parallel(others.size(), num_threads, interrupted, [&](std::size_t k, const Interrupted& stop) {
        const std::size_t i = others[k];
        results[i] = run_guarded([&] {
            Control control(budget, seeds[i], 0, stop);
            control.num_nodes = spent[i].num_guesses;
            EngineSearch search(make_search(kind_for(puzzles[i].box), puzzles[i]), spent[i]);
            return run_search(search, control);
        });
    });
    return results;
}

}  // namespace sudokulab
