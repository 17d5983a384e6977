// Shared by the x86 engines. Include after engine.h.
#pragma once

#include <immintrin.h>

namespace sudokulab {
namespace {

// Two sets of cells in a vector of 32 bytes.
struct TwoCellSets {
    using CellSets = std::uint64_t __attribute__((vector_size(32)));
    using Bytes = std::uint8_t __attribute__((vector_size(32)));
    using Keys = std::int32_t __attribute__((vector_size(32)));
    static constexpr int num_sets = 2;

    template <class Table>
    static CellSets take(const Table& table, const std::size_t (&index)[2]) {
        const auto at = [&table](std::size_t i) { return _mm_load_si128(reinterpret_cast<const __m128i*>(&table[i])); };
        return reinterpret_cast<CellSets>(_mm256_set_m128i(at(index[1]), at(index[0])));
    }
    static CellSets twin(CellSet set) {
        return reinterpret_cast<CellSets>(_mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(set)));
    }
    static Keys sums_of(Bytes bytes) {
        const __m256i sums = _mm256_sad_epu8(reinterpret_cast<__m256i>(bytes), _mm256_setzero_si256());
        return reinterpret_cast<Keys>(_mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4E)));
    }
    static Bytes count_by_byte(CellSets sets) {
        const auto a = reinterpret_cast<__m256i>(sets);
        const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3,
                                               1, 2, 2, 3, 2, 3, 3, 4);
        const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(a, _mm256_set1_epi8(15)));
        const __m256i high =
            _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(a, 4), _mm256_set1_epi8(15)));
        return reinterpret_cast<Bytes>(_mm256_add_epi8(low, high));
    }
};

// Vectors of 32 bytes.
struct Lanes16 {
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
    static V and_or(V a, V b, V c) { return or2(and2(a, b), c); }
    static V if_any_else(V a, V b) { return or2(a, and2(b, is_zero(a))); }
    // The digits of a triad, given those that must be in it: only these if there are three.
    static V all_unless_full(V a) {
        const V but_first = and2(a, minus_one(a));
        return or2(a, is_zero(and2(but_first, minus_one(but_first))));
    }
    static V min(V a, V b) { return _mm256_min_epu16(a, b); }
    static std::uint32_t equal(V a, V b) {
        const V packed = _mm256_packs_epi16(_mm256_cmpeq_epi16(a, b), zero());
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0xD8))) & 0xFFFF;
    }

    // For one puzzle: nine cells as three groups of three lanes, and rotations of the stacks and bands.
    static V load_boxes(const std::uint16_t* at) {
        const V packed = _mm256_set_m128i(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 6)),
                                          _mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
        return _mm256_shuffle_epi8(packed, _mm256_setr_epi8(0, 1, 2, 3, 4, 5, -1, -1, 6, 7, 8, 9, 10, 11, -1, -1, 0, 1,
                                                            2, 3, 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    }
    static void store_boxes(std::uint16_t* at, V v) {
        const V packed =
            _mm256_shuffle_epi8(v, _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, -1, -1, -1, -1, 0, 1, 2, 3,
                                                    4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at), _mm256_castsi256_si128(packed));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at + 6), _mm256_extracti128_si256(packed, 1));
    }
    static V with_lane(V v, int lane, std::uint16_t value) {
        const V number = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        return _mm256_blendv_epi8(v, all(value), _mm256_cmpeq_epi16(number, all(lane)));
    }
    static V next_stack(V v) {
        return _mm256_shuffle_epi8(v, _mm256_setr_epi8(2, 3, 4, 5, 0, 1, 6, 7, 10, 11, 12, 13, 8, 9, 14, 15, 2, 3, 4, 5,
                                                       0, 1, 6, 7, 10, 11, 12, 13, 8, 9, 14, 15));
    }
    static V last_stack(V v) {
        return _mm256_shuffle_epi8(v, _mm256_setr_epi8(4, 5, 0, 1, 2, 3, 6, 7, 12, 13, 8, 9, 10, 11, 14, 15, 4, 5, 0, 1,
                                                       2, 3, 6, 7, 12, 13, 8, 9, 10, 11, 14, 15));
    }
    static V next_band(V v) { return _mm256_permute4x64_epi64(v, 0xC9); }
    static V last_band(V v) { return _mm256_permute4x64_epi64(v, 0xD2); }
};

}  // namespace
}  // namespace sudokulab
