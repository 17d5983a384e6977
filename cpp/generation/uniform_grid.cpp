#include "generation/uniform_grid.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cassert>
#include <memory>
#include <vector>

#include "grid/judge.h"

namespace sudokulab {
namespace {

constexpr std::size_t num_digits = 9;
constexpr std::size_t num_partitions = 280;
constexpr std::size_t num_bands = num_partitions * 56;
constexpr unsigned all_digits = 0x1FF;

using Labels = std::array<std::uint8_t, num_digits>;  // a permutation of the digits
using Triple = std::uint16_t;                         // three digits as bits
using Partition = std::array<Triple, 3>;              // of all digits; unless stated otherwise, in increasing order

std::size_t lowest(unsigned digits) { return static_cast<std::size_t>(std::countr_zero(digits)); }

// The row or column in a box of every digit, two bits each.
using Lines = std::uint32_t;
Lines line(std::size_t digit, std::size_t number) { return static_cast<Lines>(number) << (2 * digit); }
std::size_t line_of(Lines lines, std::size_t digit) { return lines >> (2 * digit) & 3; }

template <class Sets>
Lines lines_of(const Sets& sets) {
    Lines lines = 0;
    for (std::size_t number = 0; number < 3; ++number) {
        for (unsigned left = sets[number]; left != 0; left &= left - 1) lines |= line(lowest(left), number);
    }
    return lines;
}

// The columns of the digits in the three boxes of a stack.
using Filling = std::array<Lines, 3>;

// A band without the order of its rows, and without the order of the digits in each row of a box.
struct Band {
    std::array<std::uint16_t, 3> partition;  // by box: an index
    std::array<Lines, 3> rows;               // by box: the row of each digit
};

// One of the two cases of the first band. In every stack the digits are relabelled, so that the partition of its first
// box is always the same.
struct FirstBand {
    Band band;
    std::uint64_t weight;            // the relative number of bands of this case
    std::array<Labels, 3> original;  // by stack: the digits before relabelling
    std::vector<Band> others;        // all bands, in ascending order of the bound
};

// A range of second bands with the same bound on the number of grids, and its range of random numbers.
struct Stratum {
    std::uint64_t begin;
    std::uint64_t bound;
    std::size_t first_case;
    std::size_t second_band;
};

Triple relabelled(Triple triple, const Labels& labels) {
    unsigned result = 0;
    for (unsigned left = triple; left != 0; left &= left - 1) result |= 1u << labels[lowest(left)];
    return static_cast<Triple>(result);
}

Partition relabelled(Partition partition, const Labels& labels) {
    for (Triple& triple : partition) triple = relabelled(triple, labels);
    std::sort(partition.begin(), partition.end());
    return partition;
}

// Labels that map the triples of one partition to the triples of another, both in any order.
Labels labels_between(const Partition& from, const Partition& to) {
    Labels labels{};
    for (std::size_t k = 0; k < 3; ++k) {
        unsigned targets = to[k];
        for (unsigned left = from[k]; left != 0; left &= left - 1, targets &= targets - 1) {
            labels[lowest(left)] = static_cast<std::uint8_t>(lowest(targets));
        }
    }
    return labels;
}

// All triples without certain digits.
std::vector<Triple> triples_without(unsigned digits) {
    std::vector<Triple> triples;
    for (unsigned a = 1; a <= all_digits; a <<= 1) {
        for (unsigned b = a << 1; b <= all_digits; b <<= 1) {
            for (unsigned c = b << 1; c <= all_digits; c <<= 1) {
                if (((a | b | c) & digits) == 0) triples.push_back(static_cast<Triple>(a | b | c));
            }
        }
    }
    return triples;
}

std::vector<Partition> all_partitions() {
    std::vector<Partition> partitions;
    for (const Triple a : triples_without(0)) {
        for (const Triple b : triples_without(a)) {
            const auto c = static_cast<Triple>(all_digits & ~a & ~b);
            if (a < b && b < c) partitions.push_back({a, b, c});
        }
    }
    std::sort(partitions.begin(), partitions.end());
    return partitions;
}

// The rows of the second and third box of a band, given the rows of the first box.
std::vector<std::pair<Partition, Partition>> other_boxes(const Partition& first) {
    std::vector<std::pair<Partition, Partition>> boxes;
    for (const Triple a : triples_without(first[0])) {
        for (const Triple b : triples_without(first[1] | a)) {
            const auto c = static_cast<Triple>(all_digits & ~a & ~b);
            if ((c & first[2]) != 0) continue;
            Partition third;
            for (std::size_t k = 0; k < 3; ++k) {
                third[k] = static_cast<Triple>(all_digits & ~first[k] & ~Partition{a, b, c}[k]);
            }
            boxes.push_back({{a, b, c}, third});
        }
    }
    return boxes;
}

// The columns of the digits in two boxes of a stack, and the digits that each column lacks.
struct HalfFilling {
    std::array<Lines, 2> columns{};
    std::array<unsigned, 3> missing{all_digits, all_digits, all_digits};
};

// Appends all ways to order the triples of two boxes, from this row on; the first triple stays in its order.
void add_fillings(const std::array<Partition, 2>& boxes, std::size_t row, const HalfFilling& filling,
                  std::vector<HalfFilling>& fillings) {
    if (row == 6) return fillings.push_back(filling);
    const unsigned triple = boxes[row / 3][row % 3];
    const std::size_t digits[3] = {lowest(triple), lowest(triple & (triple - 1)), std::bit_width(triple) - 1};
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        HalfFilling next = filling;
        bool is_free = true;
        for (std::size_t k = 0; k < 3; ++k) {
            unsigned& missing = next.missing[order[k]];
            is_free &= (missing >> digits[k] & 1) != 0;
            missing &= ~(1u << digits[k]);
            next.columns[row / 3] |= line(digits[k], order[k]);
        }
        if (is_free) add_fillings(boxes, row + 1, next, fillings);
    } while (row > 0 && std::next_permutation(order.begin(), order.end()));
}

class UniformGrids {
public:
    UniformGrids() : partitions_(all_partitions()) {
        classify_partitions();
        list_fillings();
        add_case({0b111'000'000, 0b000'000'111, 0b000'111'000}, 1);   // the rows of the first box again
        add_case({0b110'001'000, 0b001'000'110, 0b000'110'001}, 27);  // two digits of one row and one of another
        shift_ = static_cast<unsigned>(std::countl_zero(total_));
    }

