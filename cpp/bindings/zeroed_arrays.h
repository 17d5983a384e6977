// Arrays of zeros that numpy can own. The system clears the memory page by page on first use: to clear gigabytes at
// once would keep Ctrl-C waiting.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <memory>

namespace sudokulab {

struct Free {
    void operator()(void* data) const { std::free(data); }
};

template <class T>
using Zeros = std::unique_ptr<T[], Free>;

template <class T>
Zeros<T> zeros(std::size_t num_rows, std::size_t width = 1) {  // calloc notices a product that overflows
    auto* data = static_cast<T*>(std::calloc(std::max<std::size_t>(1, num_rows), width * sizeof(T)));
    if (data == nullptr) {
        PyErr_Format(PyExc_MemoryError, "cannot allocate %zu rows of %zu bytes", num_rows, width * sizeof(T));
        throw nanobind::python_error();
    }
    return Zeros<T>(data);
}

template <class T>
nanobind::capsule owner_of(Zeros<T> data) {
    return nanobind::capsule(data.release(), [](void* p) noexcept { std::free(p); });
}

template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T>;

template <class T>
Array<T> to_array(Zeros<T> values, std::initializer_list<std::size_t> shape) {
    T* data = values.get();
    return Array<T>(data, shape, owner_of(std::move(values)));
}

}  // namespace sudokulab
