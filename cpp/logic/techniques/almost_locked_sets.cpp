#include "logic/techniques/almost_locked_sets.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sudokulab::techniques {
namespace {

constexpr int min_chain_links = 3;
constexpr int max_chain_links = 6;

// Collects the sets of one unit, cells in ascending order, subsets before supersets.
class Collector {
public:
    Collector(const TechniqueBoard& board, const CellMap& map, int min_cells, Control& control)
        : board_(board),
          map_(map),
          control_(control),
          min_cells_(min_cells),
          max_cells_(board.geometry().size() <= 9 ? board.geometry().size() - 1 : 3) {}

    std::vector<AlmostLockedSet> collect() {
        for (int unit = 0; unit < board_.geometry().num_units(); ++unit) {
            unit_ = unit;
            extend(0, 0, 0);
        }
        return std::move(sets_);
    }

private:
    void extend(int position, int num_cells, std::uint64_t digits) {
        if (num_cells == max_cells_ || control_.must_stop()) return;
        for (; position < board_.geometry().size(); ++position) {
            const int cell = board_.geometry().cell(unit_, position);
            if (!board_.is_open(cell)) continue;
            cells_.add(cell);
            const std::uint64_t all = digits | board_.candidates(cell);
            if (num_bits(all) == num_cells + 2 && num_cells + 1 >= min_cells_ && is_new()) add(all);
            extend(position + 1, num_cells + 1, all);
            cells_.remove(cell);
        }
    }

    // Whether no earlier unit contains the set.
    bool is_new() const {
        bool is_known = false;
        for (const int unit : board_.geometry().units(cells_.first()).unit) {
            is_known |= unit < unit_ && cells_.is_within(map_.unit(unit));
        }
        return !is_known;
    }

    void add(std::uint64_t digits) {
        const auto num_digits = static_cast<std::size_t>(board_.geometry().size());
        AlmostLockedSet set{cells_, digits, std::vector<CellSet>(num_digits), std::vector<CellSet>(num_digits)};
        for_each_bit(digits, [&](int digit) {
            const auto k = static_cast<std::size_t>(digit);
            set.with[k] = cells_ & map_.of(digit);
            set.seen[k] = (map_.common_peers(set.with[k]) & map_.of(digit)) - cells_;
        });
        sets_.push_back(std::move(set));
    }

    const TechniqueBoard& board_;
    const CellMap& map_;
    Control& control_;
    const int min_cells_;
    const int max_cells_;
    int unit_ = 0;
    CellSet cells_;
    std::vector<AlmostLockedSet> sets_;
};

// Two sets with their restricted commons; the first has the lower number.
struct Pair {
    int first;
    int second;
    std::uint64_t digits;
    bool has_overlap;

    int other(int set) const { return set == first ? second : first; }
};

class Finder {
public:
    Finder(const TechniqueBoard& board, Control& control, const Visitor& visit)
        : board_(board),
          map_(board),
          sets_(almost_locked_sets(board, map_, 1, control)),
          control_(control),
          visit_(visit) {}

    bool find_xz() {
        step_.technique = Technique::als_xz;
        collect_pairs(false);
        for (const Pair& pair : pairs_) {
            if (control_.must_stop()) return false;
            const AlmostLockedSet& one = set(pair.first);
            const AlmostLockedSet& other = set(pair.second);
            for_each_bit(pair.digits, [&](int digit) { eliminate_common(one, other, bit(digit)); });
            if (num_bits(pair.digits) > 1) {
                eliminate_locked(one, other, pair.digits);
                eliminate_locked(other, one, pair.digits);
            }
            if (!report({pair.first, pair.second}, {pair.digits}, 1)) return false;
        }
        return true;
    }

    bool find_xy_wings(bool has_overlap) {
        step_.technique = Technique::als_xy_wing;
        collect_pairs(has_overlap);
        for (int hinge = 0; hinge < num_sets(); ++hinge) {
            const std::vector<int>& own = pairs_of_[static_cast<std::size_t>(hinge)];
            for (std::size_t j = 0; j < own.size(); ++j) {
                for (std::size_t k = j + 1; k < own.size(); ++k) {
                    if (!check_wing(hinge, pair(own[j]), pair(own[k]), has_overlap)) return false;
                }
            }
        }
        return true;
    }

