// The kernels of src/sudokulab/gpu on the host. In the engine, a word is a vector with one value for each of the 32
// lanes, so that the lanes are in step as on a GPU. Built and called by host.py.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "canonical.cu"
#include "engine.cu"

#define __global__
namespace {
struct Index {
    unsigned x;
};
thread_local Index blockIdx;  // tests call from several threads
constexpr Index blockDim{1};
constexpr Index threadIdx{0};
}  // namespace
#include "scoring.cu"

namespace {

using namespace sudokulab_gpu;

struct HostWarp {
    using Word = std::uint32_t __attribute__((vector_size(4 * warp_lanes)));
    using Mask = std::int32_t __attribute__((vector_size(4 * warp_lanes)));

    static Word lane() {
        Word lanes;
        for (unsigned k = 0; k < warp_lanes; ++k) lanes[k] = k;
        return lanes;
    }
    static Word select(Mask mask, Word a, Word b) { return mask ? a : b; }
    static Word max(Word a, Word b) { return a > b ? a : b; }
    static Word count_bits(Word a) {
        for (unsigned k = 0; k < warp_lanes; ++k) a[k] = count_bits_of(a[k]);
        return a;
    }
    static unsigned count_bits_of(unsigned a) { return static_cast<unsigned>(__builtin_popcount(a)); }
    static Word digit_of(Word single) {
        for (unsigned k = 0; k < warp_lanes; ++k)
            single[k] = static_cast<unsigned>(__builtin_ffs(static_cast<int>(single[k])));
        return single;
    }
    static Word shuffle(Word a, Word source) {
        Word result;
        for (unsigned k = 0; k < warp_lanes; ++k) result[k] = a[source[k] % warp_lanes];
        return result;
    }
    static unsigned ballot(Mask mask) {
        unsigned lanes = 0;
        for (unsigned k = 0; k < warp_lanes; ++k) lanes |= (mask[k] != 0 ? 1u : 0u) << k;
        return lanes;
    }
    static bool any(Mask mask) { return ballot(mask) != 0; }
    static void sync() {}
    unsigned long long num_passes = 0;  // of all puzzles
    void count_pass(Mask is_active) {
        constexpr unsigned leaders = 1u | 1u << boxes | 1u << (2 * boxes);
        num_passes += count_bits_of(ballot(is_active) & leaders);
    }
    static Word get(const unsigned* scratch, Word index) { return load(scratch, index, ~Mask{}); }
    static void put(unsigned* scratch, Word index, Word value) { store(scratch, index, value, ~Mask{}); }
    template <class T>
    static Word load(const T* from, Word index, Mask mask) {
        Word result{};
        for (unsigned k = 0; k < warp_lanes; ++k) {
            if (mask[k]) result[k] = from[index[k]];
        }
        return result;
    }
    template <class T>
    static void store(T* to, Word index, Word value, Mask mask) {
        for (unsigned k = 0; k < warp_lanes; ++k) {
            if (mask[k]) to[index[k]] = static_cast<T>(value[k]);
        }
    }
    static unsigned take(unsigned* counter, unsigned number) {
        const unsigned before = *counter;
        *counter += number;
        return before;
    }
};

// Returns the number of passes.
template <class Job, class Run>
unsigned long long run_on_host(Job& job, Run run) {
    std::vector<unsigned> stack(stack_words);
    std::vector<unsigned> scratch(scratch_words);
    unsigned num_taken = 0;
    job.num_taken = &num_taken;
    HostWarp warp;
    run(warp, job, stack.data(), scratch.data());
    return warp.num_passes;
}

}  // namespace

extern "C" {

unsigned long long solve_on_host(const std::uint8_t* puzzles, unsigned num_puzzles, unsigned limit,
                                 unsigned max_guesses, unsigned chunk, std::uint8_t* solutions, std::uint32_t* counts) {
    SolveJob job{puzzles, num_puzzles, limit, max_guesses, solutions, counts, nullptr, chunk};
    return run_on_host(job, [](auto&&... arguments) { solve(arguments...); });
}

unsigned long long blank_on_host(const std::uint8_t* grids, const std::uint8_t* orders, unsigned num_grids,
                                 unsigned chunk, std::uint8_t* puzzles) {
    BlankJob job{grids, orders, num_grids, puzzles, nullptr, chunk};
    return run_on_host(job, [](auto&&... arguments) { blank(arguments...); });
}

void score_on_host(const std::uint8_t* grids, const std::uint8_t* puzzles, const std::uint8_t* solutions,
                   const long long* rows, unsigned num_grids, unsigned box_rows, unsigned box_cols, bool* is_complete,
                   bool* is_valid, bool* keeps_givens, int* num_correct, int* num_correct_blanks) {
    for (unsigned k = 0; k <= num_grids; ++k) {  // a thread too many, as in the last block
        blockIdx.x = k;
        score_kernel(grids, puzzles, solutions, rows, num_grids, box_rows, box_cols, is_complete, is_valid,
                     keeps_givens, num_correct, num_correct_blanks);
    }
}

void canonicalize_on_host(const std::uint8_t* grids, const std::uint8_t* puzzles, unsigned num_grids,
                          const std::uint8_t* triples, const std::uint8_t* pairs, const unsigned* entries,
                          const Line* orders, std::uint8_t* forms, bool* is_transposed, std::uint8_t* rows,
                          std::uint8_t* cols, std::uint8_t* digits, unsigned* num_automorphisms,
                          unsigned long long* hashes) {
    const CanonicalJob job{grids, puzzles, forms, is_transposed, rows, cols, digits, num_automorphisms, hashes};
    for (unsigned k = 0; k < num_grids; ++k) canonicalize({triples, pairs, entries, orders}, job, k);
}
}
