#include "solvers/graph_search.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sudokulab {
namespace {

std::int64_t num_pairs(std::int64_t number) { return number * (number - 1) / 2; }

constexpr Rule first_two_rules[] = {Rule::naked_single, Rule::hidden_single};

int num_empty(const Candidates& board) { return board.geometry().num_cells() - board.num_placed(); }

// A sum of logarithms instead of the paper's product, which would overflow.
double log_product(const Candidates& board) {
    double sum = 0;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (!board.is_placed(cell)) sum += std::log(board.num_candidates(cell));
    }
    return sum;
}

int num_open_candidates(const Candidates& board) {
    int number = 0;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (!board.is_placed(cell)) number += board.num_candidates(cell);
    }
    return number;
}

// Scores are compared lexicographically; the lowest is best.
using Score = std::vector<double>;

class GraphSearchSearch : public Search {
public:
    GraphSearchSearch(const GraphSearch::Parameters& parameters, const Puzzle& puzzle)
        : parameters_(parameters), board_(Geometry::of(puzzle.box)) {
        is_fresh_ = board_.place_givens(puzzle.givens) && filter();
        for (const Criterion& criterion : parameters_.before) is_of_variable_ |= criterion.is_of_variable;
    }

    Status next(Control& control) override {
        control.trace.set_columns({"nodes", "depth", "cells_fixed"});
        while (true) {
            if (is_fresh_) {
                is_fresh_ = false;
                if (board_.is_full()) return Status::solved;
                if (!open_decision(control)) {
                    is_fresh_ = true;  // stopped while choosing: choose again on the next call
                    return Status::unknown;
                }
            }
            if (decisions_.empty()) return Status::unsatisfiable;
            if (control.must_stop() || control.is_out_of_nodes()) return Status::unknown;
            advance(control);
        }
    }

    Grid grid() const override { return board_.grid(); }
    Stats stats() const override {
        return {{"nodes", num_nodes_}, {"backtracks", num_backtracks_}, {"max_depth", max_depth_}};
    }
    TraceRow trace_row() const override { return Trace::row(num_nodes_, decisions_.size(), board_.num_placed()); }

private:
    struct Decision {
        DeductionBoard::Mark mark;
        std::vector<Candidate> choices;  // best first
        std::size_t num_tried = 0;
    };

    bool filter() { return !deduce(board_, parameters_.rules).is_contradiction; }

