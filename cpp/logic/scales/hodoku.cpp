#include "logic/scales/hodoku.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>

#include "logic/scales/hodoku_tables.h"
#include "logic/techniques/almost_locked_sets.h"
#include "logic/techniques/alternating_chains.h"
#include "logic/techniques/bug.h"
#include "logic/techniques/catalogue.h"
#include "logic/techniques/empty_rectangles.h"
#include "solvers/auto.h"

namespace sudokulab {
namespace {

using namespace techniques;
using Level = HodokuLevel;

// The score up to which a puzzle keeps the level of its hardest technique.
constexpr std::array max_scores{800, 1000, 1600, 1800};

// How HoDoKu chooses among the instances of a technique.
enum class Choice : std::uint8_t {
    first,   // the first of our finder
    ranked,  // the one with the lowest rank; see `rank_of`
    most,    // the one that removes the most; see `rank_by_outcome`
};

// A technique after the singles, with the default settings of HoDoKu.
struct Rule {
    Technique technique;
    Level level;
    int points;
    Choice choice;
};

constexpr int full_house_points = 4;
constexpr int naked_single_points = 4;
constexpr int hidden_single_points = 14;
constexpr int brute_force_points = 10000;

// In the order in which they are tried. A nice loop stands for all kinds of alternating chains of its scope, and
// forcing chains stand for the tables of their kind.
constexpr std::array rules{
    Rule{Technique::locked_pair, Level::medium, 40, Choice::ranked},
    Rule{Technique::locked_triplet, Level::medium, 60, Choice::ranked},
    Rule{Technique::pointing, Level::medium, 50, Choice::ranked},
    Rule{Technique::claiming, Level::medium, 50, Choice::ranked},
    Rule{Technique::naked_pair, Level::medium, 60, Choice::ranked},
    Rule{Technique::naked_triplet, Level::medium, 80, Choice::ranked},
    Rule{Technique::hidden_pair, Level::medium, 70, Choice::ranked},
    Rule{Technique::hidden_triplet, Level::medium, 100, Choice::ranked},
    Rule{Technique::naked_quad, Level::hard, 120, Choice::ranked},
    Rule{Technique::hidden_quad, Level::hard, 150, Choice::ranked},
    Rule{Technique::x_wing, Level::hard, 140, Choice::ranked},
    Rule{Technique::swordfish, Level::hard, 150, Choice::ranked},
    Rule{Technique::jellyfish, Level::hard, 160, Choice::ranked},
    Rule{Technique::remote_pair, Level::hard, 110, Choice::most},
    Rule{Technique::bug_plus_1, Level::hard, 100, Choice::first},
    Rule{Technique::skyscraper, Level::hard, 130, Choice::ranked},
    Rule{Technique::two_string_kite, Level::hard, 150, Choice::ranked},
    Rule{Technique::turbot_fish, Level::hard, 120, Choice::most},
    Rule{Technique::empty_rectangle, Level::hard, 120, Choice::ranked},
    Rule{Technique::w_wing, Level::hard, 150, Choice::first},
    Rule{Technique::xy_wing, Level::hard, 160, Choice::ranked},
    Rule{Technique::xyz_wing, Level::hard, 180, Choice::ranked},
    Rule{Technique::unique_rectangle_1, Level::hard, 100, Choice::first},
    Rule{Technique::unique_rectangle_2, Level::hard, 100, Choice::first},
    Rule{Technique::unique_rectangle_3, Level::hard, 100, Choice::first},
    Rule{Technique::unique_rectangle_4, Level::hard, 100, Choice::first},
    Rule{Technique::unique_rectangle_5, Level::hard, 100, Choice::first},
    Rule{Technique::unique_rectangle_6, Level::hard, 100, Choice::first},
    Rule{Technique::hidden_rectangle, Level::hard, 100, Choice::first},
    Rule{Technique::avoidable_rectangle_1, Level::hard, 100, Choice::first},
    Rule{Technique::avoidable_rectangle_2, Level::hard, 100, Choice::first},
    Rule{Technique::finned_x_wing, Level::hard, 130, Choice::ranked},
    Rule{Technique::sashimi_x_wing, Level::hard, 150, Choice::ranked},
    Rule{Technique::finned_swordfish, Level::unfair, 200, Choice::ranked},
    Rule{Technique::sashimi_swordfish, Level::unfair, 240, Choice::ranked},
    Rule{Technique::finned_jellyfish, Level::unfair, 250, Choice::ranked},
    Rule{Technique::sashimi_jellyfish, Level::unfair, 260, Choice::ranked},
    Rule{Technique::sue_de_coq, Level::unfair, 250, Choice::ranked},
    Rule{Technique::simple_colouring, Level::hard, 150, Choice::first},
    Rule{Technique::multi_colouring, Level::hard, 200, Choice::ranked},
    Rule{Technique::x_chain, Level::unfair, 260, Choice::most},
    Rule{Technique::xy_chain, Level::unfair, 260, Choice::most},
    Rule{Technique::continuous_nice_loop, Level::unfair, 280, Choice::most},
    Rule{Technique::grouped_continuous_nice_loop, Level::unfair, 300, Choice::most},
    Rule{Technique::als_xz, Level::unfair, 300, Choice::first},
    Rule{Technique::als_xy_wing, Level::unfair, 320, Choice::ranked},
    Rule{Technique::als_xy_chain, Level::unfair, 340, Choice::most},
    Rule{Technique::franken_x_wing, Level::unfair, 300, Choice::ranked},
    Rule{Technique::franken_swordfish, Level::unfair, 350, Choice::ranked},
    Rule{Technique::finned_franken_x_wing, Level::unfair, 390, Choice::ranked},
    Rule{Technique::finned_franken_swordfish, Level::unfair, 410, Choice::ranked},
    Rule{Technique::cell_forcing_chains, Level::extreme, 500, Choice::first},
    Rule{Technique::dynamic_cell_forcing_chains, Level::extreme, 700, Choice::first},
};

// The singles of a board in the order in which they arise.
class Singles {
public:
    void remove(OpenBoard& board, int cell, int digit) {
        board.remove(cell, digit);
        note_cell(board, cell);
        note_units(board, cell, digit);
    }

