// The engine for many puzzles, for vectors of any width. Included by one file per instruction set, which provides the
// operations.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>

#include "bulk/bulk.h"
#include "bulk/choice.h"

namespace sudokulab {
namespace {

constexpr int stored_cells = 84;    // a multiple of 4
constexpr int stop_interval = 256;  // passes between two polls of `must_stop`

template <class Ops>
class Engine {
public:
    using V = typename Ops::V;
    static constexpr int lanes = Ops::lanes;

    explicit Engine(BulkJob& job) : job_(job), max_guesses_(job.max_guesses), frames_(frames_of_thread()) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void run() {
        std::memset(state_, 0, sizeof(state_));
        fill_lanes();
        for (int until_asked = stop_interval; active_ != 0; --until_asked) {
            if (until_asked == 0) {
                if (job_.must_stop != nullptr && job_.must_stop(job_.stop_argument)) return;
                until_asked = stop_interval;
            }
            pass();
        }
    }

private:
    // As many frames per lane as it can need. Kept by the thread, because there may be thousands of short jobs.
    static Frame* frames_of_thread() {
        struct Frames {
            Frame* data = static_cast<Frame*>(std::aligned_alloc(64, sizeof(Frame) * std::size_t{lanes} * num_cells));
            Frames() {
                if (data == nullptr) throw std::bad_alloc();
            }
            Frames(const Frames&) = delete;
            Frames& operator=(const Frames&) = delete;
            ~Frames() { std::free(data); }
        };
        static thread_local Frames frames;
        return frames.data;
    }
    struct Lane {
        std::size_t puzzle;
        std::uint32_t num_solutions;
        BulkStats stats;
        std::uint32_t depth;
    };
    struct Flags {
        V seen;               // digits that have a place in every unit
        V placed_in_rows;     // digits that have a solved cell in every row
        V placed_in_columns;  // digits that have a solved cell in every column
        V least;              // the smallest set of candidates
        V changed;            // bits removed by the sweep over the columns
    };

    // Puzzles start only between two passes, so that the way to a solution does not depend on the puzzle before.
    void fill_lanes() {
        constexpr std::uint32_t every = lanes == 32 ? ~0u : (1u << lanes) - 1;
        for_each(every & ~active_, [this](int lane) {
            if (next_ < job_.num_puzzles) take_next(lane);
        });
    }

    void take_next(int lane) {
        active_ |= 1u << lane;
        lanes_[lane] = {next_, 0, {}, 0};
        const std::size_t first = num_cells * next_++;
        if (job_.candidates != nullptr) {
            for (std::size_t cell = 0; cell < num_cells; ++cell) {
                state_[index_of_cell[cell]][lane] = job_.candidates[first + cell];
            }
            return;
        }
        const std::uint8_t* puzzle = job_.puzzles + first;
        for (std::size_t cell = 0; cell < num_cells; ++cell) {
            state_[index_of_cell[cell]][lane] = candidates_of[puzzle[cell]];
        }
    }

    Frame& frame_of(int lane, std::uint32_t depth) {
        return frames_[static_cast<std::uint32_t>(lane * num_cells) + depth];
    }

    void finish(int lane) {
        const Lane& mine = lanes_[lane];
        job_.counts[mine.puzzle] = mine.num_solutions;
        if (job_.stats != nullptr) job_.stats[mine.puzzle] = mine.stats;
        active_ &= ~(1u << lane);
    }

    void go_back(int lane) {
        Lane& mine = lanes_[lane];
        if (mine.depth == 0) return finish(lane);
        ++mine.stats.num_backtracks;
        const Frame& frame = frame_of(lane, --mine.depth);
        for (int cell = 0; cell < num_cells; ++cell) state_[cell][lane] = frame.cells[cell];
    }

