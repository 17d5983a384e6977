// Equivalence of puzzles up to 16×16, in the sense of grid/canonical.h: an exact test, and a hash.
//
// Rows, columns, boxes, digits and givens get colours, which are refined by the colours of their neighbours until no
// more can be distinguished. Equivalent puzzles get the same colours. Where givens stay indistinguishable, as in
// symmetric puzzles, each of them is singled out in turn for the hash. The test singles out one after the other, with
// backtracking, until the colours determine a mapping.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "grid/geometry.h"

namespace sudokulab {

inline constexpr int max_equivalence_size = 16;

// The box must have at least two rows and two columns, and at most `max_equivalence_size` cells.
bool has_class_hash(BoxShape box);

// Equal for equivalent puzzles. Up to size 9 it is the hash of the canonical form, so only equivalent puzzles share it,
// but for collisions of 64 bits. Never change it: people store it.
std::uint64_t class_hash(BoxShape box, std::span<const std::uint8_t> cells);

// `stop` is polled periodically; once true, the answer means nothing.
bool are_equivalent(BoxShape box, std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                    const std::function<bool()>& stop);

}  // namespace sudokulab
