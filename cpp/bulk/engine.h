// The engine for many puzzles, for vectors of any width. Included by one file per instruction set, which provides the
// operations.
#pragma once

#include <bit>
#include <cassert>
#include <cstring>
#include <new>

#include "bulk/choice.h"
#include "bulk/single.h"

namespace sudokulab {
namespace {

constexpr int stored_cells = 84;    // a multiple of 4
constexpr int stop_interval = 256;  // passes between two polls of `must_stop`
constexpr int few_puzzles = 8;      // up to this number, one after the other is faster

template <class Ops, class SingleOps>
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
        for (int until_poll = stop_interval; active_ != 0; --until_poll) {
            if (until_poll == 0) {
                if (job_.must_stop != nullptr && job_.must_stop(job_.stop_argument)) return;
                until_poll = stop_interval;
            }
            pass();
            if (next_ == job_.num_puzzles && std::popcount(active_) <= few_puzzles) return finish_one_by_one();
        }
    }

private:
    void finish_one_by_one() {
        Single<SingleOps> single(job_);
        for_each(active_, [this, &single](int lane) {
            const SearchState state = lanes_[lane];
            save(lane);
            single.search(state, &frame_of(lane, 0));
        });
    }

    // As many frames per lane as it can need. Kept by the thread, because there may be thousands of short jobs.
    static StackFrame* frames_of_thread() {
        constexpr std::align_val_t alignment{alignof(StackFrame)};
        struct Frames {
            StackFrame* data = static_cast<StackFrame*>(
                ::operator new(sizeof(StackFrame) * std::size_t{lanes} * num_frames, alignment));
            Frames() = default;
            Frames(const Frames&) = delete;
            Frames& operator=(const Frames&) = delete;
            ~Frames() { ::operator delete(data, alignment); }
        };
        static thread_local Frames frames;
        return frames.data;
    }
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
        assert((active_ >> lane & 1) == 0 && next_ < job_.num_puzzles);
        active_ |= 1u << lane;
        lanes_[lane] = {next_};
        const std::size_t first = num_cells * next_++;
        if (job_.candidates != nullptr) {
            const std::uint16_t* candidates = job_.candidates + first;
            for_each_cell([&](int index, int cell) { state_[index][lane] = candidates[cell]; });
        } else {
            const std::uint8_t* puzzle = job_.puzzles + first;
            for_each_cell([&](int index, int cell) { state_[index][lane] = candidates_of[puzzle[cell]]; });
        }
    }

    StackFrame& frame_of(int lane, std::uint32_t depth) {
        assert(0 <= lane && lane < lanes && depth < static_cast<std::uint32_t>(num_frames));
        return frames_[static_cast<std::uint32_t>(lane * num_frames) + depth];
    }

    StackFrame& last_frame(int lane) {
        assert(lanes_[lane].depth > 0);
        return frame_of(lane, lanes_[lane].depth - 1);
    }

    void finish(int lane) {
        const SearchState& mine = lanes_[lane];
        assert((active_ >> lane & 1) != 0 && mine.puzzle < job_.num_puzzles);
        assert(mine.num_solutions <= job_.limit || mine.num_solutions == BulkJob::undecided);
        job_.counts[mine.puzzle] = mine.num_solutions;
        if (job_.stats != nullptr) job_.stats[mine.puzzle] = mine.stats;
        active_ &= ~(1u << lane);
    }

    void go_back(int lane) {
        SearchState& mine = lanes_[lane];
        if (mine.depth == 0) return finish(lane);
        ++mine.stats.num_backtracks;
        const StackFrame& frame = frame_of(lane, --mine.depth);
        for (int cell = 0; cell < num_cells; ++cell) state_[cell][lane] = frame.cells[cell];
    }

    void take_solution(int lane) {
        SearchState& mine = lanes_[lane];
        if (is_known(job_, mine.puzzle, [&](int index) { return state_[index][lane]; })) return go_back(lane);
        if (mine.num_solutions == 0 && job_.solutions != nullptr) {
            std::uint8_t* solution = job_.solutions + num_cells * mine.puzzle;
            for_each_cell([&](int index, int cell) {
                assert(is_digit(state_[index][lane]));
                solution[cell] = static_cast<std::uint8_t>(__builtin_ctz(state_[index][lane]) + 1);
            });
        }
        if (++mine.num_solutions >= job_.limit) {
            finish(lane);
        } else {
            go_back(lane);
        }
    }

    // Four cells at a time, because stores are the bottleneck.
    void save(int lane) {
        StackFrame& frame = frame_of(lane, lanes_[lane].depth++);
        for (int cell = 0; cell < stored_cells; cell += 4) {
            std::uint64_t four = 0;
            for (int k = 0; k < 4; ++k) four |= std::uint64_t{state_[cell + k][lane]} << (16 * k);
            std::memcpy(frame.cells + cell, &four, sizeof(four));
        }
        std::memset(frame.cells + stored_cells, 0, sizeof(frame.cells) - sizeof(std::uint16_t) * stored_cells);
    }

    // Tries a digit in a cell; the saved frame, without that candidate, is the alternative to return to.
    void branch(int lane, const typename Ops::Summary& summary) {
        SearchState& mine = lanes_[lane];
        if (mine.stats.num_guesses == max_guesses_) {
            mine.num_solutions = BulkJob::undecided;
            return finish(lane);
        }
        ++mine.stats.num_guesses;
        mine.stats.max_depth = std::max(mine.stats.max_depth, mine.depth);
        StackFrame& frame = last_frame(lane);
        const Choice choice = choose<Ops>(frame.cells, summary);
        assert(is_branch(frame.cells, choice));
        frame.cells[choice.cell] &= static_cast<std::uint16_t>(~choice.digit);
        state_[choice.cell][lane] = choice.digit;
        if (choice.digit == known_digit(job_, mine.puzzle, choice.cell)) {  // other solutions first
            std::swap(state_[choice.cell][lane], frame.cells[choice.cell]);
        }
    }

    // A lane branches as soon as its columns are stable: anything the rows could still tell is found sooner in a
    // branch. It is solved if everything was solved before the pass, because both sweeps have then seen every unit.
    void pass() {
        const V all = Ops::all(all_digits);
        Flags flags{all, all, all, all, Ops::zero()};
        sweep<true>(flags);
        sweep<false>(flags);
        const std::uint32_t dead = (Ops::equal(flags.least, Ops::zero()) | ~Ops::equal(flags.seen, all)) & active_;
        const std::uint32_t full = Ops::equal(flags.placed_in_columns, all) & active_ & ~dead;
        const std::uint32_t solved = Ops::equal(flags.placed_in_rows, all) & full;
        const std::uint32_t open = Ops::equal(flags.changed, Ops::zero()) & active_ & ~dead & ~full;
        assert((dead & full) == 0 && (solved & ~full) == 0 && ((open | full | dead) & ~active_) == 0);
        branch_or_go_back(open, dead);
        for_each(solved, [this](int lane) { take_solution(lane); });
        fill_lanes();
    }

    // In steps for all lanes: a vector cannot be read before the words written into it have left the store buffer.
    void branch_or_go_back(std::uint32_t open, std::uint32_t dead) {
        for_each(open, [this](int lane) { save(lane); });
        for_each(dead, [this](int lane) { go_back(lane); });
        typename Ops::Summary* summary = summaries_;
        for_each(open, [&](int lane) { Ops::summarize(last_frame(lane).cells, *summary++); });
        summary = summaries_;
        for_each(open, [&](int lane) { branch(lane, *summary++); });
    }

    template <class Action>
    static void for_each(std::uint32_t lanes_in_mask, Action act) {
        for (std::uint32_t left = lanes_in_mask; left != 0; left &= left - 1) act(__builtin_ctz(left));
    }

    // Three lines. Triad [k][j] is the part of line k in box j.
    struct Band {
        V any[3][3];           // digits with a place in the triad
        V several[3][3];       // digits with two or three places
        V solved[3][3][3];     // the digit of each solved cell, else nothing
        V single[3][3];        // the digits of the solved cells
        V only_in_box[3][3];   // digits of the line only in this box: removed from the rest of the box
        V only_in_line[3][3];  // digits of the box only in this line: removed from the rest of the line
        V placed_in_line[3];
        V placed_in_box[3];
        V hidden_in_line[3];
        V hidden_in_box[3];
    };

    // Sweeps rows and boxes, or columns. The parts are inlined to keep vectors in registers.
    template <bool is_rows>
    void sweep(Flags& flags) {
        for (int number = 0; number < 3; ++number) {
            Band band;
            read<is_rows>(number, band);
            examine_lines<is_rows>(band, flags);
            examine_boxes<is_rows>(band, flags);
#pragma GCC unroll 3
            for (int k = 0; k < 3; ++k) {
#pragma GCC unroll 3
                for (int j = 0; j < 3; ++j) restrict_triad<is_rows>(number, band, k, j, flags);
            }
        }
    }

    // Cell i of a triad.
    template <bool is_rows>
    std::uint16_t* cell_at(int number, int k, int j, int i) {
        return state_[is_rows ? 9 * (3 * k + i) + 3 * number + j : 9 * (3 * i + k) + 3 * j + number];
    }

    template <bool is_rows>
    [[gnu::always_inline]] inline void read(int number, Band& band) {
        for (int k = 0; k < 3; ++k) {
            for (int j = 0; j < 3; ++j) {
                const V a = Ops::load(cell_at<is_rows>(number, k, j, 0));
                const V b = Ops::load(cell_at<is_rows>(number, k, j, 1));
                const V c = Ops::load(cell_at<is_rows>(number, k, j, 2));
                band.any[k][j] = Ops::or3(a, b, c);
                band.several[k][j] = Ops::majority(a, b, c);
                V(&solved)[3] = band.solved[k][j];
                solved[0] = Ops::if_single(a);
                solved[1] = Ops::if_single(b);
                solved[2] = Ops::if_single(c);
                band.single[k][j] = Ops::or3(solved[0], solved[1], solved[2]);
            }
        }
    }

    template <bool is_rows>
    [[gnu::always_inline]] static void examine_lines(Band& band, Flags& flags) {
        for (int k = 0; k < 3; ++k) {
            const V(&any)[3] = band.any[k];
            const V seen = Ops::or3(any[0], any[1], any[2]);
            const V twice = Ops::or2(Ops::majority(any[0], any[1], any[2]),
                                     Ops::or3(band.several[k][0], band.several[k][1], band.several[k][2]));
            band.hidden_in_line[k] = Ops::and_not(seen, twice);
            band.placed_in_line[k] = Ops::or3(band.single[k][0], band.single[k][1], band.single[k][2]);
            flags.seen = Ops::and2(flags.seen, seen);
            V& placed = is_rows ? flags.placed_in_rows : flags.placed_in_columns;
            placed = Ops::and2(placed, band.placed_in_line[k]);
            for (int j = 0; j < 3; ++j) {
                band.only_in_box[k][j] = Ops::and_nor(any[j], any[(j + 1) % 3], any[(j + 2) % 3]);
            }
        }
    }

    template <bool is_rows>
    [[gnu::always_inline]] static void examine_boxes(Band& band, Flags& flags) {
        for (int j = 0; j < 3; ++j) {
            const V any[3] = {band.any[0][j], band.any[1][j], band.any[2][j]};
            band.placed_in_box[j] = Ops::or3(band.single[0][j], band.single[1][j], band.single[2][j]);
            if constexpr (is_rows) {
                const V seen = Ops::or3(any[0], any[1], any[2]);
                const V twice = Ops::or2(Ops::majority(any[0], any[1], any[2]),
                                         Ops::or3(band.several[0][j], band.several[1][j], band.several[2][j]));
                band.hidden_in_box[j] = Ops::and_not(seen, twice);
                flags.seen = Ops::and2(flags.seen, seen);
            }
            for (int k = 0; k < 3; ++k) {
                band.only_in_line[k][j] = Ops::and_nor(any[k], any[(k + 1) % 3], any[(k + 2) % 3]);
            }
        }
    }

    template <bool is_rows>
    [[gnu::always_inline]] inline void restrict_triad(int number, const Band& band, int k, int j, Flags& flags) {
        const V out = Ops::or2(
            Ops::or3(band.placed_in_line[k], band.only_in_line[k][(j + 1) % 3], band.only_in_line[k][(j + 2) % 3]),
            Ops::or3(band.placed_in_box[j], band.only_in_box[(k + 1) % 3][j], band.only_in_box[(k + 2) % 3][j]));
        const V kept =
            Ops::and_not(Ops::all_unless_full(Ops::or2(band.only_in_box[k][j], band.only_in_line[k][j])), out);
        V hidden = band.hidden_in_line[k];
        if constexpr (is_rows) hidden = Ops::or2(hidden, band.hidden_in_box[j]);
        for (int i = 0; i < 3; ++i) {
            std::uint16_t* cell = cell_at<is_rows>(number, k, j, i);
            const V old = Ops::load(cell);
            V now = Ops::and_or(old, kept, band.solved[k][j][i]);
            now = Ops::if_any_else(Ops::and2(now, hidden), now);
            if constexpr (!is_rows) {
                flags.changed = Ops::or_xor(flags.changed, old, now);
                flags.least = Ops::min(flags.least, now);
            }
            Ops::store(cell, now);
        }
    }

    alignas(64) std::uint16_t state_[stored_cells][lanes];
    typename Ops::Summary summaries_[lanes];  // of the lanes that branch
    BulkJob& job_;
    const std::uint32_t max_guesses_;
    StackFrame* frames_;
    SearchState lanes_[lanes];
    std::uint32_t active_ = 0;
    std::size_t next_ = 0;
};

template <class Ops, class SingleOps>
void run_job(BulkJob& job) {
    if (job.num_puzzles <= std::size_t{few_puzzles}) {
        Single<SingleOps>(job).run();
    } else {
        Engine<Ops, SingleOps>(job).run();
    }
}

}  // namespace
}  // namespace sudokulab
