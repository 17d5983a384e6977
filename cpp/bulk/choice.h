// The choice of a branch, shared by the engines for many puzzles and for one. Included by one file per instruction set,
// which provides the operations. Everything is private to that file, so that the linker cannot substitute an inline
// function compiled for another machine.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "bulk/bulk.h"

namespace sudokulab {
namespace {

constexpr int num_cells = 81;
constexpr int padded_cells = 96;  // a multiple of every vector's lanes
constexpr std::uint16_t all_digits = 0x1FF;
// Candidates of a cell by its byte. A byte that is not a digit leaves none, so no input leads out of bounds.
constexpr std::array<std::uint16_t, 256> candidates_of = [] {
    std::array<std::uint16_t, 256> table{all_digits};
    for (std::size_t digit = 1; digit <= 9; ++digit) table[digit] = static_cast<std::uint16_t>(1u << (digit - 1));
    return table;
}();

// Both engines number cells by their place in the box, then by box, so that a vector can hold the nine cells with the
// same place.
constexpr int index_of(int row, int col) { return 9 * (3 * (row % 3) + col % 3) + 3 * (row / 3) + col / 3; }
constexpr int cell_of(int index) {
    const int place = index / 9;
    const int box = index % 9;
    return 9 * (box / 3 * 3 + place / 3) + box % 3 * 3 + place % 3;
}

// Calls `act` with the index of each cell and its place in a grid by rows.
template <class Action>
void for_each_cell(Action act) {
    for (int row = 0; row < 3; ++row) {  // loops that compilers unroll, without divisions
        for (int col = 0; col < 3; ++col) {
            for (int box = 0; box < 9; ++box) {
                act(9 * (3 * row + col) + box, 9 * (box / 3 * 3 + row) + box % 3 * 3 + col);
            }
        }
    }
}

// The candidates of a puzzle at one depth of its search.
struct alignas(64) StackFrame {
    std::uint16_t cells[padded_cells];
};
constexpr int num_frames = num_cells + 1;  // more than any search needs

// How far the search of a puzzle has come. Below `depth`, its frames are alternatives to return to.
struct SearchState {
    std::size_t puzzle;
    std::uint32_t num_solutions = 0;
    BulkStats stats = {};
    std::uint32_t depth = 0;
};

struct Choice {
    int cell;
    std::uint16_t digit;
};

[[maybe_unused]] inline bool is_digit(unsigned set) { return set != 0 && (set & (set - 1)) == 0 && set <= all_digits; }

// Whether the cells of a frame allow a choice, and it leaves an alternative.
[[maybe_unused]] inline bool is_branch(const std::uint16_t* cells, const Choice& choice) {
    if (choice.cell < 0 || choice.cell >= num_cells) return false;
    const unsigned digit = choice.digit;
    const unsigned candidates = cells[choice.cell];
    return is_digit(digit) && (candidates & digit) != 0 && (candidates & ~digit) != 0;
}

// The digit of the known solution at an index; no digit if there is none.
inline std::uint16_t known_digit(const BulkJob& job, std::size_t puzzle, int index) {
    if (job.known == nullptr) return 0;
    return candidates_of[job.known[num_cells * puzzle + static_cast<std::size_t>(cell_of(index))]];
}

// Whether a solution, a callable that returns the digit at an index, is the known one.
template <class Digit>
bool is_known(const BulkJob& job, std::size_t puzzle, const Digit& digit) {
    for (int index = 0; index < num_cells; ++index) {
        if (digit(index) != known_digit(job, puzzle, index)) return false;
    }
    return true;
}

// A set of cells: the first 64, then the rest.
using CellSet = std::uint64_t __attribute__((vector_size(16)));

inline int first_of(CellSet set) { return set[0] != 0 ? __builtin_ctzll(set[0]) : 64 + __builtin_ctzll(set[1]); }
inline int last_of(CellSet set) { return set[1] != 0 ? 127 - __builtin_clzll(set[1]) : 63 - __builtin_clzll(set[0]); }

constexpr int number_shift = 56;

struct Tables {
    std::uint8_t cells[27][9] = {};                      // of each unit: rows, columns, boxes
    alignas(16) std::uint64_t unit[27][2] = {};          // the same as sets
    alignas(16) std::uint64_t peers[num_cells][2] = {};  // with the cell's own index in the top byte
    constexpr Tables() {
        for (int k = 0; k < 9; ++k) {
            for (int i = 0; i < 9; ++i) {
                cells[k][i] = static_cast<std::uint8_t>(index_of(k, i));
                cells[9 + k][i] = static_cast<std::uint8_t>(index_of(i, k));
                cells[18 + k][i] = static_cast<std::uint8_t>(index_of(k / 3 * 3 + i / 3, k % 3 * 3 + i % 3));
            }
        }
        for (int u = 0; u < 27; ++u) {
            for (const int cell : cells[u]) unit[u][cell / 64] |= std::uint64_t{1} << (cell % 64);
            for (const int cell : cells[u]) {
                for (int half = 0; half < 2; ++half) peers[cell][half] |= unit[u][half];
            }
        }
        for (int cell = 0; cell < num_cells; ++cell) {
            peers[cell][cell / 64] &= ~(std::uint64_t{1} << (cell % 64));
            peers[cell][1] |= static_cast<std::uint64_t>(cell) << number_shift;
        }
    }
};
constexpr Tables tables;

inline CellSet load_set(const std::uint64_t (&words)[2]) { return CellSet{words[0], words[1]}; }

// Cells by their number of candidates.
struct Counted {
    CellSet two;
    CellSet more;
};

inline int count_bits(unsigned bits) { return __builtin_popcount(bits); }
inline int size_of(CellSet set) { return __builtin_popcountll(set[0]) + __builtin_popcountll(set[1]); }

// The choice if no cell has two candidates: a digit with two places in a unit, preferring places with few other
// candidates; failing that, a cell with the fewest candidates.
inline Choice choose_place(const std::uint16_t* cells, const std::array<CellSet, 9>& places) {
    Choice best{-1, 0};
    int least = 19;
    for (int unit = 0; unit < 27; ++unit) {
        unsigned once = 0;
        unsigned twice = 0;
        unsigned thrice = 0;
        for (const int cell : tables.cells[unit]) {
            thrice |= twice & cells[cell];
            twice |= once & cells[cell];
            once |= cells[cell];
        }
        for (unsigned left = twice & ~thrice; left != 0; left &= left - 1) {
            const CellSet both = places[static_cast<unsigned>(__builtin_ctz(left))] & load_set(tables.unit[unit]);
            assert((both[0] | both[1]) != 0);
            const int first = first_of(both);
            const int last = last_of(both);
            const int of_first = count_bits(cells[first]);
            const int of_last = count_bits(cells[last]);
            const int number = of_first + of_last;
            if (number == 2 || number >= least) continue;  // 2: a duplicate in the unit, which a pass may miss
            best = {of_first >= of_last ? first : last, static_cast<std::uint16_t>(left & (0u - left))};
            if (number <= 6) return best;  // the minimum: no open cell has fewer than three candidates
            least = number;
        }
    }
    if (best.cell >= 0) return best;
    int fewest = 10;
    for (int cell = 0; cell < num_cells; ++cell) {
        const int number = count_bits(cells[cell]);
        if (number > 1 && number < fewest) {
            fewest = number;
            best = {cell, static_cast<std::uint16_t>(cells[cell] & (0u - cells[cell]))};
        }
    }
    return best;
}

// With so few cells of more than two candidates left, any cell with two is as good as the best.
constexpr int few_others = 8;
inline bool is_simple(const Counted& counted) {
    return (counted.two[0] | counted.two[1]) != 0 && size_of(counted.more) <= few_others;
}

constexpr int max_rated = 16;  // more hardly ever change the choice

// How often two digits occur in the cells `near`, with extra weight for cells that have two candidates themselves.
template <class Ops, class CellSets = typename Ops::CellSets>
typename Ops::Keys wanted(CellSets a, CellSets b, CellSets near, CellSets pairs) {
    const auto of_any = Ops::count_by_byte((a | b) & near);
    const auto of_pairs = Ops::count_by_byte(a & near & pairs) + Ops::count_by_byte(b & near & pairs);
    return Ops::sums_of(of_any + of_any + of_pairs + of_pairs + of_pairs);
}

inline CellSet first_pairs(CellSet pairs) {
    for (int number = size_of(pairs); number > max_rated; --number) {
        const int last = last_of(pairs);
        pairs[last / 64] &= ~(std::uint64_t{1} << (last % 64));
    }
    return pairs;
}

// Rates cells with two candidates, `Ops::num_sets` at once.
template <class Ops>
struct Chooser {
    struct Summary {  // what a choice needs to know about the cells of a puzzle
        Counted counted;
    };
    static void summarize(const std::uint16_t* cells, Summary& summary) {
        summary.counted = Ops::count_candidates(cells);
    }
    static std::array<CellSet, 9> places_of(const std::uint16_t* cells, const Summary&) {
        std::array<CellSet, 9> places;  // by digit
        Ops::find_places(cells, places);
        return places;
    }

