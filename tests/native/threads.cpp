// A threaded workload for the thread sanitizer (`make tsan`): every solver, engine, generator and rating from several
// threads at once, first uses of shared tables, interruptions and exceptions. Exits with 1 if two threads disagree or a
// solution is wrong; the sanitizer exits with its own code if it reports anything.
#include "search/threads.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bulk/lines.h"
#include "generation/generator.h"
#include "generation/minimal.h"
#include "generation/random_grid.h"
#include "grid/canonical.h"
#include "grid/judge.h"
#include "logic/one_level_trial.h"
#include "rating/depth.h"
#include "rating/effort.h"
#include "rating/explainer.h"
#include "rating/hodoku.h"
#include "search/live_view.h"
#include "solvers/ac3_tabu.h"
#include "solvers/annealing.h"
#include "solvers/ant_colony.h"
#include "solvers/auto.h"
#include "solvers/backtracking.h"
#include "solvers/conflict_driven.h"
#include "solvers/dlx.h"
#include "solvers/genetic.h"
#include "solvers/graph_search.h"
#include "solvers/hill_climbing.h"
#include "solvers/iterated_local_search.h"
#include "solvers/particle_swarm.h"
#include "solvers/portfolio.h"
#include "solvers/tabu.h"

using namespace sudokulab;

namespace {

constexpr int num_threads = 4;

int num_checks = 0;

void check(bool is_right, const std::string& what) {
    ++num_checks;
    if (is_right) return;
    std::fprintf(stderr, "failed: %s\n", what.c_str());
    std::exit(1);
}

bool never() { return false; }

// Runs the same work on several threads that start together.
void together(const std::function<void(int)>& work) {
    std::atomic<int> num_waiting = num_threads;
    std::vector<std::jthread> threads;
    for (int k = 0; k < num_threads; ++k) {
        threads.emplace_back([&, k] {
            for (--num_waiting; num_waiting > 0;) std::this_thread::yield();
            work(k);
        });
    }
}

Puzzle random_puzzle(BoxShape box, double share, std::uint64_t seed) {
    Control control(Budget{}, seed, 0, {});
    Puzzle puzzle{box, random_grid(box, control).value()};
    for (auto& cell : puzzle.givens) {
        if (control.rng.uniform() > share) cell = 0;
    }
    return puzzle;
}

std::vector<Puzzle> mixed_puzzles() {
    std::vector<Puzzle> puzzles;
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        puzzles.push_back(random_puzzle({3, 3}, 0.3 + 0.01 * static_cast<double>(seed), seed));
        puzzles.push_back(random_puzzle({2, 3}, 0.4, seed));
        if (seed % 4 == 0) puzzles.push_back(random_puzzle({4, 4}, 0.6, seed));
    }
    Puzzle clash{{3, 3}, Grid(81, 0)};
    clash.givens[0] = clash.givens[1] = 1;
    puzzles.push_back(clash);
    return puzzles;
}