    void place(OpenBoard& board, int cell, int digit) {
        const Geometry& geometry = board.geometry();
        const std::uint64_t others = board.candidates(cell) & ~bit(digit);
        for (int peer = 0; peer < geometry.num_cells(); ++peer) {
            if (!board.has(peer, digit) || !board.sees(peer, cell)) continue;
            board.remove(peer, digit);
            note_cell(board, peer);
            for (const int unit : geometry.units(peer).unit) {
                const auto& own = geometry.units(cell).unit;
                if (std::find(own.begin(), own.end(), unit) == own.end()) note_unit(board, unit, digit);
            }
        }
        board.place(cell, digit);
        for_each_bit(others, [&](int other) { note_units(board, cell, other); });
    }

    std::optional<Candidate> full_house(const OpenBoard& board) const {
        for (const Candidate& single : naked_) {
            if (board.is_open(single.cell) && full_unit(board, single.cell) >= 0) return single;
        }
        return std::nullopt;
    }
    std::optional<Candidate> naked(const OpenBoard& board) { return oldest(naked_, board); }
    std::optional<Candidate> hidden(const OpenBoard& board) { return oldest(hidden_, board); }

    // The unit in which the cell is the only open one, or -1.
    static int full_unit(const OpenBoard& board, int cell) {
        for (const int unit : board.geometry().units(cell).unit) {
            if (board.num_open(unit) == 1) return unit;
        }
        return -1;
    }

private:
    void note_cell(const OpenBoard& board, int cell) {
        const std::uint64_t left = board.candidates(cell);
        if (has_one_bit(left)) naked_.push_back({cell, lowest_bit(left)});
    }
    void note_units(const OpenBoard& board, int cell, int digit) {
        for (const int unit : board.geometry().units(cell).unit) note_unit(board, unit, digit);
    }
    void note_unit(const OpenBoard& board, int unit, int digit) {
        const std::uint64_t left = board.positions(unit, digit);
        if (has_one_bit(left)) hidden_.push_back({board.geometry().cell(unit, lowest_bit(left)), digit});
    }

    static std::optional<Candidate> oldest(std::deque<Candidate>& queue, const OpenBoard& board) {
        while (!queue.empty()) {
            const Candidate single = queue.front();
            queue.pop_front();
            if (board.is_open(single.cell)) return single;
        }
        return std::nullopt;
    }

