// 9×9 puzzles in bulk on a GPU.
//
// A puzzle occupies nine lanes of a warp, one per box, so a warp works on three puzzles and leaves five lanes idle. A
// lane keeps its box in three words, one per column. A word has three fields of eleven bits, one per row, for the nine
// candidates of a cell. The tenth bit of a field is its guard: adding nine ones to every field sets the guards of those
// that are not empty. So one operation of a warp treats 81 cells.
//
// A pass makes the deductions of the engine for CPUs (cpp/bulk/bulk.h) in the same order: naked singles, hidden
// singles, box-line interactions and triads with three digits, first along the rows, then, with the boxes transposed,
// along the columns. Lanes of a band or stack exchange words by shuffles. A puzzle without progress branches: every box
// offers its first cell with two candidates, and the one that shares digits with the most peers wins. Cells with two
// candidates count three times. If no cell has two candidates, those with three are offered, or failing that, any
// others.
//
// The search is written for a `Warp`, whose words have one value per lane, without branches that differ between lanes.
// The warp of a GPU and the kernels are at the end of this file; the tests provide a warp for the host, where a word is
// a vector.

#if defined(__CUDACC__)
#define SUDOKULAB_INLINE __device__ __forceinline__
#define SUDOKULAB_UNROLL _Pragma("unroll")
#else
#define SUDOKULAB_INLINE inline
#define SUDOKULAB_UNROLL
#endif

namespace sudokulab_gpu {

constexpr unsigned num_cells = 81;
constexpr unsigned boxes = 9;  // lanes per puzzle
constexpr unsigned warp_lanes = 32;
constexpr unsigned max_depth = num_cells;                  // every branch solves a cell
constexpr unsigned undecided = ~0u;                        // the number of solutions of a puzzle that was given up
constexpr unsigned unlimited = ~0u;                        // guesses
constexpr unsigned frame_words = 3 * warp_lanes;           // of the puzzles of a warp, at one depth
constexpr unsigned stack_words = max_depth * frame_words;  // per warp
constexpr unsigned scratch_words = 6 * warp_lanes;         // per warp

constexpr unsigned field_bits = 11;
constexpr unsigned ones = 1u | 1u << field_bits | 1u << (2 * field_bits);  // 1 in every field
constexpr unsigned all_digits = 0x1FF;
constexpr unsigned every_digit = all_digits * ones;
constexpr unsigned guards = 0x200 * ones;
constexpr unsigned first_field = (1u << field_bits) - 1;
constexpr unsigned last_field = ~0u << (2 * field_bits);

// Operations on the three fields of a word at once.
template <class Word>
SUDOKULAB_INLINE Word or3(Word a, Word b, Word c) {
    return a | b | c;
}
template <class Word>
SUDOKULAB_INLINE Word majority(Word a, Word b, Word c) {
    return (a & b) | (c & (a | b));
}
// Fields rotated by one and by two places.
template <class Word>
SUDOKULAB_INLINE Word turn_once(Word a) {
    return (a >> field_bits) + (a << (2 * field_bits));
}
template <class Word>
SUDOKULAB_INLINE Word turn_twice(Word a) {
    return (a >> (2 * field_bits)) + (a << field_bits);
}
// The guards of the fields that are not empty; other bits are undefined.
template <class Word>
SUDOKULAB_INLINE Word not_empty(Word a) {
    return a + every_digit;
}
template <class Word>
SUDOKULAB_INLINE Word without_first(Word a) {
    return a & not_empty(a);
}
// All digits in the fields whose guards are set.
template <class Word>
SUDOKULAB_INLINE Word filled(Word marked) {
    return ((marked >> 9u) & ones) * all_digits;
}
// All digits in the fields whose guards are not set.
template <class Word>
SUDOKULAB_INLINE Word filled_others(Word marked) {
    return (~(marked >> 9u) & ones) * all_digits;
}

// The searches of three puzzles. The state of each is spread over nine lanes.
template <class Warp>
struct Search {
    using Word = typename Warp::Word;
    using Mask = typename Warp::Mask;

    Warp& warp;
    unsigned* stack;    // of the warp: `stack_words`
    unsigned* scratch;  // of the warp: `scratch_words`
    unsigned max_guesses;

    Word lane;
    Word box;                                           // of the lane; 9 or more in idle lanes
    Word row_next, row_last, column_next, column_last;  // the other lanes of the band and of the stack
    Word group;                                         // the lanes of the puzzle, as a set
    Word columns[3];                                    // the candidates
    Word depth, num_guesses, num_solutions;

