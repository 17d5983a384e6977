#include "bulk/peer_library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <algorithm>
#include <stdexcept>

namespace sudokulab {
namespace {

constexpr std::size_t lines_between_polls = 1024;

#ifdef _WIN32
void* open_library(const std::string& path) { return LoadLibraryA(path.c_str()); }
void* find_symbol(void* handle, const std::string& symbol) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(handle), symbol.c_str()));
}
void close_library(void* handle) { FreeLibrary(static_cast<HMODULE>(handle)); }
std::string last_error(const char* otherwise) { return otherwise; }
#else
void* open_library(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }
void* find_symbol(void* handle, const std::string& symbol) { return dlsym(handle, symbol.c_str()); }
void close_library(void* handle) { dlclose(handle); }
std::string last_error(const char* otherwise) {
    const char* error = dlerror();
    return error != nullptr ? error : otherwise;
}
#endif

}  // namespace

PeerLibrary::PeerLibrary(const std::string& path, const std::string& symbol) : handle_(open_library(path)) {
    if (handle_ == nullptr) throw std::runtime_error(last_error("cannot be loaded"));
    function_ = reinterpret_cast<Function>(find_symbol(handle_, symbol));
    if (function_ == nullptr) {
        const std::string error = last_error("no such symbol");
        close_library(handle_);
        throw std::runtime_error(error);
    }
}

PeerLibrary::~PeerLibrary() { close_library(handle_); }

void PeerLibrary::solve(const char* lines, std::size_t num_lines, std::size_t limit, char* solutions,
                        std::uint32_t* counts, const Interrupted& interrupted) const {
    for (std::size_t line = 0; line < num_lines; ++line) {
        if (line % lines_between_polls == 0 && interrupted()) return;
        std::size_t num_guesses = 0;
        const std::size_t start = line * line_length;
        const std::size_t count = function_(lines + start, limit, 0, solutions + start, &num_guesses);
        counts[line] = static_cast<std::uint32_t>(std::min<std::size_t>(count, UINT32_MAX));
    }
}

}  // namespace sudokulab
