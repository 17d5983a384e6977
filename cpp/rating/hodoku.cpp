#include "rating/hodoku.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

#include "logic/techniques/almost_locked_sets.h"
#include "logic/techniques/alternating_chains.h"
#include "logic/techniques/catalogue.h"
#include "rating/hodoku_choice.h"
#include "rating/hodoku_tables.h"
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
    ranked,  // the one with the lowest rank of its pattern
    most,    // the one that removes the most
};

// A technique after the singles, with the default settings of HoDoKu.
struct RatedTechnique {
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
constexpr auto rated_techniques = std::to_array<RatedTechnique>({
    {Technique::locked_pair, Level::medium, 40, Choice::ranked},
    {Technique::locked_triplet, Level::medium, 60, Choice::ranked},
    {Technique::pointing, Level::medium, 50, Choice::ranked},
    {Technique::claiming, Level::medium, 50, Choice::ranked},
    {Technique::naked_pair, Level::medium, 60, Choice::ranked},
    {Technique::naked_triplet, Level::medium, 80, Choice::ranked},
    {Technique::hidden_pair, Level::medium, 70, Choice::ranked},
    {Technique::hidden_triplet, Level::medium, 100, Choice::ranked},
    {Technique::naked_quad, Level::hard, 120, Choice::ranked},
    {Technique::hidden_quad, Level::hard, 150, Choice::ranked},
    {Technique::x_wing, Level::hard, 140, Choice::ranked},
    {Technique::swordfish, Level::hard, 150, Choice::ranked},
    {Technique::jellyfish, Level::hard, 160, Choice::ranked},
    {Technique::remote_pair, Level::hard, 110, Choice::most},
    {Technique::bug_plus_1, Level::hard, 100, Choice::first},
    {Technique::skyscraper, Level::hard, 130, Choice::ranked},
    {Technique::two_string_kite, Level::hard, 150, Choice::ranked},
    {Technique::turbot_fish, Level::hard, 120, Choice::most},
    {Technique::empty_rectangle, Level::hard, 120, Choice::ranked},
    {Technique::w_wing, Level::hard, 150, Choice::first},
    {Technique::xy_wing, Level::hard, 160, Choice::ranked},
    {Technique::xyz_wing, Level::hard, 180, Choice::ranked},
    {Technique::unique_rectangle_1, Level::hard, 100, Choice::first},
    {Technique::unique_rectangle_2, Level::hard, 100, Choice::first},
    {Technique::unique_rectangle_3, Level::hard, 100, Choice::first},
    {Technique::unique_rectangle_4, Level::hard, 100, Choice::first},
    {Technique::unique_rectangle_5, Level::hard, 100, Choice::first},
    {Technique::unique_rectangle_6, Level::hard, 100, Choice::first},
    {Technique::hidden_rectangle, Level::hard, 100, Choice::first},
    {Technique::avoidable_rectangle_1, Level::hard, 100, Choice::first},
    {Technique::avoidable_rectangle_2, Level::hard, 100, Choice::first},
    {Technique::finned_x_wing, Level::hard, 130, Choice::ranked},
    {Technique::sashimi_x_wing, Level::hard, 150, Choice::ranked},
    {Technique::finned_swordfish, Level::unfair, 200, Choice::ranked},
    {Technique::sashimi_swordfish, Level::unfair, 240, Choice::ranked},
    {Technique::finned_jellyfish, Level::unfair, 250, Choice::ranked},
    {Technique::sashimi_jellyfish, Level::unfair, 260, Choice::ranked},
    {Technique::sue_de_coq, Level::unfair, 250, Choice::ranked},
    {Technique::simple_colouring, Level::hard, 150, Choice::first},
    {Technique::multi_colouring, Level::hard, 200, Choice::ranked},
    {Technique::x_chain, Level::unfair, 260, Choice::most},
    {Technique::xy_chain, Level::unfair, 260, Choice::most},
    {Technique::continuous_nice_loop, Level::unfair, 280, Choice::most},
    {Technique::grouped_continuous_nice_loop, Level::unfair, 300, Choice::most},
    {Technique::als_xz, Level::unfair, 300, Choice::first},
    {Technique::als_xy_wing, Level::unfair, 320, Choice::ranked},
    {Technique::als_xy_chain, Level::unfair, 340, Choice::most},
    {Technique::franken_x_wing, Level::unfair, 300, Choice::ranked},
    {Technique::franken_swordfish, Level::unfair, 350, Choice::ranked},
    {Technique::finned_franken_x_wing, Level::unfair, 390, Choice::ranked},
    {Technique::finned_franken_swordfish, Level::unfair, 410, Choice::ranked},
    {Technique::cell_forcing_chains, Level::extreme, 500, Choice::first},
    {Technique::dynamic_cell_forcing_chains, Level::extreme, 700, Choice::first},
});

// The singles of a board in the order in which they arise.
class Singles {
public:
    void remove(TechniqueBoard& board, int cell, int digit) {
        board.remove(cell, digit);
        note_cell(board, cell);
        note_units(board, cell, digit);
    }

