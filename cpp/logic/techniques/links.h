// The links between the candidates of a board: the steps of every chain.
//
// A weak link leads from a true candidate to a false one: another digit of the cell, or another position of the digit
// in a unit. A strong link leads from a false candidate to a true one: the only other digit of the cell, or the only
// other position of the digit in a unit.
//
// Order (Sudoku Explainer): the cell, then box, row and column; digits and positions ascending. A candidate that is
// reached in several ways is listed once, at its first place.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "logic/techniques/technique_board.h"

namespace sudokulab::techniques {

// Where a link comes from.
enum class Cause : std::uint8_t { none, cell, box, row, column };

inline Cause cause_of(UnitKind kind) {
    return kind == UnitKind::box ? Cause::box : kind == UnitKind::row ? Cause::row : Cause::column;
}

inline UnitKind kind_of(Cause cause) {
    return cause == Cause::box ? UnitKind::box : cause == Cause::row ? UnitKind::row : UnitKind::column;
}

// Candidates are numbered by cell, then digit; only open ones get a number.
class LinkGraph {
public:
    struct Target {
        std::uint16_t id;
        Cause cause;
    };

    void build(const TechniqueBoard& board);
    // The lists of weak links are only needed to follow chains, so they are built separately.
    void build_weak_links(const TechniqueBoard& board);

    int size() const { return static_cast<int>(candidates_.size()); }
    const Candidate& candidate(int id) const {
        assert(0 <= id && id < size());
        return candidates_[static_cast<std::size_t>(id)];
    }
    int id(int cell, int digit) const {
        assert(0 <= digit && digit < num_digits_);
        return ids_[static_cast<std::size_t>(cell * num_digits_ + digit)];
    }
    // The first candidate of each cell; those of the next cell follow.
    int first_id(int cell) const { return first_ids_[static_cast<std::size_t>(cell)]; }

    std::span<const Target> weak(int id) const { return list(weak_, weak_begin_, id); }
    std::span<const Target> strong(int id) const { return list(strong_, strong_begin_, id); }

    // Sets of candidates, as bit masks of num_words() words: the positions seen by a candidate, and with the other
    // digits of its cell.
    int num_words() const { return num_words_; }
    const std::uint64_t* peers(int id) const { return &peers_[static_cast<std::size_t>(id * num_words_)]; }
    const std::uint64_t* neighbours(int id) const { return &neighbours_[static_cast<std::size_t>(id * num_words_)]; }

private:
    static std::span<const Target> list(const std::vector<Target>& targets, const std::vector<std::uint32_t>& begin,
                                        int id) {
        const auto k = static_cast<std::size_t>(id);
        assert(k + 1 < begin.size() && begin[k] <= begin[k + 1] && begin[k + 1] <= targets.size());
        return std::span(targets).subspan(begin[k], begin[k + 1] - begin[k]);
    }

    void collect_members(const TechniqueBoard& board);
    void fill_rows(int own);
    void add_strong_links(const TechniqueBoard& board, int own);

    int num_digits_ = 0;
    int num_words_ = 0;
    std::vector<Candidate> candidates_;
    std::vector<int> ids_;        // by cell and digit; -1 for candidates that are not open
    std::vector<int> first_ids_;  // by cell, and one past the end
    std::vector<Target> weak_;
    std::vector<Target> strong_;
    std::vector<std::uint32_t> weak_begin_;
    std::vector<std::uint32_t> strong_begin_;
    std::vector<std::array<int, 3>> units_;  // by candidate: the index of its digit in its units, in members_
    std::vector<std::uint64_t> members_;     // by unit and digit, as a set of candidates
    std::vector<std::uint64_t> peers_;
    std::vector<std::uint64_t> neighbours_;
};

// The links that a search uses.
struct LinkChoice {
    bool has_cells;  // whether links within cells are used; if not, only the positions of one digit
    bool has_units;  // whether strong links within units are used

    std::span<const LinkGraph::Target> weak(const LinkGraph& graph, int id) const {
        const auto all = graph.weak(id);
        if (has_cells) return all;
        const int cell = graph.candidate(id).cell;
        return all.subspan(static_cast<std::size_t>(graph.first_id(cell + 1) - graph.first_id(cell) - 1));
    }
    std::span<const LinkGraph::Target> strong(const LinkGraph& graph, int id) const {
        const auto all = graph.strong(id);
        const std::size_t num_in_cell = !all.empty() && all[0].cause == Cause::cell ? 1 : 0;
        if (!has_units) return all.first(num_in_cell);
        return has_cells ? all : all.subspan(num_in_cell);
    }
};

// A set of candidates by number.
class CandidateSet {
public:
    void reset(int size) { words_.assign(static_cast<std::size_t>(size + 63) / 64, 0); }
    bool has(int id) const { return words_[word(id)] >> (id & 63) & 1; }
    void add(int id) { words_[word(id)] |= std::uint64_t{1} << (id & 63); }
    void clear() { words_.assign(words_.size(), 0); }
    bool is_empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : words_) any |= word;
        return any == 0;
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::size_t word = 0; word < words_.size(); ++word) {
            for_each_bit(words_[word], [&](int k) { visit(static_cast<int>(word) * 64 + k); });
        }
    }
    const std::vector<std::uint64_t>& words() const { return words_; }

private:
    std::size_t word(int id) const {
        assert(id >= 0 && static_cast<std::size_t>(id) >> 6 < words_.size());
        return static_cast<std::size_t>(id) >> 6;
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace sudokulab::techniques
