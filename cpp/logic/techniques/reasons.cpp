#include "logic/techniques/reasons.h"

#include <algorithm>
#include <tuple>

namespace sudokulab::techniques {

const std::vector<Candidate>& Reasons::of_lines(const Step& step) {
    const Geometry& geometry = source_.geometry();
    const int digit = step.pattern[0].digit;
    const auto num_base = static_cast<std::ptrdiff_t>(step.units.size() / 2);
    const auto cover = step.units.begin() + num_base;
    candidates_.clear();
    std::for_each(step.units.begin(), cover, [&](int unit) {
        for_each_bit(removed_positions(unit, digit), [&](int position) {
            const int cell = geometry.cell(unit, position);
            const auto& own = geometry.units(cell).unit;
            const bool is_covered = std::any_of(cover, step.units.end(), [&](int other) {
                return std::find(own.begin(), own.end(), other) != own.end();
            });
            if (!is_covered) candidates_.push_back({cell, digit});
        });
    });
    return candidates_;
}

const std::vector<Candidate>& Reasons::of_hidden(const Step& step) {
    const int unit = step.units[0];
    std::uint64_t digits = 0;
    for (const Candidate& candidate : step.pattern) digits |= bit(candidate.digit);
    candidates_.clear();
    for_each_bit(digits, [&](int digit) {
        for_each_bit(removed_positions(unit, digit), [&](int position) {
            const int cell = source_.geometry().cell(unit, position);
            if (std::find(step.cells.begin(), step.cells.end(), cell) == step.cells.end()) {
                candidates_.push_back({cell, digit});
            }
        });
    });
    return candidates_;
}

const std::vector<Candidate>& Reasons::of_naked(const Step& step) {
    std::uint64_t digits = 0;
    for (const Candidate& candidate : step.pattern) digits |= bit(candidate.digit);
    candidates_.clear();
    for (const int cell : step.cells) {
        for_each_bit(source_.candidates(cell) & ~digits, [&](int digit) { candidates_.push_back({cell, digit}); });
    }
    return candidates_;
}

void Reasons::add_link(const Candidate& to, Cause cause) {
    if (cause == Cause::none) return;
    if (cause == Cause::cell) {
        for_each_bit(source_.candidates(to.cell) & ~current_.candidates(to.cell),
                     [&](int digit) { add_once(candidates_, {to.cell, digit}); });
        return;
    }
    const int unit = source_.unit(kind_of(cause), to.cell);
    for_each_bit(removed_positions(unit, to.digit),
                 [&](int position) { add_once(candidates_, {source_.geometry().cell(unit, position), to.digit}); });
}

void sort_like_hash_table(std::vector<Candidate>& removed) {
    std::vector<int> cells;  // in the order of insertion
    for (const Candidate& candidate : removed) {
        if (std::find(cells.begin(), cells.end(), candidate.cell) == cells.end()) cells.push_back(candidate.cell);
    }
    if (cells.size() < 2) return;
    std::size_t num_buckets = 16;
    while (cells.size() * 4 > num_buckets * 3) num_buckets *= 2;
    const auto rank = [&](const Candidate& candidate) {
        const auto place = std::find(cells.begin(), cells.end(), candidate.cell) - cells.begin();
        return std::tuple(static_cast<std::size_t>(candidate.cell) % num_buckets, place, candidate.digit);
    };
    std::sort(removed.begin(), removed.end(),
              [&](const Candidate& one, const Candidate& other) { return rank(one) < rank(other); });
}

}  // namespace sudokulab::techniques
