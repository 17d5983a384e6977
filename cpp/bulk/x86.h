// Shared by the x86 engines: two sets of cells in a vector of 32 bytes. Include after engine.h.
#include <immintrin.h>

namespace sudokulab {
namespace {

struct TwoBoards {
    using CellSets = std::uint64_t __attribute__((vector_size(32)));
    using Bytes = std::uint8_t __attribute__((vector_size(32)));
    using Keys = std::int32_t __attribute__((vector_size(32)));
    static constexpr int num_sets = 2;

    static CellSets take(const CellSet* table, const std::size_t (&index)[2]) {
        const auto first = _mm256_castsi128_si256(reinterpret_cast<__m128i>(table[index[0]]));
        return reinterpret_cast<CellSets>(
            _mm256_inserti128_si256(first, reinterpret_cast<__m128i>(table[index[1]]), 1));
    }
    static CellSets twin(CellSet set) {
        return reinterpret_cast<CellSets>(_mm256_broadcastsi128_si256(reinterpret_cast<__m128i>(set)));
    }
    static Keys sums_of(Bytes bytes) {
        const __m256i sums = _mm256_sad_epu8(reinterpret_cast<__m256i>(bytes), _mm256_setzero_si256());
        return reinterpret_cast<Keys>(_mm256_add_epi32(sums, _mm256_shuffle_epi32(sums, 0x4E)));
    }
};

}  // namespace
}  // namespace sudokulab