    struct Outcome {
        Mask open, dead, solved;  // of active lanes; the same in all lanes of a puzzle
    };

    SUDOKULAB_INLINE Search(Warp& own_warp, unsigned* own_stack, unsigned* own_scratch, unsigned guesses)
        : warp(own_warp), stack(own_stack), scratch(own_scratch), max_guesses(guesses) {
        lane = warp.lane();
        const Word number = lane / boxes;  // of the puzzle
        const Word first = number * boxes;
        box = lane - first;
        const Mask is_idle = number > 2u;
        const Word band = box / 3u;
        const Word stack_number = box - band * 3u;
        const auto other = [&](Word target) { return Warp::select(is_idle, lane, first + target); };
        row_next = other(band * 3u + Warp::select(stack_number == 2u, Word{}, stack_number + 1u));
        row_last = other(band * 3u + Warp::select(stack_number == 0u, Word{} + 2u, stack_number - 1u));
        column_next = other(Warp::select(band == 2u, Word{}, band + 1u) * 3u + stack_number);
        column_last = other(Warp::select(band == 0u, Word{} + 2u, band - 1u) * 3u + stack_number);
        group = Warp::select(is_idle, Word{}, (Word{} + 0x1FFu) << first);
        box = Warp::select(is_idle, Word{} + boxes, box);
        for (Word& column : columns) column = Word{};
        depth = num_guesses = num_solutions = Word{};
    }

    SUDOKULAB_INLINE Mask is_used() const { return box < boxes; }
    SUDOKULAB_INLINE Mask in_group(unsigned ballot) const { return (group & ballot) != 0u; }

    // Starts the search of the chosen puzzles from the candidates in their lanes.
    SUDOKULAB_INLINE void begin(Mask is_chosen, const Word (&candidates)[3]) {
        for (int i = 0; i < 3; ++i) columns[i] = Warp::select(is_chosen, candidates[i], columns[i]);
        depth = Warp::select(is_chosen, Word{}, depth);
        num_guesses = Warp::select(is_chosen, Word{}, num_guesses);
        num_solutions = Warp::select(is_chosen, Word{}, num_solutions);
    }

    struct Flags {
        Word seen;     // digits that have a place in every unit
        Word placed;   // digits that have a solved cell in the line
        Word open;     // guards of the fields that have candidates
        Word changed;  // bits removed
    };

