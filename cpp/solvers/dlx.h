// Dancing links: Knuth's algorithm X on the exact-cover matrix of a puzzle (Knuth 2000, arXiv:cs/0011047).
//
// A matrix row means "this cell holds this digit" and has a one in four columns: the cell is filled, and its row, its
// column and its box have the digit. The search covers the column with the fewest rows, the first one on a tie, and
// tries its rows from top to bottom.
//
// Two shortcuts do not change the search: the matrix is built as it is after choosing the rows of the givens, instead
// of covering their columns one by one; and since the four nodes of a row are adjacent in memory, the left and right
// links inside a row are arithmetic.
#pragma once

#include <vector>

#include "search/solver.h"

namespace sudokulab {

class DlxSearch : public Search {
public:
    explicit DlxSearch(const Puzzle& puzzle);

    Status next(Control& control) override;
    Grid grid() const override;
    Stats stats() const override;
    TraceRow trace_row() const override {
        return Trace::row(num_nodes_, depth(), depth() + static_cast<std::size_t>(num_givens_));
    }
    Frame frame() const override;

private:
    using Index = std::int32_t;  // of a node; the root is 0, then the column headers, then the rows in groups of four

    struct Node {
        Index up, down;
        Index column;
    };
    struct Header {
        Index left, right;
        Index num_rows;
    };

    // The number of rows chosen; the last column may not have been tried yet.
    std::size_t depth() const {
        return chosen_.size() - (!chosen_.empty() && chosen_.back() < first_row_node_ ? 1 : 0);
    }
    void build();
    Index choose_column() const;
    void cover(Index column);
    void uncover(Index column);
    void choose_row(Index node);
    void unchoose_row(Index node);
    void advance(Control& control);
    int option(Index node) const { return row_options_[static_cast<std::size_t>((node - first_row_node_) / 4)]; }
    template <class Visit>
    void for_others_in_row(Index node, Visit visit) const;

    const BoxShape box_;
    Grid givens_;
    std::vector<Header> headers_;     // by column; 0 is the root
    std::vector<Node> nodes_;         // the vertical links of the headers first
    std::vector<Index> row_options_;  // by row: cell * size + digit
    Index first_row_node_ = 0;
    int num_givens_ = 0;
    bool has_clash_ = false;
    bool is_fresh_ = true;             // the matrix is not branched on yet
    std::vector<Index> chosen_;        // the node that chose each row; the column header before the first try
    std::int64_t num_nodes_ = 0;       // rows tried
    std::int64_t num_backtracks_ = 0;  // rows undone
    std::int64_t max_depth_ = 0;       // maximum number of rows chosen
    std::int64_t num_updates_ = 0;     // nodes unlinked from a column: Knuth's measure of the work
};

class Dlx : public CompleteSolver {
public:
    std::unique_ptr<Search> search(const Puzzle& puzzle) const override { return std::make_unique<DlxSearch>(puzzle); }
};

}  // namespace sudokulab
