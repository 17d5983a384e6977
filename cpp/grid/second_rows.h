// The second rows of 9×9 grids whose first row is 123456789, up to the order of the columns.
//
// A second row is given by the column of the first row that holds each of its digits. Reordering the columns conjugates
// this permutation; the smallest conjugate is the second row of the canonical form, less one. The table has the orders
// that lead there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "grid/canonical.h"

namespace sudokulab {

class SecondRows {
public:
    using Line = CanonicalLine;

    struct Order {
        Line cols;       // the source of each position
        Line positions;  // the inverse
    };

    struct Entry {
        std::uint16_t rank = unset;    // of the smallest conjugate among all of them
        std::uint16_t num_orders = 0;  // that lead there
        std::uint32_t first = 0;       // of them
    };

    struct Triple {
        std::uint8_t set;    // which columns
        std::uint8_t order;  // in which order
    };

    static constexpr std::size_t num_sets = 84;   // of three columns
    static constexpr std::size_t num_pairs = 56;  // of sets in the first two boxes of a row

    // The table, made in the first call.
    static const SecondRows& table();

    const Entry& operator[](const Line& row) const { return entries_[index(row)]; }
    const Order& order(std::uint32_t index) const { return orders_[choices_[index]]; }

    // The parts of the table, for engines with a memory of their own.
    const std::array<Triple, 729>& triples() const { return triples_; }
    const std::array<std::array<std::uint8_t, num_sets>, num_sets>& pairs() const { return pairs_; }
    const std::array<Entry, num_pairs * 6 * 6 * 6>& entries() const { return entries_; }
    std::size_t num_choices() const { return choices_.size(); }

private:
    static constexpr std::uint16_t unset = 0xffff;
    static constexpr std::uint8_t no_pair = 0xff;

    SecondRows();
    static std::vector<Line> possible_rows();
    static std::size_t code(const std::uint8_t* triple) { return triple[0] * 81u + triple[1] * 9u + triple[2]; }
    void number_triples();
    void number_pairs(const std::vector<Line>& rows);
    void add_class(const Line& smallest, std::uint16_t rank);

    std::size_t index(const Line& row) const {
        const Triple& one = triples_[code(&row[0])];
        const Triple& other = triples_[code(&row[3])];
        const Triple& last = triples_[code(&row[6])];
        return ((pairs_[one.set][other.set] * 6u + one.order) * 6u + other.order) * 6u + last.order;
    }

    std::array<Triple, 729> triples_{};  // by the three columns in a box, as digits to base 9
    std::array<std::array<std::uint8_t, num_sets>, num_sets> pairs_{};
    std::array<Entry, num_pairs * 6 * 6 * 6> entries_{};
    std::vector<Order> orders_;
    std::vector<std::uint16_t> choices_;  // orders, grouped by row
};

}  // namespace sudokulab
