// 16 puzzles in parallel: AVX2.
#if defined(__AVX2__)
#include "bulk/engine.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

struct Ops : Lanes16, TwoCellSets, Chooser<Ops> {
    static Counted count_candidates(const std::uint16_t* cells) {
        std::uint64_t single[3];
        std::uint64_t few[3];
        const auto which = [](V a, V b) -> std::uint64_t {  // packing swaps the middle quarters
            return static_cast<std::uint32_t>(
                _mm256_movemask_epi8(_mm256_permute4x64_epi64(_mm256_packs_epi16(is_zero(a), is_zero(b)), 0xD8)));
        };
        for (int k = 0; k < 3; ++k) {
            V left[2];
            for (int i = 0; i < 2; ++i) {
                const V all = load(cells + 32 * k + 16 * i);
                left[i] = and2(all, minus_one(all));
            }
            single[k] = which(left[0], left[1]);
            few[k] = which(and2(left[0], minus_one(left[0])), and2(left[1], minus_one(left[1])));
        }
        const CellSet at_most_one{single[0] | single[1] << 32, single[2] | ~std::uint64_t{0xFFFFFFFF}};
        const CellSet at_most_two{few[0] | few[1] << 32, few[2] | ~std::uint64_t{0xFFFFFFFF}};
        return {at_most_two & ~at_most_one, ~at_most_two};
    }
    // From digit 9 down: shifts each candidate into the sign bit, and collects the signs of two vectors at once.
    static void find_places(const std::uint16_t* cells, std::array<CellSet, 9>& places) {
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
        for (std::size_t d = 9; d-- > 0;) {
            places[d] = CellSet{found(0) | found(2) << 32, found(4)};
            for (V& v : left) v = _mm256_slli_epi16(v, 1);
        }
    }
};

}  // namespace

void run_bulk_avx2(BulkJob& job) { run_job<Ops, Ops>(job); }

}  // namespace sudokulab
#endif
