#include "bulk/lines.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <span>

#include "bulk/bulk.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

constexpr std::size_t num_cells = bulk_cells;
constexpr std::size_t answer_length = num_cells + 1;  // with the line ending

// Arithmetic instead of a table, so that compilers vectorise it.
bool decode(std::string_view line, std::uint8_t* cells) {
    std::uint8_t is_wrong = 0;
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
        const auto symbol = static_cast<std::uint8_t>(line[cell]);
        const auto digit = static_cast<std::uint8_t>(symbol - '0');
        const bool is_blank = symbol == '.' || symbol == '*' || symbol == '_' || symbol == '-';
        cells[cell] = digit <= 9 ? digit : 0;
        is_wrong = static_cast<std::uint8_t>(is_wrong | (digit > 9 && !is_blank));
    }
    return is_wrong == 0;
}

// Whether a line holds a puzzle and nothing after it that must be parsed: no second grid, no box shape, no bare
// carriage return.
bool is_plain(std::string_view line) {
    if (line.size() < num_cells) return false;
    const std::string_view rest = line.substr(num_cells);
    return rest.empty() ||
           (std::string_view(" \t,;:|#").find(rest[0]) != std::string_view::npos && rest.size() < num_cells &&
            rest.find('\r') == std::string_view::npos && rest.find("box") == std::string_view::npos);
}

bool is_to_be_passed_over(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r\f\v");
    if (first == std::string_view::npos) return true;
    return line[first] == '#' && line.find('\r') == std::string_view::npos;
}

struct Line {
    std::size_t number;
    std::string_view text;
};

std::vector<Line> lines_of(std::string_view text, std::size_t& num_lines) {
    std::vector<Line> lines;
    lines.reserve(text.size() / answer_length + 1);
    for (num_lines = 0; !text.empty(); ++num_lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!is_to_be_passed_over(line)) lines.push_back({num_lines, line});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

using Answer = SolvedLines::Answer;

// A range of lines that one thread reads, solves and answers.
class Piece {
public:
    explicit Piece(std::span<const Line> lines) : puzzles_(lines.size() * num_cells) {
        places_.reserve(lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!is_plain(lines[i].text) || !decode(lines[i].text, &puzzles_[places_.size() * num_cells])) continue;
            places_.push_back(i);
        }
    }

    // False if a solution is wrong.
    bool solve(const ArraySolver& solve, const Budget& budget, const Interrupted& stop) {
        solutions_.resize(places_.size() * num_cells);
        counts_.resize(places_.size());
        const ArrayJob job{.box = bulk_box,
                           .puzzles = puzzles_.data(),
                           .num_puzzles = places_.size(),
                           .limit = 1,
                           .solutions = solutions_.data(),
                           .counts = counts_.data(),
                           .budget = budget};
        solve(job, stop);
        return are_solutions_right(job);
    }

    // Writes each solution to its line's place in `text`; if there is none, writes the reason to `answers`.
    void write(char* text, Answer* answers) const {
        for (std::size_t k = 0; k < places_.size(); ++k) {
            if (counts_[k] != 1) {
                answers[places_[k]] = counts_[k] == 0 ? Answer::unsatisfiable : Answer::unknown;
                continue;
            }
            const std::uint8_t* solution = &solutions_[k * num_cells];
            char* line = text + places_[k] * answer_length;
            for (std::size_t cell = 0; cell < num_cells; ++cell) line[cell] = static_cast<char>('0' + solution[cell]);
            line[num_cells] = '\n';
        }
    }

private:
    std::vector<std::size_t> places_;  // indices of the puzzles among the lines
    std::vector<std::uint8_t> puzzles_;
    std::vector<std::uint8_t> solutions_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace

SolvedLines solve_lines(std::string_view text, const ArraySolver& solve, const Budget& budget, int num_threads,
                        const Interrupted& interrupted) {
    SolvedLines solved;
    const std::vector<Line> lines = lines_of(text, solved.num_lines);
    std::string solutions(lines.size() * answer_length, '\0');  // a zero byte marks a line without a solution
    std::vector<Answer> answers(lines.size(), Answer::unread);
    std::atomic<bool> are_right = true;
    const std::size_t lines_at_once = piece_size(bulk_box, lines.size(), num_threads);
    const std::size_t num_pieces = (lines.size() + lines_at_once - 1) / lines_at_once;
    run_parallel(num_pieces, num_threads, interrupted, [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * lines_at_once;
        Piece piece({&lines[begin], std::min(lines_at_once, lines.size() - begin)});
        if (!piece.solve(solve, budget, stop)) are_right = false;
        piece.write(&solutions[begin * answer_length], &answers[begin]);
    });
    solved.are_right = are_right;
    std::size_t position = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const char* solution = &solutions[i * answer_length];
        if (*solution == '\0') {
            const auto begin = static_cast<std::size_t>(lines[i].text.data() - text.data());
            solved.others.push_back({lines[i].number, begin, begin + lines[i].text.size(), position, answers[i]});
            continue;
        }
        if (!solved.others.empty()) std::memmove(&solutions[position], solution, answer_length);
        position += answer_length;
    }
    solutions.resize(position);
    solved.solutions = std::move(solutions);
    return solved;
}

}  // namespace sudokulab
