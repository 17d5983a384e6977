#include "bulk/lines.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "bulk/bulk.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

using Answer = SolvedLines::Answer;
using Other = SolvedLines::Other;
using Role = LineLayout::Role;

constexpr std::size_t num_cells = bulk_cells;
constexpr std::size_t typical_line = num_cells + 1;
constexpr std::size_t longest_row = 1 << 15;  // longer names and comments are cut by the caller

bool is_grid(std::string_view text) {
    std::uint8_t cells[num_cells];
    return text.size() == num_cells && decode_symbols(text.data(), cells);
}

// Whether the text after a puzzle can be ignored: no second grid, no box shape, no carriage return that ends a line.
bool is_remark(std::string_view rest) {
    return rest.empty() ||
           (std::string_view(" \t,;:|#").find(rest[0]) != std::string_view::npos && rest.size() < num_cells &&
            rest.find('\r') == std::string_view::npos && rest.find("box") == std::string_view::npos);
}

// Whether a name or comment is written as it is: printable ASCII with single spaces inside, no quotes, no box shape.
bool is_clean(std::string_view field) {
    char previous = ' ';
    for (const char symbol : field) {
        if (symbol < ' ' || symbol > '~' || symbol == '"' || (symbol == ' ' && previous == ' ')) return false;
        previous = symbol;
    }
    return (field.empty() || previous != ' ') && field.find("box=") == std::string_view::npos;
}

// The puzzle of a line, and the text after the solution in a written row.
struct Record {
    std::string_view puzzle;
    std::string tail = ",,";
};

bool read_line(std::string_view line, const LineLayout& layout, Record& record) {
    if (line.size() < num_cells) return false;
    record.puzzle = line.substr(0, num_cells);
    return layout.writes_rows ? line.size() == num_cells : is_remark(line.substr(num_cells));
}

bool read_row(std::string_view line, const LineLayout& layout, Record& record) {
    if (line.size() > longest_row) return false;
    std::string_view name;
    std::string comment;
    std::string others;
    for (std::size_t i = 0; i < layout.columns.size(); ++i) {
        const std::size_t comma = line.find(',');
        const bool is_last = i + 1 == layout.columns.size();
        if (is_last != (comma == std::string_view::npos)) return false;  // too few fields, or too many
        const std::string_view field = line.substr(0, comma);
        const auto& [role, key] = layout.columns[i];
        switch (role) {
            case Role::puzzle:
                if (field.size() != num_cells) return false;
                record.puzzle = field;
                break;
            case Role::solution:
                if (!field.empty() && !is_grid(field)) return false;
                break;
            default:
                if (!is_clean(field)) return false;
                if (role == Role::name) name = field;
                if (role == Role::comment) comment = field;
                if (role == Role::other && !field.empty()) {
                    others.append(others.empty() ? "" : "; ").append(key).append("=").append(field);
                }
        }
        line.remove_prefix(is_last ? line.size() : comma + 1);
    }
    if (!comment.empty() && !others.empty()) comment += "; ";
    record.tail.assign(",").append(name).append(",").append(comment).append(others);
    return true;
}

bool is_skipped(std::string_view line, const LineLayout& layout) {
    const std::size_t first = line.find_first_not_of(" \t\r\f\v");
    if (first == std::string_view::npos) return true;
    return layout.columns.empty() && line[first] == '#' && line.find('\r') == std::string_view::npos;
}

struct Line {
    std::size_t number;
    std::string_view text;
};

