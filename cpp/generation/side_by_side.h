// Searches that ask whether 9×9 puzzles have other solutions, side by side: their questions form jobs of the bulk
// engine.
//
// A search has a `Result` and these members: `is_done`; `question` and `solution`, a puzzle and its known solution;
// `answer`, which continues with another solution, or null, to the next question or the end; and `take_result`.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "bulk/bulk.h"
#include "search/control.h"

namespace sudokulab {

// Questions of several searches, as a job of the bulk engine.
class Questions {
public:
    explicit Questions(std::size_t capacity)
        : puzzles_(capacity * bulk_cells), known_(puzzles_), others_(puzzles_), counts_(capacity) {}

    template <class Search>
    void set(std::size_t k, const Search& search) {
        assert(k < counts_.size() && !search.is_done());
        std::copy_n(search.question(), bulk_cells, &puzzles_[k * bulk_cells]);
        std::copy_n(search.solution(), bulk_cells, &known_[k * bulk_cells]);
    }

    // False if stopped.
    bool ask(std::size_t number, Control& control) {
        assert(number <= counts_.size());
        BulkJob job{.puzzles = puzzles_.data(),
                    .known = known_.data(),
                    .num_puzzles = number,
                    .limit = 1,
                    .solutions = others_.data(),
                    .counts = counts_.data()};
        auto stop = [&control] { return control.must_stop(); };
        job.stop_by(stop);
        run_bulk(best_instructions(), job);
        return !control.must_stop();
    }

    // Another solution, or null if there is none.
    const std::uint8_t* other(std::size_t k) const {
        assert(counts_[k] <= 1);  // decided
        return counts_[k] == 0 ? nullptr : &others_[k * bulk_cells];
    }

private:
    std::vector<std::uint8_t> puzzles_;
    std::vector<std::uint8_t> known_;
    std::vector<std::uint8_t> others_;
    std::vector<std::uint32_t> counts_;
};

// The result of a single search; empty if stopped.
template <class Search>
typename Search::Result answered(Search search, Control& control) {
    Questions questions(1);
    while (!search.is_done()) {
        questions.set(0, search);
        if (!questions.ask(1, control)) return {};
        search.answer(questions.other(0), control);
    }
    return search.take_result();
}

// The searches of some seeds, and the questions of those that are not done.
template <class Search>
class SideBySide {
public:
    using Begin = std::function<Search(std::uint64_t seed)>;

    SideBySide(std::span<const std::uint64_t> seeds, Begin begin, Control& control)
        : seeds_(seeds), begin_(std::move(begin)), control_(control), results_(seeds.size()) {}

    // The results by seed; those unfinished when the control stops stay empty.
    std::vector<typename Search::Result> run() {
        for (fill(); !growing_.empty() && !control_.must_stop(); fill()) {
            for (std::size_t k = 0; k < growing_.size(); ++k) questions_.set(k, growing_[k].search);
            if (!questions_.ask(growing_.size(), control_)) break;
            for (std::size_t k = 0; k < growing_.size(); ++k) growing_[k].search.answer(questions_.other(k), control_);
        }
        return std::move(results_);
    }

private:
    static constexpr std::size_t max_together = 512;  // enough that lanes idle at the end of a job matter little

    struct Growing {
        std::size_t index;
        Search search;
    };

    // Replaces the searches that are done. A search during which the control stopped proves nothing.
    void fill() {
        for (std::size_t k = 0; k < growing_.size(); ++k) {
            while (growing_[k].search.is_done() && !control_.must_stop()) {
                results_[growing_[k].index] = growing_[k].search.take_result();
                if (next_ < seeds_.size()) {
                    growing_[k] = begin_next();
                } else {
                    if (k + 1 < growing_.size()) growing_[k] = std::move(growing_.back());
                    growing_.pop_back();
                    if (k == growing_.size()) break;
                }
            }
        }
        while (growing_.size() < max_together && next_ < seeds_.size() && !control_.must_stop()) {
            growing_.push_back(begin_next());
        }
    }

    Growing begin_next() {
        const std::size_t index = next_++;
        return {index, begin_(seeds_[index])};
    }

    const std::span<const std::uint64_t> seeds_;
    const Begin begin_;
    Control& control_;
    std::vector<typename Search::Result> results_;
    std::size_t next_ = 0;  // of the seeds
    std::vector<Growing> growing_;
    Questions questions_{max_together};
};

}  // namespace sudokulab
