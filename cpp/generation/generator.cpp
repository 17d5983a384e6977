#include "generation/generator.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "generation/minimal.h"
#include "generation/random_grid.h"
#include "generation/uniqueness.h"
#include "grid/board.h"
#include "solvers/backtracking.h"

namespace sudokulab {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// How far a search for a second solution goes on a large grid; if it is not over then, the given stays.
std::int64_t max_check_nodes(BoxShape box) { return box.size() <= 9 ? INT64_MAX / 2 : 500; }

constexpr std::size_t points_at_once = 32;  // of a bisection in bulk: as many as there are lanes
constexpr int max_changes = 60;             // in a row that bring a puzzle no nearer, before an attempt ends

// A control of its own for one search, with so many nodes, that stops when the whole does.
Control limited(Control& control, std::int64_t max_nodes) {
    Budget budget;
    budget.nodes = max_nodes;
    return Control(budget, 0, 0, [&control] { return control.must_stop(); });
}

bool is_solved_by(const Problem& problem, std::span<const Rule> rules) {
    DeductionBoard board(Geometry::of(problem.box));
    return board.place_givens(problem.givens) && !deduce(board, rules).is_contradiction && board.is_full();
}

// Blanks the cells of a full grid while it stays sound.
class Blanking {
public:
    Blanking(const Order& order, Grid solution, Control& control)
        : order_(order),
          solution_(std::move(solution)),
          control_(control),
          puzzle_{order.box, Grid(solution_.size())},
          blank_(Geometry::of(order.box)),
          board_(blank_) {
        for (const auto& orbit : order.orbits) {
            for (const int cell : orbit) set(cell, true);
        }
    }

    // False if it was stopped.
    bool run() {
        std::vector<const std::vector<int>*> orbits;
        for (const auto& orbit : order_.orbits) orbits.push_back(&orbit);
        control_.rng.shuffle(std::span(orbits));
        const std::size_t num_first = longest_sound_beginning(orbits);
        return blank_one_by_one(std::span(orbits).subspan(num_first));
    }

    // Gives a few blank orbits back and blanks others in their place. False if it was stopped.
    bool change() {
        std::vector<const std::vector<int>*> given;
        std::vector<const std::vector<int>*> blank_ones;
        for (const auto& orbit : order_.orbits) {
            (puzzle_.givens[at(orbit.front())] != 0 ? given : blank_ones).push_back(&orbit);
        }
        control_.rng.shuffle(std::span(given));
        control_.rng.shuffle(std::span(blank_ones));
        const std::size_t num_back = std::min<std::size_t>(1 + control_.rng.below(3), blank_ones.size());
        for (std::size_t i = 0; i < num_back; ++i) {
            restore(*blank_ones[i]);
            given.push_back(blank_ones[i]);  // the last to be tried again
        }
        is_exhausted_ = true;
        return blank_one_by_one(given);
    }

    void return_to(const Grid& givens) {
        puzzle_.givens = givens;
        num_givens_ =
            static_cast<int>(givens.size() - at(static_cast<int>(std::count(givens.begin(), givens.end(), 0))));
    }

    // Whether it is known that every given is needed: each was tried by itself, and every trial was settled.
    bool is_surely_minimal() const {
        return is_exhausted_ && !order_.solved_by && order_.orbits.size() == puzzle_.givens.size();
    }

    const Problem& puzzle() const { return puzzle_; }

private:
    int least() const { return order_.num_givens.value_or(0); }

    void set(int cell, bool is_given) {
        puzzle_.givens[at(cell)] = is_given ? solution_[at(cell)] : std::uint8_t{0};
        num_givens_ += is_given ? 1 : -1;
    }
    void blank(const std::vector<int>& orbit) {
        for (const int cell : orbit) set(cell, false);
    }
    void restore(const std::vector<int>& orbit) {
        for (const int cell : orbit) set(cell, true);
    }

    // Whether many puzzles can be looked at side by side: 9×9, and nothing asked but that there is one solution.
    bool is_bulk() const { return has_bulk(order_.box) && !order_.solved_by; }

    Grid without(std::span<const std::vector<int>* const> orbits) const {
        Grid givens = puzzle_.givens;
        for (const auto* orbit : orbits) {
            for (const int cell : *orbit) givens[at(cell)] = 0;
        }
        return givens;
    }

