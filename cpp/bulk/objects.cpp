#include "bulk/objects.h"

#include <algorithm>
#include <cstddef>

namespace sudokulab {
namespace {

constexpr int deepest = 16;                  // lists and objects inside each other
constexpr std::size_t longest_number = 100;  // Python refuses integers of thousands of digits

// Takes values from the beginning of a text.
class JsonText {
public:
    explicit JsonText(std::string_view text) : rest_(text) {}

    std::string_view rest() const { return rest_; }

    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

    bool take(std::string_view word) {
        skip_spaces();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    bool take_value(int depth = 0) {
        skip_spaces();
        if (rest_.empty() || depth > deepest) return false;
        switch (rest_.front()) {
            case '"':
                return take_string();
            case '[':
                return take_all("[", "]", [&] { return take_value(depth + 1); });
            case '{':
                return take_all("{", "}", [&] { return take_string() && take(":") && take_value(depth + 1); });
            case 't':
                return take("true");
            case 'f':
                return take("false");
            case 'n':
                return take("null");
            default:
                return take_number();
        }
    }

private:
    template <class TakeOne>
    bool take_all(std::string_view first, std::string_view last, TakeOne take_one) {
        if (!take(first)) return false;
        if (take(last)) return true;
        do {
            if (!take_one()) return false;
        } while (take(","));
        return take(last);
    }

    bool take_string() {
        if (!take("\"")) return false;
        while (!rest_.empty() && rest_.front() >= ' ' && rest_.front() <= '~') {
            const char symbol = rest_.front();
            rest_.remove_prefix(1);
            if (symbol == '"') return true;
            if (symbol == '\\' && !take_escaped()) return false;
        }
        return false;
    }

    bool take_escaped() {
        if (take_one_of("\"\\/bfnrt")) return true;
        if (!take_one_of("u")) return false;
        for (int k = 0; k < 4; ++k) {
            if (!take_one_of("0123456789abcdefABCDEF")) return false;
        }
        return true;
    }

    bool take_number() {
        const std::size_t size = rest_.size();
        take_one_of("-");
        if (!take_one_of("0") && !take_digits()) return false;
        if (take_one_of(".") && !take_digits()) return false;
        if (take_one_of("eE")) {
            take_one_of("+-");
            if (!take_digits()) return false;
        }
        return size - rest_.size() <= longest_number;
    }

    bool take_one_of(std::string_view symbols) {
        if (rest_.empty() || symbols.find(rest_.front()) == std::string_view::npos) return false;
        rest_.remove_prefix(1);
        return true;
    }

    bool take_digits() {
        const std::size_t number = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        rest_.remove_prefix(number);
        return number > 0;
    }

    std::string_view rest_;
};

}  // namespace

bool split_object(std::string_view text, std::span<const std::string> keys, std::span<std::string_view> values) {
    JsonText json(text);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (!json.take(k == 0 ? "{" : ",") || !json.take(keys[k]) || !json.take(":")) return false;
        json.skip_spaces();
        const std::string_view rest = json.rest();
        if (!json.take_value()) return false;
        values[k] = rest.substr(0, rest.size() - json.rest().size());
    }
    if (!json.take("}")) return false;
    json.skip_spaces();
    return json.rest().empty();
}

}  // namespace sudokulab
