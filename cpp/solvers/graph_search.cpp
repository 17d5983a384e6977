#include "solvers/graph_search.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "solvers/parts/board_frame.h"

namespace sudokulab {
namespace {

std::int64_t num_pairs(std::int64_t number) { return number * (number - 1) / 2; }

constexpr Rule first_two_rules[] = {Rule::naked_single, Rule::hidden_single};

int num_empty(const Candidates& board) { return board.geometry().num_cells() - board.num_placed(); }

// A sum of logarithms instead of the paper's product, which would overflow; rounded so that equal products are tied.
double log_product(const Candidates& board) {
    double sum = 0;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (!board.is_placed(cell)) sum += std::log(board.num_candidates(cell));
    }
    return std::round(sum * 1e9);
}

int num_open_candidates(const Candidates& board) {
    int number = 0;
    for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
        if (!board.is_placed(cell)) number += board.num_candidates(cell);
    }
    return number;
}

// The share of all pairs of vertices that are edges; 1 without pairs, as in a complete graph.
double share_of_pairs(std::int64_t num_edges, std::int64_t pairs) {
    return pairs == 0 ? 1.0 : static_cast<double>(num_edges) / static_cast<double>(pairs);
}

// Scores are compared lexicographically; the lowest is best.
using Score = std::vector<double>;

class GraphSearchSearch : public Search {
public:
    GraphSearchSearch(const GraphSearch::Parameters& parameters, const Puzzle& puzzle)
        : parameters_(parameters), board_(Geometry::of(puzzle.box)) {
        is_fresh_ = board_.place_givens(puzzle.givens) && filter();
        for (const Criterion& criterion : parameters_.before) is_of_variable_ |= criterion.is_of_variable;
        is_two_way_ = !is_of_variable_ || parameters_.branching == Branching::two_way;
    }

    Status next(Control& control) override {
        control.set_columns({"nodes", "depth", "cells_fixed"});
        while (true) {
            if (is_fresh_) {
                if (board_.is_full()) {
                    is_fresh_ = false;
                    return Status::solved;
                }
                const Choice choice = choose(control);
                if (choice == Choice::stopped) return Status::unknown;  // choose again on the next call
                is_fresh_ = choice == Choice::repeat;
                if (is_fresh_) continue;
            }
            if (decisions_.empty()) return Status::unsatisfiable;
            const bool must_stop = control.must_stop(num_nodes_, [this] { return frame(); });
            if (must_stop || control.is_out_of_nodes()) return Status::unknown;
            advance(control);
        }
    }

    Grid grid() const override { return board_.grid(); }
    Stats stats() const override {
        return {{"nodes", num_nodes_},
                {"backtracks", num_backtracks_},
                {"rejected", num_rejected_},
                {"max_depth", max_depth_},
                {"max_unforced", max_unforced_}};
    }
    TraceRow trace_row() const override { return Trace::row(num_nodes_, depth(), board_.num_placed()); }
    Frame frame() const override {
        Frame frame = frame_of(board_, trace_row());
        for (std::size_t i = 0; i < depth(); ++i) {
            const Candidate& choice = decisions_[i].choices[decisions_[i].num_tried - 1];
            frame.decisions.emplace_back(choice.cell, choice.digit + 1);
        }
        return frame;
    }

private:
    struct Decision {
        DeductionBoard::Mark mark;
        std::vector<Candidate> choices;  // best first
        std::size_t num_values;          // of the cell that were open to choice
        std::size_t num_tried = 0;
        bool has_passed = false;  // whether the last choice passed the filter
    };

    enum class Choice { made, repeat, failed, stopped };

    struct Option {
        Candidate candidate;
        Score score;
        bool is_refuted = false;
    };

    // The number of decisions in force; the last one may not have been tried yet.
    std::size_t depth() const {
        return decisions_.size() - (!decisions_.empty() && decisions_.back().num_tried == 0 ? 1 : 0);
    }

    bool filter() { return !deduce(board_, parameters_.rules).is_contradiction; }

