#include "search/threads.h"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace sudokulab {
namespace {

// Threads that are joined at the end, like std::jthread, which libc++ has only since version 20.
class JoinedThreads {
public:
    JoinedThreads() = default;
    JoinedThreads(const JoinedThreads&) = delete;
    JoinedThreads& operator=(const JoinedThreads&) = delete;
    ~JoinedThreads() {
        for (std::thread& thread : threads_) thread.join();
    }

    void start(const std::function<void()>& work) { threads_.emplace_back(work); }
    bool is_empty() const { return threads_.empty(); }

private:
    std::vector<std::thread> threads_;
};

void run_here(std::size_t count, const Interrupted& interrupted,
              const std::function<void(std::size_t, const Interrupted&)>& work) {
    // polled periodically, but never again after it returned true: the callback may report an interruption only once
    bool is_cancelled = false;
    auto last_poll = Control::Clock::now();
    const Interrupted stop = [&] {
        const auto now = Control::Clock::now();
        if (!is_cancelled && now - last_poll >= interrupt_interval) {
            last_poll = now;
            is_cancelled = interrupted();
        }
        return is_cancelled;
    };
    for (std::size_t i = 0; i < count && !stop(); ++i) work(i, stop);
}

}  // namespace

int num_cores() {
#ifdef __linux__
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return std::max(1, CPU_COUNT(&cores));
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_parallel(std::size_t count, int num_threads, const Interrupted& interrupted,
                  const std::function<void(std::size_t, const Interrupted&)>& work) {
    if (num_threads <= 1 || count <= 1) {
        run_here(count, interrupted, work);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::atomic<bool> is_cancelled{false};
    std::mutex mutex;
    std::condition_variable all_done;
    std::exception_ptr exception;  // the first one thrown by a piece of work
    int num_running = static_cast<int>(std::min(static_cast<std::size_t>(num_threads), count));
    const auto run_worker = [&] {
        // Allocates the thread's exception state, which throwing std::bad_alloc needs, while there is memory.
        static_cast<void>(std::current_exception());
        const Interrupted stop = [&] { return is_cancelled.load(std::memory_order_relaxed); };
        std::exception_ptr own;
        try {
            for (std::size_t i = next++; i < count && !stop(); i = next++) work(i, stop);
        } catch (...) {
            own = std::current_exception();
            is_cancelled = true;
        }
        const std::lock_guard lock(mutex);
        if (own && !exception) exception = own;
        assert(num_running > 0);
        if (--num_running == 0) all_done.notify_one();
    };
    JoinedThreads threads;
    const int num_workers = num_running;
    for (int k = 0; k < num_workers; ++k) {
        try {
            threads.start(run_worker);
        } catch (const std::system_error&) {  // no more threads available: the running ones share the work
            if (threads.is_empty()) return run_here(count, interrupted, work);
            const std::lock_guard lock(mutex);
            num_running -= num_workers - k;
            break;
        }
    }
    std::unique_lock lock(mutex);
    while (!all_done.wait_for(lock, interrupt_interval, [&] { return num_running == 0; })) {
        lock.unlock();
        if (!is_cancelled && interrupted()) is_cancelled = true;
        lock.lock();
    }
    if (exception) std::rethrow_exception(exception);
}

}  // namespace sudokulab
