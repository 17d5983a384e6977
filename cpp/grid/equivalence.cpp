#include "grid/equivalence.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "grid/canonical.h"

namespace sudokulab {
namespace {

using Colour = std::uint64_t;

constexpr std::size_t width = max_equivalence_size;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

enum Kind : std::size_t { rows, cols, digits, boxes, bands, stacks };
constexpr std::size_t num_kinds = 6;

// Odd factors that tell the parts of a sum apart. Rows and columns share one, and so do bands and stacks, so the
// colours of a puzzle and of its transpose are the same.
constexpr std::array<Colour, num_kinds> factors{0x9e3779b97f4a7c15, 0x9e3779b97f4a7c15, 0xd1342543de82ef95,
                                                0xaf251af3b0f025b5, 0xb564ef22ec7aece5, 0xb564ef22ec7aece5};

// The givens of a puzzle, each with its row, column, digit and box.
struct Structure {
    struct Given {
        std::array<std::uint8_t, 4> of;  // by kind
        Colour rectangles = 0;           // see `colour_rectangles`
    };

    Structure(BoxShape shape, std::span<const std::uint8_t> cells, bool is_transposed) : box(shape) {
        const int size = box.size();
        for (int row = 0; row < size; ++row) {
            for (int col = 0; col < size; ++col) {
                const int digit = cells[at(is_transposed ? col * size + row : row * size + col)] - 1;
                if (digit < 0) continue;
                const int of_box = row / box.rows * box.rows + col / box.cols;
                givens.push_back({{static_cast<std::uint8_t>(row), static_cast<std::uint8_t>(col),
                                   static_cast<std::uint8_t>(digit), static_cast<std::uint8_t>(of_box)}});
            }
        }
        colour_rectangles();
    }

    // Colours each given by the rectangles whose corners are this digit and one other, crosswise. In most solution
    // grids that is the only difference to begin with: every row, column, box and digit looks like every other.
    void colour_rectangles() {
        DigitAt digit_at{};
        std::array<std::vector<Given*>, width> of_digit;
        for (Given& given : givens) {
            digit_at[given.of[rows]][given.of[cols]] = static_cast<std::uint8_t>(given.of[digits] + 1);
            of_digit[given.of[digits]].push_back(&given);
        }
        for (const std::vector<Given*>& equal : of_digit) {
            for (std::size_t k = 0; k < equal.size(); ++k) {
                for (std::size_t m = 0; m < k; ++m) colour_rectangle(*equal[k], *equal[m], digit_at);
            }
        }
    }

    using DigitAt = std::array<std::array<std::uint8_t, width>, width>;  // 0 for a blank

    void colour_rectangle(Given& one, Given& other, const DigitAt& digit_at) const {
        if (one.of[rows] == other.of[rows] || one.of[cols] == other.of[cols]) return;
        const std::uint8_t digit = digit_at[one.of[rows]][other.of[cols]];
        if (digit == 0 || digit != digit_at[other.of[rows]][one.of[cols]]) return;
        const bool is_in_band = one.of[rows] / box.rows == other.of[rows] / box.rows;
        const bool is_in_stack = one.of[cols] / box.cols == other.of[cols] / box.cols;
        const Colour colour = mix(1u + is_in_band + is_in_stack);
        one.rectangles += colour;
        other.rectangles += colour;
    }

    BoxShape box;
    std::vector<Given> givens;
};

struct Colours {
    std::array<std::array<Colour, width>, num_kinds> of;
    std::vector<Colour> givens;

    explicit Colours(const Structure& structure) : givens(structure.givens.size()) {
        for (std::size_t kind = 0; kind < num_kinds; ++kind) of[kind].fill(factors[kind]);
    }

    std::size_t num_distinct() const {
        std::size_t num = 0;
        for (auto sorted : of) {
            std::sort(sorted.begin(), sorted.end());
            num += static_cast<std::size_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
        }
        return num;
    }

