// 32 puzzles in parallel: AVX-512 with its byte and word instructions.
#if defined(__AVX512BW__)
#include "bulk/engine.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

// Four sets of cells at once.
struct Chooser {
    using CellSets = std::uint64_t __attribute__((vector_size(64)));
    using Bytes = std::uint8_t __attribute__((vector_size(64)));
    using Keys = std::int32_t __attribute__((vector_size(64)));
    static constexpr int num_sets = 4;

    template <class Table>
    static CellSets take(const Table& table, const std::size_t (&index)[4]) {
        const auto at = [&table](std::size_t i) { return _mm_load_si128(reinterpret_cast<const __m128i*>(&table[i])); };
        const __m256i low = _mm256_set_m128i(at(index[1]), at(index[0]));
        const __m256i high = _mm256_set_m128i(at(index[3]), at(index[2]));
        return reinterpret_cast<CellSets>(_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
    }
    static CellSets twin(CellSet set) {
        return reinterpret_cast<CellSets>(_mm512_broadcast_i64x2(reinterpret_cast<__m128i>(set)));
    }
    static Keys sums_of(Bytes bytes) {
        const __m512i sums = _mm512_sad_epu8(reinterpret_cast<__m512i>(bytes), _mm512_setzero_si512());
        return reinterpret_cast<Keys>(_mm512_add_epi32(sums, _mm512_shuffle_epi32(sums, _MM_PERM_BADC)));
    }
    static Bytes count_by_byte(CellSets sets) {
        const auto a = reinterpret_cast<__m512i>(sets);
        const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m512i low = _mm512_shuffle_epi8(table, _mm512_and_si512(a, _mm512_set1_epi8(15)));
        const __m512i high =
            _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(a, 4), _mm512_set1_epi8(15)));
        return reinterpret_cast<Bytes>(_mm512_add_epi8(low, high));
    }
    static Counted count_candidates(const std::uint16_t* cells) {
        std::uint64_t several[3];
        std::uint64_t more[3];
        for (int k = 0; k < 3; ++k) {
            const auto minus_one = [](__m512i v) { return _mm512_add_epi16(v, _mm512_set1_epi16(-1)); };
            const __m512i all = _mm512_load_si512(cells + 32 * k);
            const __m512i but_first = _mm512_and_si512(all, minus_one(all));
            several[k] = _mm512_test_epi16_mask(but_first, but_first);
            more[k] = _mm512_test_epi16_mask(but_first, minus_one(but_first));
        }
        const CellSet has_more{more[0] | more[1] << 32, more[2]};
        return {CellSet{several[0] | several[1] << 32, several[2]} & ~has_more, has_more};
    }
    // Digits 1 to 8 fit in a byte, so 64 cells are tested at once; digit 9 needs the words.
    static void find_places(const std::uint16_t* cells, CellSet* places) {
        const __m256i bytes[3] = {_mm512_cvtepi16_epi8(_mm512_load_si512(cells)),
                                  _mm512_cvtepi16_epi8(_mm512_load_si512(cells + 32)),
                                  _mm512_cvtepi16_epi8(_mm512_load_si512(cells + 64))};
        const __m512i low = _mm512_inserti64x4(_mm512_castsi256_si512(bytes[0]), bytes[1], 1);
        for (int d = 0; d < 8; ++d) {
            const char digit = static_cast<char>(1 << d);
            places[d] = CellSet{_mm512_test_epi8_mask(low, _mm512_set1_epi8(digit)),
                                _mm256_test_epi8_mask(bytes[2], _mm256_set1_epi8(digit))};
        }
        const auto has_nine = [&](int k) -> std::uint64_t {
            return _mm512_test_epi16_mask(_mm512_load_si512(cells + 32 * k), _mm512_set1_epi16(0x100));
        };
        places[8] = CellSet{has_nine(0) | has_nine(1) << 32, has_nine(2)};
    }
};

struct Ops : Chooser {
    using V = __m512i;
    static constexpr int lanes = 32;

    static V load(const std::uint16_t* at) { return _mm512_load_si512(at); }
    static void store(std::uint16_t* at, V v) { _mm512_store_si512(at, v); }
    static V all(int value) { return _mm512_set1_epi16(static_cast<short>(value)); }
    static V zero() { return _mm512_setzero_si512(); }
    static V or2(V a, V b) { return _mm512_or_si512(a, b); }
    static V and2(V a, V b) { return _mm512_and_si512(a, b); }
    static V and_not(V a, V b) { return _mm512_andnot_si512(b, a); }
    static V or3(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0xFE); }
    static V majority(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0xE8); }
    static V and_nor(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0x10); }
    static V or_xor(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0xF6); }
    static V minus_one(V a) { return _mm512_add_epi16(a, all(-1)); }
    static V if_single(V a) { return _mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(a, minus_one(a)), a); }
    static V and_not_unless(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0xB0); }
    static V if_any_else(V a, V b) { return _mm512_mask_mov_epi16(b, _mm512_test_epi16_mask(a, a), a); }
    static V min(V a, V b) { return _mm512_min_epu16(a, b); }
    static std::uint32_t equal(V a, V b) { return _mm512_cmpeq_epi16_mask(a, b); }
};

struct SingleOps : Lanes16, Chooser {};

}  // namespace

void run_bulk_avx512(BulkJob& job) { run_job<Ops, SingleOps>(job); }

}  // namespace sudokulab
#endif