    // Rows and boxes, or columns. The words are lines across, the fields lines along the direction of the sweep.
    template <bool is_rows>
    SUDOKULAB_INLINE void sweep(Word (&words)[3], Flags& flags) {
        const auto next = [this](Word a) { return warp.shuffle(a, is_rows ? row_next : column_next); };
        const auto last = [this](Word a) { return warp.shuffle(a, is_rows ? row_last : column_last); };
        const Word any = or3(words[0], words[1], words[2]);           // digits with a place in the triad
        const Word several = majority(words[0], words[1], words[2]);  // digits with two or three places
        Word solved[3];                                               // the digit of each solved cell, else nothing
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) solved[i] = words[i] & filled_others(not_empty(without_first(words[i])));
        const Word single = or3(solved[0], solved[1], solved[2]);
        const Word any1 = next(any);
        const Word any2 = last(any);
        const Word seen = or3(any, any1, any2);
        const Word twice = majority(any, any1, any2) | or3(several, next(several), last(several));
        const Word placed_in_line = or3(single, next(single), last(single));
        const Word turned1 = turn_once(any);
        const Word turned2 = turn_twice(any);
        const Word only_in_box = any & ~(any1 | any2);         // removed from the rest of the box
        const Word only_in_line = any & ~(turned1 | turned2);  // removed from the rest of the line
        Word hidden = seen & ~twice;
        flags.seen = flags.seen & seen;
        if (is_rows) {
            const Word in_box = or3(any, turned1, turned2);
            const Word twice_in_box =
                majority(any, turned1, turned2) | or3(several, turn_once(several), turn_twice(several));
            hidden = hidden | (in_box & ~twice_in_box);
            flags.seen = flags.seen & in_box;
        }
        const Word placed_in_box = or3(single, turn_once(single), turn_twice(single));
        flags.placed = flags.placed & placed_in_line;
        const Word out = or3(placed_in_line, next(only_in_line), last(only_in_line)) |
                         or3(placed_in_box, turn_once(only_in_box), turn_twice(only_in_box));
        const Word needed = only_in_box | only_in_line;  // three of them leave no place for others
        const Word beyond_two = without_first(without_first(needed));
        const Word kept = (needed | filled_others(not_empty(beyond_two))) & ~out;
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) {
            const Word old = words[i];
            const Word now = (old & kept) | solved[i];
            words[i] = now & (hidden | ~filled(not_empty(now & hidden)));
            if (!is_rows) {
                flags.changed = flags.changed | (old ^ words[i]);
                flags.open = flags.open & not_empty(words[i]);
            }
        }
    }

    SUDOKULAB_INLINE static void transpose(Word (&words)[3]) {
        const Word a = words[0];
        const Word b = words[1];
        const Word c = words[2];
        const auto merge = [](Word low, Word middle, Word high) {
            const Word two = (low & first_field) | (middle & ~first_field);
            return (two & ~last_field) | (high & last_field);
        };
        words[0] = merge(a, b << field_bits, c << (2 * field_bits));
        words[1] = merge(a >> field_bits, b, c << field_bits);
        words[2] = merge(a >> (2 * field_bits), b >> field_bits, c);
    }

    // A puzzle branches as soon as its columns are stable: anything the rows could still tell is found sooner in a
    // branch. It is solved if everything was solved before the pass, because both sweeps have then seen every unit.
    SUDOKULAB_INLINE Outcome pass(Mask is_active) {
        warp.count_pass(is_active);
        Flags rows{Word{} + every_digit, Word{} + every_digit, Word{}, Word{}};
        sweep<true>(columns, rows);
        transpose(columns);
        Flags lines{rows.seen, Word{} + every_digit, Word{} + guards, Word{}};
        sweep<false>(columns, lines);
        transpose(columns);
        const Mask is_dead = in_group(warp.ballot(((lines.open & guards) != guards) | (lines.seen != every_digit)));
        const Mask is_full = !in_group(warp.ballot(lines.placed != every_digit));
        const Mask is_over = !in_group(warp.ballot(rows.placed != every_digit));
        const Mask is_changed = in_group(warp.ballot(lines.changed != 0u));
        const Mask is_alive = is_active & !is_dead;
        Outcome outcome;
        outcome.open = is_alive & !is_changed & !is_full;
        outcome.dead = is_active & is_dead;
        outcome.solved = is_alive & is_full & is_over;
        return outcome;
    }

    // Branches, counts solutions and goes back. Returns where the search has ended.
    SUDOKULAB_INLINE Mask advance(const Outcome& outcome, unsigned limit) {
        num_solutions = Warp::select(outcome.solved, num_solutions + 1u, num_solutions);
        Mask is_over = outcome.solved & (num_solutions >= limit);
        if (warp.any(outcome.open)) {
            const Mask is_too_much = outcome.open & (num_guesses >= max_guesses);
            num_solutions = Warp::select(is_too_much, Word{} + undecided, num_solutions);
            is_over = is_over | is_too_much;
            branch(outcome.open & !is_too_much);
        }
        const Mask is_back = (outcome.dead | outcome.solved) & !is_over;
        if (warp.any(is_back)) {
            is_over = is_over | (is_back & (depth == 0u));
            go_back(is_back & (depth != 0u));
        }
        return is_over;
    }

    SUDOKULAB_INLINE Word frame_at(Word level) const { return level * frame_words + lane; }

    SUDOKULAB_INLINE void go_back(Mask is_back) {
        depth = Warp::select(is_back, depth - 1u, depth);
        const Word frame = frame_at(depth);
        SUDOKULAB_UNROLL
        for (unsigned i = 0; i < 3; ++i) {
            columns[i] = Warp::select(is_back, warp.load(stack, frame + i * warp_lanes, is_back), columns[i]);
        }
    }

    // Tries a digit in a cell; the saved frame, without that candidate, is the alternative to return to.
    SUDOKULAB_INLINE void branch(Mask is_open) {
        Word pairs[3];  // guards of the cells with two candidates
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) {
            const Word rest = without_first(columns[i]);
            pairs[i] = not_empty(rest) & ~not_empty(without_first(rest)) & guards;
        }
        Word offered[3] = {pairs[0], pairs[1], pairs[2]};
        Word rank = Word{};
        const Mask has_pair = or3(pairs[0], pairs[1], pairs[2]) != 0u;
        const Mask is_without = is_open & !in_group(warp.ballot(has_pair));
        if (warp.any(is_without)) offer_larger(is_without, offered, rank);
        // the first offered cell: its word, its field and its candidates
        const Mask is_first = offered[0] != 0u;
        const Mask is_second = offered[1] != 0u;
        const auto pick = [&](const Word(&of)[3]) {
            return Warp::select(is_first, of[0], Warp::select(is_second, of[1], of[2]));
        };
        const Word column = Warp::select(is_first, Word{}, Warp::select(is_second, Word{} + 1u, Word{} + 2u));
        const Word choices = pick(offered);
        const Word guard = choices & (Word{} - choices);
        const Word row = Warp::select(guard == 0x200u, Word{},
                                      Warp::select(guard == (0x200u << field_bits), Word{} + 1u, Word{} + 2u));
        const Word shift = row * field_bits;
        const Word candidates = (pick(columns) >> shift) & all_digits;
        const Word weight = weigh(pairs, column, row, candidates * ones);
        const Word key = Warp::select(is_used() & (choices != 0u), (rank + weight) * warp_lanes + lane, Word{});
        Word best = Warp::max(key, Warp::max(warp.shuffle(key, row_next), warp.shuffle(key, row_last)));
        best = Warp::max(best, Warp::max(warp.shuffle(best, column_next), warp.shuffle(best, column_last)));

        const Mask is_chosen = is_open & (best == key);
        const Word digit = (candidates & (Word{} - candidates)) << shift;
        const Word others = (candidates << shift) ^ digit;
        const Word frame = frame_at(depth);
        SUDOKULAB_UNROLL
        for (unsigned i = 0; i < 3; ++i) {
            const Mask is_here = is_chosen & (column == i);
            warp.store(stack, frame + i * warp_lanes, columns[i] & ~Warp::select(is_here, digit, Word{}), is_open);
            columns[i] = columns[i] & ~Warp::select(is_here, others, Word{});
        }
        depth = Warp::select(is_open, depth + 1u, depth);
        num_guesses = Warp::select(is_open, num_guesses + 1u, num_guesses);
    }

    // Offers the cells with three candidates in the chosen lanes, or failing that, those with more. Three are
    // preferred, whatever their weight.
    SUDOKULAB_INLINE void offer_larger(Mask is_chosen, Word (&offered)[3], Word& rank) const {
        Word three[3];
        Word more[3];
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) {
            const Word rest = without_first(without_first(columns[i]));
            const Word beyond = not_empty(without_first(rest)) & guards;
            three[i] = not_empty(rest) & ~beyond & guards;
            more[i] = beyond;
        }
        const Mask has_three = or3(three[0], three[1], three[2]) != 0u;
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) {
            offered[i] = Warp::select(is_chosen, Warp::select(has_three, three[i], more[i]), offered[i]);
        }
        rank = Warp::select(is_chosen & has_three, Word{} + 128u, rank);
    }

    // How many peers share a digit with a cell; those with two candidates count three times. `digits` are the
    // candidates of the cell, in every field.
    SUDOKULAB_INLINE Word weigh(const Word (&pairs)[3], Word column, Word row, Word digits) {
        Word marked[3];  // with the guards of pairs
        SUDOKULAB_UNROLL
        for (int i = 0; i < 3; ++i) marked[i] = columns[i] | pairs[i];
        Word rows[3] = {marked[0], marked[1], marked[2]};
        transpose(rows);
        warp.sync();
        SUDOKULAB_UNROLL
        for (unsigned i = 0; i < 3; ++i) {
            warp.put(scratch, lane + i * warp_lanes, marked[i]);
            warp.put(scratch, lane + (i + 3) * warp_lanes, rows[i]);
        }
        warp.sync();
        const auto column_of = [&](Word other) { return warp.get(scratch, column * warp_lanes + other); };
        const auto row_of = [&](Word other) { return warp.get(scratch, (row + 3u) * warp_lanes + other); };
        const Word peers[7] = {marked[0],
                               marked[1],
                               marked[2],
                               row_of(row_next),
                               row_of(row_last),
                               column_of(column_next),
                               column_of(column_last)};
        Word num_sharing = Word{};
        Word num_pairs = Word{};
        SUDOKULAB_UNROLL
        for (int k = 0; k < 7; ++k) {
            const Word sharing = not_empty(peers[k] & digits) & guards;
            num_sharing = num_sharing + (sharing >> 9u);
            num_pairs = num_pairs + ((sharing & peers[k]) >> 9u);
        }
        return ((num_sharing + num_pairs + num_pairs) * ones) >> (2 * field_bits);
    }
};

