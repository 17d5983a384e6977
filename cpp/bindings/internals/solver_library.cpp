// A third-party 9×9 solver in a shared library, called puzzle by puzzle from native code, so that measurements include
// nothing else. In builds with SUDOKULAB_INTERNALS only.
#include <nanobind/ndarray.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "bindings/without_gil.h"

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

class SolverLibrary {
public:
    static constexpr std::size_t line_length = 82;  // 81 characters, '.' for a blank, and a NUL

    // Throws std::runtime_error if the library or the function does not exist.
    SolverLibrary(const std::string& path, const std::string& symbol) : handle_(open_library(path)) {
        if (handle_ == nullptr) throw std::runtime_error(last_error("cannot be loaded"));
        function_ = reinterpret_cast<Function>(find_symbol(handle_, symbol));
        if (function_ == nullptr) {
            const std::string error = last_error("no such symbol");
            close_library(handle_);
            throw std::runtime_error(error);
        }
    }
    ~SolverLibrary() { close_library(handle_); }
    SolverLibrary(const SolverLibrary&) = delete;
    SolverLibrary& operator=(const SolverLibrary&) = delete;

    // Calls the function on each line in turn. Each solution has room for a line; what the library writes there is not
    // examined.
    void solve(const char* lines, std::size_t num_lines, std::size_t limit, char* solutions,
               std::uint32_t* counts) const {
        for (std::size_t line = 0; line < num_lines; ++line) {
            if (line % lines_between_polls == 0 && is_interrupted()) return;
            std::size_t num_guesses = 0;
            const std::size_t start = line * line_length;
            const std::size_t count = function_(lines + start, limit, 0, solutions + start, &num_guesses);
            counts[line] = static_cast<std::uint32_t>(std::min<std::size_t>(count, UINT32_MAX));
        }
    }

private:
    // Returns the number of solutions up to the limit, and writes the first one.
    using Function = std::size_t (*)(const char* puzzle, std::size_t limit, std::uint32_t configuration, char* solution,
                                     std::size_t* num_guesses);

    void* handle_;
    Function function_;
};

template <class T>
using Lines = nb::ndarray<T, nb::shape<-1, SolverLibrary::line_length>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<std::uint32_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

void solve(const SolverLibrary& solver, const Lines<const std::uint8_t>& lines, std::size_t limit,
           const Lines<std::uint8_t>& solutions, const Counts& counts) {
    if (solutions.shape(0) != lines.shape(0) || counts.shape(0) != lines.shape(0)) {
        throw std::invalid_argument("expected one solution and one count per line");
    }
    without_gil([&] {
        solver.solve(reinterpret_cast<const char*>(lines.data()), lines.shape(0), limit,
                     reinterpret_cast<char*>(solutions.data()), counts.data());
        return 0;
    });
}

}  // namespace

void bind_solver_library(nb::module_& m) {
    nb::class_<SolverLibrary>(m, "SolverLibrary", "A function in a shared library that solves 9×9 puzzles.")
        .def(nb::init<const std::string&, const std::string&>(), "path"_a, "symbol"_a)
        .def("solve", &solve, "lines"_a, "limit"_a, "solutions"_a.noconvert(), "counts"_a.noconvert(),
             "Write the first solution of each line, as the library formats it, and the numbers of solutions up to "
             "the limit.");
}

}  // namespace sudokulab
