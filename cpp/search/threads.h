// Independent pieces of work on several threads.
#pragma once

#include <functional>

#include "search/control.h"

namespace sudokulab {

// Calls work(index, stop) for every index below `count`, on that many threads, in any order. `interrupted` is asked
// from the calling thread only, now and then; once it says yes it is asked no more, `stop` says yes to the pieces under
// way, and those not begun are left out. If a piece
// throws, the others stop and the first exception is thrown again here.
void run_parallel(std::size_t count, int num_threads, const Interrupted& interrupted,
                  const std::function<void(std::size_t, const Interrupted& stop)>& work);

}  // namespace sudokulab
