// 8 puzzles in parallel, in 16-byte vectors of whatever kind the compiler has for this machine.
#include "bulk/engine.h"

namespace sudokulab {
namespace {

struct Ops {
    using V = std::uint16_t __attribute__((vector_size(16)));
    static constexpr int lanes = 8;

    static V load(const std::uint16_t* at) { return *reinterpret_cast<const V*>(at); }
    static void store(std::uint16_t* at, V v) { *reinterpret_cast<V*>(at) = v; }
    static V all(int value) { return V{} + static_cast<std::uint16_t>(value); }
    static V zero() { return V{}; }
    static V or2(V a, V b) { return a | b; }
    static V and2(V a, V b) { return a & b; }
    static V and_not(V a, V b) { return a & ~b; }
    static V or3(V a, V b, V c) { return a | b | c; }
    static V majority(V a, V b, V c) { return (a & b) | (c & (a | b)); }
    static V and_nor(V a, V b, V c) { return a & ~(b | c); }
    static V or_xor(V a, V b, V c) { return a | (b ^ c); }
    static V minus_one(V a) { return a - 1; }
    static V is_zero(V a) { return reinterpret_cast<V>(a == V{}); }
    static V if_single(V a) { return a & is_zero(a & (a - 1)); }
    static V and_not_unless(V a, V b, V c) { return a & ~(b & ~c); }
    static V if_any_else(V a, V b) { return a | (b & is_zero(a)); }
    static V min(V a, V b) {
        const V is_less = reinterpret_cast<V>(a < b);
        return (a & is_less) | (b & ~is_less);
    }
    static std::uint32_t equal(V a, V b) {
        const V bits = reinterpret_cast<V>(a == b) & V{1, 2, 4, 8, 16, 32, 64, 128};
        std::uint32_t mask = 0;
        for (int lane = 0; lane < lanes; ++lane) mask |= bits[lane];
        return mask;
    }
    using CellSets = CellSet;
    using Bytes = std::uint8_t __attribute__((vector_size(16)));
    using Keys = std::int32_t __attribute__((vector_size(16)));
    static constexpr int num_sets = 1;

    template <class Table>
    static CellSets take(const Table& table, const std::size_t (&index)[1]) {
        return CellSet{table[index[0]][0], table[index[0]][1]};
    }
    static CellSets twin(CellSet set) { return set; }
    static Keys sums_of(Bytes bytes) {
        const auto halves = reinterpret_cast<CellSet>(bytes);
        return Keys{static_cast<std::int32_t>((halves[0] + halves[1]) * 0x0101010101010101 >> 56)};
    }
    static Bytes count_by_byte(CellSets set) {
        set -= (set >> 1) & 0x5555555555555555;
        set = (set & 0x3333333333333333) + ((set >> 2) & 0x3333333333333333);
        return reinterpret_cast<Bytes>((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0F);
    }
    static void find_places(const std::uint16_t* cells, CellSet* places) {
        std::uint64_t found[9][2] = {};
        for (int cell = 0; cell < num_cells; ++cell) {
            const std::uint64_t bit = std::uint64_t{1} << (cell % 64);
            for (unsigned left = cells[cell]; left != 0; left &= left - 1) found[__builtin_ctz(left)][cell / 64] |= bit;
        }
        for (int d = 0; d < 9; ++d) places[d] = CellSet{found[d][0], found[d][1]};
    }
};

}  // namespace

void run_bulk_portable(BulkJob& job) { Engine<Ops>(job).run(); }

}  // namespace sudokulab
