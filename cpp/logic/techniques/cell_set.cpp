#include "logic/techniques/cell_set.h"

#include <memory>

#include "grid/once_per_shape.h"

namespace sudokulab::techniques {

CellMap::Table::Table(const Geometry& geometry)
    : units(static_cast<std::size_t>(geometry.num_units())), peers(static_cast<std::size_t>(geometry.num_cells())) {
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        all.add(cell);
        for (const int unit : geometry.units(cell).unit) units[static_cast<std::size_t>(unit)].add(cell);
    }
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        CellSet& own = peers[static_cast<std::size_t>(cell)];
        for (const int unit : geometry.units(cell).unit) own |= units[static_cast<std::size_t>(unit)];
        own.remove(cell);
    }
}

const CellMap::Table& CellMap::table_of(const Geometry& geometry) {
    static constinit OncePerShape<Table> tables;
    return tables.get(geometry.box(), [&] { return std::make_unique<Table>(geometry); });
}

CellMap::CellMap(const TechniqueBoard& board)
    : table_(&table_of(board.geometry())), of_digit_(static_cast<std::size_t>(board.geometry().size())) {
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (board.is_open(cell)) open_.add(cell);
        for_each_bit(board.candidates(cell), [&](int digit) { of_digit_[static_cast<std::size_t>(digit)].add(cell); });
    }
}

CellSet CellMap::common_peers(const CellSet& cells) const {
    CellSet common = table_->all;
    cells.for_each([&](int cell) { common &= peers(cell); });
    return common;
}

}  // namespace sudokulab::techniques
