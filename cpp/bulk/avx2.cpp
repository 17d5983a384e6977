// 16 puzzles in parallel: AVX2.
#if defined(__AVX2__)
#include "bulk/engine.h"
#include "bulk/single.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

struct Ops : Lanes16, TwoBoards {
    // From digit 9 down: shifts each candidate into the sign bit, and collects the signs of two vectors at once.
    static void find_places(const std::uint16_t* cells, CellSet* places) {
        V left[6];
        for (int k = 0; k < 6; k += 2) {
            const V a = _mm256_slli_epi16(load(cells + 16 * k), 7);
            const V b = _mm256_slli_epi16(load(cells + 16 * k + 16), 7);
            left[k] = _mm256_permute2x128_si256(a, b, 0x20);  // packing undoes this order
            left[k + 1] = _mm256_permute2x128_si256(a, b, 0x31);
        }
        const auto found = [&](int k) -> std::uint64_t {
            return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_packs_epi16(left[k], left[k + 1])));
        };
        for (int d = 8; d >= 0; --d) {
            places[d] = CellSet{found(0) | found(2) << 32, found(4)};
            for (V& v : left) v = _mm256_slli_epi16(v, 1);
        }
    }
};

}  // namespace

void run_bulk_avx2(BulkJob& job) { run_job<Ops, Ops>(job); }

}  // namespace sudokulab
#endif
