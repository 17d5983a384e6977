#include "logic/techniques/contradictions.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sudokulab::techniques {

void Contradictions::Assumptions::reset(int size, std::size_t row_size) {
    rows[0].assign(static_cast<std::size_t>(size) * row_size, 0);
    changed.reset(size);
    changing.reset(size);
    depths.assign(static_cast<std::size_t>(size), 0);
}

bool Contradictions::search(const LinkGraph& graph, const LinkChoice& links, int max_depth, bool is_complete,
                            Control& control) {
    graph_ = &graph;
    control_ = &control;
    links_ = links;
    nearest_ = 0;
    start();
    int from = 0;
    for (int depth = 2; depth <= max_depth && (is_complete || nearest_ == 0) && step(from, depth); ++depth) from ^= 1;
    return nearest_ > 0;
}

// The direct consequences.
void Contradictions::start() {
    const int size = graph_->size();
    half_ = static_cast<std::size_t>(graph_->num_words());
    row_size_ = 2 * half_;
    on_.reset(size, row_size_);
    off_.reset(size, row_size_);
    for (int id = 0; id < size; ++id) {
        const auto word = static_cast<std::size_t>(id) >> 6;
        std::uint64_t* on = &on_.rows[0][static_cast<std::size_t>(id) * row_size_];
        on[word] |= bit(id & 63);
        const std::uint64_t* direct = links_.has_cells ? graph_->neighbours(id) : graph_->peers(id);
        std::copy(direct, direct + half_, on + half_);
        on_.changed.add(id);
        const auto strong = links_.strong(*graph_, id);
        if (strong.empty()) continue;
        std::uint64_t* off = &off_.rows[0][static_cast<std::size_t>(id) * row_size_];
        off[half_ + word] |= bit(id & 63);
        for (const LinkGraph::Target& target : strong) off[target.id >> 6] |= bit(target.id & 63);
        off_.changed.add(id);
    }
    // All rows count as changed, so the first step copies them.
    on_.rows[1].resize(on_.rows[0].size());
    off_.rows[1].resize(off_.rows[0].size());
}

// Goes one link further; false if there is nothing new or the control stopped it.
bool Contradictions::step(int from, int depth) {
    assert((from == 0 || from == 1) && depth >= 2);
    on_.changing.clear();
    off_.changing.clear();
    affected_on_.assign(half_, 0);
    affected_off_.assign(half_, 0);
    off_.changed.for_each([&](int id) {
        const std::uint64_t* next = links_.has_cells ? graph_->neighbours(id) : graph_->peers(id);
        for (std::size_t word = 0; word < half_; ++word) affected_on_[word] |= next[word];
    });
    on_.changed.for_each([&](int id) {
        for (const LinkGraph::Target& target : links_.strong(*graph_, id)) {
            affected_off_[target.id >> 6] |= bit(target.id & 63);
        }
    });
    for (std::size_t word = 0; word < half_; ++word) {
        const int first = static_cast<int>(word) * 64;
        for_each_bit(affected_on_[word] | on_.changed.words()[word], [&](int k) {
            if (!control_->must_stop()) advance_on(first + k, from, depth);
        });
        for_each_bit(affected_off_[word] | off_.changed.words()[word],
                     [&](int k) { advance_off(first + k, from, depth); });
        if (control_->must_stop()) return false;
    }
    std::swap(on_.changed, on_.changing);
    std::swap(off_.changed, off_.changing);
    return !on_.changed.is_empty() || !off_.changed.is_empty();
}

std::uint64_t* Contradictions::carry_over(Assumptions& own, int id, int from) const {
    const std::size_t first = static_cast<std::size_t>(id) * row_size_;
    std::uint64_t* row = &own.rows[static_cast<std::size_t>(from ^ 1)][first];
    if (own.changed.has(id)) {
        const std::uint64_t* old = &own.rows[static_cast<std::size_t>(from)][first];
        std::copy(old, old + row_size_, row);
    }
    return row;
}

void Contradictions::add(std::uint64_t* row, const Assumptions& other, int id, int from) const {
    assert(0 <= id && id < graph_->size());
    const std::uint64_t* consequences =
        &other.rows[static_cast<std::size_t>(from)][static_cast<std::size_t>(id) * row_size_];
    for (std::size_t word = 0; word < row_size_; ++word) row[word] |= consequences[word];
}

void Contradictions::finish(Assumptions& own, int id, int from, int depth) {
    const std::size_t first = static_cast<std::size_t>(id) * row_size_;
    const std::uint64_t* old = &own.rows[static_cast<std::size_t>(from)][first];
    const std::uint64_t* row = &own.rows[static_cast<std::size_t>(from ^ 1)][first];
    std::uint64_t difference = 0;
    std::uint64_t clash = 0;
    for (std::size_t word = 0; word < row_size_; ++word) difference |= row[word] ^ old[word];
    for (std::size_t word = 0; word < half_; ++word) clash |= row[word] & row[half_ + word];
    if (difference != 0) own.changing.add(id);
    if (clash != 0) {
        own.depths[static_cast<std::size_t>(id)] = depth;
        if (nearest_ == 0) nearest_ = depth;
    }
}

void Contradictions::advance_on(int id, int from, int depth) {
    std::uint64_t* row = carry_over(on_, id, from);
    if (on_.depths[static_cast<std::size_t>(id)] > 0) return;
    const std::uint64_t* next = links_.has_cells ? graph_->neighbours(id) : graph_->peers(id);
    const std::vector<std::uint64_t>& changed = off_.changed.words();
    bool is_affected = false;
    for (std::size_t word = 0; word < half_; ++word) {
        for_each_bit(next[word] & changed[word], [&](int k) {
            add(row, off_, static_cast<int>(word) * 64 + k, from);
            is_affected = true;
        });
    }
    if (is_affected) finish(on_, id, from, depth);
}

void Contradictions::advance_off(int id, int from, int depth) {
    std::uint64_t* row = carry_over(off_, id, from);
    if (off_.depths[static_cast<std::size_t>(id)] > 0) return;
    bool is_affected = false;
    for (const LinkGraph::Target& target : links_.strong(*graph_, id)) {
        if (!on_.changed.has(target.id)) continue;
        add(row, on_, target.id, from);
        is_affected = true;
    }
    if (is_affected) finish(off_, id, from, depth);
}

}  // namespace sudokulab::techniques
