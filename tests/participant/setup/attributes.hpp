// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "participant/setup/couple.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// Runs that differ in one attribute.
namespace couple {

using History = std::vector<double>;

inline std::string edited(std::string text, const std::string& old, const std::string& by) {
  const std::size_t at = text.find(old);
  REQUIRE_MESSAGE(at != std::string::npos, old);
  return text.replace(at, old.size(), by);
}

struct Change {
  std::string old;
  std::string by;
};

/// Each change of an element changes its result, every bit of which is the same otherwise.
template <typename Result>
void check_changes(const std::string& element, const std::vector<Change>& changes, Result result) {
  const History before = result(element);
  CHECK(before == result(element)); // else a difference says nothing
  for (const Change& change : changes) {
    CHECK_MESSAGE(result(edited(element, change.old, change.by)) != before,
                  change.by << " gives what " << change.old << " does");
  }
}

} // namespace couple