    void place(TechniqueBoard& board, int cell, int digit) {
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

    std::optional<Candidate> full_house(const TechniqueBoard& board) const {
        for (const Candidate& single : naked_) {
            if (board.is_open(single.cell) && full_unit(board, single.cell) >= 0) return single;
        }
        return std::nullopt;
    }
    std::optional<Candidate> naked(const TechniqueBoard& board) { return oldest(naked_, board); }
    std::optional<Candidate> hidden(const TechniqueBoard& board) { return oldest(hidden_, board); }

    // The unit in which the cell is the only open one, or -1.
    static int full_unit(const TechniqueBoard& board, int cell) {
        for (const int unit : board.geometry().units(cell).unit) {
            if (board.num_open(unit) == 1) return unit;
        }
        return -1;
    }

private:
    void note_cell(const TechniqueBoard& board, int cell) {
        const std::uint64_t left = board.candidates(cell);
        if (has_one_bit(left)) naked_.push_back({cell, lowest_bit(left)});
    }
    void note_units(const TechniqueBoard& board, int cell, int digit) {
        for (const int unit : board.geometry().units(cell).unit) note_unit(board, unit, digit);
    }
    void note_unit(const TechniqueBoard& board, int unit, int digit) {
        const std::uint64_t left = board.positions(unit, digit);
        if (has_one_bit(left)) hidden_.push_back({board.geometry().cell(unit, lowest_bit(left)), digit});
    }

    static std::optional<Candidate> oldest(std::deque<Candidate>& queue, const TechniqueBoard& board) {
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

class Hodoku {
public:
    Hodoku(const Puzzle& puzzle, const Grid& solution)
        : solution_(solution), board_(Geometry::of(puzzle.box), puzzle.givens) {
        TechniqueBoard board(board_.geometry());
        for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
            const int digit = puzzle.givens[static_cast<std::size_t>(cell)] - 1;
            if (digit >= 0) singles_.place(board, cell, digit);
        }
    }

    bool is_solved() const { return board_.is_solved(); }

    // Takes the next step. None if the control stopped the search.
    std::optional<HodokuStep> next(Control& control) {
        std::optional<HodokuStep> taken = next_single();
        for (const RatedTechnique& rated : rated_techniques) {
            if (taken || control.must_stop()) break;
            if (std::optional<Step> step = find(rated, control)) taken = {std::move(*step), rated.level, rated.points};
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

    std::optional<Step> find(const RatedTechnique& rated, Control& control) const {
        if (rated.technique == Technique::cell_forcing_chains)
            return find_in_tables(board_, TableKind::chains, control);
        if (rated.technique == Technique::dynamic_cell_forcing_chains) {
            return find_in_tables(board_, TableKind::nets, control);
        }
        hodoku::SetNumbers numbers;
        if (rated.technique == Technique::als_xy_wing) numbers = hodoku::number_sets(board_, control);
        std::optional<Step> best;
        hodoku::Rank best_rank;
        visit_instances(rated.technique, control, [&](const Step& found) {
            if (!hodoku::is_admitted(board_, found)) return true;
            Step step = found;
            hodoku::sort_eliminations(board_, step);
            if (rated.choice == Choice::first) {
                best = std::move(step);
                return false;
            }
            hodoku::Rank rank = rated.technique == Technique::als_xy_wing ? hodoku::rank_of_wing(step, numbers)
                                : rated.choice == Choice::most            ? hodoku::rank_by_outcome(step)
                                                                          : hodoku::rank_of_pattern(board_, step);
            if (!best || rank < best_rank) {
                best = std::move(step);
                best_rank = std::move(rank);
            }
            return true;
        });
        return best;
    }

    void visit_instances(Technique technique, Control& control, const Visitor& visit) const {
        switch (technique) {
            case Technique::continuous_nice_loop:
                find_alternating_chains(board_, ChainScope::candidates, control, visit);
                return;
            case Technique::grouped_continuous_nice_loop:
                find_alternating_chains(board_, ChainScope::groups, control, visit);
                return;
            case Technique::als_xy_wing:
                find_als_xy_wings(board_, false, control, visit);
                return;
            case Technique::als_xy_chain:
                find_ascending_als_xy_chains(board_, control, visit);
                return;
            default:
                find_instances(technique, board_, control, visit);
        }
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
    TechniqueBoard board_;
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
