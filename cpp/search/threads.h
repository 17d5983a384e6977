// Independent pieces of work on several threads.
#pragma once

#include <functional>

#include "search/control.h"

namespace sudokulab {

// The number of cores that this process may use.
int num_cores();

// Calls work(index, stop) for every index below `count` on `num_threads` threads, in any order. `interrupted` is polled
// periodically, from the calling thread only. Once it returns true it is not called again: `stop` returns true in
// running calls, and the remaining ones are skipped. If a call throws, the others stop and the first exception is
// rethrown here.
void run_parallel(std::size_t count, int num_threads, const Interrupted& interrupted,
                  const std::function<void(std::size_t, const Interrupted& stop)>& work);

}  // namespace sudokulab
