#include "search/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace sudokulab {
namespace {

void run_here(std::size_t count, const Interrupted& interrupted,
              const std::function<void(std::size_t, const Interrupted&)>& work) {
    // asked now and then, and never again once it said yes: whoever answers may have only one interruption to give
    bool is_called_off = false;
    auto last_asked = Control::Clock::now();
    const Interrupted stop = [&] {
        const auto now = Control::Clock::now();
        if (!is_called_off && now - last_asked >= interrupt_interval) {
            last_asked = now;
            is_called_off = interrupted();
        }
        return is_called_off;
    };
    for (std::size_t i = 0; i < count && !stop(); ++i) work(i, stop);
}

}  // namespace

void run_parallel(std::size_t count, int num_threads, const Interrupted& interrupted,
                  const std::function<void(std::size_t, const Interrupted&)>& work) {
    if (num_threads <= 1) {
        run_here(count, interrupted, work);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::atomic<bool> called_off{false};
    std::mutex mutex;
    std::condition_variable all_done;
    int num_running = std::min(num_threads, static_cast<int>(count));
    const auto labour = [&] {
        const Interrupted stop = [&] { return called_off.load(std::memory_order_relaxed); };
        for (std::size_t i = next++; i < count && !stop(); i = next++) work(i, stop);
        const std::lock_guard lock(mutex);
        if (--num_running == 0) all_done.notify_one();
    };
    std::vector<std::jthread> threads;
    const int num_workers = num_running;
    for (int k = 0; k < num_workers; ++k) threads.emplace_back(labour);
    std::unique_lock lock(mutex);
    while (!all_done.wait_for(lock, interrupt_interval, [&] { return num_running == 0; })) {
        lock.unlock();
        if (!called_off && interrupted()) called_off = true;
        lock.lock();
    }
}

}  // namespace sudokulab
