#include "logic/techniques/links.h"

#include <array>

namespace sudokulab::techniques {

void LinkGraph::build(const OpenBoard& board) {
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

    weak_.clear();
    strong_.clear();
    weak_begin_.clear();
    strong_begin_.clear();
    peers_.assign(static_cast<std::size_t>(size() * num_words_), 0);
    neighbours_.assign(static_cast<std::size_t>(size() * num_words_), 0);
    for (int own = 0; own < size(); ++own) {
        const auto [cell, digit] = candidate(own);
        weak_begin_.push_back(static_cast<std::uint32_t>(weak_.size()));
        strong_begin_.push_back(static_cast<std::uint32_t>(strong_.size()));
        std::uint64_t* peers = &peers_[static_cast<std::size_t>(own * num_words_)];
        std::uint64_t* neighbours = &neighbours_[static_cast<std::size_t>(own * num_words_)];

        const std::uint64_t others = board.candidates(cell) & ~bit(digit);
        for (int mate = first_id(cell); mate < first_id(cell + 1); ++mate) {
            if (mate == own) continue;
            weak_.push_back({static_cast<std::uint16_t>(mate), Cause::cell});
            neighbours[mate >> 6] |= bit(mate & 63);
        }
        if (std::has_single_bit(others)) {
            strong_.push_back({static_cast<std::uint16_t>(id(cell, lowest_bit(others))), Cause::cell});
        }
        const std::size_t first_strong = strong_.size();
        for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
            const int unit = board.unit(kind, cell);
            const std::uint64_t positions = board.positions(unit, digit) & ~bit(board.position(kind, cell));
            for_each_bit(positions, [&](int position) {
                const int peer = id(geometry.cell(unit, position), digit);
                std::uint64_t& word = peers[peer >> 6];
                if ((word >> (peer & 63) & 1) != 0) return;
                word |= bit(peer & 63);
                weak_.push_back({static_cast<std::uint16_t>(peer), cause_of(kind)});
            });
            if (!std::has_single_bit(positions)) continue;
            const auto peer = static_cast<std::uint16_t>(id(geometry.cell(unit, lowest_bit(positions)), digit));
            bool is_known = false;
            for (std::size_t k = first_strong; k < strong_.size(); ++k) is_known |= strong_[k].id == peer;
            if (!is_known) strong_.push_back({peer, cause_of(kind)});
        }
        for (int word = 0; word < num_words_; ++word) neighbours[word] |= peers[word];
    }
    weak_begin_.push_back(static_cast<std::uint32_t>(weak_.size()));
    strong_begin_.push_back(static_cast<std::uint32_t>(strong_.size()));
}

}  // namespace sudokulab::techniques
