// Fuzz target for the core (libFuzzer, `make fuzz`): lines, arrays and boards from arbitrary bytes. Every solution is
// judged, and the engines must agree with plain backtracking.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "bulk/lines.h"
#include "grid/judge.h"
#include "solvers/auto.h"
#include "solvers/backtracking.h"

using namespace sudokulab;

namespace {

void require(bool is_right) {
    if (!is_right) std::abort();
}

void solve_text(std::string_view text) {
    const ArraySolver solve = [](const ArrayJob& job, const Interrupted& stop) { Auto().solve_array(job, stop); };
    Budget budget;
    budget.nodes = 20'000;
    using Role = LineLayout::Role;
    using Slot = LineLayout::Slot;
    const LineLayout lines;
    const LineLayout rows{.columns = {Role::name, Role::puzzle, Role::other, Role::other},
                          .answer = {{"", Slot::fields, 0, 4}, {",", Slot::grid}, {",", Slot::id}, {"\n"}}};
    const LineLayout objects{.columns = {Role::name, Role::puzzle, Role::box},
                             .keys = {"\"id\"", "\"puzzle\"", "\"box\""},
                             .answer = {{"", Slot::fields, 0, 3}, {",", Slot::id}, {"\n"}}};
    for (const LineLayout& layout : {lines, rows, objects}) {
        for (LineBlock block{.text = text}; !block.text.empty();) {
            const SolvedLines solved = solve_lines(block, layout, solve, budget, 1, [] { return false; });
            require(solved.are_right);
            for (const std::string& part : solved.texts) require(!layout.columns.empty() || part.size() % 82 == 0);
            for (const auto& other : solved.others) {
                require(other.begin <= other.end && other.end <= block.text.size());
            }
            require(solved.num_bytes > 0);  // of the last block, something is always read
            block.text.remove_prefix(solved.num_bytes);
            block.first_row += solved.num_rows;
        }
    }
}

// Unmodified bytes, including invalid digits: they must do no harm.
void solve_any_bytes(const std::uint8_t* data, BoxShape box, std::size_t num_puzzles) {
    std::vector<std::uint32_t> counts(num_puzzles);
    std::vector<std::uint8_t> solutions(num_puzzles * static_cast<std::size_t>(box.num_cells()));
    Budget budget;
    budget.nodes = 2'000;
    const ArrayJob job{.box = box,
                       .puzzles = data,
                       .num_puzzles = num_puzzles,
                       .limit = 2,
                       .solutions = solutions.data(),
                       .counts = counts.data(),
                       .budget = budget};
    Auto().solve_array(job, [] { return false; });
    for (std::size_t i = 0; i < num_puzzles; ++i) {
        const auto cells = static_cast<std::size_t>(box.num_cells());
        const std::span<const std::uint8_t> givens(data + i * cells, cells);
        if (!are_digits(givens, box)) require(counts[i] == 0);
        if (counts[i] == 0 || counts[i] == ArrayJob::undecided) continue;
        require(is_solution(solutions.data() + i * cells, givens.data(), box.rows, box.cols));
    }
}

void compare(const std::uint8_t* data, BoxShape box) {
    Puzzle puzzle{box, Grid(data, data + box.num_cells())};
    for (auto& cell : puzzle.givens) {  // mostly blank, like real puzzles
        cell = cell % 4 == 0 ? static_cast<std::uint8_t>(cell / 4 % (box.size() + 1)) : std::uint8_t{0};
    }
    Budget budget;
    budget.nodes = 2'000;
    Control other(Budget{}, 0, 0, {});
    const Count found = Auto().count(puzzle, 2, other);
    require(found.is_exact);
    for (const Propagation propagation : {Propagation::peers, Propagation::singles}) {
        Control control(budget, 0, 0, {});
        const Count expected = Backtracking(propagation).count(puzzle, 2, control);
        if (expected.is_exact) require(found.number == expected.number);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const BoxShape boxes[] = {{3, 3}, {2, 2}, {2, 3}, {3, 2}, {2, 4}, {3, 4}};
    const BoxShape box = boxes[data[0] % std::size(boxes)];
    const auto cells = static_cast<std::size_t>(box.num_cells());
    solve_text({reinterpret_cast<const char*>(data + 1), size - 1});
    solve_any_bytes(data + 1, box, (size - 1) / cells);
    if (size > cells) compare(data + 1, box);
    return 0;
}
