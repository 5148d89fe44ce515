// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/grammar/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace isthmus::grammar {

namespace {

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return small;
}

} // namespace

int edit_distance(std::string_view one, std::string_view other) {
  const std::size_t width = other.size() + 1;
  std::vector<int> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) {
    last[j] = static_cast<int>(j);
  }
  for (std::size_t i = 1; i <= one.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j < width; ++j) {
      const int replaced = last[j - 1] + (one[i - 1] != other[j - 1] ? 1 : 0);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[width - 1];
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_word = 100;
  int least = std::max(2, static_cast<int>(word.size() / 3)) + 1;
  const std::string* closest = nullptr;
  for (const std::string& candidate : candidates) {
    const int distance = word.size() > longest_word
                             ? least
                             : edit_distance(small_letters(word), small_letters(candidate));
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (distance < least && static_cast<std::size_t>(distance) < longer) { // one letter is shared
      least = distance;
      closest = &candidate;
    }
  }
  const auto part = std::find_if(candidates.begin(), candidates.end(), [&](const auto& candidate) {
    return !word.empty() && candidate.find(word) != std::string::npos;
  });
  if (closest == nullptr && part != candidates.end()) {
    closest = &*part;
  }
  return closest == nullptr ? "" : fmt::format("; did you mean \"{}\"?", *closest);
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_list = 12;
  if (candidates.empty()) {
    return "; none is defined";
  }
  const std::string guess = did_you_mean(word, candidates);
  if (candidates.size() > longest_list) {
    return guess;
  }
  return fmt::format("{}{}: {}", guess, guess.empty() ? "; known" : " Known",
                     fmt::join(candidates, ", "));
}

} // namespace isthmus::grammar
