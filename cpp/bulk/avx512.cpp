// 32 puzzles in parallel: AVX-512 with its byte and word instructions.
#if defined(__AVX512BW__)
#include "bulk/engine.h"
#include "bulk/x86.h"

namespace sudokulab {
namespace {

// A cell with two candidates in 32 bits: the candidates, the index, and the numbers of its row, column and box from 1.
constexpr int index_shift = 9;
constexpr int unit_shift[3] = {16, 20, 24};

struct PairTables {
    alignas(64) std::uint32_t tag[padded_cells] = {};  // all but the candidates
    alignas(64) std::uint32_t unit[3][3][16] = {};     // the cells of a unit: by 32 cells, kind and number
    constexpr PairTables() {
        for (int cell = 0; cell < num_cells; ++cell) tag[cell] = static_cast<std::uint32_t>(cell) << index_shift;
        for (int u = 0; u < 27; ++u) {
            const int number = u % 9 + 1;
            for (const int cell : tables.cells[u]) {
                tag[cell] |= static_cast<std::uint32_t>(number) << unit_shift[u / 9];
                unit[cell / 32][u / 9][number] |= 1u << (cell % 32);
            }
        }
    }
};
constexpr PairTables pair_tables;

// Rates all cells at once, one in every 32 bits.
struct WideChooser {
    struct alignas(64) Summary {
        std::uint32_t pairs[2 * max_rated];  // those behind the last are zero, those behind `max_rated` are not used
        std::uint32_t places[3][16];         // by 32 cells and digit, see `row_of`
        Counted counted;
    };
    // As in the exponent of a float: a vector finds the first and last bit of a set with a conversion.
    static constexpr std::size_t row_of(std::size_t digit) { return (digit + 127) % 16; }
    static __m512i exponent_of(__m512i v) { return _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(v)), 23); }

    static void summarize(const std::uint16_t* cells, Summary& summary) {
        summary.counted = count_candidates(cells);
        if (is_simple(summary.counted)) return;
        int number = 0;
        for (int k = 0; k < 6; ++k) {
            const auto is_pair = static_cast<__mmask16>(summary.counted.two[k / 4] >> (16 * (k % 4)));
            const __m256i some = _mm256_load_si256(reinterpret_cast<const __m256i*>(cells + 16 * k));
            const __m512i tagged =
                _mm512_or_si512(_mm512_cvtepu16_epi32(some), _mm512_load_si512(pair_tables.tag + 16 * k));
            _mm512_storeu_si512(summary.pairs + number, _mm512_maskz_compress_epi32(is_pair, tagged));
            number = std::min(number + count_bits(is_pair), max_rated);
        }
        for (int k = 0; k < 3; ++k) {
            const __m512i some = _mm512_load_si512(cells + 32 * k);
            for (std::size_t d = 0; d < 9; ++d) {
                const __m512i digit = _mm512_set1_epi16(static_cast<short>(1 << d));
                summary.places[k][row_of(d)] = _mm512_test_epi16_mask(some, digit);
            }
        }
    }
    static std::array<CellSet, 9> places_of(const std::uint16_t*, const Summary& summary) {
        std::array<CellSet, 9> places;
        for (std::size_t d = 0; d < 9; ++d) {
            const auto at = [&](int k) -> std::uint64_t { return summary.places[k][row_of(d)]; };
            places[d] = CellSet{at(0) | at(1) << 32, at(2)};
        }
        return places;
    }
    static int best_pair(const std::uint16_t*, const Summary& summary) {
        const __m512i pairs = _mm512_load_si512(summary.pairs);
        const __m512i digits = _mm512_and_si512(pairs, _mm512_set1_epi32(all_digits));
        const __m512i first = exponent_of(_mm512_and_si512(digits, _mm512_sub_epi32(_mm512_setzero_si512(), digits)));
        const __m512i second = exponent_of(digits);
        __m512i of_any = _mm512_setzero_si512();
        __m512i of_pairs = _mm512_setzero_si512();
        for (int k = 0; k < 3; ++k) {
            const __m512i near = units_of(pairs, k);
            const __m512i places = _mm512_load_si512(summary.places[k]);
            const __m512i a = _mm512_permutexvar_epi32(first, places);
            const __m512i b = _mm512_permutexvar_epi32(second, places);
            const __m512i two = _mm512_set1_epi32(static_cast<int>(summary.counted.two[k / 2] >> (32 * (k % 2))));
            const auto count_in_pairs = [&](__m512i set) {
                return count_by_byte(_mm512_ternarylogic_epi32(near, set, two, 0x80));
            };
            of_any = _mm512_add_epi8(of_any, count_by_byte(_mm512_ternarylogic_epi32(near, a, b, 0xE0)));
            of_pairs = _mm512_add_epi8(of_pairs, _mm512_add_epi8(count_in_pairs(a), count_in_pairs(b)));
        }
        const __m512i both = _mm512_add_epi8(of_any, of_pairs);
        const __m512i weights = _mm512_add_epi8(_mm512_add_epi8(both, both), of_pairs);
        const __m512i sums =
            _mm512_madd_epi16(_mm512_maddubs_epi16(weights, _mm512_set1_epi8(1)), _mm512_set1_epi16(1));
        const __m512i index = _mm512_and_si512(_mm512_srli_epi32(pairs, index_shift), _mm512_set1_epi32(127));
        return _mm512_reduce_max_epi32(_mm512_or_si512(_mm512_slli_epi32(sums, 7), index)) & 127;
    }

private:
    // Of 32 cells, those in the units of each pair. It is among them itself, which adds the same to all weights.
    static __m512i units_of(__m512i pairs, int k) {
        const auto unit = [&](int kind) {
            const __m512i number = _mm512_srli_epi32(pairs, static_cast<unsigned>(unit_shift[kind]));
            return _mm512_permutexvar_epi32(number, _mm512_load_si512(pair_tables.unit[k][kind]));
        };
        return _mm512_ternarylogic_epi32(unit(0), unit(1), unit(2), 0xFE);
    }
    static __m512i count_by_byte(__m512i a) {
        const __m512i table = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m512i low = _mm512_shuffle_epi8(table, _mm512_and_si512(a, _mm512_set1_epi8(15)));
        const __m512i high =
            _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(a, 4), _mm512_set1_epi8(15)));
        return _mm512_add_epi8(low, high);
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
};

struct Ops : WideChooser {
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
    static V and_or(V a, V b, V c) { return _mm512_ternarylogic_epi32(a, b, c, 0xEA); }
    static V if_any_else(V a, V b) { return _mm512_mask_mov_epi16(b, _mm512_test_epi16_mask(a, a), a); }
    // The digits of a triad, given those that must be in it: only these if there are three.
    static V all_unless_full(V a) {
        const V but_first = and2(a, minus_one(a));
        return _mm512_mask_mov_epi16(all(-1), _mm512_test_epi16_mask(but_first, minus_one(but_first)), a);
    }
    static V min(V a, V b) { return _mm512_min_epu16(a, b); }
    static std::uint32_t equal(V a, V b) { return _mm512_cmpeq_epi16_mask(a, b); }
};

struct SingleOps : Lanes16, WideChooser {};

}  // namespace

void run_bulk_avx512(BulkJob& job) { run_job<Ops, SingleOps>(job); }

}  // namespace sudokulab
#endif
