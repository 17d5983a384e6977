// 8 puzzles in parallel, in 16-byte vectors of whatever kind the compiler has for this machine.
#include "bulk/engine.h"

namespace sudokulab {
namespace {

struct Ops : Chooser<Ops> {
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
    static V and_or(V a, V b, V c) { return (a & b) | c; }
    static V if_any_else(V a, V b) { return a | (b & is_zero(a)); }
    // The digits of a triad, given those that must be in it: only these if there are three.
    static V all_unless_full(V a) {
        const V but_first = a & (a - 1);
        return a | is_zero(but_first & (but_first - 1));
    }
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
        return Keys{0, 0, static_cast<std::int32_t>((halves[0] + halves[1]) * 0x0101010101010101 >> 56), 0};
    }
    static Bytes count_by_byte(CellSets set) {
        set -= (set >> 1) & 0x5555555555555555;
        set = (set & 0x3333333333333333) + ((set >> 2) & 0x3333333333333333);
        return reinterpret_cast<Bytes>((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0F);
    }

    // Four cells in one word, with the lowest bit of each in `ones`. A product gathers these bits.
    static constexpr std::uint64_t ones = 0x0001000100010001;
    static std::uint64_t four_cells(const std::uint16_t* cells) {
        std::uint64_t four = 0;
        for (int k = 0; k < 4; ++k) four |= std::uint64_t{cells[k]} << (16 * k);
        return four;
    }
    static std::uint64_t gather(std::uint64_t bits) { return (bits & ones) * 0x0001000200040008 >> 48 & 15; }
    static std::uint64_t but_first(std::uint64_t four) { return four & ((four | ones << 15) - ones); }
    static std::uint64_t which(std::uint64_t four) { return gather((four + 0x7FFF * ones) >> 15); }

    static Counted count_candidates(const std::uint16_t* cells) {
        std::uint64_t several[2] = {};
        std::uint64_t more[2] = {};
        for (int cell = 0; cell < num_cells; cell += 4) {
            const std::uint64_t rest = but_first(four_cells(cells + cell));
            several[cell / 64] |= which(rest) << (cell % 64);
            more[cell / 64] |= which(but_first(rest)) << (cell % 64);
        }
        const CellSet has_more{more[0], more[1]};
        return {CellSet{several[0], several[1]} & ~has_more, has_more};
    }
    static void find_places(const std::uint16_t* cells, std::array<CellSet, 9>& places) {
        std::uint64_t found[9][2] = {};
        for (int cell = 0; cell < num_cells; cell += 4) {
            const std::uint64_t four = four_cells(cells + cell);
            for (int d = 0; d < 9; ++d) found[d][cell / 64] |= gather(four >> d) << (cell % 64);
        }
        for (std::size_t d = 0; d < 9; ++d) places[d] = CellSet{found[d][0], found[d][1]};
    }
};

// One puzzle in two vectors: the first two bands, then the third.
struct SingleOps : Ops {
    struct V {
        Ops::V low;
        Ops::V high;
    };
    static constexpr int lanes = 16;

    template <auto operation, class... Vs>
    static V both(Vs... v) {
        return {operation(v.low...), operation(v.high...)};
    }
    static V all(int value) { return {Ops::all(value), Ops::all(value)}; }
    static V zero() { return all(0); }
    static V or2(V a, V b) { return both<Ops::or2>(a, b); }
    static V and2(V a, V b) { return both<Ops::and2>(a, b); }
    static V and_not(V a, V b) { return both<Ops::and_not>(a, b); }
    static V or3(V a, V b, V c) { return both<Ops::or3>(a, b, c); }
    static V majority(V a, V b, V c) { return both<Ops::majority>(a, b, c); }
    static V and_nor(V a, V b, V c) { return both<Ops::and_nor>(a, b, c); }
    static V or_xor(V a, V b, V c) { return both<Ops::or_xor>(a, b, c); }
    static V if_single(V a) { return both<Ops::if_single>(a); }
    static V and_or(V a, V b, V c) { return both<Ops::and_or>(a, b, c); }
    static V if_any_else(V a, V b) { return both<Ops::if_any_else>(a, b); }
    static V all_unless_full(V a) { return both<Ops::all_unless_full>(a); }
    static V min(V a, V b) { return both<Ops::min>(a, b); }
    static std::uint32_t equal(V a, V b) { return Ops::equal(a.low, b.low) | Ops::equal(a.high, b.high) << 8; }

    static V load_boxes(const std::uint16_t* at) {
        return {Ops::V{at[0], at[1], at[2], 0, at[3], at[4], at[5], 0}, Ops::V{at[6], at[7], at[8]}};
    }
    static void store_boxes(std::uint16_t* at, V v) {
        for (int stack = 0; stack < 3; ++stack) {
            at[stack] = v.low[stack];
            at[3 + stack] = v.low[4 + stack];
            at[6 + stack] = v.high[stack];
        }
    }
    static V with_lane(V v, int lane, std::uint16_t value) {
        if (lane < 8) {
            v.low[lane] = value;
        } else {
            v.high[lane - 8] = value;
        }
        return v;
    }
    static V next_stack(V v) {
        const auto rotate = [](Ops::V a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3, 5, 6, 4, 7); };
        return {rotate(v.low), rotate(v.high)};
    }
    static V last_stack(V v) {
        const auto rotate = [](Ops::V a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3, 6, 4, 5, 7); };
        return {rotate(v.low), rotate(v.high)};
    }
    static V next_band(V v) {
        return {__builtin_shufflevector(v.low, v.high, 4, 5, 6, 7, 8, 9, 10, 11),
                __builtin_shufflevector(v.low, v.high, 0, 1, 2, 3, 12, 13, 14, 15)};
    }
    static V last_band(V v) {
        return {__builtin_shufflevector(v.low, v.high, 8, 9, 10, 11, 0, 1, 2, 3),
                __builtin_shufflevector(v.low, v.high, 4, 5, 6, 7, 12, 13, 14, 15)};
    }
};

}  // namespace

void run_bulk_portable(BulkJob& job) { run_job<Ops, SingleOps>(job); }

}  // namespace sudokulab
