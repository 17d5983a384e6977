#include "logic/techniques/cell_set.h"

namespace sudokulab::techniques {

CellMap::CellMap(const OpenBoard& board)
    : of_digit_(static_cast<std::size_t>(board.geometry().size())),
      units_(static_cast<std::size_t>(board.geometry().num_units())),
      peers_(static_cast<std::size_t>(board.geometry().num_cells())) {
    const Geometry& geometry = board.geometry();
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        all_.add(cell);
        if (board.is_open(cell)) open_.add(cell);
        for_each_bit(board.candidates(cell), [&](int digit) { of_digit_[static_cast<std::size_t>(digit)].add(cell); });
        for (const int unit : geometry.units(cell).unit) units_[static_cast<std::size_t>(unit)].add(cell);
    }
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        CellSet& peers = peers_[static_cast<std::size_t>(cell)];
        for (const int unit : geometry.units(cell).unit) peers |= units_[static_cast<std::size_t>(unit)];
        peers.remove(cell);
    }
}

CellSet CellMap::common_peers(const CellSet& cells) const {
    CellSet common = all_;
    cells.for_each([&](int cell) { common &= peers(cell); });
    return common;
}

}  // namespace sudokulab::techniques
