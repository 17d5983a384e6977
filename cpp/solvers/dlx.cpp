#include "solvers/dlx.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace sudokulab {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

// The four constraints satisfied by placing a digit in a cell.
std::array<int, 4> constraints(const Geometry& geometry, int cell, int digit) {
    const int size = geometry.size();
    const auto& unit = geometry.units(cell).unit;
    const int first = geometry.num_cells() + digit;
    return {cell, first + unit[0] * size, first + unit[1] * size, first + unit[2] * size};
}

}  // namespace

DlxSearch::DlxSearch(const Puzzle& puzzle) : box_(puzzle.box), givens_(puzzle.givens) { build(); }

void DlxSearch::build() {
    const Geometry& geometry = Geometry::of(box_);
    const int size = geometry.size();
    const int num_constraints = geometry.num_cells() + geometry.num_units() * size;

    std::vector<bool> is_met(at(num_constraints), false);
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (givens_[at(cell)] == 0) continue;
        ++num_givens_;
        for (const int constraint : constraints(geometry, cell, givens_[at(cell)] - 1)) {
            if (is_met[at(constraint)]) has_clash_ = true;
            is_met[at(constraint)] = true;
        }
    }

    std::vector<Index> column_of(at(num_constraints), 0);
    headers_.push_back({0, 0, 0});
    for (int constraint = 0; constraint < num_constraints; ++constraint) {
        if (is_met[at(constraint)]) continue;
        const auto column = static_cast<Index>(headers_.size());
        column_of[at(constraint)] = column;
        headers_.push_back({column - 1, column + 1, 0});
    }
    headers_.front().left = static_cast<Index>(headers_.size()) - 1;
    headers_.front().right = headers_.size() > 1 ? 1 : 0;
    headers_.back().right = 0;

    first_row_node_ = static_cast<Index>(headers_.size());
    for (Index column = 0; column < first_row_node_; ++column) nodes_.push_back({column, column, column});
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (is_met[at(cell)]) continue;
        for (int digit = 0; digit < size; ++digit) {
            const auto row = constraints(geometry, cell, digit);
            if (std::any_of(row.begin(), row.end(), [&](int constraint) { return is_met[at(constraint)]; })) continue;
            row_options_.push_back(cell * size + digit);
            for (const int constraint : row) {
                const Index column = column_of[at(constraint)];
                const auto node = static_cast<Index>(nodes_.size());
                const Index last = nodes_[at(column)].up;
                nodes_.push_back({last, column, column});
                nodes_[at(last)].down = node;
                nodes_[at(column)].up = node;
                ++headers_[at(column)].num_rows;
            }
        }
    }
}

// Visits the row's other three nodes, left to right.
template <class Visit>
void DlxSearch::for_others_in_row(Index node, Visit visit) const {
    assert(first_row_node_ <= node && at(node) < nodes_.size());
    const Index first = node - (node - first_row_node_) % 4;
    for (Index other = first; other < first + 4; ++other) {
        if (other != node) visit(other);
    }
}

void DlxSearch::cover(Index column) {
    assert(0 < column && column < first_row_node_);
    Header& header = headers_[at(column)];
    headers_[at(header.left)].right = header.right;
    headers_[at(header.right)].left = header.left;
    for (Index row = nodes_[at(column)].down; row != column; row = nodes_[at(row)].down) {
        for_others_in_row(row, [&](Index other) {
            const Node& node = nodes_[at(other)];
            assert(nodes_[at(node.up)].down == other && nodes_[at(node.down)].up == other);
            nodes_[at(node.up)].down = node.down;
            nodes_[at(node.down)].up = node.up;
            assert(headers_[at(node.column)].num_rows > 0);
            --headers_[at(node.column)].num_rows;
        });
        num_updates_ += 3;
    }
}