    // With overlap, or in ascending order.
    bool find_chains(bool is_ascending) {
        step_.technique = Technique::als_xy_chain;
        is_ascending_ = is_ascending;
        collect_pairs(!is_ascending);
        for (int start = 0; start < num_sets() && !control_.must_stop(); ++start) {
            std::uint64_t first_digits = 0;
            for (const int k : pairs_of_[static_cast<std::size_t>(start)]) first_digits |= pair(k).digits;
            for_each_bit(first_digits, [&](int digit) { find_chains_from(start, digit); });
        }
        if (control_.must_stop()) return false;
        std::vector<const Chain*> chains;
        for (const auto& [outcome, chain] : chains_) chains.push_back(&chain);
        std::sort(chains.begin(), chains.end(), [](const Chain* one, const Chain* other) {
            return std::pair(one->links.size(), one->order) < std::pair(other->links.size(), other->order);
        });
        for (const Chain* chain : chains) {
            step_.eliminations = chain->eliminations;
            if (!report(chain->members, chain->links, chain->variant)) return false;
        }
        return true;
    }

    bool find_blossoms() {
        step_.technique = Technique::death_blossom;
        std::vector<std::vector<int>> petals(static_cast<std::size_t>(board_.geometry().size()));  // by digit
        for (int stem = 0; stem < board_.geometry().num_cells(); ++stem) {
            if (board_.num_candidates(stem) < 2) continue;
            stem_ = stem;
            bool is_complete = true;
            for_each_bit(board_.candidates(stem), [&](int digit) {
                std::vector<int>& own = petals[static_cast<std::size_t>(digit)];
                own.clear();
                for (int k = 0; k < num_sets(); ++k) {
                    if (set(k).seen[static_cast<std::size_t>(digit)].has(stem)) own.push_back(k);
                }
                is_complete &= !own.empty();
            });
            if (!is_complete) continue;
            chosen_.clear();
            targets_.assign(1, {});
            for (int digit = 0; digit < board_.geometry().size(); ++digit) targets_[0].push_back(map_.of(digit));
            if (!add_petal(petals, board_.candidates(stem), board_.geometry().all() & ~board_.candidates(stem))) {
                return false;
            }
        }
        return true;
    }

private:
    // A step of a chain search: a set, the restricted commons that lead there, and the state before.
    struct ChainState {
        int set;
        std::uint64_t digits;
        int previous;
        int num_links;
        bool has_overlap;
    };

    struct Chain {
        std::vector<int> members;
        std::vector<std::uint64_t> links;
        std::vector<Candidate> eliminations;
        int variant;
        int order;  // of discovery
    };

    int num_sets() const { return static_cast<int>(sets_.size()); }
    const AlmostLockedSet& set(int k) const { return sets_[static_cast<std::size_t>(k)]; }
    const Pair& pair(int k) const { return pairs_[static_cast<std::size_t>(k)]; }

    void collect_pairs(bool has_overlap) {
        pairs_of_.resize(sets_.size());
        for (int j = 0; j < num_sets(); ++j) {
            for (int k = j + 1; k < num_sets(); ++k) {
                if (control_.must_stop()) return;
                const std::uint64_t common = set(j).digits & set(k).digits;
                if (common == 0) continue;
                const CellSet shared = set(j).cells & set(k).cells;
                const bool is_overlap = !shared.is_empty();
                if (is_overlap && !has_overlap) continue;
                std::uint64_t digits = 0;
                for_each_bit(common, [&](int digit) {
                    const auto d = static_cast<std::size_t>(digit);
                    if (set(k).with[d].is_within(set(j).seen[d]) && !set(j).with[d].meets(shared)) digits |= bit(digit);
                });
                if (digits == 0) continue;
                pairs_of_[static_cast<std::size_t>(j)].push_back(static_cast<int>(pairs_.size()));
                pairs_of_[static_cast<std::size_t>(k)].push_back(static_cast<int>(pairs_.size()));
                pairs_.push_back({j, k, digits, is_overlap});
            }
        }
    }

    void eliminate(const CellSet& cells, int digit) {
        cells.for_each([&](int cell) { add_once(step_.eliminations, {cell, digit}); });
    }

    // What sees a digit in all cells of both sets, except for the restricted commons.
    void eliminate_common(const AlmostLockedSet& one, const AlmostLockedSet& other, std::uint64_t restricted) {
        for_each_bit(one.digits & other.digits & ~restricted, [&](int digit) {
            const auto d = static_cast<std::size_t>(digit);
            eliminate(one.seen[d] & other.seen[d], digit);
        });
    }

    // What sees a digit of a locked set in all its cells.
    void eliminate_locked(const AlmostLockedSet& locked, const AlmostLockedSet& other, std::uint64_t restricted) {
        for_each_bit(locked.digits & ~restricted,
                     [&](int digit) { eliminate(locked.seen[static_cast<std::size_t>(digit)] - other.cells, digit); });
    }

