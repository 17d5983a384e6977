// The minimal puzzles of random 9×9 grids and removal orders (see `minimal_sample.h`); the caller answers whether
// puzzles have other solutions.
//
// An order is drawn from its end: the last digit to be removed is the first given, and givens are added until each
// known unavoidable set has one. Fewer have several solutions. Once a given follows from the others by a single, this
// puzzle and those with more givens are not minimal. That rejects nearly all orders before their sets are complete. For
// the others, the first question is whether the largest puzzle without such a given has other solutions; if so, the
// order is rejected. Then a given that is not the only one of a known set is left out. If the solution stays unique,
// the given is dropped if it was the last one, and the order is rejected otherwise. If not, the other solution yields a
// new set. Once all givens are known to be necessary, the puzzle is minimal.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "generation/deducible_givens.h"
#include "generation/minimal_sample.h"
#include "generation/unavoidable_sets.h"

namespace sudokulab {

class RemovalOrders {
public:
    using Result = std::vector<MinimalPuzzle>;

    RemovalOrders(std::uint64_t seed, bool only_first, Control& control);
    // The same for this grid and this order only: 81 digits and all cells.
    RemovalOrders(std::span<const std::uint8_t> solution, std::span<const std::uint8_t> order, Control& control);

    bool is_done() const { return is_done_; }

    // The question, unless the search is done: does this puzzle have a solution other than this one?
    const std::uint8_t* question() const { return question_.data(); }
    const std::uint8_t* solution() const { return solution_.data(); }

    // Continues to the next question or the end, or until stopped. `other_solution` is null if there is none.
    void answer(const std::uint8_t* other_solution, Control& control);

    Result take_result() { return std::move(found_); }

private:
    static constexpr std::size_t num_words = 2;
    using Sets = std::array<std::uint64_t, num_words>;  // of the first unavoidable sets, one bit each

    void go_on(Control& control);
    void begin_grid();
    void set_up_grid();
    void mark_sets();
    std::span<const std::uint8_t> givens() const { return std::span(order_).first(num_givens_); }
    std::uint8_t add_given();
    bool draw_order();
    bool complete_order();
    bool ask();

    Rng rng_;        // of grids, and of the seeds of orders
    Rng order_rng_;  // of this order
    bool only_first_;
    int num_grids_left_;
    int num_orders_left_ = 0;  // of this grid
    bool is_drawn_ = true;     // the order is random
    bool is_done_ = false;
    Result found_;

    std::array<std::uint8_t, bulk_cells> solution_{};
    std::array<std::uint8_t, bulk_cells> question_{};
    UnavoidableSets unavoidable_;
    std::size_t num_marked_ = 0;  // sets in `sets_of_`
    Sets all_marked_{};
    std::array<Sets, bulk_cells> sets_of_{};  // by cell
    DeducibleGivens deducible_;

    std::array<std::uint8_t, bulk_cells> order_{};  // the givens, then the other cells
    std::size_t num_givens_ = 0;
    bool has_candidate_ = false;
    bool is_unique_ = false;     // the solution of the candidate
    std::uint8_t left_out_ = 0;  // a given of the candidate that the question leaves out
};

}  // namespace sudokulab
