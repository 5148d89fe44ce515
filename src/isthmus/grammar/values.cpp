// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/values.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace isthmus::grammar {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

namespace {

template <typename Number>
std::optional<Number> to_number(std::string_view text) {
  text = trimmed(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') {
    text.remove_prefix(1); // from_chars knows no plus sign
  }
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

} // namespace

std::optional<bool> to_boolean(std::string_view text) {
  std::string word(trimmed(text));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  if (word == "true" || word == "yes" || word == "on" || word == "1") {
    return true;
  }
  if (word == "false" || word == "no" || word == "off" || word == "0") {
    return false;
  }
  return std::nullopt;
}

std::optional<int> to_integer(std::string_view text) {
  return to_number<int>(text);
}

std::optional<double> to_real(std::string_view text) {
  const auto number = to_number<double>(text);
  return number && !std::isnan(*number) ? number : std::nullopt;
}

std::optional<std::vector<double>> to_vector(std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::size_t end = text.find(';');
    const auto number = to_real(text.substr(0, end));
    if (!number) {
      return std::nullopt;
    }
    numbers.push_back(*number);
    if (end == std::string_view::npos) {
      return numbers;
    }
    text.remove_prefix(end + 1);
  }
}

} // namespace isthmus::grammar