    static int best_pair(const std::uint16_t* cells, const Summary& summary) {
        const std::array<CellSet, 9> places = places_of(cells, summary);
        typename Ops::Keys best{};  // a cell in the low bits, its weight above
        const CellSet pairs = first_pairs(summary.counted.two);
        for (int half = 0; half < 2; ++half) {
            for (std::uint64_t left = pairs[half]; left != 0;) {
                const auto key = rate_some(cells, places, summary.counted.two, half, left);
                best = best > key ? best : key;
            }
        }
        int top = best[2];  // of the half with the index
        for (int k = 1; k < Ops::num_sets; ++k) top = std::max(top, best[4 * k + 2]);
        return top & 127;
    }

private:
    // Takes the next cells from those left in a half.
    static auto rate_some(const std::uint16_t* cells, const std::array<CellSet, 9>& places, CellSet pairs, int half,
                          std::uint64_t& left) {
        constexpr int step = Ops::num_sets;
        std::size_t cell[step];
        std::size_t first[step];
        std::size_t second[step];
        for (int k = 0; k < step; ++k) {
            cell[k] = static_cast<unsigned>(64 * half + __builtin_ctzll(left));
            first[k] = static_cast<unsigned>(__builtin_ctz(cells[cell[k]]));
            second[k] = static_cast<unsigned>(__builtin_ctz(cells[cell[k]] & (cells[cell[k]] - 1u)));
            const std::uint64_t others = left & (left - 1);
            const bool is_again = others == 0 && k + 1 < step;  // pad with the last one
            left = is_again ? left : others;
        }
        const auto near = Ops::take(tables.peers, cell);
        const auto weight = wanted<Ops>(Ops::take(places, first), Ops::take(places, second), near, Ops::twin(pairs));
        return 128 * weight + reinterpret_cast<typename Ops::Keys>(near >> number_shift);
    }
};

// Not inlined: next to the sweeps it would run out of registers.
template <class Ops>
[[gnu::noinline]] Choice choose(const std::uint16_t* cells, const typename Ops::Summary& summary) {
    const CellSet pairs = summary.counted.two;
    if ((pairs[0] | pairs[1]) == 0) return choose_place(cells, Ops::places_of(cells, summary));
    const int cell = is_simple(summary.counted) ? first_of(pairs) : Ops::best_pair(cells, summary);
    return {cell, static_cast<std::uint16_t>(cells[cell] & (0u - cells[cell]))};
}

}  // namespace
}  // namespace sudokulab
