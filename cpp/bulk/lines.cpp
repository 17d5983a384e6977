#include "bulk/lines.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <span>

#include "bulk/bulk.h"
#include "bulk/objects.h"
#include "search/threads.h"

namespace sudokulab {
namespace {

using Answer = SolvedLines::Answer;
using Other = SolvedLines::Other;
using Role = LineLayout::Role;
using Slot = LineLayout::Slot;

constexpr std::size_t num_cells = bulk_cells;
constexpr std::size_t typical_line = num_cells + 1;
constexpr std::size_t longest_row = 1 << 15;        // the caller limits the length of longer fields
constexpr std::size_t longest_quotation = 1 << 20;  // a quote that is open for longer is a mistake
constexpr std::string_view spaces = " \t\r\f\v";
constexpr std::string_view delimiters = ",;\t";

bool is_digit(char symbol) { return symbol >= '0' && symbol <= '9'; }

bool is_visible(char symbol) { return symbol > ' ' && symbol <= '~'; }

// Whether the text after a puzzle can be ignored: no second grid, no box shape.
bool is_remark(std::string_view rest) {
    return rest.empty() || (std::string_view(" \t,;:|#").find(rest[0]) != std::string_view::npos &&
                            rest.size() < num_cells && rest.find("box") == std::string_view::npos);
}

// Whether a name is written as it is: printable ASCII with single spaces inside, nothing to escape.
bool is_clean(std::string_view name) {
    char previous = ' ';
    for (const char symbol : name) {
        if ((symbol != ' ' && !is_visible(symbol)) || symbol == '"' || symbol == '\\') return false;
        if (symbol == ' ' && previous == ' ') return false;
        previous = symbol;
    }
    return name.empty() || previous != ' ';
}

// Whether a value of JSON is a name that is written as it is, or a natural number.
bool is_plain_name(std::string_view value) {
    if (value.front() == '"') return value.size() > 2 && is_clean(value.substr(1, value.size() - 2));
    return std::all_of(value.begin(), value.end(), is_digit);
}

// The end of a quoted text, behind its closing quote; npos if it is not closed.
std::size_t end_of_quotation(std::string_view text, std::size_t begin) {
    for (std::size_t i = text.find('"', begin + 1); i != std::string_view::npos; i = text.find('"', i + 2)) {
        if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
    }
    return std::string_view::npos;
}

// The end of the row at the beginning of a text: the first line end outside quotes. It is the end of the first line if
// quotes are misplaced, and npos if the text ends inside quotes.
std::size_t end_of_row(std::string_view text, char delimiter) {
    const std::size_t line_end = std::min(text.find('\n'), text.size());
    if (text.substr(0, line_end).find('"') == std::string_view::npos) return line_end;
    std::size_t i = 0;
    while (i < text.size()) {  // i is the beginning of a field
        if (text[i] == '"') {
            i = end_of_quotation(text, i);
            if (i == std::string_view::npos) return text.size() > longest_quotation ? line_end : i;
            if (i > longest_quotation) return line_end;
            const bool is_end = i == text.size() || text[i] == delimiter || text[i] == '\n' ||
                                (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n'));
            if (!is_end) return line_end;
        }
        while (i < text.size() && text[i] != delimiter && text[i] != '\n') ++i;
        if (i == text.size() || text[i] == '\n') return i;
        ++i;
    }
    return i;
}

// Splits a row into as many fields as there are places, quotes included; false if it has fewer or more.
bool split_row(std::string_view row, char delimiter, std::span<std::string_view> fields) {
    for (std::size_t k = 0; k < fields.size(); ++k) {
        std::size_t end = 0;
        if (row.starts_with('"')) {
            end = end_of_quotation(row, 0);
            if (end == std::string_view::npos || (end < row.size() && row[end] != delimiter)) return false;
        } else {
            end = std::min(row.find(delimiter), row.size());
        }
        if ((end == row.size()) != (k + 1 == fields.size())) return false;
        fields[k] = row.substr(0, end);
        row.remove_prefix(std::min(end + 1, row.size()));
    }
    return true;
}

// A field without the quotes around it. Quotes inside remain, which no grid or clean name has.
std::string_view unquoted(std::string_view field) {
    return field.size() >= 2 && field.front() == '"' ? field.substr(1, field.size() - 2) : field;
}

bool is_skipped(std::string_view line, const LineLayout& layout) {
    const std::size_t first = line.find_first_not_of(spaces);
    if (first == std::string_view::npos) return true;
    const bool is_comment = line[layout.keys.empty() ? first : 0] == '#' && line.find('\r') == std::string_view::npos;
    return is_comment && !layout.is_table();
}

// Whether a reader of Unicode may find several puzzles in a line, or none.
bool is_odd(std::string_view line, const LineLayout& layout) {
    if (line.find('\r') != std::string_view::npos) return true;
    if (!layout.is_table()) return !is_visible(line[line.find_first_not_of(spaces)]);
    return std::none_of(line.begin(), line.end(), is_visible);
}

struct Line {
    std::size_t number;
    std::string_view text;
};

// The lines of a block up to an odd one, which is returned alone.
std::vector<Line> lines_of(const LineBlock& block, const LineLayout& layout, SolvedLines& solved) {
    std::vector<Line> lines;
    lines.reserve(block.text.size() / typical_line + 1);
    std::string_view rest = block.text;
    while (!rest.empty()) {
        std::size_t end = layout.is_table() ? end_of_row(rest, layout.delimiter) : rest.find('\n');
        if (end == std::string_view::npos && layout.is_table() && !block.is_last) break;
        if (end == std::string_view::npos) end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        const bool is_read = !is_skipped(line, layout);
        const bool is_alone = is_read && is_odd(line, layout);
        if (is_alone && !lines.empty()) break;
        if (is_read) lines.push_back({solved.num_lines, line});
        ++solved.num_lines;
        if (layout.is_table()) solved.num_lines += static_cast<std::size_t>(std::ranges::count(line, '\n'));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (is_alone) break;
    }
    solved.num_bytes = block.text.size() - rest.size();
    solved.num_rows = lines.size();
    return lines;
}

// What the answers of a layout need.
struct Needs {
    explicit Needs(const LineLayout& layout) {
        for (const auto& part : layout.answer) {
            has_statistics |= part.slot >= Slot::seconds;
            has_fields |= part.slot != Slot::nothing && part.slot != Slot::solution;
            has_name |= part.slot == Slot::id;
        }
        const auto find = [&](Role role) {
            const auto found = std::find(layout.columns.begin(), layout.columns.end(), role);
            return static_cast<std::size_t>(found - layout.columns.begin());
        };
        puzzle = find(Role::puzzle);
        name = find(Role::name);
    }

    bool has_statistics = false;
    bool has_fields = false;  // anything but the solution
    bool has_name = false;
    std::size_t puzzle = 0;  // the columns; the number of columns if there is none
    std::size_t name = 0;
};

// The lines that one thread reads, solves and answers together.
class Piece {
public:
    Piece(std::span<const Line> lines, std::size_t first_row, const LineLayout& layout, const Needs& needs)
        : lines_(lines),
          first_row_(first_row),
          layout_(layout),
          needs_(needs),
          num_columns_(std::max<std::size_t>(1, layout.columns.size())),
          puzzles_(lines.size() * num_cells) {
        places_.reserve(lines.size());
        std::vector<std::string_view> fields(num_columns_);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!read(lines[i].text, fields)) continue;
            const std::string_view puzzle = unquoted(fields[layout.columns.empty() ? 0 : needs.puzzle]);
            if (!decode_symbols(puzzle.data(), &puzzles_[places_.size() * num_cells])) continue;
            places_.push_back(i);
            if (needs.has_fields) fields_.insert(fields_.end(), fields.begin(), fields.end());
        }
    }

