#include "bindings/conversions.h"

#include <optional>
#include <sstream>
#include <stdexcept>

#include "logic/techniques/catalogue.h"
#include "search/array_job.h"

namespace sudokulab {

bool is_shape(BoxShape box) {
    return box.rows > 0 && box.cols > 0 && box.rows <= max_size && box.cols <= max_size && box.size() <= max_size;
}

Puzzle make_puzzle(int box_rows, int box_cols, const nb::bytes& givens) {
    const BoxShape box{box_rows, box_cols};
    if (!is_shape(box)) throw std::invalid_argument("box shape out of range");
    const auto* first = static_cast<const std::uint8_t*>(givens.data());
    Grid cells(first, first + givens.size());
    if (cells.size() != static_cast<std::size_t>(box.num_cells()) || !are_digits(cells, box)) {
        throw std::invalid_argument("givens do not fit the box shape");
    }
    return {box, std::move(cells)};
}

std::vector<Rule> rules_of(const std::vector<int>& numbers) {
    std::vector<Rule> rules;
    for (const int number : numbers) {
        if (number < 0 || number >= static_cast<int>(num_rules)) throw std::invalid_argument("no such rule");
        rules.push_back(static_cast<Rule>(number));
    }
    return rules;
}

std::vector<techniques::Technique> techniques_named(const std::vector<std::string>& names) {
    std::vector<techniques::Technique> order;
    for (const std::string& name : names) {
        const std::optional<techniques::Technique> found = techniques::technique_named(name);
        if (!found) throw std::invalid_argument("unknown technique: " + name);
        order.push_back(*found);
    }
    return order;
}

Filter filter_named(const std::string& name) {
    if (name == "none") return {};
    if (name == "cp") return {Filter::Kind::cp, {}};
    if (name == "ac3") return {Filter::Kind::ac3, {}};
    if (name == "rules") return {Filter::Kind::rules, {}};
    std::vector<std::string> names;
    std::istringstream list(name);
    for (std::string entry; std::getline(list, entry, ',');) names.push_back(entry);
    return {Filter::Kind::techniques, techniques_named(names)};
}

}  // namespace sudokulab