    // Advances the last decision to its next choice, or removes it.
    void advance(Control& control) {
        Decision& decision = decisions_.back();
        board_.undo(decision.mark);
        if (decision.num_tried > 0) ++num_rejected_;
        if (decision.has_passed) ++num_backtracks_;
        if (decision.num_tried == decision.choices.size()) {
            const Candidate failed = decision.choices.back();
            decisions_.pop_back();
            // once all values of a cell have failed, so has the decision above
            if (is_two_way_) is_fresh_ = board_.remove(failed.cell, failed.digit) && filter();
            return;
        }
        const Candidate choice = decision.choices[decision.num_tried++];
        ++num_nodes_;
        ++control.num_nodes;
        is_fresh_ = board_.place(choice.cell, choice.digit) && filter();
        decision.has_passed = is_fresh_;
        if (is_fresh_) measure_depth();
        control.sample([&] { return trace_row(); });
    }

    void measure_depth() {
        const auto is_unforced = [](const Decision& made) { return made.num_tried < made.num_values; };
        const auto num_unforced = std::count_if(decisions_.begin(), decisions_.end(), is_unforced);
        max_depth_ = std::max(max_depth_, static_cast<std::int64_t>(decisions_.size()));
        max_unforced_ = std::max(max_unforced_, static_cast<std::int64_t>(num_unforced));
    }

    // Opens a decision, unless all candidates in scope are refuted or refuted ones are removed from the board.
    Choice choose(Control& control) {
        std::vector<Option> options = options_in_scope(control);
        for (Option& option : options) {
            if (control.must_stop()) return Choice::stopped;
            for (const Criterion& criterion : parameters_.before) {
                if (!criterion.is_of_variable)
                    option.score.push_back(choice_score(criterion.measure, option.candidate));
            }
        }
        if (!parameters_.after.empty() && !test(options, control)) return Choice::stopped;
        const auto is_refuted = [](const Option& option) { return option.is_refuted; };
        if (parameters_.refuted == Refuted::remove && std::any_of(options.begin(), options.end(), is_refuted)) {
            return remove_refuted(options) ? Choice::repeat : Choice::failed;
        }
        if (parameters_.refuted == Refuted::drop) std::erase_if(options, is_refuted);
        if (options.empty()) return Choice::failed;
        sort(options);
        if (parameters_.refuted == Refuted::ties_first && std::any_of(options.begin(), options.end(), is_refuted)) {
            if (!remove_refuted(options)) return Choice::failed;
            std::erase_if(options, [&](const Option& option) { return !is_open(option.candidate); });
            if (options.empty()) return Choice::repeat;
        }
        const int best_cell = options.front().candidate.cell;
        if (is_of_variable_) std::erase_if(options, [&](const Option& o) { return o.candidate.cell != best_cell; });
        const auto num_values = static_cast<std::size_t>(std::count_if(
            options.begin(), options.end(), [&](const Option& option) { return option.candidate.cell == best_cell; }));
        if (is_two_way_) options.resize(1);
        Decision decision{board_.mark(), {}, num_values};
        for (const Option& option : options) decision.choices.push_back(option.candidate);
        decisions_.push_back(std::move(decision));
        return Choice::made;
    }

    std::vector<Option> options_in_scope(Control& control) {
        std::vector<int> cells;
        for (int cell = 0; cell < board_.geometry().num_cells(); ++cell) {
            if (!board_.is_placed(cell)) cells.push_back(cell);
        }
        if (is_of_variable_) keep_best_cell(cells, control);
        std::vector<Option> options;
        for (const int cell : cells) {
            for (std::uint64_t left = board_.candidates(cell); left != 0; left &= left - 1) {
                options.push_back({{cell, std::countr_zero(left)}, {}});
            }
        }
        return options;
    }

    bool is_open(const Candidate& candidate) const {
        return !board_.is_placed(candidate.cell) && (board_.candidates(candidate.cell) >> candidate.digit & 1) != 0;
    }

    // Keeps the best cells, measure by measure, and finally the first of them, unless r1r2 breaks their ties; an
    // arbitrary one if stopped.
    void keep_best_cell(std::vector<int>& cells, Control& control) {
        for (const Criterion& criterion : parameters_.before) {
            if (!criterion.is_of_variable || cells.size() == 1) continue;
            std::vector<int> best;
            double lowest = 0;
            for (const int cell : cells) {
                const double score = control.must_stop() ? 0.0 : cell_score(criterion.measure, cell);
                if (best.empty() || score < lowest) {
                    best.clear();
                    lowest = score;
                }
                if (score == lowest) best.push_back(cell);
            }
            cells = std::move(best);
        }
        if (parameters_.tied_cells == TiedCells::first || parameters_.after.empty()) cells.resize(1);
    }