    std::deque<Candidate> naked_;
    std::deque<Candidate> hidden_;
};

using Rank = std::vector<int>;  // the lowest goes first

// Boxes before rows before columns.
int rank_of_unit(const OpenBoard& board, int unit) {
    return unit >= board.first_unit(UnitKind::box) ? unit - board.geometry().num_units() : unit;
}

std::uint64_t digits_of(const Step& step) {
    std::uint64_t digits = 0;
    for (const Candidate& candidate : step.pattern) digits |= bit(candidate.digit);
    return digits;
}

// The most eliminations first, then the lowest sum of their cells, where later ones weigh more. Otherwise as found:
// nice loops before other chains, those that assume a candidate true before those that assume one false, then by the
// start.
Rank rank_by_outcome(const Step& step) {
    int sum = 0;
    int weight = 1;
    for (const Candidate& removed : step.eliminations) {
        sum += removed.cell * weight + removed.digit + 1;
        weight += 80;
    }
    Rank rank{-static_cast<int>(step.eliminations.size()), sum};
    if (step.technique == Technique::als_xy_chain) return rank;
    const bool is_end_to_end = step.technique == Technique::alternating_inference_chain ||
                               step.technique == Technique::grouped_alternating_inference_chain;
    const Candidate& start = step.pattern.front();
    const Candidate& end = step.pattern.back();
    const int cell = step.technique == Technique::turbot_fish ? std::min(start.cell, end.cell) : start.cell;
    rank.insert(rank.end(), {is_end_to_end ? 1 : 0, step.links.front().is_strong ? 1 : 0, cell, start.digit});
    return rank;
}

// Fish: by digit; then bases of rows (and boxes) before bases of columns; then by units.
Rank rank_of_fish(const OpenBoard& board, const Step& step) {
    const auto half = step.units.begin() + static_cast<std::ptrdiff_t>(step.units.size() / 2);
    const auto is_row = [&](int unit) { return unit < board.first_unit(UnitKind::column); };
    const auto is_column = [&](int unit) { return !is_row(unit) && unit < board.first_unit(UnitKind::box); };
    const bool has_column_base =
        std::any_of(step.units.begin(), half, is_column) || std::any_of(half, step.units.end(), is_row);
    Rank rank{step.pattern.front().digit, has_column_base ? 1 : 0};
    rank.insert(rank.end(), step.units.begin(), step.units.end());
    return rank;
}

// By the pairs of sets that make up the wing, in the order of the sets.
Rank rank_of_wing(const Step& step, const std::map<std::vector<int>, int>& numbers) {
    std::array<int, 3> members{};
    for (std::size_t k = 0; k < 3; ++k) {
        std::vector<int> cells;
        for (const Candidate& candidate : step.nodes[k]) {
            if (cells.empty() || cells.back() != candidate.cell) cells.push_back(candidate.cell);
        }
        members[k] = numbers.at(cells);
    }
    std::array pairs{std::minmax({members[0], members[1]}), std::minmax({members[1], members[2]})};
    std::sort(pairs.begin(), pairs.end());
    return {pairs[0].first, pairs[0].second, pairs[1].first, pairs[1].second};
}

Rank rank_of_pattern(const OpenBoard& board, const Step& step) {
    Rank rank;
    const auto append = [&](const std::vector<int>& part) { rank.insert(rank.end(), part.begin(), part.end()); };
    switch (step.technique) {
        case Technique::pointing:
        case Technique::claiming:
            return {step.units[0], step.pattern[0].digit};
        case Technique::locked_pair:
        case Technique::locked_triplet:
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad:
            rank = {rank_of_unit(board, step.units[0])};
            append(step.cells);
            return rank;
        case Technique::hidden_pair:
        case Technique::hidden_triplet:
        case Technique::hidden_quad:
            rank = {rank_of_unit(board, step.units[0])};
            for_each_bit(digits_of(step), [&](int digit) { rank.push_back(digit); });
            return rank;
        case Technique::skyscraper:
            return {step.units[0] / board.geometry().size(), step.pattern[0].digit, step.units[0], step.units[1]};
        case Technique::two_string_kite:
            return {step.pattern[0].digit, step.units[0], step.units[1]};
        case Technique::empty_rectangle:
            // The row and the column of the rectangle from the last to the first.
            return {step.pattern[0].digit, step.units[0], -step.units[1], -step.units[2]};
        case Technique::xy_wing: {
            rank = step.cells;
            std::sort(rank.begin(), rank.end());
            rank.push_back(step.cells[0]);
            return rank;
        }
        case Technique::xyz_wing:
            return {step.cells[0], std::min(step.cells[1], step.cells[2]), std::max(step.cells[1], step.cells[2])};
        case Technique::sue_de_coq:
            rank = step.units;
            for (const std::vector<Candidate>& part : step.nodes) {
                for (const Candidate& candidate : part) {
                    if (rank.back() != candidate.cell) rank.push_back(candidate.cell);
                }
                rank.push_back(-1);  // a part comes before its extensions
            }
            return rank;
        case Technique::multi_colouring:
            return {step.pattern[0].digit, step.cells[0]};
        default:
            return rank_of_fish(board, step);
    }
}

// HoDoKu overlooks W-wings in which an end of the strong link that sees the first cell is needed for the second.
bool is_known_w_wing(const OpenBoard& board, const Step& step) {
    const std::array ends{step.cells[1], step.cells[2]};
    return std::any_of(ends.begin(), ends.end(),
                       [&](int end) { return !board.sees(end, step.cells[0]) && board.sees(end, step.cells[3]); });
}

// Whether the default settings of HoDoKu admit the instance.
bool is_admitted(const OpenBoard& board, const Step& step) {
    switch (step.technique) {
        case Technique::empty_rectangle:
            return step.variant == 0;
        case Technique::w_wing:
            return is_known_w_wing(board, step);
        case Technique::als_xz:
        case Technique::als_xy_wing:
        case Technique::als_xy_chain:
            return step.variant == 1;
        default:
            return step.fins.empty() || step.variant == 0;  // no siamese fish
    }
}

// The eliminations in the order of HoDoKu, which determines the order of the singles that arise: those of subsets by
// line before box, those of rectangles by cell, and those of chains with two digits from the end of the chain.
void sort_eliminations(const OpenBoard& board, Step& step) {
    const auto sort_by = [&](auto rank) {
        std::sort(step.eliminations.begin(), step.eliminations.end(),
                  [&](const Candidate& one, const Candidate& other) { return rank(one) < rank(other); });
    };
    switch (step.technique) {
        case Technique::locked_pair:
        case Technique::locked_triplet:
        case Technique::naked_pair:
        case Technique::naked_triplet:
        case Technique::naked_quad: {
            if (step.units.size() < 2) return;
            const auto kind = static_cast<UnitKind>(step.units[1] / board.geometry().size());
            sort_by([&](const Candidate& removed) {
                return std::tuple(board.unit(kind, removed.cell) != step.units[1], removed.cell, removed.digit);
            });
            return;
        }
        case Technique::unique_rectangle_4:
        case Technique::unique_rectangle_6:
            sort_by([](const Candidate& removed) { return std::pair(removed.cell, removed.digit); });
            return;
        case Technique::alternating_inference_chain:
        case Technique::grouped_alternating_inference_chain:
            if (step.eliminations.front().digit != step.eliminations.back().digit) {
                std::reverse(step.eliminations.begin(), step.eliminations.end());
            }
            return;
        default:
            return;
    }
}

class Hodoku {
public:
    Hodoku(const Puzzle& puzzle, const Grid& solution)
        : solution_(solution), board_(Geometry::of(puzzle.box), puzzle.givens) {
        OpenBoard board(board_.geometry());
        for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
            const int digit = puzzle.givens[static_cast<std::size_t>(cell)] - 1;
            if (digit >= 0) singles_.place(board, cell, digit);
        }
    }