    // The bisection below, with many points at once instead of one in the middle.
    void narrow_in_bulk(std::span<const std::vector<int>* const> orbits, std::size_t& num_sound, std::size_t& num_max) {
        while (num_sound < num_max && !control_.must_stop()) {
            const std::size_t num_points = std::min(num_max - num_sound, points_at_once);
            std::vector<std::size_t> points;
            std::vector<Grid> puzzles;
            for (std::size_t i = 1; i <= num_points; ++i) {
                points.push_back(num_sound + i * (num_max - num_sound) / num_points);
                puzzles.push_back(without(orbits.first(points.back())));
            }
            const std::vector<bool> unique = are_unique(puzzles, control_);
            for (std::size_t i = 0; i < num_points; ++i) {
                if (unique[i]) num_sound = points[i];
            }
            for (std::size_t i = num_points; i-- > 0;) {
                if (!unique[i]) num_max = points[i] - 1;
            }
        }
    }

    // What cannot be blanked now cannot be blanked later, so all are tried at once, and after each that could be
    // blanked only those that could be as well.
    bool blank_in_bulk(std::span<const std::vector<int>* const> orbits) {
        std::vector<const std::vector<int>*> waiting(orbits.begin(), orbits.end());
        while (!waiting.empty() && !control_.must_stop()) {
            std::vector<Grid> puzzles;
            for (const auto& orbit : waiting) puzzles.push_back(without(std::span(&orbit, 1)));
            const std::vector<bool> unique = are_unique(puzzles, control_);
            std::vector<const std::vector<int>*> left;
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

    bool blank_one_by_one(std::span<const std::vector<int>* const> orbits) {
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
        return !control_.must_stop();  // a check that was cut short says nothing
    }

    // By bisection: blanks as many orbits from the first on as it can, and returns their number.
    std::size_t longest_sound_beginning(std::span<const std::vector<int>* const> orbits) {
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

    bool is_sound() {
        if (order_.solved_by) return is_solved_by(puzzle_, *order_.solved_by);
        Control limit = limited(control_, max_check_nodes(order_.box));
        const Count count = count_solutions(Backtracking(), puzzle_, 2, limit);
        return count.is_exact && count.number == 1;
    }

    // The same if it was sound with the orbit given: another solution must have another digit in one of its cells.
    bool is_sound_without(const std::vector<int>& orbit) {
        if (order_.solved_by) return is_solved_by(puzzle_, *order_.solved_by);
        board_.reset_to(blank_);
        if (!board_.place_givens(puzzle_.givens)) return false;
        for (const int cell : orbit) {
            if (board_.is_placed(cell)) continue;
            const int digit = solution_[at(cell)] - 1;
            const Board::Mark mark = board_.mark();
            if (board_.remove(cell, digit) && !is_unsolvable()) return false;
            board_.undo(mark);
            if (!board_.place(cell, digit)) return false;  // cannot be: the solution has it
        }
        return true;
    }

    bool is_unsolvable() {
        if (board_.is_full()) return false;
        Control limit = limited(control_, max_check_nodes(order_.box));
        const Status status = BacktrackingSearch(board_, true).next(limit);
        if (status == Status::unknown) is_exhausted_ = false;
        return status == Status::unsatisfiable;
    }

    const Order& order_;
    const Grid solution_;
    Control& control_;
    Problem puzzle_;
    int num_givens_ = 0;
    bool is_exhausted_ = true;
    const Board blank_;
    Board board_;  // of the check under way
};

// Looks for digits of prescribed cells that leave one solution. A step frees one or two of the cells, looks at the
// solutions that there are then, and gives the cells the digits that the fewest of them have.
class PatternSearch {
public:
    PatternSearch(const Order& order, Control& control) : control_(control), puzzle_{order.box, {}} {
        for (const auto& orbit : order.orbits) cells_.insert(cells_.end(), orbit.begin(), orbit.end());
    }

    // False if it has not found any in a while.
    bool run() {
        solution_ = random_grid(puzzle_.box, control_.rng);
        puzzle_.givens.assign(solution_.size(), 0);
        for (const int cell : cells_) puzzle_.givens[at(cell)] = solution_[at(cell)];
        Control limit = limited(control_, max_nodes);
        Count count = count_solutions(Backtracking(), puzzle_, max_solutions, limit);
        for (int step = 0; step < max_steps && !control_.must_stop(); ++step) {
            if (count.number == 1 && count.is_exact) return true;
            count = improve();
        }
        return false;
    }

    const Problem& puzzle() const { return puzzle_; }
    const Grid& solution() const { return solution_; }

private:
    static constexpr int max_steps = 300;
    static constexpr std::int64_t max_solutions = 500;
    static constexpr std::int64_t max_nodes = 20'000;

    Count improve() {
        std::vector<int> freed;
        const std::size_t num_freed = 1 + control_.rng.below(2);
        for (std::size_t i = 0; i < num_freed; ++i)
            freed.push_back(cells_[control_.rng.below(static_cast<std::uint32_t>(cells_.size()))]);
        Problem looser = puzzle_;
        for (const int cell : freed) looser.givens[at(cell)] = 0;
        BacktrackingSearch search(looser);
        Control limit = limited(control_, max_nodes);
        std::map<std::pair<std::uint8_t, std::uint8_t>, Tally> tallies;
        std::int64_t num_seen = 0;
        Status status = Status::unknown;
        while (num_seen < max_solutions && (status = search.next(limit)) == Status::solved) {
            ++num_seen;
            const Grid grid = search.grid();
            Tally& tally = tallies[{grid[at(freed.front())], grid[at(freed.back())]}];
            if (++tally.number == 1) tally.example = grid;
        }
        if (tallies.empty()) return {2, false};
        const Tally* best = nullptr;
        std::uint32_t num_equal = 0;
        for (const auto& [digits, tally] : tallies) {
            if (best == nullptr || tally.number < best->number) num_equal = 0;
            if (best != nullptr && tally.number > best->number) continue;
            if (control_.rng.below(++num_equal) == 0) best = &tally;
        }
        solution_ = best->example;
        for (const int cell : cells_) puzzle_.givens[at(cell)] = solution_[at(cell)];
        return {best->number, status == Status::unsatisfiable};
    }

    struct Tally {
        std::int64_t number = 0;
        Grid example;
    };

    Control& control_;
    Problem puzzle_;
    Grid solution_;
    std::vector<int> cells_;
};

// Counts the wishes that a puzzle with one solution does not meet.
Attempt judge(const Order& order, const Problem& puzzle, Grid solution, bool is_surely_minimal, Control& control) {
    Attempt attempt{.givens = puzzle.givens, .solution = std::move(solution)};
    const auto num_blank = std::count(puzzle.givens.begin(), puzzle.givens.end(), 0);
    const int num_givens = static_cast<int>(puzzle.givens.size()) - static_cast<int>(num_blank);
    if (order.num_givens && num_givens != *order.num_givens) {
        ++attempt.num_unmet;
        attempt.distance = std::abs(num_givens - *order.num_givens);
    }
    if (order.solved_by && !is_solved_by(puzzle, *order.solved_by)) ++attempt.num_unmet;
    for (const auto& rules : order.not_solved_by) attempt.num_unmet += is_solved_by(puzzle, rules) ? 1 : 0;
    if (order.is_minimal && !is_surely_minimal) {
        const auto redundant = redundant_givens(puzzle, control);
        if (!redundant || !redundant->empty()) ++attempt.num_unmet;
        if (redundant) attempt.distance += static_cast<int>(redundant->size());
    }
    return attempt;
}

}  // namespace

Attempt attempt(const Order& order, Control& control) {
    if (order.is_pattern) {
        PatternSearch search(order, control);
        return search.run() ? judge(order, search.puzzle(), search.solution(), false, control) : Attempt{};
    }
    const Grid solution = random_grid(order.box, control.rng);
    Blanking blanking(order, solution, control);
    const auto judged = [&] {
        return judge(order, blanking.puzzle(), solution, blanking.is_surely_minimal(), control);
    };
    if (!blanking.run()) return {};
    Attempt best = judged();
    // what falls short of the givens, or has redundant ones, is changed step by step while that brings it nearer
    for (int patience = max_changes; best.distance > 0 && patience > 0 && blanking.change(); --patience) {
        Attempt changed = judged();
        if (std::pair(changed.distance, changed.num_unmet) > std::pair(best.distance, best.num_unmet)) {
            blanking.return_to(best.givens);
            continue;
        }
        if (changed.distance < best.distance) patience = max_changes;
        best = std::move(changed);
    }
    return best;
}

}  // namespace sudokulab
