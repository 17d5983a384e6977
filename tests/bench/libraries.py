"""Shared libraries that stand in for third-party solvers, compiled by the tests."""

from __future__ import annotations

import subprocess
from pathlib import Path

SOURCE = r"""
#include <cstddef>
#include <cstdint>
#include <cstring>

static bool fits(const char* grid, int cell, char digit) {
    const int row = cell / 9, col = cell % 9;
    for (int k = 0; k < 9; ++k) {
        const int in_box = 9 * (row / 3 * 3 + k / 3) + col / 3 * 3 + k % 3;
        if (grid[9 * row + k] == digit || grid[9 * k + col] == digit || grid[in_box] == digit) return false;
    }
    return true;
}

static size_t search(char* grid, int cell, size_t limit, char* solution) {
    while (cell < 81 && grid[cell] != '.') ++cell;
    if (cell == 81) {
        std::memcpy(solution, grid, 81);
        return 1;
    }
    size_t count = 0;
    for (char digit = '1'; digit <= '9' && count < limit; ++digit) {
        if (!fits(grid, cell, digit)) continue;
        grid[cell] = digit;
        count += search(grid, cell + 1, limit - count, solution);
    }
    grid[cell] = '.';
    return count;
}

extern "C" size_t plain(const char* puzzle, size_t limit, uint32_t, char* solution, size_t*) {
    char grid[81];
    std::memcpy(grid, puzzle, 81);
    return search(grid, 0, limit, solution);
}

// The default function name of the interface.
extern "C" size_t TdokuSolverDpllTriadSimd(const char* puzzle, size_t limit, uint32_t, char* solution, size_t*) {
    return plain(puzzle, limit, 0, solution, nullptr);
}

// Returns a valid grid that does not match the puzzle, and always counts one solution.
extern "C" size_t liar(const char*, size_t, uint32_t, char* solution, size_t*) {
    for (int cell = 0; cell < 81; ++cell) {
        const int row = cell / 9;
        solution[cell] = static_cast<char>('1' + (3 * row + row / 3 + cell % 9) % 9);
    }
    return 1;
}

// Never finds a solution.
extern "C" size_t mute(const char*, size_t, uint32_t, char*, size_t*) { return 0; }
"""


def compile_library(folder: Path) -> Path:
    source, library = folder / "solvers.cpp", folder / "libsolvers.so"
    source.write_text(SOURCE)
    subprocess.run(["g++", "-O1", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return library