    void write(Rng& rng, std::uint8_t* grid) const {
        while (true) {
            const std::uint64_t number = rng.next() >> shift_;
            const std::size_t third_band = rng.below(num_bands);
            if (number >= total_) continue;
            const Stratum& stratum = stratum_of(number);
            const FirstBand& first = cases_[stratum.first_case];
            const std::uint64_t index = (number - stratum.begin) / stratum.bound;
            const Band& second = first.others[stratum.second_band + index / first.weight];
            const Band& third = first.others[third_band];
            // below the number of grids, the rest of the random number chooses one of them
            std::uint64_t rest = (number - stratum.begin) % stratum.bound;
            std::uint64_t num_grids = 1;
            for (std::size_t j = 0; j < 3; ++j) num_grids *= fillings_of(second, third, j).size();
            if (rest >= num_grids) continue;
            write_bands({first.band, second, third}, first.original, rest, rng, grid);
            return;
        }
    }

    std::uint64_t num_classes(const Interrupted& stop) const {
        std::uint64_t number = 0;
        for (const FirstBand& first : cases_) {
            for (const Band& second : first.others) {
                if (stop()) return number;
                for (const Band& third : first.others) {
                    std::uint64_t num_grids = first.weight;
                    for (std::size_t j = 0; j < 3; ++j) num_grids *= fillings_of(second, third, j).size();
                    number += num_grids;
                }
            }
        }
        return number;
    }

private:
    std::span<const Filling> fillings_of(const Band& second, const Band& third, std::size_t stack) const {
        const std::size_t number = stacks_[second.partition[stack] * num_partitions + third.partition[stack]];
        return std::span(fillings_).subspan(begin_[number], begin_[number + 1] - begin_[number]);
    }