    bool is_solved() const { return board_.is_solved(); }

    // Takes the next step. None if the control stopped the search.
    std::optional<HodokuStep> next(Control& control) {
        std::optional<HodokuStep> taken = next_single();
        for (const Rule& rule : rules) {
            if (taken || control.must_stop()) break;
            if (std::optional<Step> step = find(rule, control)) taken = {std::move(*step), rule.level, rule.points};
        }
        if (control.must_stop()) return std::nullopt;
        if (!taken) taken = {guess(), Level::extreme, brute_force_points};
        apply(taken->step);
        return taken;
    }

private:
    std::optional<HodokuStep> next_single() {
        if (const auto single = singles_.full_house(board_)) {
            return single_step(Technique::full_house, *single, full_house_points);
        }
        if (const auto single = singles_.naked(board_)) {
            return single_step(Technique::naked_single, *single, naked_single_points);
        }
        if (const auto single = singles_.hidden(board_)) {
            return single_step(Technique::hidden_single, *single, hidden_single_points);
        }
        return std::nullopt;
    }

    HodokuStep single_step(Technique technique, const Candidate& single, int points) const {
        Step step;
        step.technique = technique;
        step.cells = {single.cell};
        step.pattern = {single};
        step.placements = {single};
        if (technique == Technique::full_house) step.units = {Singles::full_unit(board_, single.cell)};
        if (technique == Technique::hidden_single) {
            for (const int unit : board_.geometry().units(single.cell).unit) {
                if (has_one_bit(board_.positions(unit, single.digit))) step.units = {unit};
            }
        }
        return {std::move(step), Level::easy, points};
    }

