// The canonical forms of 9×9 solution grids, and of puzzles through their solutions, one per thread.
//
// The method is that of cpp/grid/canonical_nine.cpp, with its table of second rows. Lines of nine cells are packed into
// words of four bits per cell, the first cell lowest.

#if defined(__CUDACC__)
#define SUDOKULAB_INLINE __device__ __forceinline__
#else
#define SUDOKULAB_INLINE inline
#endif

namespace sudokulab_gpu {

using Line = unsigned long long;

SUDOKULAB_INLINE unsigned at(Line line, unsigned k) { return static_cast<unsigned>(line >> (4 * k)) & 15u; }
SUDOKULAB_INLINE Line put(unsigned value, unsigned k) { return static_cast<Line>(value) << (4 * k); }

struct Tables {
    const unsigned char* triples;  // by three columns: their set and order
    const unsigned char* pairs;    // by the sets of two boxes
    const unsigned* entries;       // of second rows: rank, number of orders, first order
    const Line* orders;            // of the columns: the source of each position
};

struct Views {
    Line lines[2][9];  // the rows of a grid, then its columns
};

SUDOKULAB_INLINE void read(const unsigned char* cells, unsigned offset, Views& views) {
    for (unsigned i = 0; i < 9; ++i) views.lines[0][i] = views.lines[1][i] = 0;
    for (unsigned row = 0; row < 9; ++row) {
        for (unsigned col = 0; col < 9; ++col) {
            const unsigned value = cells[9 * row + col] - offset;
            views.lines[0][row] |= put(value, col);
            views.lines[1][col] |= put(value, row);
        }
    }
}

// The place of a second row in the table. It is given by the column of the first row that holds each of its digits.
SUDOKULAB_INLINE unsigned index_of(const Tables& tables, Line first, Line second) {
    Line columns = 0;  // of the first row, by digit
    for (unsigned col = 0; col < 9; ++col) columns |= put(col, at(first, col));
    unsigned set[3];
    unsigned order[3];
    for (unsigned box = 0; box < 3; ++box) {
        unsigned code = 0;
        for (unsigned k = 0; k < 3; ++k) code = code * 9 + at(columns, at(second, 3 * box + k));
        set[box] = tables.triples[2 * code];
        order[box] = tables.triples[2 * code + 1];
    }
    return ((tables.pairs[84 * set[0] + set[1]] * 6u + order[0]) * 6u + order[1]) * 6u + order[2];
}

// The order of the rows, given the first two: the first column, whose digits are all different, decides the rest.
SUDOKULAB_INLINE Line sorted_rows(const Line (&lines)[9], unsigned first, unsigned second, unsigned first_col,
                                  Line labels) {
    Line row_of = 0;  // by label in the first column
    for (unsigned row = 0; row < 9; ++row) row_of |= put(row, at(labels, at(lines[row], first_col)) - 1);
    const unsigned top = first / 3;
    Line rows = put(first, 0) | put(second, 1) | put(9 * top + 3 - first - second, 2);
    unsigned next = 3;  // the band of the smallest label below the top
    unsigned place[2] = {3, 6};
    for (unsigned k = 0; k < 9; ++k) {
        const unsigned row = at(row_of, k);
        if (row / 3 == top) continue;
        if (next == 3) next = row / 3;
        rows |= put(row, place[row / 3 != next]++);
    }
    return rows;
}

// A grid, and the transformation that led there.
struct Image {
    Line rows[9];  // the first cell highest, so that they compare like text
    bool is_transposed;
    Line row_order, col_order, labels;
};

// Row k of an image; labels are by digit, with a blank first for puzzles.
SUDOKULAB_INLINE Line image_row(Line line, Line cols, Line labels) {
    Line row = 0;
    for (unsigned k = 0; k < 9; ++k) row = row << 4 | at(labels, at(line, at(cols, k)));
    return row;
}

// Replaces the rows of `best`, from `k` on, if those of the image are not larger. Returns whether they are smaller
// (-1), equal (0) or larger (1).
SUDOKULAB_INLINE int keep_smaller(const Line (&lines)[9], Line rows, Line cols, Line labels, unsigned k,
                                  Line (&best)[9]) {
    bool is_smaller = false;
    for (; k < 9; ++k) {
        const Line row = image_row(lines[at(rows, k)], cols, labels);
        if (!is_smaller && row > best[k]) return 1;
        is_smaller = is_smaller || row < best[k];
        best[k] = row;
    }
    return is_smaller ? -1 : 0;
}

// The canonical form of a solution grid or, if `puzzle` is not null, of a puzzle through it.
SUDOKULAB_INLINE unsigned canonical_form(const Tables& tables, const unsigned char* grid, const unsigned char* puzzle,
                                         Image& best) {
    Views views;
    Views givens;
    read(grid, 1, views);
    if (puzzle != nullptr) read(puzzle, 0, givens);
    unsigned rank = ~0u;
    unsigned long long chosen = 0;  // the first two rows with the least rank
    for (unsigned k = 0; k < 36; ++k) {
        const Line(&lines)[9] = views.lines[k / 18];
        const unsigned first = k / 2 % 9;
        const unsigned second = first / 3 * 3 + (first + 1 + k % 2) % 3;
        const unsigned own = tables.entries[3 * index_of(tables, lines[first], lines[second])];
        if (own < rank) chosen = 0;
        if (own <= rank) chosen |= 1ull << k;
        rank = own < rank ? own : rank;
    }
    unsigned num_best = 0;
    Line smallest[9];  // of the grid
    for (unsigned k = 0; k < 9; ++k) smallest[k] = best.rows[k] = ~Line{0};
    for (unsigned k = 0; k < 36; ++k) {
        if ((chosen >> k & 1) == 0) continue;
        const unsigned view = k / 18;
        const Line(&lines)[9] = views.lines[view];
        const unsigned first = k / 2 % 9;
        const unsigned second = first / 3 * 3 + (first + 1 + k % 2) % 3;
        const unsigned* entry = tables.entries + 3 * index_of(tables, lines[first], lines[second]);
        for (unsigned order = entry[2]; order < entry[2] + entry[1]; ++order) {
            const Line cols = tables.orders[order];
            Line labels = 0;
            for (unsigned p = 0; p < 9; ++p) labels |= put(p + 1, at(lines[first], at(cols, p)));
            const Line rows = sorted_rows(lines, first, second, at(cols, 0), labels);
            int comparison = keep_smaller(lines, rows, cols, labels, 1, smallest);
            if (comparison > 0) continue;
            if (puzzle != nullptr) {
                if (comparison < 0) {
                    for (Line& row : best.rows) row = ~Line{0};
                }
                comparison = keep_smaller(givens.lines[view], rows, cols, labels << 4, 0, best.rows);
                if (comparison > 0) continue;
            }
            if (comparison < 0) num_best = 0;
            if (num_best++ != 0) continue;
            best.is_transposed = view != 0;
            best.row_order = rows;
            best.col_order = cols;
            best.labels = labels;
        }
    }
    if (puzzle == nullptr) {
        smallest[0] = 0x123456789;
        for (unsigned k = 0; k < 9; ++k) best.rows[k] = smallest[k];
    }
    return num_best;
}

// FNV-1a with 64 bits, then the finaliser of SplitMix64, as `hash_of` in cpp/grid/canonical.cpp.
SUDOKULAB_INLINE unsigned long long hash_of(const unsigned char* cells) {
    unsigned long long hash = 0xcbf29ce484222325ull;
    for (int k = -2; k < 81; ++k) hash = (hash ^ (k < 0 ? 3u : cells[k])) * 0x100000001b3ull;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    return hash ^ hash >> 31;
}

struct CanonicalJob {
    const unsigned char* grids;
    const unsigned char* puzzles;  // may be null
    unsigned char* forms;
    bool* is_transposed;
    unsigned char* rows;
    unsigned char* cols;
    unsigned char* digits;
    unsigned* num_automorphisms;
    unsigned long long* hashes;
};

SUDOKULAB_INLINE void canonicalize(const Tables& tables, const CanonicalJob& job, unsigned long long index) {
    Image best;
    const unsigned char* puzzle = job.puzzles == nullptr ? nullptr : job.puzzles + 81 * index;
    job.num_automorphisms[index] = canonical_form(tables, job.grids + 81 * index, puzzle, best);
    unsigned char* form = job.forms + 81 * index;
    for (unsigned k = 0; k < 81; ++k) form[k] = static_cast<unsigned char>(at(best.rows[k / 9], 8 - k % 9));
    job.is_transposed[index] = best.is_transposed;
    for (unsigned k = 0; k < 9; ++k) {
        job.rows[9 * index + k] = static_cast<unsigned char>(at(best.row_order, k));
        job.cols[9 * index + k] = static_cast<unsigned char>(at(best.col_order, k));
        job.digits[9 * index + k] = static_cast<unsigned char>(at(best.labels, k));
    }
    job.hashes[index] = hash_of(form);
}

}  // namespace sudokulab_gpu

#if defined(__CUDACC__)
using namespace sudokulab_gpu;

extern "C" __global__ void canonical_kernel(const unsigned char* grids, const unsigned char* puzzles,
                                            unsigned long long num_grids, const unsigned char* triples,
                                            const unsigned char* pairs, const unsigned* entries, const Line* orders,
                                            unsigned char* forms, bool* is_transposed, unsigned char* rows,
                                            unsigned char* cols, unsigned char* digits, unsigned* num_automorphisms,
                                            unsigned long long* hashes) {
    const unsigned long long index = blockIdx.x * static_cast<unsigned long long>(blockDim.x) + threadIdx.x;
    if (index >= num_grids) return;
    const CanonicalJob job{grids, puzzles, forms, is_transposed, rows, cols, digits, num_automorphisms, hashes};
    canonicalize({triples, pairs, entries, orders}, job, index);
}
#endif
