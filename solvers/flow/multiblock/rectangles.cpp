// SPDX-License-Identifier: BSD-3-Clause
#include "flow/multiblock/rectangles.hpp"

#include <algorithm>
#include <cstddef>

namespace isthmus::flow {

std::vector<Rectangle> rectangles(std::vector<int> values, const std::array<int, 2>& counts) {
  constexpr int done = -1;
  const auto at = [&](int a, int b) {
    return values.begin() + static_cast<std::ptrdiff_t>(b) * counts[0] + a;
  };
  std::vector<Rectangle> found;
  for (int b = 0; b < counts[1]; ++b) {
    for (int a = 0; a < counts[0]; ++a) {
      const int value = *at(a, b);
      if (value < 0) {
        continue;
      }
      const auto differs = [value](int other) { return other != value; };
      const auto last = std::find_if(at(a, b), at(counts[0], b), differs);
      const int width = static_cast<int>(last - at(a, b));
      int high = b;
      while (high < counts[1] && std::none_of(at(a, high), at(a + width, high), differs)) {
        std::fill_n(at(a, high), width, done);
        ++high;
      }
      found.push_back({{a, b}, {a + width, high}, value});
    }
  }
  return found;
}

} // namespace isthmus::flow
