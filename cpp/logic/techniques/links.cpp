#include "logic/techniques/links.h"

#include <cassert>
#include <limits>

namespace sudokulab::techniques {

void LinkGraph::build(const TechniqueBoard& board) {
    const Geometry& geometry = board.geometry();
    num_digits_ = geometry.size();
    candidates_.clear();
    ids_.assign(static_cast<std::size_t>(geometry.num_cells() * num_digits_), -1);
    first_ids_.clear();
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        first_ids_.push_back(size());
        for_each_bit(board.candidates(cell), [&](int digit) {
            ids_[static_cast<std::size_t>(cell * num_digits_ + digit)] = size();
            candidates_.push_back({cell, digit});
        });
    }
    first_ids_.push_back(size());
    num_words_ = (size() + 63) / 64;
    assert(size() <= std::numeric_limits<std::uint16_t>::max());  // links store numbers in 16 bits

    collect_members(board);
    const auto num_words = static_cast<std::size_t>(num_words_);
    const auto num_rows = static_cast<std::size_t>(size()) * num_words;
    peers_.resize(num_rows);
    neighbours_.resize(num_rows);
    weak_.clear();
    weak_begin_.clear();
    strong_.clear();
    strong_begin_.clear();
    for (int own = 0; own < size(); ++own) {
        fill_rows(own);
        strong_begin_.push_back(static_cast<std::uint32_t>(strong_.size()));
        add_strong_links(board, own);
    }
    strong_begin_.push_back(static_cast<std::uint32_t>(strong_.size()));
}

void LinkGraph::build_weak_links(const TechniqueBoard& board) {
    const Geometry& geometry = board.geometry();
    for (int own = 0; own < size(); ++own) {
        const auto [cell, digit] = candidate(own);
        weak_begin_.push_back(static_cast<std::uint32_t>(weak_.size()));
        for (int mate = first_id(cell); mate < first_id(cell + 1); ++mate) {
            if (mate != own) weak_.push_back({static_cast<std::uint16_t>(mate), Cause::cell});
        }
        const int box = board.unit(UnitKind::box, cell);
        for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
            const int unit = board.unit(kind, cell);
            for_each_bit(board.positions(unit, digit) & ~bit(board.position(kind, cell)),
                         [&, digit = digit](int position) {
                             const int other = geometry.cell(unit, position);
                             if (kind != UnitKind::box && board.unit(UnitKind::box, other) == box) return;
                             assert(id(other, digit) >= 0);
                             weak_.push_back({static_cast<std::uint16_t>(id(other, digit)), cause_of(kind)});
                         });
        }
    }
    weak_begin_.push_back(static_cast<std::uint32_t>(weak_.size()));
}

void LinkGraph::collect_members(const TechniqueBoard& board) {
    const Geometry& geometry = board.geometry();
    members_.assign(static_cast<std::size_t>(geometry.num_units() * num_digits_ * num_words_), 0);
    units_.clear();
    for (int own = 0; own < size(); ++own) {
        const auto [cell, digit] = candidate(own);
        const auto& rows = geometry.units(cell).row_of_unit;
        units_.push_back({rows[0] + digit, rows[1] + digit, rows[2] + digit});
        for (const int unit : units_.back())
            members_[static_cast<std::size_t>(unit * num_words_ + (own >> 6))] |= bit(own & 63);
    }
}

void LinkGraph::fill_rows(int own) {
    const auto first = static_cast<std::size_t>(own * num_words_);
    const auto& units = units_[static_cast<std::size_t>(own)];
    for (int word = 0; word < num_words_; ++word) {
        std::uint64_t all = 0;
        for (const int unit : units) all |= members_[static_cast<std::size_t>(unit * num_words_ + word)];
        peers_[first + static_cast<std::size_t>(word)] = all;
        neighbours_[first + static_cast<std::size_t>(word)] = all;
    }
    const int cell = candidate(own).cell;
    for (int mate = first_id(cell); mate < first_id(cell + 1); ++mate) {
        neighbours_[first + static_cast<std::size_t>(mate >> 6)] |= bit(mate & 63);
    }
    peers_[first + static_cast<std::size_t>(own >> 6)] &= ~bit(own & 63);
    neighbours_[first + static_cast<std::size_t>(own >> 6)] &= ~bit(own & 63);
}

void LinkGraph::add_strong_links(const TechniqueBoard& board, int own) {
    const Geometry& geometry = board.geometry();
    const auto [cell, digit] = candidate(own);
    const std::uint64_t others = board.candidates(cell) & ~bit(digit);
    if (has_one_bit(others)) {
        strong_.push_back({static_cast<std::uint16_t>(id(cell, lowest_bit(others))), Cause::cell});
    }
    const std::size_t first = strong_.size();
    for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
        const int unit = board.unit(kind, cell);
        const std::uint64_t positions = board.positions(unit, digit) & ~bit(board.position(kind, cell));
        if (!has_one_bit(positions)) continue;
        assert(id(geometry.cell(unit, lowest_bit(positions)), digit) >= 0);
        const auto peer = static_cast<std::uint16_t>(id(geometry.cell(unit, lowest_bit(positions)), digit));
        bool is_known = false;
        for (std::size_t k = first; k < strong_.size(); ++k) is_known |= strong_[k].id == peer;
        if (!is_known) strong_.push_back({peer, cause_of(kind)});
    }
}

}  // namespace sudokulab::techniques
