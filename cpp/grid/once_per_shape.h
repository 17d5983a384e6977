// A table for each box shape, made on first use and kept for good.
//
// Without a lock: a mutex that another thread holds during a fork stays locked in the child. Threads that come first at
// the same time all make the table, and all but one throw theirs away.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

#include "grid/geometry.h"

namespace sudokulab {

template <class Table>
class OncePerShape {
public:
    // `make` returns a std::unique_ptr to the table of this shape, which must be in range.
    template <class Make>
    const Table& get(BoxShape box, Make make) {
        std::atomic<const Table*>& slot = slots_[static_cast<std::size_t>(box.rows * max_size + box.cols)];
        const Table* table = slot.load(std::memory_order_acquire);
        if (table != nullptr) return *table;
        std::unique_ptr<const Table> fresh = make();
        if (slot.compare_exchange_strong(table, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
        return *table;
    }

private:
    std::array<std::atomic<const Table*>, (max_size + 1) * (max_size + 1)> slots_{};
};

}  // namespace sudokulab