std::vector<std::pair<std::string, std::unique_ptr<Solver>>> all_solvers() {
    std::vector<std::pair<std::string, std::unique_ptr<Solver>>> solvers;
    solvers.emplace_back("auto", std::make_unique<Auto>());
    solvers.emplace_back("auto, portable", std::make_unique<Auto>(Instructions::portable));
    solvers.emplace_back("backtracking", std::make_unique<Backtracking>(Propagation::peers));
    solvers.emplace_back("backtracking, singles", std::make_unique<Backtracking>(Propagation::singles));
    solvers.emplace_back("conflict-driven", std::make_unique<ConflictDriven>());
    solvers.emplace_back("dlx", std::make_unique<Dlx>());
    GraphSearch::Parameters graph;
    graph.before = {{Measure::num_candidates, true}};
    graph.rules = {Rule::naked_single, Rule::hidden_single, Rule::box_line};
    solvers.emplace_back("graph-search", std::make_unique<GraphSearch>(graph));
    solvers.emplace_back("annealing", std::make_unique<Annealing>(
                                          Annealing::Parameters{0.99, 50, 1.0, 20, Annealing::Improvement::of_start},
                                          Filter{Filter::Kind::cp, {}}));
    solvers.emplace_back("ac3-tabu", std::make_unique<Ac3Tabu>(Ac3Tabu::Parameters{10, 10, 100}));
    for (const Propagation propagation : {Propagation::peers, Propagation::singles}) {
        solvers.emplace_back("ant-colony", std::make_unique<AntColony>(
                                               AntColony::Parameters{5, 0.9, 0.9, 0.1, 0.005, propagation}, Filter{}));
    }
    solvers.emplace_back(
        "genetic", std::make_unique<Genetic>(Genetic::Parameters{21, 1, 0.5, 0.12, {0.2, 0.2, false, 3, 0}, 1, 2000},
                                             Filter{Filter::Kind::ac3, {}}));
    solvers.emplace_back(
        "hill-climbing",
        std::make_unique<HillClimbing>(
            HillClimbing::Parameters{1, -1, true, true, HillClimbing::Variant::random_restart,
                                     HillClimbing::Ties::random, HillClimbing::Successors::all, 10, 100'000},
            Filter{}));
    solvers.emplace_back("iterated-local-search",
                         std::make_unique<IteratedLocalSearch>(
                             IteratedLocalSearch::Parameters{0.1, 200, 0.2, 0.9, 0.9, 1000}, Filter{}));
    solvers.emplace_back("particle-swarm",
                         std::make_unique<ParticleSwarm>(ParticleSwarm::Parameters{20, 0.3, 0.3, 0.3, 100}, Filter{}));
    solvers.emplace_back("tabu", std::make_unique<Tabu>(Tabu::Parameters{10, 10, true, 100}, Filter{}));
    return solvers;
}

bool are_equal(const Result& a, const Result& b) {
    return a.status == b.status && a.grid == b.grid && a.cost == b.cost && a.stats == b.stats;
}

// Shared tables are created on first use: here by all threads at once.
void use_tables_first() {
    together([](int) {
        for (int rows = 2; rows <= 5; ++rows) {
            for (int cols = 2; cols <= 5; ++cols) {
                Geometry::of({rows, cols});
                ConstraintNetwork::of_sudoku({rows, cols});
            }
        }
    });
}

void run_solvers() {
    const std::vector<Puzzle> puzzles = mixed_puzzles();
    std::vector<std::uint64_t> seeds(puzzles.size());
    for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = derive_seed(7, i);
    Budget budget;
    budget.iterations = 200;
    budget.nodes = 2000;
    for (const auto& [name, solver] : all_solvers()) {
        const auto expected = solver->solve_many(puzzles, seeds, budget, 1, never);
        const auto found = solver->solve_many(puzzles, seeds, budget, num_threads, never);
        together([&, solver = solver.get()](int k) {  // one solver, shared by all threads
            for (std::size_t i = static_cast<std::size_t>(k); i < puzzles.size(); i += num_threads) {
                Control control(budget, seeds[i], 64, never);
                if (!are_equal(solver->solve(puzzles[i], control), expected[i])) std::abort();
            }
        });
        for (std::size_t i = 0; i < puzzles.size(); ++i) {
            check(are_equal(found[i], expected[i]), name + " differs between threads");
            if (found[i].status != Status::solved) continue;
            const BoxShape box = puzzles[i].box;
            check(is_solution(found[i].grid.data(), puzzles[i].givens.data(), box.rows, box.cols), name + " is wrong");
        }
    }
}

// Searches of one puzzle that share every clause: they find a solution, lose none, and stop when told to.
void run_portfolios() {
    PortfolioParameters parameters{.num_threads = num_threads, .head_start = 0, .max_shared_levels = 1000};
    parameters.search.restart_unit = 1;
    const Portfolio eager(parameters);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const Puzzle puzzle = random_puzzle({3, 4}, 0.4, seed);
        Control one(Budget{}, 0, 0, never);
        const Result result = eager.solve(puzzle, one);
        check(result.status == Status::solved, "a portfolio finds no solution");
        check(is_solution(result.grid.data(), puzzle.givens.data(), 3, 4), "a portfolio is wrong");
        Control all(Budget{}, 0, 0, never);
        Control alone(Budget{}, 0, 0, never);
        check(eager.count(puzzle, 200, all).number == Dlx().count(puzzle, 200, alone).number,
              "a portfolio loses solutions");
    }
    const Puzzle large = random_puzzle({6, 6}, 0.4, 1);
    together([&](int) {
        int num_asked = 0;
        Control control(Budget{}, 0, 0, [&] { return ++num_asked >= 3; });
        control.num_threads = 2;
        if (ConflictDriven().solve(large, control).status == Status::unsatisfiable) std::abort();
    });
}