    // Reports the step if it removes anything. The links hold, for each pair of adjacent sets, the restricted commons.
    bool report(const std::vector<int>& members, const std::vector<std::uint64_t>& links, int variant) {
        if (step_.eliminations.empty()) return true;
        step_.variant = variant;
        step_.cells.clear();
        step_.pattern.clear();
        step_.nodes.clear();
        step_.links.clear();
        if (stem_ >= 0) {
            step_.cells.push_back(stem_);
            for_each_bit(board_.candidates(stem_), [&](int digit) { step_.pattern.push_back({stem_, digit}); });
        }
        for (const int k : members) {
            std::vector<Candidate>& node = step_.nodes.emplace_back();
            set(k).cells.for_each([&](int cell) {
                step_.cells.push_back(cell);
                for_each_bit(board_.candidates(cell), [&](int digit) { node.push_back({cell, digit}); });
            });
            step_.pattern.insert(step_.pattern.end(), node.begin(), node.end());
        }
        remove_repeats(step_);  // of sets that overlap
        for (std::size_t k = 0; k < links.size(); ++k) {
            for_each_bit(links[k], [&](int digit) {
                const auto d = static_cast<std::size_t>(digit);
                const Candidate to{set(members[stem_ >= 0 ? k : k + 1]).with[d].first(), digit};
                const Candidate from{stem_ >= 0 ? stem_ : set(members[k]).with[d].first(), digit};
                step_.links.push_back({from, to, false});
            });
        }
        const bool is_wanted = visit_(step_);
        step_.eliminations.clear();
        return is_wanted;
    }

    bool check_wing(int hinge, const Pair& one, const Pair& other, bool has_overlap) {
        if (control_.must_stop()) return false;
        const std::uint64_t digits = one.digits | other.digits;
        if (has_one_bit(digits)) return true;  // x and y must differ
        const int first = one.other(hinge);
        const int second = other.other(hinge);
        const CellSet& first_cells = set(first).cells;
        const CellSet& second_cells = set(second).cells;
        const bool is_overlap = first_cells.meets(second_cells);
        if (is_overlap && !has_overlap) return true;
        if (first_cells.is_within(second_cells) || second_cells.is_within(first_cells)) return true;
        eliminate_common(set(first), set(second), digits);
        const int variant = is_overlap || one.has_overlap || other.has_overlap ? 2 : 1;
        return report({first, hinge, second}, {one.digits, other.digits}, variant);
    }

    // Breadth first over the sets and the restricted commons that lead there. A set that is reached twice by the same
    // digits has the same continuations, unless the first way was too short to count.
    void find_chains_from(int start, int first_digit) {
        const int max_links = is_ascending_                   ? num_sets()
                              : board_.geometry().size() <= 9 ? max_chain_links
                                                              : min_chain_links;
        std::vector<ChainState> states{{start, 0, -1, 0, false}};
        std::vector<std::vector<std::uint64_t>> known(sets_.size());  // by set: how it was reached
        for (std::size_t current = 0; current < states.size(); ++current) {
            if (control_.must_stop()) return;
            const ChainState from = states[current];
            if (from.num_links >= min_chain_links) check_chain(states, static_cast<int>(current), bit(first_digit));
            if (from.num_links == max_links) continue;
            for (const int k : pairs_of_[static_cast<std::size_t>(from.set)]) {
                // Of two restricted commons before, the first is taken to be used.
                const std::uint64_t digits = from.num_links == 0 ? pair(k).digits & bit(first_digit)
                                                                 : pair(k).digits & ~bit(lowest_bit(from.digits));
                if (digits == 0) continue;
                const int next = pair(k).other(from.set);
                if (is_ascending_ && next < from.set) continue;
                const bool has_overlap = from.has_overlap || pair(k).has_overlap;
                const auto level = static_cast<std::uint64_t>(std::min(from.num_links + 1, min_chain_links));
                const std::uint64_t key = digits << 3 | level << 1 | (has_overlap ? 1 : 0);
                std::vector<std::uint64_t>& keys = known[static_cast<std::size_t>(next)];
                if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
                if (is_on_path(states, static_cast<int>(current), next)) continue;
                keys.push_back(key);
                states.push_back({next, digits, static_cast<int>(current), from.num_links + 1, has_overlap});
            }
        }
    }

    static bool is_on_path(const std::vector<ChainState>& states, int last, int set) {
        for (int k = last; k >= 0; k = states[static_cast<std::size_t>(k)].previous) {
            if (states[static_cast<std::size_t>(k)].set == set) return true;
        }
        return false;
    }

