// What a board shows to people who watch a search: the placed digits and the candidates left.
#pragma once

#include "search/frames.h"

namespace sudokulab {

template <class SomeBoard>
Frame frame_of(const SomeBoard& board, TraceRow values) {
    Frame frame{.values = std::move(values), .grid = board.grid()};
    frame.candidates.resize(frame.grid.size());
    for (std::size_t cell = 0; cell < frame.grid.size(); ++cell) {
        std::uint8_t& digit = frame.grid[cell];
        if (digit > max_size) digit = 0;  // a contradiction has removed the candidate
        frame.candidates[cell] = digit > 0 ? std::uint64_t{1} << (digit - 1) : board.candidates(static_cast<int>(cell));
    }
    return frame;
}

}  // namespace sudokulab
