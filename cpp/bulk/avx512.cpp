// 32 puzzles in parallel: AVX-512 with its byte and word instructions.
#if defined(__AVX512BW__)
#include "bulk/engine.h"
#include "bulk/single.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

struct Chooser : TwoBoards {
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
