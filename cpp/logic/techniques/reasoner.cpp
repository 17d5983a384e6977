#include "logic/techniques/reasoner.h"

#include <algorithm>
#include <cassert>

#include "logic/techniques/catalogue.h"
#include "logic/techniques/singles.h"

namespace sudokulab::techniques {
namespace {

using Kind = ForcingChains::Kind;

// The techniques that share a finder, and those that are forcing chains of the same kind.
enum class Family : std::uint8_t {
    none,
    locked_candidates,
    rectangles,
    avoidable_rectangles,
    finned_x_wings,
    finned_swordfish,
    finned_jellyfish,
    finned_squirmbags,
    finned_whales,
    finned_leviathans,
    loops,
    simple_chains,
    chains,
    grouped_chains,
    set_chains,
    templates,
    nishio,
    multiple_chains,
    dynamic_chains,
    nested_chains,
};

Family family_of(Technique technique) {
    switch (technique) {
        case Technique::pointing:
        case Technique::claiming:
            return Family::locked_candidates;
        case Technique::unique_rectangle_1:
        case Technique::unique_rectangle_2:
        case Technique::unique_rectangle_3:
        case Technique::unique_rectangle_4:
        case Technique::unique_rectangle_5:
        case Technique::unique_rectangle_6:
        case Technique::hidden_rectangle:
            return Family::rectangles;
        case Technique::avoidable_rectangle_1:
        case Technique::avoidable_rectangle_2:
            return Family::avoidable_rectangles;
        case Technique::finned_x_wing:
        case Technique::sashimi_x_wing:
            return Family::finned_x_wings;
        case Technique::finned_swordfish:
        case Technique::sashimi_swordfish:
            return Family::finned_swordfish;
        case Technique::finned_jellyfish:
        case Technique::sashimi_jellyfish:
            return Family::finned_jellyfish;
        case Technique::finned_squirmbag:
        case Technique::sashimi_squirmbag:
            return Family::finned_squirmbags;
        case Technique::finned_whale:
        case Technique::sashimi_whale:
            return Family::finned_whales;
        case Technique::finned_leviathan:
        case Technique::sashimi_leviathan:
            return Family::finned_leviathans;
        case Technique::unique_rectangle:
        case Technique::unique_loop:
            return Family::loops;
        case Technique::x_cycle:
        case Technique::y_cycle:
        case Technique::xy_cycle:
        case Technique::forcing_x_chain:
        case Technique::forcing_chain:
            return Family::simple_chains;
        case Technique::continuous_nice_loop:
        case Technique::discontinuous_nice_loop:
        case Technique::alternating_inference_chain:
            return Family::chains;
        case Technique::grouped_continuous_nice_loop:
        case Technique::grouped_discontinuous_nice_loop:
        case Technique::grouped_alternating_inference_chain:
            return Family::grouped_chains;
        case Technique::als_continuous_nice_loop:
        case Technique::als_discontinuous_nice_loop:
        case Technique::als_alternating_inference_chain:
            return Family::set_chains;
        case Technique::template_set:
        case Technique::template_delete:
            return Family::templates;
        case Technique::nishio:
            return Family::nishio;
        case Technique::cell_forcing_chains:
        case Technique::region_forcing_chains:
            return Family::multiple_chains;
        case Technique::contradiction_forcing_chains:
        case Technique::double_forcing_chains:
        case Technique::dynamic_cell_forcing_chains:
        case Technique::dynamic_region_forcing_chains:
            return Family::dynamic_chains;
        case Technique::nested_forcing_chains:
            return Family::nested_chains;
        default:
            return Family::none;
    }
}

bool is_forcing(Technique technique) { return family_of(technique) >= Family::nishio; }

// Whether a step changes the board: what it places and removes are candidates now.
[[maybe_unused]] bool is_progress(const Step& step, const TechniqueBoard& board) {
    const auto is_candidate = [&](const Candidate& found) { return board.has(found.cell, found.digit); };
    return (!step.placements.empty() || !step.eliminations.empty()) &&
           std::all_of(step.placements.begin(), step.placements.end(), is_candidate) &&
           std::all_of(step.eliminations.begin(), step.eliminations.end(), is_candidate);
}

}  // namespace

void apply(const Step& step, TechniqueBoard& board) {
    assert(is_progress(step, board));
    for (const Candidate& placed : step.placements) board.place(placed.cell, placed.digit);
    for (const Candidate& removed : step.eliminations) board.remove(removed.cell, removed.digit);
}

Reasoner::Reasoner(const std::vector<Technique>& order) : is_searched_(order.size()) {
    std::array<std::size_t, static_cast<std::size_t>(Family::nested_chains) + 1> first_entries;
    first_entries.fill(order.size());
    entries_.reserve(order.size());
    for (const Technique technique : order) {
        const auto family = static_cast<std::size_t>(family_of(technique));
        Entry entry{technique, entries_.size(), true, std::nullopt};
        if (family != 0) {
            if (first_entries[family] < order.size()) {
                entry.family = first_entries[family];
                entry.is_alone = entries_[entry.family].is_alone = false;
            }
            first_entries[family] = entry.family;
        }
        entries_.push_back(std::move(entry));
    }
}

std::optional<Step> Reasoner::next(const TechniqueBoard& board, Control& control) {
    std::fill(is_searched_.begin(), is_searched_.end(), false);
    for (Entry& entry : entries_) {
        if (control.must_stop()) return std::nullopt;
        if (std::optional<Step> step = first_of(entry, board, control)) {
            assert(is_progress(*step, board));
            return step;
        }
    }
    return std::nullopt;
}

std::optional<Step> Reasoner::first_of(Entry& entry, const TechniqueBoard& board, Control& control) {
    if (!is_possible_on(entry.technique, board.geometry())) return std::nullopt;
    if (is_forcing(entry.technique)) return first_chain(entry, board, control);
    if (!entry.is_alone) {
        if (!is_searched_[entry.family]) search_family(entry, board, control);
        return std::move(entry.first);
    }
    if (entry.technique == Technique::full_house || entry.technique == Technique::hidden_single ||
        entry.technique == Technique::naked_single) {
        return first_single(board, entry.technique);
    }
    std::optional<Step> first;
    find_instances(entry.technique, board, control, [&](const Step& step) {
        first = step;
        return false;
    });
    return first;
}

// Finds the first instance of a technique, and of the techniques that share its finder unless that comes first.
void Reasoner::search_family(Entry& entry, const TechniqueBoard& board, Control& control) {
    is_searched_[entry.family] = true;
    for (Entry& other : entries_) {
        if (other.family == entry.family) other.first.reset();
    }
    find_related(entry.technique, board, control, [&](const Step& step) {
        for (Entry& other : entries_) {
            // Chains with almost locked sets may turn out to be grouped chains, which are another family.
            if (other.family == entry.family && other.technique == step.technique && !other.first) other.first = step;
        }
        return !entry.first;
    });
}

std::optional<Step> Reasoner::first_chain(const Entry& entry, const TechniqueBoard& board, Control& control) {
    if (is_searched_[entry.family]) return std::nullopt;
    is_searched_[entry.family] = true;
    std::optional<Step> easiest;
    switch (family_of(entry.technique)) {
        case Family::nishio:
            return chains(Kind::nishio).find_easiest(board, control);
        case Family::multiple_chains:
            easiest = chains(Kind::multiple).find_easiest(board, control);
            break;
        case Family::dynamic_chains:
            easiest = chains(Kind::dynamic).find_easiest(board, control);
            break;
        default:
            for (int level = 1; level <= max_nested_level; ++level) {
                easiest = chains(Kind::dynamic, level).find_easiest(board, control);
                if (easiest || control.must_stop()) return easiest;
            }
    }
    if (!easiest) return easiest;
    const auto is_listed = [&](const Step& step) {
        return std::any_of(entries_.begin(), entries_.end(),
                           [&](const Entry& other) { return other.technique == step.technique; });
    };
    if (is_listed(*easiest)) return easiest;
    // Another technique of this kind is easier, but not wanted.
    easiest.reset();
    find_related(entry.technique, board, control, [&](const Step& step) {
        if (is_listed(step)) easiest = step;
        return !easiest;
    });
    return easiest;
}

ForcingChains& Reasoner::chains(Kind kind, int level) {
    const std::pair key{kind, level};
    const auto known = chains_.find(key);
    if (known != chains_.end()) return known->second;
    return chains_.emplace(key, ForcingChains(kind, level)).first->second;
}

}  // namespace sudokulab::techniques