    // Independent of the order of the rows, columns and so on.
    Colour fingerprint() const {
        Colour sum = 0;
        for (const auto& of_kind : of) {
            for (const Colour colour : of_kind) sum += mix(colour);
        }
        return mix(sum);
    }
};

// Adds to every colour the colours of its neighbours.
void refine_once(const Structure& structure, Colours& colours) {
    auto& of = colours.of;
    std::array<std::array<Colour, width>, num_kinds> sums{};
    for (std::size_t k = 0; k < structure.givens.size(); ++k) {
        const auto& given = structure.givens[k].of;
        Colour sum = structure.givens[k].rectangles;
        for (std::size_t kind = 0; kind < given.size(); ++kind) sum += factors[kind] * of[kind][given[kind]];
        colours.givens[k] = mix(sum);
        for (std::size_t kind = 0; kind < given.size(); ++kind) sums[kind][given[kind]] += colours.givens[k];
    }
    const BoxShape box = structure.box;
    for (int k = 0; k < box.size(); ++k) {
        const auto band = at(k / box.rows);
        const auto stack = at(k / box.cols);
        sums[rows][at(k)] += factors[bands] * of[bands][band];
        sums[cols][at(k)] += factors[stacks] * of[stacks][stack];
        sums[bands][band] += mix(of[rows][at(k)]);
        sums[stacks][stack] += mix(of[cols][at(k)]);
        sums[boxes][at(k)] += factors[bands] * of[bands][band] + factors[stacks] * of[stacks][at(k % box.rows)];
    }
    for (std::size_t kind = 0; kind < num_kinds; ++kind) {
        for (std::size_t k = 0; k < width; ++k) of[kind][k] = mix(of[kind][k] * factors[kind] + sums[kind][k]);
    }
}

void refine(const Structure& structure, Colours& colours) {
    for (std::size_t num_before = 0;;) {
        refine_once(structure, colours);
        const std::size_t num = colours.num_distinct();
        if (num == num_before) return;
        num_before = num;
    }
}

Colours refined(const Structure& structure) {
    Colours colours(structure);
    refine(structure, colours);
    return colours;
}

// Gives the row, the column and the digit of a given colours of their own.
Colours single_out(const Structure& structure, Colours colours, std::size_t given) {
    for (const Kind kind : {rows, cols, digits}) {
        Colour& colour = colours.of[kind][structure.givens[given].of[kind]];
        colour = mix(colour);
    }
    refine(structure, colours);
    return colours;
}

std::vector<std::size_t> givens_of(const Colours& colours, Colour colour) {
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < colours.givens.size(); ++k) {
        if (colours.givens[k] == colour) found.push_back(k);
    }
    return found;
}

// The fewest givens, but at least two, with the same colour; none if all colours differ.
std::vector<std::size_t> indistinguishable_givens(const Colours& colours) {
    std::vector<Colour> sorted = colours.givens;
    std::sort(sorted.begin(), sorted.end());
    std::size_t fewest = sorted.size() + 1;
    Colour best = 0;
    for (auto begin = sorted.begin(); begin != sorted.end();) {
        const auto end = std::upper_bound(begin, sorted.end(), *begin);
        const auto number = static_cast<std::size_t>(end - begin);
        if (number > 1 && number < fewest) {
            fewest = number;
            best = *begin;
        }
        begin = end;
    }
    return fewest > sorted.size() ? std::vector<std::size_t>{} : givens_of(colours, best);
}

Colour refined_hash(BoxShape box, std::span<const std::uint8_t> cells) {
    const Structure structure(box, cells, false);
    const Colours colours = refined(structure);
    Colour sum = colours.fingerprint();
    for (const std::size_t given : indistinguishable_givens(colours)) {
        sum += mix(single_out(structure, colours, given).fingerprint());
    }
    return mix(sum + factors[digits] * at(box.rows) + factors[boxes] * at(box.cols));
}

class Matcher {
public:
    explicit Matcher(const std::function<bool()>& stop) : stop_(stop) {}

