// 16 puzzles side by side: AVX2.
#if defined(__AVX2__)
#include <immintrin.h>

#include "engine.h"

namespace sudokulab {
namespace {

struct Ops {
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
    static V unless_single_and_not(V a, V b) { return and_not(a, and_not(b, is_zero(and2(a, minus_one(a))))); }
    static V if_any_else(V a, V b) { return or2(a, and2(b, is_zero(a))); }
    static V min(V a, V b) { return _mm256_min_epu16(a, b); }
    static std::uint32_t equal(V a, V b) {
        const V packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(a, b), zero());
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xD8))) & 0xFFFF;
    }
    static V count_bits(V a) {
        const V table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2,
                                         2, 3, 2, 3, 3, 4);
        const V low = _mm256_shuffle_epi8(table, and2(a, all(0xF)));  // the upper byte of each is 0, and counts as such
        const V middle = _mm256_shuffle_epi8(table, and2(_mm256_srli_epi16(a, 4), all(0xF)));
        return add(add(low, middle), _mm256_srli_epi16(a, 8));
    }
    static V add(V a, V b) { return _mm256_add_epi16(a, b); }
    static V multiply(V a, V b) { return _mm256_mullo_epi16(a, b); }
    static int sum_of_bytes(V a) {
        const V quarters = _mm256_sad_epu8(a, zero());
        const __m128i half = _mm_add_epi64(_mm256_castsi256_si128(quarters), _mm256_extracti128_si256(quarters, 1));
        return _mm_cvtsi128_si32(half) + _mm_extract_epi32(half, 2);
    }
    static V weight_of(V number) {
        const V two = and2(_mm256_cmpeq_epi16(number, all(2)), all(6));
        const V three = and2(_mm256_cmpeq_epi16(number, all(3)), all(2));
        return or3(two, three, and2(_mm256_cmpgt_epi16(number, all(3)), all(1)));
    }
};

}  // namespace

void run_bulk_avx2(BulkJob& job) { Engine<Ops>(job).run(); }

}  // namespace sudokulab
#endif
