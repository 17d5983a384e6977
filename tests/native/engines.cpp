// Compares the engines of 9×9 puzzles with dancing links, on a machine or an emulator without Python (`make aarch64`,
// `make clang`). Exits with 1 at the first wrong answer.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bulk/bulk.h"
#include "generation/random_grid.h"
#include "grid/judge.h"
#include "solvers/conflict_driven.h"
#include "solvers/dlx.h"

using namespace sudokulab;

namespace {

constexpr std::size_t num_puzzles = 400;

void check(bool is_right, const std::string& what) {
    if (is_right) return;
    std::fprintf(stderr, "failed: %s\n", what.c_str());
    std::exit(1);
}

Puzzle random_puzzle(BoxShape box, double share, std::uint64_t seed) {
    Control control(Budget{}, seed, 0, {});
    Puzzle puzzle{box, random_grid(box, control).value()};
    for (auto& cell : puzzle.givens) {
        if (control.rng.uniform() > share) cell = 0;
    }
    if (seed % 10 == 9) puzzle.givens[seed % puzzle.givens.size()] = static_cast<std::uint8_t>(1 + seed % 9);
    return puzzle;
}

// Runs the puzzles in jobs of a given size: in large ones every puzzle has a lane, in small ones a whole vector.
void check_bulk(Instructions instructions, const std::vector<Puzzle>& puzzles, std::size_t job_size) {
    const std::string name = instruction_names[static_cast<std::size_t>(instructions)];
    for (std::size_t first = 0; first < puzzles.size(); first += job_size) {
        std::vector<std::uint8_t> digits;
        for (std::size_t i = first; i < first + job_size; ++i) {
            digits.insert(digits.end(), puzzles[i].givens.begin(), puzzles[i].givens.end());
        }
        std::vector<std::uint8_t> solutions(digits.size());
        std::vector<std::uint32_t> counts(job_size);
        BulkJob job{.puzzles = digits.data(),
                    .num_puzzles = job_size,
                    .limit = 2,
                    .solutions = solutions.data(),
                    .counts = counts.data()};
        run_bulk(instructions, job);
        for (std::size_t i = 0; i < job_size; ++i) {
            Control control(Budget{}, 0, 0, {});
            const Puzzle& puzzle = puzzles[first + i];
            check(counts[i] == Dlx().count(puzzle, 2, control).number, name + " counts as dancing links do");
            const std::uint8_t* grid = solutions.data() + i * bulk_cells;
            check(counts[i] == 0 || is_solution(grid, puzzle.givens.data(), 3, 3), name + " solves");
        }
    }
}

}  // namespace

int main() {
    std::vector<Puzzle> puzzles;
    for (std::uint64_t seed = 0; seed < num_puzzles; ++seed) {
        puzzles.push_back(random_puzzle({3, 3}, 0.28 + 0.0005 * static_cast<double>(seed), seed));
    }
    for (const Instructions instructions : {Instructions::portable, Instructions::avx2, Instructions::avx512}) {
        if (!has_instructions(instructions)) continue;
        check_bulk(instructions, puzzles, num_puzzles);
        check_bulk(instructions, puzzles, 1);
        std::printf("%s: %zu puzzles\n", instruction_names[static_cast<std::size_t>(instructions)], num_puzzles);
    }
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Puzzle large = random_puzzle({5, 5}, 0.5, seed);
        Control control(Budget{}, seed, 0, {});
        const Result result = ConflictDriven().solve(large, control);
        check(result.status == Status::solved && is_solution(result.grid.data(), large.givens.data(), 5, 5),
              "conflict-driven search solves");
    }
    std::printf("conflict-driven: 5 grids of 25×25\n");
}