    // Options with equal scores stay in reading order.
    static void sort(std::vector<Option>& options) {
        std::stable_sort(options.begin(), options.end(),
                         [](const Option& a, const Option& b) { return a.score < b.score; });
    }

    // Applies r1r2 to the options, or to those that are tied, and extends their scores. A refuted option comes last
    // among those it was tested with. False if stopped.
    bool test(std::vector<Option>& options, Control& control) {
        const bool is_all = parameters_.tested == Tested::all;
        std::vector<bool> is_tested(options.size(), is_all);
        if (!is_all) {
            sort(options);
            for (std::size_t i = 1; i < options.size(); ++i) {
                const bool is_tied = options[i - 1].score == options[i].score;
                // two-way branching tries the best option only
                if (is_two_way_ && !is_tied) break;
                if (is_tied) is_tested[i - 1] = is_tested[i] = true;
            }
        }
        for (std::size_t i = 0; i < options.size(); ++i) {
            if (!is_tested[i]) continue;
            if (control.must_stop()) return false;
            test(options[i]);
            if (is_all) options[i].score.insert(options[i].score.begin(), options[i].is_refuted ? 1 : 0);
        }
        return true;
    }

    void test(Option& option) {
        const DeductionBoard::Mark mark = board_.mark();
        option.is_refuted = !board_.place(option.candidate.cell, option.candidate.digit) ||
                            deduce(board_, first_two_rules).is_contradiction;
        for (const Measure measure : parameters_.after) {
            option.score.push_back(option.is_refuted ? HUGE_VAL : board_score(measure));
        }
        board_.undo(mark);
    }

    // False on a contradiction.
    bool remove_refuted(const std::vector<Option>& options) {
        for (const auto& [candidate, score, is_refuted] : options) {
            if (is_refuted && !board_.remove(candidate.cell, candidate.digit)) return false;
        }
        return filter();
    }

    double cell_score(Measure measure, int cell) {
        switch (measure) {
            case Measure::lexicographic:
                return cell;
            case Measure::num_candidates:
                return board_.num_candidates(cell);
            case Measure::most_edges:
                return -invariant_of(cell);
            case Measure::fewest_edges:
                return invariant_of(cell);
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
                return -invariant();
            case Measure::fewest_edges:
                return invariant();
            case Measure::product:
                return log_product(board_);
            case Measure::num_candidates:
                return num_open_candidates(board_);
            default:
                return 0;
        }
    }

    // Edges or density of the graph.
    double invariant() const {
        const std::int64_t num_edges = count_edges(board_);
        if (parameters_.invariant == Invariant::edges) return static_cast<double>(num_edges);
        return share_of_pairs(num_edges, num_pairs(num_open_candidates(board_)));
    }

    // The same for the edges and pairs incident to a candidate of the cell.
    double invariant_of(int cell) const {
        const std::int64_t num_edges = count_edges_of(board_, cell);
        if (parameters_.invariant == Invariant::edges) return static_cast<double>(num_edges);
        const std::int64_t vertices = num_open_candidates(board_);
        return share_of_pairs(num_edges, num_pairs(vertices) - num_pairs(vertices - board_.num_candidates(cell)));
    }

    const GraphSearch::Parameters& parameters_;
    DeductionBoard board_;
    bool is_of_variable_ = false;
    bool is_two_way_ = false;
    bool is_fresh_;  // the board is filtered, consistent and not branched on yet
    std::vector<Decision> decisions_;
    std::int64_t num_nodes_ = 0;       // candidates tried
    std::int64_t num_backtracks_ = 0;  // candidates that passed the filter and failed later
    std::int64_t num_rejected_ = 0;    // all candidates that failed
    std::int64_t max_depth_ = 0;       // most simultaneously open decisions that passed the filter
    std::int64_t max_unforced_ = 0;    // of these, those that left another value of the cell untried
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
