// The engine for one puzzle: the same passes as for many puzzles, with the cells of the puzzle side by side in a
// vector. Included by one file per instruction set, which provides the operations.
//
// The state is nine vectors of 16 lanes. Vector 3r + c holds the cells in row r and column c of their boxes: the box in
// band b and stack s is in lane 4b + s. The other seven lanes stay empty.
#pragma once

#include <cassert>
#include <cstring>

#include "bulk/choice.h"

namespace sudokulab {
namespace {

template <class Ops>
class Single {
public:
    using V = typename Ops::V;
    static_assert(Ops::lanes == 16);

    explicit Single(BulkJob& job) : job_(job) {}
    Single(const Single&) = delete;
    Single& operator=(const Single&) = delete;

    void run() {
        StackFrame frames[num_frames];
        for (std::size_t puzzle = 0; puzzle < job_.num_puzzles; ++puzzle) {
            start(puzzle, frames[0]);
            search({puzzle}, frames);
        }
    }

    // Completes a search whose present cells are in the frame behind its alternatives.
    void search(const SearchState& state, StackFrame* frames) {
        if (is_stopped_) return;
        mine_ = state;
        frames_ = frames;
        assert(mine_.puzzle < job_.num_puzzles && mine_.depth < static_cast<std::uint32_t>(num_frames));
        load(frames[mine_.depth]);
        for (bool is_over = false; !is_over;) {
            if (must_stop()) return;
            switch (pass()) {
                case Outcome::changed:
                    break;
                case Outcome::open:
                    is_over = !branch();
                    break;
                case Outcome::dead:
                    is_over = !go_back();
                    break;
                case Outcome::solved:
                    is_over = !take_solution();
                    break;
            }
        }
        assert(mine_.num_solutions <= job_.limit || mine_.num_solutions == BulkJob::undecided);
        job_.counts[mine_.puzzle] = mine_.num_solutions;
        if (job_.stats != nullptr) job_.stats[mine_.puzzle] = mine_.stats;
    }

private:
    static constexpr std::uint32_t used_lanes = 0x777;
    static constexpr int stop_interval = 4096;  // passes between two polls of `must_stop`

    struct Flags {
        V seen;     // digits that have a place in the units of this lane
        V placed;   // digits that have a solved cell in the line
        V least;    // the smallest set of candidates
        V changed;  // bits removed
    };
    enum class Outcome { changed, open, dead, solved };

    static bool is_all(V digits) { return (Ops::equal(digits, Ops::all(all_digits)) & used_lanes) == used_lanes; }

    bool must_stop() {
        if (++num_passes_ % stop_interval != 0 || job_.must_stop == nullptr) return false;
        is_stopped_ = job_.must_stop(job_.stop_argument);
        return is_stopped_;
    }

    void start(std::size_t puzzle, StackFrame& frame) const {
        if (job_.candidates != nullptr) {
            const std::uint16_t* candidates = job_.candidates + num_cells * puzzle;
            for_each_cell([&](int index, int cell) { frame.cells[index] = candidates[cell]; });
        } else {
            const std::uint8_t* digits = job_.puzzles + num_cells * puzzle;
            for_each_cell([&](int index, int cell) { frame.cells[index] = candidates_of[digits[cell]]; });
        }
    }

    void load(const StackFrame& frame) {
        for (int k = 0; k < 9; ++k) state_[k] = Ops::load_boxes(frame.cells + 9 * k);
    }

    // In this order: what is stored behind the nine cells of a vector is overwritten by the next.
    void save(StackFrame& frame) const {
        std::memset(frame.cells + num_cells, 0, sizeof(frame.cells) - sizeof(std::uint16_t) * num_cells);
        for (int k = 0; k < 9; ++k) Ops::store_boxes(frame.cells + 9 * k, state_[k]);
    }

    bool take_solution() {
        if (has_known_solution()) return go_back();
        if (mine_.num_solutions == 0 && job_.solutions != nullptr) {
            StackFrame frame;
            save(frame);
            std::uint8_t* solution = job_.solutions + num_cells * mine_.puzzle;
            for_each_cell([&](int index, int cell) {
                assert(is_digit(frame.cells[index]));
                solution[cell] = static_cast<std::uint8_t>(__builtin_ctz(frame.cells[index]) + 1);
            });
        }
        return ++mine_.num_solutions < job_.limit && go_back();
    }

    bool has_known_solution() const {
        if (job_.known == nullptr) return false;
        StackFrame frame;
        save(frame);
        return is_known(job_, mine_.puzzle, [&](int index) { return frame.cells[index]; });
    }

    bool go_back() {
        if (mine_.depth == 0) return false;
        ++mine_.stats.num_backtracks;
        load(frames_[--mine_.depth]);
        return true;
    }

    // Tries a digit in a cell; the saved frame, without that candidate, is the alternative to return to.
    bool branch() {
        if (mine_.stats.num_guesses == job_.max_guesses) {
            mine_.num_solutions = BulkJob::undecided;
            return false;
        }
        assert(mine_.depth < static_cast<std::uint32_t>(num_frames));
        StackFrame& frame = frames_[mine_.depth++];
        save(frame);
        ++mine_.stats.num_guesses;
        mine_.stats.max_depth = std::max(mine_.stats.max_depth, mine_.depth);
        typename Ops::Summary summary;
        Ops::summarize(frame.cells, summary);
        const Choice choice = choose<Ops>(frame.cells, summary);
        assert(is_branch(frame.cells, choice));
        std::uint16_t first = choice.digit;
        frame.cells[choice.cell] &= static_cast<std::uint16_t>(~choice.digit);
        if (choice.digit == known_digit(job_, mine_.puzzle, choice.cell)) std::swap(first, frame.cells[choice.cell]);
        V& cells = state_[choice.cell / 9];
        const int box = choice.cell % 9;
        cells = Ops::with_lane(cells, 4 * (box / 3) + box % 3, first);
        return true;
    }

