// A third-party 9×9 solver in a shared library, called puzzle by puzzle from native code, so that measurements include
// nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "search/control.h"

namespace sudokulab {

class PeerLibrary {
public:
    static constexpr std::size_t line_length = 82;  // 81 characters, '.' for a blank, and a NUL

    // Throws std::runtime_error if the library or the function does not exist.
    PeerLibrary(const std::string& path, const std::string& symbol);
    ~PeerLibrary();
    PeerLibrary(const PeerLibrary&) = delete;
    PeerLibrary& operator=(const PeerLibrary&) = delete;

    // Calls the function on each line in turn. Each solution has room for a line; what the library writes there is not
    // examined.
    void solve(const char* lines, std::size_t num_lines, std::size_t limit, char* solutions, std::uint32_t* counts,
               const Interrupted& interrupted) const;

private:
    // Returns the number of solutions up to the limit, and writes the first one.
    using Function = std::size_t (*)(const char* puzzle, std::size_t limit, std::uint32_t configuration, char* solution,
                                     std::size_t* num_guesses);

    void* handle_;
    Function function_;
};

}  // namespace sudokulab