    void take_solution(int lane) {
        Lane& mine = lanes_[lane];
        if (mine.num_solutions == 0 && job_.solutions != nullptr) {
            std::uint8_t* solution = job_.solutions + num_cells * mine.puzzle;
            for (std::size_t cell = 0; cell < num_cells; ++cell) {
                solution[cell] = static_cast<std::uint8_t>(__builtin_ctz(state_[index_of_cell[cell]][lane]) + 1);
            }
        }
        if (++mine.num_solutions >= job_.limit) {
            finish(lane);
        } else {
            go_back(lane);
        }
    }

    // Four cells at a time, because stores are the bottleneck.
    void save(int lane) {
        Frame& frame = frame_of(lane, lanes_[lane].depth++);
        for (int cell = 0; cell < stored_cells; cell += 4) {
            std::uint64_t four = 0;
            for (int k = 0; k < 4; ++k) four |= std::uint64_t{state_[cell + k][lane]} << (16 * k);
            std::memcpy(frame.cells + cell, &four, sizeof(four));
        }
        std::memset(frame.cells + stored_cells, 0, sizeof(frame.cells) - sizeof(std::uint16_t) * stored_cells);
    }

    // Tries a digit in a cell; the saved frame, without that candidate, is the alternative to return to.
    void branch(int lane) {
        Lane& mine = lanes_[lane];
        if (mine.stats.num_guesses == max_guesses_) {
            mine.num_solutions = BulkJob::undecided;
            return finish(lane);
        }
        ++mine.stats.num_guesses;
        mine.stats.max_depth = std::max(mine.stats.max_depth, mine.depth);
        Frame& frame = frame_of(lane, mine.depth - 1);
        const Choice choice = choose<Ops>(frame.cells);
        frame.cells[choice.cell] &= static_cast<std::uint16_t>(~choice.digit);
        state_[choice.cell][lane] = choice.digit;
    }

    // A lane branches as soon as its columns are stable: anything the rows could still tell is found sooner in a
    // branch. It is solved if everything was solved before the pass, because both sweeps have then seen every unit.
    void pass() {
        const V all = Ops::all(all_digits);
        Flags flags{all, all, all, all, Ops::zero()};
        sweep<true>(flags);
        const std::uint32_t gone = ~Ops::equal(flags.seen, all) & active_;
        for_each(gone, [this](int lane) { go_back(lane); });
        flags.seen = all;
        sweep<false>(flags);
        const std::uint32_t dead = (Ops::equal(flags.least, Ops::zero()) | ~Ops::equal(flags.seen, all)) & active_;
        const std::uint32_t full = Ops::equal(flags.placed_in_columns, all) & active_ & ~dead;
        const std::uint32_t solved = Ops::equal(flags.placed_in_rows, all) & full & ~gone;
        const std::uint32_t open = Ops::equal(flags.changed, Ops::zero()) & active_ & ~dead & ~full;
        for_each(open, [this](int lane) { save(lane); });
        for_each(dead, [this](int lane) { go_back(lane); });
        // deferred: a vector cannot be read before the words written into it have left the store buffer
        for_each(open, [this](int lane) { branch(lane); });
        for_each(solved, [this](int lane) { take_solution(lane); });
        fill_lanes();
    }

    template <class Action>
    static void for_each(std::uint32_t lanes_in_mask, Action act) {
        for (std::uint32_t left = lanes_in_mask; left != 0; left &= left - 1) act(__builtin_ctz(left));
    }

