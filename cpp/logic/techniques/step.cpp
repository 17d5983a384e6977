#include "logic/techniques/step.h"

#include <algorithm>

#include "grid/geometry.h"

namespace sudokulab::techniques {
namespace {

// Keeps the first of the items with the same number.
template <class Item, class Number>
void keep_first(std::vector<Item>& items, Number number) {
    std::vector<bool> is_known;
    std::erase_if(items, [&](const Item& item) {
        const auto k = static_cast<std::size_t>(number(item));
        if (k >= is_known.size()) is_known.resize(k + 1);
        if (is_known[k]) return true;
        is_known[k] = true;
        return false;
    });
}

}  // namespace

void add_once(std::vector<Candidate>& candidates, const Candidate& candidate) {
    if (std::find(candidates.begin(), candidates.end(), candidate) == candidates.end()) candidates.push_back(candidate);
}

void remove_repeats(Step& step) {
    keep_first(step.cells, [](int cell) { return cell; });
    keep_first(step.pattern, [](const Candidate& candidate) { return candidate.cell * max_size + candidate.digit; });
}

}  // namespace sudokulab::techniques
