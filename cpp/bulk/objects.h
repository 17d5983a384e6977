// Lines of JSON with an object each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sudokulab {

// Splits an object that has exactly these keys in this order, and copies the places of its values as they are in the
// text. Keys are in quotes and need no escapes. False if the text is anything else, or not in ASCII.
bool split_object(std::string_view text, std::span<const std::string> keys, std::span<std::string_view> values);

}  // namespace sudokulab