// Exactly undoes `cover`. The order inside a row does not matter: its nodes are in different columns.
void DlxSearch::uncover(Index column) {
    for (Index row = nodes_[at(column)].up; row != column; row = nodes_[at(row)].up) {
        for_others_in_row(row, [&](Index other) {
            const Node& node = nodes_[at(other)];
            assert(nodes_[at(node.up)].down == node.down && nodes_[at(node.down)].up == node.up);
            nodes_[at(node.up)].down = other;
            nodes_[at(node.down)].up = other;
            ++headers_[at(node.column)].num_rows;
        });
    }
    const Header& header = headers_[at(column)];
    headers_[at(header.left)].right = column;
    headers_[at(header.right)].left = column;
}

void DlxSearch::choose_row(Index node) {
    for_others_in_row(node, [&](Index other) { cover(nodes_[at(other)].column); });
}

void DlxSearch::unchoose_row(Index node) {
    const Index first = node - (node - first_row_node_) % 4;
    for (Index other = first + 3; other >= first; --other) {
        if (other != node) uncover(nodes_[at(other)].column);
    }
}

DlxSearch::Index DlxSearch::choose_column() const {
    Index best = 0;
    Index fewest = std::numeric_limits<Index>::max();
    for (Index column = headers_[0].right; column != 0; column = headers_[at(column)].right) {
        if (headers_[at(column)].num_rows < fewest) {
            best = column;
            fewest = headers_[at(column)].num_rows;
            if (fewest == 0) break;
        }
    }
    return best;
}

Status DlxSearch::next(Control& control) {
    control.set_columns({"nodes", "depth", "cells_fixed"});
    if (has_clash_) return Status::unsatisfiable;
    while (true) {
        if (is_fresh_) {
            is_fresh_ = false;
            if (headers_[0].right == 0) return Status::solved;
            const Index column = choose_column();
            cover(column);
            chosen_.push_back(column);
        }
        if (chosen_.empty()) return Status::unsatisfiable;
        const bool must_stop = control.must_stop(num_nodes_, [this] { return frame(); });
        if (must_stop || control.is_out_of_nodes()) return Status::unknown;
        advance(control);
    }
}

// Advances the last choice to the next row of its column, or removes it after the last row.
void DlxSearch::advance(Control& control) {
    assert(!chosen_.empty());
    Index& node = chosen_.back();
    const Index column = nodes_[at(node)].column;
    if (node != column) {
        unchoose_row(node);
        ++num_backtracks_;
    }
    node = nodes_[at(node)].down;
    if (node == column) {
        uncover(column);
        chosen_.pop_back();
        return;
    }
    choose_row(node);
    is_fresh_ = true;
    ++num_nodes_;
    ++control.num_nodes;
    max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(chosen_.size()));
    control.sample([&] { return trace_row(); });
}

Grid DlxSearch::grid() const {
    Grid grid = givens_;
    for (std::size_t i = 0; i < depth(); ++i) {
        grid[at(option(chosen_[i]) / box_.size())] = static_cast<std::uint8_t>(option(chosen_[i]) % box_.size() + 1);
    }
    return grid;
}

Frame DlxSearch::frame() const {
    Frame frame{.values = trace_row(), .grid = grid()};
    frame.candidates.resize(givens_.size());
    for (std::size_t cell = 0; cell < givens_.size(); ++cell) {
        if (frame.grid[cell] != 0) frame.candidates[cell] = std::uint64_t{1} << (frame.grid[cell] - 1);
    }
    const auto add_rows = [&](Index column) {
        for (Index node = nodes_[at(column)].down; node != column; node = nodes_[at(node)].down) {
            frame.candidates[at(option(node) / box_.size())] |= std::uint64_t{1} << option(node) % box_.size();
        }
    };
    for (Index column = headers_[0].right; column != 0; column = headers_[at(column)].right) add_rows(column);
    if (depth() < chosen_.size()) add_rows(chosen_.back());
    for (std::size_t i = 0; i < depth(); ++i) {
        frame.decisions.emplace_back(option(chosen_[i]) / box_.size(), option(chosen_[i]) % box_.size() + 1);
    }
    return frame;
}

Stats DlxSearch::stats() const {
    return {
        {"nodes", num_nodes_}, {"backtracks", num_backtracks_}, {"max_depth", max_depth_}, {"updates", num_updates_}};
}

}  // namespace sudokulab
