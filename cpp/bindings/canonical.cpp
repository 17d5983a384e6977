// Canonical forms and equivalence of puzzles.
#include "grid/canonical.h"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "bindings/puzzle_rows.h"
#include "bindings/without_gil.h"
#include "bindings/zeroed_arrays.h"
#include "grid/equivalence.h"
#include "grid/second_rows.h"

namespace sudokulab {
namespace {

void check_canonical(BoxShape box) {
    if (!has_canonical_form(box)) throw std::invalid_argument("no canonical form for this box shape");
}

void check_equivalence(BoxShape box) {
    if (!has_class_hash(box)) throw std::invalid_argument("no equivalence for this box shape");
}

// Puzzles between two checks for Ctrl-C; some take 10 ms each.
std::size_t piece_of(BoxShape box) { return has_canonical_form(box) ? 4 : 1; }

// Forms, is_transposed, rows, cols, digits, num_automorphisms, hashes.
using CanonicalArrays = std::tuple<Array<std::uint8_t>, Array<bool>, Array<std::uint8_t>, Array<std::uint8_t>,
                                   Array<std::uint8_t>, Array<std::uint32_t>, Array<std::uint64_t>>;

CanonicalArrays canonical_array(const Puzzles& puzzles, const std::optional<Puzzles>& solutions, int box_rows,
                                int box_cols, int num_threads) {
    const BoxShape box{box_rows, box_cols};
    check_canonical(box);
    const PuzzleRows givens(puzzles, box);
    const PuzzleRows grids(solutions.value_or(puzzles), box);
    const std::size_t number = givens.size();
    if (grids.size() != number) throw std::invalid_argument("puzzles and solutions differ in number");
    const auto size = static_cast<std::size_t>(box.size());
    auto forms = zeros<std::uint8_t>(number, givens.num_cells());
    auto is_transposed = zeros<bool>(number);
    auto rows = zeros<std::uint8_t>(number, size);
    auto cols = zeros<std::uint8_t>(number, size);
    auto digits = zeros<std::uint8_t>(number, size);
    auto num_automorphisms = zeros<std::uint32_t>(number);
    auto hashes = zeros<std::uint64_t>(number);
    for_each_puzzle(number, piece_of(box), num_threads, [&](std::size_t i) {
        const Canonical found =
            solutions ? canonical_form_through(box, givens[i], grids[i]) : canonical_form(box, givens[i]);
        std::copy_n(found.cells.begin(), givens.num_cells(), &forms[i * givens.num_cells()]);
        is_transposed[i] = found.transformation.is_transposed;
        std::copy_n(found.transformation.rows.begin(), size, &rows[i * size]);
        std::copy_n(found.transformation.cols.begin(), size, &cols[i * size]);
        std::copy_n(found.transformation.digits.begin(), size, &digits[i * size]);
        num_automorphisms[i] = static_cast<std::uint32_t>(found.num_automorphisms);
        hashes[i] = hash_of(box, Cells(found.cells).first(givens.num_cells()));
    });
    return {to_array(std::move(forms), {number, givens.num_cells()}),
            to_array(std::move(is_transposed), {number}),
            to_array(std::move(rows), {number, size}),
            to_array(std::move(cols), {number, size}),
            to_array(std::move(digits), {number, size}),
            to_array(std::move(num_automorphisms), {number}),
            to_array(std::move(hashes), {number})};
}

// Triples, pairs, entries as rank, number and first order, and the orders of all entries.
std::tuple<Array<std::uint8_t>, Array<std::uint8_t>, Array<std::uint32_t>, Array<std::uint8_t>> second_rows() {
    const SecondRows& table = SecondRows::table();
    const std::size_t num_triples = table.triples().size();
    const std::size_t num_entries = table.entries().size();
    auto triples = zeros<std::uint8_t>(num_triples, 2);
    for (std::size_t i = 0; i < num_triples; ++i) {
        triples[2 * i] = table.triples()[i].set;
        triples[2 * i + 1] = table.triples()[i].order;
    }
    auto pairs = zeros<std::uint8_t>(SecondRows::num_sets, SecondRows::num_sets);
    for (std::size_t i = 0; i < SecondRows::num_sets; ++i) {
        std::copy(table.pairs()[i].begin(), table.pairs()[i].end(), &pairs[i * SecondRows::num_sets]);
    }
    auto entries = zeros<std::uint32_t>(num_entries, 3);
    for (std::size_t i = 0; i < num_entries; ++i) {
        const SecondRows::Entry& entry = table.entries()[i];
        entries[3 * i] = entry.rank;
        entries[3 * i + 1] = entry.num_orders;
        entries[3 * i + 2] = entry.first;
    }
    auto orders = zeros<std::uint8_t>(table.num_choices(), max_canonical_size);
    for (std::size_t i = 0; i < table.num_choices(); ++i) {
        const CanonicalLine& cols = table.order(static_cast<std::uint32_t>(i)).cols;
        std::copy(cols.begin(), cols.end(), &orders[i * max_canonical_size]);
    }
    return {to_array(std::move(triples), {num_triples, 2}),
            to_array(std::move(pairs), {SecondRows::num_sets, SecondRows::num_sets}),
            to_array(std::move(entries), {num_entries, 3}),
            to_array(std::move(orders), {table.num_choices(), max_canonical_size})};
}

Array<std::uint64_t> class_hash_array(const Puzzles& puzzles, int box_rows, int box_cols, int num_threads) {
    const BoxShape box{box_rows, box_cols};
    check_equivalence(box);
    const PuzzleRows givens(puzzles, box);
    auto hashes = zeros<std::uint64_t>(givens.size());
    for_each_puzzle(givens.size(), piece_of(box), num_threads,
                    [&](std::size_t i) { hashes[i] = class_hash(box, givens[i]); });
    return to_array(std::move(hashes), {givens.size()});
}

bool is_equivalent(const Puzzle& one, const Puzzle& other) {
    if (one.box.rows != other.box.rows || one.box.cols != other.box.cols) return false;
    check_equivalence(one.box);
    return without_gil([&] {
        bool is_same = false;
        run_parallel(1, 1, is_interrupted, [&](std::size_t, const Interrupted& stop) {
            is_same = are_equivalent(one.box, one.givens, other.givens, stop);
        });
        return is_same;
    });
}

}  // namespace

void bind_canonical(nb::module_& m) {
    m.attr("max_canonical_size") = max_canonical_size;
    m.attr("max_equivalence_size") = max_equivalence_size;
    m.def("canonical_array", &canonical_array, "puzzles"_a, "solutions"_a.none(), "box_rows"_a, "box_cols"_a,
          "num_threads"_a,
          "Return the canonical forms of puzzles, through their solutions if given; is_transposed, rows, columns and "
          "digits of the transformations; the numbers of automorphisms; the hashes of the forms.");
    m.def(
        "second_rows", &second_rows,
        "Return the table behind the canonical forms of 9×9 grids: triples of columns, pairs of triples, entries, and "
        "the orders of columns.");
    m.def("class_hash_array", &class_hash_array, "puzzles"_a, "box_rows"_a, "box_cols"_a, "num_threads"_a,
          "Return a hash of each puzzle that equivalent puzzles share.");
    m.def("is_equivalent", &is_equivalent, "one"_a, "other"_a, "Return whether two puzzles are equivalent.");
}

}  // namespace sudokulab