    // Whether a mapping between the puzzles keeps the colours.
    bool match(const Structure& one, const Colours& of_one, const Structure& other, const Colours& of_other) const {
        if (of_one.fingerprint() != of_other.fingerprint() || stop_()) return false;
        const std::vector<std::size_t> choices = indistinguishable_givens(of_one);
        if (choices.empty()) return is_mapping(one, of_one, other, of_other);
        const Colours with_first = single_out(one, of_one, choices.front());
        std::vector<Colours> failed;
        for (const std::size_t image : givens_of(of_other, of_one.givens[choices.front()])) {
            Colours with_image = single_out(other, of_other, image);
            if (with_first.fingerprint() != with_image.fingerprint()) continue;
            // images that a symmetry of the other puzzle maps onto each other fail together: without this, independent
            // symmetries would multiply
            const bool has_failed = std::any_of(failed.begin(), failed.end(), [&](const Colours& before) {
                return match(other, before, other, with_image);
            });
            if (has_failed) continue;
            if (match(one, with_first, other, with_image)) return true;
            failed.push_back(std::move(with_image));
        }
        return false;
    }

private:
    // Whether the colours of the givens, all different, map rows to rows, bands to bands, digits to digits and so on.
    static bool is_mapping(const Structure& one, const Colours& of_one, const Structure& other,
                           const Colours& of_other) {
        if (one.givens.size() != other.givens.size()) return false;
        constexpr std::size_t none = width;
        std::array<std::array<std::size_t, width>, 3> images;
        for (auto& of_kind : images) of_kind.fill(none);
        for (std::size_t k = 0; k < one.givens.size(); ++k) {
            const std::vector<std::size_t> found = givens_of(of_other, of_one.givens[k]);
            if (found.size() != 1) return false;
            for (const Kind kind : {rows, cols, digits}) {
                std::size_t& image = images[kind][one.givens[k].of[kind]];
                const std::size_t expected = other.givens[found.front()].of[kind];
                if (image != none && image != expected) return false;
                image = expected;
            }
        }
        return are_groups_mapped(images[rows], at(one.box.rows)) && are_groups_mapped(images[cols], at(one.box.cols)) &&
               are_groups_mapped(images[digits], 1);
    }

    // Whether two lines are equal, or lie in the same band or stack, exactly if their images do.
    static bool are_groups_mapped(const std::array<std::size_t, width>& images, std::size_t group_size) {
        for (std::size_t k = 0; k < width; ++k) {
            for (std::size_t m = 0; m < k; ++m) {
                if (images[k] == width || images[m] == width) continue;
                const bool are_together = k / group_size == m / group_size;
                if (images[k] == images[m] || are_together != (images[k] / group_size == images[m] / group_size)) {
                    return false;
                }
            }
        }
        return true;
    }

    const std::function<bool()>& stop_;
};

}  // namespace

bool has_class_hash(BoxShape box) {
    constexpr int largest = max_equivalence_size;
    return std::min(box.rows, box.cols) >= 2 && std::max(box.rows, box.cols) <= largest && box.size() <= largest;
}

std::uint64_t class_hash(BoxShape box, std::span<const std::uint8_t> cells) {
    if (!has_canonical_form(box)) return refined_hash(box, cells);
    const Canonical form = canonical_form(box, cells);
    return hash_of(box, std::span(form.cells).first(cells.size()));
}

bool are_equivalent(BoxShape box, std::span<const std::uint8_t> one, std::span<const std::uint8_t> other,
                    const std::function<bool()>& stop) {
    if (refined_hash(box, one) != refined_hash(box, other)) return false;
    const Structure target(box, one, false);
    const Colours of_target = refined(target);
    for (const bool is_transposed : {false, true}) {
        if (is_transposed && box.rows != box.cols) break;
        const Structure source(box, other, is_transposed);
        if (Matcher(stop).match(target, of_target, source, refined(source))) return true;
    }
    return false;
}

}  // namespace sudokulab