    // Advances the last decision to its next choice, or removes it.
    void advance(Control& control) {
        Decision& decision = decisions_.back();
        board_.undo(decision.mark);
        if (decision.num_tried > 0) ++num_backtracks_;
        if (decision.num_tried == decision.choices.size()) {
            const Candidate refuted = decision.choices.back();
            decisions_.pop_back();
            // if all values of a cell fail, so does the decision above; a candidate among all is only removed
            if (!is_of_variable_) is_fresh_ = board_.remove(refuted.cell, refuted.digit) && filter();
            return;
        }
        const Candidate choice = decision.choices[decision.num_tried++];
        ++num_nodes_;
        ++control.num_nodes;
        max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(decisions_.size()));
        is_fresh_ = board_.place(choice.cell, choice.digit) && filter();
        if (control.trace.due()) control.trace.add(trace_row());
    }

    // False if stopped before a choice was made.
    bool open_decision(Control& control) {
        std::vector<int> cells;
        for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
            if (!board_.is_placed(cell)) cells.push_back(cell);
        }
        if (is_of_variable_) {
            keep_best_cell(cells, control);
            if (control.must_stop()) return false;
        }
        std::vector<Candidate> choices;
        for (const int cell : cells) {
            for (std::uint64_t left = board_.candidates(cell); left != 0; left &= left - 1) {
                choices.push_back({cell, std::countr_zero(left)});
            }
        }
        if (is_of_variable_) {
            std::vector<std::pair<Score, std::size_t>> ranked;
            for (std::size_t i = 0; i < choices.size(); ++i) {
                if (control.must_stop()) return false;
                ranked.push_back({full_score(choices[i]), i});
            }
            std::sort(ranked.begin(), ranked.end());
            std::vector<Candidate> ordered;
            for (const auto& [score, i] : ranked) ordered.push_back(choices[i]);
            choices = std::move(ordered);
        } else if (!keep_best(choices, control)) {
            return false;
        }
        decisions_.push_back({board_.mark(), std::move(choices)});
        return true;
    }

    // Keeps the best cells, measure by measure, and finally the first of them; an arbitrary one if stopped.
    void keep_best_cell(std::vector<int>& cells, Control& control) {
        for (const Criterion& criterion : parameters_.before) {
            if (!criterion.is_of_variable || cells.size() == 1) continue;
            keep_lowest(cells,
                        [&](int cell) { return control.must_stop() ? 0.0 : cell_score(criterion.measure, cell); });
        }
        cells.resize(1);
    }

    // The same for candidates; leaves one. False if stopped.
    bool keep_best(std::vector<Candidate>& choices, Control& control) {
        bool is_stopped = false;
        const auto narrow = [&](auto score) {
            if (choices.size() == 1 || is_stopped) return;
            keep_lowest(choices, [&](const Candidate& choice) {
                is_stopped = is_stopped || control.must_stop();
                return is_stopped ? 0.0 : score(choice);
            });
        };
        for (const Criterion& criterion : parameters_.before) {
            narrow([&](const Candidate& choice) { return choice_score(criterion.measure, choice); });
        }
        if (is_stopped) return false;
        // after r1r2, all measures of a candidate are evaluated together
        if (!parameters_.after.empty() && choices.size() > 1) {
            std::vector<std::pair<Score, std::size_t>> ranked;
            for (std::size_t i = 0; i < choices.size(); ++i) {
                if (control.must_stop()) return false;
                ranked.push_back({filtered_score(choices[i]), i});
            }
            choices = {choices[std::min_element(ranked.begin(), ranked.end())->second]};
        }
        choices.resize(1);
        return true;
    }

    template <class Item, class ScoreOf>
    static void keep_lowest(std::vector<Item>& items, ScoreOf score_of) {
        std::vector<Item> best;
        double lowest = 0;
        for (const Item& item : items) {
            const double score = score_of(item);
            if (best.empty() || score < lowest) {
                best.clear();
                lowest = score;
            }
            if (score == lowest) best.push_back(item);
        }
        items = std::move(best);
    }

    double cell_score(Measure measure, int cell) {
        switch (measure) {
            case Measure::lexicographic:
                return cell;
            case Measure::num_candidates:
                return board_.num_candidates(cell);
            case Measure::most_edges:
                return -static_cast<double>(count_edges_of(board_, cell));
            case Measure::fewest_edges:
                return static_cast<double>(count_edges_of(board_, cell));
            default: {  // the score of its best value
                double lowest = HUGE_VAL;
                for (std::uint64_t left = board_.candidates(cell); left != 0; left &= left - 1) {
                    lowest = std::min(lowest, choice_score(measure, {cell, std::countr_zero(left)}));
                }
                return lowest;
            }
        }
    }

    // The score of a candidate, on the board after placing it.
    double choice_score(Measure measure, const Candidate& choice) {
        if (measure == Measure::lexicographic) return choice.cell * max_size + choice.digit;
        if (measure == Measure::num_candidates) return board_.num_candidates(choice.cell);
        const DeductionBoard::Mark mark = board_.mark();
        const bool is_consistent = board_.place(choice.cell, choice.digit);
        const double score = is_consistent ? board_score(measure) : HUGE_VAL;
        board_.undo(mark);
        return score;
    }

    double board_score(Measure measure) const {
        switch (measure) {
            case Measure::num_empty:
                return num_empty(board_);
            case Measure::most_edges:
                return -static_cast<double>(count_edges(board_));
            case Measure::fewest_edges:
                return static_cast<double>(count_edges(board_));
            case Measure::product:
                return log_product(board_);
            case Measure::num_candidates:
                return num_open_candidates(board_);
            default:
                return 0;
        }
    }

    // The measures inside r1r2(...); a contradiction ranks last.
    Score filtered_score(const Candidate& choice) {
        if (parameters_.after.empty()) return {};
        const DeductionBoard::Mark mark = board_.mark();
        const bool is_consistent =
            board_.place(choice.cell, choice.digit) && !deduce(board_, first_two_rules).is_contradiction;
        Score score;
        for (const Measure measure : parameters_.after)
            score.push_back(is_consistent ? board_score(measure) : HUGE_VAL);
        board_.undo(mark);
        return score;
    }

    Score full_score(const Candidate& choice) {
        Score score;
        for (const Criterion& criterion : parameters_.before) {
            if (!criterion.is_of_variable) score.push_back(choice_score(criterion.measure, choice));
        }
        const Score filtered = filtered_score(choice);
        score.insert(score.end(), filtered.begin(), filtered.end());
        return score;
    }

    const GraphSearch::Parameters& parameters_;
    DeductionBoard board_;
    bool is_of_variable_ = false;
    bool is_fresh_;  // the board is filtered, consistent and not branched on yet
    std::vector<Decision> decisions_;
    std::int64_t num_nodes_ = 0;       // candidates tried
    std::int64_t num_backtracks_ = 0;  // candidates undone
    std::int64_t max_depth_ = 0;       // maximum number of open decisions
};

}  // namespace

std::int64_t count_edges(const Candidates& board) {
    const Geometry& geometry = board.geometry();
    std::int64_t vertices = 0;
    std::int64_t same_cell = 0;
    for (int cell = 0; cell < geometry.num_cells(); ++cell) {
        if (board.is_placed(cell)) continue;
        vertices += board.num_candidates(cell);
        same_cell += num_pairs(board.num_candidates(cell));
    }
    std::int64_t conflicts = 0;  // pairs of peers with the same digit; peers that share a box and a line count once
    for (int digit = 0; digit < geometry.size(); ++digit) {
        for (int unit = 0; unit < geometry.num_units(); ++unit)
            conflicts += num_pairs(std::popcount(board.positions(unit, digit)));
        for (const auto& both : geometry.intersections()) {
            conflicts -= num_pairs(std::popcount(board.positions(both.box, digit) & both.in_box));
        }
    }
    return num_pairs(vertices) - same_cell - conflicts;
}

std::int64_t count_edges_of(const Candidates& board, int cell) {
    const Geometry& geometry = board.geometry();
    const auto& unit = geometry.units(cell).unit;
    std::int64_t conflicts = 0;
    for (std::uint64_t left = board.candidates(cell); left != 0; left &= left - 1) {
        const int digit = std::countr_zero(left);
        const std::uint64_t in_box = board.positions(unit[2], digit);
        // the cell itself is in each of the five sets, counted 3 - 2 = 1 times too often
        conflicts += std::popcount(board.positions(unit[0], digit)) + std::popcount(board.positions(unit[1], digit)) +
                     std::popcount(in_box) - std::popcount(in_box & geometry.line_in_box(cell, 0)) -
                     std::popcount(in_box & geometry.line_in_box(cell, 1)) - 1;
    }
    const std::int64_t others = num_open_candidates(board) - board.num_candidates(cell);
    return others * board.num_candidates(cell) - conflicts;
}

std::unique_ptr<Search> GraphSearch::search(const Puzzle& puzzle) const {
    return std::make_unique<GraphSearchSearch>(parameters_, puzzle);
}

}  // namespace sudokulab
