#include "logic/techniques/wings.h"

namespace sudokulab::techniques {
namespace {

bool find(const OpenBoard& board, bool has_z, const Visitor& visit) {
    const int num_cells = board.geometry().num_cells();
    std::vector<int> bivalue;
    for (int cell = 0; cell < num_cells; ++cell) {
        if (board.num_candidates(cell) == 2) bivalue.push_back(cell);
    }
    Step step;
    step.technique = has_z ? Technique::xyz_wing : Technique::xy_wing;
    for (int hinge = 0; hinge < num_cells; ++hinge) {
        const std::uint64_t digits = board.candidates(hinge);
        if (num_bits(digits) != (has_z ? 3 : 2)) continue;
        for (const int first : bivalue) {
            const std::uint64_t xz = board.candidates(first);
            if (num_bits(digits & ~xz) != 1 || !board.sees(hinge, first)) continue;
            for (const int second : bivalue) {
                const std::uint64_t yz = board.candidates(second);
                if (num_bits(digits | xz | yz) != 3) continue;
                if (num_bits(digits & xz & yz) != (has_z ? 1 : 0) || !board.sees(hinge, second)) continue;
                const int z = lowest_bit(xz & yz);
                step.eliminations.clear();
                for (int cell = 0; cell < num_cells; ++cell) {
                    if (board.has(cell, z) && board.sees(cell, first) && board.sees(cell, second) && cell != hinge &&
                        (!has_z || board.sees(cell, hinge))) {
                        step.eliminations.push_back({cell, z});
                    }
                }
                if (step.eliminations.empty()) continue;
                step.cells = {hinge, first, second};
                step.pattern.clear();
                for (const int cell : step.cells) {
                    for_each_bit(board.candidates(cell), [&](int digit) { step.pattern.push_back({cell, digit}); });
                }
                if (!visit(step)) return false;
            }
        }
    }
    return true;
}

}  // namespace

bool find_xy_wings(const OpenBoard& board, const Visitor& visit) { return find(board, false, visit); }

bool find_xyz_wings(const OpenBoard& board, const Visitor& visit) { return find(board, true, visit); }

}  // namespace sudokulab::techniques
