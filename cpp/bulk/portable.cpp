// 8 puzzles side by side, in whatever vectors of 16 bytes the compiler has for this machine.
#include "engine.h"

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
    static V unless_single_and_not(V a, V b) { return a & ~(b & ~is_zero(a & (a - 1))); }
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
    static V count_bits(V a) {
        a = a - ((a >> 1) & 0x5555);
        a = (a & 0x3333) + ((a >> 2) & 0x3333);
        a = (a + (a >> 4)) & 0x0F0F;
        return (a + (a >> 8)) & 0x1F;
    }
    static V add(V a, V b) { return a + b; }
    static V multiply(V a, V b) { return a * b; }
    static int sum_of_bytes(V a) {
        int total = 0;
        for (int lane = 0; lane < lanes; ++lane) total += a[lane];
        return total;
    }
    static V weight_of(V number) {
        const V two = reinterpret_cast<V>(number == 2) & 6;
        const V three = reinterpret_cast<V>(number == 3) & 2;
        return two | three | (reinterpret_cast<V>(number > 3) & 1);
    }
};

}  // namespace

void run_bulk_portable(BulkJob& job) { Engine<Ops>(job).run(); }

}  // namespace sudokulab