    bool are_other_lanes_empty() const {
        constexpr std::uint32_t others = 0xFFFF & ~used_lanes;
        return std::all_of(state_, state_ + 9, [](const V& v) { return (~Ops::equal(v, Ops::zero()) & others) == 0; });
    }

    Outcome pass() {
        assert(are_other_lanes_empty());
        const V all = Ops::all(all_digits);
        Flags rows{all, all, all, Ops::zero()};
        sweep<true>(rows);
        if (!is_all(rows.seen)) return Outcome::dead;
        Flags columns{all, all, all, Ops::zero()};
        sweep<false>(columns);
        if ((Ops::equal(columns.least, Ops::zero()) & used_lanes) != 0 || !is_all(columns.seen)) return Outcome::dead;
        if (is_all(columns.placed)) return is_all(rows.placed) ? Outcome::solved : Outcome::changed;
        return (Ops::equal(columns.changed, Ops::zero()) & used_lanes) == used_lanes ? Outcome::open : Outcome::changed;
    }

    // Sweeps rows and boxes, or columns. Triad k of a lane is the part of line k in the box of that lane. One function:
    // in parts, as in the engine for many puzzles, the portable engine needs more instructions to spill its vectors.
    template <bool is_rows>
    void sweep(Flags& flags) {
        const auto at = [this](int k, int i) -> V& { return state_[is_rows ? 3 * k + i : 3 * i + k]; };
        const auto next = [](V v) { return is_rows ? Ops::next_stack(v) : Ops::next_band(v); };
        const auto last = [](V v) { return is_rows ? Ops::last_stack(v) : Ops::last_band(v); };
        V any[3];        // digits with a place in the triad
        V several[3];    // digits with two or three places
        V solved[3][3];  // the digit of each solved cell, else nothing
        V single[3];     // the digits of the solved cells
        for (int k = 0; k < 3; ++k) {
            any[k] = Ops::or3(at(k, 0), at(k, 1), at(k, 2));
            several[k] = Ops::majority(at(k, 0), at(k, 1), at(k, 2));
            for (int i = 0; i < 3; ++i) solved[k][i] = Ops::if_single(at(k, i));
            single[k] = Ops::or3(solved[k][0], solved[k][1], solved[k][2]);
        }
        V only_in_box[3];   // digits of the line only in this box: removed from the rest of the box
        V only_in_line[3];  // digits of the box only in this line: removed from the rest of the line
        V hidden[3];
        V placed[3];
        const V placed_in_box = Ops::or3(single[0], single[1], single[2]);
        for (int k = 0; k < 3; ++k) {
            const V others[2] = {next(any[k]), last(any[k])};
            only_in_box[k] = Ops::and_nor(any[k], others[0], others[1]);
            only_in_line[k] = Ops::and_nor(any[k], any[(k + 1) % 3], any[(k + 2) % 3]);
            const V seen = Ops::or3(any[k], others[0], others[1]);
            const V twice = Ops::or2(Ops::majority(any[k], others[0], others[1]),
                                     Ops::or3(several[k], next(several[k]), last(several[k])));
            const V placed_in_line = Ops::or3(single[k], next(single[k]), last(single[k]));
            hidden[k] = Ops::and_not(seen, twice);
            placed[k] = Ops::or2(placed_in_line, placed_in_box);
            flags.seen = Ops::and2(flags.seen, seen);
            flags.placed = Ops::and2(flags.placed, placed_in_line);
        }
        if constexpr (is_rows) {
            const V seen = Ops::or3(any[0], any[1], any[2]);
            const V twice =
                Ops::or2(Ops::majority(any[0], any[1], any[2]), Ops::or3(several[0], several[1], several[2]));
            for (V& digits : hidden) digits = Ops::or2(digits, Ops::and_not(seen, twice));
            flags.seen = Ops::and2(flags.seen, seen);
        }
        for (int k = 0; k < 3; ++k) {
            const V out = Ops::or2(Ops::or3(placed[k], next(only_in_line[k]), last(only_in_line[k])),
                                   Ops::or2(only_in_box[(k + 1) % 3], only_in_box[(k + 2) % 3]));
            const V kept = Ops::and_not(Ops::all_unless_full(Ops::or2(only_in_box[k], only_in_line[k])), out);
            for (int i = 0; i < 3; ++i) {
                const V old = at(k, i);
                V now = Ops::and_or(old, kept, solved[k][i]);
                now = Ops::if_any_else(Ops::and2(now, hidden[k]), now);
                if constexpr (!is_rows) {
                    flags.changed = Ops::or_xor(flags.changed, old, now);
                    flags.least = Ops::min(flags.least, now);
                }
                at(k, i) = now;
            }
        }
    }

    BulkJob& job_;
    V state_[9];
    SearchState mine_{};
    StackFrame* frames_ = nullptr;
    std::uint32_t num_passes_ = 0;
    bool is_stopped_ = false;
};

}  // namespace
}  // namespace sudokulab
