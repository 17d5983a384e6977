// 16 puzzles in parallel: AVX2.
#if defined(__AVX2__)
#include "bulk/engine.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

struct Ops : TwoBoards {
    using V = __m256i;
    static constexpr int lanes = 16;

    static V load(const std::uint16_t* at) { return _mm256_load_si256(reinterpret_cast<const V*>(at)); }
    static void store(std::uint16_t* at, V v) { _mm256_store_si256(reinterpret_cast<V*>(at), v); }
    static V all(int value) { return _mm256_set1_epi16(static_cast<short>(value)); }
    static V zero() { return _mm256_setzero_si256(); }
    static V or2(V a, V b) { return _mm256_or_si256(a, b); }
    static V and2(V a, V b) { return _mm256_and_si256(a, b); }
    static V and_not(V a, V b) { return _mm256_andnot_si256(b, a); }
    static V or3(V a, V b, V c) { return or2(or2(a, b), c); }
    static V majority(V a, V b, V c) { return or2(and2(a, b), and2(c, or2(a, b))); }
    static V and_nor(V a, V b, V c) { return and_not(a, or2(b, c)); }
    static V or_xor(V a, V b, V c) { return or2(a, _mm256_xor_si256(b, c)); }
    static V minus_one(V a) { return _mm256_add_epi16(a, all(-1)); }
    static V is_zero(V a) { return _mm256_cmpeq_epi16(a, zero()); }
    static V if_single(V a) { return and2(a, is_zero(and2(a, minus_one(a)))); }
    static V and_not_unless(V a, V b, V c) { return and_not(a, and_not(b, c)); }
    static V if_any_else(V a, V b) { return or2(a, and2(b, is_zero(a))); }
    static V min(V a, V b) { return _mm256_min_epu16(a, b); }
    static std::uint32_t equal(V a, V b) {
        const V packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(a, b), zero());
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xD8))) & 0xFFFF;
    }
    static Bytes count_by_byte(CellSets sets) {
        const auto a = reinterpret_cast<V>(sets);
        const V table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                         2, 3, 2, 3, 3, 4);
        const V low = _mm256_shuffle_epi8(table, and2(a, _mm256_set1_epi8(15)));
        const V high = _mm256_shuffle_epi8(table, and2(_mm256_srli_epi16(a, 4), _mm256_set1_epi8(15)));
        return reinterpret_cast<Bytes>(_mm256_add_epi8(low, high));
    }
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

void run_bulk_avx2(BulkJob& job) { Engine<Ops>(job).run(); }

}  // namespace sudokulab
#endif
