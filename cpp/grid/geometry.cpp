#include "grid/geometry.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <stdexcept>

#include "grid/once_per_shape.h"

namespace sudokulab {
namespace {

// The rows of a box if k is 0, its columns if k is 1.
void add_intersections(const Geometry& geometry, int box, std::size_t k,
                       std::vector<Geometry::Intersection>& intersections) {
    const auto first = static_cast<std::ptrdiff_t>(intersections.size());
    for (int position = 0; position < geometry.size(); ++position) {
        const Geometry::CellUnits& where = geometry.units(geometry.cell(box, position));
        auto both = std::find_if(intersections.begin() + first, intersections.end(),
                                 [&](const Geometry::Intersection& known) { return known.line == where.unit[k]; });
        if (both == intersections.end()) both = intersections.insert(both, {where.unit[k], box, 0, 0});
        both->in_line |= std::uint64_t{1} << where.position[k];
        both->in_box |= std::uint64_t{1} << position;
    }
}

}  // namespace

Geometry::Geometry(BoxShape box) : box_(box), size_(box.size()) {
    const int size = size_;
    cells_.resize(static_cast<std::size_t>(3 * size * size));
    units_.resize(static_cast<std::size_t>(size * size));
    for (int row = 0; row < size; ++row) {
        for (int col = 0; col < size; ++col) {
            const int cell = row * size + col;
            const int box_unit = row / box.rows * box.rows + col / box.cols;  // a band has box.rows boxes
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
    for (int box_unit = 2 * size; box_unit < 3 * size; ++box_unit) {
        for (const std::size_t k : {0u, 1u}) add_intersections(*this, box_unit, k, intersections_);
    }
    assert(intersections_.size() == static_cast<std::size_t>(size * (box.rows + box.cols)));
    lines_in_box_.resize(units_.size());
    for (const Intersection& both : intersections_) {
        for (int position = 0; position < size; ++position) {
            if ((both.in_box >> position & 1) == 0) continue;
            lines_in_box_[static_cast<std::size_t>(this->cell(both.box, position))][both.line < size ? 0 : 1] =
                both.in_box;
        }
    }
}

const Geometry& Geometry::of(BoxShape box) {
    if (box.rows < 1 || box.cols < 1 || box.size() > max_size) {
        throw std::invalid_argument("box shape out of range");
    }
    static constinit OncePerShape<Geometry> geometries;
    return geometries.get(box, [box] { return std::unique_ptr<const Geometry>(new Geometry(box)); });
}

}  // namespace sudokulab