    // False if a solution is wrong.
    bool solve(const ArraySolver& solve, const Budget& budget, const Interrupted& stop) {
        solutions_.resize(places_.size() * num_cells);
        counts_.resize(places_.size());
        stats_.resize(needs_.has_statistics ? places_.size() : 0);
        const ArrayJob job{.box = bulk_box,
                           .puzzles = puzzles_.data(),
                           .num_puzzles = places_.size(),
                           .limit = 1,
                           .solutions = solutions_.data(),
                           .counts = counts_.data(),
                           .stats = needs_.has_statistics ? stats_.data() : nullptr,
                           .budget = budget};
        const auto start = std::chrono::steady_clock::now();
        solve(job, stop);
        const std::chrono::nanoseconds spent = std::chrono::steady_clock::now() - start;
        nanoseconds_each_ = spent.count() / static_cast<std::int64_t>(std::max<std::size_t>(1, places_.size()));
        return are_solutions_right(job);
    }

    // Writes the answers; positions are those in this text.
    void write(const char* input, std::string& text, std::vector<Other>& others) const {
        text.reserve(places_.size() * (typical_line + (needs_.has_fields ? 2 * typical_line : 0)));
        std::size_t k = 0;  // the next puzzle among those read
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const bool is_read = k < places_.size() && places_[k] == i;
            if (is_read && counts_[k] == 1) {
                write_answer(k, text);
            } else {
                const auto begin = static_cast<std::size_t>(lines_[i].text.data() - input);
                others.push_back({lines_[i].number, first_row_ + i, begin, begin + lines_[i].text.size(), text.size(),
                                  is_read ? answer_of(counts_[k]) : Answer::unread});
            }
            k += is_read;
        }
    }

private:
    bool read(std::string_view line, std::span<std::string_view> fields) const {
        if (!layout_.keys.empty()) return read_object(line, fields);
        return layout_.is_table() ? read_row(line, fields) : read_line(line, fields);
    }

