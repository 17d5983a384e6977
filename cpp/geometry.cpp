#include "geometry.h"

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace sudokulab {

Geometry::Geometry(BoxShape box) : size_(box.size()) {
    const int size = size_;
    cells_.resize(static_cast<std::size_t>(3 * size * size));
    units_.resize(static_cast<std::size_t>(size * size));
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const int cell = row * size + col;
            const int box_unit = row / box.rows * box.rows + col / box.cols;  // box.rows boxes stand side by side
            const int box_position = row % box.rows * box.cols + col % box.cols;
            const int unit[3] = {row, size + col, 2 * size + box_unit};
            const int position[3] = {col, row, box_position};
            for (std::size_t k = 0; k < 3; ++k) {
                auto& where = units_[static_cast<std::size_t>(cell)];
                where.unit[k] = static_cast<std::uint16_t>(unit[k]);
                where.row_of_unit[k] = static_cast<std::uint16_t>(unit[k] * size);
                where.position[k] = static_cast<std::uint8_t>(position[k]);
                cells_[static_cast<std::size_t>(unit[k] * size + position[k])] = static_cast<std::uint16_t>(cell);
            }
        }
    }
}

const Geometry& Geometry::of(BoxShape box) {
    if (box.rows < 1 || box.cols < 1 || box.size() > max_size) {
        throw std::invalid_argument("box shape out of range");
    }
    static std::mutex mutex;
    static std::map<std::pair<int, int>, std::unique_ptr<const Geometry>> made;
    const std::lock_guard lock(mutex);
    auto& geometry = made[{box.rows, box.cols}];
    if (!geometry) geometry.reset(new Geometry(box));
    return *geometry;
}

}  // namespace sudokulab
