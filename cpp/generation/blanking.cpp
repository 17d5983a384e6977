#include "generation/blanking.h"

#include <algorithm>
#include <cassert>

#include "generation/limits.h"
#include "logic/solvable.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Blanking::Blanking(const PuzzleSpec& spec, Grid solution, Control& control)
    : spec_(spec),
      is_proved_by_rules_(spec.solved_by && are_rules(*spec.solved_by)),
      solution_(std::move(solution)),
      control_(control),
      puzzle_{spec.box, Grid(solution_.size())},
      blank_(Geometry::of(spec.box)),
      board_(blank_) {
    for (const auto& orbit : spec.orbits) {
        for (const int cell : orbit) set(cell, true);
    }
}

bool Blanking::run() {
    std::vector<const Orbit*> orbits;
    for (const auto& orbit : spec_.orbits) orbits.push_back(&orbit);
    control_.rng.shuffle(std::span(orbits));
    const std::size_t num_first = longest_sound_beginning(orbits);
    return blank_one_by_one(std::span(orbits).subspan(num_first));
}

bool Blanking::change() {
    std::vector<const Orbit*> given;
    std::vector<const Orbit*> blank_ones;
    for (const auto& orbit : spec_.orbits) {
        (puzzle_.givens[at(orbit.front())] != 0 ? given : blank_ones).push_back(&orbit);
    }
    control_.rng.shuffle(std::span(given));
    control_.rng.shuffle(std::span(blank_ones));
    const std::size_t num_back = std::min<std::size_t>(1 + control_.rng.below(3), blank_ones.size());
    for (std::size_t i = 0; i < num_back; ++i) {
        restore(*blank_ones[i]);
        given.push_back(blank_ones[i]);  // tried again last
    }
    is_exhausted_ = true;
    return blank_one_by_one(given);
}

void Blanking::return_to(const Grid& givens) {
    puzzle_.givens = givens;
    num_givens_ = static_cast<int>(givens.size() - at(static_cast<int>(std::count(givens.begin(), givens.end(), 0))));
}

void Blanking::set(int cell, bool is_given) {
    assert((puzzle_.givens[at(cell)] != 0) != is_given);  // every call changes the puzzle
    puzzle_.givens[at(cell)] = is_given ? solution_[at(cell)] : std::uint8_t{0};
    num_givens_ += is_given ? 1 : -1;
}

void Blanking::blank(const Orbit& orbit) {
    for (const int cell : orbit) set(cell, false);
}

void Blanking::restore(const Orbit& orbit) {
    for (const int cell : orbit) set(cell, true);
}

bool Blanking::blank_one_by_one(std::span<const Orbit* const> orbits) {
    for (const auto* orbit : orbits) {
        if (control_.must_stop()) return false;
        if (num_givens_ - static_cast<int>(orbit->size()) < least()) {
            is_exhausted_ = false;
            continue;
        }
        blank(*orbit);
        if (!is_sound_without(*orbit)) restore(*orbit);
    }
    return !control_.must_stop();  // an interrupted check proves nothing
}

// Blanks the longest possible prefix of the orbits, by bisection, and returns its length.
std::size_t Blanking::longest_sound_beginning(std::span<const Orbit* const> orbits) {
    std::size_t num_blank = 0;
    std::size_t num_max = 0;
    for (int left = num_givens_; num_max < orbits.size(); ++num_max) {
        left -= static_cast<int>(orbits[num_max]->size());
        if (left < least()) break;
    }
    const auto move_to = [&](std::size_t number) {
        for (; num_blank < number; ++num_blank) blank(*orbits[num_blank]);
        for (; num_blank > number; --num_blank) restore(*orbits[num_blank - 1]);
    };
    std::size_t num_sound = 0;
    while (num_sound < num_max) {
        const std::size_t middle = num_sound + (num_max - num_sound + 1) / 2;
        move_to(middle);
        if (is_sound()) {
            num_sound = middle;
        } else {
            num_max = middle - 1;
        }
    }
    move_to(num_sound);
    return num_sound;
}

bool Blanking::is_sound() {
    if (is_proved_by_rules_) return is_easy_enough();
    Control limit = limited(control_, max_check_nodes(spec_.box));
    const Count count = solver_.count(puzzle_, 2, limit);
    return count.is_exact && count.number == 1 && is_easy_enough();
}

bool Blanking::is_easy_enough() { return !spec_.solved_by || is_solved_by(puzzle_, *spec_.solved_by, control_); }

// The same, given that the puzzle is sound with the orbit: another solution must differ in one of the orbit's cells.
bool Blanking::is_sound_without(const Orbit& orbit) {
    if (is_proved_by_rules_) return is_easy_enough();
    board_.reset_to(blank_);
    if (!board_.place_givens(puzzle_.givens)) return false;
    for (const int cell : orbit) {
        if (board_.is_placed(cell)) continue;
        const int digit = solution_[at(cell)] - 1;
        const SearchBoard::Mark mark = board_.mark();
        if (board_.remove(cell, digit) && !is_unsolvable()) return false;
        board_.undo(mark);
        if (!board_.place(cell, digit)) return false;  // cannot happen: the digit is part of the solution
    }
    return is_easy_enough();
}

bool Blanking::is_unsolvable() {
    if (board_.is_full()) return false;
    Control limit = limited(control_, max_check_nodes(spec_.box));
    const Status status = solver_.search(board_, true)->next(limit);
    if (status == Status::unknown) is_exhausted_ = false;
    return status == Status::unsatisfiable;
}

}  // namespace sudokulab