    bool read_line(std::string_view line, std::span<std::string_view> fields) const {
        if (line.size() < num_cells) return false;
        fields[0] = line.substr(0, num_cells);
        return needs_.has_fields ? line.size() == num_cells : is_remark(line.substr(num_cells));
    }

    bool read_row(std::string_view row, std::span<std::string_view> fields) const {
        if (row.size() > longest_row || row.find("box=") != std::string_view::npos) return false;
        if (row.find('\r') != std::string_view::npos || !split_row(row, layout_.delimiter, fields)) return false;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const std::string_view field = unquoted(fields[k]);
            const Role role = layout_.columns[k];
            if (role == Role::puzzle && field.size() != num_cells) return false;
            if (role == Role::name && needs_.has_name && !is_clean(field)) return false;
        }
        return true;
    }

    bool read_object(std::string_view line, std::span<std::string_view> fields) const {
        if (line.size() > longest_row || !split_object(line, layout_.keys, fields)) return false;
        for (std::size_t k = 0; k < fields.size(); ++k) {
            const Role role = layout_.columns[k];
            if (role == Role::puzzle && (fields[k].size() != num_cells + 2 || fields[k].front() != '"')) return false;
            if (role == Role::name && needs_.has_name && !is_plain_name(fields[k])) return false;
            if (role == Role::box && fields[k] != "\"3x3\"" && fields[k] != "null") return false;
        }
        return true;
    }

    // With statistics, the caller solves again what the bulk engine did not solve.
    Answer answer_of(std::uint32_t count) const {
        if (needs_.has_statistics) return Answer::unread;
        return count == 0 ? Answer::unsatisfiable : Answer::unknown;
    }

    void write_answer(std::size_t k, std::string& text) const {
        for (const auto& part : layout_.answer) {
            text += part.text;
            switch (part.slot) {
                case Slot::nothing:
                    break;
                case Slot::solution:
                    write_digits(&solutions_[k * num_cells], '0', text);
                    break;
                case Slot::puzzle:
                    write_digits(&puzzles_[k * num_cells], '.', text);
                    break;
                case Slot::grid:
                    write_grid(k, text);
                    break;
                case Slot::fields:
                    write_fields(fields_of(k).subspan(part.first, part.last - part.first), text);
                    break;
                case Slot::quoted:
                    write_quoted(fields_of(k)[part.first], text);
                    break;
                case Slot::row:
                    write_number(first_row_ + places_[k], text);
                    break;
                case Slot::id:
                    write_id(k, text);
                    break;
                case Slot::seconds:
                    write_number(nanoseconds_each_, text);
                    text += "e-9";
                    break;
                case Slot::nodes:
                    write_number(stats_[k].num_guesses, text);
                    break;
                case Slot::backtracks:
                    write_number(stats_[k].num_backtracks, text);
                    break;
                case Slot::max_depth:
                    write_number(stats_[k].max_depth, text);
                    break;
            }
        }
    }

    std::span<const std::string_view> fields_of(std::size_t k) const {
        return {&fields_[k * num_columns_], num_columns_};
    }

    void write_id(std::size_t k, std::string& text) const {
        const bool has_name = needs_.name < layout_.columns.size();
        const std::string_view name = has_name ? unquoted(fields_of(k)[needs_.name]) : std::string_view();
        if (name.empty()) {
            write_number(first_row_ + places_[k], text);
        } else {
            text += name;
        }
    }

    void write_fields(std::span<const std::string_view> fields, std::string& text) const {
        for (std::size_t k = 0; k < fields.size(); ++k) {
            if (k > 0) text += layout_.delimiter;
            text += fields[k];
        }
    }

    static void write_quoted(std::string_view field, std::string& text) {
        if (field.starts_with('"') || field.find_first_of(delimiters) == std::string_view::npos) {
            text += field;
            return;
        }
        text += '"';
        for (const char symbol : field) text.append(symbol == '"' ? 2 : 1, symbol);
        text += '"';
    }

    void write_grid(std::size_t k, std::string& text) const {
        const std::size_t begin = text.size();
        if (layout_.columns.empty()) {
            write_digits(&puzzles_[k * num_cells], '.', text);
        } else {
            text += fields_of(k)[needs_.puzzle];
        }
        if (std::all_of(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_digit)) {
            text.insert(begin, 1, '"');
            text += '"';
        }
    }

    static void write_digits(const std::uint8_t* cells, char blank, std::string& text) {
        std::array<char, num_cells> digits;
        for (std::size_t cell = 0; cell < num_cells; ++cell) {
            digits[cell] = cells[cell] == 0 ? blank : static_cast<char>('0' + cells[cell]);
        }
        text.append(digits.data(), num_cells);
    }

    template <class Number>
    static void write_number(Number number, std::string& text) {
        std::array<char, 32> digits;
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    }

    std::span<const Line> lines_;
    std::size_t first_row_;
    const LineLayout& layout_;
    const Needs& needs_;
    std::size_t num_columns_;
    std::vector<std::size_t> places_;  // of the puzzles among the lines
    std::vector<std::uint8_t> puzzles_;
    std::vector<std::string_view> fields_;  // of each puzzle, if they are needed
    std::vector<std::uint8_t> solutions_;
    std::vector<std::uint32_t> counts_;
    std::vector<BulkStats> stats_;
    std::int64_t nanoseconds_each_ = 0;
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

SolvedLines solve_lines(const LineBlock& block, const LineLayout& layout, const ArraySolver& solve,
                        const Budget& budget, int num_threads, const Interrupted& interrupted) {
    SolvedLines solved;
    const std::vector<Line> lines = lines_of(block, layout, solved);
    const Needs needs(layout);
    std::atomic<bool> are_right = true;
    const std::size_t lines_at_once = piece_size(bulk_box, lines.size(), num_threads);
    const std::size_t num_pieces = (lines.size() + lines_at_once - 1) / lines_at_once;
    std::vector<std::vector<Other>> others(num_pieces);
    solved.texts.resize(num_pieces);
    run_parallel(num_pieces, num_threads, interrupted, [&](std::size_t index, const Interrupted& stop) {
        const std::size_t begin = index * lines_at_once;
        const std::span some(&lines[begin], std::min(lines_at_once, lines.size() - begin));
        Piece piece(some, block.first_row + begin, layout, needs);
        if (!piece.solve(solve, budget, stop)) are_right = false;
        piece.write(block.text.data(), solved.texts[index], others[index]);
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