    // Sweeps rows and boxes, or columns. A band is three lines; triad [k][j] is the part of line k in box j of the
    // band.
    template <bool is_rows>
    void sweep(Flags& flags) {
        for (int band = 0; band < 3; ++band) {
            const auto at = [band](int k, int j, int i) {  // cell i of the triad
                return is_rows ? 9 * (3 * k + i) + 3 * band + j : 9 * (3 * i + k) + 3 * j + band;
            };
            V any[3][3];        // digits with a place in the triad
            V several[3][3];    // digits with two or three places
            V solved[3][3][3];  // the digit of each solved cell, else nothing
            V single[3][3];     // the digits of the solved cells
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < 3; ++j) {
                    const V a = Ops::load(state_[at(k, j, 0)]);
                    const V b = Ops::load(state_[at(k, j, 1)]);
                    const V c = Ops::load(state_[at(k, j, 2)]);
                    any[k][j] = Ops::or3(a, b, c);
                    several[k][j] = Ops::majority(a, b, c);
                    solved[k][j][0] = Ops::if_single(a);
                    solved[k][j][1] = Ops::if_single(b);
                    solved[k][j][2] = Ops::if_single(c);
                    single[k][j] = Ops::or3(solved[k][j][0], solved[k][j][1], solved[k][j][2]);
                }
            }
            V hidden_in_line[3];
            V hidden_in_box[3];
            V placed_in_line[3];
            V placed_in_box[3];
            for (int k = 0; k < 3; ++k) {
                const V seen = Ops::or3(any[k][0], any[k][1], any[k][2]);
                const V twice = Ops::or2(Ops::majority(any[k][0], any[k][1], any[k][2]),
                                         Ops::or3(several[k][0], several[k][1], several[k][2]));
                hidden_in_line[k] = Ops::and_not(seen, twice);
                placed_in_line[k] = Ops::or3(single[k][0], single[k][1], single[k][2]);
                flags.seen = Ops::and2(flags.seen, seen);
                V& placed = is_rows ? flags.placed_in_rows : flags.placed_in_columns;
                placed = Ops::and2(placed, placed_in_line[k]);
            }
            for (int j = 0; j < 3; ++j) {
                placed_in_box[j] = Ops::or3(single[0][j], single[1][j], single[2][j]);
                if constexpr (is_rows) {
                    const V seen = Ops::or3(any[0][j], any[1][j], any[2][j]);
                    const V twice = Ops::or2(Ops::majority(any[0][j], any[1][j], any[2][j]),
                                             Ops::or3(several[0][j], several[1][j], several[2][j]));
                    hidden_in_box[j] = Ops::and_not(seen, twice);
                    flags.seen = Ops::and2(flags.seen, seen);
                }
            }
            V only_in_box[3][3];   // digits of the line only in this box: removed from the rest of the box
            V only_in_line[3][3];  // digits of the box only in this line: removed from the rest of the line
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < 3; ++j) {
                    only_in_box[k][j] = Ops::and_nor(any[k][j], any[k][(j + 1) % 3], any[k][(j + 2) % 3]);
                    only_in_line[k][j] = Ops::and_nor(any[k][j], any[(k + 1) % 3][j], any[(k + 2) % 3][j]);
                }
            }
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < 3; ++j) {
                    const V locked_out = Ops::or2(Ops::or3(only_in_box[(k + 1) % 3][j], only_in_box[(k + 2) % 3][j],
                                                           only_in_line[k][(j + 1) % 3]),
                                                  only_in_line[k][(j + 2) % 3]);
                    const V placed = Ops::or2(placed_in_line[k], placed_in_box[j]);
                    V hidden = hidden_in_line[k];
                    if constexpr (is_rows) hidden = Ops::or2(hidden, hidden_in_box[j]);
                    for (int i = 0; i < 3; ++i) {
                        std::uint16_t* cell = state_[at(k, j, i)];
                        const V old = Ops::load(cell);
                        V now = Ops::and_not(Ops::and_not_unless(old, placed, solved[k][j][i]), locked_out);
                        now = Ops::if_any_else(Ops::and2(now, hidden), now);
                        if constexpr (!is_rows) {
                            flags.changed = Ops::or_xor(flags.changed, old, now);
                            flags.least = Ops::min(flags.least, now);
                        }
                        Ops::store(cell, now);
                    }
                }
            }
        }
    }

    alignas(64) std::uint16_t state_[stored_cells][lanes];
    BulkJob& job_;
    const std::uint32_t max_guesses_;
    Frame* frames_;
    Lane lanes_[lanes];
    std::uint32_t active_ = 0;
    std::size_t next_ = 0;
};

}  // namespace
}  // namespace sudokulab
