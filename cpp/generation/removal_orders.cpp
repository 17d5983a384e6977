#include "generation/removal_orders.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "generation/uniform_grid.h"

namespace sudokulab {
namespace {

constexpr std::size_t max_givens = 40;  // no minimal puzzle with more is known

// The numbers of givens at which deducible ones are looked for, while unavoidable sets are without a given.
constexpr std::size_t first_check = 27;
constexpr std::size_t next_check = 3;  // givens later

constexpr auto all_cells = [] {
    std::array<std::uint8_t, bulk_cells> cells{};
    std::iota(cells.begin(), cells.end(), std::uint8_t{0});
    return cells;
}();

}  // namespace

RemovalOrders::RemovalOrders(std::uint64_t seed, bool only_first, Control& control)
    : rng_(seed), order_rng_(0), only_first_(only_first), num_grids_left_(sampling_plan(bulk_box).num_grids) {
    go_on(control);
}

RemovalOrders::RemovalOrders(std::span<const std::uint8_t> solution, std::span<const std::uint8_t> order,
                             Control& control)
    : rng_(0), order_rng_(0), only_first_(true), num_grids_left_(0), is_drawn_(false) {
    std::copy_n(solution.begin(), bulk_cells, solution_.begin());
    std::reverse_copy(order.begin(), order.end(), order_.begin());
    set_up_grid();
    has_candidate_ = complete_order();
    go_on(control);
}

void RemovalOrders::answer(const std::uint8_t* other_solution, Control& control) {
    assert(!is_done_ && has_candidate_);
    if (other_solution != nullptr) {
        unavoidable_.add_difference(solution_.data(), other_solution);
        mark_sets();
        has_candidate_ = is_unique_;
    } else if (!is_unique_) {
        is_unique_ = true;
    } else if (left_out_ == givens().back()) {
        assert(num_givens_ > 0);
        --num_givens_;
    } else {
        has_candidate_ = false;
    }
    go_on(control);
}

void RemovalOrders::go_on(Control& control) {
    while (!is_done_ && !control.must_stop()) {
        if (has_candidate_ && ask()) return;
        if (is_done_) return;
        if (num_orders_left_ == 0) {
            is_done_ = num_grids_left_ == 0;
            if (is_done_) return;
            begin_grid();
        }
        --num_orders_left_;
        has_candidate_ = draw_order();
    }
}

void RemovalOrders::begin_grid() {
    --num_grids_left_;
    num_orders_left_ = sampling_plan(bulk_box).num_orders;
    write_uniform_grid(rng_, solution_.data());
    set_up_grid();
}

void RemovalOrders::set_up_grid() {
    deducible_.set_grid(solution_.data());
    unavoidable_ = {};
    unavoidable_.add_digit_pairs(solution_.data());
    sets_of_ = {};
    num_marked_ = 0;
    all_marked_ = {};
    mark_sets();
}

// Marks new unavoidable sets, as long as there is room.
void RemovalOrders::mark_sets() {
    const std::size_t end = std::min(unavoidable_.size(), 64 * num_words);
    for (; num_marked_ < end; ++num_marked_) {
        const std::size_t word = num_marked_ / 64;
        assert(word < num_words);
        const std::uint64_t bit = std::uint64_t{1} << (num_marked_ % 64);
        all_marked_[word] |= bit;
        const Set81& cells = unavoidable_[num_marked_];
        for (std::size_t w = 0; w < cells.words.size(); ++w) {
            for (std::uint64_t left = cells.words[w]; left != 0; left &= left - 1) {
                const std::size_t cell = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
                sets_of_[cell][word] |= bit;
            }
        }
    }
}

// Adds a given of the order; the cells that are not given yet are in any order.
std::uint8_t RemovalOrders::add_given() {
    assert(num_givens_ < bulk_cells);
    std::uint8_t& cell = order_[num_givens_];
    if (is_drawn_) {
        const auto skipped = order_rng_.below(static_cast<std::uint32_t>(bulk_cells - num_givens_));
        std::swap(cell, order_[num_givens_ + skipped]);
    }
    ++num_givens_;
    deducible_.add(cell);
    return cell;
}

bool RemovalOrders::draw_order() {
    order_rng_ = Rng(rng_.next());  // what an order draws does not depend on the sets that were known to earlier ones
    order_ = all_cells;
    return complete_order();
}

// Adds givens until each marked set has one, and then as many as can be in a minimal puzzle. False if the order is
// rejected before.
bool RemovalOrders::complete_order() {
    num_givens_ = 0;
    deducible_.clear();
    Sets met{};
    std::size_t check = first_check;
    while (met != all_marked_) {
        if (num_givens_ == max_givens) return false;
        if (num_givens_ == check) {
            if (deducible_.has_any(givens())) return false;
            check += next_check;
        }
        const Sets& own = sets_of_[add_given()];
        for (std::size_t w = 0; w < num_words; ++w) met[w] |= own[w];
    }
    const std::size_t num_needed = num_givens_;
    assert(num_needed <= max_givens);
    while (num_givens_ <= max_givens && !deducible_.has_any(givens())) add_given();
    is_unique_ = false;
    return num_givens_-- > num_needed;
}

// Asks the next question about the order; false if there is none, because it is rejected or its puzzle is minimal.
bool RemovalOrders::ask() {
    Set81 given;
    for (const std::uint8_t cell : givens()) given.insert(cell);
    question_.fill(0);
    for (const std::uint8_t cell : givens()) question_[cell] = solution_[cell];
    if (!is_unique_) return unavoidable_.all_meet(given);
    const Set81 necessary = unavoidable_.only_cells(given);
    const auto is_doubtful = [&](std::uint8_t cell) { return !necessary.has(cell); };
    const auto doubtful = std::find_if(givens().rbegin(), givens().rend(), is_doubtful);
    if (doubtful == givens().rend()) {
        const int grid = sampling_plan(bulk_box).num_grids - num_grids_left_ - 1;
        found_.push_back({Grid(question_.begin(), question_.end()), Grid(solution_.begin(), solution_.end()), grid});
        is_done_ = only_first_;
        return false;
    }
    left_out_ = *doubtful;
    question_[left_out_] = 0;
    return true;
}

}  // namespace sudokulab
