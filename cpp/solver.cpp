#include "solver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace sudokulab {

Outcome CompleteSolver::solve(const Problem& problem, Control& control) const {
    const auto search = this->search(problem);
    Outcome outcome;
    outcome.status = search->next(control);
    if (outcome.status == Status::solved) {
        outcome.grid = search->grid();
        outcome.cost = 0;
    }
    outcome.stats = search->stats();
    outcome.trace = std::move(control.trace);
    outcome.seconds = control.seconds();
    return outcome;
}

Count count_solutions(const CompleteSolver& solver, const Problem& problem, std::int64_t limit, Control& control) {
    const auto search = solver.search(problem);
    Count count;
    while (count.number < limit) {
        const Status status = search->next(control);
        if (status == Status::solved) {
            ++count.number;
        } else {
            count.is_exact = status == Status::unsatisfiable;
            break;
        }
    }
    return count;
}

namespace {

Outcome run_one(const Solver& solver, const Problem& problem, std::uint64_t seed, const Budget& budget,
                const Interrupted& interrupted) {
    try {
        Control control(budget, seed, 0, interrupted);
        return solver.solve(problem, control);
    } catch (const std::exception& exception) {
        Outcome outcome;
        outcome.error = exception.what();
        return outcome;
    }
}

}  // namespace

std::vector<Outcome> solve_many(const Solver& solver, std::span<const Problem> problems,
                                std::span<const std::uint64_t> seeds, const Budget& budget, int num_threads,
                                const Interrupted& interrupted) {
    std::vector<Outcome> outcomes(problems.size());
    if (num_threads <= 1) {
        // asked now and then, and never again once it said yes: whoever answers may have only one interruption to give
        bool is_called_off = false;
        auto last_asked = Control::Clock::now();
        const auto stop = [&] {
            const auto now = Control::Clock::now();
            if (!is_called_off && now - last_asked >= interrupt_interval) {
                last_asked = now;
                is_called_off = interrupted();
            }
            return is_called_off;
        };
        for (std::size_t i = 0; i < problems.size() && !stop(); ++i) {
            outcomes[i] = run_one(solver, problems[i], seeds[i], budget, stop);
        }
        return outcomes;
    }

    std::atomic<std::size_t> next{0};
    std::atomic<bool> called_off{false};
    std::mutex mutex;
    std::condition_variable all_done;
    int num_running = std::min(num_threads, static_cast<int>(problems.size()));
    const auto work = [&] {
        const auto stop = [&] { return called_off.load(std::memory_order_relaxed); };
        for (std::size_t i = next++; i < problems.size() && !stop(); i = next++) {
            outcomes[i] = run_one(solver, problems[i], seeds[i], budget, stop);
        }
        const std::lock_guard lock(mutex);
        if (--num_running == 0) all_done.notify_one();
    };
    std::vector<std::jthread> threads;
    const int num_workers = num_running;
    for (int k = 0; k < num_workers; ++k) threads.emplace_back(work);
    std::unique_lock lock(mutex);
    while (!all_done.wait_for(lock, interrupt_interval, [&] { return num_running == 0; })) {
        lock.unlock();
        if (!called_off && interrupted()) called_off = true;
        lock.lock();
    }
    return outcomes;
}

}  // namespace sudokulab
