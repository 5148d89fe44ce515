// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace isthmus::config {

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

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest_word = 100;
  constexpr std::size_t longest_list = 12;
  if (candidates.empty()) {
    return "; none is defined";
  }
  int least = std::max(2, static_cast<int>(word.size() / 3)) + 1;
  const std::string* closest = nullptr;
  for (const std::string& candidate : candidates) {
    const int distance = word.size() > longest_word ? least : edit_distance(word, candidate);
    if (distance < least) {
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
  if (closest != nullptr) {
    return fmt::format("; did you mean \"{}\"?", *closest);
  }
  if (candidates.size() > longest_list) {
    return "";
  }
  return fmt::format("; known: {}", fmt::join(candidates, ", "));
}

} // namespace isthmus::config
