#include "logic/techniques/forcing_chains.h"

#include <algorithm>
#include <tuple>

#include "logic/techniques/nested_chains.h"
#include "logic/techniques/reasons.h"

namespace sudokulab::techniques {
class ForcingChains::Search {
public:
    Search(Kind kind, int level)
        : kind_(kind), level_(level), propagator_({kind != Kind::multiple, kind != Kind::nishio}, further_rules()) {
        if (level == 2 || level == 3) simple_ = std::make_unique<SimpleChains>();
        if (level == 3) inner_.push_back(std::make_unique<Search>(Kind::multiple, 0));
        if (level >= 4) inner_.push_back(std::make_unique<Search>(Kind::dynamic, 0));
        if (level == 5) inner_.push_back(std::make_unique<Search>(Kind::dynamic, 2));
    }

    std::optional<Step> find_easiest(const TechniqueBoard& board, Control& control) {
        search(board, false, control);
        if (found_.empty() || control.must_stop()) return std::nullopt;
        return step_of(found_[0]);
    }

    bool visit_all(const TechniqueBoard& board, Control& control, const Visitor& visit) {
        search(board, true, control);
        if (control.must_stop()) return false;
        std::sort(found_.begin(), found_.end(), is_easier);
        return std::all_of(found_.begin(), found_.end(),
                           [&](const Chain& chain) { return !control.must_stop() && visit(step_of(chain)); });
    }

private:
    // Of two chains of the same length, that of the earlier kind wins, as in Sudoku Explainer.
    enum class Preference : std::uint8_t { double_chains, cell_chains, region_chains, contradiction };

    // A chain as found, with what is needed to rebuild its branches.
    struct Chain {
        Technique technique;
        Preference preference;
        int origin;          // contradiction, double: the candidate; cell: the cell; region: the unit
        int digit = -1;      // region: the digit
        bool is_on = false;  // contradiction: the assumption
        int target = 0;      // the conclusion
        bool is_target_on = false;
        int length = 0;
        int order = 0;  // of discovery
    };
    struct Branch {
        const Implications* implications;
        int position;
    };

    static bool is_easier(const Chain& one, const Chain& other) {
        return std::tie(one.length, one.preference, one.order) < std::tie(other.length, other.preference, other.order);
    }

    const Implications& implications(int id, bool is_on) {
        auto& runs = is_on ? runs_on_ : runs_off_;
        Run& run = runs[static_cast<std::size_t>(id)];
        if (!run.is_ready) {
            propagator_.run(*board_, graph_, id, is_on, *control_, run.implications);
            run.is_ready = true;
        }
        return run.implications;
    }

    // With `is_complete`, finds the best chain for every set of eliminations; otherwise the best of all.
    void search(const TechniqueBoard& board, bool is_complete, Control& control) {
        control_ = &control;
        board_ = &board;
        is_complete_ = is_complete;
        found_.clear();
        nested_.clear();
        graph_.build(board);
        if (kind_ == Kind::multiple) graph_.build_weak_links(board);
        const auto size = static_cast<std::size_t>(graph_.size());
        for (auto* runs : {&runs_on_, &runs_off_}) {
            if (runs->size() < size) runs->resize(size);
            for (Run& run : *runs) run.is_ready = false;
        }
        best_.assign(2 * size + 1, -1);
        order_ = 0;
        for (int cell = 0; cell < board.geometry().num_cells(); ++cell) {
            const int count = board.num_candidates(cell);
            if (count > (kind_ == Kind::multiple ? 2 : 1) && !control.must_stop()) search_cell(cell);
        }
    }

    void search_cell(int cell) {
        const int first = graph_.first_id(cell);
        const int end = graph_.first_id(cell + 1);
        for (int id = first; id < end && !control_->must_stop(); ++id) {
            if (kind_ != Kind::multiple) {
                search_contradictions(id);
                if (kind_ == Kind::dynamic && end - first >= 3) search_double(id);
            }
            if (kind_ != Kind::nishio) search_regions(id);
        }
        if (kind_ == Kind::nishio) return;
        branches_.clear();
        for (int id = first; id < end; ++id) branches_.push_back(&implications(id, true));
        offer_common({Technique::cell_forcing_chains, Preference::cell_chains, cell});
    }

    void search_contradictions(int id) {
        for (const bool is_on : {true, false}) {
            const Implications& own = implications(id, is_on);
            if (own.clash_on < 0) continue;
            const Technique technique =
                kind_ == Kind::nishio ? Technique::nishio : Technique::contradiction_forcing_chains;
            offer({.technique = technique,
                   .preference = Preference::contradiction,
                   .origin = id,
                   .is_on = is_on,
                   .target = id,
                   .is_target_on = !is_on});
        }
    }

    void search_double(int id) {
        branches_ = {&implications(id, true), &implications(id, false)};
        offer_common({Technique::double_forcing_chains, Preference::double_chains, id});
    }

