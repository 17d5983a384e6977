#include "logic/techniques/sk_loop.h"

#include <array>

#include "logic/techniques/cell_set.h"

namespace sudokulab::techniques {
namespace {

constexpr unsigned num_pairs = 8;  // pair k is in the links k and k + 1 of the ring

unsigned next(unsigned k) { return (k + 1) % num_pairs; }

// The smallest sets of links that cover some pairs of the ring.
struct Cover {
    int num_links = num_pairs;
    unsigned links = 0;    // in at least one of the sets
    unsigned doubled = 0;  // pairs with both links in one of the sets
};

// By the mask of the pairs.
std::array<Cover, 1 << num_pairs> all_covers() {
    std::array<Cover, 1 << num_pairs> covers{};
    for (unsigned links = 0; links < covers.size(); ++links) {
        const unsigned next_links = (links >> 1 | links << (num_pairs - 1)) & 0xff;
        const unsigned covered = links | next_links;
        const int num_links = num_bits(links);
        for (unsigned pairs = 0; pairs < covers.size(); ++pairs) {
            Cover& cover = covers[pairs];
            if ((pairs & ~covered) != 0 || num_links > cover.num_links) continue;
            if (num_links < cover.num_links) cover = {num_links, 0, 0};
            cover.links |= links;
            cover.doubled |= links & next_links & pairs;
        }
    }
    return covers;
}

class Finder {
public:
    Finder(const TechniqueBoard& board, const Visitor& visit)
        : board_(board), map_(board), visit_(visit), shape_(board.geometry().box()) {
        step_.technique = Technique::sk_loop;
    }

    bool find() {
        const int size = shape_.size();
        for (int top = 0; top < size; ++top) {
            for (int bottom = (top / shape_.rows + 1) * shape_.rows; bottom < size; ++bottom) {
                for (int left = 0; left < size; ++left) {
                    if (!is_placed(top, left) || !is_placed(bottom, left)) continue;
                    for (int right = (left / shape_.cols + 1) * shape_.cols; right < size; ++right) {
                        if (!is_placed(top, right) || !is_placed(bottom, right)) continue;
                        if (!find_at(top, bottom, left, right)) return false;
                    }
                }
            }
        }
        return true;
    }

private:
    int cell(int row, int column) const { return row * shape_.size() + column; }
    bool is_placed(int row, int column) const { return !board_.is_open(cell(row, column)); }

    bool find_at(int top, int bottom, int left, int right) {
        set_ring(top, bottom, left, right);
        int num_open = 0;
        for (const CellSet& pair : pairs_) {
            if (pair.is_empty()) return true;
            num_open += pair.size();
        }
        static const std::array<Cover, 1 << num_pairs> covers = all_covers();
        std::vector<Cover> by_digit;
        unsigned linked = 0;  // links that join a digit
        for (int digit = 0; digit < shape_.size(); ++digit) {
            unsigned having = 0;
            for (unsigned k = 0; k < num_pairs; ++k) having |= pairs_[k].meets(map_.of(digit)) ? 1u << k : 0;
            const Cover& cover = covers[having];
            by_digit.push_back(cover);
            num_open -= cover.num_links;
            for (unsigned k = 0; k < num_pairs; ++k) {
                // The link k + 1 joins the pairs k and k + 1.
                if ((having >> k & having >> next(k) & cover.links >> next(k) & 1) != 0) linked |= 1u << next(k);
            }
        }
        return num_open != 0 || linked != 0xff || report(by_digit);
    }

    // The pairs clockwise, from the column of the upper left corner on, and the links before them.
    void set_ring(int top, int bottom, int left, int right) {
        const std::array<int, 4> corners{cell(top, left), cell(top, right), cell(bottom, right), cell(bottom, left)};
        for (unsigned k = 0; k < 4; ++k) {
            const int box = board_.unit(UnitKind::box, corners[k]);
            const int row = board_.unit(UnitKind::row, corners[k]);
            const int column = board_.unit(UnitKind::column, corners[k]);
            const CellSet in_row = map_.unit(box) & map_.unit(row) & map_.open();
            const CellSet in_column = map_.unit(box) & map_.unit(column) & map_.open();
            const bool row_is_first = k % 2 == 1;  // along a row to the upper right and lower left corners
            pairs_[2 * k] = row_is_first ? in_row : in_column;
            pairs_[2 * k + 1] = row_is_first ? in_column : in_row;
            links_[2 * k] = row_is_first ? row : column;
            links_[2 * k + 1] = box;
        }
    }

    bool report(const std::vector<Cover>& by_digit) {
        CellSet ring;
        for (const CellSet& pair : pairs_) ring |= pair;
        step_.eliminations.clear();
        step_.length = 0;
        for (int digit = 0; digit < shape_.size(); ++digit) {
            const Cover& cover = by_digit[static_cast<std::size_t>(digit)];
            step_.length += cover.num_links;
            CellSet losing;
            for (unsigned k = 0; k < num_pairs; ++k) {
                if ((cover.links >> k & 1) != 0) losing |= map_.unit(links_[k]) - ring;
                if ((cover.doubled >> k & 1) != 0) losing |= pairs_[k];
            }
            (losing & map_.of(digit)).for_each([&](int cell) { step_.eliminations.push_back({cell, digit}); });
        }
        if (step_.eliminations.empty()) return true;
        step_.units.assign(links_.begin(), links_.end());
        step_.cells.clear();
        step_.pattern.clear();
        step_.nodes.assign(num_pairs, {});
        for (unsigned k = 0; k < num_pairs; ++k) {
            pairs_[k].for_each([&](int cell) {
                step_.cells.push_back(cell);
                for_each_bit(board_.candidates(cell), [&](int digit) { step_.nodes[k].push_back({cell, digit}); });
            });
            step_.pattern.insert(step_.pattern.end(), step_.nodes[k].begin(), step_.nodes[k].end());
        }
        return visit_(step_);
    }

    const TechniqueBoard& board_;
    const CellMap map_;
    const Visitor& visit_;
    const BoxShape shape_;
    std::array<CellSet, num_pairs> pairs_;  // their open cells
    std::array<int, num_pairs> links_{};    // units; the link k joins the pairs k - 1 and k
    Step step_;
};

}  // namespace

bool find_sk_loops(const TechniqueBoard& board, const Visitor& visit) {
    if (board.geometry().box().rows < 3 || board.geometry().box().cols < 3) return true;
    return Finder(board, visit).find();
}

}  // namespace sudokulab::techniques
