// 9×9 puzzles in bulk: many puzzles in parallel, one in each 16-bit lane of a vector.
//
// The state is one vector per cell, with the nine candidates of that cell in every lane. A pass applies naked singles,
// hidden singles and box-line interactions to all puzzles at once, without data-dependent branches. Three cells in a
// row of a box form a triad; three digits that must be in a triad exclude all others. The digits with a place in each
// triad, and those with several, suffice to find the hidden singles and interactions of all units with a few logical
// operations. After a pass, each lane is examined: a lane without progress branches, a lane with a contradiction
// returns to its last branch, and a finished lane takes the next puzzle. When a few searches are left, or were all
// there is, they are completed one after the other by an engine with the cells of one puzzle in the lanes. Both engines
// make the same steps.
//
// A branch prefers a cell with two candidates: the one whose digits occur most among its peers, with extra weight for
// peers that have two candidates themselves. Only the first 16, in the order of the engine, are rated, and with few
// other cells left, any will do. If no cell has two, it takes a digit with two places in a unit, and failing that a
// cell with the fewest candidates.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grid/geometry.h"

namespace sudokulab {

// The instruction sets of the engine, and their names.
enum class Instructions { portable, avx2, avx512 };
inline constexpr std::array instruction_names{"portable", "avx2", "avx512"};

bool has_instructions(Instructions instructions);

// A setting that is not the name of an instruction set of this machine.
struct UnknownInstructions : std::invalid_argument {
    UnknownInstructions(const std::string& value, const char* setting_name)
        : std::invalid_argument(setting_name), name(value), setting(setting_name) {}

    std::string name;
    std::string setting;
};

// Throws UnknownInstructions, with the name of the setting, unless `name` is a set that the machine supports.
Instructions instructions_named(const std::string& name, const char* setting = "instructions");

// The set in the environment variable SUDOKULAB_INSTRUCTIONS, by default the widest one that the machine supports.
Instructions best_instructions();

inline constexpr std::size_t bulk_cells = 81;
inline constexpr BoxShape bulk_box{3, 3};

inline bool has_bulk(BoxShape box) { return box.rows == bulk_box.rows && box.cols == bulk_box.cols; }

// Statistics of one puzzle.
struct BulkStats {
    std::uint32_t num_guesses = 0;
    std::uint32_t num_backtracks = 0;
    std::uint32_t max_depth = 0;
};

struct BulkJob {
    static constexpr std::uint32_t undecided = ~std::uint32_t{0};  // over the guess limit, or stopped

    const std::uint8_t* puzzles;  // 81 digits each, 0 for a blank; any other byte makes a puzzle unsolvable
    const std::uint16_t* candidates = nullptr;  // if not null, the input instead: 81 sets each, bit d for digit d + 1
    const std::uint8_t* known = nullptr;        // if not null, a solution of each puzzle that does not count
    std::size_t num_puzzles;
    std::uint32_t limit;                    // stop counting the solutions of a puzzle at this number
    std::uint8_t* solutions;                // the first solution of each, zeros if there is none; may be null
    std::uint32_t* counts;                  // solutions found, up to the limit, or `undecided`
    BulkStats* stats = nullptr;             // may be null
    std::uint32_t max_guesses = undecided;  // per puzzle
    bool (*must_stop)(void*) = nullptr;     // polled periodically
    void* stop_argument = nullptr;

    template <class Stop>  // a callable without arguments that returns whether to stop; must outlive the run
    void stop_by(Stop& stop) {
        must_stop = [](void* argument) { return static_cast<bool>((*static_cast<Stop*>(argument))()); };
        stop_argument = const_cast<void*>(static_cast<const void*>(&stop));
    }
};

// Runs a job on the calling thread. If it is stopped, the remaining puzzles are `undecided`.
void run_bulk(Instructions instructions, BulkJob& job);

}  // namespace sudokulab
