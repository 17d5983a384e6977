#include "generation/blanking.h"

#include <algorithm>

#include "generation/checks.h"
#include "logic/solvable.h"

namespace sudokulab {
namespace {

constexpr std::size_t points_at_once = 32;  // of a bisection in bulk: as many as there are lanes

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
    puzzle_.givens[at(cell)] = is_given ? solution_[at(cell)] : std::uint8_t{0};
    num_givens_ += is_given ? 1 : -1;
}

void Blanking::blank(const Orbit& orbit) {
    for (const int cell : orbit) set(cell, false);
}

void Blanking::restore(const Orbit& orbit) {
    for (const int cell : orbit) set(cell, true);
}

Grid Blanking::without(std::span<const Orbit* const> orbits) const {
    Grid givens = puzzle_.givens;
    for (const auto* orbit : orbits) {
        for (const int cell : *orbit) givens[at(cell)] = 0;
    }
    return givens;
}

std::vector<bool> Blanking::are_unique(const std::vector<Grid>& puzzles) {
    std::vector<bool> unique;
    for (const Count& count : solver_.count_each(spec_.box, puzzles, 2, control_)) {
        unique.push_back(count.is_exact && count.number == 1);
    }
    return unique;
}

// The bisection below, with many points at once instead of one in the middle.
void Blanking::narrow_in_bulk(std::span<const Orbit* const> orbits, std::size_t& num_sound, std::size_t& num_max) {
    while (num_sound < num_max && !control_.must_stop()) {
        const std::size_t num_points = std::min(num_max - num_sound, points_at_once);
        std::vector<std::size_t> points;
        std::vector<Grid> puzzles;
        for (std::size_t i = 1; i <= num_points; ++i) {
            points.push_back(num_sound + i * (num_max - num_sound) / num_points);
            puzzles.push_back(without(orbits.first(points.back())));
        }
        const std::vector<bool> unique = are_unique(puzzles);
        for (std::size_t i = 0; i < num_points; ++i) {
            if (unique[i]) num_sound = points[i];
        }
        for (std::size_t i = num_points; i-- > 0;) {
            if (!unique[i]) num_max = points[i] - 1;
        }
    }
}

// An orbit that cannot be blanked now cannot be blanked later. So all are tried at once; after one is blanked, only
// those that could be blanked are tried again.
bool Blanking::blank_in_bulk(std::span<const Orbit* const> orbits) {
    std::vector<const Orbit*> waiting(orbits.begin(), orbits.end());
    while (!waiting.empty() && !control_.must_stop()) {
        std::vector<Grid> puzzles;
        for (const auto& orbit : waiting) puzzles.push_back(without(std::span(&orbit, 1)));
        const std::vector<bool> unique = are_unique(puzzles);
        std::vector<const Orbit*> left;
        bool has_blanked = false;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (!unique[i]) continue;
            if (has_blanked) {
                left.push_back(waiting[i]);
            } else if (num_givens_ - static_cast<int>(waiting[i]->size()) < least()) {
                is_exhausted_ = false;
            } else {
                blank(*waiting[i]);
                has_blanked = true;
            }
        }
        waiting = std::move(left);
    }
    return !control_.must_stop();
}

bool Blanking::blank_one_by_one(std::span<const Orbit* const> orbits) {
    if (is_bulk()) return blank_in_bulk(orbits);
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
    if (is_bulk()) narrow_in_bulk(orbits, num_sound, num_max);
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
        const Board::Mark mark = board_.mark();
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