// The next items of a queue, which all warps share and take in chunks.
template <class Warp>
struct Queue {
    using Word = typename Warp::Word;
    using Mask = typename Warp::Mask;

    Warp& warp;
    unsigned* num_taken;  // by all warps
    unsigned num_items;
    unsigned chunk;
    unsigned next = 0;
    unsigned end = 0;
    Word item;  // of the puzzle in this lane

    SUDOKULAB_INLINE Queue(Warp& own_warp, unsigned* taken, unsigned number, unsigned own_chunk)
        : warp(own_warp), num_taken(taken), num_items(number), chunk(own_chunk), item(Word{}) {}

    // Gives idle puzzles an item; returns which have got one.
    SUDOKULAB_INLINE Mask feed(const Search<Warp>& search, Mask is_idle) {
        const unsigned leaders = 1u | 1u << boxes | 1u << (2 * boxes);
        const unsigned waiting = warp.ballot(is_idle) & leaders;
        if (waiting == 0 || next >= num_items) return Mask{};
        if (next >= end) {
            next = warp.take(num_taken, chunk);
            end = next + chunk < num_items ? next + chunk : num_items;
        }
        const Word before = search.group & (Word{} - search.group);  // the leader of the puzzle
        const Word candidate = Warp::count_bits((before - 1u) & waiting) + next;
        const Mask is_fed = is_idle & search.is_used() & (candidate < end);
        item = Warp::select(is_fed, candidate, item);
        const unsigned after = next + Warp::count_bits_of(waiting);
        next = after < end ? after : end;
        return is_fed;
    }
};

