#include "grid/canonical.h"

#include <algorithm>

#include "grid/judge.h"

namespace sudokulab {
namespace {

bool is_grid_of_nine(BoxShape box, std::span<const std::uint8_t> cells) {
    return box.rows == 3 && box.cols == 3 && std::find(cells.begin(), cells.end(), 0) == cells.end() &&
           is_solution(cells.data(), cells.data(), 3, 3);
}

SmallestForm smallest(BoxShape box, std::span<const std::uint8_t> cells) {
    return is_grid_of_nine(box, cells) ? smallest_nine(cells) : smallest_form(box, cells);
}

}  // namespace

bool has_canonical_form(BoxShape box) {
    constexpr int largest = max_canonical_size;
    return std::min(box.rows, box.cols) >= 2 && std::max(box.rows, box.cols) <= largest && box.size() <= largest;
}

Canonical canonical_form(BoxShape box, std::span<const std::uint8_t> cells) {
    const SmallestForm found = smallest(box, cells);
    return {found.cells, found.transformations.front(), found.num_transformations};
}

Canonical canonical_form_through(BoxShape box, std::span<const std::uint8_t> cells,
                                 std::span<const std::uint8_t> solution) {
    Canonical best;
    for (const Transformation& transformation : smallest(box, solution).transformations) {
        const CanonicalCells image = transformed(box, cells, transformation);
        if (best.num_automorphisms != 0 && image > best.cells) continue;
        if (best.num_automorphisms == 0 || image < best.cells) best = {image, transformation, 0};
        ++best.num_automorphisms;
    }
    return best;
}

CanonicalCells transformed(BoxShape box, std::span<const std::uint8_t> cells, const Transformation& transformation) {
    const auto size = static_cast<std::size_t>(box.size());
    CanonicalCells image{};
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
            const std::size_t row = transformation.rows[i];
            const std::size_t col = transformation.cols[j];
            const std::uint8_t digit = cells[transformation.is_transposed ? col * size + row : row * size + col];
            image[i * size + j] = digit == 0 ? 0 : transformation.digits[digit - 1u];
        }
    }
    return image;
}

std::uint64_t hash_of(BoxShape box, std::span<const std::uint8_t> cells) {
    std::uint64_t hash = 0xcbf29ce484222325;
    const auto add = [&](std::uint8_t byte) { hash = (hash ^ byte) * 0x100000001b3; };
    add(static_cast<std::uint8_t>(box.rows));
    add(static_cast<std::uint8_t>(box.cols));
    for (const std::uint8_t cell : cells) add(cell);
    return mix(hash);
}

}  // namespace sudokulab
