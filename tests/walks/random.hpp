// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/hash.hpp"

#include <cstdint>
#include <initializer_list>

namespace walks {

/// Numbers that depend on nothing but where they are drawn: all ranks draw the same ones, and
/// leaving out one call does not change those of the others.
class Random {
 public:
  explicit Random(std::initializer_list<std::uint64_t> place) {
    for (const std::uint64_t part : place) {
      state_ = isthmus::mixed(state_ ^ isthmus::mixed(part + 0x9e3779b97f4a7c15U));
    }
  }

  std::uint64_t next() { return isthmus::mixed(state_ += 0x9e3779b97f4a7c15U); }
  /// 0 to count - 1.
  int below(int count) {
    return static_cast<int>(next() % static_cast<std::uint64_t>(count > 0 ? count : 1));
  }
  [[nodiscard]] double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_ = 0;
};

} // namespace walks
