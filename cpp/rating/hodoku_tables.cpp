#include "rating/hodoku_tables.h"

#include "logic/techniques/inference_graph.h"

namespace sudokulab {
namespace {

using namespace techniques;

constexpr int num_look_ahead = 4;  // rounds of singles

class Tables {
public:
    Tables(const TechniqueBoard& board, TableKind kind, Control& control)
        : board_(board),
          geometry_(board.geometry()),
          graph_(board, ChainScope::groups, control),
          num_words_((static_cast<std::size_t>(graph_.num_states()) + 63) / 64),
          successors_(static_cast<std::size_t>(graph_.num_states()), Bits(num_words_)),
          ids_(static_cast<std::size_t>(geometry_.num_cells() * geometry_.size()), -1) {
        for (int node = 0; node < graph_.num_candidates(); ++node) {
            const InferenceGraph::Node& own = graph_.node(InferenceGraph::state(node, true));
            ids_[static_cast<std::size_t>(own.cell * geometry_.size() + own.digit)] = node;
        }
        for (int state = 0; state < graph_.num_states(); ++state) {
            for (const InferenceGraph::Target& target : graph_.targets(state)) add(successors(state), target.state);
        }
        if (kind == TableKind::nets) {
            for (int state = 0; state < num_premises(); ++state) look_ahead(state);
        }
        for (int state = 0; state < num_premises(); ++state) tables_.push_back(table_of(state));
    }

    std::optional<Step> find() {
        for (int state = 0; state < num_premises(); ++state) {
            if (!is_contradictory(state)) continue;
            const InferenceGraph::Node& own = graph_.node(state);
            if (InferenceGraph::is_on(state)) {
                eliminate(own.cell, own.digit, Technique::contradiction_forcing_chains);
            } else {
                place(own.cell, own.digit, Technique::contradiction_forcing_chains);
            }
        }
        for (int node = 0; node < graph_.num_candidates(); ++node) {
            const int cell = graph_.node(InferenceGraph::state(node, true)).cell;
            conclude({InferenceGraph::state(node, true), InferenceGraph::state(node, false)},
                     Technique::double_forcing_chains, cell);
        }
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (!board_.is_open(cell)) continue;
            std::vector<State> premises;
            for_each_bit(board_.candidates(cell), [&](int digit) { premises.push_back(on(cell, digit)); });
            conclude(premises, Technique::cell_forcing_chains);
        }
        for (int unit = 0; unit < geometry_.num_units(); ++unit) {
            for (int digit = 0; digit < geometry_.size(); ++digit) {
                std::vector<State> premises;
                for_each_bit(board_.positions(unit, digit),
                             [&](int position) { premises.push_back(on(geometry_.cell(unit, position), digit)); });
                if (!premises.empty()) conclude(premises, Technique::region_forcing_chains);
            }
        }
        return placement_ ? placement_ : elimination_;
    }

private:
    using State = InferenceGraph::State;
    using Bits = std::vector<std::uint64_t>;
    // The cells in which each digit is true or false.
    struct Table {
        std::vector<CellSet> true_cells;
        std::vector<CellSet> false_cells;
    };

    static void add(Bits& bits, int index) { bits[static_cast<std::size_t>(index / 64)] |= bit(index % 64); }

    Bits& successors(State state) { return successors_[static_cast<std::size_t>(state)]; }
    int num_premises() const { return 2 * graph_.num_candidates(); }
    int id(int cell, int digit) const { return ids_[static_cast<std::size_t>(cell * geometry_.size() + digit)]; }
    State on(int cell, int digit) const { return InferenceGraph::state(id(cell, digit), true); }
    const Table& table(State state) const { return tables_[static_cast<std::size_t>(state)]; }

    // Adds what the singles after the premise place and remove.
    void look_ahead(State premise) {
        const InferenceGraph::Node& own = graph_.node(premise);
        TechniqueBoard board = board_;
        if (InferenceGraph::is_on(premise)) {
            assume(premise, board, own.cell, own.digit);
        } else {
            board.remove(own.cell, own.digit);
            const std::uint64_t left = board.candidates(own.cell);
            if (has_one_bit(left)) assume(premise, board, own.cell, lowest_bit(left));
        }
        for (int round = 0; round < num_look_ahead; ++round) {
            const std::vector<Candidate> singles = singles_of(board);
            if (singles.empty()) break;
            for (const Candidate& single : singles) assume(premise, board, single.cell, single.digit);
        }
    }

    // Naked singles, then hidden ones, at most one of each kind per cell.
    std::vector<Candidate> singles_of(const TechniqueBoard& board) const {
        std::vector<Candidate> singles;
        for (int cell = 0; cell < geometry_.num_cells(); ++cell) {
            if (has_one_bit(board.candidates(cell))) {
                singles.push_back({cell, lowest_bit(board.candidates(cell))});
            }
        }
        CellSet hidden;
        for (int unit = 0; unit < geometry_.num_units(); ++unit) {
            for (int digit = 0; digit < geometry_.size(); ++digit) {
                const std::uint64_t positions = board.positions(unit, digit);
                if (!has_one_bit(positions)) continue;
                const int cell = geometry_.cell(unit, lowest_bit(positions));
                if (hidden.has(cell)) continue;
                hidden.add(cell);
                singles.push_back({cell, digit});
            }
        }
        return singles;
    }