    // Keeps the chain if it removes anything and no chain of its variant with as few sets does the same.
    void check_chain(const std::vector<ChainState>& states, int last, std::uint64_t first_digit) {
        const ChainState& end = states[static_cast<std::size_t>(last)];
        step_.eliminations.clear();
        eliminate_common(set(states[0].set), set(end.set), end.digits | first_digit);
        if (step_.eliminations.empty()) return;
        std::vector<int> outcome{end.has_overlap ? 2 : 1};
        for (const Candidate& removed : step_.eliminations) {
            outcome.push_back(removed.digit * board_.geometry().num_cells() + removed.cell);
        }
        const auto [known, is_new] = chains_.try_emplace(std::move(outcome));
        Chain& chain = known->second;
        if (!is_new && static_cast<int>(chain.links.size()) <= end.num_links) return;
        chain = {{}, {}, step_.eliminations, end.has_overlap ? 2 : 1, num_chains_++};
        for (int k = last; k >= 0; k = states[static_cast<std::size_t>(k)].previous) {
            const ChainState& state = states[static_cast<std::size_t>(k)];
            chain.members.push_back(state.set);
            if (state.previous >= 0) chain.links.push_back(state.digits);
        }
        std::reverse(chain.members.begin(), chain.members.end());
        std::reverse(chain.links.begin(), chain.links.end());
    }

    // Chooses a petal for the lowest of the remaining stem digits; `digits` may still be removed somewhere.
    bool add_petal(const std::vector<std::vector<int>>& petals, std::uint64_t remaining, std::uint64_t digits) {
        if (control_.must_stop()) return false;
        if (remaining == 0) return report_blossom(digits);
        const int digit = lowest_bit(remaining);
        for (const int k : petals[static_cast<std::size_t>(digit)]) {
            const AlmostLockedSet& petal = set(k);
            std::vector<CellSet> targets = targets_.back();
            std::uint64_t left = 0;
            for_each_bit(digits & petal.digits, [&](int z) {
                const auto d = static_cast<std::size_t>(z);
                targets[d] &= petal.seen[d];
                if (!targets[d].is_empty()) left |= bit(z);
            });
            if (left == 0) continue;
            chosen_.push_back(k);
            targets_.push_back(std::move(targets));
            const bool is_wanted = add_petal(petals, remaining & (remaining - 1), left);
            chosen_.pop_back();
            targets_.pop_back();
            if (!is_wanted) return false;
        }
        return true;
    }

    bool report_blossom(std::uint64_t digits) {
        for_each_bit(digits, [&](int z) {
            CellSet targets = targets_.back()[static_cast<std::size_t>(z)];
            targets.remove(stem_);
            eliminate(targets, z);
        });
        std::vector<std::uint64_t> links;
        for_each_bit(board_.candidates(stem_), [&](int digit) { links.push_back(bit(digit)); });
        bool is_overlap = false;
        for (std::size_t j = 0; j < chosen_.size(); ++j) {
            for (std::size_t k = 0; k < j; ++k) is_overlap |= set(chosen_[j]).cells.meets(set(chosen_[k]).cells);
        }
        return report(chosen_, links, is_overlap ? 2 : 1);
    }

    const TechniqueBoard& board_;
    const CellMap map_;
    const std::vector<AlmostLockedSet> sets_;
    Control& control_;
    const Visitor& visit_;
    std::vector<Pair> pairs_;
    std::vector<std::vector<int>> pairs_of_;  // by set
    Step step_;
    std::map<std::vector<int>, Chain> chains_;  // by variant and eliminations
    int num_chains_ = 0;
    bool is_ascending_ = false;
    // Death blossoms: the stem (-1 for other techniques), the petals and what they see, by petal and digit.
    int stem_ = -1;
    std::vector<int> chosen_;
    std::vector<std::vector<CellSet>> targets_;
};

}  // namespace

std::vector<AlmostLockedSet> almost_locked_sets(const TechniqueBoard& board, const CellMap& map, int min_cells,
                                                Control& control) {
    return Collector(board, map, min_cells, control).collect();
}

bool find_als_xz(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find_xz();
}

bool find_als_xy_wings(const TechniqueBoard& board, bool has_overlap, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find_xy_wings(has_overlap);
}

bool find_als_xy_chains(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find_chains(false);
}

bool find_ascending_als_xy_chains(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find_chains(true);
}

bool find_death_blossoms(const TechniqueBoard& board, Control& control, const Visitor& visit) {
    return Finder(board, control, visit).find_blossoms();
}

}  // namespace sudokulab::techniques