// Where the cells of a lane's box are in a grid by rows: cell (row, column) of the box is at `first + 9 row + column`.
template <class Warp>
SUDOKULAB_INLINE typename Warp::Word first_cell(const Search<Warp>& search) {
    const auto band = search.box / 3u;
    return band * 27u + (search.box - band * 3u) * 3u;
}

// The candidates of the boxes of some grids; a byte that is not a digit leaves none.
template <class Warp>
SUDOKULAB_INLINE void read_grid(Warp& warp, const unsigned char* grids, typename Warp::Word first,
                                typename Warp::Mask is_wanted, typename Warp::Word (&words)[3]) {
    using Word = typename Warp::Word;
    Word digits[9];
    SUDOKULAB_UNROLL
    for (unsigned k = 0; k < 9; ++k) digits[k] = warp.load(grids, first + (k / 3 * 9 + k % 3), is_wanted);
    SUDOKULAB_UNROLL
    for (unsigned i = 0; i < 3; ++i) {
        Word word = Word{};
        SUDOKULAB_UNROLL
        for (unsigned k = 0; k < 3; ++k) {
            const Word digit = digits[3 * k + i];
            const Word bit = ((Word{} + 1u) << (digit & 15u)) >> 1u;
            const Word candidates = Warp::select(digit == 0u, Word{} + all_digits, bit & all_digits);
            word = word | (Warp::select(digit > 9u, Word{}, candidates) << (k * field_bits));
        }
        words[i] = word;
    }
}

// Writes the digits of solved boxes.
template <class Warp>
SUDOKULAB_INLINE void write_grid(Warp& warp, unsigned char* grids, typename Warp::Word first,
                                 typename Warp::Mask is_wanted, const typename Warp::Word (&words)[3]) {
    SUDOKULAB_UNROLL
    for (unsigned k = 0; k < 9; ++k) {
        const auto cell = (words[k % 3] >> (k / 3 * field_bits)) & all_digits;
        warp.store(grids, first + (k / 3 * 9 + k % 3), Warp::digit_of(cell), is_wanted);
    }
}

struct SolveJob {
    const unsigned char* puzzles;  // 81 digits each, 0 for a blank; any other byte makes a puzzle unsolvable
    unsigned num_puzzles;
    unsigned limit;            // stop counting the solutions of a puzzle at this number
    unsigned max_guesses;      // per puzzle
    unsigned char* solutions;  // the first solution of each puzzle with one; may be null
    unsigned* counts;          // solutions found, up to the limit, or `undecided`
    unsigned* num_taken;       // zero at the start
    unsigned chunk;            // puzzles that a warp takes at once
};

