#include "solvers/parts/constraint_network.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <numeric>
#include <utility>

#include "grid/once_per_shape.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

constexpr auto never = [](std::int64_t) { return false; };

bool are_peers(const Geometry& geometry, int first, int second) {
    const auto& a = geometry.units(first).unit;
    const auto& b = geometry.units(second).unit;
    return a[0] == b[0] || a[1] == b[1] || a[2] == b[2];
}

std::unique_ptr<const ConstraintNetwork> make_sudoku_network(const Geometry& geometry) {
    auto network = std::make_unique<ConstraintNetwork>(geometry.num_cells());
    ConstraintNetwork::Relation differs;
    for (int value = 0; value < geometry.size(); ++value) {
        differs.push_back(~(std::uint64_t{1} << value));
    }
    const int disequality = network->add_relation(std::move(differs));
    for (int first = 0; first < geometry.num_cells(); ++first) {
        for (int second = first + 1; second < geometry.num_cells(); ++second) {
            if (are_peers(geometry, first, second)) {
                network->add_constraint(first, second, disequality, disequality);
            }
        }
    }
    return network;
}

}  // namespace

const ConstraintNetwork& ConstraintNetwork::of_sudoku(BoxShape box) {
    static constinit OncePerShape<ConstraintNetwork> networks;
    return networks.get(box, [box] { return make_sudoku_network(Geometry::of(box)); });
}

int ConstraintNetwork::add_relation(Relation relation) {
    int max_conflicts = 0;
    for (const std::uint64_t supports : relation) max_conflicts = std::max(max_conflicts, std::popcount(~supports));
    max_conflicts_.push_back(max_conflicts);
    relations_.push_back(std::move(relation));
    return static_cast<int>(relations_.size()) - 1;
}

void ConstraintNetwork::add_constraint(int first, int second, int relation, int reverse_relation) {
    assert(0 <= first && first < num_variables() && 0 <= second && second < num_variables() && first != second);
    assert(at(relation) < relations_.size() && at(reverse_relation) < relations_.size());
    const int index = num_arcs();
    arcs_.push_back({first, second, relation, index + 1});
    arcs_.push_back({second, first, reverse_relation, index});
    arcs_of_[at(first)].push_back(index);
    arcs_of_[at(second)].push_back(index + 1);
}

bool ConstraintNetwork::revise(int index, Domains& domains) const {
    assert(0 <= index && index < num_arcs() && domains.size() == arcs_of_.size());
    const Arc& arc = arcs_[at(index)];
    const Relation& supports = relations_[at(arc.relation)];
    const std::uint64_t other = domains[at(arc.to)];
    if (std::popcount(other) > max_conflicts_[at(arc.relation)]) return false;  // every value has a support
    std::uint64_t kept = domains[at(arc.from)];
    for (std::uint64_t left = kept; left != 0; left &= left - 1) {
        const int value = std::countr_zero(left);
        if ((supports[at(value)] & other) == 0) kept &= ~(std::uint64_t{1} << value);
    }
    return std::exchange(domains[at(arc.from)], kept) != kept;
}

template <class SomeMustStop>
bool ConstraintNetwork::run(Domains& domains, std::vector<int> queue, const SomeMustStop& must_stop) const {
    std::vector<bool> is_queued(at(num_arcs()), false);
    for (const int index : queue) is_queued[at(index)] = true;
    std::int64_t num_revisions = 0;
    while (!queue.empty()) {
        const int index = queue.back();  // the paper selects an arbitrary arc; the last one keeps the queue short
        queue.pop_back();
        is_queued[at(index)] = false;
        if (must_stop(num_revisions)) return false;
        if (!revise(index, domains)) continue;
        ++num_revisions;
        const int variable = arc(index).from;
        if (domains[at(variable)] == 0) return false;
        for (const int other : arcs_of(variable)) {
            const int affected = arc(other).reverse;
            if (other != index && !is_queued[at(affected)]) {
                is_queued[at(affected)] = true;
                queue.push_back(affected);
            }
        }
    }
    return true;
}

bool ConstraintNetwork::ac3(Domains& domains, const MustStop& must_stop) const {
    std::vector<int> queue(at(num_arcs()));
    std::iota(queue.begin(), queue.end(), 0);
    if (!must_stop) return run(domains, std::move(queue), never);
    return run(domains, std::move(queue), must_stop);
}

bool ConstraintNetwork::ac3(Domains& domains, std::span<const int> narrowed) const {
    std::vector<int> queue;
    for (const int variable : narrowed) {
        for (const int index : arcs_of(variable)) queue.push_back(arc(index).reverse);
    }
    return run(domains, std::move(queue), never);
}

}  // namespace sudokulab
