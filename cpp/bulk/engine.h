// The engine, for vectors of any width. Included by one file for each instruction set, which provides the operations;
// all of it is private to that file, because the same inline function compiled for another machine must not take its
// place.
#include <cstdlib>
#include <cstring>

#include "../bulk.h"

namespace sudokulab {
namespace {

constexpr int num_cells = 81;
constexpr int padded_cells = 96;  // a multiple of every vector's lanes
constexpr int stored_cells = 84;  // a multiple of 4
constexpr std::uint16_t all_digits = 0x1FF;
constexpr int stop_interval = 256;  // passes between two questions whether to stop
constexpr std::uint16_t candidates_of[10] = {all_digits, 1, 2, 4, 8, 16, 32, 64, 128, 256};  // of a cell as it is given

struct Choice {
    int cell;
    std::uint16_t digit;
};

// For each cell, all bits set at its peers.
struct PeerMasks {
    alignas(64) std::uint16_t of[num_cells][padded_cells];
    PeerMasks() {
        for (int a = 0; a < num_cells; ++a) {
            for (int b = 0; b < padded_cells; ++b) {
                const bool is_peer = b < num_cells && a != b &&
                                     (a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3));
                of[a][b] = is_peer ? 0xFFFF : 0;
            }
        }
    }
};

inline int cell_of(int unit, int position) {
    if (unit < 9) return 9 * unit + position;
    if (unit < 18) return 9 * position + unit - 9;
    return 9 * ((unit - 18) / 3 * 3 + position / 3) + (unit - 18) % 3 * 3 + position % 3;
}

inline int count_bits(unsigned bits) { return __builtin_popcount(bits); }

// A digit with two places in a unit, preferring places with few other candidates; else a cell with fewest candidates.
inline Choice choose_place(const std::uint16_t* cells) {
    Choice best{-1, 0};
    int best_score = -1;
    for (int unit = 0; unit < 27; ++unit) {
        unsigned once = 0;
        unsigned twice = 0;
        unsigned thrice = 0;
        for (int position = 0; position < 9; ++position) {
            const unsigned candidates = cells[cell_of(unit, position)];
            thrice |= twice & candidates;
            twice |= once & candidates;
            once |= candidates;
        }
        for (unsigned left = twice & ~thrice; left != 0; left &= left - 1) {
            const unsigned digit = left & (0u - left);
            int places[2] = {0, 0};
            int num_places = 0;
            for (int position = 0; position < 9; ++position) {
                const int cell = cell_of(unit, position);
                if ((cells[cell] & digit) != 0) places[num_places++] = cell;
            }
            const int first = count_bits(cells[places[0]]);
            const int second = count_bits(cells[places[1]]);
            const bool is_open =
                first + second > 2;  // else it stands twice in the unit, which a pass may not have seen
            if (is_open && 20 - first - second > best_score) {
                best_score = 20 - first - second;
                best = {first >= second ? places[0] : places[1], static_cast<std::uint16_t>(digit)};
            }
        }
    }
    if (best.cell >= 0) return best;
    int fewest = 10;
    for (int cell = 0; cell < num_cells; ++cell) {
        const int number = count_bits(cells[cell]);
        if (number > 1 && number < fewest) {
            fewest = number;
            best = {cell, static_cast<std::uint16_t>(cells[cell] & (0u - cells[cell]))};
        }
    }
    return best;
}

template <class Ops>
class Engine {
public:
    using V = typename Ops::V;
    static constexpr int lanes = Ops::lanes;

