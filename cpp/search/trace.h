// A trace: the course of a search, sampled into arrays of fixed size.
//
// The solver names its columns once and offers a row at each step; for steps that are not sampled, `is_due` returns
// false and costs one comparison. When the arrays are full, every second row is dropped and the sampling interval
// doubles. A run of any length thus ends with a number of evenly spaced rows between half the capacity and the
// capacity. Improvements are kept in addition to these. There are few: costs are integers.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sudokulab {

using TraceRow = std::vector<double>;

class Trace {
public:
    explicit Trace(std::size_t capacity = 0) : capacity_(capacity) {}

    void set_columns(std::vector<std::string> names) {
        if (capacity_ == 0) return;
        columns_.assign(names.size(), {});
        for (auto& column : columns_) column.reserve(capacity_);
        names_ = std::move(names);
        is_improvement_.clear();
        num_even_ = 0;
        stride_ = until_due_ = 1;
    }

    bool is_due() {
        if (until_due_ == 0 || --until_due_ != 0) return false;
        until_due_ = stride_;
        return true;
    }

    template <class... Values>
    static TraceRow row(Values... values) {
        return {static_cast<double>(values)...};
    }

    // Call only after `is_due` returned true, with one value per column.
    void add(const TraceRow& row) {
        assert(is_on() && row.size() == columns_.size());
        if (num_even_ == capacity_) halve();
        ++num_even_;
        push(row, false);
    }

    // Adds a row that is never dropped.
    void add_improvement(const TraceRow& row) { push(row, true); }

    bool is_on() const { return !columns_.empty(); }

    // Call once at the end of a run with its final state, so that a trace always includes the result. Replaces the last
    // row if it was sampled at the same step.
    void add_last(const TraceRow& row) {
        if (!is_on()) return;
        if (!columns_[0].empty() && columns_[0].back() == row.front()) {
            for (auto& column : columns_) column.pop_back();
            num_even_ -= is_improvement_.back() ? 0 : 1;
            is_improvement_.pop_back();
        }
        add(row);
    }

    // Stores a matrix at the end of the run, with `width` values per row.
    void set_snapshot(const char* name, const std::vector<double>& values, int width) {
        assert(width > 0 && values.size() % static_cast<std::size_t>(width) == 0);
        if (capacity_ == 0) return;
        snapshot_name_ = name;
        snapshot_ = values;
        snapshot_width_ = static_cast<std::size_t>(width);
    }

    const std::string& snapshot_name() const { return snapshot_name_; }
    const std::vector<double>& snapshot() const { return snapshot_; }
    std::size_t snapshot_width() const { return snapshot_width_; }

    const std::vector<std::string>& names() const { return names_; }
    const std::vector<std::vector<double>>& columns() const { return columns_; }

private:
    void push(const TraceRow& row, bool is_improvement) {
        assert(row.size() == columns_.size());
        is_improvement_.push_back(is_improvement);
        auto column = columns_.begin();
        for (const double value : row) (column++)->push_back(value);
    }

    void halve() {
        std::size_t num_kept = 0;
        num_even_ = 0;
        bool is_dropped = true;  // of the evenly spaced rows, the first one is kept
        for (std::size_t row = 0; row < is_improvement_.size(); ++row) {
            if (!is_improvement_[row]) {
                is_dropped = !is_dropped;
                if (is_dropped) continue;
                ++num_even_;
            }
            for (auto& column : columns_) column[num_kept] = column[row];
            is_improvement_[num_kept++] = is_improvement_[row];
        }
        for (auto& column : columns_) column.resize(num_kept);
        is_improvement_.resize(num_kept);
        stride_ *= 2;
        until_due_ = stride_;
    }

    std::size_t capacity_;
    std::int64_t stride_ = 1;
    std::int64_t until_due_ = 0;  // 0: not tracing
    std::vector<std::string> names_;
    std::vector<std::vector<double>> columns_;
    std::vector<bool> is_improvement_;  // by row
    std::size_t num_even_ = 0;          // number of evenly spaced rows
    std::string snapshot_name_;         // empty: none was taken
    std::vector<double> snapshot_;
    std::size_t snapshot_width_ = 0;
};

}  // namespace sudokulab