// Each run is watched and controlled from another thread, and takes the same course as without a viewer.
void watch_runs() {
    const Puzzle puzzle = random_puzzle({3, 3}, 0.3, 1);
    Budget budget;
    budget.iterations = budget.nodes = 300;
    for (const auto& [name, solver] : all_solvers()) {
        Control alone(budget, 1, 0, never);
        const Result expected = solver->solve(puzzle, alone);
        together([&, solver = solver.get()](int k) {
            LiveView view(4);
            if (k == 0) view.pause();
            std::atomic<bool> is_over = false;
            std::jthread watcher([&] {
                std::int64_t last = -1;
                for (int round = 0; !is_over; ++round) {
                    for (const Frame& frame : view.drain()) {
                        if (frame.step < last || frame.grid.size() != 81) std::abort();
                        last = frame.step;
                    }
                    view.step(1 + k);
                    view.set_speed(round % 3 == 0 ? 0 : 50, 60);
                    if (round % 4 == 3) view.resume();
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
            });
            Control control(budget, 1, 0, never, &view);
            const Result result = solver->solve_in_view(puzzle, control);
            is_over = true;
            if (!are_equal(result, expected)) std::abort();
        });
        check(true, name + " can be watched");
    }
    LiveView view(4);
    view.pause();
    std::jthread stopper([&] { view.stop(); });
    Control control(Budget{}, 1, 0, never, &view);
    const Puzzle large = random_puzzle({6, 6}, 0.4, 1);
    const Result stopped =
        Annealing({0.99, 50, 1.0, 20, Annealing::Improvement::of_start}, Filter{}).solve_in_view(large, control);
    check(stopped.status == Status::unknown, "a view stops a paused run");
}

void run_arrays_and_lines() {
    constexpr std::size_t number = 9000;  // several pieces
    std::vector<std::uint8_t> digits;
    std::string text;
    for (std::size_t i = 0; i < number; ++i) {
        const Puzzle puzzle = random_puzzle({3, 3}, 0.35, i % 100);
        digits.insert(digits.end(), puzzle.givens.begin(), puzzle.givens.end());
        for (const std::uint8_t digit : puzzle.givens) text += static_cast<char>('0' + digit);
        text += '\n';
    }
    const ArraySolver solve = [](const ArrayJob& job, const Interrupted& stop) { Auto().solve_array(job, stop); };
    std::vector<std::vector<std::uint32_t>> counts(num_threads, std::vector<std::uint32_t>(number));
    std::vector<std::string> lines(num_threads);
    together([&](int k) {
        std::vector<std::uint8_t> solutions(digits.size());
        const ArrayJob job{.box = {3, 3},
                           .puzzles = digits.data(),
                           .num_puzzles = number,
                           .limit = 2,
                           .solutions = solutions.data(),
                           .counts = counts[static_cast<std::size_t>(k)].data()};
        if (!run_in_pieces(job, solve, 2, never)) std::abort();
        for (const auto& part : solve_lines({.text = text}, LineLayout{}, solve, Budget{}, 2, never).texts) {
            lines[static_cast<std::size_t>(k)] += part;
        }
    });
    for (const auto& other : counts) check(other == counts[0], "counts differ between threads");
    for (const auto& other : lines) check(other == lines[0], "lines differ between threads");
    check(lines[0].size() == 82 * number, "a line has no solution");
}

void generate_and_rate() {
    PuzzleSpec spec;
    spec.box = {3, 3};
    for (int cell = 0; cell < 81; ++cell) spec.orbits.push_back({cell});
    const std::vector<Rule> rules{Rule::naked_single, Rule::hidden_single, Rule::box_line, Rule::naked_pair};
    std::vector<std::vector<Attempt>> made(num_threads, std::vector<Attempt>(8));
    together([&](int k) {
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            Control control(Budget{}, seed, 0, never);
            Attempt& attempt = made[static_cast<std::size_t>(k)][seed] = attempt_each(spec, {{seed}}, control).front();
            const Puzzle puzzle{spec.box, attempt.givens};
            rate(puzzle, rules, 2, control);
            try_one_level(puzzle, rules, control);
            rate_trial(puzzle, 3, control);
            if (seed == 0) {  // the others can take long
                rate_explainer(puzzle, control);
                rate_hodoku(puzzle, control);
            }
            canonical_form(puzzle.box, puzzle.givens);
            canonical_form_through(puzzle.box, puzzle.givens, attempt.solution);
            if (!redundant_givens(puzzle, control) || !minimize(puzzle, control)) std::abort();
        }
    });
    for (const auto& other : made) {
        for (std::size_t i = 0; i < other.size(); ++i) {
            check(other[i].givens == made[0][i].givens, "puzzles differ between threads");
        }
    }
}

void interrupt_and_throw() {
    const Puzzle large = random_puzzle({6, 6}, 0.4, 1);
    const std::vector<Puzzle> puzzles(8, large);
    const std::vector<std::uint64_t> seeds(8, 1);
    std::atomic<int> num_asked = 0;
    const auto results = Annealing({0.99, 50, 1.0, 20, Annealing::Improvement::of_start}, Filter{})
                             .solve_many(puzzles, seeds, Budget{}, num_threads, [&] { return ++num_asked >= 3; });
    check(std::all_of(results.begin(), results.end(), [](const Result& r) { return r.status == Status::unknown; }),
          "an interrupted run has an answer");
    bool is_thrown = false;
    try {
        run_parallel(100, num_threads, never, [](std::size_t i, const Interrupted&) {
            if (i == 50) throw std::runtime_error("a piece of work");
        });
    } catch (const std::runtime_error&) {
        is_thrown = true;
    }
    check(is_thrown, "an exception of a worker thread does not reach the caller");
    Budget none;
    none.seconds = 0;
    Control control(none, 1, 0, {});
    check(!random_grid({4, 4}, control), "a random grid cannot be stopped");
}

}  // namespace

int main() {
    use_tables_first();
    run_solvers();
    run_portfolios();
    watch_runs();
    run_arrays_and_lines();
    generate_and_rate();
    interrupt_and_throw();
    std::printf("%d checks passed\n", num_checks);
    return 0;
}