std::vector<Line> lines_of(std::string_view text, const LineLayout& layout, std::size_t& num_lines) {
    std::vector<Line> lines;
    lines.reserve(text.size() / typical_line + 1);
    for (num_lines = 0; !text.empty(); ++num_lines) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!is_skipped(line, layout)) lines.push_back({num_lines, line});
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// The lines that one thread reads, solves and answers together.
class Piece {
public:
    Piece(std::span<const Line> lines, const LineLayout& layout)
        : lines_(lines), writes_rows_(layout.writes_rows), puzzles_(lines.size() * num_cells) {
        places_.reserve(lines.size());
        Record record;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const bool is_plain = layout.columns.empty() ? read_line(lines[i].text, layout, record)
                                                         : read_row(lines[i].text, layout, record);
            if (!is_plain || !decode_symbols(record.puzzle.data(), &puzzles_[places_.size() * num_cells])) continue;
            places_.push_back(i);
            if (writes_rows_) tails_.push_back(record.tail);
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

    // Writes the answers; positions are those in this text.
    void write(const char* input, std::string& text, std::vector<Other>& others) const {
        text.resize(text_size());
        char* end = text.data();
        std::size_t k = 0;  // the next puzzle among those read
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const bool is_read = k < places_.size() && places_[k] == i;
            if (is_read && counts_[k] == 1) {
                end = write_answer(k, end);
            } else {
                const auto begin = static_cast<std::size_t>(lines_[i].text.data() - input);
                const auto position = static_cast<std::size_t>(end - text.data());
                const Answer answer = !is_read          ? Answer::unread
                                      : counts_[k] == 0 ? Answer::unsatisfiable
                                                        : Answer::unknown;
                others.push_back({lines_[i].number, begin, begin + lines_[i].text.size(), position, answer});
            }
            k += is_read;
        }
    }

private:
    std::size_t text_size() const {
        std::size_t size = 0;
        for (std::size_t k = 0; k < places_.size(); ++k) {
            if (counts_[k] == 1) size += num_cells + 1 + (writes_rows_ ? num_cells + 1 + tails_[k].size() : 0);
        }
        return size;
    }

    // Return the end of what is written.
    char* write_answer(std::size_t k, char* text) const {
        if (writes_rows_) {
            text = write_digits(&puzzles_[k * num_cells], text);
            *text++ = ',';
        }
        text = write_digits(&solutions_[k * num_cells], text);
        if (writes_rows_) text = std::copy(tails_[k].begin(), tails_[k].end(), text);
        *text++ = '\n';
        return text;
    }

    static char* write_digits(const std::uint8_t* cells, char* text) {
        for (std::size_t cell = 0; cell < num_cells; ++cell) text[cell] = static_cast<char>('0' + cells[cell]);
        return text + num_cells;
    }

    std::span<const Line> lines_;
    bool writes_rows_;
    std::vector<std::size_t> places_;  // of the puzzles among the lines
    std::vector<std::uint8_t> puzzles_;
    std::vector<std::string> tails_;
    std::vector<std::uint8_t> solutions_;
    std::vector<std::uint32_t> counts_;
};

}  // namespace

// Arithmetic instead of a table, and two groups of symbols, so that compilers vectorise it: seven times as fast.
bool decode_symbols(const char* text, std::uint8_t* cells) {
    std::uint8_t is_wrong = 0;
    for (std::size_t cell = 0; cell < num_cells; ++cell) {
        const auto symbol = static_cast<std::uint8_t>(text[cell]);
        const auto digit = static_cast<std::uint8_t>(symbol - '0');
        const bool is_common = digit <= 9 || symbol == '.' || symbol == '-';
        const bool is_rare = symbol == '*' || symbol == '_' || symbol == '?';
        cells[cell] = digit <= 9 ? digit : 0;
        is_wrong = static_cast<std::uint8_t>(is_wrong | (!is_common & !is_rare));
    }
    return is_wrong == 0;
}

SolvedLines solve_lines(std::string_view text, const LineLayout& layout, const ArraySolver& solve, const Budget& budget,
                        int num_threads, const Interrupted& interrupted) {
    SolvedLines solved;
    const std::vector<Line> lines = lines_of(text, layout, solved.num_lines);
    std::atomic<bool> are_right = true;
    const std::size_t lines_at_once = piece_size(bulk_box, lines.size(), num_threads);
    const std::size_t num_pieces = (lines.size() + lines_at_once - 1) / lines_at_once;
    std::vector<std::vector<Other>> others(num_pieces);
    solved.texts.resize(num_pieces);
    run_parallel(num_pieces, num_threads, interrupted, [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * lines_at_once;
        Piece piece({&lines[begin], std::min(lines_at_once, lines.size() - begin)}, layout);
        if (!piece.solve(solve, budget, stop)) are_right = false;
        piece.write(text.data(), solved.texts[index], others[index]);
    });
    solved.are_right = are_right;
    std::size_t num_bytes = 0;
    for (std::size_t index = 0; index < num_pieces; ++index) {
        for (Other other : others[index]) {
            other.position += num_bytes;
            solved.others.push_back(other);
        }
        num_bytes += solved.texts[index].size();
    }
    return solved;
}

}  // namespace sudokulab