    void search_regions(int id) {
        const auto [cell, digit] = graph_.candidate(id);
        for (const UnitKind kind : {UnitKind::box, UnitKind::row, UnitKind::column}) {
            const int unit = board_->unit(kind, cell);
            const std::uint64_t positions = board_->positions(unit, digit);
            if (num_bits(positions) < 2 || lowest_bit(positions) != board_->position(kind, cell)) continue;
            branches_.clear();
            for_each_bit(positions, [&, digit = digit](int position) {
                branches_.push_back(&implications(graph_.id(board_->geometry().cell(unit, position), digit), true));
            });
            offer_common({Technique::region_forcing_chains, Preference::region_chains, unit, digit});
        }
    }

    // Offers a chain for every conclusion common to all branches, true ones first, in the order of the first branch.
    void offer_common(Chain chain) {
        for (const bool is_on : {true, false}) {
            for (const Implications::Node& node : branches_[0]->nodes) {
                if (node.is_on != is_on) continue;
                const bool is_common = std::all_of(branches_.begin(), branches_.end(), [&](const Implications* other) {
                    return other->find(node.id, is_on) >= 0;
                });
                if (!is_common || branches_[0]->find(node.id, is_on) != &node - branches_[0]->nodes.data()) continue;
                chain.target = node.id;
                chain.is_target_on = is_on;
                offer(chain);
            }
        }
    }

    // Chains with the same eliminations have the same key.
    int key(const Chain& chain) const {
        if (!chain.is_target_on) return chain.target;
        const Candidate& own = graph_.candidate(chain.target);
        const std::uint64_t others = board_->candidates(own.cell) & ~bit(own.digit);
        if (has_one_bit(others)) return graph_.id(own.cell, lowest_bit(others));
        return graph_.size() + chain.target;
    }

    void offer(Chain chain) {
        chain.order = order_++;
        if (chain.is_target_on && board_->num_candidates(graph_.candidate(chain.target).cell) < 2) return;
        int* best = is_complete_ ? &best_[static_cast<std::size_t>(key(chain))] : &best_[0];
        const auto is_hopeless = [&] {
            return *best >= 0 && !is_easier(chain, found_[static_cast<std::size_t>(*best)]);
        };
        collect_branches(chain);
        chain.length = least_length();
        if (is_hopeless()) return;
        chain.length = flat_length();
        if (is_hopeless()) return;
        chain.length += nested_length();
        if (*best < 0) {
            *best = static_cast<int>(found_.size());
            found_.push_back(chain);
        } else if (is_easier(chain, found_[static_cast<std::size_t>(*best)])) {
            found_[static_cast<std::size_t>(*best)] = chain;
        }
    }

    void collect_branches(const Chain& chain) {
        collected_.clear();
        switch (chain.technique) {
            case Technique::cell_forcing_chains:
                for (int id = graph_.first_id(chain.origin); id < graph_.first_id(chain.origin + 1); ++id) {
                    const Implications& own = implications(id, true);
                    collected_.push_back({&own, own.find(chain.target, chain.is_target_on)});
                }
                break;
            case Technique::region_forcing_chains:
                for_each_bit(board_->positions(chain.origin, chain.digit), [&](int position) {
                    const int cell = board_->geometry().cell(chain.origin, position);
                    const Implications& own = implications(graph_.id(cell, chain.digit), true);
                    collected_.push_back({&own, own.find(chain.target, chain.is_target_on)});
                });
                break;
            case Technique::double_forcing_chains:
                for (const bool is_on : {true, false}) {
                    const Implications& own = implications(chain.origin, is_on);
                    collected_.push_back({&own, own.find(chain.target, chain.is_target_on)});
                }
                break;
            default: {
                const Implications& own = implications(chain.origin, chain.is_on);
                collected_ = {{&own, own.clash_on}, {&own, own.clash_off}};
            }
        }
    }

    // The length of the collected branches is at least this.
    int least_length() const {
        int length = 0;
        for (const Branch& branch : collected_) length += branch.implications->node(branch.position).depth;
        return length;
    }

    // The length of the collected branches without nested chains.
    int flat_length() {
        int length = 0;
        for (const Branch& branch : collected_) length += branch.implications->size(branch.position, scratch_);
        return length;
    }

    // The lengths of the different nested chains in the collected branches.
    int nested_length() {
        std::vector<int> numbers;
        for (const Branch& branch : collected_) {
            if (!branch.implications->node(branch.position).has_nested) continue;
            positions_.clear();
            branch.implications->collect(branch.position, positions_);
            for (const int position : positions_) {
                const int nested = branch.implications->node(position).nested;
                if (nested >= 0) numbers.push_back(nested);
            }
        }
        std::sort(numbers.begin(), numbers.end());
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        int length = 0;
        for (const int number : numbers) length += nested_.length(number);
        return length;
    }

    std::vector<Candidate> eliminations(const Chain& chain) const {
        const Candidate& own = graph_.candidate(chain.target);
        if (!chain.is_target_on) return {own};
        std::vector<Candidate> removed;
        for_each_bit(board_->candidates(own.cell) & ~bit(own.digit),
                     [&](int digit) { removed.push_back({own.cell, digit}); });
        return removed;
    }