template <class Warp>
SUDOKULAB_INLINE void solve(Warp& warp, const SolveJob& job, unsigned* stack, unsigned* scratch) {
    using Mask = typename Warp::Mask;
    using Word = typename Warp::Word;
    Search<Warp> search(warp, stack, scratch, job.max_guesses);
    Queue<Warp> queue(warp, job.num_taken, job.num_puzzles, job.chunk);
    const Word first = first_cell(search);
    Mask is_active = Mask{};
    for (;;) {
        const Mask is_fed = queue.feed(search, !is_active);
        if (warp.any(is_fed)) {
            Word candidates[3];
            read_grid(warp, job.puzzles, queue.item * num_cells + first, is_fed, candidates);
            search.begin(is_fed, candidates);
            is_active = is_active | is_fed;
        }
        if (!warp.any(is_active)) return;
        const auto outcome = search.pass(is_active);
        if (job.solutions != nullptr) {
            const Mask is_first = outcome.solved & (search.num_solutions == 0u);
            if (warp.any(is_first)) {
                write_grid(warp, job.solutions, queue.item * num_cells + first, is_first, search.columns);
            }
        }
        const Mask is_over = search.advance(outcome, job.limit);
        warp.store(job.counts, queue.item, search.num_solutions, is_over & (search.box == 0u));
        is_active = is_active & !is_over;
    }
}

struct BlankJob {
    const unsigned char* grids;   // full grids
    const unsigned char* orders;  // for each grid, its cells in the order in which they are tried
    unsigned num_grids;
    unsigned char* puzzles;  // the minimal puzzles
    unsigned* num_taken;     // zero at the start
    unsigned chunk;          // grids that a warp takes at once
};

// Blanks the cells of full grids in turn, unless the puzzle then has another solution: one with another digit in the
// cell.
template <class Warp>
SUDOKULAB_INLINE void blank(Warp& warp, const BlankJob& job, unsigned* stack, unsigned* scratch) {
    using Mask = typename Warp::Mask;
    using Word = typename Warp::Word;
    Search<Warp> search(warp, stack, scratch, unlimited);
    Queue<Warp> queue(warp, job.num_taken, job.num_grids, job.chunk);
    const Word first = first_cell(search);
    Mask is_active = Mask{};
    Mask is_over = Mask{};  // the last question is answered
    Word givens[3] = {};    // candidates of the cells
    Word place = Word{};    // in the order
    Word column = Word{};   // the cell in question: its column and its field if it is in this lane, else 3
    Word field = Word{};
    for (;;) {
        const Mask is_fed = queue.feed(search, !is_active);
        if (warp.any(is_fed)) {
            Word solution[3];
            read_grid(warp, job.grids, queue.item * num_cells + first, is_fed, solution);
            for (int i = 0; i < 3; ++i) givens[i] = Warp::select(is_fed, solution[i], givens[i]);
            place = Warp::select(is_fed, Word{}, place);
            is_active = is_active | is_fed;
        }
        if (!warp.any(is_active)) return;
        const Mask is_asking = is_fed | (is_active & is_over);
        if (warp.any(is_asking)) {
            const Word cell = warp.load(job.orders, queue.item * num_cells + place, is_asking);
            const Word row = cell / 9u;
            const Word col = cell - row * 9u;
            const Word band = row / 3u;
            const Word stack_number = col / 3u;
            const Mask is_here = search.box == band * 3u + stack_number;
            column = Warp::select(is_asking, Warp::select(is_here, col - stack_number * 3u, Word{} + 3u), column);
            const Word own_field = (Word{} + all_digits) << ((row - band * 3u) * field_bits);
            field = Warp::select(is_asking, own_field, field);
            Word question[3];
            SUDOKULAB_UNROLL
            for (unsigned i = 0; i < 3; ++i) {
                question[i] = givens[i] ^ Warp::select(column == i, field, Word{});  // all digits but the given
            }
            search.begin(is_asking, question);
        }
        const auto outcome = search.pass(is_active);
        is_over = search.advance(outcome, 1);
        if (!warp.any(is_over)) continue;
        const Mask is_blank = is_over & (search.num_solutions == 0u);
        SUDOKULAB_UNROLL
        for (unsigned i = 0; i < 3; ++i) {
            givens[i] = givens[i] | Warp::select(is_blank & (column == i), field, Word{});
        }
        place = Warp::select(is_over, place + 1u, place);
        const Mask is_done = is_over & (place == num_cells);
        if (warp.any(is_done)) {
            const Word start = queue.item * num_cells + first;
            SUDOKULAB_UNROLL
            for (unsigned k = 0; k < 9; ++k) {
                const Word cell = (givens[k % 3] >> (k / 3 * field_bits)) & all_digits;
                const Word digit = Warp::select(cell == all_digits, Word{}, Warp::digit_of(cell));
                warp.store(job.puzzles, start + (k / 3 * 9 + k % 3), digit, is_done);
            }
            is_active = is_active & !is_done;
        }
    }
}

}  // namespace sudokulab_gpu

