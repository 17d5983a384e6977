// A table per box shape, created on first use and kept for the lifetime of the process.
//
// Lock-free: a mutex that another thread holds during a fork would stay locked in the child. Threads that arrive first
// at the same time all create the table, and all but one discard theirs.
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
    // `make` returns a std::unique_ptr to the table of this shape. The shape must be in range.
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
