// A tabu list: the most recent features, first in, first out.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sudokulab {

class TabuList {
public:
    // Features are numbers below `num_features`; at most `capacity` are remembered.
    TabuList(std::size_t num_features, std::size_t capacity) : times_(num_features, 0), ring_(capacity) {}

    // The feature "this cell holds this digit".
    static std::size_t feature(int cell, int digit) {
        return static_cast<std::size_t>(cell) * 64 + static_cast<std::size_t>(digit);
    }

    std::size_t num_features() const { return times_.size(); }

    bool contains(std::size_t feature) const {
        assert(feature < times_.size());
        return times_[feature] != 0;
    }

    void add(std::size_t feature) {
        assert(feature < times_.size() && num_ <= ring_.size());
        if (ring_.empty()) return;
        if (num_ == ring_.size()) {
            assert(times_[ring_[oldest_]] > 0);
            --times_[ring_[oldest_]];
        } else {
            ++num_;
        }
        ring_[oldest_] = feature;
        oldest_ = (oldest_ + 1) % ring_.size();
        ++times_[feature];
    }

    // The features of the above form as cells and digits from 1, oldest first.
    std::vector<std::pair<int, int>> placements() const {
        std::vector<std::pair<int, int>> placements;
        for (std::size_t i = 0; i < num_; ++i) {
            const std::size_t feature = ring_[(oldest_ + ring_.size() - num_ + i) % ring_.size()];
            placements.emplace_back(static_cast<int>(feature / 64), static_cast<int>(feature % 64) + 1);
        }
        return placements;
    }

    void clear() {
        for (std::size_t i = 0; i < num_; ++i) times_[ring_[i]] = 0;
        num_ = oldest_ = 0;
    }

private:
    std::vector<std::uint32_t> times_;  // by feature: how often it is in the list
    std::vector<std::size_t> ring_;
    std::size_t num_ = 0;
    std::size_t oldest_ = 0;  // also the position of the next one
};

}  // namespace sudokulab