#if defined(__CUDACC__)
namespace sudokulab_gpu {

constexpr unsigned warps_per_block = 4;

struct DeviceWarp {
    using Word = unsigned;
    using Mask = bool;
    static constexpr unsigned everyone = ~0u;

    __device__ static Word lane() { return threadIdx.x % warp_lanes; }
    __device__ static Word select(Mask mask, Word a, Word b) { return mask ? a : b; }
    __device__ static Word max(Word a, Word b) { return ::max(a, b); }
    __device__ static Word count_bits(Word a) { return static_cast<Word>(__popc(a)); }
    __device__ static unsigned count_bits_of(unsigned a) { return static_cast<unsigned>(__popc(a)); }
    __device__ static Word digit_of(Word single) { return static_cast<Word>(__ffs(static_cast<int>(single))); }
    __device__ static Word shuffle(Word a, Word source) { return __shfl_sync(everyone, a, static_cast<int>(source)); }
    __device__ static unsigned ballot(Mask mask) { return __ballot_sync(everyone, mask); }
    __device__ static bool any(Mask mask) { return __any_sync(everyone, mask); }
    __device__ static void sync() { __syncwarp(); }
    __device__ static void count_pass(Mask) {}  // only on the host
    __device__ static Word get(const unsigned* scratch, Word index) { return scratch[index]; }
    __device__ static void put(unsigned* scratch, Word index, Word value) { scratch[index] = value; }
    template <class T>
    __device__ static Word load(const T* from, Word index, Mask mask) {
        return mask ? from[index] : 0u;
    }
    template <class T>
    __device__ static void store(T* to, Word index, Word value, Mask mask) {
        if (mask) to[index] = static_cast<T>(value);
    }
    // Adds to a counter of all warps; returns what it was.
    __device__ static unsigned take(unsigned* counter, unsigned number) {
        unsigned before = 0;
        if (lane() == 0) before = atomicAdd(counter, number);
        return __shfl_sync(everyone, before, 0);
    }
};

__device__ unsigned* own_stack(unsigned* stacks) {
    return stacks +
           static_cast<unsigned long long>(blockIdx.x * warps_per_block + threadIdx.x / warp_lanes) * stack_words;
}

}  // namespace sudokulab_gpu

using namespace sudokulab_gpu;

// What a launch needs to know: the threads of a block, and the words of the stacks of its warps.
extern "C" {
__constant__ unsigned layout[2] = {warps_per_block * warp_lanes, warps_per_block * stack_words};
}

extern "C" __global__ void __launch_bounds__(warps_per_block* warp_lanes)
    solve_kernel(const unsigned char* puzzles, unsigned num_puzzles, unsigned limit, unsigned max_guesses,
                 unsigned char* solutions, unsigned* counts, unsigned* num_taken, unsigned chunk, unsigned* stacks) {
    __shared__ unsigned scratch[warps_per_block][scratch_words];
    DeviceWarp warp;
    const SolveJob job{puzzles, num_puzzles, limit, max_guesses, solutions, counts, num_taken, chunk};
    solve(warp, job, own_stack(stacks), scratch[threadIdx.x / warp_lanes]);
}

extern "C" __global__ void __launch_bounds__(warps_per_block* warp_lanes)
    blank_kernel(const unsigned char* grids, const unsigned char* orders, unsigned num_grids, unsigned char* puzzles,
                 unsigned* num_taken, unsigned chunk, unsigned* stacks) {
    __shared__ unsigned scratch[warps_per_block][scratch_words];
    DeviceWarp warp;
    const BlankJob job{grids, orders, num_grids, puzzles, num_taken, chunk};
    blank(warp, job, own_stack(stacks), scratch[threadIdx.x / warp_lanes]);
}
#endif
