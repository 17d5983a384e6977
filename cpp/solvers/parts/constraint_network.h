// Arc consistency on a network of binary constraints: Revise3 and AC3 as printed in Soto et al. (2013), algorithms 2
// and 3, after Mackworth (1977).
//
// A domain is a bit set of at most 64 values. A constraint between two variables is a relation: for each value of one,
// the set of compatible values of the other. An arc is a constraint seen from one of its variables.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "grid/geometry.h"

namespace sudokulab {

using Domains = std::vector<std::uint64_t>;

class ConstraintNetwork {
public:
    // By value of the variable at the start of the arc: the supporting values of the other variable.
    using Relation = std::vector<std::uint64_t>;

    struct Arc {
        int from;
        int to;
        int relation;
        int reverse;  // the same constraint from the other side
    };

    explicit ConstraintNetwork(int num_variables) : arcs_of_(static_cast<std::size_t>(num_variables)) {}

    // The network of a Sudoku: one variable per cell, a disequality between any two peers. Created once per shape.
    static const ConstraintNetwork& of_sudoku(BoxShape box);

    int add_relation(Relation relation);
    // Adds a constraint; the two relations are its two directions.
    void add_constraint(int first, int second, int relation, int reverse_relation);

    int num_variables() const { return static_cast<int>(arcs_of_.size()); }
    std::span<const int> arcs_of(int variable) const { return arcs_of_[static_cast<std::size_t>(variable)]; }
    const Arc& arc(int index) const { return arcs_[static_cast<std::size_t>(index)]; }
    int num_arcs() const { return static_cast<int>(arcs_.size()); }

    // Algorithm 2: removes values without support from the domain of the arc's variable. True if there were any.
    bool revise(int arc, Domains& domains) const;

    // Asked before each arc, with the number of revisions so far that removed values.
    using MustStop = std::function<bool(std::int64_t)>;

    // Algorithm 3: makes every arc consistent. False as soon as a domain is empty, or if stopped before the end.
    bool ac3(Domains& domains, const MustStop& must_stop = {}) const;

    // The same after narrowing the domains of some variables of a consistent network: only arcs that point to them can
    // have lost support.
    bool ac3(Domains& domains, std::span<const int> narrowed) const;

private:
    template <class SomeMustStop>
    bool run(Domains& domains, std::vector<int> queue, const SomeMustStop& must_stop) const;

    std::vector<Relation> relations_;
    std::vector<int> max_conflicts_;  // by relation: the maximum number of values incompatible with a value
    std::vector<Arc> arcs_;
    std::vector<std::vector<int>> arcs_of_;  // by variable: the arcs that start from it
};

}  // namespace sudokulab
