#include "generation/bulk_blanking.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "generation/limits.h"
#include "generation/uniform_grid.h"
#include "grid/judge.h"
#include "logic/solvable.h"

namespace sudokulab {
namespace {

constexpr int max_paths = 3;  // more find more puzzles per attempt, but fewer per second

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// The orbits to blank before the next question. More than half of a full grid can nearly always be blanked; after that,
// larger groups need fewer questions, but find larger sets, which decide less.
std::size_t group_size(std::size_t num_orbits, std::size_t num_decided) {
    return num_decided == 0 ? std::max<std::size_t>(num_orbits / 2, 1) : 1 + (num_orbits - num_decided) / 20;
}

}  // namespace

void draw_start(Rng& rng, std::uint8_t* solution, std::span<std::uint8_t> order) {
    write_uniform_grid(rng, solution);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    rng.shuffle(order);
}

BulkBlanking::BulkBlanking(const PuzzleSpec& spec, std::uint64_t seed, Control& control)
    : spec_(&spec),
      is_proved_by_rules_(spec.solved_by && are_rules(*spec.solved_by)),
      rules_(spec.solved_by ? rule_set_of(*spec.solved_by) : std::nullopt),
      rng_(seed) {
    std::array<std::uint8_t, bulk_cells> order;
    const auto orbits = std::span<std::uint8_t>(order).first(num_orbits());
    draw_start(rng_, solution_.data(), orbits);
    begin(orbits, control);
}

BulkBlanking::BulkBlanking(const PuzzleSpec& spec, const Digits& solution, std::span<const std::uint8_t> order,
                           Control& control)
    : spec_(&spec),
      is_proved_by_rules_(spec.solved_by && are_rules(*spec.solved_by)),
      rules_(spec.solved_by ? rule_set_of(*spec.solved_by) : std::nullopt),
      rng_(0),
      solution_(solution) {
    begin(order, control);
}

void BulkBlanking::begin(std::span<const std::uint8_t> order, Control& control) {
    assert(is_solution(solution_.data(), solution_.data(), bulk_box.rows, bulk_box.cols));
    question_ = solution_;
    num_givens_ = static_cast<int>(bulk_cells);
    set_order(order);
    unavoidable_.add_digit_pairs(solution_.data());
    visit_next_group();
    go_on(control);
}

void BulkBlanking::set_order(std::span<const std::uint8_t> order) {
    assert(order.size() == num_orbits() && num_orbits() <= order_.size());
    UnavoidableSets::Positions positions{};
    for (std::size_t i = 0; i < order.size(); ++i) {
        order_[i] = order[i];
        for (const int cell : spec_->orbits[order[i]]) positions[at(cell)] = static_cast<std::uint8_t>(i);
    }
    unavoidable_.set_positions(positions);
}

void BulkBlanking::set_orbit(std::size_t position, bool is_given) {
    assert(position < num_orbits());
    for (const int cell : spec_->orbits[order_[position]]) {
        question_[at(cell)] = is_given ? solution_[at(cell)] : std::uint8_t{0};
    }
}

// Visits the next orbits, up to a position or a number of blanked ones.
void BulkBlanking::visit(std::size_t max_blanked, std::size_t end) {
    assert(num_decided_ <= end && end <= num_orbits() && num_givens_ >= 0);
    trial_ = {};
    trial_.given = given_;
    trial_.num_givens = num_givens_;
    const int least = spec_->num_givens.value_or(0);
    std::size_t i = num_decided_;
    for (; i < end && trial_.num_blanked < max_blanked; ++i) {
        const bool is_needed = unavoidable_.has_last(i, trial_.given);
        const bool stays = is_needed || trial_.num_givens - num_cells(i) < least;
        if (stays) {
            trial_.given.insert(i);
            trial_.is_exhausted &= is_needed;
        } else {
            ++trial_.num_blanked;
            trial_.num_givens -= num_cells(i);
        }
        set_orbit(i, stays);
    }
    for (std::size_t k = i; k < end_; ++k) set_orbit(k, true);  // left by a longer group
    assert(trial_.num_givens >= 0 && given_cells().size() == trial_.num_givens);
    end_ = i;
}

void BulkBlanking::decide() {
    assert(num_decided_ <= end_ && end_ <= num_orbits());
    num_decided_ = end_;
    given_ = trial_.given;
    num_givens_ = trial_.num_givens;
    is_exhausted_ &= trial_.is_exhausted;
}

void BulkBlanking::visit_next_group() { visit(group_size(num_orbits(), num_decided_), num_orbits()); }

// Continues to the next question or the end of the attempt.
void BulkBlanking::go_on(Control& control) {
    while (!is_done_ && !control.must_stop()) {
        if (is_checking_) {
            if (!unchecked_.empty()) {
                question_[at(unchecked_.back())] = 0;
                return;
            }
            is_checking_ = false;
            finish(control);
        } else if (trial_.num_blanked > 0) {
            return;
        } else {
            decide();  // a group without blanked orbits raises no question
            if (num_decided_ < num_orbits()) {
                visit_next_group();
            } else {
                make_solvable(control);
                begin_checks();
            }
        }
    }
}

// Whether a grid solves the question and is not the known solution.
bool BulkBlanking::is_other_solution(const std::uint8_t* grid) const {
    return is_solution(grid, question_.data(), bulk_box.rows, bulk_box.cols) &&
           !std::equal(solution_.begin(), solution_.end(), grid);
}

void BulkBlanking::answer(const std::uint8_t* other_solution, Control& control) {
    assert(!is_done_ && (other_solution == nullptr || is_other_solution(other_solution)));
    if (other_solution != nullptr) unavoidable_.add_difference(solution_.data(), other_solution);
    if (is_checking_) {
        assert(!unchecked_.empty());
        const auto cell = at(unchecked_.back());
        question_[cell] = solution_[cell];
        unchecked_.pop_back();
        num_redundant_ += other_solution == nullptr ? 1 : 0;
    } else if (other_solution == nullptr) {
        decide();
        visit_next_group();
    } else {
        visit(num_orbits(), end_);
    }
    go_on(control);
}

Set81 BulkBlanking::given_cells() const {
    Set81 givens;
    for (std::size_t cell = 0; cell < bulk_cells; ++cell) {
        if (question_[cell] != 0) givens.insert(cell);
    }
    return givens;
}

bool BulkBlanking::is_solvable(Control& control) const { return is_solved_by(puzzle(), *spec_->solved_by, control); }

// Restores blank orbits until the techniques that must suffice do so, along several paths until the puzzle is hard
// enough as well, and then blanks those that are not necessary for the techniques. A minimal puzzle stays as it is.
void BulkBlanking::make_solvable(Control& control) {
    num_unmet_techniques_.reset();
    if (!spec_->solved_by || spec_->is_minimal) return;
    QuickBoard stuck(question_.data());
    if (rules_ ? stuck.is_solved_by(*rules_) : is_solvable(control)) return;
    std::vector<std::size_t> blank;
    std::vector<std::size_t> given;
    for (std::size_t i = 0; i < num_orbits(); ++i) (given_.has(i) ? given : blank).push_back(i);
    const std::optional<std::vector<Stuck>> easier = stuck_boards();
    std::size_t num_restored = 0;
    int num_too_easy = 1;
    for (int path = 0; path < max_paths && num_too_easy > 0 && !control.must_stop(); ++path) {
        for (std::size_t k = 0; k < num_restored; ++k) set_orbit(blank[k], false);
        rng_.shuffle(std::span(blank));
        num_restored = rules_ ? restore_until_solvable(blank, stuck) : restore_until_solvable(blank, control);
        num_too_easy = easier ? num_sufficient(*easier, std::span(blank).first(num_restored))
                              : sudokulab::num_sufficient(*spec_, puzzle(), control);
    }
    if (rules_ && easier) num_unmet_techniques_ = num_too_easy;  // they do not suffice for fewer givens either
    if (num_too_easy > 0) return;
    assert(0 < num_restored && num_restored <= blank.size());
    const auto last = blank.begin() + static_cast<std::ptrdiff_t>(num_restored) - 1;  // without it, they do not suffice
    if (!is_proved_by_rules_) given.clear();  // the others leave one solution, which the techniques do not prove
    given.insert(given.end(), blank.begin(), last);
    rng_.shuffle(std::span(given));
    if (rules_) return blank_unnecessary(std::move(given));
    for (const std::size_t position : given) {
        if (control.must_stop()) return;
        try_to_blank(position, control);
    }
}

// The boards on which the sets of rules that must not suffice are stuck; nothing if other techniques are among them.
std::optional<std::vector<BulkBlanking::Stuck>> BulkBlanking::stuck_boards() const {
    std::vector<Stuck> boards;
    for (const TechniqueList& order : spec_->not_solved_by) {
        const std::optional<RuleSet> rules = rule_set_of(order);
        if (!rules) return std::nullopt;
        boards.push_back({*rules, QuickBoard(question_.data())});
        boards.back().board.is_solved_by(*rules);
    }
    return boards;
}

// The number of these sets that suffice once orbits are restored.
int BulkBlanking::num_sufficient(std::vector<Stuck> boards, std::span<const std::size_t> restored) const {
    return static_cast<int>(std::count_if(boards.begin(), boards.end(), [&](Stuck& stuck) {
        for (const std::size_t position : restored) place(position, stuck.board);
        return stuck.board.is_solved_by(stuck.rules);
    }));
}

// Restores the shortest prefix of blank orbits after which the techniques suffice, and returns its length.
std::size_t BulkBlanking::restore_until_solvable(std::span<const std::size_t> blank, Control& control) {
    std::size_t num_restored = 0;
    const auto restore = [&](std::size_t number) {
        for (; num_restored < number; ++num_restored) set_orbit(blank[num_restored], true);
        for (; num_restored > number; --num_restored) set_orbit(blank[num_restored - 1], false);
    };
    const auto suffices = [&](std::size_t number) {
        restore(number);
        return is_solvable(control);
    };
    std::size_t too_few = 0;
    std::size_t enough = std::min<std::size_t>(4, blank.size());
    while (enough < blank.size() && !suffices(enough)) {
        too_few = enough;
        enough = std::min(2 * enough, blank.size());
    }
    while (enough - too_few > 1) {
        assert(too_few < enough && enough <= blank.size());
        const std::size_t middle = (too_few + enough) / 2;
        (suffices(middle) ? enough : too_few) = middle;
    }
    restore(enough);
    return enough;
}

// The same for a set of rules, from the board on which they are stuck.
std::size_t BulkBlanking::restore_until_solvable(std::span<const std::size_t> blank, QuickBoard board) {
    std::size_t num_restored = 0;
    do {
        assert(num_restored < blank.size());  // with all orbits restored, the grid is full
        set_orbit(blank[num_restored], true);
        place(blank[num_restored], board);
        ++num_restored;
    } while (!board.is_solved_by(*rules_));
    return num_restored;
}

// Blanks a given orbit, unless the techniques no longer suffice or too few givens would remain.
void BulkBlanking::try_to_blank(std::size_t position, Control& control) {
    set_orbit(position, false);
    const Set81 left = given_cells();
    if (!unavoidable_.all_meet(left) || left.size() < spec_->num_givens.value_or(0) || !is_solvable(control))
        set_orbit(position, true);
}

// Tries to blank given orbits in turn, if a set of rules must suffice. An orbit is necessary if it is the only given
// one of an unavoidable set. The others are tried in groups.
void BulkBlanking::blank_unnecessary(std::vector<std::size_t> given) {
    Set81 left;
    for (std::size_t i = 0; i < num_orbits(); ++i) {
        if (is_given(i)) left.insert(i);
    }
    const Set81 necessary = unavoidable_.only_positions(left);
    std::erase_if(given, [&](std::size_t position) { return necessary.has(position); });
    Digits others = question_;
    for (const std::size_t position : given) {
        for (const int cell : spec_->orbits[order_[position]]) others[at(cell)] = 0;
    }
    blank_group(given, QuickBoard(others.data()));
}

// The board holds all givens but those of the group. A group is blanked if these suffice; otherwise each half is tried,
// the first one with all givens of the second. The result is that of trying the orbits one by one.
void BulkBlanking::blank_group(std::span<const std::size_t> group, QuickBoard board) {
    if (board.is_solved_by(*rules_)) {
        for (const std::size_t position : group) {
            if (given_cells().size() - num_cells(position) >= spec_->num_givens.value_or(0)) set_orbit(position, false);
        }
        return;
    }
    if (group.size() == 1) return;
    assert(!group.empty());  // without a group, the board holds all givens, which suffice
    const auto first = group.first(group.size() / 2);
    const auto second = group.subspan(group.size() / 2);
    QuickBoard with_second = board;
    for (const std::size_t position : second) place(position, with_second);
    blank_group(first, with_second);
    for (const std::size_t position : first) {
        if (is_given(position)) place(position, board);
    }
    blank_group(second, board);
}

void BulkBlanking::place(std::size_t position, QuickBoard& board) const {
    for (const int cell : spec_->orbits[order_[position]]) board.place(at(cell), solution_[at(cell)]);
}

// A given is necessary if it is the only one of an unavoidable set. The others are checked, one by one.
void BulkBlanking::begin_checks() {
    is_checking_ = true;
    num_redundant_ = 0;
    const bool is_surely_minimal = is_exhausted_ && num_orbits() == bulk_cells;
    if (!spec_->is_minimal || is_surely_minimal) return;
    const Set81 givens = given_cells();
    const Set81 necessary = unavoidable_.only_cells(givens);
    for (std::size_t cell = 0; cell < bulk_cells; ++cell) {
        if (givens.has(cell) && !necessary.has(cell)) unchecked_.push_back(static_cast<int>(cell));
    }
}

// Judges the puzzle. One with the wrong number of givens, or redundant ones, is changed while that improves it.
void BulkBlanking::finish(Control& control) {
    const Puzzle made = puzzle();
    const int num_unmet = num_unmet_techniques_ ? *num_unmet_techniques_ : num_unmet_techniques(*spec_, made, control);
    Attempt now = judge(*spec_, made, Grid(solution_.begin(), solution_.end()), num_unmet, num_redundant_, control);
    const bool is_first = best_.givens.empty();
    if (is_first || std::pair(now.distance, now.num_unmet) <= std::pair(best_.distance, best_.num_unmet)) {
        if (is_first || now.distance < best_.distance) patience_ = max_changes;
        best_ = std::move(now);
    }
    is_done_ = best_.distance == 0 || patience_-- == 0;
    if (!is_done_) change();
}

// Restores a few blank orbits of the best puzzle and tries to blank others in their place.
void BulkBlanking::change() {
    std::vector<std::uint8_t> order;  // the blank orbits, then the given ones, then the restored ones
    std::vector<std::uint8_t> given;
    for (std::size_t k = 0; k < num_orbits(); ++k) {
        const bool is_given = best_.givens[at(spec_->orbits[k].front())] != 0;
        (is_given ? given : order).push_back(static_cast<std::uint8_t>(k));
    }
    rng_.shuffle(std::span(order));
    rng_.shuffle(std::span(given));
    const std::size_t num_restored = std::min<std::size_t>(1 + rng_.below(3), order.size());
    for (std::size_t k = 0; k < num_restored; ++k) {
        given.push_back(order.back());
        order.pop_back();
    }
    assert(order.size() + given.size() == num_orbits());
    num_decided_ = end_ = order.size();
    given_ = {};
    is_exhausted_ = true;
    order.insert(order.end(), given.begin(), given.end());
    set_order(order);
    num_givens_ = 0;
    for (std::size_t i = 0; i < num_orbits(); ++i) {
        const bool is_given = i >= num_decided_;
        if (is_given) num_givens_ += static_cast<int>(spec_->orbits[order[i]].size());
        set_orbit(i, is_given);
    }
    visit_next_group();
}

}  // namespace sudokulab
