// SPDX-License-Identifier: BSD-3-Clause
#include "isthmus/exchange/gather.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <type_traits>
#include <vector>

using namespace isthmus;

namespace {

constexpr std::size_t num_entries = 9;

std::vector<double> numbered(std::size_t size) {
  std::vector<double> values(size);
  std::iota(values.begin(), values.end(), 100.0);
  return values;
}

} // namespace

TEST_CASE("few values per entry are a constant, more are a number") {
  for (std::size_t width = 0; width < 9; ++width) {
    const bool is_constant = exchange::with_width(width, [width](auto n) {
      CHECK(static_cast<std::size_t>(n) == width);
      return !std::is_same_v<decltype(n), std::size_t>;
    });
    CHECK(is_constant == (1 <= width && width <= 4));
  }
}

TEST_CASE("entries are gathered and scattered with any number of values, some twice, or none") {
  const std::vector<LocalIndex> all[] = {{}, {8}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {7, 0, 7, 3}};
  for (const std::vector<LocalIndex>& entries : all) {
    for (std::size_t width = 1; width <= 6; ++width) {
      const std::vector<double> values = numbered(num_entries * width);
      std::vector<double> expected;
      for (const LocalIndex entry : entries) {
        for (std::size_t c = 0; c < width; ++c) {
          expected.push_back(values[static_cast<std::size_t>(entry) * width + c]);
        }
      }
      std::vector<double> gathered(entries.size() * width + 1, -1);
      const double* const end = exchange::gather(values.data(), entries, width, gathered.data());
      CHECK(end == gathered.data() + entries.size() * width);
      CHECK(gathered.back() == -1); // nothing behind the end
      gathered.pop_back();
      CHECK(gathered == expected);

      std::vector<double> sums(values.size(), 0.5);
      const double* const used = exchange::scatter(gathered.data(), entries, width, sums.data(),
                                                   [](double& to, double x) { to += x; });
      CHECK(used == gathered.data() + gathered.size());
      for (std::size_t i = 0; i < sums.size(); ++i) {
        double sum = 0.5;
        for (const LocalIndex entry : entries) { // an entry that stands twice is put twice
          sum += static_cast<std::size_t>(entry) == i / width ? values[i] : 0;
        }
        CHECK(sums[i] == sum);
      }
    }
  }
}