    void assume(State premise, TechniqueBoard& board, int cell, int digit) {
        add_consequence(premise, cell, digit, true);
        (graph_.map().peers(cell) & graph_.map().of(digit)).for_each([&](int peer) {
            add_consequence(premise, peer, digit, false);
        });
        for_each_bit(board.candidates(cell) & ~bit(digit),
                     [&](int other) { add_consequence(premise, cell, other, false); });
        if (board.is_open(cell)) board.place(cell, digit);
    }

    void add_consequence(State premise, int cell, int digit, bool is_on) {
        const State state = InferenceGraph::state(id(cell, digit), is_on);
        if (state != premise) add(successors(premise), state);
    }

    Table table_of(State premise) {
        Bits reached(num_words_);
        add(reached, premise);
        std::vector<State> open{premise};
        Table table{std::vector<CellSet>(static_cast<std::size_t>(geometry_.size())),
                    std::vector<CellSet>(static_cast<std::size_t>(geometry_.size()))};
        while (!open.empty()) {
            const State state = open.back();
            open.pop_back();
            const InferenceGraph::Node& node = graph_.node(state);
            if (node.is_candidate()) {
                auto& cells = InferenceGraph::is_on(state) ? table.true_cells : table.false_cells;
                cells[static_cast<std::size_t>(node.digit)].add(node.cell);
            }
            const Bits& next = successors(state);
            for (std::size_t word = 0; word < num_words_; ++word) {
                const std::uint64_t fresh = next[word] & ~reached[word];
                reached[word] |= fresh;
                for_each_bit(fresh, [&](int k) { open.push_back(static_cast<int>(64 * word) + k); });
            }
        }
        return table;
    }

    bool is_contradictory(State premise) const {
        const Table& own = table(premise);
        CellSet taken;
        CellSet empty = graph_.map().open();
        for (std::size_t digit = 0; digit < own.true_cells.size(); ++digit) {
            const CellSet& true_cells = own.true_cells[digit];
            if (true_cells.meets(own.false_cells[digit]) || true_cells.meets(taken)) return true;
            taken |= true_cells;
            empty &= own.false_cells[digit] | (graph_.map().open() - graph_.map().of(static_cast<int>(digit)));
        }
        if (!(empty - taken).is_empty()) return true;
        for (int unit = 0; unit < geometry_.num_units(); ++unit) {
            for (int digit = 0; digit < geometry_.size(); ++digit) {
                const auto d = static_cast<std::size_t>(digit);
                if ((own.true_cells[d] & graph_.map().unit(unit)).size() > 1) return true;
                if (!own.false_cells[d].meets(graph_.map().unit(unit))) continue;
                if (can_hold(unit, digit).is_within(own.false_cells[d])) return true;
            }
        }
        return false;
    }

    // The open cells of the unit from which no placed digit excludes the digit.
    CellSet can_hold(int unit, int digit) const {
        CellSet cells;
        for (int position = 0; position < geometry_.size(); ++position) {
            const int cell = geometry_.cell(unit, position);
            if (!board_.is_open(cell)) continue;
            bool is_possible = true;
            graph_.map().peers(cell).for_each([&](int peer) { is_possible &= board_.value(peer) != digit + 1; });
            if (is_possible) cells.add(cell);
        }
        return cells;
    }

    // What all these premises have in common, outside the excluded cell.
    void conclude(const std::vector<State>& premises, Technique technique, int excluded = -1) {
        for (int digit = 0; digit < geometry_.size(); ++digit) {
            const auto d = static_cast<std::size_t>(digit);
            CellSet true_cells = table(premises[0]).true_cells[d];
            CellSet false_cells = table(premises[0]).false_cells[d];
            for (const State premise : premises) {
                true_cells &= table(premise).true_cells[d];
                false_cells &= table(premise).false_cells[d];
            }
            true_cells.for_each([&](int cell) {
                if (cell != excluded) place(cell, digit, technique);
            });
            false_cells.for_each([&](int cell) {
                if (cell != excluded) eliminate(cell, digit, technique);
            });
        }
    }

    void place(int cell, int digit, Technique technique) {
        if (placement_ && placement_->placements[0].cell <= cell) return;
        placement_.emplace();
        placement_->technique = technique;
        placement_->placements = {{cell, digit}};
    }

    void eliminate(int cell, int digit, Technique technique) {
        if (elimination_) {
            const Candidate& known = elimination_->eliminations[0];
            if (std::pair(known.cell, known.digit) <= std::pair(cell, digit)) return;
        }
        elimination_.emplace();
        elimination_->technique = technique;
        elimination_->eliminations = {{cell, digit}};
    }

    const TechniqueBoard& board_;
    const Geometry& geometry_;
    const InferenceGraph graph_;
    const std::size_t num_words_;
    std::vector<Bits> successors_;  // by state
    std::vector<int> ids_;          // by cell and digit
    std::vector<Table> tables_;     // by premise
    std::optional<Step> placement_;
    std::optional<Step> elimination_;
};

}  // namespace

std::optional<Step> find_in_tables(const TechniqueBoard& board, TableKind kind, Control& control) {
    std::optional<Step> step = Tables(board, kind, control).find();
    if (control.must_stop()) return std::nullopt;
    if (step && kind == TableKind::nets) {
        step->variant = 1;
        if (step->technique == Technique::cell_forcing_chains) step->technique = Technique::dynamic_cell_forcing_chains;
        if (step->technique == Technique::region_forcing_chains) {
            step->technique = Technique::dynamic_region_forcing_chains;
        }
    }
    return step;
}

}  // namespace sudokulab