    std::optional<Step> find(const Rule& rule, Control& control) const {
        if (rule.technique == Technique::cell_forcing_chains) return find_in_tables(board_, TableKind::chains, control);
        if (rule.technique == Technique::dynamic_cell_forcing_chains)
            return find_in_tables(board_, TableKind::nets, control);
        std::map<std::vector<int>, int> numbers;
        if (rule.technique == Technique::als_xy_wing) numbers = numbers_of_sets(control);
        std::optional<Step> best;
        Rank best_rank;
        const Visitor visit = [&](const Step& found) {
            if (!is_admitted(board_, found)) return true;
            Step step = found;
            sort_eliminations(board_, step);
            if (rule.choice == Choice::first) {
                best = std::move(step);
                return false;
            }
            Rank rank = rule.technique == Technique::als_xy_wing ? rank_of_wing(step, numbers)
                        : rule.choice == Choice::most            ? rank_by_outcome(step)
                                                                 : rank_of_pattern(board_, step);
            if (!best || rank < best_rank) {
                best = std::move(step);
                best_rank = std::move(rank);
            }
            return true;
        };
        switch (rule.technique) {
            case Technique::continuous_nice_loop:
                find_alternating_chains(board_, ChainScope::candidates, control, visit);
                break;
            case Technique::grouped_continuous_nice_loop:
                find_alternating_chains(board_, ChainScope::groups, control, visit);
                break;
            case Technique::als_xy_wing:
                find_als_xy_wings(board_, false, control, visit);
                break;
            case Technique::als_xy_chain:
                find_ascending_als_xy_chains(board_, control, visit);
                break;
            default:
                find_instances(rule.technique, board_, control, visit);
        }
        return best;
    }

    std::map<std::vector<int>, int> numbers_of_sets(Control& control) const {
        std::map<std::vector<int>, int> numbers;
        for (const AlmostLockedSet& set : almost_locked_sets(board_, CellMap(board_), 1, control)) {
            std::vector<int> cells;
            set.cells.for_each([&](int cell) { cells.push_back(cell); });
            numbers.emplace(std::move(cells), static_cast<int>(numbers.size()));
        }
        return numbers;
    }

    // Brute force: the digit of the solution in the middle of the open cells.
    Step guess() const {
        std::vector<int> open;
        for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
            if (board_.is_open(cell)) open.push_back(cell);
        }
        const int cell = open[open.size() / 2];
        Step step;
        step.technique = Technique::trial;
        step.placements = {{cell, solution_[static_cast<std::size_t>(cell)] - 1}};
        return step;
    }

    // HoDoKu removes the other candidates where a chain proves one.
    void apply(Step& step) {
        if (!step.placements.empty() && step.eliminations.empty()) {
            singles_.place(board_, step.placements[0].cell, step.placements[0].digit);
            return;
        }
        for (const Candidate& removed : step.eliminations) {
            if (board_.has(removed.cell, removed.digit)) singles_.remove(board_, removed.cell, removed.digit);
        }
        step.placements.clear();
    }

    const Grid& solution_;
    OpenBoard board_;
    Singles singles_;
};

}  // namespace

std::string_view name_of(HodokuLevel level) {
    constexpr std::array<std::string_view, 5> names{"easy", "medium", "hard", "unfair", "extreme"};
    return names[static_cast<std::size_t>(level)];
}

HodokuRating rate_hodoku(const Puzzle& puzzle, Control& control, std::vector<HodokuStep>* path) {
    HodokuRating rating;
    Grid solution;
    const Count count = count_solutions(*Auto().search(puzzle), 2, control, &solution);
    rating.num_solutions = count.is_exact ? static_cast<int>(count.number) : -1;
    if (rating.num_solutions != 1) return rating;

    Hodoku hodoku(puzzle, solution);
    while (!hodoku.is_solved()) {
        std::optional<HodokuStep> taken = hodoku.next(control);
        if (!taken) return rating;
        rating.score += taken->points;
        rating.level = std::max(rating.level, taken->level);
        if (path != nullptr) path->push_back(std::move(*taken));
    }
    rating.is_solved = true;
    while (rating.level != Level::extreme && rating.score > max_scores[static_cast<std::size_t>(rating.level)]) {
        rating.level = static_cast<Level>(static_cast<int>(rating.level) + 1);
    }
    return rating;
}

}  // namespace sudokulab
