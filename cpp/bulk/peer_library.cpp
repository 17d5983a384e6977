#include "bulk/peer_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <stdexcept>

namespace sudokulab {

namespace {

constexpr std::size_t lines_between_questions = 1024;

std::string last_error(const char* otherwise) {
    const char* error = dlerror();
    return error != nullptr ? error : otherwise;
}

}  // namespace

PeerLibrary::PeerLibrary(const std::string& path, const std::string& symbol)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(last_error("cannot be loaded"));
    function_ = reinterpret_cast<Function>(dlsym(handle_, symbol.c_str()));
    if (function_ == nullptr) {
        const std::string error = last_error("no such symbol");
        dlclose(handle_);
        throw std::runtime_error(error);
    }
}

PeerLibrary::~PeerLibrary() { dlclose(handle_); }

void PeerLibrary::solve(const char* lines, std::size_t num_lines, std::size_t limit, char* solutions,
                        std::uint32_t* counts, const Interrupted& interrupted) const {
    for (std::size_t line = 0; line < num_lines; ++line) {
        if (line % lines_between_questions == 0 && interrupted()) return;
        std::size_t num_guesses = 0;
        const std::size_t start = line * line_length;
        const std::size_t count = function_(lines + start, limit, 0, solutions + start, &num_guesses);
        counts[line] = static_cast<std::uint32_t>(std::min<std::size_t>(count, UINT32_MAX));
    }
}

}  // namespace sudokulab
