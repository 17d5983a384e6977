// The rating of HoDoKu 2.2 (B. Hobiger) with its default settings: a score and a level.
//
// HoDoKu takes the first step of the first technique that applies, again and again. Every step adds the points of its
// technique to the score. The level of a puzzle is that of its hardest technique, or higher if the score exceeds the
// limit of that level. Source of the order, the points, the levels and the limits: HoDoKu's default options.
//
// Which of several steps HoDoKu takes also matters, because another step can lead to another path. It takes singles in
// the order in which they arise, patterns in the order of its search, and of chains the one that removes the most.
//
// The last resorts are forcing chains, forcing nets (see hodoku_tables.h), and brute force, which places one digit of
// the solution.
#pragma once

#include <string_view>
#include <vector>

#include "logic/techniques/step.h"
#include "search/solver.h"

namespace sudokulab {

enum class HodokuLevel : std::uint8_t { easy, medium, hard, unfair, extreme };

std::string_view name_of(HodokuLevel level);

struct HodokuRating {
    int num_solutions = 0;   // up to 2; -1 if the budget ran out. Only puzzles with one solution are rated
    bool is_solved = false;  // otherwise the budget ran out
    HodokuLevel level = HodokuLevel::easy;
    int score = 0;
};

struct HodokuStep {
    techniques::Step step;
    HodokuLevel level;  // of the technique
    int points;
};

// Records the steps unless `path` is null. Size 9 only, as in HoDoKu.
HodokuRating rate_hodoku(const Puzzle& puzzle, Control& control, std::vector<HodokuStep>* path = nullptr);

}  // namespace sudokulab