    const Stratum& stratum_of(std::uint64_t number) const {
        const auto is_before = [](std::uint64_t value, const Stratum& stratum) { return value < stratum.begin; };
        return *std::prev(std::upper_bound(strata_.begin(), strata_.end(), number, is_before));
    }

    std::uint16_t index_of(const Partition& partition) const {
        const auto found = std::lower_bound(partitions_.begin(), partitions_.end(), partition);
        return static_cast<std::uint16_t>(found - partitions_.begin());
    }

    void write_bands(const std::array<Band, 3>& bands, const std::array<Labels, 3>& original, std::uint64_t choice,
                     Rng& rng, std::uint8_t* grid) const {
        Labels digits{1, 2, 3, 4, 5, 6, 7, 8, 9};
        rng.shuffle(std::span<std::uint8_t>(digits));
        std::array<std::array<std::uint8_t, 3>, 3> rows{{{0, 9, 18}, {27, 36, 45}, {54, 63, 72}}};  // their first cells
        for (auto& own : rows) rng.shuffle(std::span<std::uint8_t>(own));
        for (std::size_t j = 0; j < 3; ++j) {
            std::array<std::uint8_t, 3> columns{static_cast<std::uint8_t>(3 * j), static_cast<std::uint8_t>(3 * j + 1),
                                                static_cast<std::uint8_t>(3 * j + 2)};
            rng.shuffle(std::span<std::uint8_t>(columns));
            const std::span<const Filling> fillings = fillings_of(bands[1], bands[2], j);
            const Filling& filling = fillings[choice % fillings.size()];
            choice /= fillings.size();
            const Labels& labels = labels_[bands[1].partition[j]];
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t digit = 0; digit < num_digits; ++digit) {
                    const std::size_t row = line_of(bands[i].rows[j], digit);
                    const std::size_t column = line_of(filling[i], labels[digit]);
                    grid[rows[i][row] + columns[column]] = digits[original[j][digit]];
                }
            }
        }
    }

    // Finds the partitions that differ by more than labels that keep the first box's partition, and the labels that map
    // every partition to one of these.
    void classify_partitions() {
        labels_.resize(num_partitions);
        class_.assign(num_partitions, -1);
        static constexpr Labels swaps[] = {{1, 0, 2, 3, 4, 5, 6, 7, 8},  // these generate all labels that keep it
                                           {0, 2, 1, 3, 4, 5, 6, 7, 8},
                                           {3, 4, 5, 0, 1, 2, 6, 7, 8},
                                           {0, 1, 2, 6, 7, 8, 3, 4, 5}};
        for (std::size_t first = 0; first < num_partitions; ++first) {
            if (class_[first] >= 0) continue;
            labels_[first] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
            class_[first] = static_cast<int>(classes_.size());
            std::vector<std::size_t> reached{first};
            for (std::size_t k = 0; k < reached.size(); ++k) {
                for (const Labels& swap : swaps) {
                    const std::size_t next = index_of(relabelled(partitions_[reached[k]], swap));
                    if (class_[next] >= 0) continue;
                    class_[next] = class_[first];
                    for (std::size_t d = 0; d < num_digits; ++d) labels_[next][d] = labels_[reached[k]][swap[d]];
                    reached.push_back(next);
                }
            }
            classes_.push_back(first);
        }
    }

    // The first two boxes determine the columns of the third, if each of its triples has a digit for every column.
    void list_fillings() {
        for (const std::size_t second : classes_) {
            std::vector<HalfFilling> halves;
            add_fillings({first_box_, partitions_[second]}, 0, {}, halves);
            std::size_t most = 0;
            for (const Partition& third : partitions_) {
                begin_.push_back(fillings_.size());
                for (const HalfFilling& half : halves) {
                    const auto has_all = [&half](Triple triple) {
                        return (triple & half.missing[0]) != 0 && (triple & half.missing[1]) != 0 &&
                               (triple & half.missing[2]) != 0;
                    };
                    if (!std::all_of(third.begin(), third.end(), has_all)) continue;
                    fillings_.push_back({half.columns[0], half.columns[1], lines_of(half.missing)});
                }
                most = std::max(most, fillings_.size() - begin_.back());
            }
            most_fillings_.push_back(most);
        }
        begin_.push_back(fillings_.size());
        for (std::size_t second = 0; second < num_partitions; ++second) {
            const auto own = static_cast<std::size_t>(class_[second]) * num_partitions;
            for (const Partition& third : partitions_) {
                stacks_.push_back(static_cast<std::uint16_t>(own + index_of(relabelled(third, labels_[second]))));
            }
        }
    }

    std::uint64_t bound_of(const Band& second) const {
        std::uint64_t bound = 1;
        for (const std::uint16_t partition : second.partition) {
            bound *= most_fillings_[static_cast<std::size_t>(class_[partition])];
        }
        return bound;
    }

    // Adds a case of the first band, with these rows of its second box.
    void add_case(const Partition& second_box, std::uint64_t weight) {
        Partition third_box;
        for (std::size_t k = 0; k < 3; ++k) {
            third_box[k] = static_cast<Triple>(all_digits & ~first_box_[k] & ~second_box[k]);
        }
        FirstBand first{.band = {}, .weight = weight, .original = {}, .others = {}};
        std::array<Labels, 3> labels;
        for (std::size_t j = 0; const Partition& box : {first_box_, second_box, third_box}) {
            labels[j] = labels_between(box, first_box_);
            for (std::size_t d = 0; d < num_digits; ++d) first.original[j][labels[j][d]] = static_cast<std::uint8_t>(d);
            ++j;
        }
        const auto band_of = [&](const std::array<Partition, 3>& boxes) {
            Band band{};
            for (std::size_t j = 0; j < 3; ++j) {
                Partition rows;
                for (std::size_t row = 0; row < 3; ++row) rows[row] = relabelled(boxes[j][row], labels[j]);
                band.rows[j] = lines_of(rows);
                std::sort(rows.begin(), rows.end());
                band.partition[j] = index_of(rows);
            }
            return band;
        };
        first.band = band_of({first_box_, second_box, third_box});
        for (const Partition& box : partitions_) {
            for (const auto& [second, third] : other_boxes(box)) first.others.push_back(band_of({box, second, third}));
        }
        std::stable_sort(first.others.begin(), first.others.end(),
                         [this](const Band& a, const Band& b) { return bound_of(a) < bound_of(b); });
        for (std::size_t k = 0; k < num_bands; ++k) {
            const std::uint64_t bound = bound_of(first.others[k]);
            if (k == 0 || bound != strata_.back().bound) strata_.push_back({total_, bound, cases_.size(), k});
            total_ += bound * weight;
        }
        cases_.push_back(std::move(first));
    }

    const Partition first_box_{0b000'000'111, 0b000'111'000, 0b111'000'000};  // of every stack
    const std::vector<Partition> partitions_;
    std::vector<int> class_;             // by partition
    std::vector<std::size_t> classes_;   // the first partition of each class
    std::vector<Labels> labels_;         // by partition: those that map it to the first of its class
    std::vector<std::uint16_t> stacks_;  // by second and third partition: a class and a partition
    std::vector<std::size_t> begin_;     // by class and partition: of its fillings
    std::vector<Filling> fillings_;
    std::vector<std::uint64_t> most_fillings_;  // by class
    std::vector<FirstBand> cases_;
    std::vector<Stratum> strata_;
    std::uint64_t total_ = 0;  // of all bounds
    unsigned shift_ = 0;       // leaves as many random bits as the total has
};

const UniformGrids& uniform_grids() {
    static std::atomic<const UniformGrids*> shared{nullptr};  // no lock: another thread could hold it during a fork
    const UniformGrids* grids = shared.load(std::memory_order_acquire);
    if (grids != nullptr) return *grids;
    auto fresh = std::make_unique<const UniformGrids>();
    return shared.compare_exchange_strong(grids, fresh.get(), std::memory_order_acq_rel) ? *fresh.release() : *grids;
}

}  // namespace

void write_uniform_grid(Rng& rng, std::uint8_t* grid) {
    uniform_grids().write(rng, grid);
    assert(is_solution(grid, grid, 3, 3));
}

std::uint64_t num_grid_classes(const Interrupted& stop) { return uniform_grids().num_classes(stop); }

}  // namespace sudokulab