    explicit Engine(BulkJob& job) : job_(job), frames_(frames_of_thread()) {}
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    void run() {
        std::memset(state_, 0, sizeof(state_));
        active_ = lanes == 32 ? ~0u : (1u << lanes) - 1;
        for (int lane = 0; lane < lanes; ++lane) take_next(lane);
        for (int until_asked = stop_interval; active_ != 0; --until_asked) {
            if (until_asked == 0) {
                if (job_.must_stop != nullptr && job_.must_stop(job_.stop_argument)) return;
                until_asked = stop_interval;
            }
            pass();
        }
    }

private:
    struct alignas(64) Frame {
        std::uint16_t cells[padded_cells];
    };
    // As many frames for each lane as it can need; kept by the thread, for there may be thousands of short jobs.
    static Frame* frames_of_thread() {
        struct Frames {
            Frame* data = static_cast<Frame*>(std::aligned_alloc(64, sizeof(Frame) * std::size_t{lanes} * num_cells));
            Frames() = default;
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
        int depth;
    };
    struct Flags {
        V seen;     // digits that every unit has a place for
        V changed;  // bits that a pass has taken away
        V least;    // the smallest set of candidates
        V open;     // bits of cells that are not solved
    };

    void take_next(int lane) {
        if (next_ >= job_.num_puzzles) {
            active_ &= ~(1u << lane);
            return;
        }
        lanes_[lane] = {next_, 0, 0};
        const std::uint8_t* puzzle = job_.puzzles + num_cells * next_++;
        for (int cell = 0; cell < num_cells; ++cell) {
            state_[cell][lane] = candidates_of[puzzle[cell]];
        }
    }

    void finish(int lane) {
        job_.counts[lanes_[lane].puzzle] = lanes_[lane].num_solutions;
        take_next(lane);
    }

    void go_back(int lane) {
        if (lanes_[lane].depth == 0) return finish(lane);
        const Frame& frame = frames_[lane * num_cells + --lanes_[lane].depth];
        for (int cell = 0; cell < num_cells; ++cell) state_[cell][lane] = frame.cells[cell];
    }

    void take_solution(int lane) {
        Lane& mine = lanes_[lane];
        if (mine.num_solutions == 0 && job_.solutions != nullptr) {
            std::uint8_t* solution = job_.solutions + num_cells * mine.puzzle;
            for (int cell = 0; cell < num_cells; ++cell) {
                solution[cell] = static_cast<std::uint8_t>(__builtin_ctz(state_[cell][lane]) + 1);
            }
        }
        if (++mine.num_solutions >= job_.limit) {
            finish(lane);
        } else {
            go_back(lane);
        }
    }

    void save(int lane) {
        Frame& frame = frames_[lane * num_cells + lanes_[lane].depth++];
        for (int cell = 0; cell < stored_cells; cell += 4) {
            std::uint64_t four = 0;
            for (int k = 0; k < 4; ++k) four |= std::uint64_t{state_[cell + k][lane]} << (16 * k);
            std::memcpy(frame.cells + cell, &four, sizeof(four));
        }
        std::memset(frame.cells + stored_cells, 0, sizeof(frame.cells) - sizeof(std::uint16_t) * stored_cells);
    }

    // Tries a digit in a cell; what was saved, without that candidate, is there to go back to.
    void branch(int lane) {
        Frame& frame = frames_[lane * num_cells + lanes_[lane].depth - 1];
        const Choice choice = choose(frame.cells);
        frame.cells[choice.cell] &= static_cast<std::uint16_t>(~choice.digit);
        state_[choice.cell][lane] = choice.digit;
        ++job_.num_guesses;
    }

    static Choice choose(const std::uint16_t* cells) {
        static const PeerMasks peers;
        constexpr int num_blocks = padded_cells / lanes;
        V candidates[num_blocks];
        V weights[num_blocks];
        std::uint32_t has_two[num_blocks];
        for (int k = 0; k < num_blocks; ++k) {
            candidates[k] = Ops::load(cells + k * lanes);
            const V number = Ops::count_bits(candidates[k]);
            has_two[k] = Ops::equal(number, Ops::all(2));
            weights[k] = Ops::weight_of(number);
    // Four cells at a time, because it is stores that it waits for.
        }
        int best = -1;
        int best_score = -1;
        for (int k = 0; k < num_blocks; ++k) {
            for (std::uint32_t left = has_two[k]; left != 0; left &= left - 1) {
                const int cell = k * lanes + __builtin_ctz(left);
                const V mine = Ops::all(cells[cell]);
                V score = Ops::zero();
                for (int q = 0; q < num_blocks; ++q) {
                    const V wanted = Ops::count_bits(Ops::and2(candidates[q], mine));
                    const V weight = Ops::and2(weights[q], Ops::load(peers.of[cell] + q * lanes));
                    score = Ops::add(score, Ops::multiply(wanted, weight));
                }
                const int sum = Ops::sum_of_bytes(score);  // a word of it is less than 37
                if (sum > best_score) {
                    best_score = sum;
                    best = cell;
                }
            }
        }
        if (best < 0) return choose_place(cells);
        return {best, static_cast<std::uint16_t>(cells[best] & (0u - cells[best]))};
    }

    void pass() {
        Flags flags{Ops::all(all_digits), Ops::zero(), Ops::all(all_digits), Ops::zero()};
        sweep<true>(flags);
        sweep<false>(flags);
        const std::uint32_t dead =
            (Ops::equal(flags.least, Ops::zero()) | ~Ops::equal(flags.seen, Ops::all(all_digits))) & active_;
        const std::uint32_t still = Ops::equal(flags.changed, Ops::zero()) & active_ & ~dead;
        const std::uint32_t solved = still & Ops::equal(flags.open, Ops::zero());
        const std::uint32_t open = still & ~solved;
        for (std::uint32_t left = open; left != 0; left &= left - 1) save(__builtin_ctz(left));
        for (std::uint32_t left = dead; left != 0; left &= left - 1) go_back(__builtin_ctz(left));
        // only now: a vector cannot be read before the words written into it have left the store buffer
        for (std::uint32_t left = open; left != 0; left &= left - 1) branch(__builtin_ctz(left));
        for (std::uint32_t left = solved; left != 0; left &= left - 1) take_solution(__builtin_ctz(left));
    }

    // Rows and boxes, or columns. A band is three lines; triad [k][j] is what line k has in box j of it.
    template <bool is_rows>
    void sweep(Flags& flags) {
        const auto at = [](int line, int position) { return is_rows ? 9 * line + position : 9 * position + line; };
        for (int band = 0; band < 3; ++band) {
            V any[3][3];      // digits with a place in the triad
            V several[3][3];  // digits with two or three
            V single[3][3];   // digits of solved cells
            for (int k = 0; k < 3; ++k) {
                for (int j = 0; j < 3; ++j) {
                    const V a = Ops::load(state_[at(3 * band + k, 3 * j)]);
                    const V b = Ops::load(state_[at(3 * band + k, 3 * j + 1)]);
                    const V c = Ops::load(state_[at(3 * band + k, 3 * j + 2)]);
                    any[k][j] = Ops::or3(a, b, c);
                    several[k][j] = Ops::majority(a, b, c);
                    single[k][j] = Ops::or3(Ops::if_single(a), Ops::if_single(b), Ops::if_single(c));
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
            V only_in_box[3][3];   // of its line: leaves the rest of the box
            V only_in_line[3][3];  // of its box: leaves the rest of the line
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
                        std::uint16_t* cell = state_[at(3 * band + k, 3 * j + i)];
                        const V old = Ops::load(cell);
                        V now = Ops::and_not(Ops::unless_single_and_not(old, placed), locked_out);
                        now = Ops::if_any_else(Ops::and2(now, hidden), now);
                        flags.changed = Ops::or_xor(flags.changed, old, now);
                        if constexpr (!is_rows) {
                            flags.least = Ops::min(flags.least, now);
                            flags.open = Ops::or2(flags.open, Ops::and2(now, Ops::minus_one(now)));
                        }
                        Ops::store(cell, now);
                    }
                }
            }
        }
    }

    alignas(64) std::uint16_t state_[stored_cells][lanes];
    BulkJob& job_;
    Frame* frames_;
    Lane lanes_[lanes];
    std::uint32_t active_ = 0;
    std::size_t next_ = 0;
};

}  // namespace
}  // namespace sudokulab