    // Inside a search, cell and region chains have one name each, whether static, dynamic or nested.
    Technique technique_of(const Chain& chain) const {
        if (level_ > 0) return Technique::nested_forcing_chains;
        if (kind_ != Kind::dynamic) return chain.technique;
        if (chain.technique == Technique::cell_forcing_chains) return Technique::dynamic_cell_forcing_chains;
        if (chain.technique == Technique::region_forcing_chains) return Technique::dynamic_region_forcing_chains;
        return chain.technique;
    }

    Step step_of(const Chain& chain) {
        Step step;
        step.technique = technique_of(chain);
        step.variant = level_;
        step.length = chain.length;
        if (chain.technique == Technique::region_forcing_chains) {
            step.units = {chain.origin};
            for_each_bit(board_->positions(chain.origin, chain.digit),
                         [&](int position) { step.cells.push_back(board_->geometry().cell(chain.origin, position)); });
        } else {
            step.cells = {chain.technique == Technique::cell_forcing_chains ? chain.origin
                                                                            : graph_.candidate(chain.origin).cell};
        }
        collect_branches(chain);
        for (const Branch& branch : collected_) {
            positions_.clear();
            branch.implications->collect(branch.position, positions_);
            for (const int position : positions_) {
                const Implications::Node& node = branch.implications->node(position);
                step.pattern.push_back(graph_.candidate(node.id));
                for (const std::uint16_t parent : branch.implications->parents_of(node)) {
                    step.links.push_back({graph_.candidate(branch.implications->node(parent).id),
                                          graph_.candidate(node.id), node.is_on});
                }
            }
        }
        remove_repeats(step);
        if (chain.is_target_on) step.placements = {graph_.candidate(chain.target)};
        step.eliminations = eliminations(chain);
        return step;
    }

    // The rules that continue a propagation where links end; the first that removes something wins.
    FurtherRules further_rules() {
        if (level_ == 0) return {};
        return [this](const TechniqueBoard& source, const TechniqueBoard& current, const ReportRemoval& report) {
            Reasons reasons(source, current);
            if (report_basic_steps(reasons, current, report, *control_)) return;
            if (simple_ && report_simple_chains(*simple_, nested_, reasons, current, report, *control_)) return;
            for (const auto& inner : inner_) {
                if (inner->report_chains(*this, reasons, current, report)) return;
            }
        };
    }

    // Reports the chains of this search on a board of the outer one.
    bool report_chains(Search& outer, Reasons& reasons, const TechniqueBoard& current, const ReportRemoval& report) {
        search(current, true, *outer.control_);
        std::sort(found_.begin(), found_.end(), is_easier);
        RemovalFilter filter;
        for (const Chain& chain : found_) {
            const std::vector<Candidate> removed = eliminations(chain);
            if (!filter.is_useful(removed)) continue;
            collect_branches(chain);
            const Cause first_cause = chain.technique == Technique::cell_forcing_chains ? Cause::cell
                                      : chain.technique == Technique::region_forcing_chains
                                          ? cause_of(static_cast<UnitKind>(chain.origin / board_->geometry().size()))
                                          : Cause::none;
            reasons.clear();
            NestedChains::Nodes nodes;
            for (const Branch& branch : collected_) {
                positions_.clear();
                branch.implications->collect(branch.position, positions_);
                for (const int position : positions_) {
                    const Implications::Node& node = branch.implications->node(position);
                    const Candidate& candidate = graph_.candidate(node.id);
                    nodes.push_back(nested_node(board_->geometry(), candidate, node.is_on));
                    if (node.is_on) reasons.add_link(candidate, position == 0 ? first_cause : node.cause);
                }
                nodes.push_back(end_of_branch);
            }
            if (reasons.candidates().empty()) {
                filter.add_useless(removed);
                continue;
            }
            filter.add(removed);
            report(removed, reasons.candidates(), outer.nested_.number(std::move(nodes), chain.length));
        }
        return filter.has_removed();
    }

    struct Run {
        Implications implications;
        bool is_ready = false;
    };

    const Kind kind_;
    const int level_;
    Propagator propagator_;
    std::unique_ptr<SimpleChains> simple_;
    std::vector<std::unique_ptr<Search>> inner_;  // nested searches, in the order they are tried

    Control* control_ = nullptr;
    const TechniqueBoard* board_ = nullptr;
    bool is_complete_ = false;
    LinkGraph graph_;
    std::vector<Run> runs_on_, runs_off_;  // by candidate
    std::vector<Chain> found_;
    std::vector<int> best_;  // by key: position in found_, or -1
    int order_ = 0;
    NestedChains nested_;
    std::vector<const Implications*> branches_;
    std::vector<Branch> collected_;
    std::vector<int> positions_;
    std::vector<char> scratch_;
};

ForcingChains::ForcingChains(Kind kind, int level) : search_(std::make_unique<Search>(kind, level)) {}

ForcingChains::~ForcingChains() = default;

ForcingChains::ForcingChains(ForcingChains&&) noexcept = default;

std::optional<Step> ForcingChains::find_easiest(const TechniqueBoard& board, Control& control) {
    return search_->find_easiest(board, control);
}

bool ForcingChains::visit_all(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return search_->visit_all(board, control, visit);
}

}  // namespace sudokulab::techniques
