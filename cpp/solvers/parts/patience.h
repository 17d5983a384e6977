// The restart policy: stop after a number of steps in a row without success.
#pragma once

#include <cassert>
#include <cstdint>

namespace sudokulab {

class Patience {
public:
    explicit Patience(std::int64_t limit) : limit_(limit) { assert(limit >= 0); }

    // Records the outcome of a step. True if the limit of failures is reached; the count then starts over.
    bool is_over(bool was_success) {
        num_failures_ = was_success ? 0 : num_failures_ + 1;
        if (num_failures_ < limit_) return false;
        num_failures_ = 0;
        return true;
    }

private:
    std::int64_t limit_;
    std::int64_t num_failures_ = 0;
};

}  // namespace sudokulab
